//! `close-app`: have an application end, or make it.

use std::time::Duration;

use agent_desktop_model::{
    error::{Code, Delivery, Details, Error},
    text::quoted,
    wire::{CloseDetails, Closed, ClosedTarget, Surface, WindowName},
};

use super::{Context, target};
use crate::{
    layers,
    platform::{Deadline, Failure, Instance, Process, Urge, Window},
};

/// Close an application
///
/// Asks the window manager to close every window of it, as a click on its close button would, and
/// waits until it has ended. One without windows is asked by a signal. If it asks something first,
/// such as whether to save, `closed` is false and `surfaces` has the question: answer it, or repeat
/// with --force, which asks nobody and loses what is not saved. What the session lives by is
/// refused.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Args {
    /// Name of the application, as `list-apps` prints it, or of its program
    #[arg(value_name = "APP", required_unless_present = "window_id")]
    pub app: Option<String>,
    /// Id of one of its windows, as `list-windows` prints it, where several have one name
    #[arg(long, value_name = "ID")]
    pub window_id: Option<String>,
    /// Ending it at once, first by a signal that it may heed, then by one that it cannot
    #[arg(long)]
    pub force: bool,
    /// Milliseconds after which it is no longer waited for
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// How long finding the application may take, and how long there is at least for what follows.
const FINDING: Duration = Duration::from_millis(1_500);
const LEAST: Duration = Duration::from_millis(300);

/// How often it is looked whether it has ended.
const POLL: Duration = Duration::from_millis(50);

/// How long a window that came stays, if it asks something.
const ASKING: Duration = Duration::from_millis(500);

/// How long one gets to end by itself that is made to.
const GRACE: Duration = Duration::from_secs(3);

/// How long it may take to see that a process has ended that was killed.
const DYING: Duration = Duration::from_secs(1);

/// The data of `close-app`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<Closed, Error> {
    let platform = context.platform;
    let deadline = Deadline::after_ms(args.timeout_ms);
    let name = args.app.as_deref();
    let protection = |name: &str, process| platform.programs().protection(name, process, deadline);
    if let (Some(name), None) = (name, &args.window_id)
        && let Some(what) = protection(name, None)
    {
        return Err(protected(name, what));
    }
    let instance = chosen(args, context, deadline)?;
    // However long that took, there is time to ask and to look once.
    let deadline = Deadline::after(deadline.remaining().max(LEAST));
    let name = &instance.app.name;
    if let Some(what) = protection(name, Some(instance.process)) {
        return Err(protected(name, what));
    }
    if args.force {
        return forced(&instance, context, deadline);
    }
    graceful(&instance, context, deadline)
}

/// The one process that is meant.
fn chosen(args: &Args, context: &Context<'_>, deadline: Deadline) -> Result<Instance, Error> {
    let platform = context.platform;
    let finding = Deadline::after(FINDING);
    let running = |name: &str| {
        let finding = Deadline::after(FINDING);
        let running = platform.programs().running(name, finding);
        running.map_err(|failure| failure.about(name, finding))
    };
    if let Some(id) = &args.window_id {
        let window = target::by_id(platform, id, finding)?;
        let process = window.app.process.ok_or_else(|| nobody(&window))?;
        let same = running(&window.app.name)?.into_iter().find(|one| one.process == process);
        return Ok(same.unwrap_or_else(|| Instance {
            app: window.app.clone(),
            process,
            windows: vec![window],
            is_as_asked: true,
            is_whole: true,
        }));
    }
    let name = args.app.as_deref().unwrap_or_default();
    let patience = deadline.within(deadline.remaining() / 2);
    let mut found = running(name)?;
    // One that is busy does not tell its name.
    while found.is_empty() && !patience.passed() {
        let all = platform.apps(Deadline::after(FINDING)).unwrap_or_default();
        if all.iter().all(|app| app.responding) {
            found = running(name)?;
            break;
        }
        std::thread::sleep(patience.within(POLL).remaining());
        found = running(name)?;
    }
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(last), false) => {
            found.push(last);
            Err(several(name, &found))
        }
        (None, _) => {
            let finding = Deadline::after(FINDING);
            let all = platform.apps(finding).map_err(|failure| failure.about(name, finding))?;
            Err(target::unknown_app(name, &all))
        }
    }
}

