//! What a command is about: a ref, a window, or a surface of one. Absence and ambiguity are typed
//! errors with candidates.

use std::time::Duration;

use agent_desktop_model::{
    error::{Code, Details, Error, WindowCandidate},
    reference::{Malformed, Ref},
    role::Role,
    state::State,
    surface::SurfaceKind,
    text::{brief, fold, quoted},
    tree::{Address, NodeId, Tree},
};

use crate::{
    layers::{self, Layers},
    observe::surfaces,
    platform::{App, Cells, Deadline, Failure, Platform, Window},
};

/// The flags that name a window or one of its surfaces.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(skip)]
pub struct Args {
    /// Name of the application, as `list-apps` prints it; of several windows that show, the focused
    /// one is meant. Default is the focused window
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,

    /// Id of the window, as `list-windows` prints it, or of a surface
    #[arg(long, value_name = "ID")]
    pub window_id: Option<String>,

    /// Surface: window, focused, menu, menubar, sheet, popover or alert, or an id as
    /// `list-surfaces` prints it
    #[arg(long, value_name = "KIND")]
    pub surface: Option<String>,
}

/// What names a window that need not be readable: one that is arranged, typed into or pictured.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Named<'a> {
    pub(crate) app: Option<&'a str>,
    pub(crate) window_id: Option<&'a str>,
    /// Part of its title, in any case.
    pub(crate) title: Option<&'a str>,
}

/// What of a window is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted<'a> {
    /// The one that is open of its kind; of the kind of a window, the window itself.
    Kind(SurfaceKind),
    /// The surface of this kind with this id.
    One(SurfaceKind, &'a str),
}

/// A window that was read, and the part of it that the command is about.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) window: Window,
    /// The other windows of the application from which this one was chosen, where it was.
    pub(crate) others: Vec<Window>,
    /// Where the window's own accessible is.
    pub(crate) address: Address,
    pub(crate) surface: SurfaceKind,
    pub(crate) tree: Tree,
    pub(crate) top: NodeId,
}

/// How long finding the window may take. It does not count against the time for the tree.
pub(crate) const FINDING: Duration = Duration::from_secs(1);

/// How many candidates an error names.
const CANDIDATES: usize = 5;

impl Args {
    /// What of a window is asked for.
    fn wanted(&self) -> Result<Wanted<'_>, Error> {
        let ids = self.surface.iter().chain(&self.window_id);
        if let Some((kind, id)) = ids.map(String::as_str).find_map(surface_id) {
            return Ok(Wanted::One(kind, id));
        }
        let Some(token) = &self.surface else { return Ok(Wanted::Kind(SurfaceKind::Window)) };
        let kinds: Vec<&str> = SurfaceKind::ALL
            .iter()
            .filter(|kind| !kind.is_shell())
            .map(|kind| kind.token())
            .collect();
        match SurfaceKind::parse(token) {
            Some(kind) if !kind.is_shell() => Ok(Wanted::Kind(kind)),
            Some(kind) => Err(Error::new(
                Code::PlatformNotSupported,
                format!("the shell's surface {} cannot be read here", kind.token()),
            )
            .suggest(format!("Surfaces of applications can be: {}.", kinds.join(", ")))),
            None => Err(Error::new(
                Code::InvalidArgs,
                format!("{} is not a kind of surface", quoted(token)),
            )
            .suggest(format!("Use one of: {}; or an id from `list-surfaces`.", kinds.join(", ")))),
        }
    }

    /// Refuses a surface beside a ref, which names its own.
    pub(crate) fn refuse_surface_beside_root(&self) -> Result<(), Error> {
        match self.wanted()? {
            Wanted::Kind(SurfaceKind::Window) => Ok(()),
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
            Malformed::Bare => {
                error(format!("{} does not say which snapshot it is from", quoted(token)))
                    .suggest("Pass the ref as it was printed, for example @s8f3k2p9abcd01:e1.")
            }
            Malformed::Shape => error(format!("{} is not a ref", quoted(token)))
                .suggest("A ref looks like @s8f3k2p9abcd01:e1; `snapshot` and `find` print them."),
        }
    })
}

/// The kind of surface that `id` is of, if it is the id of one and not of a window.
fn surface_id(id: &str) -> Option<(SurfaceKind, &str)> {
    let (kind, rest) = id.split_once('-')?;
    let kind = SurfaceKind::parse(kind).filter(|kind| !kind.is_shell())?;
    rest.starts_with(|first: char| first.is_ascii_digit()).then_some((kind, id))
}

