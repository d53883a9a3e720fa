//! Leaves out what a spreadsheet shows most of: cells that nothing is in.

use agent_desktop_model::{
    state::State,
    tree::{Field, Node, NodeId, Tree},
};

use super::view::{Entry, View};

/// `view` without blank cells, once values were read. The cell with the cursor stays, and so do
/// those that are selected.
pub fn without_blanks(tree: &Tree, view: View) -> View {
    let mut kept: Vec<Entry> = Vec::with_capacity(view.entries.len());
    let mut moved = Vec::with_capacity(view.entries.len());
    for entry in view.entries {
        moved.push(kept.len());
        // A blank cell has no children whose parents would have to be found.
        if entry.parent.is_none() || !is_blank(&tree[entry.node]) {
            let parent = entry.parent.and_then(|parent| moved.get(parent).copied());
            kept.push(Entry { parent, ..entry });
        }
    }
    View { entries: kept }
}

/// How many cells of `table` are blank.
pub(super) fn blank_cells(tree: &Tree, table: NodeId) -> u64 {
    tree.children(table).filter(|cell| is_blank(&tree[*cell])).count() as u64
}

fn is_blank(cell: &Node) -> bool {
    cell.anchored
        && cell.filled.has(Field::Value)
        && cell.value.as_deref().is_none_or(str::is_empty)
        && cell.formula.is_none()
        && ![State::Focused, State::Selected].iter().any(|state| cell.states.has(*state))
}
