//! Programs on this desktop: which of them run, and when a window of one that was started shows.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    time::{Duration, Instant},
};

use agent_desktop_engine::platform::{
    App, Arrangement, Deadline, Ending, Failure, Handle, Instance, Process, Program, Programs,
    Progress, Start, Started, Urge, Window,
};
use agent_desktop_model::error::Error;

use super::{
    Linux, absence,
    apps::SHARE,
    endings,
    windows::{Described, Shown, inaccessible},
};
use crate::{proc, programs, x11};

/// How long a process may not be recognised as one of those that a start led to: one that is just
/// becoming another program has no variables.
const CHANGING: Duration = Duration::from_millis(300);

/// By when a window that comes has taken the focus, if it does: gedit 43 asks for it once more
/// 130 ms after it was given it. Chromium 156 and Firefox ESR 153 ask for it again and again for a
/// second; whoever will have it so much gets it. Debian 12, openbox 3.6.1.
const TAKING_FOCUS: Duration = Duration::from_millis(200);

/// How often it is given back at most.
const GIVEN_BACK: u32 = 3;

/// How long a window that shows may take until its program has published it as well.
const PUBLISHING: Duration = Duration::from_secs(10);

impl Programs for Linux {
    fn named(&self, name: &str) -> Result<Vec<Program>, Error> {
        programs::named(name, &self.environment)
    }

    fn names(&self) -> Vec<String> {
        programs::names(&self.environment)
    }

    fn instances(
        &self,
        program: &Program,
        start: &Start,
        deadline: Deadline,
    ) -> Result<Vec<Instance>, Failure> {
        let apps = self.list_apps(deadline)?;
        let shown = self.shown(deadline)?;
        let shown = shown.as_ref().map_or(&[][..], |shown| &shown.windows);
        let mut found = Vec::new();
        for app in apps {
            let Some(process) = app.process else { continue };
            let by_class = shown.iter().any(|window| {
                window.pid == Some(process.pid) && programs::matches_class(program, &window.class)
            });
            if !by_class && !programs::is_program(program, &app.name, process.pid) {
                continue;
            }
            let responding: Vec<App> =
                Some(app.clone()).filter(|app| app.responding).into_iter().collect();
            let windows = match responding.is_empty() {
                true => Vec::new(),
                false => self.described_windows(&responding, deadline)?.0,
            };
            // One process may be several applications, as that of LibreOffice is.
            let is_of_it = |described: &Described| {
                let class = described.shown.as_ref().map(|shown| &shown.class);
                program.class.is_none()
                    || !by_class
                    || class.is_some_and(|class| programs::matches_class(program, class))
            };
            let count = windows.len();
            let windows = windows.into_iter().filter(is_of_it).map(|described| described.window);
            let windows: Vec<Window> = windows.collect();
            let is_whole = windows.len() == count;
            let is_as_asked = is_as_asked(program, start, process.pid, by_class);
            found.push(Instance { app, process, windows, is_as_asked, is_whole });
        }
        let (unread, _) = self.list_windows(&[], deadline)?;
        for window in unread {
            let Some(process) = window.app.process else { continue };
            let by_class = programs::matches_class(program, &window.app.aliases);
            let is_it = by_class || programs::is_program(program, &window.app.name, process.pid);
            match found.iter_mut().find(|instance| instance.process == process) {
                Some(instance) => instance.windows.push(window),
                None if is_it => found.push(Instance {
                    app: window.app.clone(),
                    process,
                    is_as_asked: is_as_asked(program, start, process.pid, by_class),
                    is_whole: true,
                    windows: vec![window],
                }),
                None => {}
            }
        }
        let own = rustix::process::geteuid().as_raw();
        found.retain(|instance| proc::owner(instance.process.pid) == Some(own));
        Ok(found)
    }

