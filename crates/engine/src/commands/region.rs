//! What `snapshot --root` and `find --root` share with each other and with `get` and `is`: from a
//! ref to what was read of its element.

use agent_desktop_model::{
    error::{Code, Details, Error},
    reference::Ref,
    tree::{FieldSet, Listing, NodeId, Tree},
};

use crate::{
    observe::{self, Shape, View},
    platform::{Deadline, Failure, Platform, Probe},
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

/// Resolves `reference` and reads its element alone, with `fields`.
pub(crate) fn element(
    platform: &dyn Platform,
    map: &RefMap,
    reference: &Ref,
    fields: FieldSet,
    deadline: Deadline,
) -> Result<(Tree, NodeId), Error> {
    let resolved = refs::resolve(platform, map, reference, deadline)?;
    let (mut tree, node) = match resolved.reading {
        Some(reading) => (reading.tree, reading.node),
        None => {
            let tree = platform
                .read(&resolved.address, &resolved.within, deadline)
                .map_err(|failure| about(failure, reference, deadline))?;
            let root = tree.root();
            (tree, root)
        }
    };
    if fields.is_empty() {
        return Ok((tree, node));
    }
    let answered = platform
        .fill(&mut tree, &[(node, fields)], deadline)
        .map_err(|failure| about(failure, reference, deadline))?;
    // A row may have been given other content between the two reads: what was read second is only
    // the element's if the element is still the same afterwards.
    let probes = platform
        .probe(std::slice::from_ref(&tree[node].address), deadline)
        .map_err(|failure| about(failure, reference, deadline))?;
    match probes.first() {
        Some(Probe::Alive { digest, .. }) if answered && *digest == tree[node].digest => {
            Ok((tree, node))
        }
        Some(Probe::Alive { .. } | Probe::Gone) if answered => Err(vanished(reference)),
        _ => Err(Failure::Timeout.about(&reference.to_string(), deadline)),
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
    if !deadline.passed() {
        return Error::new(
            Code::Timeout,
            format!("only {} elements were read: the region holds too many", tree.len()),
        )
        .suggest("Ask for a smaller region: drill deeper first, or use a surface.")
        .details(Details::ObservationIncomplete {
            elapsed_ms: deadline.elapsed_ms(),
            nodes_observed: tree.len() as u64,
            timeout_ms: deadline.limit_ms(),
        });
    }
    Failure::Timeout.about("the region", deadline)
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
