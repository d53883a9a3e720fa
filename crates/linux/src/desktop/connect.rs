//! Finding and connecting the buses of a desktop. Nothing is started or changed, except that
//! asking the session bus for the accessibility bus brings that one up if it is not there yet.

use std::collections::HashMap;

use agent_desktop_engine::platform::{Deadline, DesktopId, Failure};
use agent_desktop_model::tree::Address;

use super::{apps::is_fair, unreachable};
use crate::{
    atspi::calls,
    bus::{Answer, Args, Bus, CallError, ConnectError},
    environment::Environment,
};

/// The accessibility bus of a desktop.
#[derive(Debug)]
pub(super) struct Accessibility {
    pub(super) bus: Bus,
    /// Where it is, for further connections.
    pub(super) address: String,
    pub(super) desktop: DesktopId,
}

/// Connects the accessibility bus that the session bus names, or else the one in the environment.
pub(super) fn accessibility(
    environment: &Environment,
    deadline: Deadline,
) -> Result<Accessibility, Failure> {
    if environment.display.is_none() && environment.wayland_display.is_none() {
        return Err(no_desktop("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned()));
    }
    let told = match &environment.session_bus {
        Some(session) => ask(session, deadline),
        None => Err(no_desktop(
            "there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set and XDG_RUNTIME_DIR \
             holds no bus"
                .to_owned(),
        )),
    };
    let (address, desktop) = match (told, &environment.a11y_bus) {
        (Ok((address, desktop)), _) => (address, Some(desktop)),
        (Err(_), Some(given)) => (given.clone(), None),
        (Err(failure), None) => return Err(failure),
    };
    let bus = connect(&address, "accessibility bus", deadline).map_err(|failure| {
        let session = environment.session_bus.as_deref();
        let lost = session.and_then(|session| unreachable::lost(&address, session, deadline));
        lost.unwrap_or(failure)
    })?;
    let desktop = desktop.unwrap_or_else(|| DesktopId(bus.guid()));
    Ok(Accessibility { bus, address, desktop })
}

/// The names that processes own on the session bus, as far as it tells in time.
pub(super) fn owners(session: &str, deadline: Deadline) -> HashMap<u32, Vec<String>> {
    let mut owners: HashMap<u32, Vec<String>> = HashMap::new();
    let Ok(bus) = Bus::connect(session, deadline) else { return owners };
    let names = bus.call(calls::daemon("ListNames", Args::None), deadline);
    let names = names.ok().and_then(|reply| reply.decode::<Vec<String>>()).unwrap_or_default();
    let names: Vec<String> = names.into_iter().filter(|name| !name.starts_with(':')).collect();
    let questions = names.iter().map(|name| calls::process_of(name)).collect();
    for (name, answer) in names.into_iter().zip(bus.call_many(questions, deadline)) {
        if let Some(pid) = answer.ok().and_then(|reply| reply.decode()) {
            owners.entry(pid).or_default().push(name);
        }
    }
    owners
}

/// The processes of the session bus at `session` and of its accessibility bus's keeper.
pub(super) fn processes_of(session: &str, deadline: Deadline) -> Vec<u32> {
    let Ok(bus) = Bus::connect(session, deadline) else { return Vec::new() };
    let names = ["org.freedesktop.DBus", "org.a11y.Bus"];
    let answers = bus.call_many(names.map(calls::process_of).into(), deadline);
    answers.into_iter().filter_map(|answer| answer.ok()?.decode()).collect()
}

/// What the session says of its accessibility, as far as it tells in time.
#[derive(Clone, Debug, Default)]
pub(super) struct Status {
    /// Where the accessibility bus listens.
    pub(super) address: Option<String>,
    /// The process that keeps the accessibility bus.
    pub(super) launcher: Option<u32>,
    /// Whether assistive technology is announced.
    pub(super) enabled: Option<bool>,
    /// Whether a screen reader is.
    pub(super) screen_reader: Option<bool>,
}

/// Asks the session bus at `session` how accessibility is. Nothing is started by it, since the
/// accessibility bus was asked for before.
pub(super) fn status(session: &str, deadline: Deadline) -> Status {
    let Ok(bus) = Bus::connect(session, deadline) else { return Status::default() };
    let launcher = Address { app: "org.a11y.Bus".into(), object: "/org/a11y/bus".into() };
    let switch = |name| calls::property(&launcher, "org.a11y.Status", name);
    let questions = vec![
        calls::method(&launcher, "org.a11y.Bus", "GetAddress", Args::None),
        calls::process_of("org.a11y.Bus"),
        switch("IsEnabled"),
        switch("ScreenReaderEnabled"),
    ];
    let answers = bus.call_many(questions, deadline);
    let [address, launcher, enabled, screen_reader] = &answers[..] else {
        return Status::default();
    };
    let on = |answer: &Answer| answer.as_ref().ok()?.switch();
    Status {
        address: address.as_ref().ok().and_then(|reply| reply.decode()),
        launcher: launcher.as_ref().ok().and_then(|reply| reply.decode()),
        enabled: on(enabled),
        screen_reader: on(screen_reader),
    }
}

/// What a person can do about a failure to connect.
pub(super) fn remedy(failure: Failure) -> String {
    match failure {
        Failure::NoDesktop { cause, remedy } => format!("{cause}. {remedy}"),
        other => format!("{other:?}"),
    }
}

/// Asks the session bus where the accessibility bus is, and which desktop this is.
fn ask(session: &str, deadline: Deadline) -> Result<(String, DesktopId), Failure> {
    let bus = connect(session, "session bus", deadline)?;
    let launcher = Address { app: "org.a11y.Bus".into(), object: "/org/a11y/bus".into() };
    let question = calls::method(&launcher, "org.a11y.Bus", "GetAddress", Args::None);
    // If it is not answered, there is still time to ask who should have.
    let patience = deadline.within(deadline.remaining().mul_f32(0.9));
    match bus.call(question, patience).map(|reply| reply.decode::<String>()) {
        Ok(Some(address)) if !address.is_empty() => Ok((address, DesktopId(bus.guid()))),
        Ok(_) => Err(no_desktop("the session has no accessibility bus".to_owned())),
        Err(CallError::Unanswered) if !is_fair(deadline) => Err(Failure::Timeout),
        Err(CallError::Unanswered) => {
            let waited = deadline.limit_ms();
            Err(unreachable::silent(&bus, waited, deadline).unwrap_or_else(|| {
                no_desktop(format!("the accessibility bus was not named within {waited} ms"))
            }))
        }
        Err(CallError::Gone | CallError::Absent) => Err(Failure::NoDesktop {
            cause: "the session has no accessibility bus: nothing offers org.a11y.Bus".to_owned(),
            remedy: "Install the package at-spi2-core, or start a private desktop with \
                     `agent-desktop sandbox start` and pass --sandbox."
                .to_owned(),
        }),
        Err(CallError::Refused(words)) => {
            Err(no_desktop(format!("the accessibility bus could not be started: {words}")))
        }
    }
}

fn connect(address: &str, what: &str, deadline: Deadline) -> Result<Bus, Failure> {
    Bus::connect(address, deadline).map_err(|error| match error {
        ConnectError::Timeout if !is_fair(deadline) => Failure::Timeout,
        ConnectError::Timeout => {
            no_desktop(format!("the {what} does not answer within {} ms", deadline.limit_ms()))
        }
        ConnectError::Refused(words) => unreachable::refused(what, address, &words),
    })
}

pub(super) fn no_desktop(cause: String) -> Failure {
    Failure::NoDesktop {
        cause,
        remedy: "Run inside a graphical session, or start a private desktop with \
                 `agent-desktop sandbox start` and pass --sandbox."
            .to_owned(),
    }
}
