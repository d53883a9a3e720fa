//! Windows: the children of application roots, joined with what the X server knows of them.
//!
//! A window's id is made of its place on the bus, so that it is found again without listing any
//! other: `w-1.11-org-gnome-Calculator-a11y-…` is `/org/gnome/Calculator/a11y/…` of `:1.11`. A
//! path never holds a hyphen, so nothing is lost.

use std::sync::Arc;

use agent_desktop_engine::platform::{App, Deadline, Failure, Handle, Process, Why, Window};
use agent_desktop_model::{geometry::Rect, role::Role, text::cut, tree::Address};

use super::{
    Linux, absence,
    apps::{self, SHARE},
    matching::{self, Candidate},
};
use crate::{
    atspi::{
        calls,
        dialect::{self, Coordinates},
        roles, states,
    },
    bus::{Answer, CallError},
    proc, x11,
};

/// A window, and what its two sides say of its place.
pub(super) struct Described {
    pub(super) window: Window,
    /// Where its toolkit says it is.
    pub(super) own: Option<Rect>,
    pub(super) shown: Option<x11::Window>,
}

/// How many questions are asked about a window.
const QUESTIONS: usize = 4;

/// What the X server says of all windows.
pub(super) struct Shown {
    pub(super) windows: Vec<x11::Window>,
    pub(super) active: Option<u32>,
}

impl Linux {
    pub(super) fn list_windows(
        &self,
        apps: &[App],
        deadline: Deadline,
    ) -> Result<(Vec<Window>, Vec<App>), Failure> {
        if apps.is_empty() {
            return Ok((self.inaccessible_windows(deadline)?, Vec::new()));
        }
        let (windows, silent) = self.described_windows(apps, deadline)?;
        Ok((windows.into_iter().map(|described| described.window).collect(), silent))
    }

    /// The same of some applications, with what both sides say.
    pub(super) fn described_windows(
        &self,
        apps: &[App],
        deadline: Deadline,
    ) -> Result<(Vec<Described>, Vec<App>), Failure> {
        let bus = self.bus(deadline)?;
        let asked = apps.iter().filter(|app| app.responding).collect::<Vec<_>>();
        let questions = asked.iter().map(|app| calls::children(&calls::root(&app.id))).collect();
        let answers = bus.call_many(questions, deadline.within(SHARE));
        let mut silent: Vec<App> = apps.iter().filter(|app| !app.responding).cloned().collect();
        let mut found = Vec::new();
        for (app, answer) in asked.into_iter().zip(answers) {
            match answer {
                Ok(reply) => match calls::references(&reply, &app.id) {
                    Some(roots) => found.extend(roots.into_iter().map(|root| (app, root))),
                    None => silent.push(App { silence: Some(senseless()), ..app.clone() }),
                },
                Err(CallError::Unanswered) => silent.push(app.clone()),
                Err(_) => {}
            }
        }
        // One that falls silent now must not keep the others from being listed either.
        let (windows, mute) = self.describe(&found, deadline.within(SHARE), deadline)?;
        for app in mute {
            if !silent.iter().any(|other| other.id == app.id) {
                silent.push(app);
            }
        }
        let silences = silent.iter().map(|app| (app.id.clone(), app.silence.clone()));
        self.silences.borrow_mut().extend(silences);
        Ok((windows, silent))
    }

    pub(super) fn find_window(&self, id: &str, deadline: Deadline) -> Result<Window, Failure> {
        let address = match parse(id) {
            Some(Id::X11(xid)) => {
                let windows = self.inaccessible_windows(deadline)?;
                let id = x11_id(xid);
                return windows.into_iter().find(|window| window.id == id).ok_or(Failure::Gone);
            }
            Some(Id::Accessible(address)) => address,
            None => return Err(Failure::Gone),
        };
        let windows = self.windows_around(&address, deadline)?;
        let window = windows.into_iter().map(|described| described.window);
        window
            .into_iter()
            .find(|window| window.address.as_ref() == Some(&address))
            .ok_or(Failure::Gone)
    }