/// The window that `args` name; the focused one if they name none.
pub(crate) fn window(
    platform: &dyn Platform,
    args: &Args,
    deadline: Deadline,
) -> Result<Window, Error> {
    choose(platform, args, deadline).map(|(window, _)| window)
}

/// The same, with the windows that it was chosen from.
fn choose(
    platform: &dyn Platform,
    args: &Args,
    deadline: Deadline,
) -> Result<(Window, Vec<Window>), Error> {
    match (&args.window_id, &args.app) {
        (Some(id), _) => by_id(platform, id, deadline).map(|window| (window, Vec::new())),
        (None, Some(name)) => by_app(platform, name, deadline),
        (None, None) => focused(platform, deadline).map(|window| (window, Vec::new())),
    }
}

impl Named<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.app.is_none() && self.window_id.is_none() && self.title.is_none()
    }
}

/// The window that is `named`, whether it can be read or not; the focused one if none is.
pub(crate) fn shown(
    platform: &dyn Platform,
    named: &Named<'_>,
    deadline: Deadline,
) -> Result<Window, Error> {
    if let Some(id) = named.window_id {
        return by_id(platform, id, deadline);
    }
    if named.is_empty() {
        return focused(platform, deadline);
    }
    let about = |failure: Failure| failure.about("the list of windows", deadline);
    let mut apps = platform.apps(deadline).map_err(about)?;
    let wanted = named.app.map(fold);
    let is_wanted = |app: &App| wanted.as_ref().is_none_or(|wanted| app.is_called(wanted));
    apps.retain(is_wanted);
    // Those that cannot be read come last: only then is it known who does not answer.
    let (mut windows, silent) = match apps.is_empty() {
        true => Default::default(),
        false => platform.windows(&apps, deadline).map_err(about)?,
    };
    let (mut others, _) = platform.windows(&[], deadline).map_err(about)?;
    others.retain(|window| is_wanted(&window.app));
    windows.extend(others);
    if let Some(name) = named.app.filter(|_| windows.is_empty()) {
        self::apps(platform, name, deadline)?;
        if let Some(App { silence: why, .. }) = silent.into_iter().next() {
            return Err(Failure::Unresponsive { app: name.to_owned(), why }.about(name, deadline));
        }
    }
    if let Some(title) = named.title.map(fold) {
        windows.retain(|window| fold(&window.title).contains(&title));
    }
    let Some(first) = windows.first() else {
        let title = named.title.map(|title| format!(" with a title like {}", quoted(title)));
        let of = named.app.map(|app| format!(" of {}", quoted(app)));
        return Err(Error::new(
            Code::WindowNotFound,
            format!("there is no window{}{}", of.unwrap_or_default(), title.unwrap_or_default()),
        )
        .suggest("`list-windows` shows which there are; wait for it, or open it, then repeat."));
    };
    match chosen(&windows)[..] {
        [only] => Ok(only.clone()),
        ref left => Err(ambiguous(named.app.or(named.title).unwrap_or_default(), left, first)),
    }
}

/// Those of `windows` that stand out; one of them if any one does.
fn chosen(windows: &[Window]) -> Vec<&Window> {
    // Each sieve is tried on what the ones before it left, and only if it leaves something.
    let sieves: [fn(&Window) -> bool; 4] = [
        |window| window.visible,
        |window| window.role != Role::Popover,
        |window| window.focused,
        |window| window.address.is_some(),
    ];
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
    left
}

/// The windows that somebody may mean as well as `window`: those of its application that show.
pub(crate) fn beside<'a>(
    window: &'a Window,
    all: &'a [Window],
) -> impl Iterator<Item = &'a Window> {
    let shows = |other: &&Window| other.visible && other.role != Role::Popover;
    all.iter().filter(|other| other.id != window.id && other.address.is_some()).filter(shows)
}