fn graceful(
    instance: &Instance,
    context: &Context<'_>,
    deadline: Deadline,
) -> Result<Closed, Error> {
    let programs = context.platform.programs();
    let about = |failure: Failure| failure.about(&instance.app.name, deadline);
    let before = |window: &Window| instance.windows.iter().any(|one| one.id == window.id);
    let mut others = windows_of(instance, context, deadline).unwrap_or_default();
    others.retain(|window| window.visible && !before(window));
    let mut asked = 0;
    let mut refused = None;
    for handle in instance.windows.iter().filter_map(|window| window.handle) {
        match programs.close(handle, deadline) {
            Ok(()) => asked += 1,
            Err(Failure::Gone) => {}
            Err(failure) => refused = Some(failure),
        }
    }
    let mechanism = match (asked, refused) {
        // Where nobody closes windows, the program itself can be asked.
        (0, None | Some(Failure::Unsupported { .. })) => {
            programs.end(instance.process, Urge::Ask).map_err(about)?;
            "signal"
        }
        (0, Some(failure)) => return Err(about(failure)),
        _ => "window_manager",
    };
    let ended = awaited(instance, &others, context, deadline);
    report(instance, "graceful", mechanism, ended, context)
}

fn forced(instance: &Instance, context: &Context<'_>, deadline: Deadline) -> Result<Closed, Error> {
    let programs = context.platform.programs();
    let about = |failure: Failure| failure.about(&instance.app.name, deadline);
    programs.end(instance.process, Urge::Ask).map_err(about)?;
    let grace = deadline.within(GRACE.min(deadline.remaining() / 2));
    if !ends(instance.process, context, grace) {
        programs
            .end(instance.process, Urge::Kill)
            .map_err(|failure| about(failure).delivered(Delivery::DeliveredUnverified))?;
    }
    if ends(instance.process, context, Deadline::after(deadline.remaining().max(DYING))) {
        return report(instance, "force", "signal", true, context);
    }
    Err(Error::new(
        Code::ActionFailed,
        format!(
            "{} (pid {}) was killed and is still there: the system itself holds it",
            instance.app.name, instance.process.pid
        ),
    )
    .suggest("Wait until what it does in the system is over; `list-apps` shows whether it is gone.")
    .details(Details::PostActionVerification {
        expected: "ended".to_owned(),
        observed: Some("running".to_owned()),
        post_state: None,
        steps: Vec::new(),
    })
    .delivered(Delivery::DeliveredUnverified))
}

/// Whether the process ends by `deadline`.
fn ends(process: Process, context: &Context<'_>, deadline: Deadline) -> bool {
    loop {
        if !context.platform.programs().lives(process) {
            return true;
        }
        if deadline.passed() {
            return false;
        }
        std::thread::sleep(deadline.within(POLL).remaining());
    }
}

/// Whether it ends, or, where the process is other programs, too, its windows do. It is not waited for any longer once a window has come that asks something.
fn awaited(
    instance: &Instance,
    others: &[Window],
    context: &Context<'_>,
    deadline: Deadline,
) -> bool {
    let is_one_of = |all: &[Window], window: &Window| all.iter().any(|one| one.id == window.id);
    let mut asks: Option<Deadline> = None;
    loop {
        if !context.platform.programs().lives(instance.process) {
            return true;
        }
        if deadline.passed() || asks.is_some_and(|asks| asks.passed()) {
            return false;
        }
        let now = windows_of(instance, context, deadline);
        let has_come = |window: &Window| {
            let known = is_one_of(&instance.windows, window) || is_one_of(others, window);
            window.visible && !known
        };
        match &now {
            Some(now) if now.iter().any(has_come) => {
                asks.get_or_insert_with(|| Deadline::after(ASKING));
            }
            Some(now) if !instance.is_whole => {
                if !now.iter().any(|window| is_one_of(&instance.windows, window)) {
                    return true;
                }
                asks = None;
            }
            _ => asks = None,
        }
        std::thread::sleep(deadline.within(POLL).remaining());
    }
}

