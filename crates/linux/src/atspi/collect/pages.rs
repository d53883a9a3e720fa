//! Pages that are behind another one, where states do not tell: GTK 4.8.3 leaves VISIBLE on all of
//! them, and an extent on those that have been in front once. Only what is in front contains points.

use agent_desktop_model::geometry::Rect;

use super::{Interfaces, Raw, Reader, Step, Talk, calls};
use crate::bus::{Answer, CallError};

impl Reader<'_> {
    /// Marks the pages that do not show.
    pub(super) fn look_behind_pages(&mut self, talk: &mut Talk<'_>) {
        if !self.dialect.pages_show_behind {
            return;
        }
        let contents = self.nodes.iter().zip(0..).filter(|(node, _)| node.is_whole());
        let pages: Vec<(u32, u32)> =
            contents.filter_map(|(node, at)| Some((at, self.page_of(node, at)?))).collect();
        let question = |(content, page): &(u32, u32)| {
            let content = self.nodes.get(*content as usize)?;
            Some((Step::Extents(*page), calls::extents_in_window(&content.address)))
        };
        let questions: Vec<_> = pages.iter().filter_map(question).collect();
        if questions.is_empty() {
            return;
        }
        talk(questions, &mut |step, answer, more| {
            let at = step.node();
            let is_behind = match step {
                Step::Extents(page) => {
                    let content = pages.iter().find(|(_, of)| *of == page);
                    let content = content.and_then(|(at, _)| self.nodes.get(*at as usize));
                    let rect = answer.ok().and_then(|reply| calls::rectangle(&reply));
                    let Some((content, rect)) = content.zip(rect) else { return };
                    match inside(rect) {
                        Some(point) => {
                            let call = calls::contains(&content.address, point);
                            return more.push((Step::Nth(page), call));
                        }
                        None => true,
                    }
                }
                _ => denies(&answer),
            };
            if let Some(page) = self.nodes.get_mut(at) {
                page.is_behind = is_behind;
            }
        });
    }

    /// The page that a node fills, or the node itself where its page is not in the tree.
    fn page_of(&self, content: &Raw, at: u32) -> Option<u32> {
        let up = content.parent?;
        let lister = self.nodes.get(up as usize)?;
        let interfaces = lister.details.interfaces;
        let is_page = interfaces.is_some_and(|offered| !offered.has(Interfaces::COMPONENT));
        let says = self.cached_parents.get(&at);
        let skips_page = says.is_some_and(|parent| *parent != Some(up));
        match is_page {
            true => Some(up),
            false => skips_page.then_some(at),
        }
    }
}

/// Whether an element, or a page around it, is behind another page, given the answers to
/// [`calls::extents_in_window`] of the element and of all that it stands in, nearest first, and
/// `ask`, which asks whether the one at an index contains a point. What does not answer shows.
pub(crate) fn is_behind(
    extents: &[Answer],
    ask: impl FnOnce(&[(usize, (i32, i32))]) -> Vec<Answer>,
) -> bool {
    let rect = |answer: &Answer| calls::rectangle(answer.as_ref().ok()?);
    // A page has no extent of its own.
    let is_page = |at: usize| matches!(extents.get(at), Some(Err(CallError::Absent)));
    let shown: Vec<(usize, Rect)> = extents
        .iter()
        .enumerate()
        .filter(|(at, _)| *at == 0 || is_page(at + 1))
        .filter_map(|(at, answer)| Some((at, rect(answer)?)))
        .collect();
    if shown.iter().any(|(at, rect)| is_page(at + 1) && inside(*rect).is_none()) {
        return true;
    }
    let points: Vec<(usize, (i32, i32))> =
        shown.iter().filter_map(|(at, rect)| Some((*at, inside(*rect)?))).collect();
    ask(&points).iter().any(denies)
}

/// A point in the middle of `rect`, if anything is in it.
fn inside(rect: Rect) -> Option<(i32, i32)> {
    rect.has_area()
        .then(|| (rect.x.saturating_add(rect.width / 2), rect.y.saturating_add(rect.height / 2)))
}

/// Whether `answer` says that a point is not in something.
fn denies(answer: &Answer) -> bool {
    answer.as_ref().is_ok_and(|reply| reply.decode::<bool>() == Some(false))
}
