//! What `snapshot --root` and `find --root` share with each other and with `get` and `is`: from a
//! ref to what was read of its element.

use agent_desktop_model::{
    error::{Code, Details, Error},
    reference::Ref,
    role::Role,
    tree::{Address, FieldSet, Listing, NodeId, Tree},
};

use crate::{
    observe::{self, Shape, View},
    platform::{Deadline, Failure, Platform},
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

/// Resolves `reference` and reads everything below its element.
pub(crate) fn read(
    platform: &dyn Platform,
    map: &RefMap,
    reference: &Ref,
    deadline: Deadline,
) -> Result<Region, Error> {
    let Resolved { address, within, alone, reading, .. } =
        refs::resolve(platform, map, reference, deadline)?;
    // A closed menu's items may have stayed unread with their window.
    if let Some(Reading { tree, census, node }) = reading
        && !matches!(tree[node].children, Listing::Closed(items)
            if (tree.children(node).count() as u64) < items)
    {
        return Ok(Region { tree, census, top: node });
    }
    let tree = platform
        .observe(&address, &within, deadline)
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

/// The element of `reference` alone, with `fields`. It is read first and resolved afterwards, so
/// that what was read is the element's: a row may be given other content at any moment.
pub(crate) fn element(
    platform: &dyn Platform,
    map: &RefMap,
    reference: &Ref,
    fields: FieldSet,
    deadline: Deadline,
) -> Result<Tree, Error> {
    let (mut address, mut within) =
        map.place(reference.number).ok_or_else(|| refs::absent(reference))?;
    // An element that is found at another address than it was saved with is read there once more.
    for _ in 0..2 {
        let read = alone(platform, &address, &within, fields, deadline);
        let resolved = refs::resolve(platform, map, reference, deadline)?;
        if resolved.address == address {
            return read.map_err(|failure| about(failure, reference, deadline));
        }
        (address, within) = (resolved.address, resolved.within);
    }
    Err(vanished(reference))
}

fn alone(
    platform: &dyn Platform,
    address: &Address,
    within: &[Role],
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
    Error::new(
        Code::Timeout,
        format!("only {observed} elements were read within {} ms", deadline.elapsed_ms()),
    )
    .suggest(
        "Raise --timeout-ms, or ask for a smaller region: drill deeper first, or use a surface.",
    )
    .details(Details::Deadline {
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
