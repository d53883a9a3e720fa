//! From a ref to the one live element that it stands for, or a refusal.
//!
//! An address finds a candidate and proves nothing, unless the platform says that addresses of its
//! kind last. Position is never evidence. Where anything is left unanswered, nothing is known.

use agent_desktop_model::{
    error::{Error, Uniqueness},
    evidence::Evidence,
    reference::Ref,
    role::Role,
    tree::{Address, NodeId, Tree},
};

use super::{
    census::{Census, Standing, says_nothing},
    context::is_item,
    map::{Element, Entry, RefMap},
    refusal,
};
use crate::platform::{Deadline, Failure, Platform, Probe, Process, Window};

/// The live element of a ref.
#[derive(Debug)]
pub struct Resolved {
    pub address: Address,
    /// Roles of what it stands in, nearest first, up to the window.
    pub within: Vec<Role>,
    /// Its window as it is now.
    pub window: Window,
    /// Whether a full read has just shown that nothing else in the window is equal to it.
    pub alone: bool,
    /// What was read of the whole window, if that was needed.
    pub reading: Option<Reading>,
}

/// A whole window and where the element is in it.
#[derive(Debug)]
pub struct Reading {
    pub tree: Tree,
    pub census: Census,
    pub node: NodeId,
}

/// Finds the element of `reference` in its window, or says why that is not possible. Reads only.
pub fn resolve(
    platform: &dyn Platform,
    map: &RefMap,
    reference: &Ref,
    deadline: Deadline,
) -> Result<Resolved, Error> {
    let target = Target::of(map, reference).ok_or_else(|| refusal::absent(reference))?;
    let window = live_window(platform, &target, deadline)?;
    if target.vouched_for(platform, deadline)? {
        return Ok(Resolved {
            address: map.address(target.element),
            within: target.path.iter().skip(1).map(|it| it.evidence.role).collect(),
            window,
            alone: false,
            reading: None,
        });
    }
    let tree = match platform.observe(&map.window.address, &[], deadline) {
        Ok(tree) if tree.complete => tree,
        Ok(_) | Err(Failure::Timeout) => return Err(refusal::not_answered(reference, deadline)),
        Err(Failure::Gone) => return Err(refusal::window_absent(reference, map)),
        Err(failure) => return Err(failure.about("the window", deadline)),
    };
    let census = Census::of_window(&tree);
    let (node, alone) = target.find(&tree, &census)?;
    Ok(Resolved {
        address: tree[node].address.clone(),
        within: tree.ancestors(node).map(|id| tree[id].role).collect(),
        window,
        alone,
        reading: Some(Reading { tree, census, node }),
    })
}

/// A ref with what is saved of it.
struct Target<'a> {
    reference: &'a Ref,
    map: &'a RefMap,
    entry: &'a Entry,
    element: &'a Element,
    /// The element and what it stands in, nearest first.
    path: Vec<&'a Element>,
}

/// The window of `target`, if it and its process are still the same.
fn live_window(
    platform: &dyn Platform,
    target: &Target<'_>,
    deadline: Deadline,
) -> Result<Window, Error> {
    let Target { reference, map, .. } = *target;
    let desktop = platform.desktop().map_err(|failure| failure.about("the desktop", deadline))?;
    if desktop.0 != map.desktop {
        return Err(refusal::desktop_changed(reference));
    }
    let window = match platform.window(&map.window.id, deadline) {
        Ok(window) => window,
        Err(Failure::Gone) => return Err(refusal::window_absent(reference, map)),
        Err(Failure::Timeout) => return Err(refusal::not_answered(reference, deadline)),
        Err(failure) => return Err(failure.about("the window", deadline)),
    };
    // A process that cannot be looked up (its owner hides it) is still the same connection.
    let process = window.app.process.map(|Process { pid, started }| (pid, started));
    let replaced = process.zip(map.window.process).is_some_and(|(now, then)| now != then);
    if replaced || window.app.id != map.window.app_id {
        return Err(refusal::process_changed(reference, map));
    }
    if window.address.as_ref() != Some(&map.window.address) {
        return Err(refusal::window_absent(reference, map));
    }
    Ok(window)
}

