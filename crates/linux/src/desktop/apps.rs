//! Applications: who is on the accessibility bus, and who answers.

use std::time::Duration;

use agent_desktop_engine::platform::{App, AppId, Deadline, Failure, Process};
use agent_desktop_model::tree::Address;

use super::Linux;
use crate::{
    atspi::{calls, dialect},
    bus::{Answer, Args, Call, CallError},
    proc,
};

/// What an application gets for the simplest questions. One that is stopped or busy for longer
/// counts as not responding, and must not keep the others from being listed.
pub(super) const SHARE: Duration = Duration::from_millis(300);

/// How many questions [`about`] asks.
const QUESTIONS: usize = 4;

impl Linux {
    pub(super) fn list_apps(&self, deadline: Deadline) -> Result<Vec<App>, Failure> {
        let bus = self.bus(deadline)?;
        let registry = "the accessibility registry";
        let reply =
            bus.call(calls::children(&calls::registry()), deadline).map_err(
                |error| match error {
                    CallError::Unanswered => Failure::Unresponsive { app: registry.to_owned() },
                    error => Failure::System(format!("{registry}: {error:?}")),
                },
            )?;
        let ids = calls::references(&reply, &"".into()).unwrap_or_default();
        let mut ids: Vec<AppId> = ids.into_iter().map(|root| root.app).collect();
        ids.dedup();
        let questions = ids.iter().flat_map(about).collect();
        let answers = bus.call_many(questions, deadline.within(SHARE));
        let answered = ids.into_iter().zip(answers.chunks_exact(QUESTIONS));
        Ok(answered.filter_map(|(id, answers)| self.app_of(id, answers)).collect())
    }

    pub(super) fn find_app(&self, id: &AppId, deadline: Deadline) -> Result<App, Failure> {
        let bus = self.bus(deadline)?;
        let answers = bus.call_many(about(id).into(), deadline.within(SHARE));
        match self.app_of(id.clone(), &answers) {
            Some(app) if !app.responding && !is_fair(deadline) => Err(Failure::Timeout),
            app => app.ok_or(Failure::Gone),
        }
    }

    /// The application that gave `answers` to the questions [`about`] it; none if it is gone.
    pub(super) fn app_of(&self, id: AppId, answers: &[Answer]) -> Option<App> {
        let [name, toolkit, version, pid] = answers else { return None };
        if [name, pid].iter().any(|answer| matches!(answer, Err(CallError::Gone))) {
            return None;
        }
        let process = pid
            .as_ref()
            .ok()
            .and_then(|reply| reply.decode::<u32>())
            .and_then(|pid| Some(Process { pid, started: proc::start_time(pid)? }));
        let text = |answer: &Answer| answer.as_ref().ok().and_then(|reply| reply.text());
        let version = text(version);
        let toolkit = text(toolkit).filter(|toolkit| !toolkit.is_empty());
        if let Some(toolkit) = &toolkit {
            let dialect = match text(name).as_deref() {
                // LibreOffice 7.4.7 with its GTK 3 face says that its toolkit is gtk.
                Some("soffice") => dialect::of("VCL", ""),
                _ => dialect::of(toolkit, version.as_deref().unwrap_or_default()),
            };
            self.dialects.borrow_mut().insert(id.clone(), dialect);
        }
        let responding = !matches!(name, Err(CallError::Unanswered));
        let name = text(name)
            .filter(|name| !name.is_empty())
            .map(String::from)
            .or_else(|| proc::name(process?.pid))
            .unwrap_or_else(|| id.to_string());
        let toolkit = toolkit.map(|toolkit| match version {
            Some(version) => format!("{toolkit} {version}"),
            None => toolkit.into(),
        });
        Some(App { id, name, process, toolkit, responding })
    }
}

/// Why an application that did not answer by `deadline` did not. It hangs only if it had the time
/// in which one that is alive answers.
pub(super) fn silence(app: String, deadline: Deadline) -> Failure {
    match is_fair(deadline) {
        true => Failure::Unresponsive { app },
        false => Failure::Timeout,
    }
}

fn is_fair(deadline: Deadline) -> bool {
    Duration::from_millis(deadline.limit_ms()) >= SHARE
}

/// The questions that describe an application.
pub(super) fn about(id: &AppId) -> [Call; QUESTIONS] {
    let [toolkit, version] = calls::toolkit(id);
    let daemon =
        Address { app: "org.freedesktop.DBus".into(), object: "/org/freedesktop/DBus".into() };
    let owner = Args::Text((&**id).into());
    let pid = calls::method(&daemon, "org.freedesktop.DBus", "GetConnectionUnixProcessID", owner);
    [calls::name(&calls::root(id)), toolkit, version, pid]
}
