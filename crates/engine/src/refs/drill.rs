//! A region that is read again below one ref.

use agent_desktop_model::tree::Tree;

use super::{
    allocate::{deserving, number},
    census::Census,
    map::{Capture, RefMap, Region},
};
use crate::observe::View;

/// The map after the element of ref `drilled` was read again: refs below it are gone, those that
/// `view` lists are new, all others are as they were. Also returns the number of each entry of
/// `view`, whose first one is the element itself. None if the ref is not in the map (any more).
pub fn merge_drill(
    mut map: RefMap,
    drilled: u32,
    tree: &Tree,
    census: &Census,
    view: &View,
) -> Option<(RefMap, Vec<Option<u32>>)> {
    map.forget_below(map.entry(drilled)?.element);
    let region = map.region(drilled)?;
    let top = view.entries.first()?.node;
    map.refresh(region.element, tree, top);
    map.remember_addresses(tree);
    let mut capture = Capture::new(tree, census, Some((top, region)));
    let mut numbers = number(&mut map, &mut capture, view, &deserving(tree, view, true));
    if let Some(own) = numbers.first_mut() {
        *own = Some(drilled);
    }
    Some((map, numbers))
}

/// A map for what a search below ref `number` of `map` finds, and the element it starts from.
pub fn beneath(map: &RefMap, number: u32) -> Option<(RefMap, Region)> {
    map.only(number)
}

#[cfg(test)]
mod tests {
    use agent_desktop_model::{
        reference::{Ref, SnapshotId},
        tree::NodeId,
    };

    use super::*;
    use crate::{
        platform::Deadline,
        refs::{
            allocate, allocate_matches, resolve,
            testing::{Desktop, named, tree, view},
        },
    };

    const SCENE: &str = r#"
window "W" @w
  toolbar "T" @t
    button "A" @a
    group "G" @g
      button "B" @b
  toolbar "U" @u
    button "C" @c
"#;

    /// A snapshot in which the children of `cuts` are left out, with the numbers of its entries.
    fn capture(desktop: &Desktop, cuts: &[&str]) -> (RefMap, Vec<(u32, String)>) {
        let tree = desktop.tree();
        let cuts: Vec<NodeId> = cuts.iter().map(|name| named(&tree, name)).collect();
        let view = view(&tree, tree.root(), &cuts);
        let mut map = desktop.empty_map();
        let numbers = allocate(&mut map, &tree, &Census::of_window(&tree), &view);
        (map, listed(&tree, &view, &numbers))
    }

    fn listed(tree: &Tree, view: &View, numbers: &[Option<u32>]) -> Vec<(u32, String)> {
        view.entries
            .iter()
            .zip(numbers)
            .filter_map(|(entry, number)| Some(((*number)?, tree[entry.node].name.to_string())))
            .collect()
    }

    /// Drills `number`, whose element is named `name`, by a read of just that element.
    fn drill(
        desktop: &Desktop,
        map: RefMap,
        number: u32,
        name: &str,
        cuts: &[&str],
    ) -> (RefMap, Vec<(u32, String)>) {
        let region = region(desktop, name);
        let census = Census::of(&region, &map.surroundings(number, true).unwrap());
        let cuts: Vec<NodeId> = cuts.iter().map(|name| named(&region, name)).collect();
        let view = view(&region, region.root(), &cuts);
        let (map, numbers) = merge_drill(map, number, &region, &census, &view).unwrap();
        let listed = listed(&region, &view, &numbers);
        (map, listed)
    }

    /// A tree of only what is named `name` and what is below it.
    fn region(desktop: &Desktop, name: &str) -> Tree {
        let scene = desktop.scene.borrow();
        let mut lines = scene.lines().skip_while(|line| !line.contains(&format!("\"{name}\"")));
        let first = lines.next().unwrap();
        let indent = first.len() - first.trim_start().len();
        let below = lines.take_while(|line| line.len() - line.trim_start().len() > indent);
        let text: Vec<&str> =
            std::iter::once(first).chain(below).map(|line| &line[indent..]).collect();
        tree(&text.join("\n"))
    }

    fn numbers(map: &RefMap) -> Vec<u32> {
        (1..50).filter(|number| map.contains(*number)).collect()
    }

    fn leads_to(desktop: &Desktop, map: &RefMap, number: u32) -> String {
        let reference = Ref { snapshot: SnapshotId::parse("s1234").unwrap(), number };
        match resolve(desktop, map, &reference, Deadline::after_ms(1_000)) {
            Ok(resolved) => resolved.address.object.to_string(),
            Err(error) => error.message,
        }
    }

    fn pairs(listed: &[(u32, String)]) -> Vec<(u32, &str)> {
        listed.iter().map(|(number, name)| (*number, name.as_str())).collect()
    }

