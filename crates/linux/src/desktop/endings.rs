//! What runs under a name, and ending it: who must not be ended, and how the others are.

use agent_desktop_engine::platform::{
    Deadline, Failure, Handle, Instance, Process, Programs, Start, Urge,
};
use agent_desktop_model::text::fold;
use rustix::{
    io::Errno,
    process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal},
};

use super::{Linux, apps::SHARE, connect, windows};
use crate::{atspi::calls, proc, programs, x11};

impl Linux {
    /// The applications that go by `name`: what `list-apps` or `list-windows` calls so, whose
    /// windows are of that class or whose process has that name, else what an installed program of
    /// that name has become.
    pub(super) fn running_as(
        &self,
        name: &str,
        deadline: Deadline,
    ) -> Result<Vec<Instance>, Failure> {
        let wanted = fold(name);
        let shown = self.shown(deadline)?;
        let shown = shown.as_ref().map_or(&[][..], |shown| &shown.windows);
        let is_of_class = |window: &x11::Window| window.class.iter().any(|one| fold(one) == wanted);
        let has_class =
            |pid: u32| shown.iter().any(|window| window.pid == Some(pid) && is_of_class(window));
        let is_process = |pid: u32| proc::name(pid).is_some_and(|own| own == name);
        let mut found: Vec<Instance> = Vec::new();
        for app in self.list_apps(deadline)? {
            let Some(process) = app.process else { continue };
            let is_named = app.is_called(&wanted) || is_process(process.pid);
            let is_it = is_named || has_class(process.pid);
            if !is_it || found.iter().any(|other| other.process == process) {
                continue;
            }
            let (mut windows, _) = self.list_windows(std::slice::from_ref(&app), deadline)?;
            let count = windows.len();
            // One process may be several applications, as that of LibreOffice is.
            windows.retain(|window| {
                let known = shown.iter().find(|one| Some(windows::handle(one)) == window.handle);
                is_named || known.is_some_and(is_of_class)
            });
            let is_whole = windows.len() == count;
            found.push(Instance { app, process, windows, is_as_asked: true, is_whole });
        }
        let (unread, _) = self.list_windows(&[], deadline)?;
        for window in unread {
            let Some(process) = window.app.process else { continue };
            let is_it = window.app.is_called(&wanted) || is_process(process.pid);
            match found.iter_mut().find(|instance| instance.process == process) {
                Some(instance) => instance.windows.push(window),
                None if is_it => found.push(Instance {
                    app: window.app.clone(),
                    process,
                    windows: vec![window],
                    is_as_asked: true,
                    is_whole: true,
                }),
                None => {}
            }
        }
        if !found.is_empty() {
            return Ok(found);
        }
        // What cannot be started may run all the same, but not under that name.
        let installed = programs::named(name, &self.environment).unwrap_or_default();
        for program in &installed {
            found.extend(self.instances(program, &Start::default(), deadline)?);
        }
        found.sort_by_key(|instance| instance.process.pid);
        found.dedup_by_key(|instance| instance.process.pid);
        Ok(found)
    }

    /// What the process is, if nobody may end it.
    pub(super) fn protects(
        &self,
        name: &str,
        process: Option<Process>,
        deadline: Deadline,
    ) -> Option<&'static str> {
        let Some(Process { pid, .. }) = process else { return programs::part_of_session(name) };
        let by_name = || programs::part_of_session(&proc::name(pid)?);
        let by_user = || {
            let own = rustix::process::geteuid().as_raw();
            let owner = proc::owner(pid)?;
            (owner != own).then_some("a process of another user")
        };
        let of_ours = || {
            let mut line =
                std::iter::successors(Some(std::process::id()), |pid| proc::parent(*pid));
            let holds = line.by_ref().take(GENERATIONS).any(|one| one == pid);
            holds.then_some("this command itself, or what it was started from")
        };
        let of_buses = || {
            let owners = self.bus_processes(deadline.within(SHARE));
            owners.contains(&pid).then_some("a part of the session's buses")
        };
        (pid <= 1)
            .then_some("the first process of the system")
            .or_else(by_user)
            .or_else(of_ours)
            .or_else(by_name)
            .or_else(of_buses)
    }

    /// The processes by which the buses live.
    fn bus_processes(&self, deadline: Deadline) -> Vec<u32> {
        let mut pids = Vec::new();
        let questions = |names: &[&str]| names.iter().map(|name| calls::process_of(name)).collect();
        if let Ok(bus) = self.bus(deadline) {
            let answers = bus.call_many(
                questions(&["org.freedesktop.DBus", "org.a11y.atspi.Registry"]),
                deadline,
            );
            pids.extend(answers.into_iter().filter_map(|answer| answer.ok()?.decode::<u32>()));
        }
        if let Some(session) = &self.environment.session_bus {
            pids.extend(connect::processes_of(session, deadline));
        }
        pids
    }

    pub(super) fn close_window(&self, window: Handle, deadline: Deadline) -> Result<(), Failure> {
        let (display, found) = self.window_of(window, deadline)?;
        self.told_by_x11(display.close(found.xid, deadline), deadline)
    }
}

/// How far the line of a process's parents is followed.
const GENERATIONS: usize = 256;

/// Sends the signal to that process and to no later one of its number.
pub(super) fn end(process: Process, urge: Urge) -> Result<(), Failure> {
    let signal = match urge {
        Urge::Ask => Signal::TERM,
        Urge::Kill => Signal::KILL,
    };
    let failed = |error: Errno| match error {
        Errno::SRCH => Ok(()),
        Errno::PERM => Err(Failure::Denied {
            cause: format!("the system does not let the process {} be ended", process.pid),
            remedy: "Run this command as the user whose process it is.".to_owned(),
        }),
        error => Err(Failure::System(error.to_string())),
    };
    let pid = i32::try_from(process.pid).ok().and_then(Pid::from_raw);
    let Some(pid) = pid else { return Ok(()) };
    let handle = match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(handle) => handle,
        Err(error) => return failed(error),
    };
    // What is held now is what had the number then, or has started since.
    if proc::start_time(process.pid) != Some(process.started) {
        return Ok(());
    }
    pidfd_send_signal(&handle, signal).or_else(failed)
}
