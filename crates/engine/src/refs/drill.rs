//! A region that is read again below one ref.

use agent_desktop_model::tree::Tree;

use super::{
    allocate::{deserving, number},
    census::Census,
    map::{Capture, RefMap},
};
use crate::observe::View;

/// An element of a map without refs, below which a search looked.
#[derive(Clone, Copy, Debug)]
pub struct Region(pub(super) u32);

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
    let element = map.entry(drilled)?.element;
    let top = view.entries.first()?.node;
    map.refresh(element, tree, top);
    map.remember_addresses(tree);
    let mut capture = Capture::new(tree, census, Some((top, element)));
    let mut numbers = number(&mut map, &mut capture, view, &deserving(tree, view, true));
    if let Some(own) = numbers.first_mut() {
        *own = Some(drilled);
    }
    Some((map, numbers))
}

/// A map for what a search below ref `number` of `map` finds, and the element it starts from.
pub fn beneath(map: &RefMap, number: u32) -> Option<(RefMap, Region)> {
    map.only_path_to(number).map(|(map, element)| (map, Region(element)))
}