    #[test]
    fn a_drill_adds_refs_and_keeps_those_elsewhere() {
        let desktop = Desktop::new(SCENE);
        let (map, first) = capture(&desktop, &["T"]);
        assert_eq!(pairs(&first), [(1, "T"), (2, "C")]);
        let (map, second) = drill(&desktop, map, 1, "T", &["G"]);
        assert_eq!(pairs(&second), [(1, "T"), (3, "A"), (4, "G")]);
        assert_eq!(numbers(&map), [1, 2, 3, 4]);
        let (map, third) = drill(&desktop, map, 4, "G", &[]);
        assert_eq!(pairs(&third), [(4, "G"), (5, "B")]);
        let found: Vec<_> = numbers(&map).iter().map(|it| leads_to(&desktop, &map, *it)).collect();
        assert_eq!(found, ["t", "c", "a", "g", "b"]);
    }

    #[test]
    fn drilling_again_takes_away_what_is_below_and_no_number_comes_back() {
        let desktop = Desktop::new(SCENE);
        let (map, _) = capture(&desktop, &["T"]);
        let (map, _) = drill(&desktop, map, 1, "T", &["G"]);
        let (map, _) = drill(&desktop, map, 4, "G", &[]);
        let (again, listed) = drill(&desktop, map.clone(), 1, "T", &[]);
        assert_eq!(pairs(&listed), [(1, "T"), (6, "A"), (7, "B")]);
        assert_eq!(numbers(&again), [1, 2, 6, 7], "earlier drills and drills in them");
        let (inner, _) = drill(&desktop, map, 4, "G", &[]);
        assert_eq!(numbers(&inner), [1, 2, 3, 4, 6], "only what is below");
    }

    #[test]
    fn drilling_takes_away_refs_of_the_full_snapshot_below() {
        let desktop = Desktop::new(&SCENE.replace("group \"G\"", "button \"G\""));
        let (map, listed) = capture(&desktop, &[]);
        assert_eq!(pairs(&listed), [(1, "A"), (2, "G"), (3, "B"), (4, "C")]);
        let (map, listed) = drill(&desktop, map, 2, "G", &[]);
        assert_eq!(pairs(&listed), [(2, "G"), (5, "B")]);
        assert_eq!(numbers(&map), [1, 2, 4, 5]);
    }

    #[test]
    fn a_ref_that_is_gone_cannot_be_drilled() {
        let desktop = Desktop::new(SCENE);
        let (map, _) = capture(&desktop, &[]);
        let tree = desktop.tree();
        let view = view(&tree, tree.root(), &[]);
        assert!(merge_drill(map, 77, &tree, &Census::of_window(&tree), &view).is_none());
    }

    #[test]
    fn drilled_twins_are_told_apart_as_they_would_be_in_the_window() {
        let rows = r#"
window "W" @w
  list "L" @l
    row @r1
      statictext "Alpha" @t1
      button "Delete" @d1
    row @r2
      statictext "Beta" @t2
      button "Delete" @d2
"#;
        let desktop = Desktop::new(rows);
        let (map, _) = capture(&desktop, &["L"]);
        let (map, listed) = drill(&desktop, map, 1, "L", &[]);
        assert_eq!(pairs(&listed), [(1, "L"), (2, "Delete"), (3, "Delete")]);
        assert_eq!(
            (leads_to(&desktop, &map, 2), leads_to(&desktop, &map, 3)),
            ("d1".into(), "d2".into())
        );
    }

    /// What tells where a region stands is outside of it.
    #[test]
    fn what_surrounds_a_region_counts_for_what_is_in_it() {
        let card = r#"
window "W" @w lasting
  group @g lasting
    statictext "Alpha" @s lasting
    scrollarea "T" @t lasting
      button "Delete" @d lasting
"#;
        let desktop = Desktop::new(card);
        let (old, _) = capture(&desktop, &["T"]);
        let (drilled, listed) = drill(&desktop, old.clone(), 1, "T", &[]);
        assert_eq!(pairs(&listed), [(1, "T"), (2, "Delete")]);
        let (mut found, top) = beneath(&old, 1).unwrap();
        let region = region(&desktop, "T");
        let census = Census::of(&region, &old.surroundings(1, true).unwrap());
        let start = Some((region.root(), top));
        let delete = [named(&region, "Delete")];
        assert_eq!(allocate_matches(&mut found, &region, &census, start, &delete), [1]);
        desktop.becomes(&card.replace("\"W\"", "\"*W\""));
        assert_eq!(leads_to(&desktop, &drilled, 2), "d");
        assert_eq!(leads_to(&desktop, &found, 1), "d");
        desktop.becomes(&card.replace("Alpha", "Beta"));
        for (map, number) in [(&drilled, 2), (&found, 1)] {
            let changed = leads_to(&desktop, map, number);
            assert!(changed.ends_with("stands in something else"), "{changed}");
        }
    }

    #[test]
    fn a_search_below_a_ref_makes_a_map_of_its_own() {
        let desktop = Desktop::new(SCENE);
        let (old, _) = capture(&desktop, &["T"]);
        let (mut map, top) = beneath(&old, 1).unwrap();
        assert!(map.is_empty());
        let region = region(&desktop, "T");
        let census = Census::of(&region, &old.surroundings(1, false).unwrap());
        let found = [named(&region, "B")];
        let start = Some((region.root(), top));
        assert_eq!(allocate_matches(&mut map, &region, &census, start, &found), [1]);
        assert_eq!(leads_to(&desktop, &map, 1), "b");
        assert!(beneath(&old, 9).is_none());
    }
}