    fn start(
        &self,
        program: &Program,
        start: &Start,
        output: File,
        deadline: Deadline,
    ) -> Result<Box<dyn Started + '_>, Error> {
        let about = |failure: Failure| failure.about("the desktop", deadline);
        let before = self.shown(deadline).map_err(about)?;
        let accessible = match &before {
            Some(shown) if !shown.windows.is_empty() => Vec::new(),
            _ => self.every_window(deadline).map_err(about)?,
        };
        let child = programs::spawn(program, start, output, &self.environment, deadline)?;
        Ok(Box::new(Launched {
            desktop: self.anew(),
            program: program.clone(),
            child,
            before: before
                .iter()
                .flat_map(|shown| &shown.windows)
                .map(|window| window.xid)
                .collect(),
            accessible: accessible.into_iter().map(|window| window.id).collect(),
            seen: HashMap::new(),
            gone: None,
            watched: None,
            given_back: 0,
            focused: before.and_then(|shown| shown.active).filter(|_| !start.activate),
        }))
    }

    fn running(&self, name: &str, deadline: Deadline) -> Result<Vec<Instance>, Failure> {
        self.running_as(name, deadline)
    }

    fn protection(
        &self,
        name: &str,
        process: Option<Process>,
        deadline: Deadline,
    ) -> Option<&'static str> {
        self.protects(name, process, deadline)
    }

    fn close(&self, window: Handle, deadline: Deadline) -> Result<(), Failure> {
        self.close_window(window, deadline)
    }

    fn end(&self, process: Process, urge: Urge) -> Result<(), Failure> {
        endings::end(process, urge)
    }

    fn lives(&self, process: Process) -> bool {
        proc::start_time(process.pid) == Some(process.started)
    }
}

impl Linux {
    /// The same desktop, over connections that are yet to be made.
    fn anew(&self) -> Self {
        Self::new(self.environment.clone(), self.program.clone())
    }

    fn every_window(&self, deadline: Deadline) -> Result<Vec<Window>, Failure> {
        let apps = self.list_apps(deadline)?;
        if apps.is_empty() {
            return Ok(Vec::new());
        }
        self.list_windows(&apps, deadline).map(|(windows, _)| windows)
    }
}

fn is_as_asked(program: &Program, start: &Start, pid: u32, by_class: bool) -> bool {
    // Where its windows do not tell what it is, its arguments do: one program may be several
    // applications by what it is given.
    let fixed = program.command.get(1..).unwrap_or_default();
    let fixed = if by_class { Vec::new() } else { fixed.to_vec() };
    let whole = Start { arguments: [&fixed[..], &start.arguments].concat(), ..start.clone() };
    programs::is_as_asked(&whole, pid)
}

/// A program that was started on a desktop.
struct Launched {
    /// A desktop of its own, whose connections are made anew after one has missed an answer.
    desktop: Linux,
    program: Program,
    child: programs::Child,
    /// The windows of the X server from before.
    before: HashSet<u32>,
    /// The ids of accessible windows from before, where no X server tells of windows.
    accessible: HashSet<String>,
    /// When each new window was first seen.
    seen: HashMap<u32, Instant>,
    /// Since when no process of it was found.
    gone: Option<Instant>,
    /// The window that has the focus and is to keep it.
    focused: Option<u32>,
    /// Since when it is watched who has it.
    watched: Option<Instant>,
    given_back: u32,
}

impl Started for Launched {
    fn process(&self) -> Process {
        self.child.process()
    }

    fn look(&mut self, deadline: Deadline) -> Result<Progress, Failure> {
        let looked = self.look_once(deadline);
        if looked.is_err() {
            self.desktop = self.desktop.anew();
        }
        looked
    }
}

impl Launched {
    fn look_once(&mut self, deadline: Deadline) -> Result<Progress, Failure> {
        // Asked first: what it did before it ended shows afterwards.
        let ended = self.child.ended();
        let window = match self.desktop.shown(deadline)? {
            Some(shown) if !shown.windows.is_empty() => self.new_window(shown, ended, deadline)?,
            _ => self.new_accessible(ended, deadline)?,
        };
        if let Some(window) = window {
            return Ok(Progress::Shows(Box::new(window)));
        }
        let Some(ending) = ended.filter(|_| self.seen.is_empty() && !self.child.family.lives())
        else {
            self.gone = None;
            return Ok(Progress::Runs);
        };
        let since = *self.gone.get_or_insert_with(Instant::now);
        Ok(if since.elapsed() < CHANGING { Progress::Runs } else { Progress::Ended(ending) })
    }
}

