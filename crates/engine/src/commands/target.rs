//! What a command is about: a ref, a window, or a surface of one. Absence and ambiguity are typed
//! errors with candidates.

use std::time::Duration;

use agent_desktop_model::{
    error::{Code, Details, Error, WindowCandidate},
    reference::{Malformed, Ref},
    state::State,
    surface::SurfaceKind,
    text::fold,
    tree::{Address, NodeId, Tree},
};

use crate::{
    observe::surfaces,
    platform::{App, Deadline, Failure, Platform, Window},
};

/// The flags that name a window or one of its surfaces.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(skip)]
pub struct Args {
    /// Name of the application, as `list-apps` prints it; default is the focused window
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,

    /// Id of the window, as `list-windows` prints it
    #[arg(long, value_name = "ID")]
    pub window_id: Option<String>,

    /// Kind of surface: window, focused, menu, menubar, sheet, popover or alert
    #[arg(long, value_name = "KIND")]
    pub surface: Option<String>,
}

/// A window that was read, and the part of it that the command is about.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) window: Window,
    /// Where the window's own accessible is.
    pub(crate) address: Address,
    pub(crate) surface: SurfaceKind,
    pub(crate) tree: Tree,
    pub(crate) top: NodeId,
}

/// A window that was read, and the surfaces that are open in it.
#[derive(Debug)]
pub(crate) struct Layers {
    pub(crate) window: Window,
    pub(crate) address: Address,
    pub(crate) tree: Tree,
    pub(crate) found: Vec<surfaces::Found>,
}

/// How long finding the window may take. It does not count against the time for the tree.
pub(crate) const FINDING: Duration = Duration::from_secs(1);

/// How many candidates an error names.
const CANDIDATES: usize = 5;

impl Args {
    /// The kind of surface that is asked for.
    pub(crate) fn surface(&self) -> Result<SurfaceKind, Error> {
        let Some(token) = &self.surface else { return Ok(SurfaceKind::Window) };
        let kinds: Vec<&str> = SurfaceKind::ALL
            .iter()
            .filter(|kind| !kind.is_shell())
            .map(|kind| kind.token())
            .collect();
        match SurfaceKind::parse(token) {
            Some(kind) if !kind.is_shell() => Ok(kind),
            Some(kind) => Err(Error::new(
                Code::PlatformNotSupported,
                format!("the shell's surface {} cannot be read here", kind.token()),
            )
            .suggest(format!("Surfaces of applications can be: {}.", kinds.join(", ")))),
            None => {
                Err(Error::new(Code::InvalidArgs, format!("{token:?} is not a kind of surface"))
                    .suggest(format!("Use one of: {}.", kinds.join(", "))))
            }
        }
    }

    /// Refuses a surface beside a ref, which names its own.
    pub(crate) fn refuse_surface_beside_root(&self) -> Result<(), Error> {
        match self.surface()? {
            SurfaceKind::Window => Ok(()),
            _ => Err(Error::new(Code::InvalidArgs, "--root cannot be combined with --surface")
                .suggest(
                    "A ref already says which surface it is in: drop --surface, or use --surface \
                 without --root.",
                )),
        }
    }
}

/// The ref that `token` spells.
pub(crate) fn reference(token: &str) -> Result<Ref, Error> {
    token.parse().map_err(|malformed| {
        let error = |message| Error::new(Code::InvalidArgs, message);
        match malformed {
            Malformed::Bare => error(format!("{token:?} does not say which snapshot it is from"))
                .suggest("Pass the ref as it was printed, for example @s8f3k2p9abcd01:e1."),
            Malformed::Shape => error(format!("{token:?} is not a ref"))
                .suggest("A ref looks like @s8f3k2p9abcd01:e1; `snapshot` and `find` print them."),
        }
    })
}

/// The window that `args` name; the focused one if they name none.
pub(crate) fn window(
    platform: &dyn Platform,
    args: &Args,
    deadline: Deadline,
) -> Result<Window, Error> {
    match (&args.window_id, &args.app) {
        (Some(id), _) => by_id(platform, id, deadline),
        (None, Some(name)) => by_app(platform, name, deadline),
        (None, None) => focused(platform, deadline),
    }
}

/// Reads the window that `args` name, and finds the surface in it. Finding the window has a
/// limit of its own; `deadline` is made when reading begins.
pub(crate) fn scope(
    platform: &dyn Platform,
    args: &Args,
    deadline: impl FnOnce() -> Deadline,
) -> Result<(Scope, Deadline), Error> {
    let surface = args.surface()?;
    let finding = Deadline::after(FINDING);
    if surface == SurfaceKind::Window {
        let window = window(platform, args, finding)?;
        let deadline = deadline();
        let (address, tree) = observe(platform, &window, deadline)?;
        let top = tree.root();
        return Ok((Scope { window, address, surface, tree, top }, deadline));
    }
    let windows = match (&args.window_id, &args.app) {
        (Some(id), _) => vec![by_id(platform, id, finding)?],
        (None, Some(name)) => windows(platform, &apps(platform, name, finding)?, finding)?,
        (None, None) => {
            let app = focused(platform, finding)?.app;
            windows(platform, &[app], finding)?
        }
    };
    let deadline = deadline();
    Ok((surface_of(platform, windows, surface, deadline)?, deadline))
}