impl<'a> Target<'a> {
    fn of(map: &'a RefMap, reference: &'a Ref) -> Option<Self> {
        let entry = map.entry(reference.number)?;
        let element = map.element(entry.element)?;
        let above = map.ancestors(entry.element).filter_map(|index| map.element(index));
        let path = std::iter::once(element).chain(above).collect();
        Some(Self { reference, map, entry, element, path })
    }

    /// Whether the application itself says that the element is what it was: an address of the
    /// lasting kind, where everything that identifies it and its surroundings reads as before.
    /// Costs one round trip; whatever differs is left to a full read.
    fn vouched_for(&self, platform: &dyn Platform, deadline: Deadline) -> Result<bool, Error> {
        if !self.element.lasting {
            return Ok(false);
        }
        let source = self.entry.source.filter(|_| self.is_of_an_item());
        let above = source.into_iter().flat_map(|index| self.map.ancestors(index));
        let beside = source
            .into_iter()
            .chain(above)
            .filter_map(|index| self.map.element(index))
            .filter(|element| !self.path.iter().any(|known| std::ptr::eq(*known, *element)));
        let asked: Vec<&Element> = self.path.iter().copied().chain(beside).collect();
        let addresses: Vec<Address> = asked.iter().map(|it| self.map.address(it)).collect();
        let probes = match platform.probe(&addresses, deadline) {
            Ok(probes) => probes,
            Err(Failure::Timeout) => return Err(refusal::not_answered(self.reference, deadline)),
            Err(Failure::Gone) => return Ok(false),
            Err(failure) => return Err(failure.about("the element", deadline)),
        };
        let as_saved = |element: &Element, probe: &Probe| {
            let Probe::Alive { digest, parent } = probe else { return false };
            // Titles change; what bears them is known by its address.
            let same = element.evidence.role.has_volatile_title() || *digest == element.digest;
            let above = element.parent.and_then(|index| self.map.element(index));
            same && above.is_none_or(|above| *parent == Some(self.map.address(above)))
        };
        Ok(probes.len() == asked.len()
            && asked.iter().zip(&probes).all(|(element, probe)| as_saved(element, probe)))
    }

    /// The element in a window that was wholly read, and whether nothing else is equal to it.
    fn find(&self, tree: &Tree, census: &Census) -> Result<(NodeId, bool), Error> {
        let Self { reference, map, entry, element, .. } = self;
        let Some(chain) = map.chain(entry.element) else {
            return Err(refusal::absent(reference));
        };
        let equals: Vec<NodeId> = census.equals(tree, chain).collect();
        let agreeing: Vec<NodeId> = equals
            .iter()
            .copied()
            .filter(|node| agreeing_with(entry, tree, census, *node))
            .collect();
        let unproven =
            |reason| Err(refusal::not_unique(reference, map, reason, tree, census, &equals));
        let ambiguous = || Err(refusal::ambiguous(reference, map, tree, census, &equals));

        let address = map.address(element);
        let at_address = tree.ids().find(|node| tree[*node].address == address);
        let is_alone =
            |node: NodeId| equals.as_slice() == [node] && census.standing(node) == Standing::Unique;
        let context_changed = |node: NodeId| {
            let now = census.within(tree, node);
            Err(refusal::context_changed(reference, map, &entry.within, &now))
        };
        if let Some(node) = at_address.filter(|node| element.lasting && tree[*node].lasting) {
            // It is the same element. What is left to ask is whether it still means the same.
            return if !self.reads_as_saved(tree, node) {
                Err(refusal::stale(reference, map))
            } else if (self.is_of_an_item() || self.was_moved(tree, node))
                && !agreeing_with(entry, tree, census, node)
            {
                context_changed(node)
            } else {
                Ok((node, is_alone(node)))
            };
        }
        if let Some(node) = at_address.filter(|node| equals.contains(node)) {
            if !agreeing.contains(&node) {
                return context_changed(node);
            }
            if entry.standing == Standing::Twin {
                return unproven(Uniqueness::TwinsAtCapture);
            }
            if !self.stands_where_it_stood(tree, node) {
                return Err(refusal::stale(reference, map));
            }
            if census.standing(node) == Standing::Unknown {
                return unproven(Uniqueness::WindowNotWhollyRead);
            }
            return match entry.standing {
                Standing::Unique | Standing::Told if agreeing.len() == 1 => {
                    Ok((node, is_alone(node)))
                }
                Standing::Unknown if equals.len() == 1 => Ok((node, is_alone(node))),
                Standing::Unknown => unproven(Uniqueness::WindowNotWhollyRead),
                Standing::Unique | Standing::Told | Standing::Twin => ambiguous(),
            };
        }
        // What now has the address is something else, or the element itself, renamed. In neither
        // case is an equal element elsewhere known to be the same.
        if at_address.is_some() || element.lasting {
            return Err(refusal::stale(reference, map));
        }
        match (entry.standing, equals.as_slice()) {
            (_, []) => Err(refusal::stale(reference, map)),
            (Standing::Twin | Standing::Told, _) => unproven(Uniqueness::TwinsAtCapture),
            (Standing::Unknown, _) => unproven(Uniqueness::WindowNotWhollyRead),
            (Standing::Unique, [node]) => {
                let node = *node;
                if census.standing(node) == Standing::Unknown {
                    return unproven(Uniqueness::WindowNotWhollyRead);
                }
                // An element that was there before, as something else, has been renamed.
                // So has one of another document: a page with the same form is another page.
                if agreeing.is_empty()
                    || !element.evidence.identifies()
                    || map.knew(&tree[node].address)
                    || !self.is_in_the_same_document(tree, node)
                {
                    return Err(refusal::stale(reference, map));
                }
                Ok((node, true))
            }
            (Standing::Unique, _) => ambiguous(),
        }
    }

