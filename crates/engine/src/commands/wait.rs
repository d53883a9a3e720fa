//! `wait`: until something is there, holds, or happens.

use std::{cell::RefCell, thread, time::Duration};

use agent_desktop_model::{
    error::{Code, Details, Error},
    geometry::Rect,
    state::State,
    surface::SurfaceKind,
    text::{brief, fold, quoted},
    tree::{Field, FieldSet, Node},
    wire::{Event, Surface, Waited, WindowName},
};

use super::{Context, DAY_MS, find, target};
use crate::{
    act::{self, Action},
    layers,
    platform::{App, Deadline, Failure, Window},
    region,
    wait::{Ended, until},
};

/// Wait until something is there, holds, or happens
///
/// Exactly one thing is waited for: a time, an element, a window, a text, a menu or an event. It is
/// noticed when the application tells of it. An event counts from the moment that the wait begins; a
/// text or a menu that is there already ends the wait at once. A text is looked for where `find`
/// looks with the same flags. Without --app, windows and events of all applications count.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Just this long; a day at most
    #[arg(value_name = "MS", value_parser = clap::value_parser!(u64).range(..=DAY_MS))]
    pub ms: Option<u64>,

    /// Until a predicate holds of the element of this ref
    #[arg(long, value_name = "REF")]
    pub element: Option<String>,

    /// What has to hold of the element
    #[arg(long, value_enum, default_value_t = Predicate::Exists, requires = "element")]
    pub predicate: Predicate,

    /// The value that the element has to have, with `--predicate value`
    #[arg(long, value_name = "TEXT", requires = "element", allow_hyphen_values = true)]
    pub value: Option<String>,

    /// The action that has to be possible, with `--predicate actionable`
    #[arg(long, value_enum, default_value_t = Doing::Click, requires = "element")]
    pub action: Doing,

    /// Until a window is there whose title contains this; with --event, only that window's
    #[arg(long, value_name = "TITLE")]
    pub window: Option<String>,

    /// Until an element has this in its name, value or description
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,

    /// Until exactly so many elements have the text
    #[arg(long, value_name = "N", requires = "text")]
    pub count: Option<u64>,

    /// Until a menu is open
    #[arg(long)]
    pub menu: bool,

    /// Until no menu is open
    #[arg(long)]
    pub menu_closed: bool,

    /// Until a notification is shown, which this version cannot see
    #[arg(long, hide = true)]
    pub notification: bool,

    /// Until something of this kind happens
    #[arg(long, value_enum, value_name = "KIND")]
    pub event: Option<Kind>,

    #[command(flatten)]
    pub target: target::Args,

    /// Ref of the element below which the text is looked for
    #[arg(long, value_name = "REF", requires = "text")]
    pub root: Option<String>,

    /// Milliseconds to wait at most; a day at most
    #[arg(
        long,
        alias = "timeout-ms",
        value_name = "MS",
        default_value_t = 30_000,
        value_parser = clap::value_parser!(u64).range(..=DAY_MS)
    )]
    pub timeout: u64,
}

/// What may hold of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Predicate {
    /// It is there
    Exists,
    /// It can be operated
    Enabled,
    /// It has an area and is neither hidden nor scrolled away
    Visible,
    /// An action on it would be sent
    Actionable,
    /// It has the value of --value
    Value,
}

/// An action that may be possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Doing {
    Click,
    Type,
    SetValue,
    Clear,
}

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// A window that was not there is there
    WindowOpened,
    /// A window that was there is gone
    WindowClosed,
    /// An application has come
    AppLaunched,
    /// An application has ended
    AppTerminated,
    /// Another window has the focus
    FocusChanged,
    /// A menu, popover or dialog has opened
    SurfaceAppeared,
    /// A menu, popover or dialog has closed
    SurfaceDismissed,
}

