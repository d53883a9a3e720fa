//! Windows: the children of application roots, joined with what the X server knows of them.
//!
//! A window's id is made of its place on the bus, so that it is found again without listing any
//! other: `w-1.11-org-gnome-Calculator-a11y-…` is `/org/gnome/Calculator/a11y/…` of `:1.11`. A
//! path never holds a hyphen, so nothing is lost.

use std::sync::Arc;

use agent_desktop_engine::platform::{App, Deadline, Failure, Process, Window};
use agent_desktop_model::{role::Role, tree::Address};

use super::{
    Linux,
    apps::{self, SHARE},
    matching::{self, Candidate},
};
use crate::{
    atspi::{calls, dialect, roles, states},
    bus::{Answer, CallError},
    proc, x11,
};

/// How many questions are asked about a window.
const QUESTIONS: usize = 4;

/// What the X server says of all windows.
struct Shown {
    windows: Vec<x11::Window>,
    active: Option<u32>,
}

impl Linux {
    pub(super) fn list_windows(
        &self,
        apps: &[App],
        deadline: Deadline,
    ) -> Result<(Vec<Window>, Vec<App>), Failure> {
        let bus = self.bus(deadline)?;
        if apps.is_empty() {
            return Ok((self.inaccessible_windows(deadline)?, Vec::new()));
        }
        let asked = apps.iter().filter(|app| app.responding).collect::<Vec<_>>();
        let questions = asked.iter().map(|app| calls::children(&calls::root(&app.id))).collect();
        let answers = bus.call_many(questions, deadline.within(SHARE));
        let mut silent: Vec<App> = apps.iter().filter(|app| !app.responding).cloned().collect();
        let mut found = Vec::new();
        for (app, answer) in asked.into_iter().zip(answers) {
            match answer {
                Ok(reply) => {
                    let roots = calls::references(&reply, &app.id).unwrap_or_default();
                    found.extend(roots.into_iter().map(|root| (app, root)));
                }
                Err(CallError::Unanswered) => silent.push(app.clone()),
                Err(_) => {}
            }
        }
        let (windows, mute) = self.describe(&found, deadline)?;
        for app in mute {
            if !silent.iter().any(|other| other.id == app.id) {
                silent.push(app);
            }
        }
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
        let mut questions = Vec::from(apps::about(&address.app));
        questions.push(calls::children(&calls::root(&address.app)));
        let bus = self.bus(deadline)?;
        let mut answers = bus.call_many(questions, deadline);
        let siblings = answers.pop();
        let app = self.app_of(address.app.clone(), &answers).ok_or(Failure::Gone)?;
        let roots = match siblings {
            _ if !app.responding => return Err(apps::silence(app.name, deadline)),
            Some(Err(CallError::Unanswered)) => return Err(apps::silence(app.name, deadline)),
            Some(Ok(reply)) => calls::references(&reply, &app.id).unwrap_or_default(),
            _ => return Err(Failure::Gone),
        };
        if !roots.contains(&address) {
            return Err(Failure::Gone);
        }
        let found = roots.into_iter().map(|root| (&app, root)).collect::<Vec<_>>();
        let (windows, mute) = self.describe(&found, deadline)?;
        let window = windows.into_iter().find(|window| window.address.as_ref() == Some(&address));
        match window {
            Some(window) => Ok(window),
            None if !mute.is_empty() => Err(apps::silence(app.name, deadline)),
            None => Err(Failure::Gone),
        }
    }