    /// The window at `address` and the others of its application.
    pub(super) fn windows_around(
        &self,
        address: &Address,
        deadline: Deadline,
    ) -> Result<Vec<Described>, Failure> {
        let met = self.met.borrow().get(&address.app).cloned();
        let mut questions = match &met {
            Some(_) => Vec::new(),
            None => Vec::from(apps::about(&address.app)),
        };
        questions.push(calls::children(&calls::root(&address.app)));
        let bus = self.bus(deadline)?;
        let mut answers = bus.call_many(questions, deadline);
        let siblings = answers.pop();
        let app = met.or_else(|| self.app_of(address.app.clone(), &answers));
        let app = app.ok_or(Failure::Gone)?;
        let roots = match siblings {
            // Where the time was over before, the bus was not asked whose process it is either.
            _ if !app.responding => {
                let (name, process) = self.called(bus, &app.id);
                return Err(self.silence(&app.id, name, process, deadline));
            }
            Some(Err(CallError::Unanswered)) => {
                return Err(self.silence(&app.id, app.name, app.process, deadline));
            }
            Some(Ok(reply)) => calls::references(&reply, &app.id).ok_or_else(|| {
                Failure::Unresponsive { app: app.name.clone(), why: Some(senseless()) }
            })?,
            _ => return Err(Failure::Gone),
        };
        if !roots.contains(address) {
            return Err(Failure::Gone);
        }
        let found = roots.into_iter().map(|root| (&app, root)).collect::<Vec<_>>();
        let (windows, mute) = self.describe(&found, deadline, deadline)?;
        let is_it = |described: &Described| described.window.address.as_ref() == Some(address);
        match windows.iter().any(is_it) {
            true => Ok(windows),
            false => Err(match mute.into_iter().next() {
                Some(App { silence: why @ Some(_), name: app, .. }) => {
                    Failure::Unresponsive { app, why }
                }
                Some(app) => self.silence(&app.id, app.name, app.process, deadline),
                None => Failure::Gone,
            }),
        }
    }

    pub(super) fn find_focused(&self, deadline: Deadline) -> Result<Option<Window>, Failure> {
        let active = self.active(deadline)?;
        let pid = active.as_ref().and_then(|active| active.pid);
        let bus_apps = self.apps_with(pid, deadline)?;
        let Some(active) = active else {
            // Without a window manager the toolkits' own word has to do. GTK 3.24.38 leaves
            // ACTIVE on the window whose menu has the focus, so it is never asked first.
            let (windows, _) = self.list_windows_of(&bus_apps, deadline)?;
            return Ok(windows.into_iter().find(|window| window.focused));
        };
        let of_process = bus_apps
            .into_iter()
            .filter(|app| app.process.map(|process| process.pid) == active.pid)
            .collect::<Vec<_>>();
        let (windows, silent) = self.list_windows_of(&of_process, deadline)?;
        if let Some(window) = windows.into_iter().find(|window| window.focused) {
            return Ok(Some(window));
        }
        if let Some(app) = silent.into_iter().next() {
            return Err(Failure::Unresponsive { app: app.name, why: app.silence });
        }
        let why = absence::why(active.pid, &self.here(deadline.within(SHARE)));
        Ok(Some(inaccessible(&active, true, why)))
    }

    fn list_windows_of(
        &self,
        apps: &[App],
        deadline: Deadline,
    ) -> Result<(Vec<Window>, Vec<App>), Failure> {
        if apps.is_empty() { Ok(Default::default()) } else { self.list_windows(apps, deadline) }
    }

    /// The X window with the focus.
    fn active(&self, deadline: Deadline) -> Result<Option<x11::Window>, Failure> {
        let Some(Shown { windows, active }) = self.shown(deadline)? else { return Ok(None) };
        Ok(windows.into_iter().find(|window| Some(window.xid) == active))
    }

    /// What the X server says; none on a desktop without one.
    pub(super) fn shown(&self, deadline: Deadline) -> Result<Option<Shown>, Failure> {
        let Some(display) = self.x11(deadline)? else { return Ok(None) };
        if deadline.passed() {
            return self.told_by_x11(Err(Failure::Timeout), deadline);
        }
        let told = display
            .windows(deadline)
            .and_then(|windows| Ok(Shown { windows, active: display.active_window(deadline)? }));
        self.told_by_x11(told, deadline).map(Some)
    }

