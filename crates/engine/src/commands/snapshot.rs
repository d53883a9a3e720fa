//! `snapshot`: read a window, a surface or the region below a ref.

use agent_desktop_model::{
    error::{Code, Error},
    reference::Ref,
    wire,
};

use super::{Context, saving, target};
use crate::{
    observe::{self, Hidden, Shape},
    platform::{Cells, Deadline, Platform},
    refs::{self, Census, RefMap},
    region,
};

/// Read a window as a tree of elements with refs
///
/// The tree is cut at a depth; a cut container says how many children it has and, where it can be
/// recognised again, carries a ref to drill into with --root. Time running out gives what was
/// read, with `complete: false`; a drill is all or nothing.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub target: target::Args,

    /// Only elements that can be operated or drilled, and what holds them
    #[arg(short, long)]
    pub interactive_only: bool,

    /// Collapse containers that say nothing and hold one child
    #[arg(long)]
    pub compact: bool,

    /// First three levels of what shows, as a map to drill into
    #[arg(long)]
    pub skeleton: bool,

    /// Ref of the element whose subtree is read into the same snapshot
    #[arg(long, value_name = "REF")]
    pub root: Option<String>,

    /// Levels to read, wrappers not counted; 50 at most
    #[arg(long, value_name = "N", default_value_t = DEPTH)]
    pub max_depth: u32,

    /// Place of each element, in screen pixels
    #[arg(long)]
    pub include_bounds: bool,

    /// Time for reading the tree
    #[arg(long, value_name = "MS", default_value_t = TIMEOUT_MS)]
    pub timeout_ms: u64,

    /// No advice on starting Chromium with accessibility, which is known to be on
    #[arg(long)]
    pub force_electron_a11y: bool,
}

const DEPTH: u32 = 10;
const TIMEOUT_MS: u64 = 3_000;
const MAX_DEPTH: u32 = 50;
const SKELETON_DEPTH: u32 = 3;

impl Default for Args {
    /// As if no flag were given.
    fn default() -> Self {
        Self {
            target: target::Args::default(),
            interactive_only: false,
            compact: false,
            skeleton: false,
            root: None,
            max_depth: DEPTH,
            include_bounds: false,
            timeout_ms: TIMEOUT_MS,
            force_electron_a11y: false,
        }
    }
}

/// The data of `snapshot`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Snapshot, Error> {
    check(args)?;
    let deadline = || Deadline::after_ms(args.timeout_ms);
    match &args.root {
        Some(root) => {
            args.target.refuse_surface_beside_root()?;
            drill(args, &target::reference(root)?, context)
        }
        None => {
            let (scope, deadline) =
                target::scope(context.platform, &args.target, cells(args), deadline)?;
            capture(args, scope, deadline, context)
        }
    }
}

/// Refuses what no window is asked for.
pub(super) fn check(args: &Args) -> Result<(), Error> {
    if args.max_depth > MAX_DEPTH {
        return Err(Error::new(
            Code::InvalidArgs,
            format!("--max-depth {} is too deep: {MAX_DEPTH} levels can be read", args.max_depth),
        )
        .suggest(format!(
            "Pass at most --max-depth {MAX_DEPTH}; what lies deeper is reached by drilling a ref \
             with `snapshot --root`."
        )));
    }
    Ok(())
}

fn shape(args: &Args) -> Shape {
    Shape {
        interactive_only: args.interactive_only,
        compact: args.compact,
        include_bounds: args.include_bounds,
    }
}

/// A skeleton shows what containers there are; of a sheet, that is its size.
pub(super) fn cells(args: &Args) -> Cells {
    if args.skeleton { Cells::Counted } else { Cells::Shown }
}

/// Lists, saves and prints what was read.
pub(super) fn capture(
    args: &Args,
    scope: target::Scope,
    deadline: Deadline,
    context: &Context<'_>,
) -> Result<wire::Snapshot, Error> {
    let Context { platform, store, .. } = *context;
    let shape = shape(args);
    let target::Scope { window, address, surface, mut tree, top, .. } = scope;

    let max_depth = if args.skeleton { args.max_depth.min(SKELETON_DEPTH) } else { args.max_depth };
    let hidden = if args.skeleton { Hidden::Folded } else { Hidden::Listed };
    let view = observe::list(&tree, top, max_depth, hidden);
    let answered = region::fill(platform, &mut tree, &view, shape, deadline)?;
    let view = observe::without_blanks(&tree, view);
    let complete = tree.complete && answered;

    let desktop =
        platform.desktop(deadline).map_err(|failure| failure.about("the desktop", deadline))?.0;
    let census = Census::of_window(&tree);
    let mut map = RefMap::new(desktop, &window, address, surface);
    let numbers = refs::allocate(&mut map, &tree, &census, &view);
    let snapshot_id = store.create(&map, saving())?;

    let within = |node| census.within_of_twin(&tree, node);
    let advice = tree.thin.clone().filter(|_| !args.force_electron_a11y);
    Ok(wire::Snapshot {
        after_action: None,
        already: false,
        app: window.app.name,
        complete,
        coordinates: coordinates(platform, shape),
        elapsed_ms: None,
        gone: false,
        matched_selector: None,
        nodes_observed: (!complete).then_some(tree.len() as u64),
        ref_count: map.len() as u64,
        tree: observe::print(&tree, &view, shape, &snapshot_id, &numbers, within),
        snapshot_id,
        suggestion: advice,
        truncated: !complete,
        window: Some(wire::WindowName { id: window.id, title: window.title }),
    })
}

fn drill(args: &Args, root: &Ref, context: &Context<'_>) -> Result<wire::Snapshot, Error> {
    let Context { platform, store, .. } = *context;
    let shape = shape(args);
    let deadline = Deadline::after_ms(args.timeout_ms);
    let map = store.load(&root.snapshot)?;
    let region::Region { mut tree, census, top } =
        region::read(platform, &map, root, Cells::Shown, deadline)?;

    let view = observe::list(&tree, top, args.max_depth, Hidden::Listed);
    if !region::fill(platform, &mut tree, &view, shape, deadline)? {
        return Err(region::incomplete(&tree, deadline));
    }
    let view = observe::without_blanks(&tree, view);
    // Others may have drilled the same snapshot meanwhile: what is saved now is what is added to.
    let (numbers, ref_count) = store.update(&root.snapshot, saving(), |map| {
        let (map, numbers) = refs::merge_drill(map, root.number, &tree, &census, &view)
            .ok_or_else(|| refs::absent(root))?;
        let ref_count = map.len() as u64;
        Ok((map, (numbers, ref_count)))
    })?;

    let within = |node| census.within_of_twin(&tree, node);
    Ok(wire::Snapshot {
        after_action: None,
        already: false,
        app: map.window.app_name,
        complete: true,
        coordinates: coordinates(platform, shape),
        elapsed_ms: None,
        gone: false,
        matched_selector: None,
        nodes_observed: None,
        ref_count,
        tree: observe::print(&tree, &view, shape, &root.snapshot, &numbers, within),
        snapshot_id: root.snapshot.clone(),
        suggestion: tree.thin.clone().filter(|_| !args.force_electron_a11y),
        truncated: false,
        window: None,
    })
}

/// What bounds are counted from, where any are printed.
fn coordinates(platform: &dyn Platform, shape: Shape) -> wire::Coordinates {
    match shape.include_bounds {
        true => platform.coordinates(),
        false => wire::Coordinates::Screen,
    }
}