    /// Whether the documents and windows that the element stood in are still around `node`. Their
    /// titles say nothing (Chromium 156, Firefox 153: a page that is left for another of the same
    /// shape keeps role, name and place of every element), so their addresses have to.
    fn is_in_the_same_document(&self, tree: &Tree, node: NodeId) -> bool {
        self.path.iter().skip(1).filter(|it| it.evidence.role.has_volatile_title()).all(|it| {
            let address = self.map.address(it);
            tree.ancestors(node).any(|id| tree[id].address == address)
        })
    }

    /// Whether `node` and what it stood in still have their evidence. Containers may have been put
    /// between: GTK 4.8.3 exposes the page of a stack only after a while.
    fn reads_as_saved(&self, tree: &Tree, node: NodeId) -> bool {
        let mut now = std::iter::once(node)
            .chain(tree.ancestors(node))
            .map(|id| Evidence::hash_of(&tree[id]));
        let mut then = self.path.iter().enumerate().filter(|(index, element)| {
            let evidence = &element.evidence;
            *index == 0 || !says_nothing(evidence.role, evidence.identifies())
        });
        now.next() == then.next().map(|(_, element)| element.evidence.hash())
            && then.all(|(_, element)| {
                let hash = element.evidence.hash();
                now.any(|now| now == hash)
            })
    }

    /// Whether `node` has left the container that it stood in. A button that is put beside another
    /// text is the same widget and does something else.
    fn was_moved(&self, tree: &Tree, node: NodeId) -> bool {
        let now = tree.parent(node).map(|parent| &tree[parent].address);
        let then = self.path.get(1).map(|parent| self.map.address(parent));
        now != then.as_ref()
    }

    /// Whether the element is or stands in an item (a row, say), which toolkits and applications
    /// fill with other content while every widget in it stays the same.
    fn is_of_an_item(&self) -> bool {
        self.path.iter().any(|element| is_item(element.evidence.role))
    }

    /// Whether what `node` stands in has the addresses that it had. An element that moved into
    /// another container may look the same in every other way.
    fn stands_where_it_stood(&self, tree: &Tree, node: NodeId) -> bool {
        let now = tree.ancestors(node).map(|id| tree[id].address.clone());
        let then = self.path.iter().skip(1).map(|element| self.map.address(element));
        now.eq(then)
    }
}

fn agreeing_with(entry: &Entry, tree: &Tree, census: &Census, node: NodeId) -> bool {
    census.within(tree, node) == entry.within
}

