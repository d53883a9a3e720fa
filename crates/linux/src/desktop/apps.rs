//! Applications: who is on the accessibility bus, and who answers.

use std::time::{Duration, Instant};

use agent_desktop_engine::platform::{App, AppId, Deadline, Failure, Process, Why};
use agent_desktop_model::text::{cut, quoted};

use super::{Linux, absence};
use crate::{
    atspi::{
        calls,
        dialect::{self, Said},
    },
    bus::{Answer, Call, CallError},
    proc,
};

/// What an application gets for the simplest questions. One that is stopped or busy for longer
/// counts as not responding, and must not keep the others from being listed.
pub(super) const SHARE: Duration = Duration::from_millis(300);

/// How long a list of applications may be used for another question of the same command.
const A_MOMENT: Duration = Duration::from_millis(500);

/// How many questions [`about`] asks.
pub(super) const QUESTIONS: usize = 4;

impl Linux {
    pub(super) fn list_apps(&self, deadline: Deadline) -> Result<Vec<App>, Failure> {
        let bus = self.bus(deadline)?;
        let reply = bus
            .call(calls::children(&calls::registry()), deadline)
            .map_err(|error| self.without_registry(error, deadline))?;
        let ids = calls::references(&reply, &"".into()).unwrap_or_default();
        if ids.is_empty() {
            self.orphaned(deadline)?;
        }
        let mut ids: Vec<AppId> = ids.into_iter().map(|root| root.app).collect();
        ids.dedup();
        // The bus itself knows whose process each is. One that is stopped answers nothing, so
        // that nobody has to wait to see it.
        let processes = ids.iter().map(|id| calls::process_of(id)).collect();
        let processes = bus.call_many(processes, deadline.within(SHARE));
        let runs: Vec<bool> =
            processes.iter().map(|pid| !process(pid).is_some_and(is_stopped)).collect();
        let asked = ids.iter().zip(&runs).filter(|(_, runs)| **runs).map(|(id, _)| id);
        let answers = bus.call_many(asked.flat_map(own_words).collect(), deadline.within(SHARE));
        let mut answers = answers.into_iter();
        let mut apps = Vec::with_capacity(ids.len());
        for ((id, pid), runs) in ids.into_iter().zip(processes).zip(runs) {
            let mut next = || {
                let answer = if runs { answers.next() } else { None };
                answer.unwrap_or(Err(CallError::Unanswered))
            };
            apps.extend(self.app_of(id, &[next(), next(), next(), pid]));
        }
        self.name_silent(&mut apps, deadline);
        *self.listed.borrow_mut() = Some((Instant::now(), apps.clone()));
        Ok(apps)
    }

    /// The applications, as they were listed a moment ago, by the same command, if they were; and
    /// listed anew if none of those has one of these processes.
    pub(super) fn apps_with(
        &self,
        pids: impl IntoIterator<Item = u32>,
        deadline: Deadline,
    ) -> Result<Vec<App>, Failure> {
        let listed = self.listed.borrow().clone().filter(|(at, _)| at.elapsed() < A_MOMENT);
        let Some((_, apps)) = listed else { return self.list_apps(deadline) };
        let has = |pid: u32| apps.iter().any(|app| app.process.is_some_and(|it| it.pid == pid));
        if pids.into_iter().all(has) { Ok(apps) } else { self.list_apps(deadline) }
    }

    pub(super) fn find_app(&self, id: &AppId, deadline: Deadline) -> Result<App, Failure> {
        let bus = self.bus(deadline)?;
        let answers = bus.call_many(about(id).into(), deadline.within(SHARE));
        match self.app_of(id.clone(), &answers) {
            Some(app) if !app.responding && !is_fair(deadline) => Err(Failure::Timeout),
            app => app.ok_or(Failure::Gone),
        }
    }

    /// Fails if there are no applications because those that run were on an accessibility bus that
    /// has ended: asking for the bus then brings up another, empty one.
    fn orphaned(&self, deadline: Deadline) -> Result<(), Failure> {
        let Some(shown) = self.shown(deadline.within(deadline.remaining() / 2)).ok().flatten()
        else {
            return Ok(());
        };
        let mut pids: Vec<u32> = shown.windows.iter().filter_map(|window| window.pid).collect();
        if pids.is_empty() {
            return Ok(());
        }
        pids.sort_unstable();
        pids.dedup();
        let here = self.here(deadline.within(SHARE));
        pids.retain(|pid| absence::lost_its_bus(*pid, &here));
        let names = pids
            .iter()
            .filter_map(|pid| Some(format!("{} (pid {pid})", quoted(&proc::name(*pid)?))));
        let names: Vec<String> = names.collect();
        if names.is_empty() {
            return Ok(());
        }
        Err(Failure::NoDesktop {
            cause: format!(
                "the accessibility bus has died; the present one was started later, and what runs \
                 is not on it: {}",
                names.join(", ")
            ),
            remedy: "Restart these applications: they do not move to a new bus. A private desktop \
                     is stopped and started again."
                .to_owned(),
        })
    }

    /// Why the registry, which lists the applications, did not.
    fn without_registry(&self, error: CallError, deadline: Deadline) -> Failure {
        match error {
            CallError::Unanswered => {
                let registry = calls::registry().app;
                self.silence(&registry, "the accessibility registry".to_owned(), None, deadline)
            }
            // It takes events from the X server and ends with it.
            CallError::Gone => self.x11(deadline).err().unwrap_or_else(|| Failure::NoDesktop {
                cause: "the accessibility bus has no registry: at-spi2-registryd does not run and \
                        could not be started"
                    .to_owned(),
                remedy: "Install the package at-spi2-core and start the session anew, or start a \
                         private desktop with `agent-desktop sandbox start` and pass --sandbox."
                    .to_owned(),
            }),
            error => Failure::System(format!("the accessibility registry: {error:?}")),
        }
    }