/// Reads the window that `args` name, and finds the surface in it. Finding the window has a
/// limit of its own; `deadline` is made when reading begins.
pub(crate) fn scope(
    platform: &dyn Platform,
    args: &Args,
    cells: Cells,
    deadline: impl FnOnce() -> Deadline,
) -> Result<(Scope, Deadline), Error> {
    let wanted = args.wanted()?;
    let finding = Deadline::after(FINDING);
    if wanted == Wanted::Kind(SurfaceKind::Window) {
        let (window, others) = choose(platform, args, finding)?;
        let deadline = deadline();
        let (address, tree) = layers::observe(platform, &window, cells, deadline)?;
        let top = tree.root();
        let surface = SurfaceKind::Window;
        return Ok((Scope { window, others, address, surface, tree, top }, deadline));
    }
    let window_id = args.window_id.as_ref().filter(|id| surface_id(id).is_none());
    let apps = match (window_id, &args.app, wanted) {
        (Some(_), ..) => Vec::new(),
        (None, Some(name), _) => apps(platform, name, finding)?,
        (None, None, Wanted::One(_, id)) => apps_of_surface(platform, id, finding)?,
        (None, None, Wanted::Kind(_)) => vec![focused(platform, finding)?.app],
    };
    let windows = match window_id {
        Some(id) => vec![by_id(platform, id, finding)?],
        None => layers::windows(platform, &apps, finding)?,
    };
    let deadline = deadline();
    Ok((surface_of(platform, windows, wanted, cells, deadline)?, deadline))
}

/// The applications of which one may have the surface `id`, which begins with its name on the bus.
fn apps_of_surface(
    platform: &dyn Platform,
    id: &str,
    deadline: Deadline,
) -> Result<Vec<App>, Error> {
    let all = platform.apps(deadline).map_err(|failure| failure.about("the desktop", deadline))?;
    let named = id.split_once('-').map_or("", |(_, named)| named);
    let has_it = |app: &App| {
        let rest = named.strip_prefix(app.id.trim_start_matches(':'));
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
    };
    let found: Vec<App> = all.into_iter().filter(has_it).collect();
    match found.is_empty() {
        true => Err(no_surface(format!("there is no surface {}", quoted(id)), Vec::new())),
        false => Ok(found),
    }
}

