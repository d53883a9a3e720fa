//! From a ref to the one live element that it stands for, or a refusal.
//!
//! An address finds a candidate and proves nothing, unless the platform says that addresses of its
//! kind last. Position is never evidence. Where anything is left unanswered, nothing is known.

use agent_desktop_model::{
    error::{Error, Uniqueness},
    evidence::{Evidence, Label},
    reference::Ref,
    tree::{Address, NodeId, Tree},
};

mod every;

use super::{
    cell,
    census::{Census, Standing, says_nothing},
    context::{Place, Spot, holds_rows, is_item, texts_in},
    map::{Element, Entry, RefMap, label_of},
    refusal,
};
use crate::platform::{Above, Cells, Deadline, Failure, Platform, Probe, Process, Window, Witness};

pub use every::{Every, resolve_every};

/// The live element of a ref.
#[derive(Debug)]
pub struct Resolved {
    pub address: Address,
    /// What it stands in, nearest first, up to the window.
    pub within: Vec<Above>,
    /// Its window as it is now.
    pub window: Window,
    /// Whether a full read has just shown that nothing else in the window is equal to it.
    pub alone: bool,
    /// What was read of the whole window, if that was needed.
    pub reading: Option<Reading>,
    /// What has to say the same still when something is done to the element: itself, and what
    /// shows the text that tells where it stands.
    pub witnesses: Vec<Witness>,
    /// Whether the address was made for this answer: what is there is the element, and asking
    /// again would give another address.
    pub fresh: bool,
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
    let found = live(platform, &target, deadline)?;
    match target.entry.cell {
        None => Ok(found),
        Some(place) => cell::of_sheet(platform, map, reference, (found, place), deadline),
    }
}

/// The live element of `target` itself.
fn live(
    platform: &dyn Platform,
    target: &Target<'_>,
    deadline: Deadline,
) -> Result<Resolved, Error> {
    let Target { reference, map, .. } = *target;
    let window = live_window(platform, target, deadline)?;
    if target.vouched_for(platform, deadline)? {
        return Ok(Resolved {
            address: map.address(target.element),
            within: target
                .path
                .iter()
                .skip(1)
                .map(|it| Above { address: map.address(it), role: it.evidence.role })
                .collect(),
            window,
            alone: false,
            reading: None,
            witnesses: target.witnesses(),
            fresh: false,
        });
    }
    // A cell of a sheet is found by its place, and nothing else is a cell of a sheet.
    let tree = match platform.observe(&map.window.address, &[], Cells::Counted, deadline) {
        Ok(tree) if tree.complete => tree,
        Ok(_) | Err(Failure::Timeout) => return Err(refusal::not_answered(reference, deadline)),
        Err(Failure::Gone) => return Err(refusal::window_absent(reference, map)),
        Err(failure) => return Err(failure.about("the window", deadline)),
    };
    let census = Census::of_window(&tree);
    let (node, alone) = target.find(&tree, &census)?;
    let Place { within, whole, .. } = census.place(node);
    let told_by = match within {
        Spot::At(source) if source != node => Some(source),
        Spot::At(_) | Spot::Above | Spot::Nowhere => None,
    };
    let as_read = |id: NodeId| Witness {
        address: tree[id].address.clone(),
        digest: tree[id].digest,
        parent: None,
    };
    Ok(Resolved {
        address: tree[node].address.clone(),
        within: tree
            .ancestors(node)
            .map(|id| Above { address: tree[id].address.clone(), role: tree[id].role })
            .collect(),
        window,
        alone,
        witnesses: std::iter::once(node)
            .chain(told_by)
            .chain(label_of(&tree, node))
            .chain(whole.into_iter().flat_map(|whole| texts_in(&tree, whole)))
            .map(as_read)
            .collect(),
        reading: Some(Reading { tree, census, node }),
        fresh: false,
    })
}

/// A ref with what is saved of it.
struct Target<'a> {
    reference: &'a Ref,
    map: &'a RefMap,
    entry: &'a Entry,
    /// Where in the map the element is that has to be proven: of a cell, its sheet.
    index: u32,
    element: &'a Element,
    /// The element and what it stands in, nearest first.
    path: Vec<&'a Element>,
    /// What shows the text of its context.
    source: Option<Source<'a>>,
}