#[cfg(test)]
mod tests {
    use agent_desktop_model::{
        error::{Code, Details},
        reference::SnapshotId,
    };

    use super::*;
    use crate::refs::testing::{Desktop, snapshot};

    /// What becomes of the ref of the element named `name` in `before` when the window `after` is
    /// there: the object that it resolves to, or the kind of the refusal.
    fn resolves(before: &str, name: &str, after: &str) -> String {
        let desktop = Desktop::new(before);
        let (map, number) = snapshot(&desktop, name);
        desktop.becomes(after);
        outcome(&desktop, &map, number)
    }

    fn outcome(desktop: &Desktop, map: &RefMap, number: u32) -> String {
        let reference = Ref { snapshot: SnapshotId::parse("s1234").unwrap(), number };
        match resolve(desktop, map, &reference, Deadline::after_ms(1_000)) {
            Ok(resolved) => resolved.address.object.to_string(),
            Err(error) => {
                assert!(error.suggestion.is_some(), "{error:?}");
                let details = serde_json::to_value(error.details.as_ref().unwrap()).unwrap();
                let code = serde_json::to_value(error.code).unwrap();
                format!("{} {}", code.as_str().unwrap(), details["kind"].as_str().unwrap())
            }
        }
    }

    fn reads(desktop: &Desktop, map: &RefMap, number: u32) -> (String, u32) {
        desktop.reads.set(0);
        let outcome = outcome(desktop, map, number);
        (outcome, desktop.reads.get())
    }

    const ROWS: &str = r#"
window "W" @w
  list @l
    row @r1
      statictext "Alpha" @t1
      button "Delete" @d1
    row @r2
      statictext "Beta" @t2
      button "Delete" @d2
"#;

    const LASTING: &str = r#"
window "W" @w
  list @l
    row @r1
      statictext "Alpha" @t1
      button "Delete" @d1 lasting
    row @r2
      statictext "Beta" @t2
      button "Delete" @d2 lasting
"#;

    #[test]
    fn an_unchanged_window() {
        assert_eq!(resolves(ROWS, "Delete", ROWS), "d1");
        assert_eq!(resolves(ROWS, "Delete#1", ROWS), "d2");
        let title_changed = ROWS.replace("\"W\"", "\"*W\"");
        assert_eq!(resolves(ROWS, "Delete#1", &title_changed), "d2");
    }

    #[test]
    fn a_recycled_row_is_not_the_row() {
        let scrolled = ROWS.replace("Beta", "Gamma").replace("Alpha", "Beta");
        assert_eq!(resolves(ROWS, "Delete", &scrolled), "STALE_REF context_changed");
        assert_eq!(resolves(ROWS, "Delete#1", &scrolled), "STALE_REF context_changed");
    }

    #[test]
    fn an_only_button_that_moved_to_another_row() {
        let only = |row: u32, address: &str| {
            let button = format!("      button \"Delete\" @{address}\n");
            let mut text = "window @w\n  list @l\n".to_owned();
            for (index, name) in [(1, "Alpha"), (2, "Beta")] {
                text += &format!("    row @r{index}\n      statictext \"{name}\" @t{index}\n");
                text += if index == row { &button } else { "" };
            }
            text
        };
        assert_eq!(resolves(&only(1, "d"), "Delete", &only(1, "d")), "d");
        assert_eq!(resolves(&only(1, "d"), "Delete", &only(2, "d")), "STALE_REF context_changed");
        assert_eq!(resolves(&only(1, "d"), "Delete", &only(2, "e")), "STALE_REF saved_ref_absent");
    }

    #[test]
    fn an_only_button_that_moved_between_boxes_without_any_text() {
        let first = "window @w\n  group @a\n    button \"Go\" @g\n  group @b\n    image @i\n";
        let then = "window @w\n  group @a\n    image @i\n  group @b\n    button \"Go\" @g\n";
        assert_eq!(resolves(first, "Go", first), "g");
        assert_eq!(resolves(first, "Go", then), "STALE_REF saved_ref_absent");
    }