/// The data of `wait`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<Waited, Error> {
    one_thing(args)?;
    if args.notification {
        return Err(Error::new(
            Code::ActionNotSupported,
            "notifications cannot be seen by this version, so they cannot be waited for",
        )
        .suggest("Wait for what the notification is about: --window, --text or --event."));
    }
    let deadline = Deadline::after_ms(args.timeout);
    if let Some(ms) = args.ms {
        thread::sleep(Duration::from_millis(ms));
        return Ok(Waited { waited_ms: Some(ms), ..Waited::default() });
    }
    let waited = if let Some(token) = &args.element {
        element(args, token, context, deadline)
    } else if let Some(text) = &args.text {
        text_shown(args, text, context, deadline)
    } else if args.menu || args.menu_closed {
        menu(args, context, deadline)
    } else if let Some(kind) = args.event {
        happens(args, kind, context, deadline)
    } else {
        window_shown(args, context, deadline)
    }?;
    Ok(Waited { elapsed_ms: Some(deadline.elapsed_ms()), found: Some(true), ..waited })
}

fn one_thing(args: &Args) -> Result<(), Error> {
    let asked = [
        args.ms.is_some(),
        args.element.is_some(),
        args.window.is_some() && args.event.is_none(),
        args.text.is_some() && !args.notification,
        args.notification,
        args.menu,
        args.menu_closed,
        args.event.is_some(),
    ];
    let invalid = |message: &str, suggestion: &str| {
        Err(Error::new(Code::InvalidArgs, message).suggest(suggestion))
    };
    match asked.iter().filter(|asked| **asked).count() {
        1 => {}
        0 => {
            return invalid(
                "nothing is named to wait for",
                "Pass milliseconds, or one of --element, --window, --text, --menu, --menu-closed \
                 and --event.",
            );
        }
        _ => {
            return invalid(
                "only one thing can be waited for at once",
                "Drop all but one of MS, --element, --window, --text, --menu, --menu-closed and \
                 --event.",
            );
        }
    }
    if args.value.is_some() != (args.predicate == Predicate::Value) {
        return invalid("--value and --predicate value belong together", "Pass both, or neither.");
    }
    let names_window = args.event.is_some() || args.menu || args.menu_closed || args.text.is_some();
    if args.target.window_id.is_some() && !names_window {
        return invalid(
            "--window-id goes with --text, --menu, --menu-closed and --event only",
            "Leave it out: what else is waited for is not looked for in one window.",
        );
    }
    if args.target.surface.is_some() && args.text.is_none() {
        return invalid(
            "--surface goes with --text only",
            "To wait for a surface itself, use --menu, --window or --event surface-appeared.",
        );
    }
    Ok(())
}

fn element(
    args: &Args,
    token: &str,
    context: &Context<'_>,
    deadline: Deadline,
) -> Result<Waited, Error> {
    let Context { platform, store, .. } = *context;
    let reference = target::reference(token)?;
    let map = store.load(&reference.snapshot)?;
    let listener = platform.listen(Some(&map.window.app_id), deadline).ok();
    let fields: FieldSet = [Field::Capabilities, Field::Value, Field::Bounds].into_iter().collect();
    let seen = RefCell::new(None);
    let outcome = until(listener, deadline, || {
        let attempt = deadline.within(Duration::from_millis(1_000));
        let possible = match args.predicate {
            Predicate::Actionable => {
                act::is_possible(args.action.into(), &map, &reference, attempt, platform)
            }
            _ => Ok(false),
        };
        let element = match region::element(platform, &map, &reference, fields, attempt) {
            // What is not there yet may come back.
            Err(error) if error.code == Code::StaleRef && args.predicate == Predicate::Exists => {
                seen.replace(Some("absent".to_owned()));
                return Ok(None);
            }
            other => other?,
        };
        let node = &element.tree[element.tree.root()];
        let may_change = node.states.has(State::Disabled) || node.states.has(State::Hidden);
        let possible = match possible {
            // Some toolkits offer nothing on what is disabled or hidden.
            Err(refusal) if refusal.code == Code::ActionNotSupported && may_change => false,
            other => other?,
        };
        let (holds, observed) = judge(args, node, possible);
        seen.replace(Some(observed.clone()));
        Ok(holds.then_some(observed))
    });
    let predicate = args.predicate.token();
    match outcome {
        Ok(observed) => Ok(Waited {
            observed: Some(observed),
            predicate: Some(predicate),
            reference: Some(reference),
            ..Waited::default()
        }),
        Err(ended) => Err(over(ended, predicate, seen.into_inner(), deadline)),
    }
}