    /// The application that gave `answers` to the questions [`about`] it; none if it is gone.
    pub(super) fn app_of(&self, id: AppId, answers: &[Answer]) -> Option<App> {
        let [name, toolkit, version, pid] = answers else { return None };
        if [name, pid].iter().any(|answer| matches!(answer, Err(CallError::Gone))) {
            return None;
        }
        let process =
            process(pid).and_then(|pid| Some(Process { pid, started: proc::start_time(pid)? }));
        let text = |answer: &Answer| answer.as_ref().ok().and_then(|reply| reply.text());
        let toolkit = text(toolkit).filter(|toolkit| !toolkit.is_empty());
        let toolkit = toolkit.map(|toolkit| cut(&toolkit).0.to_owned());
        let version = text(version);
        self.learn(&id, answers);
        let responding = !matches!(name, Err(CallError::Unanswered));
        let name = text(name)
            .filter(|name| !name.is_empty())
            .map(|name| cut(&name).0.to_owned())
            .or_else(|| proc::name(process?.pid))
            .unwrap_or_else(|| id.to_string());
        let toolkit = toolkit.map(|toolkit| match version {
            Some(version) => format!("{toolkit} {}", cut(&version).0),
            None => toolkit,
        });
        let silence = if responding { None } else { self.cause_of_silence(process) };
        let app = App { id, name, aliases: Vec::new(), process, toolkit, responding, silence };
        if responding {
            self.met.borrow_mut().insert(app.id.clone(), app.clone());
        }
        Some(app)
    }
}

impl Linux {
    /// Why the application `id` did not answer by `deadline`. It hangs only if it had the time in
    /// which one that is alive answers, and if it does not answer now either: much of the time may
    /// have gone by before it was asked.
    pub(super) fn silence(
        &self,
        id: &AppId,
        app: String,
        process: Option<Process>,
        deadline: Deadline,
    ) -> Failure {
        if !is_fair(deadline) {
            return Failure::Timeout;
        }
        let why = self.cause_of_silence(process);
        match why.is_none() && self.answers(id) {
            true => Failure::Timeout,
            false => Failure::Unresponsive { app, why },
        }
    }

    /// Whether an application answers the simplest question, whatever time it is.
    fn answers(&self, id: &AppId) -> bool {
        let limit = Deadline::after(super::PROBE);
        let Ok(bus) = self.bus(limit) else { return false };
        bus.call(calls::role(&calls::root(id)), limit).is_ok()
    }

    /// What the system knows of a process that does not answer.
    fn cause_of_silence(&self, process: Option<Process>) -> Option<Why> {
        let pid = process?.pid;
        let because = |cause: String, remedy: String| Some(Why { cause, remedy });
        match proc::state(pid)? {
            'T' => because(
                format!("its process (pid {pid}) is stopped"),
                format!("Continue it with `kill -CONT {pid}`, then repeat the command."),
            ),
            't' => because(
                format!("a debugger holds its process (pid {pid})"),
                "Let it run on in the debugger, then repeat the command.".to_owned(),
            ),
            'D' => because(
                format!("its process (pid {pid}) waits for a disk or the network"),
                "Wait until that answers, then repeat the command.".to_owned(),
            ),
            // A toolkit that draws waits for its display server.
            _ => match self.x11.get() {
                Some(Err(Failure::NoDesktop { cause, remedy })) => {
                    because(cause.clone(), remedy.clone())
                }
                _ => None,
            },
        }
    }

    /// Takes down how an application is read, from its answers to the questions [`about`] it, and
    /// says whether there were answers: one that says nothing is not of no toolkit.
    pub(super) fn learn(&self, id: &AppId, answers: &[Answer]) -> bool {
        if self.dialects.borrow().contains_key(id) {
            return true;
        }
        if answers.iter().any(|answer| matches!(answer, Err(CallError::Unanswered))) {
            return false;
        }
        let [name, toolkit, version, pid] = answers else { return false };
        let text = |answer: &Answer| answer.as_ref().ok().and_then(|reply| reply.text());
        let toolkit = text(toolkit).unwrap_or_default();
        let (name, version) = (text(name), text(version).unwrap_or_default());
        let pid = process(pid);
        let program = pid.and_then(proc::name);
        let widgets_only = &*toolkit == "Qt"
            && pid
                .and_then(proc::mapped_files)
                .is_some_and(|files| dialect::shows_only_widgets(&files));
        let said = Said {
            toolkit: &toolkit,
            version: &version,
            name: name.as_deref(),
            program: program.as_deref(),
            widgets_only,
        };
        if let Some(dialect) = dialect::decide(&said) {
            self.dialects.borrow_mut().insert(id.clone(), dialect);
        }
        true
    }
}

/// The number of the process in the bus's answer.
fn process(answer: &Answer) -> Option<u32> {
    answer.as_ref().ok()?.decode()
}

/// Whether so much was granted that who does not answer is to blame for it.
pub(super) fn is_fair(deadline: Deadline) -> bool {
    Duration::from_millis(deadline.limit_ms()) >= SHARE
}

/// The questions that describe an application.
pub(super) fn about(id: &AppId) -> [Call; QUESTIONS] {
    let [name, toolkit, version] = own_words(id);
    [name, toolkit, version, calls::process_of(id)]
}

/// Those of them that it answers itself.
fn own_words(id: &AppId) -> [Call; QUESTIONS - 1] {
    let [toolkit, version] = calls::toolkit(id);
    [calls::name(&calls::root(id)), toolkit, version]
}

fn is_stopped(pid: u32) -> bool {
    matches!(proc::state(pid), Some('T' | 't'))
}
