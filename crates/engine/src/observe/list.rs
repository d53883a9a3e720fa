//! The depth rule: which nodes of a tree are listed.

use agent_desktop_model::{
    role::Role,
    state::State,
    tree::{Listing, NodeId, Tree},
};

use super::view::{Cut, Entry, View};

/// How deep the printed JSON nests at most. Readers give up at some depth (jq at 127 nested
/// nodes, many parsers at 128 levels, two of which each node takes).
const NESTING_LIMIT: usize = 60;

/// Whether what is hidden, such as a page behind another, is listed as what shows is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    Listed,
    /// As one node, like what lies too deep.
    Folded,
}

/// Lists `top` and what lies below it, down to `max_depth` semantic levels: a wrapper takes none.
/// What is closed stays closed, except `top` itself, which was asked for by name.
pub fn list(tree: &Tree, top: NodeId, max_depth: u32, hidden: Hidden) -> View {
    let mut entries: Vec<Entry> = Vec::new();
    let mut pending = vec![Pending { node: top, parent: None, depth: 0, nesting: 1 }];
    while let Some(Pending { node, parent, depth, nesting }) = pending.pop() {
        let index = entries.len();
        let present = || tree.children(node).count() as u64;
        let folded = hidden == Hidden::Folded && index > 0 && tree[node].states.has(State::Hidden);
        let at_limit =
            folded || (depth >= max_depth && !is_wrapper(tree, node)) || nesting >= NESTING_LIMIT;
        let cut = match tree[node].children {
            Listing::Closed(children) if index > 0 => Some(Cut::Closed { children }),
            Listing::Counted(children) if at_limit => Some(Cut::Depth { children }),
            Listing::Counted(children) => Some(Cut::Closed { children }),
            Listing::Cut => Some(Cut::Budget),
            Listing::Whole | Listing::Closed(_) if at_limit => match present() {
                0 => None,
                children => Some(Cut::Depth { children }),
            },
            Listing::Whole | Listing::Closed(_) => None,
        };
        entries.push(Entry { node, parent, cut });
        let closed = matches!(tree[node].children, Listing::Closed(_)) && index > 0;
        if at_limit || closed {
            continue;
        }
        let below = if is_wrapper(tree, node) { depth } else { depth + 1 };
        let first = pending.len();
        pending.extend(tree.children(node).map(|child| Pending {
            node: child,
            parent: Some(index),
            depth: below,
            nesting: nesting + 1,
        }));
        pending[first..].reverse();
    }
    View { entries }
}

struct Pending {
    node: NodeId,
    parent: Option<usize>,
    depth: u32,
    nesting: usize,
}

/// A generic container that says nothing of itself and holds exactly one child. If every unnamed
/// container were free, whole windows would fit into three levels and leave nothing to drill.
fn is_wrapper(tree: &Tree, node: NodeId) -> bool {
    let it = &tree[node];
    it.role == Role::Group
        && it.name.is_empty()
        && it.native_id.is_none()
        && it.children == Listing::Whole
        && tree.children(node).take(2).count() == 1
}