/// Whether the predicate holds of `node`, and what there is.
fn judge(args: &Args, node: &Node, possible: bool) -> (bool, String) {
    let states = || node.states.iter().map(State::token).collect::<Vec<_>>().join(" ");
    match args.predicate {
        Predicate::Exists => (true, "present".to_owned()),
        Predicate::Enabled => (!node.states.has(State::Disabled), states()),
        Predicate::Visible => (
            node.bounds.is_some_and(Rect::has_area)
                && !node.states.has(State::Hidden)
                && !node.states.has(State::Offscreen),
            states(),
        ),
        Predicate::Actionable => (possible, states()),
        Predicate::Value => {
            let value = node.shown_value().unwrap_or_default();
            (args.value.as_deref() == Some(value), value.to_owned())
        }
    }
}

fn text_shown(
    args: &Args,
    text: &str,
    context: &Context<'_>,
    deadline: Deadline,
) -> Result<Waited, Error> {
    let search = |deadline: Deadline| find::Args {
        target: args.target.clone(),
        root: args.root.clone(),
        text: Some(text.to_owned()),
        // What nobody sees is not there.
        states: vec!["hidden=false".to_owned()],
        first: args.count.is_none(),
        count: args.count.is_some(),
        timeout_ms: u64::try_from(deadline.remaining().as_millis()).unwrap_or(u64::MAX),
        ..find::Args::default()
    };
    let listener = listen(args, context, deadline);
    let seen = RefCell::new(None);
    let advice = RefCell::new(None);
    let outcome = until(listener, deadline, || {
        let attempt = deadline.within(Duration::from_secs(5));
        let found = find::run(&search(attempt), context)?;
        seen.replace(found.count.map(|count| count.to_string()));
        advice.replace(found.suggestion.clone());
        Ok(match (found.single.flatten(), found.count) {
            (Some(only), _) => Some(Waited {
                reference: Some(only.ref_id),
                role: Some(only.role),
                snapshot_id: found.snapshot_id,
                text: Some(text.to_owned()),
                window: found.window,
                ..Waited::default()
            }),
            (None, count) if count.is_some() && count == args.count => Some(Waited {
                count,
                text: Some(text.to_owned()),
                window: found.window,
                ..Waited::default()
            }),
            _ => None,
        })
    });
    outcome.map_err(|ended| {
        let error = over(ended, "text", seen.into_inner(), deadline);
        match (advice.into_inner(), &error.suggestion) {
            (Some(advice), Some(other)) if error.code == Code::Timeout => {
                let suggestion = format!("{advice} {other}");
                error.suggest(suggestion)
            }
            _ => error,
        }
    })
}

fn menu(args: &Args, context: &Context<'_>, deadline: Deadline) -> Result<Waited, Error> {
    let listener = listen(args, context, deadline);
    let outcome = until(listener, deadline, || {
        let menu = surfaces(args, context, deadline)?
            .into_iter()
            .find(|surface| surface.kind == SurfaceKind::Menu.token());
        Ok((menu.is_some() == args.menu).then(|| Waited { surface: menu, ..Waited::default() }))
    });
    let predicate = if args.menu { "menu" } else { "menu_closed" };
    outcome.map_err(|ended| over(ended, predicate, None, deadline))
}

fn window_shown(args: &Args, context: &Context<'_>, deadline: Deadline) -> Result<Waited, Error> {
    let wanted = fold(args.window.as_deref().unwrap_or_default());
    let listener = context.platform.listen(None, deadline).ok();
    let outcome = until(listener, deadline, || {
        let windows = windows(args, context, deadline)?;
        let found = windows.into_iter().find(|window| fold(&window.title).contains(&wanted));
        Ok(found.map(|window| Waited { window: Some(named(&window)), ..Waited::default() }))
    });
    outcome.map_err(|ended| over(ended, "window", None, deadline))
}

/// What of the desktop an event is a difference of.
#[derive(Default)]
struct Scene {
    apps: Vec<App>,
    windows: Vec<Window>,
    focused: Option<Window>,
    surfaces: Vec<Surface>,
}

