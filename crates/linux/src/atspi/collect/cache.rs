//! What an application's cache tells: nearly everything at once, where it has one, but not always
//! all of it, and not always in its place.

use super::{Children, Details, Found, Raw, Reader, Step, Talk, calls, details};
use agent_desktop_model::tree::Address;

use crate::{
    atspi::dialect::Bulk,
    bus::{Answer, CallError},
};

impl Reader<'_> {
    /// Takes over what a cache says. Of what is described already, only the children are.
    pub(super) fn absorb(&mut self, answer: &Answer) {
        let Ok(reply) = answer else { return };
        let Some(items) = reply.decode::<Vec<calls::Item<'_>>>() else { return };
        self.cached_children.clear();
        self.cached_parents.clear();
        // What came before its parent.
        let mut early = Vec::new();
        // Siblings follow each other, and name the same parent.
        let mut last: Option<(calls::Place<'_>, Address)> = None;
        for item in items {
            let address = item.this.address(&self.app);
            let details = Details {
                role: item.role,
                states: item.states.0,
                name: item.name.into(),
                description: item.description.into(),
                child_count: item.child_count.into(),
                interfaces: Some(item.interfaces.0),
                native_id: None,
                page_role: None,
            };
            let at = match self.index.get(&address) {
                Some(at) => {
                    if let Some(node) = self.nodes.get_mut(*at as usize) {
                        node.details = details;
                        node.missing = 0;
                    }
                    *at
                }
                None => self.add(Raw::new(address, details, 0, Found::Cached)),
            };
            let parent = match last.take() {
                Some((place, address)) if place == item.parent => address,
                _ => item.parent.address(&self.app),
            };
            match self.index.get(&parent) {
                Some(known) => {
                    let known = *known;
                    self.cache_below(known, item.index, at);
                }
                None => early.push((at, parent.clone(), item.index)),
            }
            last = Some((item.parent, parent));
        }
        for (at, parent, place) in early {
            match self.index.get(&parent) {
                Some(known) => {
                    let known = *known;
                    self.cache_below(known, place, at);
                }
                None => {
                    self.cached_parents.insert(at, None);
                }
            }
        }
    }

    fn cache_below(&mut self, parent: u32, place: i32, at: u32) {
        self.cached_parents.insert(at, Some(parent));
        self.cached_children.entry(parent).or_default().push((place, at));
    }

    /// The cached children of a node in order, if they are as many as it claims and stand in
    /// places of their own.
    pub(super) fn cached(&mut self, at: u32, count: i64) -> Option<Vec<u32>> {
        let mut children = match self.cached_children.remove(&at) {
            Some(children) => children,
            None if count == 0 && self.dialect.bulk != Bulk::None => Vec::new(),
            None => return None,
        };
        children.sort_unstable();
        // GTK 4.8.3 puts the only child of a stack page at place 1. GTK 3.24.38 has the place -1
        // for what it put into the cache before it knew (thunar's last menu), Chromium 156 for
        // what is not listed any more: while it asks something, its window holds only that.
        let ordered = children.windows(2).all(|pair| match pair {
            [(one, _), (next, _)] => one < next,
            _ => true,
        });
        let placed = children.first().is_none_or(|(place, _)| *place >= 0);
        (children.len() as i64 == count && ordered && placed)
            .then(|| children.into_iter().map(|(_, child)| child).collect())
    }

    /// Describes what has only been listed: by one more look into the cache that the listing has
    /// filled, and one by one what even that lacks.
    pub(super) fn describe(&mut self, talk: &mut Talk<'_>) {
        if !self.bare.is_empty() {
            talk(vec![(Step::Items, calls::items(&self.app))], &mut |_, answer, _| {
                self.absorb(&answer);
            });
        }
        let undescribed = self
            .bare
            .drain(..)
            .filter_map(|at| {
                let node = self.nodes.get(at as usize)?;
                (node.missing != 0).then(|| details(at, &node.address))
            })
            .flatten()
            .collect::<Vec<_>>();
        if !undescribed.is_empty() {
            talk(undescribed, &mut |step, answer, _| {
                // Their children are known; only what they are is not.
                let (Step::Role(at)
                | Step::State(at)
                | Step::Name(at)
                | Step::Description(at)
                | Step::Count(at)) = step
                else {
                    return;
                };
                let Some(node) = self.nodes.get_mut(at as usize) else { return };
                match node.details.take(step, answer, self.dialect) {
                    Ok(part) => node.missing &= !part,
                    Err(CallError::Absent) => node.state = Found::Absent,
                    Err(_) => {}
                }
            });
        }
    }

    /// Puts what is skipped by a list, though it is the parent of what is listed, between the two.
    /// GTK 4.8.3 lists as children of a stack what is in its pages, while the parent of that is
    /// the page, whose parent is the stack; whether its cache has the page depends on what was
    /// asked before (gnome-text-editor: 114 elements at first, 116 ever after).
    pub(super) fn interpose(&mut self) {
        for lister in 0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX) {
            let Some(node) = self.nodes.get_mut(lister as usize) else { return };
            let (Children::Listed(listed) | Children::Part(listed)) = &mut node.children else {
                continue;
            };
            let mut listed = std::mem::take(listed);
            for child in &mut listed {
                let Some(Some(between)) = self.cached_parents.get(child).copied() else { continue };
                if between == lister || self.cached_parents.get(&between) != Some(&Some(lister)) {
                    continue;
                }
                let Some(page) = self.nodes.get_mut(between as usize) else { continue };
                if page.state == Found::Cached && page.details.child_count == 1 {
                    page.state = Found::Placed;
                    page.parent = Some(lister);
                    page.children = Children::Listed(vec![*child]);
                    self.placed += 1;
                    if let Some(content) = self.nodes.get_mut(*child as usize) {
                        content.parent = Some(between);
                    }
                    *child = between;
                }
            }
            if let Some(node) = self.nodes.get_mut(lister as usize)
                && let Children::Listed(children) | Children::Part(children) = &mut node.children
            {
                *children = listed;
            }
        }
    }
}