fn surface_of(
    platform: &dyn Platform,
    windows: Vec<Window>,
    wanted: Wanted<'_>,
    cells: Cells,
    deadline: Deadline,
) -> Result<Scope, Error> {
    let (Wanted::Kind(kind) | Wanted::One(kind, _)) = wanted;
    let mut open = Vec::new();
    let mut matching = Vec::new();
    let mut popup = None;
    for Layers { window, address, tree, found } in layers::read(platform, windows, cells, deadline)?
    {
        open.extend(found.iter().map(|surface| surface.kind.token().to_owned()));
        let top = match kind {
            SurfaceKind::Focused if window.focused => Some(focused_surface(&tree, &found)),
            SurfaceKind::Focused if surfaces::is_popup(&tree, &found) => {
                popup = Some(matching.len());
                found.first().map(|surface| surface.node)
            }
            SurfaceKind::Focused => None,
            // A submenu stands inside its menu: the outermost one comes first and holds it.
            _ => {
                let is_wanted = |it: &&surfaces::Found| match wanted {
                    Wanted::Kind(kind) => it.kind == kind,
                    Wanted::One(_, id) => surfaces::id(it.kind, &tree[it.node].address) == id,
                };
                found.iter().find(is_wanted).map(|surface| surface.node)
            }
        };
        if let Some(top) = top {
            let others = Vec::new();
            matching.push(Scope { window, others, address, surface: kind, tree, top });
        }
    }
    if let Some(popup) = popup {
        // Keys go to a menu that is open, while the window that it belongs to keeps the focus.
        matching = vec![matching.swap_remove(popup)];
    }
    if matching.len() > 1 && matching.iter().any(|scope| scope.window.focused) {
        matching.retain(|scope| scope.window.focused);
    }
    match matching.len() {
        1 => Ok(matching.remove(0)),
        0 => {
            open.dedup();
            Err(no_surface(
                match wanted {
                    Wanted::Kind(kind) => format!("no {} is open", kind.token()),
                    Wanted::One(_, id) => format!("there is no surface {}", quoted(id)),
                },
                open,
            ))
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

/// The error of a surface that is not open, where those of `open` are.
fn no_surface(message: String, open: Vec<String>) -> Error {
    Error::new(Code::ElementNotFound, message)
        .suggest(match open.is_empty() {
            true => {
                "If the application has one, open it first; `list-surfaces` shows what is open."
                    .to_owned()
            }
            false => format!("Open now: {}.", open.join(", ")),
        })
        .details(Details::SurfaceCandidates { surfaces: open })
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
    let named: Vec<App> = all.iter().filter(|app| app.is_called(&wanted)).cloned().collect();
    if named.is_empty() {
        // A program that is missing on the bus may have a window all the same.
        let (windows, _) = platform.windows(&[], deadline).unwrap_or_default();
        return Err(match windows.iter().find(|window| window.app.is_called(&wanted)) {
            Some(window) => layers::unreadable(window),
            None => unknown_app(name, &all),
        });
    }
    let responding: Vec<App> = named.iter().filter(|app| app.responding).cloned().collect();
    match responding.is_empty() {
        true => {
            let why = named.into_iter().find_map(|app| app.silence);
            Err(Failure::Unresponsive { app: name.to_owned(), why }
                .about("the application", deadline))
        }
        false => Ok(responding),
    }
}

pub(crate) fn by_id(
    platform: &dyn Platform,
    id: &str,
    deadline: Deadline,
) -> Result<Window, Error> {
    platform.window(id, deadline).map_err(|failure| match failure {
        Failure::Gone => by_id_gone(id),
        other => other.about(&format!("window {}", quoted(id)), deadline),
    })
}

fn by_id_gone(id: &str) -> Error {
    Error::new(Code::WindowNotFound, format!("there is no window {}", quoted(id)))
        .suggest("Take an id from `list-windows`; an id ends with its window.")
}

fn by_app(
    platform: &dyn Platform,
    name: &str,
    deadline: Deadline,
) -> Result<(Window, Vec<Window>), Error> {
    let apps = apps(platform, name, deadline)?;
    let windows = layers::windows(platform, &apps, deadline)?;
    let Some(first) = windows.first() else {
        return Err(Error::new(
            Code::AppNotFound,
            format!("{} runs but has no window", quoted(name)),
        )
        .suggest("Wait for its window, or open one, then repeat; `list-windows` shows them."));
    };
    match chosen(&windows)[..] {
        [only] => {
            let chosen = only.clone();
            Ok((chosen, windows))
        }
        ref left => Err(ambiguous(name, left, first)),
    }
}

pub(crate) fn focused(platform: &dyn Platform, deadline: Deadline) -> Result<Window, Error> {
    let focused = platform
        .focused_window(deadline)
        .map_err(|failure| failure.about("the focused window", deadline))?;
    focused.ok_or_else(|| {
        Error::new(Code::WindowNotFound, "no window has the focus")
            .suggest("Name the application with --app; `list-apps` shows what runs.")
    })
}

pub(crate) fn unknown_app(name: &str, all: &[App]) -> Error {
    let near = near(name, all.iter().map(|app| app.name.as_str()));
    let silent: Vec<String> = all
        .iter()
        .filter(|app| !app.responding)
        .map(|app| match app.process {
            Some(process) => format!("{} (pid {})", brief(&app.name), process.pid),
            None => brief(&app.name),
        })
        .take(CANDIDATES)
        .collect();
    let mut advice = Vec::new();
    if let Some(best) = near.first() {
        advice.push(format!("Did you mean {}?", quoted(best)));
    }
    if !silent.is_empty() {
        advice.push(format!(
            "It may be one of those that do not answer and so do not tell their names: {}. Wait \
             until it answers again, or restart it.",
            silent.iter().map(|it| quoted(it).to_string()).collect::<Vec<_>>().join(", ")
        ));
    }
    advice.push("`list-apps` shows what runs.".to_owned());
    if advice.len() == 1 {
        advice.push(
            "An application that is missing there may have been started without accessibility."
                .to_owned(),
        );
    }
    Error::new(Code::AppNotFound, format!("no application is called {}", quoted(name)))
        .suggest(advice.join(" "))
        .details(Details::AppCandidates { apps: near, silent })
}

/// The first of `windows`, for whoever has to choose.
pub(crate) fn candidates(windows: &[&Window]) -> Details {
    let windows = windows.iter().take(CANDIDATES).map(|window| candidate(window)).collect();
    Details::WindowCandidates { windows }
}

fn ambiguous(name: &str, windows: &[&Window], first: &Window) -> Error {
    Error::new(
        Code::AmbiguousTarget,
        format!("{} has {} windows and none of them stands out", quoted(name), windows.len()),
    )
    .suggest(format!("Name one of them, for example --window-id {}.", first.id))
    .details(candidates(windows))
}

fn candidate(window: &Window) -> WindowCandidate {
    WindowCandidate {
        app_name: brief(&window.app.name),
        id: window.id.clone(),
        title: brief(&window.title),
    }
}

/// The names that a person may have meant by `wanted`, best first.
pub(crate) fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
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
    near.into_iter().map(|(_, name)| brief(&name)).take(CANDIDATES).collect()
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