fn happens(
    args: &Args,
    kind: Kind,
    context: &Context<'_>,
    deadline: Deadline,
) -> Result<Waited, Error> {
    let listener = match kind {
        Kind::SurfaceAppeared | Kind::SurfaceDismissed => listen(args, context, deadline),
        _ => context.platform.listen(None, deadline).ok(),
    };
    let before = scene(args, kind, context, deadline)?;
    let outcome = until(listener, deadline, || {
        let now = scene(args, kind, context, deadline)?;
        Ok(difference(args, kind, &before, now))
    });
    match outcome {
        Ok(event) => Ok(Waited { event: Some(event), ..Waited::default() }),
        Err(ended) => Err(over(ended, kind.token(), None, deadline)),
    }
}

fn scene(
    args: &Args,
    kind: Kind,
    context: &Context<'_>,
    deadline: Deadline,
) -> Result<Scene, Error> {
    let about = |failure: Failure| failure.about("the desktop", deadline);
    let mut scene = Scene::default();
    match kind {
        Kind::WindowOpened | Kind::WindowClosed => {
            scene.windows = windows(args, context, deadline)?;
        }
        Kind::AppLaunched | Kind::AppTerminated => {
            scene.apps = apps(args, context, deadline)?;
        }
        Kind::FocusChanged => {
            scene.focused = context.platform.focused_window(deadline).map_err(about)?;
        }
        Kind::SurfaceAppeared | Kind::SurfaceDismissed => {
            scene.surfaces = match surfaces(args, context, deadline) {
                // An application that has ended shows nothing any more.
                Err(error) if error.code == Code::AppNotFound => Vec::new(),
                other => other?,
            };
        }
    }
    Ok(scene)
}

/// The event of `kind` between two moments, if there was one.
fn difference(args: &Args, kind: Kind, before: &Scene, now: Scene) -> Option<Event> {
    let event = |app: Option<&App>, window: Option<&Window>, surface: Option<Surface>| Event {
        app: app.map(|app| app.name.clone()),
        kind: kind.token(),
        pid: app.and_then(|app| app.process).map(|process| process.pid),
        surface,
        window: window.map(named),
    };
    let meant = |window: &&Window| {
        args.target.window_id.as_ref().is_none_or(|id| *id == window.id)
            && args.window.as_ref().is_none_or(|title| fold(&window.title).contains(&fold(title)))
    };
    let new_window = |then: &[Window], now: &[Window]| {
        now.iter()
            .filter(meant)
            .find(|window| !then.iter().any(|other| other.id == window.id))
            .cloned()
    };
    let new_app = |then: &[App], now: &[App]| {
        now.iter().find(|app| !then.iter().any(|other| other.id == app.id)).cloned()
    };
    let new_surface = |then: &[Surface], now: &[Surface]| {
        now.iter()
            .filter(|surface| surface.kind != SurfaceKind::Window.token())
            .find(|surface| !then.iter().any(|other| other.id == surface.id))
            .cloned()
    };
    match kind {
        Kind::WindowOpened | Kind::WindowClosed => {
            let window = match kind {
                Kind::WindowOpened => new_window(&before.windows, &now.windows),
                _ => new_window(&now.windows, &before.windows),
            };
            window.map(|window| event(Some(&window.app), Some(&window), None))
        }
        Kind::AppLaunched => {
            new_app(&before.apps, &now.apps).map(|app| event(Some(&app), None, None))
        }
        Kind::AppTerminated => {
            new_app(&now.apps, &before.apps).map(|app| event(Some(&app), None, None))
        }
        Kind::FocusChanged => {
            let id = |window: &Option<Window>| window.as_ref().map(|window| window.id.clone());
            let window = now.focused.as_ref();
            let changed = id(&before.focused) != id(&now.focused);
            (changed && window.is_none_or(|window| meant(&window)))
                .then(|| event(window.map(|window| &window.app), window, None))
        }
        Kind::SurfaceAppeared => new_surface(&before.surfaces, &now.surfaces)
            .map(|surface| event(None, None, Some(surface))),
        Kind::SurfaceDismissed => new_surface(&now.surfaces, &before.surfaces)
            .map(|surface| event(None, None, Some(surface))),
    }
}

