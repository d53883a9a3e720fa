//! From a ref to what was read of its element, alone or with all below it: what drills, questions,
//! waits and actions begin with.

use agent_desktop_model::{
    error::{Code, Details, Error},
    reference::Ref,
    tree::{Address, FieldSet, Listing, NodeId, Tree},
};

use crate::{
    observe::{self, Shape, View},
    platform::{Above, Cells, Deadline, Failure, Platform, Witness},
    refs::{self, Census, Reading, RefMap, Resolved},
};

/// A region of a window, wholly read.
#[derive(Debug)]
pub(crate) struct Region {
    pub(crate) tree: Tree,
    pub(crate) census: Census,
    /// The element of the ref.
    pub(crate) top: NodeId,
}

/// The element of a ref, alone.
#[derive(Debug)]
pub(crate) struct Element {
    /// Its root is the element.
    pub(crate) tree: Tree,
    /// What it stands in, nearest first.
    pub(crate) within: Vec<Above>,
    /// By what it was told that it is the element.
    pub(crate) witnesses: Vec<Witness>,
}

/// Resolves `reference` and reads everything below its element.
pub(crate) fn read(
    platform: &dyn Platform,
    map: &RefMap,
    reference: &Ref,
    cells: Cells,
    deadline: Deadline,
) -> Result<Region, Error> {
    let Resolved { address, within, alone, reading, .. } =
        refs::resolve(platform, map, reference, deadline)?;
    if let Some(Reading { tree, census, node }) = reading
        && !has_unread(&tree, node, cells)
    {
        return Ok(Region { tree, census, top: node });
    }
    let tree = platform
        .observe(&address, &within, cells, deadline)
        .map_err(|failure| about(failure, reference, deadline))?;
    if !tree.complete {
        return Err(incomplete(&tree, deadline));
    }
    let census = match map.surroundings(reference.number, alone) {
        Some(surroundings) => Census::of(&tree, &surroundings),
        None => return Err(refs::absent(reference)),
    };
    let top = tree.root();
    Ok(Region { tree, census, top })
}

/// Whether something below `top` stayed unread when its window was read to find it: items of a menu
/// that is closed, cells of a sheet.
fn has_unread(tree: &Tree, top: NodeId, cells: Cells) -> bool {
    let listed = |id| tree.children(id).count() as u64;
    let lacks_items = matches!(tree[top].children, Listing::Closed(items) if listed(top) < items);
    let lacks_cells = || tree.subtree(top).any(|id| tree[id].is_sheet() && listed(id) == 0);
    lacks_items || (cells == Cells::Shown && lacks_cells())
}

/// The element of `reference` alone, with `fields`. It is read first and resolved afterwards, so
/// that what was read is the element's: a row may be given other content at any moment.
pub(crate) fn element(
    platform: &dyn Platform,
    map: &RefMap,
    reference: &Ref,
    fields: FieldSet,
    deadline: Deadline,
) -> Result<Element, Error> {
    let (mut address, mut within) =
        map.place(reference.number).ok_or_else(|| refs::absent(reference))?;
    // An element that is found at another address than it was saved with is read there once more.
    let mut told_by = Vec::new();
    for _ in 0..2 {
        let read = alone(platform, &address, &within, fields, deadline);
        // Who hangs was asked for as long as there is; there is no time to ask it for anything else.
        if let Err(silent @ Failure::Unresponsive { .. }) = read {
            return Err(about(silent, reference, deadline));
        }
        let resolved = refs::resolve(platform, map, reference, deadline)?;
        let Resolved { address: at, within: around, witnesses, fresh, .. } = resolved;
        let read = match fresh {
            true => alone(platform, &at, &around, fields, deadline),
            false => read,
        };
        let is_itself = |tree: &Tree| {
            let is_other = |it: &Witness| it.address == at && it.digest != tree[tree.root()].digest;
            !witnesses.iter().any(is_other)
        };
        if (fresh || at == address) && read.as_ref().map_or(true, is_itself) {
            return read
                .map(|tree| Element {
                    tree: named(tree, map, reference),
                    within: around,
                    witnesses,
                })
                .map_err(|failure| about(failure, reference, deadline));
        }
        told_by = witnesses;
        (address, within) = (at, around);
    }
    // Qt 5.15.8 makes cells of trees anew whenever they are listed, so that each reading of the
    // window finds another address, which then stays with its cell.
    let tree = alone(platform, &address, &within, fields, deadline)
        .map_err(|failure| about(failure, reference, deadline))?;
    let digest = tree[tree.root()].digest;
    match told_by.iter().any(|it: &Witness| it.address == address && it.digest == digest) {
        true => Ok(Element { tree: named(tree, map, reference), within, witnesses: told_by }),
        false => Err(vanished(reference)),
    }
}

/// The element with the name by which its label calls it; the label has just been seen to say so
/// still.
fn named(mut tree: Tree, map: &RefMap, reference: &Ref) -> Tree {
    let root = tree.root();
    if let (true, Some(name)) = (tree[root].name.is_empty(), map.called(reference.number)) {
        tree[root].name = name.into();
    }
    tree
}

fn alone(
    platform: &dyn Platform,
    address: &Address,
    within: &[Above],
    fields: FieldSet,
    deadline: Deadline,
) -> Result<Tree, Failure> {
    let mut tree = platform.read(address, within, deadline)?;
    let root = tree.root();
    match fields.is_empty() || platform.fill(&mut tree, &[(root, fields)], deadline)? {
        true => Ok(tree),
        false => Err(Failure::Timeout),
    }
}

/// Reads the fields that will be printed of what is listed. Whether all of them were answered.
pub(crate) fn fill(
    platform: &dyn Platform,
    tree: &mut Tree,
    view: &View,
    shape: Shape,
    deadline: Deadline,
) -> Result<bool, Error> {
    let mut answered = true;
    for wants in [observe::identities, observe::details] {
        let wants = wants(tree, view, shape);
        answered &= wants.is_empty()
            || platform
                .fill(tree, &wants, deadline)
                .map_err(|failure| failure.about("the window", deadline))?;
    }
    Ok(answered)
}

/// The error of a command that must read all of a region and could not.
pub(crate) fn incomplete(tree: &Tree, deadline: Deadline) -> Error {
    let observed = tree.len() as u64;
    let (message, suggestion) = match deadline.passed() {
        true => (
            format!("only {observed} elements were read within {} ms", deadline.elapsed_ms()),
            "Raise --timeout-ms, or ask for a smaller region: drill deeper first, or use a surface.",
        ),
        // More time would not help.
        false => (
            format!(
                "only {observed} elements could be read: there are too many, or the application \
                 does not answer for others what it is asked"
            ),
            "`snapshot` shows where they end (`subtree_truncated`); ask for a region that is whole, \
             with --root.",
        ),
    };
    Error::new(Code::Timeout, message).suggest(suggestion).details(Details::Deadline {
        elapsed_ms: deadline.elapsed_ms(),
        timeout_ms: deadline.limit_ms(),
    })
}

fn about(failure: Failure, reference: &Ref, deadline: Deadline) -> Error {
    match failure {
        Failure::Gone => vanished(reference),
        other => other.about(&reference.to_string(), deadline),
    }
}

fn vanished(reference: &Ref) -> Error {
    Error::new(Code::StaleRef, format!("the element of {reference} changed while it was read"))
        .suggest("Take a new snapshot and use its refs.")
        .details(Details::SavedRefAbsent { r#ref: reference.to_string() })
}