impl Launched {
    /// A window that has come, be it wholly there or not: once it can be read, or will not be.
    fn new_window(
        &mut self,
        shown: Shown,
        ended: Option<Ending>,
        deadline: Deadline,
    ) -> Result<Option<Window>, Failure> {
        let Some(display) = self.desktop.x11(deadline)? else { return Ok(None) };
        let mut new = Vec::new();
        for window in &shown.windows {
            if window.visible
                && !self.before.contains(&window.xid)
                && self.is_of_it(window.pid, &window.class, ended)
                && !display.is_splash(window.xid, deadline)?
            {
                new.push(window.clone());
            }
        }
        self.seen.retain(|xid, _| new.iter().any(|window| window.xid == *xid));
        // Of several, the one in which there is most to be done.
        let area =
            |window: &x11::Window| i64::from(window.inner.width) * i64::from(window.inner.height);
        let Some(window) = new.into_iter().max_by_key(area) else { return Ok(None) };
        let since = *self.seen.entry(window.xid).or_insert_with(Instant::now);
        if self.may_take_focus(&shown, deadline)? {
            return Ok(None);
        }
        let mut apps = self.desktop.list_apps(deadline)?;
        apps.retain(|app| {
            app.responding && app.process.is_some_and(|process| Some(process.pid) == window.pid)
        });
        let described = match apps.is_empty() {
            true => Vec::new(),
            false => self.desktop.described_windows(&apps, deadline)?.0,
        };
        let is_it = |one: &Described| one.shown.as_ref().is_some_and(|x| x.xid == window.xid);
        if let Some(found) = described.into_iter().find(is_it) {
            return Ok(Some(found.window));
        }
        let here = self.desktop.here(deadline.within(SHARE));
        let may_come = window.pid.is_some_and(|pid| absence::may_publish(pid, &here));
        if may_come && since.elapsed() < PUBLISHING {
            return Ok(None);
        }
        let why = absence::why(window.pid, &here);
        Ok(Some(inaccessible(&window, shown.active == Some(window.xid), why)))
    }

    /// Gives the focus back if the window took it from another by coming: openbox 3.6.1 grants it
    /// whatever it is asked. Nobody can have chosen the window so soon after it came; whoever
    /// chooses it later keeps it. Tells whether it is still to be seen who has it.
    fn may_take_focus(&mut self, shown: &Shown, deadline: Deadline) -> Result<bool, Failure> {
        let Some(display) = self.desktop.x11(deadline)? else { return Ok(false) };
        let since = *self.watched.get_or_insert_with(Instant::now);
        if since.elapsed() > TAKING_FOCUS {
            self.focused = None;
        }
        let is_earlier = |window: &&x11::Window| Some(window.xid) == self.focused && window.visible;
        let Some(earlier) = shown.windows.iter().find(is_earlier) else { return Ok(false) };
        if shown
            .active
            .is_some_and(|active| active != earlier.xid && self.seen.contains_key(&active))
        {
            display.arrange(earlier, Arrangement::Focus, deadline)?;
            self.watched = None;
            self.given_back += 1;
            if self.given_back == GIVEN_BACK {
                self.focused = None;
            }
        }
        Ok(true)
    }

    /// The same where only the accessibility bus tells of windows.
    fn new_accessible(
        &self,
        ended: Option<Ending>,
        deadline: Deadline,
    ) -> Result<Option<Window>, Failure> {
        let windows = self.desktop.every_window(deadline)?;
        let is_new = |window: &Window| {
            let pid = window.app.process.map(|process| process.pid);
            let name = std::slice::from_ref(&window.app.name);
            window.visible
                && !self.accessible.contains(&window.id)
                && self.is_of_it(pid, name, ended)
        };
        Ok(windows.into_iter().find(is_new))
    }

    fn is_of_it(&self, pid: Option<u32>, class: &[String], ended: Option<Ending>) -> bool {
        let is_its_kind = || programs::matches_class(&self.program, class);
        match pid {
            Some(pid) if self.child.family.has(pid) => true,
            // It may have handed over to another process, and then ends well.
            Some(_) => ended == Some(Ending::Status(0)) && is_its_kind(),
            None => is_its_kind(),
        }
    }
}