/// Listens to the application that is meant, or else to all windows.
fn listen<'a>(
    args: &Args,
    context: &Context<'a>,
    deadline: Deadline,
) -> Option<Box<dyn crate::platform::Listener + 'a>> {
    let app = meant(args, context, deadline).ok().and_then(|apps| apps.into_iter().next());
    context.platform.listen(app.as_ref().map(|app| &app.id), deadline).ok()
}

/// The application of `--app`, else that of `--window-id`, else the focused window's.
fn meant(args: &Args, context: &Context<'_>, deadline: Deadline) -> Result<Vec<App>, Error> {
    match &args.target.app {
        Some(name) => target::apps(context.platform, name, deadline),
        None => Ok(vec![target::window(context.platform, &args.target, deadline)?.app]),
    }
}

/// The applications that `--app` leaves of all.
fn apps(args: &Args, context: &Context<'_>, deadline: Deadline) -> Result<Vec<App>, Error> {
    let all = context
        .platform
        .apps(deadline)
        .map_err(|failure| failure.about("the desktop", deadline))?;
    let wanted = args.target.app.as_deref().map(fold);
    Ok(all
        .into_iter()
        .filter(|app| wanted.as_ref().is_none_or(|wanted| fold(&app.name) == *wanted))
        .collect())
}

fn windows(args: &Args, context: &Context<'_>, deadline: Deadline) -> Result<Vec<Window>, Error> {
    let apps = apps(args, context, deadline)?;
    let (windows, _) = context
        .platform
        .windows(&apps, deadline)
        .map_err(|failure| failure.about("the list of windows", deadline))?;
    Ok(windows)
}

fn surfaces(args: &Args, context: &Context<'_>, deadline: Deadline) -> Result<Vec<Surface>, Error> {
    let apps = meant(args, context, deadline)?;
    layers::open(context.platform, &apps, deadline)
}

fn named(window: &Window) -> WindowName {
    WindowName { id: window.id.clone(), title: window.title.clone() }
}

/// The error of a wait that was in vain.
fn over(
    ended: Ended,
    predicate: &'static str,
    last_observed: Option<String>,
    deadline: Deadline,
) -> Error {
    let last = match ended {
        Ended::Failed(error) => return error,
        Ended::Late(error) => error,
    };
    let (last_error, remedy) =
        last.map_or((None, None), |error| (Some(error.message), error.suggestion));
    let message = match (&last_observed, &last_error) {
        (Some(observed), _) => {
            format!(
                "{predicate} did not come to hold in {} ms: last was {}",
                deadline.limit_ms(),
                quoted(observed)
            )
        }
        (None, Some(error)) => {
            format!("{predicate} did not come to hold in {} ms: {error}", deadline.limit_ms())
        }
        (None, None) => format!("{predicate} did not come to hold in {} ms", deadline.limit_ms()),
    };
    Error::new(Code::Timeout, message)
        .suggest(remedy.unwrap_or_else(|| {
            "Look at what is there (`snapshot`), or wait longer with --timeout.".to_owned()
        }))
        .details(Details::WaitTimeout {
            after_action: None,
            elapsed_ms: deadline.elapsed_ms(),
            last_error,
            last_observed: last_observed.as_deref().map(brief),
            predicate,
            snapshot_id: None,
            timeout_ms: deadline.limit_ms(),
        })
}

impl From<Doing> for Action<'static> {
    fn from(doing: Doing) -> Self {
        match doing {
            Doing::Click => Self::Click,
            Doing::Type => Self::Type(""),
            Doing::SetValue => Self::SetValue(""),
            Doing::Clear => Self::Clear,
        }
    }
}

impl Predicate {
    fn token(self) -> &'static str {
        match self {
            Self::Exists => "exists",
            Self::Enabled => "enabled",
            Self::Visible => "visible",
            Self::Actionable => "actionable",
            Self::Value => "value",
        }
    }
}

impl Kind {
    fn token(self) -> &'static str {
        match self {
            Self::WindowOpened => "window-opened",
            Self::WindowClosed => "window-closed",
            Self::AppLaunched => "app-launched",
            Self::AppTerminated => "app-terminated",
            Self::FocusChanged => "focus-changed",
            Self::SurfaceAppeared => "surface-appeared",
            Self::SurfaceDismissed => "surface-dismissed",
        }
    }
}