/// An element whose name tells where another one stands.
struct Source<'a> {
    /// The element and what it stands in, up to what both stand in. Empty where that is the
    /// source itself: a named group.
    beside: Vec<&'a Element>,
    /// Where in [`Target::path`] that is.
    shared: usize,
}

/// The window of `target`, if it and its process are still the same.
fn live_window(
    platform: &dyn Platform,
    target: &Target<'_>,
    deadline: Deadline,
) -> Result<Window, Error> {
    let Target { reference, map, .. } = *target;
    let desktop =
        platform.desktop(deadline).map_err(|failure| failure.about("the desktop", deadline))?;
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
    if has_handed_on_its_title(platform, map, &window, deadline)? {
        let [then, now] = [&map.window.title, &window.title].map(|title| Label::of(title));
        return Err(refusal::context_changed(reference, map, &then, &now));
    }
    Ok(window)
}

/// Whether another window is called now as `window` was. A title that changes says nothing; one
/// that has moved says that what it names is in the other window now.
fn has_handed_on_its_title(
    platform: &dyn Platform,
    map: &RefMap,
    window: &Window,
    deadline: Deadline,
) -> Result<bool, Error> {
    let title = &map.window.title;
    if window.title == *title || title.trim().is_empty() {
        return Ok(false);
    }
    let (windows, _) = platform
        .windows(std::slice::from_ref(&window.app), deadline)
        .map_err(|failure| failure.about("the windows of the application", deadline))?;
    Ok(windows.iter().any(|other| other.id != window.id && other.title == *title))
}

impl<'a> Target<'a> {
    fn of(map: &'a RefMap, reference: &'a Ref) -> Option<Self> {
        let entry = map.entry(reference.number)?;
        let index = match entry.cell {
            None => entry.element,
            Some(_) => map.element(entry.element)?.parent?,
        };
        let element = map.element(index)?;
        let with_ancestors = |index: u32| {
            let all = std::iter::once(index).chain(map.ancestors(index));
            all.filter_map(|index| map.element(index)).collect::<Vec<_>>()
        };
        let path = with_ancestors(index);
        let source = entry.within.source.and_then(|index| {
            let mut beside = with_ancestors(index);
            let place = |at: &Element| path.iter().position(|it| it.is_at_the_place_of(at));
            let (kept, shared) =
                beside.iter().enumerate().find_map(|(kept, at)| Some((kept, place(at)?)))?;
            beside.truncate(kept);
            Some(Source { beside, shared })
        });
        Some(Self { reference, map, entry, index, element, path, source })
    }

    /// Whether the application itself says that the element is what it was: an address of the
    /// lasting kind, where everything that identifies it and its surroundings reads as before.
    /// Costs one round trip; whatever differs is left to a full read.
    fn vouched_for(&self, platform: &dyn Platform, deadline: Deadline) -> Result<bool, Error> {
        let beside = match &self.source {
            _ if self.entry.cell.is_some() => &[],
            _ if !self.element.lasting || !self.entry.sure || self.is_told_by_its_place() => {
                return Ok(false);
            }
            Some(source) => source.beside.as_slice(),
            None if self.entry.within.label.is_none() => &[],
            None => return Ok(false),
        };
        let path = match self.entry.cell {
            Some(_) => cell::path_of_sheet(&self.path),
            None => &self.path,
        };
        let asked = path.iter().chain(beside).copied().chain(self.label()).chain(self.texts());
        let asked: Vec<&Element> = asked.collect();
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

    /// What calls the element, or what it stands in, by its own name.
    fn label(&self) -> Option<&'a Element> {
        self.entry.label.and_then(|index| self.map.element(index))
    }