/// The windows of its process now, as far as they can be read.
fn windows_of(
    instance: &Instance,
    context: &Context<'_>,
    deadline: Deadline,
) -> Option<Vec<Window>> {
    if !instance.app.responding {
        return None;
    }
    let asked = std::slice::from_ref(&instance.app);
    let (windows, silent) = context.platform.windows(asked, deadline).ok()?;
    silent.is_empty().then_some(windows)
}

fn report(
    instance: &Instance,
    method: &'static str,
    mechanism: &'static str,
    closed: bool,
    context: &Context<'_>,
) -> Result<Closed, Error> {
    let Instance { app, process, .. } = instance;
    let reading = Deadline::after(target::FINDING);
    let (windows, surfaces) = match closed {
        true => Default::default(),
        false => {
            let windows = windows_of(instance, context, reading).unwrap_or_default();
            let surfaces = layers::open(context.platform, std::slice::from_ref(app), reading);
            (windows, surfaces.unwrap_or_default())
        }
    };
    let windows: Vec<Window> = windows.into_iter().filter(|window| window.visible).collect();
    let delivery = match closed {
        true => Delivery::DeliveredVerified,
        false => Delivery::DeliveredUnverified,
    };
    Ok(Closed {
        app: app.name.clone(),
        closed,
        details: CloseDetails { mechanism },
        disposition: delivery.into(),
        method,
        operation: "close-app",
        pid: process.pid,
        process_instance: format!("{}-{}", process.pid, process.started),
        requested: true,
        suggestion: (!closed).then(|| remedy(instance, &windows, &surfaces)),
        surfaces,
        target: ClosedTarget::App { app_name: app.name.clone(), pid: process.pid },
        windows: windows
            .into_iter()
            .map(|window| WindowName { id: window.id, title: window.title })
            .collect(),
    })
}

/// What to do about one that has not ended.
fn remedy(instance: &Instance, windows: &[Window], surfaces: &[Surface]) -> String {
    const FORCE: &str = "`close-app` with --force ends it, and loses what is not saved.";
    let new = |id: &str| !instance.windows.iter().any(|window| window.id == id);
    let asking =
        surfaces.iter().find(|surface| surface.kind != "window" && surface.kind != "menubar");
    let asking = asking.map(|surface| (&surface.id, surface.title.as_deref()));
    let other = windows.iter().find(|window| new(&window.id));
    let asking = asking.or_else(|| other.map(|window| (&window.id, Some(window.title.as_str()))));
    match asking {
        Some((id, title)) => format!(
            "It asks something first ({}): answer it with `find --window-id {id}` and `click`. {FORCE}",
            title
                .filter(|title| !title.is_empty())
                .map_or_else(|| "without a title".to_owned(), |title| quoted(title).to_string())
        ),
        None if windows.is_empty() => format!(
            "It shows no window any more and runs on, as some do in the background. {FORCE}"
        ),
        None => format!(
            "Its windows are still there: it may be busy, or ask something within a window (`snapshot`). {FORCE}"
        ),
    }
}

fn protected(name: &str, what: &str) -> Error {
    Error::new(Code::PolicyDenied, format!("{} is {what} and is not closed", quoted(name)))
        .suggest("Close applications only; `list-apps` shows them. A private desktop is ended by `sandbox stop`.")
}

fn nobody(window: &Window) -> Error {
    Error::new(
        Code::ActionNotSupported,
        format!("window {} does not say which process it belongs to", window.id),
    )
    .suggest("Close it by its own means, or name its application.")
}

fn several(name: &str, found: &[Instance]) -> Error {
    let windows: Vec<&Window> = found.iter().flat_map(|one| &one.windows).collect();
    let pids: Vec<String> = found.iter().map(|one| one.process.pid.to_string()).collect();
    let first = windows.first().map_or("", |window| &window.id);
    Error::new(
        Code::AmbiguousTarget,
        format!("{} processes are called {}: {}", found.len(), quoted(name), pids.join(", ")),
    )
    .suggest(format!("Name one by a window of its: `close-app --window-id {first}`."))
    .details(target::candidates(&windows))
}