    #[test]
    fn an_address_that_speaks_for_its_neighbour() {
        let three = "window @w\n  tab \"A\" @1\n  tab \"B\" @2\n  tab \"C\" @3\n";
        let closed = "window @w\n  tab \"B\" @1\n  tab \"C\" @2\n";
        assert_eq!(resolves(three, "A", closed), "STALE_REF saved_ref_absent");
        // Whether B shifted or was renamed cannot be told.
        assert_eq!(resolves(three, "B", closed), "STALE_REF saved_ref_absent");
        assert_eq!(resolves(three, "C", closed), "STALE_REF saved_ref_absent");
    }

    #[test]
    fn a_renamed_neighbour_is_not_the_element() {
        let before = "window @w\n  button \"Play\" @1\n  button \"Stop\" @2\n";
        let swapped = "window @w\n  button \"Stop\" @1\n  button \"Play\" @2\n";
        assert_eq!(resolves(before, "Play", swapped), "STALE_REF saved_ref_absent");
        let gone = "window @w\n  button \"Play\" @2\n";
        assert_eq!(resolves(before, "Play", gone), "STALE_REF saved_ref_absent");
    }

    #[test]
    fn a_dead_address_rebinds_only_to_the_one_new_equal_in_its_context() {
        let before = "window @w\n  row @r\n    statictext \"A\" @t\n    cell \"x\" @1\n";
        let reborn = before.replace("@1", "@9");
        assert_eq!(resolves(before, "x", &reborn), "9");
        let elsewhere = reborn.replace("\"A\"", "\"B\"");
        assert_eq!(resolves(before, "x", &elsewhere), "STALE_REF saved_ref_absent");
        let twice = format!("{reborn}    cell \"x\" @8\n");
        assert_eq!(resolves(before, "x", &twice), "AMBIGUOUS_TARGET saved_ref_ambiguous");
        let none = "window @w\n";
        assert_eq!(resolves(before, "x", none), "STALE_REF saved_ref_absent");
        let lasting = before.replace("@1", "@1 lasting");
        let reborn = lasting.replace("@1", "@9");
        assert_eq!(resolves(&lasting, "x", &reborn), "STALE_REF saved_ref_absent", "it died");
    }

    #[test]
    fn twins_are_refused_unless_the_address_lasts() {
        let twins = "window @w\n  button \"Go\" @1\n  button \"Go\" @2\n";
        assert_eq!(resolves(twins, "Go", twins), "AMBIGUOUS_TARGET identity_not_unique");
        let one_left = "window @w\n  button \"Go\" @1\n";
        assert_eq!(resolves(twins, "Go", one_left), "AMBIGUOUS_TARGET identity_not_unique");
        assert_eq!(resolves(one_left, "Go", twins), "AMBIGUOUS_TARGET saved_ref_ambiguous");
        let lasting = "window @w\n  button \"Go\" @1 lasting\n  button \"Go\" @2 lasting\n";
        assert_eq!(resolves(lasting, "Go#1", lasting), "2");
        assert_eq!(
            resolves(lasting, "Go#1", "window @w\n  button \"Go\" @1 lasting\n"),
            "STALE_REF saved_ref_absent"
        );
    }

    #[test]
    fn twins_that_rows_told_apart_need_them_to_do_so_still() {
        let same = ROWS.replace("Beta", "Alpha");
        assert_eq!(resolves(ROWS, "Delete", &same), "AMBIGUOUS_TARGET saved_ref_ambiguous");
        assert_eq!(resolves(&same, "Delete", ROWS), "AMBIGUOUS_TARGET identity_not_unique");
        let reborn = ROWS.replace("@d1", "@d9");
        assert_eq!(resolves(ROWS, "Delete", &reborn), "AMBIGUOUS_TARGET identity_not_unique");
    }

    #[test]
    fn a_window_that_was_not_wholly_read() {
        let part = "window @w\n  list @l cut\n    button \"Go\" @1\n";
        let whole = "window @w\n  list @l\n    button \"Go\" @1\n";
        assert_eq!(resolves(part, "Go", whole), "1", "a full read proves it");
        let twice = format!("{whole}    button \"Go\" @2\n");
        assert_eq!(resolves(part, "Go", &twice), "AMBIGUOUS_TARGET identity_not_unique");
        let reborn = whole.replace("@1", "@9");
        assert_eq!(resolves(part, "Go", &reborn), "AMBIGUOUS_TARGET identity_not_unique");
        assert_eq!(resolves(whole, "Go", part), "TIMEOUT resolution_identity_unknown");
        let endless = whole.replace("@l", "@l counted=1000000");
        assert_eq!(resolves(whole, "Go", &endless), "AMBIGUOUS_TARGET identity_not_unique");
    }

