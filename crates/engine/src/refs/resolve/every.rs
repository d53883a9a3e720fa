//! All refs of a snapshot at once: their window is read a single time.

use agent_desktop_model::{
    error::{Code, Error},
    reference::{Ref, SnapshotId},
    tree::{NodeId, Tree},
};

use super::{Target, live_window};
use crate::{
    platform::{Cells, Deadline, Failure, Platform},
    refs::{Census, RefMap, refusal},
};

/// The live elements of all refs.
#[derive(Debug)]
pub struct Every {
    /// Their window as it is now.
    pub tree: Tree,
    /// Each ref, and its element unless it is gone or cannot be told from others.
    pub elements: Vec<(Ref, Option<NodeId>)>,
}

/// Finds the element of every ref of `snapshot`, in the order of their numbers, by the rules by which
/// [`super::resolve`] finds one.
pub fn resolve_every(
    platform: &dyn Platform,
    map: &RefMap,
    snapshot: &SnapshotId,
    deadline: Deadline,
) -> Result<Every, Error> {
    let references: Vec<Ref> =
        map.numbers().map(|number| Ref { snapshot: snapshot.clone(), number }).collect();
    let targets: Vec<Target<'_>> =
        references.iter().filter_map(|reference| Target::of(map, reference)).collect();
    let Some(first) = targets.first() else {
        return Err(Error::new(Code::InvalidArgs, format!("snapshot {snapshot} has no refs"))
            .suggest("Take a snapshot of the window, then name that."));
    };
    live_window(platform, first, deadline)?;
    let cells = match targets.iter().any(|target| target.entry.cell.is_some()) {
        true => Cells::Shown,
        false => Cells::Counted,
    };
    let tree = match platform.observe(&map.window.address, &[], cells, deadline) {
        Ok(tree) if tree.complete => tree,
        Ok(_) | Err(Failure::Timeout) => {
            return Err(refusal::not_answered(first.reference, deadline));
        }
        Err(Failure::Gone) => return Err(refusal::window_absent(first.reference, map)),
        Err(failure) => return Err(failure.about("the window", deadline)),
    };
    let census = Census::of_window(&tree);
    let element = |target: &Target<'_>| {
        let (node, _) = target.find(&tree, &census).ok()?;
        match target.entry.cell {
            None => Some(node),
            Some(place) => tree.subtree(node).find(|id| tree[*id].position == Some(place)),
        }
    };
    let elements =
        targets.iter().map(|target| (target.reference.clone(), element(target))).collect();
    Ok(Every { tree, elements })
}