    /// What there is to know about these windows, each of which has until `patience` to answer. One
    /// that is gone is left out, and so is one that does not answer, or not what it was asked,
    /// whose application is named in the second list.
    fn describe(
        &self,
        found: &[(&App, Address)],
        patience: Deadline,
        deadline: Deadline,
    ) -> Result<(Vec<Described>, Vec<App>), Failure> {
        let questions = found
            .iter()
            .flat_map(|(_, root)| {
                [calls::role(root), calls::name(root), calls::state(root), calls::extents(root)]
            })
            .collect();
        let answers = self.bus(deadline)?.call_many(questions, patience);
        // What the accessibility bus says has to do where the X server is silent.
        let shown = self.shown(deadline.within(deadline.remaining() / 2)).unwrap_or_default();
        let mute = found
            .iter()
            .zip(answers.chunks_exact(QUESTIONS))
            .filter_map(|((app, _), answers)| match answers.first()? {
                Err(CallError::Unanswered) => Some((*app).clone()),
                Ok(role) if role.decode::<u32>().is_none() => {
                    Some(App { silence: Some(senseless()), ..(*app).clone() })
                }
                _ => None,
            })
            .collect();
        let windows: Vec<(Window, u64)> = found
            .iter()
            .zip(answers.chunks_exact(QUESTIONS))
            .filter_map(|((app, root), answers)| window_of(app, root, answers))
            .collect();
        let candidates = windows
            .iter()
            .map(|(window, bits)| Candidate {
                pid: window.app.process.map_or(0, |process| process.pid),
                title: &window.title,
                extents: window.bounds,
                coordinates: self.dialect_of(&window.app.id).coordinates,
                active: bits & states::ACTIVE != 0,
            })
            .collect::<Vec<_>>();
        let known = shown.as_ref().map_or(&[][..], |shown| &shown.windows);
        let active = shown.as_ref().and_then(|shown| shown.active);
        let matches = matching::matched(&candidates, known, active);
        let taken = matches.clone();
        let mut described = Vec::with_capacity(windows.len());
        for ((mut window, bits), at) in windows.into_iter().zip(matches) {
            let line = self.dialect_of(&window.app.id);
            let own = window.bounds;
            window.visible = states::shown(bits, line) && !states::iconified(bits);
            window.focused = bits & states::ACTIVE != 0;
            // One that has not said yet what it is made with may not know places.
            let knows_places = self.dialects.borrow().contains_key(&window.app.id)
                && line.coordinates != Coordinates::Inside;
            window.bounds = own.filter(|_| knows_places);
            let pid = window.app.process.map(|process| process.pid);
            let x = at.and_then(|at| known.get(at));
            if let (Some(x), Some(shown)) = (x, &shown) {
                window.handle = Some(handle(x));
                window.bounds = Some(x.inner);
                window.visible = x.visible;
                window.maximized = x.maximized;
                window.minimized = x.minimized;
                window.modal = x.modal;
                if window.role == Role::Popover {
                    window.role = Role::Window;
                }
                if window.title.is_empty() {
                    window.title.clone_from(&x.title);
                }
                if shown.active.is_some() {
                    window.focused = shown.active == Some(x.xid);
                }
            } else if let Some(shown) = &shown {
                if line.inner_windows && window.title.is_empty() {
                    window.role = Role::Popover;
                    window.visible = false;
                }
                let active = known.iter().position(|x| Some(x.xid) == shown.active);
                // Of a process without the focus no window has it, nor has any where another
                // window is known to: GTK 3.24.38 says ACTIVE of the window of an open menu.
                window.focused &= active.is_none_or(|active| {
                    let same = known.get(active).is_some_and(|active| active.pid == pid);
                    same && !taken.contains(&Some(active))
                });
            }
            described.push(Described { window, own, shown: x.cloned() });
        }
        Ok((described, mute))
    }

    /// The windows of programs that are not on the accessibility bus, or do not answer there.
    fn inaccessible_windows(&self, deadline: Deadline) -> Result<Vec<Window>, Failure> {
        let Some(Shown { windows, active }) = self.shown(deadline)? else {
            return Ok(Vec::new());
        };
        let apps = self.apps_with(windows.iter().filter_map(|window| window.pid), deadline)?;
        let owner = |window: &x11::Window| {
            let of = |app: &&App| window.pid == app.process.map(|process| process.pid);
            window.pid.and_then(|_| apps.iter().find(of))
        };
        let (mut absent, mut silent) = (Vec::new(), Vec::new());
        let silences = self.silences.borrow();
        for window in windows {
            match owner(&window) {
                Some(app) => match silences.get(&app.id) {
                    Some(silence) => {
                        silent.push((window, App { silence: silence.clone(), ..app.clone() }));
                    }
                    None if app.responding => {}
                    None => silent.push((window, app.clone())),
                },
                None => absent.push(window),
            }
        }
        let mut listed = Vec::with_capacity(absent.len() + silent.len());
        if !absent.is_empty() {
            let here = self.here(deadline.within(SHARE));
            listed.extend(absent.into_iter().map(|window| {
                let why = absence::why(window.pid, &here);
                inaccessible(&window, Some(window.xid) == active, why)
            }));
        }
        listed.extend(silent.into_iter().map(|(window, app)| {
            let why = app.silence.clone().unwrap_or_else(|| Why {
                cause: "its application does not answer".to_owned(),
                remedy: "Wait until the application answers again, or restart it.".to_owned(),
            });
            Window { app, ..inaccessible(&window, Some(window.xid) == active, why) }
        }));
        Ok(listed)
    }