/// Reads a whole window, of which a part of the time is left for the fields of what is listed:
/// elements without their actions would be of little use.
pub(crate) fn observe(
    platform: &dyn Platform,
    window: &Window,
    deadline: Deadline,
) -> Result<(Address, Tree), Error> {
    let Some(address) = &window.address else {
        let reason = window.reason.as_deref().unwrap_or("its application offers no accessibles");
        return Err(Error::new(
            Code::ActionNotSupported,
            format!("window {:?} cannot be read: {reason}", window.title),
        )
        .suggest(
            "Restart the application with accessibility on, if it has any (`skills get platform`), \
             or name another window: `list-windows` tells which are accessible.",
        )
        .details(Details::WindowWithoutAccessibilityElement { window_id: window.id.clone() }));
    };
    let reading = deadline.within(deadline.remaining() * 3 / 4);
    match platform.observe(address, &[], reading) {
        Ok(tree) => Ok((address.clone(), tree)),
        Err(Failure::Gone) => Err(by_id_gone(&window.id)),
        Err(failure) => Err(failure.about(&format!("window {:?}", window.title), deadline)),
    }
}

/// Every open surface of `windows`, each with the window that it is in.
pub(crate) fn surfaces(
    platform: &dyn Platform,
    windows: Vec<Window>,
    deadline: Deadline,
) -> Result<Vec<Layers>, Error> {
    windows
        .into_iter()
        .filter(|window| window.address.is_some())
        .map(|window| {
            let (address, tree) = observe(platform, &window, deadline)?;
            let found = surfaces::find(&tree);
            Ok(Layers { window, address, tree, found })
        })
        .collect()
}

fn surface_of(
    platform: &dyn Platform,
    windows: Vec<Window>,
    kind: SurfaceKind,
    deadline: Deadline,
) -> Result<Scope, Error> {
    let mut open = Vec::new();
    let mut matching = Vec::new();
    for Layers { window, address, tree, found } in surfaces(platform, windows, deadline)? {
        open.extend(found.iter().map(|surface| surface.kind.token().to_owned()));
        let top = match kind {
            SurfaceKind::Focused if window.focused => Some(focused_surface(&tree, &found)),
            SurfaceKind::Focused => None,
            // A submenu stands inside its menu: the outermost one comes first and holds it.
            _ => found.iter().find(|surface| surface.kind == kind).map(|surface| surface.node),
        };
        if let Some(top) = top {
            matching.push(Scope { window, address, surface: kind, tree, top });
        }
    }
    if matching.len() > 1 && matching.iter().any(|scope| scope.window.focused) {
        matching.retain(|scope| scope.window.focused);
    }
    match matching.len() {
        1 => Ok(matching.remove(0)),
        0 => {
            open.dedup();
            Err(Error::new(Code::ElementNotFound, format!("no {} is open", kind.token()))
                .suggest(match open.is_empty() {
                    true => {
                        "If the application has one, open it first; `list-surfaces` shows what is \
                             open."
                            .to_owned()
                    }
                    false => format!("Open now: {}.", open.join(", ")),
                })
                .details(Details::SurfaceCandidates { surfaces: open }))
        }
        several => Err(Error::new(
            Code::AmbiguousTarget,
            format!("{several} windows have an open {}", kind.token()),
        )
        .suggest("Name the window with --window-id.")
        .details(Details::WindowCandidates {
            windows: matching.iter().take(CANDIDATES).map(|s| candidate(&s.window)).collect(),
        })),
    }
}

/// The innermost surface that holds the focused element, else the innermost open overlay, else
/// the window.
fn focused_surface(tree: &Tree, found: &[surfaces::Found]) -> NodeId {
    let overlays = || found.iter().rev().filter(|found| found.kind != SurfaceKind::MenuBar);
    let focused = tree.ids().rev().find(|id| tree[*id].states.has(State::Focused));
    focused
        .and_then(|focused| {
            overlays().find(|overlay| {
                overlay.node == focused || tree.ancestors(focused).any(|up| up == overlay.node)
            })
        })
        .or_else(|| overlays().next())
        .map_or(tree.root(), |overlay| overlay.node)
}

/// The applications called `name`: equal but for case. None of them answering is
/// APP_UNRESPONSIVE, none at all APP_NOT_FOUND with names that are near.
pub(crate) fn apps(
    platform: &dyn Platform,
    name: &str,
    deadline: Deadline,
) -> Result<Vec<App>, Error> {
    let all = platform.apps(deadline).map_err(|failure| failure.about("the desktop", deadline))?;
    let wanted = fold(name);
    let named: Vec<App> = all.iter().filter(|app| fold(&app.name) == wanted).cloned().collect();
    if named.is_empty() {
        return Err(unknown_app(name, &all));
    }
    let responding: Vec<App> = named.iter().filter(|app| app.responding).cloned().collect();
    match responding.is_empty() {
        true => Err(Failure::Unresponsive { app: name.to_owned() }.about(name, deadline)),
        false => Ok(responding),
    }
}

