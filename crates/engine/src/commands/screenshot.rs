//! `screenshot`: what is to be seen.

use std::path::PathBuf;

use agent_desktop_model::{
    error::{Code, Error},
    geometry::Rect,
    reference::{Ref, SnapshotId},
    state::State,
    text::quoted,
    tree::{Field, FieldSet},
    wire,
};

use super::{Context, target};
use crate::{
    output,
    picture::{Pixels, base64, png},
    platform::{Captured, Deadline, Failure, Picture, Platform, Subject, Window},
    refs::{self, RefMap},
};

/// Take a picture of the screen, a display or a window
///
/// The format is PNG. Of a window it shows what `list-windows` gives the bounds of: without the frame
/// that the window manager draws and without shadows, also where other windows are in front of it.
/// A minimized window has no picture. The pointer is in no picture; menus that are open are in
/// those of the screen.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// File to write the picture to, in a directory that exists; without it the answer holds the
    /// picture as base64
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,

    /// Name of the application whose window is pictured, as `list-apps` or `list-windows` prints it;
    /// of several windows the only one that shows, or the focused one, is meant
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,

    /// Id of the window to picture, as `list-windows` prints it
    #[arg(long, value_name = "ID")]
    pub window_id: Option<String>,

    /// Number of the display to picture, in the order of `list-displays`, the primary one being 0
    #[arg(long, value_name = "N", conflicts_with_all = ["app", "window_id"])]
    pub screen: Option<usize>,

    /// Draw a box with its number around each element that has a ref in this snapshot, the latest
    /// one if no id is given, and list where they are. They are looked up anew, never drawn where they
    /// were. Without another aim, the window of the snapshot is pictured
    #[arg(long, value_name = "SNAPSHOT_ID", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub overlay_refs: Option<String>,

    /// Scale the picture down until neither side is longer, in pixels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_size: Option<u32>,

    /// Time for finding the window, taking the picture and looking up refs
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// The data of `screenshot`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Screenshot, Error> {
    let Context { platform, .. } = *context;
    let deadline = Deadline::after_ms(args.timeout_ms);
    let overlay = args.overlay_refs.as_deref().map(|id| snapshot(id, context)).transpose()?;
    let window = window(args, overlay.as_ref(), platform, deadline)?;
    let picture = match &window {
        Some(window) => of_window(window, platform, deadline)?,
        None => of_screen(args.screen, platform, deadline)?,
    };
    let place = picture.place;
    let mut pixels = Pixels::of(picture).ok_or_else(|| {
        Error::new(Code::Internal, "the picture has fewer pixels than it says")
            .suggest("Report it, with what was pictured.")
    })?;
    pixels = pixels.fitted(args.max_size.unwrap_or(u32::MAX));
    let scale = f64::from(pixels.width) / f64::from(place.width);

    let mut refs = None;
    let mut unplaced = Vec::new();
    let mut unseen = 0;
    if let Some((id, map)) = &overlay {
        let elements = live_bounds(id, map, platform, deadline)?;
        unmoved(window.as_ref(), place, platform, deadline)?;
        let mut drawn = Vec::new();
        for (reference, found) in elements {
            let Some(whole) = found else {
                unplaced.push(reference);
                continue;
            };
            let seen = whole.intersection(place);
            if !seen.has_area() {
                unseen += 1;
                continue;
            }
            pixels.mark(scaled(whole, place, scale), reference.number);
            drawn.push(wire::DrawnRef { bounds: scaled(seen, place, scale), reference });
        }
        refs = Some(drawn);
    }

    let bytes = png::encode(&pixels).map_err(|words| {
        Error::new(Code::Internal, "the picture could not be encoded")
            .suggest("Report it, with what was pictured.")
            .platform(words)
    })?;
    let (data, path) = match &args.path {
        Some(path) => (None, Some(output::write(path, &bytes)?.to_string_lossy().into_owned())),
        None => (Some(base64(&bytes)), None),
    };
    Ok(wire::Screenshot {
        bounds: place,
        data,
        format: "png",
        height: pixels.height,
        path,
        refs,
        scale_factor: scale,
        unplaced,
        unseen: (unseen > 0).then_some(unseen),
        width: pixels.width,
        window: window.map(|window| wire::WindowName { id: window.id, title: window.title }),
    })
}

/// The snapshot whose refs are drawn; the latest one where none is named.
fn snapshot(id: &str, context: &Context<'_>) -> Result<(SnapshotId, RefMap), Error> {
    let id = match id {
        "" => context.store.latest()?.map(|(id, _)| id).ok_or_else(|| {
            Error::new(Code::SnapshotNotFound, "there is no snapshot whose refs could be drawn")
                .suggest("Take a `snapshot` of the window first.")
        })?,
        id => SnapshotId::parse(id.trim_start_matches('@')).ok_or_else(|| {
            Error::new(Code::InvalidArgs, format!("{} is not the id of a snapshot", quoted(id))).suggest(
                "Pass `snapshot_id` as `snapshot` and `find` print it, or no id for the latest.",
            )
        })?,
    };
    let map = context.store.load(&id)?;
    Ok((id, map))
}

