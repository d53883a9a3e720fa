//! Private desktops: an X server without a screen, buses, a window manager and a runtime
//! directory that belong to nobody else. Programs in them never meet the user's own session.
//!
//! A desktop lives on its own; every function here looks at what is written down and at the
//! processes that there are, and trusts the processes.

mod accessibility;
mod manifest;
mod members;
mod place;
#[cfg(any(test, fuzzing))]
pub(crate) mod properties;
mod supervisor;
mod trouble;
mod variables;

use std::{
    fs::OpenOptions,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use agent_desktop_engine::platform::Deadline;
use agent_desktop_model::{
    error::{Code, Details, Error},
    wire::sandbox::{Role, Sandboxes, Size, Started, State, Stopped},
};

use crate::{
    environment::{Environment, Variables},
    helper,
};
use manifest::{Desktop, Judged, Manifest, judge};
use members::Ended;
use place::{Lock, Place, Token};
use supervisor::Report;
use trouble::Trouble;

pub use supervisor::{Plan, supervise};
pub use variables::Home;

/// The name that is meant when none is given.
pub const DEFAULT_NAME: &str = "default";

/// What follows `sandbox` in the arguments of a supervisor, before its plan.
pub const SUPERVISE: &str = "supervise";

/// What a new desktop shall be like.
#[derive(Clone, Debug)]
pub struct Options {
    pub size: Size,
    /// Program and arguments of the window manager, separated by spaces.
    pub window_manager: String,
    pub home: Home,
    /// This program: `<program> sandbox supervise PLAN` must call [`supervise`]
    /// (see [`SUPERVISE`] and [`Plan::parse`]).
    pub program: PathBuf,
}

/// Starts the desktop called `name`, or answers with the one that runs. When this fails, nothing
/// of the new desktop is left.
pub fn start(
    root: &Path,
    name: &str,
    options: &Options,
    deadline: Deadline,
) -> Result<Started, Error> {
    let place = Place::new(root, name)?;
    let lock = place.lock(deadline)?;
    if place.exists() {
        let judged = judge(&place, false);
        match (judged.state, &judged.manifest) {
            (State::Running, Some(manifest)) => return started(&place, manifest, false),
            (State::Stopped, manifest) => {
                if let Some(manifest) = manifest {
                    manifest.remove_display_files();
                }
                place.remove();
            }
            _ => return Err(unusable(&place, &judged)),
        }
    }
    let result = place
        .create()
        .and_then(|token| launch(&place, &token, &lock, options, deadline))
        .map_err(Error::from)
        .and_then(|()| {
            let manifest = Manifest::read(&place).map_err(|reason| {
                Error::new(Code::Internal, format!("the private desktop was started, but {reason}"))
            })?;
            started(&place, &manifest, true)
        });
    if result.is_err() {
        match place.token() {
            Some(token) => supervisor::tear_down(&place, &token),
            None => drop(place.remove()),
        }
        place.forget(&lock);
    }
    result
}

/// Ends every process of the desktop and removes its files.
pub fn stop(root: &Path, name: &str, deadline: Deadline) -> Result<Stopped, Error> {
    let place = Place::new(root, name)?;
    let absent =
        |place: &Place| unknown(place).suggest("`sandbox list` shows what can be stopped.");
    if !place.exists() {
        return Err(absent(&place));
    }
    let lock = place.lock(deadline)?;
    if !place.exists() {
        place.forget(&lock);
        return Err(absent(&place));
    }
    let manifest = Manifest::read(&place).ok();
    let token = place.token().or_else(|| Some(Token(manifest.as_ref()?.token.clone())));
    let mut count = Ended::default();
    if let Some(token) = token {
        members::end_all(&token, manifest.as_ref(), deadline, &mut count)
            .map_err(|pids| still_there(&place, &pids, deadline))?;
    }
    if let Some(manifest) = &manifest {
        manifest.remove_display_files();
    }
    let remaining = place.remove();
    if remaining.is_empty() {
        place.forget(&lock);
    }
    Ok(Stopped {
        ended: count.ended,
        killed: count.killed,
        name: place.name,
        remaining: remaining.iter().map(|path| path.display().to_string()).collect(),
    })
}

/// Every desktop below `root`, as it is now.
pub fn list(root: &Path) -> Result<Sandboxes, Error> {
    let sandboxes = Place::all(root)?
        .into_iter()
        // One that was stopped while the list was made is no longer there.
        .filter_map(|place| {
            let judged = judge(&place, place.is_locked());
            place.exists().then(|| judged.entry(&place))
        })
        .collect();
    Ok(Sandboxes { sandboxes })
}

/// Where the servers of the desktop called `name` are.
pub fn environment(root: &Path, name: &str) -> Result<Environment, Error> {
    let place = Place::new(root, name)?;
    let desktop = usable(&place)?;
    Ok(Environment {
        display: Some(desktop.display),
        xauthority: Some(place.file("Xauthority")),
        wayland_display: None,
        session_bus: Some(desktop.bus_address),
        runtime_dir: place.token().map(|token| token.runtime_dir()),
        a11y_bus: None,
        programs: Variables { set: desktop.env, clear: desktop.clear },
    })
}

/// The names of the desktops below `root` that can be used.
pub fn running(root: &Path) -> Vec<String> {
    let places = Place::all(root).unwrap_or_default();
    places.into_iter().filter(|place| usable(place).is_ok()).map(|place| place.name).collect()
}

/// The name of the running desktop below `root` whose session bus has this GUID.
pub fn by_desktop(root: &Path, guid: &str) -> Option<String> {
    let places = Place::all(root).ok()?;
    let place = places
        .into_iter()
        .find(|place| usable(place).is_ok_and(|desktop| desktop.bus_guid == guid))?;
    Some(place.name)
}

/// `program`, prepared to run in the desktop called `name`. It keeps the caller's variables,
/// except those that would lead out of the desktop. This process itself is marked as a member of
/// the desktop, since it is about to become that program.
pub fn command(root: &Path, name: &str, program: &std::ffi::OsStr) -> Result<Command, Error> {
    let place = Place::new(root, name)?;
    let desktop = usable(&place)?;
    if let Some(token) = place.token() {
        members::mark(&token);
    }
    let mut command = Command::new(program);
    for variable in &desktop.clear {
        command.env_remove(variable);
    }
    command.envs(&desktop.env);
    Ok(command)
}

/// Marks this process as a member of the desktop whose token it was given, if it was given one.
pub(crate) fn mark_by_environment() {
    let token = std::env::var(Token::VARIABLE).ok().filter(|token| !token.is_empty());
    if let Some(token) = token {
        members::mark(&Token(token));
    }
}

/// Has a supervisor set the desktop up, and waits for its report.
fn launch(
    place: &Place,
    token: &Token,
    lock: &Lock,
    options: &Options,
    deadline: Deadline,
) -> Result<(), Trouble> {
    let plan = Plan {
        root: place.root.display().to_string(),
        name: place.name.clone(),
        size: options.size,
        window_manager: options.window_manager.clone(),
        home: options.home.clone(),
        limit_ms: u64::try_from(deadline.remaining().as_millis()).unwrap_or(u64::MAX),
    };
    let plan = serde_json::to_string(&plan)
        .map_err(|error| Trouble::other("the plan", &error.to_string()))?;
    let log = place.file("supervisor.log");
    let messages = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(&log)
        .map_err(|error| Trouble::files(&log, &error))?;
    let lock = lock.0.try_clone().map_err(|error| Trouble::other("lock", &error.to_string()))?;
    let mut supervisor = Command::new(&options.program)
        .args(["sandbox", SUPERVISE, &plan])
        .env(Token::VARIABLE, &token.0)
        .current_dir("/")
        // It shares the lock, so that nobody comes between if this process ends before it.
        .stdin(lock)
        .stdout(Stdio::piped())
        .stderr(messages)
        .spawn()
        .map_err(|error| Trouble::other("the supervisor", &error.to_string()))?;
    let mut pipe = supervisor
        .stdout
        .take()
        .ok_or_else(|| Trouble::other("the supervisor", "it has no output"))?;
    // It ends by the deadline itself, and then needs a moment to clean up.
    let patience = Deadline::after(deadline.remaining() + Duration::from_secs(1));
    match helper::read_line(&mut pipe, patience) {
        Ok(Some(line)) => serde_json::from_str::<Report>(&line)
            .map_err(|error| Trouble::other("the supervisor", &error.to_string()))?,
        Ok(None) => Err(Trouble::late("supervisor", deadline, supervisor::tail(&log))),
        Err(_) => Err(Trouble::Died {
            part: Role::Supervisor.name().into(),
            status: supervisor.wait().map(|status| status.to_string()).unwrap_or_default(),
            log: supervisor::tail(&log),
        }),
    }
}

fn started(place: &Place, manifest: &Manifest, started: bool) -> Result<Started, Error> {
    let (Some(desktop), Some(token)) = (&manifest.desktop, place.token()) else {
        return Err(unusable(place, &judge(place, false)));
    };
    Ok(Started {
        bus_address: desktop.bus_address.clone(),
        display: desktop.display.clone(),
        env: desktop.env.clone(),
        name: place.name.clone(),
        pid: manifest.pid(Role::Supervisor).unwrap_or_default(),
        runtime_dir: token.runtime_dir().display().to_string(),
        size: manifest.size,
        started,
        state: State::Running,
    })
}

/// The desktop, if what one needs in order to use it is alive. A dead window manager or supervisor
/// does not keep anybody from reading. A dead accessibility bus does: asking for it brings up
/// another one, on which the programs that run are not.
fn usable(place: &Place) -> Result<Desktop, Error> {
    if !place.exists() {
        return Err(unknown(place));
    }
    let judged = judge(place, place.is_locked());
    let needed = [Role::DisplayServer, Role::SessionBus, Role::AccessibilityBus];
    match judged.manifest {
        Some(Manifest { desktop: Some(desktop), .. })
            if matches!(judged.state, State::Running | State::Broken)
                && !judged.died.iter().any(|part| needed.contains(&part.part)) =>
        {
            Ok(desktop)
        }
        _ => Err(unusable(place, &judged)),
    }
}

fn unusable(place: &Place, judged: &Judged) -> Error {
    let name = &place.name;
    let state = judged.state.token();
    let suggestion = match judged.state {
        State::Stopped => format!("Start it with `agent-desktop sandbox start {name}`."),
        State::Starting | State::Stopping => {
            "Wait until `sandbox list` shows another state.".to_owned()
        }
        State::Running | State::Broken => format!(
            "End what is left of it with `agent-desktop sandbox stop {name}`, then start it again."
        ),
    };
    Error::new(
        Code::PlatformNotSupported,
        format!("the private desktop {name} is {state}: {}", judged.complaint()),
    )
    .suggest(suggestion)
    .details(Details::Sandbox { name: name.clone(), state: state.into() })
}

fn unknown(place: &Place) -> Error {
    let sandboxes: Vec<String> =
        Place::all(&place.root).unwrap_or_default().into_iter().map(|place| place.name).collect();
    let name = place.name.clone();
    let others = match sandboxes.is_empty() {
        true => "there is none at all".to_owned(),
        false => format!("there are: {}", sandboxes.join(", ")),
    };
    Error::new(
        Code::PlatformNotSupported,
        format!("there is no private desktop called {name}; {others}"),
    )
    .suggest(format!(
        "Start it with `agent-desktop sandbox start {name}`, or name one that exists."
    ))
    .details(Details::SandboxCandidates { name, sandboxes })
}

fn still_there(place: &Place, pids: &[u32], deadline: Deadline) -> Error {
    Error::new(
        Code::Timeout,
        format!("processes of the private desktop {} do not end: {pids:?}", place.name),
    )
    .suggest("Run `sandbox stop` again, with a larger --timeout-ms.")
    .details(Details::Deadline {
        elapsed_ms: deadline.elapsed_ms(),
        timeout_ms: deadline.limit_ms(),
    })
}