    /// The texts that all have to stay.
    fn texts(&self) -> impl Iterator<Item = &'a Element> {
        self.entry.texts.iter().filter_map(|index| self.map.element(*index))
    }

    /// The element and what tells where it stands, as they were saved and have just been vouched
    /// for.
    fn witnesses(&self) -> Vec<Witness> {
        let told_by = self.source.as_ref().and_then(|Source { beside, shared }| {
            beside.first().or_else(|| self.path.get(*shared)).copied()
        });
        let saved = |element: &Element, parent: Option<u32>| Witness {
            address: self.map.address(element),
            digest: element.digest,
            parent: parent.and_then(|index| Some(self.map.address(self.map.element(index)?))),
        };
        // A title may have changed since, which says nothing.
        let itself = Some(self.element).filter(|it| !it.evidence.role.has_volatile_title());
        itself
            .map(|element| saved(element, element.parent))
            .into_iter()
            .chain(told_by.map(|element| saved(element, None)))
            .chain(self.label().into_iter().chain(self.texts()).map(|element| saved(element, None)))
            .collect()
    }

    /// The element in a window that was wholly read, and whether nothing else is equal to it.
    fn find(&self, tree: &Tree, census: &Census) -> Result<(NodeId, bool), Error> {
        let Self { reference, map, entry, element, .. } = self;
        let Some(chain) = map.chain(self.index) else {
            return Err(refusal::absent(reference));
        };
        let equals: Vec<NodeId> = census.equals(tree, chain).collect();
        let agrees = |node: &NodeId| census.within(tree, *node) == entry.within.label;
        let agreeing: Vec<NodeId> = equals.iter().copied().filter(agrees).collect();
        let unproven =
            |reason| Err(refusal::not_unique(reference, map, reason, tree, census, &equals));
        let ambiguous = || Err(refusal::ambiguous(reference, map, tree, census, &equals));

        if !entry.sure && !equals.is_empty() {
            return unproven(Uniqueness::WindowNotWhollyRead);
        }
        let address = map.address(element);
        let at_address = tree.ids().find(|node| tree[*node].address == address);
        let is_alone =
            |node: NodeId| equals.as_slice() == [node] && census.standing(node) == Standing::Unique;
        let context_changed = |node: NodeId| {
            let now = census.within(tree, node);
            Err(refusal::context_changed(reference, map, &entry.within.label, &now))
        };
        if let Some(node) = at_address.filter(|node| element.lasting && tree[*node].lasting) {
            // It is the same element. What is left to ask is whether it still means the same.
            return if !self.reads_as_saved(tree, node) || self.is_in_another_document(tree, node) {
                Err(refusal::stale(reference, map))
            } else if !agrees(&node) && !self.keeps_its_context(tree, node) {
                context_changed(node)
            } else if let Some((then, now)) = self.changed_text(tree) {
                Err(refusal::context_changed(reference, map, &then, &now))
            } else {
                Ok((node, is_alone(node)))
            };
        }
        if let Some(node) = at_address.filter(|node| equals.contains(node)) {
            if !agreeing.contains(&node) {
                let told_now = self.was_told_by_nothing(tree, node) && is_alone(node);
                return if told_now { Ok((node, true)) } else { context_changed(node) };
            }
            if let Some((then, now)) = self.changed_text(tree) {
                return Err(refusal::context_changed(reference, map, &then, &now));
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
                    || !self.was_made_anew_in_its_place(tree, node)
                {
                    return Err(refusal::stale(reference, map));
                }
                Ok((node, true))
            }
            (Standing::Unique, _) => ambiguous(),
        }
    }

    /// The first of the texts that count that says something else now, or is gone though its
    /// address would have stayed with it, and what it says.
    fn changed_text(&self, tree: &Tree) -> Option<(Label, Label)> {
        self.texts().find_map(|text| {
            let address = self.map.address(text);
            let now = tree.ids().find(|id| tree[*id].address == address);
            let same = now
                .map_or(!text.lasting, |id| Evidence::hash_of(&tree[id]) == text.evidence.hash());
            let says = now.map_or(Label::None, |id| Label::of(&tree[id].name));
            (!same).then(|| (text.evidence.name.clone(), says))
        })
    }

    /// Whether the documents and windows that the element stood in are still around `node`. Their
    /// titles say nothing (Chromium 156, Firefox 153: a page that is left for another of the same
    /// shape keeps role, name and place of every element), so their addresses have to.
    fn is_in_the_same_document(&self, tree: &Tree, node: NodeId) -> bool {
        self.path.iter().skip(1).filter(|it| it.evidence.role.has_volatile_title()).all(|it| {
            let address = self.map.address(it);
            let is_it = |id| tree[id].address == address && tree[id].role == it.evidence.role;
            tree.ancestors(node).any(is_it)
        })
    }

    /// Whether what `node` stands in, and what tells so, are still the same, so that only the
    /// element was made anew. A page that is drawn anew for another record looks the same.
    fn was_made_anew_in_its_place(&self, tree: &Tree, node: NodeId) -> bool {
        let is_there = |element: &Element| {
            let address = self.map.address(element);
            tree.ids().any(|id| tree[id].address == address)
        };
        let parent = self.path.get(1).map(|parent| self.map.address(parent));
        let told_by = self.source.as_ref().and_then(|source| source.beside.first());
        tree.parent(node).map(|parent| tree[parent].address.clone()) == parent
            && told_by.is_none_or(|source| is_there(source))
            && self.texts().all(is_there)
    }

    /// Whether `node` stands in a document now in which the element did not stand.
    fn is_in_another_document(&self, tree: &Tree, node: NodeId) -> bool {
        tree.ancestors(node).filter(|id| tree[*id].role.has_volatile_title()).any(|id| {
            let is_it = |it: &&Element| self.map.address(it) == tree[id].address;
            !self.path.iter().any(is_it)
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

    /// Whether what told where the element stands still says so, though something nearer may say
    /// more by now. Of a lasting element only: the addresses of what it stands in last as well.
    fn keeps_its_context(&self, tree: &Tree, node: NodeId) -> bool {
        let Some(Source { beside, shared }) = &self.source else {
            // Where nothing told, a text that has come tells nothing new of what has not moved.
            return self.entry.within.label.is_none() && self.stands_where_it_stood(tree, node);
        };
        let (Some(container), Some(way)) = (self.path.get(*shared), self.path.get(..*shared))
        else {
            return false;
        };
        if self.is_told_by_its_place() {
            return false;
        }
        let leads_to_container = |from: NodeId, way: &[&Element]| {
            let mut now = std::iter::once(from).chain(tree.ancestors(from));
            way.iter().copied().chain([*container]).all(|element| {
                now.next().is_some_and(|id| tree[id].address == self.map.address(element))
            })
        };
        let source = beside.first().unwrap_or(container);
        let address = self.map.address(source);
        leads_to_container(node, way)
            && tree.ids().find(|id| tree[*id].address == address).is_some_and(|id| {
                Evidence::hash_of(&tree[id]) == source.evidence.hash()
                    && leads_to_container(id, beside)
            })
    }

    /// Whether no text told where the element stands, which is where it stood, and is no row: one
    /// that has come since, as in a part of a page that was opened, tells nothing new of it.
    fn was_told_by_nothing(&self, tree: &Tree, node: NodeId) -> bool {
        self.entry.within.label.is_none()
            && self.stands_where_it_stood(tree, node)
            && !self.path.iter().any(|it| is_item(it.evidence.role))
    }

    /// Whether the text of the context is in the same row of a table only by its place among the
    /// cells: both may stay where they are while their row ends elsewhere.
    fn is_told_by_its_place(&self) -> bool {
        self.source.as_ref().is_some_and(|Source { beside, shared }| {
            let container = self.path.get(*shared);
            !beside.is_empty()
                && *shared > 0
                && container.is_some_and(|element| holds_rows(element.evidence.role))
        })
    }

    /// Whether what `node` stands in has the addresses that it had. An element that moved into
    /// another container may look the same in every other way.
    fn stands_where_it_stood(&self, tree: &Tree, node: NodeId) -> bool {
        let now = tree.ancestors(node).map(|id| tree[id].address.clone());
        let then = self.path.iter().skip(1).map(|element| self.map.address(element));
        now.eq(then)
    }
}

#[cfg(test)]
mod tests;