/// The window to picture; none where it is the screen.
fn window(
    args: &Args,
    overlay: Option<&(SnapshotId, RefMap)>,
    platform: &dyn Platform,
    deadline: Deadline,
) -> Result<Option<Window>, Error> {
    let named = target::Named {
        app: args.app.as_deref(),
        window_id: args.window_id.as_deref(),
        title: None,
    };
    match overlay {
        _ if args.screen.is_some() => Ok(None),
        None if named.is_empty() => Ok(None),
        None => target::shown(platform, &named, deadline).map(Some),
        Some((_, map)) if named.is_empty() => {
            let named = target::Named { window_id: Some(&map.window.id), ..named };
            target::shown(platform, &named, deadline).map(Some)
        }
        Some((id, map)) => {
            let window = target::shown(platform, &named, deadline)?;
            if window.id == map.window.id {
                return Ok(Some(window));
            }
            Err(Error::new(
                Code::InvalidArgs,
                format!("snapshot {id} is of another window, {}", map.window.id),
            )
            .suggest(
                "Name a snapshot of the window that is pictured, or name no window for that of \
                 the snapshot.",
            ))
        }
    }
}

fn of_window(
    window: &Window,
    platform: &dyn Platform,
    deadline: Deadline,
) -> Result<Picture, Error> {
    let id = &window.id;
    let about = |failure: Failure| failure.about(&format!("window {id}"), deadline);
    let Some(handle) = window.handle else {
        return Err(Error::new(
            Code::ActionNotSupported,
            format!("it is not certain which window of the display server window {id} is"),
        )
        .suggest(
            "Picture the screen instead, with `screenshot --screen 0`. Windows of one application \
             with the same title, place and size are not told apart.",
        ));
    };
    let standing = platform.standing(handle, deadline).map_err(about)?;
    if standing.minimized || !standing.visible {
        let (how, remedy) = match standing.minimized {
            true => ("minimized", format!("`restore --window-id {id}`")),
            false => ("not on the screen", format!("`focus-window --window-id {id}`")),
        };
        return Err(Error::new(
            Code::ActionFailed,
            format!("window {id} is {how}, and what is not drawn has no picture"),
        )
        .suggest(format!("Bring it back with {remedy}, then repeat.")));
    }
    match platform.capture(Subject::Window(handle), deadline).map_err(about)? {
        Captured::Picture(picture) => Ok(picture),
        Captured::Unpainted => Err(Error::new(
            Code::AppUnresponsive,
            format!(
                "part of window {id} is covered, and {} did not draw that part when it was asked to",
                window.app.name
            ),
        )
        .suggest(
            "Wait until the application answers again, or bring the window to the front with \
             `focus-window`.",
        )),
    }
}

fn of_screen(
    number: Option<usize>,
    platform: &dyn Platform,
    deadline: Deadline,
) -> Result<Picture, Error> {
    let about = |failure: Failure| failure.about("the screen", deadline);
    let subject = match number {
        None => Subject::Everything,
        Some(number) => {
            let displays = platform.displays(deadline).map_err(about)?;
            let display = displays.get(number).ok_or_else(|| {
                Error::new(
                    Code::InvalidArgs,
                    format!("there is no display {number}: there are {}", displays.len()),
                )
                .suggest("`list-displays` shows them; the first one is 0.")
            })?;
            Subject::Area(display.bounds)
        }
    };
    match platform.capture(subject, deadline).map_err(about)? {
        Captured::Picture(picture) => Ok(picture),
        Captured::Unpainted => Err(about(Failure::Timeout)),
    }
}

/// Every ref with its element's place now, which is without area where that does not show. Nothing
/// is told of an element that is gone or cannot be told from others.
fn live_bounds(
    id: &SnapshotId,
    map: &RefMap,
    platform: &dyn Platform,
    deadline: Deadline,
) -> Result<Vec<(Ref, Option<Rect>)>, Error> {
    let refs::Every { mut tree, elements } = refs::resolve_every(platform, map, id, deadline)?;
    let bounds: FieldSet = [Field::Bounds].into_iter().collect();
    let wants: Vec<_> =
        elements.iter().filter_map(|(_, node)| Some((node.as_ref().copied()?, bounds))).collect();
    let answered = platform
        .fill(&mut tree, &wants, deadline)
        .map_err(|failure| failure.about("the window", deadline))?;
    if !answered {
        return Err(Failure::Timeout.about("the place of each ref", deadline));
    }
    let place = |node| {
        let node = &tree[node];
        let shows = !node.states.has(State::Hidden) && !node.states.has(State::Offscreen);
        node.bounds.filter(|_| shows).unwrap_or_default()
    };
    Ok(elements.into_iter().map(|(reference, node)| (reference, node.map(place))).collect())
}

/// Refuses a picture whose window has moved since it was taken: boxes would stand beside what they
/// are around.
fn unmoved(
    window: Option<&Window>,
    place: Rect,
    platform: &dyn Platform,
    deadline: Deadline,
) -> Result<(), Error> {
    let Some(handle) = window.and_then(|window| window.handle) else { return Ok(()) };
    let now = platform.standing(handle, deadline).map(|standing| standing.bounds);
    match now.map_err(|failure| failure.about("the window", deadline))? == place {
        true => Ok(()),
        false => Err(Error::new(Code::ActionFailed, "the window moved while it was pictured")
            .suggest("Repeat the command once the window stands still.")),
    }
}

/// A part of the screen in pixels of the picture of `place`.
fn scaled(part: Rect, place: Rect, scale: f64) -> Rect {
    // Rounded once for each edge, so that neighbours stay neighbours.
    let edge = |at: i32, from: i32| (f64::from(at.saturating_sub(from)) * scale).round() as i32;
    let (x, y) = (edge(part.x, place.x), edge(part.y, place.y));
    Rect {
        x,
        y,
        width: edge(part.x.saturating_add(part.width), place.x) - x,
        height: edge(part.y.saturating_add(part.height), place.y) - y,
    }
}