    #[test]
    fn a_lasting_address_is_vouched_for_without_reading_the_window() {
        let desktop = Desktop::new(LASTING);
        let (map, number) = snapshot(&desktop, "Delete#1");
        assert_eq!(reads(&desktop, &map, number), ("d2".into(), 0));
        desktop.becomes(&LASTING.replace("\"W\"", "\"*W\""));
        assert_eq!(reads(&desktop, &map, number), ("d2".into(), 0), "a title");
        desktop.becomes(&LASTING.replace("Alpha", "Beta"));
        assert_eq!(reads(&desktop, &map, number), ("d2".into(), 0), "a neighbour");
        desktop.becomes(&LASTING.replace("Beta", "Gamma"));
        assert_eq!(reads(&desktop, &map, number), ("STALE_REF context_changed".into(), 1));
        desktop.becomes(LASTING);
        desktop.silent.set(true);
        assert_eq!(reads(&desktop, &map, number), ("d2".into(), 1), "probes unanswered");
    }

    #[test]
    fn a_lasting_element_outlives_what_changes_around_it() {
        let month =
            "window @w\n  group @g\n    statictext \"May\" @m\n    button \"Next\" @n lasting\n";
        assert_eq!(resolves(month, "Next", &month.replace("May", "June")), "n");
        let page =
            "window @w\n  tabpanel \"P\" @p\n    group @g\n      button \"Next\" @n lasting\n";
        assert_eq!(resolves(month, "Next", page), "n", "a page was put between");
        assert_eq!(resolves(page, "Next", month), "STALE_REF saved_ref_absent");
        let other_page = page.replace("\"P\"", "\"Q\"");
        assert_eq!(resolves(page, "Next", &other_page), "STALE_REF saved_ref_absent");
        let renamed = page.replace("Next", "Previous");
        assert_eq!(resolves(page, "Next", &renamed), "STALE_REF saved_ref_absent");
    }

    #[test]
    fn another_desktop_process_or_window() {
        let desktop = Desktop::new(ROWS);
        let (map, number) = snapshot(&desktop, "Delete");
        assert_eq!(outcome(&desktop, &map, 99), "STALE_REF saved_ref_absent");
        desktop.process.set(Process { pid: 100, started: 6 });
        assert_eq!(outcome(&desktop, &map, number), "STALE_REF process_changed");
        desktop.open.set(false);
        assert_eq!(outcome(&desktop, &map, number), "WINDOW_NOT_FOUND source_window_absent");
        let other = Desktop { id: "guid-2", ..Desktop::new(ROWS) };
        assert_eq!(outcome(&other, &map, number), "STALE_REF desktop_changed");
    }

    #[test]
    fn candidates_are_few_and_say_where_they_stand() {
        let desktop = Desktop::new(ROWS);
        let (map, number) = snapshot(&desktop, "Delete");
        let mut scene = ROWS.replace("Beta", "Alpha");
        for row in 3..9 {
            scene += &format!("    row\n      statictext \"Row {row}\"\n      button \"Delete\"\n");
        }
        desktop.becomes(&scene);
        let reference = Ref { snapshot: SnapshotId::parse("s1234").unwrap(), number };
        let error = resolve(&desktop, &map, &reference, Deadline::after_ms(1_000)).unwrap_err();
        assert_eq!(error.code, Code::AmbiguousTarget);
        let Some(Details::SavedRefAmbiguous { candidates, .. }) = error.details.as_deref() else {
            panic!("{error:?}");
        };
        let within: Vec<_> = candidates.iter().filter_map(|it| it.within.as_deref()).collect();
        assert_eq!(within, ["Alpha", "Alpha", "Row 3", "Row 4", "Row 5"]);
    }
}