    pub(super) fn dialect_of(&self, app: &Arc<str>) -> &'static dialect::Dialect {
        self.dialects.borrow().get(app).copied().unwrap_or_else(|| dialect::of("", ""))
    }
}

/// What is wrong with an application whose answers are of another kind than was asked for: as good
/// as none, because nothing is known by them.
pub(super) fn senseless() -> Why {
    Why {
        cause: "it answers, but not what it is asked".to_owned(),
        remedy: "Restart the application. If it goes on, its accessibility is broken: it can be \
                 looked at with `screenshot` and operated with `mouse-click` and `press` only."
            .to_owned(),
    }
}

/// The window that gave these answers, and its state bits; none if it is gone or silent.
fn window_of(app: &App, root: &Address, answers: &[Answer]) -> Option<(Window, u64)> {
    let [role, name, state, extents] = answers else { return None };
    let role = role.as_ref().ok()?.decode()?;
    let bits = state.as_ref().ok().and_then(|reply| reply.decode::<Vec<u32>>());
    let bits = states::bits(&bits.unwrap_or_default());
    let title = name.as_ref().ok().and_then(|reply| reply.text()).unwrap_or_default();
    let window = Window {
        id: id(root),
        app: app.clone(),
        handle: None,
        address: Some(root.clone()),
        role: match roles::canonical(role, bits) {
            // GTK 4.8.3 gives its file dialogs the role of a box.
            Role::Group | Role::Unknown => Role::Window,
            // Made for a menu or a tooltip, unless the X server knows it as a window.
            _ if role == roles::WINDOW && title.is_empty() => Role::Popover,
            role => role,
        },
        title: cut(&title).0.to_owned(),
        bounds: extents.as_ref().ok().and_then(calls::rectangle),
        focused: false,
        visible: false,
        maximized: false,
        minimized: states::iconified(bits),
        modal: false,
        reason: None,
    };
    Some((window, bits))
}

/// The window of a program that offers no accessibles.
pub(super) fn inaccessible(window: &x11::Window, focused: bool, why: Why) -> Window {
    let process = window.pid.and_then(|pid| Some(Process { pid, started: proc::start_time(pid)? }));
    let name = process.and_then(|process| proc::name(process.pid));
    let id = window.pid.map_or_else(|| x11_id(window.xid), |pid| format!("x11-{pid}"));
    Window {
        id: x11_id(window.xid),
        app: App {
            id: id.as_str().into(),
            name: name.unwrap_or_else(|| window.title.clone()),
            aliases: window.class.clone(),
            process,
            toolkit: None,
            responding: true,
            silence: None,
        },
        handle: Some(handle(window)),
        address: None,
        role: Role::Window,
        title: window.title.clone(),
        bounds: Some(window.inner),
        focused,
        visible: window.visible,
        maximized: window.maximized,
        minimized: window.minimized,
        modal: window.modal,
        reason: Some(why),
    }
}

pub(super) fn handle(window: &x11::Window) -> Handle {
    Handle(window.xid.into())
}

#[derive(Debug, PartialEq, Eq)]
enum Id {
    Accessible(Address),
    X11(u32),
}

pub(super) fn id(root: &Address) -> String {
    let object = root.object.trim_start_matches('/').replace('/', "-");
    format!("w-{}-{object}", root.app.trim_start_matches(':'))
}

fn x11_id(xid: u32) -> String {
    format!("w-x11-{xid}")
}

fn parse(id: &str) -> Option<Id> {
    let (app, object) = id.strip_prefix("w-")?.split_once('-')?;
    if app == "x11" {
        return object.parse().ok().map(Id::X11);
    }
    let is_path = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let numbers = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let plausible = app.split('.').all(numbers) && object.split('-').all(is_path);
    plausible.then(|| {
        Id::Accessible(Address {
            app: format!(":{app}").into(),
            object: format!("/{}", object.replace('-', "/")).into(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_leads_back_to_its_window() {
        let window = Address {
            app: ":1.11".into(),
            object: "/org/gnome/Calculator/a11y/5d869429_9ec6_419e".into(),
        };
        let id = id(&window);
        assert_eq!(id, "w-1.11-org-gnome-Calculator-a11y-5d869429_9ec6_419e");
        assert_eq!(parse(&id), Some(Id::Accessible(window)));
        assert_eq!(parse("w-x11-4194305"), Some(Id::X11(4_194_305)));
    }

    #[test]
    fn what_is_no_id_names_no_window() {
        for text in ["", "w-", "w-1.11", "w-1.11-", "w-1.11-a--b", "w-a.b-c", "w-1.-a", "x-1.1-a"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse("w-1.1-a/b"), None);
        assert_eq!(parse("w-x11-window"), None);
    }
}
