//! Programs of a scripted desktop: what is installed, and what comes of starting it.

use std::fs::File;

use agent_desktop_engine::platform::{
    Deadline, Ending, Failure, Handle, Instance, Process, Program, Programs, Progress, Start,
    Started, Urge,
};
use agent_desktop_model::{error::Error, text::fold};

use crate::{Desktop, edit::Edit};

/// What a program does when it is started.
#[derive(Clone, Debug, Default)]
pub struct Installed {
    pub program: Option<Program>,
    /// What happens to the desktop when it is started.
    pub does: Vec<Edit>,
    /// After how many looks it ends, and how; never if it does not.
    pub ends: Option<(usize, Ending)>,
    /// How often it was started.
    pub starts: usize,
}

/// What applications do when they are asked to close a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Closing {
    /// They end.
    #[default]
    Ends,
    /// This happens instead.
    Asks(Vec<Edit>),
    Ignores,
}

impl Desktop {
    /// Sets what applications do when they are asked to close.
    pub fn closing(&self, closing: Closing) {
        self.world_mut().closing = closing;
    }

    /// Installs `program`: started, it does `edits` and ends as said.
    pub fn install(&self, program: Program, does: Vec<Edit>, ends: Option<(usize, Ending)>) {
        let installed = Installed { program: Some(program), does, ends, starts: 0 };
        self.world_mut().installed.push(installed);
    }

    /// How often the program with this id was started.
    pub fn starts(&self, id: &str) -> usize {
        let world = self.world();
        let is_it = |one: &&Installed| one.program.as_ref().is_some_and(|program| program.id == id);
        world.installed.iter().find(is_it).map_or(0, |one| one.starts)
    }
}

/// Its windows are those of the application that has its name.
struct Launch<'a> {
    desktop: &'a Desktop,
    name: String,
    before: Vec<String>,
    ends: Option<(usize, Ending)>,
}

impl Programs for Desktop {
    fn named(&self, name: &str) -> Result<Vec<Program>, Error> {
        let world = self.world();
        let all: Vec<&Program> =
            world.installed.iter().filter_map(|one| one.program.as_ref()).collect();
        let by_id: Vec<Program> = all
            .iter()
            .filter(|program| program.id == name)
            .map(|program| (*program).clone())
            .collect();
        if !by_id.is_empty() {
            return Ok(by_id);
        }
        let named = all.into_iter().filter(|program| fold(&program.name) == fold(name));
        Ok(named.cloned().collect())
    }

    fn names(&self) -> Vec<String> {
        let world = self.world();
        world.installed.iter().filter_map(|one| Some(one.program.as_ref()?.name.clone())).collect()
    }

    fn instances(
        &self,
        program: &Program,
        start: &Start,
        deadline: Deadline,
    ) -> Result<Vec<Instance>, Failure> {
        use agent_desktop_engine::platform::Platform;
        let apps = self.apps(deadline)?;
        let called = apps.into_iter().filter(|app| fold(&app.name) == fold(&program.name));
        called
            .filter_map(|app| Some((app.process?, app)))
            .map(|(process, app)| {
                let (windows, _) = self.windows(std::slice::from_ref(&app), deadline)?;
                let is_as_asked = start.arguments.is_empty();
                Ok(Instance { app, process, windows, is_as_asked, is_whole: true })
            })
            .collect()
    }

    fn start(
        &self,
        program: &Program,
        start: &Start,
        _: File,
        deadline: Deadline,
    ) -> Result<Box<dyn Started + '_>, Error> {
        let windows = |one: &Instance| one.windows.iter().map(|window| window.id.clone()).collect();
        let running = self.instances(program, start, deadline).unwrap_or_default();
        let before = running.iter().flat_map::<Vec<String>, _>(windows).collect();
        let (edits, ends) = {
            let mut world = self.world_mut();
            let is_it = |one: &&mut Installed| one.program.as_ref() == Some(program);
            let found = world.installed.iter_mut().find(is_it);
            found.map_or_else(Default::default, |one| {
                one.starts += 1;
                (one.does.clone(), one.ends)
            })
        };
        for edit in &edits {
            // A scene whose edits do not fit has nothing happen.
            let _ = self.apply(edit);
        }
        Ok(Box::new(Launch { desktop: self, name: program.name.clone(), before, ends }))
    }

    fn running(&self, name: &str, deadline: Deadline) -> Result<Vec<Instance>, Failure> {
        use agent_desktop_engine::platform::Platform;
        let apps = self.apps(deadline)?;
        let called = apps.into_iter().filter(|app| app.is_called(&fold(name)));
        called
            .filter_map(|app| Some((app.process?, app)))
            .map(|(process, app)| {
                let (windows, _) = self.windows(std::slice::from_ref(&app), deadline)?;
                Ok(Instance { app, process, windows, is_as_asked: true, is_whole: true })
            })
            .collect()
    }

    fn protection(&self, name: &str, _: Option<Process>, _: Deadline) -> Option<&'static str> {
        (name == "window-manager").then_some("the window manager")
    }

    fn close(&self, window: Handle, _: Deadline) -> Result<(), Failure> {
        let app = {
            let world = self.world();
            let windows = world.apps.iter().flat_map(|app| &app.windows).copied();
            let key =
                windows.into_iter().find(|key| *key as u64 == window.0).ok_or(Failure::Gone)?;
            world.element(key).app
        };
        let answer = self.world().closing.clone();
        match answer {
            Closing::Ends => self.world_mut().end(app),
            Closing::Asks(edits) => {
                for edit in &edits {
                    // A scene whose edits do not fit has nothing happen.
                    let _ = self.apply(edit);
                }
            }
            Closing::Ignores => {}
        }
        Ok(())
    }

    fn end(&self, process: Process, urge: Urge) -> Result<(), Failure> {
        let found = self.world().apps.iter().position(|app| app.process == Some(process));
        let heeds = urge == Urge::Kill || self.world().closing == Closing::Ends;
        if let Some(app) = found.filter(|_| heeds) {
            self.world_mut().end(app);
        }
        Ok(())
    }

    fn lives(&self, process: Process) -> bool {
        let world = self.world();
        world.apps.iter().any(|app| app.process == Some(process) && !app.id.is_empty())
    }
}

impl Started for Launch<'_> {
    fn process(&self) -> Process {
        Process { pid: 4_000, started: 1 }
    }

    fn look(&mut self, deadline: Deadline) -> Result<Progress, Failure> {
        use agent_desktop_engine::platform::Platform;
        let apps = self.desktop.apps(deadline)?;
        let apps: Vec<_> =
            apps.into_iter().filter(|app| fold(&app.name) == fold(&self.name)).collect();
        let (windows, _) = self.desktop.windows(&apps, deadline)?;
        let new = windows.into_iter().find(|window| !self.before.contains(&window.id));
        if let Some(window) = new {
            return Ok(Progress::Shows(Box::new(window)));
        }
        match &mut self.ends {
            Some((0, ending)) => Ok(Progress::Ended(*ending)),
            Some((looks, _)) => {
                *looks -= 1;
                Ok(Progress::Runs)
            }
            None => Ok(Progress::Runs),
        }
    }
}
