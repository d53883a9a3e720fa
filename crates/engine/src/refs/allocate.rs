//! Which listed elements get a ref, and its number.

use agent_desktop_model::{
    geometry::Rect,
    selector::is_refable,
    tree::{NodeId, Tree},
};

use super::{
    census::Census,
    drill::Region,
    map::{Capture, RefMap},
};
use crate::observe::{Cut, Entry, View};

/// Numbers the listed elements of a whole window, in document order: everything that can be
/// operated, and what can be drilled where children were left out on purpose. Returns the number
/// of each entry of `view`.
pub fn allocate(map: &mut RefMap, tree: &Tree, census: &Census, view: &View) -> Vec<Option<u32>> {
    map.remember_addresses(tree);
    let deserving = deserving(tree, view, false);
    let mut capture = Capture::new(tree, census, None);
    number(map, &mut capture, view, &deserving)
}

/// Numbers the elements that a search found, whatever they are. `region` says which node stands
/// for the element that the search started from, if that was not the window.
pub fn allocate_matches(
    map: &mut RefMap,
    tree: &Tree,
    census: &Census,
    region: Option<(NodeId, Region)>,
    matches: &[NodeId],
) -> Vec<u32> {
    map.remember_addresses(tree);
    let top = region.map(|(node, Region(element))| (node, element));
    if let Some((node, element)) = top {
        map.refresh(element, tree, node);
    }
    let mut capture = Capture::new(tree, census, top);
    matches.iter().map(|node| map.give_number(&mut capture, *node)).collect()
}

/// Numbers the entries that deserve it.
pub(super) fn number(
    map: &mut RefMap,
    capture: &mut Capture<'_>,
    view: &View,
    deserving: &[bool],
) -> Vec<Option<u32>> {
    view.entries
        .iter()
        .zip(deserving)
        .map(|(entry, deserving)| deserving.then(|| map.give_number(capture, entry.node)))
        .collect()
}

/// Which entries get a ref of their own. A container whose children were left out, and which
/// nothing identifies, is reached through the nearest listed ancestor that something does; the
/// window itself is never such an ancestor, but the root of a drill (`root_has_ref`) is one.
pub(super) fn deserving(tree: &Tree, view: &View, root_has_ref: bool) -> Vec<bool> {
    let refable = |entry: &Entry| {
        let node = &tree[entry.node];
        is_refable(node.role, node.capabilities)
    };
    let can_be_drilled = |entry: &Entry| {
        let node = &tree[entry.node];
        refable(entry)
            || !node.name.trim().is_empty()
            || !node.description.trim().is_empty()
            || node.native_id.is_some()
            || node.bounds.is_some_and(Rect::has_area)
    };
    let mut deserving: Vec<bool> = view.entries.iter().map(refable).collect();
    for (index, entry) in view.entries.iter().enumerate() {
        if !matches!(entry.cut, Some(Cut::Depth { .. } | Cut::Closed { .. })) {
            continue;
        }
        let mut at = Some(index);
        while let Some(here) = at.filter(|here| *here > 0 || index == 0) {
            if can_be_drilled(&view.entries[here]) {
                deserving[here] = true;
                break;
            }
            at = view.entries[here].parent;
        }
    }
    if root_has_ref && let Some(root) = deserving.first_mut() {
        *root = false;
    }
    deserving
}
