//! Which listed elements get a ref, and its number.

use agent_desktop_model::{
    selector::is_refable,
    tree::{NodeId, Tree},
};

use super::{
    census::Census,
    map::{Capture, RefMap, Region},
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
    if let Some((node, region)) = &region {
        map.refresh(region.element, tree, *node);
    }
    let mut capture = Capture::new(tree, census, region);
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
            || node.takes_room
    };
    let mut deserving: Vec<bool> = view.entries.iter().map(refable).collect();
    for (index, entry) in view.entries.iter().enumerate() {
        match entry.cut {
            Some(Cut::Depth { .. }) => {}
            // What is closed opens only to whoever asks for it by name.
            Some(Cut::Closed { .. }) => {
                deserving[index] = true;
                continue;
            }
            Some(Cut::Budget) | None => continue,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refs::testing::{Desktop, named, tree, view};

    /// The names of the entries that get a ref, in the order of their numbers, when the children
    /// of `cuts` are left out.
    fn numbered(scene: &str, cuts: &[&str]) -> Vec<String> {
        let tree = tree(scene);
        let cuts: Vec<_> = cuts.iter().map(|name| named(&tree, name)).collect();
        let view = view(&tree, tree.root(), &cuts);
        let mut map = Desktop::new(scene).empty_map();
        let numbers = allocate(&mut map, &tree, &Census::of_window(&tree), &view);
        let listed: Vec<_> = view
            .entries
            .iter()
            .zip(&numbers)
            .filter_map(|(entry, number)| {
                Some((
                    number.as_ref()?,
                    format!("{} {}", tree[entry.node].role, tree[entry.node].name),
                ))
            })
            .collect();
        assert!(listed.iter().enumerate().all(|(at, (number, _))| **number as usize == at + 1));
        listed.into_iter().map(|(_, name)| name.trim().to_owned()).collect()
    }

    #[test]
    fn what_can_be_operated_gets_a_ref_in_document_order() {
        let scene = r#"
window "W"
  group
    button "A"
    statictext "B"
  group acts
    link "C"
  image "D" acts
"#;
        assert_eq!(numbered(scene, &[]), ["button A", "group", "link C", "image D"]);
    }

    #[test]
    fn a_cut_container_that_something_identifies_can_be_drilled() {
        for (container, reference) in [
            ("button \"X\"", "button X"),
            ("toolbar \"X\"", "toolbar X"),
            ("document \"X\"", "document X"),
        ] {
            let scene = format!("window \"W\"\n  {container}\n    button \"A\"\n");
            assert_eq!(numbered(&scene, &["X"]), [reference]);
        }
    }

    #[test]
    fn an_area_is_enough_to_be_drilled() {
        let scene = "window \"W\"\n  group area\n    button \"A\"\n";
        let tree = tree(scene);
        let group = tree.children(tree.root()).next().unwrap();
        let view = view(&tree, tree.root(), &[group]);
        assert_eq!(deserving(&tree, &view, false), [false, true]);
    }

    #[test]
    fn one_ancestor_stands_for_all_containers_that_nothing_identifies() {
        let scene = "window \"W\"\n  toolbar \"T\"\n    group\n      group\n        button \"A\"\n      group\n        button \"B\"\n";
        let tree = tree(scene);
        let groups: Vec<_> = tree
            .ids()
            .filter(|id| {
                tree.children(*id)
                    .any(|child| named(&tree, "A") == child || named(&tree, "B") == child)
            })
            .collect();
        let view = view(&tree, tree.root(), &groups);
        assert_eq!(deserving(&tree, &view, false), [false, true, false, false, false]);
    }

    #[test]
    fn the_window_never_stands_for_what_it_holds() {
        let scene = "window \"W\"\n  group\n    button \"A\"\n";
        let tree = tree(scene);
        let group = tree.children(tree.root()).next().unwrap();
        let view = view(&tree, tree.root(), &[group]);
        assert_eq!(deserving(&tree, &view, false), [false, false]);
    }

    #[test]
    fn of_several_on_one_path_the_deepest_is_drilled() {
        let scene = "window \"W\"\n  toolbar \"T\"\n    group \"G\"\n      button \"A\"\n";
        assert_eq!(numbered(scene, &["G"]), ["group G"]);
    }

    #[test]
    fn a_search_numbers_whatever_it_found() {
        let scene = "window \"W\"\n  statictext \"A\"\n  button \"B\"\n";
        let tree = tree(scene);
        let mut map = Desktop::new(scene).empty_map();
        let found = [named(&tree, "A"), named(&tree, "B")];
        let census = Census::of_window(&tree);
        assert_eq!(allocate_matches(&mut map, &tree, &census, None, &found), [1, 2]);
        assert_eq!(map.len(), 2);
    }
}