    pub(super) fn find_focused(&self, deadline: Deadline) -> Result<Option<Window>, Failure> {
        let bus_apps = self.list_apps(deadline)?;
        let Some(active) = self.active(deadline)? else {
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
            return Err(Failure::Unresponsive { app: app.name });
        }
        Ok(Some(inaccessible(&active, true)))
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

    fn shown(&self, deadline: Deadline) -> Result<Option<Shown>, Failure> {
        let Some(display) = self.x11(deadline) else { return Ok(None) };
        let windows = display.windows(deadline)?;
        let active = display.active_window(deadline)?;
        Ok(Some(Shown { windows, active }))
    }

    /// What there is to know about these windows. One that is gone is left out, and so is one
    /// that does not answer, whose application is named in the second list.
    fn describe(
        &self,
        found: &[(&App, Address)],
        deadline: Deadline,
    ) -> Result<(Vec<Window>, Vec<App>), Failure> {
        let questions = found
            .iter()
            .flat_map(|(_, root)| {
                [calls::role(root), calls::name(root), calls::state(root), calls::extents(root)]
            })
            .collect();
        let answers = self.bus(deadline)?.call_many(questions, deadline);
        let shown = self.shown(deadline).unwrap_or_default();
        let mute = found
            .iter()
            .zip(answers.chunks_exact(QUESTIONS))
            .filter(|(_, answers)| {
                let role = answers.first();
                role.is_some_and(|role| matches!(role, Err(CallError::Unanswered)))
            })
            .map(|((app, _), _)| (*app).clone())
            .collect();
        let mut windows: Vec<(Window, u64)> = found
            .iter()
            .zip(answers.chunks_exact(QUESTIONS))
            .filter_map(|((app, root), answers)| window_of(app, root, answers))
            .collect();
        let candidates = windows
            .iter()
            .map(|(window, _)| Candidate {
                pid: window.app.process.map_or(0, |process| process.pid),
                title: &window.title,
                extents: window.bounds,
            })
            .collect::<Vec<_>>();
        let known = shown.as_ref().map_or(&[][..], |shown| &shown.windows);
        let matches = matching::matched(&candidates, known);
        for ((window, bits), at) in windows.iter_mut().zip(matches) {
            let line = self.dialect_of(&window.app.id);
            window.visible = states::shown(*bits, line) && !states::iconified(*bits);
            window.focused = *bits & states::ACTIVE != 0;
            let Some(shown) = &shown else {
                window.bounds = window.bounds.filter(|_| !line.window_extents);
                continue;
            };
            let pid = window.app.process.map(|process| process.pid);
            match at.and_then(|at| shown.windows.get(at)) {
                Some(x) => {
                    window.bounds = Some(x.bounds);
                    window.visible = x.visible;
                    if window.title.is_empty() {
                        window.title.clone_from(&x.title);
                    }
                    if shown.active.is_some() {
                        window.focused = shown.active == Some(x.xid);
                    }
                }
                None => {
                    window.bounds = window.bounds.filter(|_| !line.window_extents);
                    let active = shown.windows.iter().find(|x| Some(x.xid) == shown.active);
                    // Of a process without the focus, no window has it.
                    window.focused &= active.is_none_or(|active| active.pid == pid);
                }
            }
        }
        Ok((windows.into_iter().map(|(window, _)| window).collect(), mute))
    }

    /// The windows of programs that are not on the accessibility bus, or do not answer there.
    fn inaccessible_windows(&self, deadline: Deadline) -> Result<Vec<Window>, Failure> {
        let Some(Shown { windows, active }) = self.shown(deadline)? else {
            return Ok(Vec::new());
        };
        let apps = self.list_apps(deadline)?;
        let owner = |window: &x11::Window| {
            let of = |app: &&App| window.pid == app.process.map(|process| process.pid);
            window.pid.and_then(|_| apps.iter().find(of))
        };
        Ok(windows
            .into_iter()
            .filter(|window| owner(window).is_none_or(|app| !app.responding))
            .map(|window| {
                let known = inaccessible(&window, Some(window.xid) == active);
                match owner(&window) {
                    Some(app) => Window {
                        app: app.clone(),
                        reason: Some("its application does not answer".to_owned()),
                        ..known
                    },
                    None => known,
                }
            })
            .collect())
    }

    pub(super) fn dialect_of(&self, app: &Arc<str>) -> &'static dialect::Dialect {
        self.dialects.borrow().get(app).copied().unwrap_or_else(|| dialect::of("", ""))
    }
}

/// The window that gave these answers, and its state bits; none if it is gone or silent.
fn window_of(app: &App, root: &Address, answers: &[Answer]) -> Option<(Window, u64)> {
    let [role, name, state, extents] = answers else { return None };
    let role = role.as_ref().ok()?.decode().unwrap_or_default();
    let bits = state.as_ref().ok().and_then(|reply| reply.decode::<Vec<u32>>());
    let bits = states::bits(&bits.unwrap_or_default());
    let title = name.as_ref().ok().and_then(|reply| reply.text()).unwrap_or_default();
    let window = Window {
        id: id(root),
        app: app.clone(),
        address: Some(root.clone()),
        role: match roles::canonical(role, false) {
            // GTK 4.8.3 gives its file dialogs the role of a box.
            Role::Group | Role::Unknown => Role::Window,
            role => role,
        },
        title: title.into(),
        bounds: extents.as_ref().ok().and_then(calls::rectangle),
        focused: false,
        visible: false,
        reason: None,
    };
    Some((window, bits))
}

/// The window of a program that offers no accessibles.
fn inaccessible(window: &x11::Window, focused: bool) -> Window {
    let process = window.pid.and_then(|pid| Some(Process { pid, started: proc::start_time(pid)? }));
    let name = process.and_then(|process| proc::name(process.pid));
    let id = window.pid.map_or_else(|| x11_id(window.xid), |pid| format!("x11-{pid}"));
    Window {
        id: x11_id(window.xid),
        app: App {
            id: id.as_str().into(),
            name: name.unwrap_or_else(|| window.title.clone()),
            process,
            toolkit: None,
            responding: true,
        },
        address: None,
        role: Role::Window,
        title: window.title.clone(),
        bounds: Some(window.bounds),
        focused,
        visible: window.visible,
        reason: Some("its program is not on the accessibility bus".to_owned()),
    }
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