fn by_id(platform: &dyn Platform, id: &str, deadline: Deadline) -> Result<Window, Error> {
    platform.window(id, deadline).map_err(|failure| match failure {
        Failure::Gone => by_id_gone(id),
        other => other.about(&format!("window {id}"), deadline),
    })
}

fn by_id_gone(id: &str) -> Error {
    Error::new(Code::WindowNotFound, format!("there is no window {id}"))
        .suggest("Take an id from `list-windows`; an id ends with its window.")
}

/// The windows of `apps`, for a command that looks into each.
pub(crate) fn windows(
    platform: &dyn Platform,
    apps: &[App],
    deadline: Deadline,
) -> Result<Vec<Window>, Error> {
    let (windows, silent) = platform
        .windows(apps, deadline)
        .map_err(|failure| failure.about("the list of windows", deadline))?;
    match silent.first() {
        Some(app) if windows.is_empty() => {
            Err(Failure::Unresponsive { app: app.name.clone() }.about(&app.name, deadline))
        }
        _ => Ok(windows),
    }
}

fn by_app(platform: &dyn Platform, name: &str, deadline: Deadline) -> Result<Window, Error> {
    let apps = apps(platform, name, deadline)?;
    let windows = windows(platform, &apps, deadline)?;
    let Some(first) = windows.first() else {
        return Err(Error::new(Code::AppNotFound, format!("{name} runs but has no window"))
            .suggest("Wait for its window, or open one, then repeat; `list-windows` shows them."));
    };
    // Each sieve is tried on what the ones before it left, and only if it leaves something.
    let sieves: [fn(&Window) -> bool; 3] =
        [|window| window.visible, |window| window.focused, |window| window.address.is_some()];
    let mut left: Vec<&Window> = windows.iter().collect();
    for sieve in sieves {
        if left.len() == 1 {
            break;
        }
        let passed: Vec<&Window> = left.iter().copied().filter(|window| sieve(window)).collect();
        if !passed.is_empty() {
            left = passed;
        }
    }
    match left[..] {
        [only] => Ok(only.clone()),
        _ => Err(ambiguous(name, &left, first)),
    }
}

fn focused(platform: &dyn Platform, deadline: Deadline) -> Result<Window, Error> {
    let focused = platform
        .focused_window(deadline)
        .map_err(|failure| failure.about("the focused window", deadline))?;
    focused.ok_or_else(|| {
        Error::new(Code::WindowNotFound, "no window has the focus")
            .suggest("Name the application with --app; `list-apps` shows what runs.")
    })
}

fn unknown_app(name: &str, all: &[App]) -> Error {
    let near = near(name, all.iter().map(|app| app.name.as_str()));
    let suggestion = match near.first() {
        Some(best) => format!("Did you mean --app {best:?}? `list-apps` shows what runs."),
        None => "`list-apps` shows what runs; an application that is missing there may have been \
                 started without accessibility."
            .to_owned(),
    };
    Error::new(Code::AppNotFound, format!("no application is called {name:?}"))
        .suggest(suggestion)
        .details(Details::AppCandidates { apps: near })
}

fn ambiguous(name: &str, windows: &[&Window], first: &Window) -> Error {
    let candidates = windows.iter().take(CANDIDATES).map(|window| candidate(window));
    Error::new(
        Code::AmbiguousTarget,
        format!("{name:?} has {} windows and none of them stands out", windows.len()),
    )
    .suggest(format!("Name one of them, for example --window-id {}.", first.id))
    .details(Details::WindowCandidates { windows: candidates.collect() })
}

fn candidate(window: &Window) -> WindowCandidate {
    WindowCandidate {
        app_name: window.app.name.clone(),
        id: window.id.clone(),
        title: window.title.clone(),
    }
}

/// The names that a person may have meant by `wanted`, best first.
fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = fold(wanted);
    let mut near: Vec<(usize, String)> = names
        .filter_map(|name| {
            let folded = fold(name);
            let contained = !wanted.is_empty()
                && !folded.is_empty()
                && (folded.contains(&wanted) || wanted.contains(&folded));
            let distance = distance(&wanted, &folded);
            let limit = wanted.chars().count().max(folded.chars().count()) / 2;
            (contained || distance <= limit).then(|| (distance, name.to_owned()))
        })
        .collect();
    near.sort();
    near.dedup();
    near.into_iter().map(|(_, name)| name).take(CANDIDATES).collect()
}

/// Levenshtein's distance, over the first 64 characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().take(64).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, right) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let names = ["gnome-calculator", "gtk3-widget-factory", "Files"];
        assert_eq!(near("calculator", names.into_iter()), ["gnome-calculator"]);
        assert_eq!(near("gtk4-widget-factory", names.into_iter()), ["gtk3-widget-factory"]);
        assert_eq!(near("zzz", names.into_iter()), Vec::<String>::new());
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
