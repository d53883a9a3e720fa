//! What each element stands in: the text by which a person tells it from its twins.
//!
//! Every ancestor that people think in (a row, an item, a panel, a group, a dialog) may offer its
//! branches a text: its own name, else the first text in its *other* branches. The nearest offer
//! counts. An offer never depends on the branch that it is made to, so
//! an element has the same context whether its whole window was read or only a region around it.
//!
//! Computed bottom-up once and top-down once: a window of 20,000 nodes in any shape is linear.

use agent_desktop_model::{
    role::Role,
    tree::{NodeId, Tree},
};

/// A nameless ancestor with more nodes than this is no row-like thing: the first text somewhere in
/// half a window tells nobody where an element stands, and changes for reasons of its own.
const SMALL: u32 = 32;

/// Where the text of an element's context stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Spot {
    #[default]
    Nowhere,
    /// In this node's name.
    At(NodeId),
    /// Above the root of the tree.
    Above,
}

/// For each node, what surrounds it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// The nearest offer of an ancestor.
    pub(super) around: Spot,
    /// What tells the node from its twins: [`Place::around`], or its own first text if it is a
    /// container without a name (a list row, say).
    pub(super) within: Spot,
}

/// The place of each node, where `above` surrounds the root.
pub(super) fn places(tree: &Tree, above: Spot) -> Vec<Place> {
    let below = texts_below(tree);
    let mut places = vec![Place::default(); tree.len()];
    for id in tree.ids() {
        let around = match tree.parent(id) {
            None => above,
            Some(parent) => match offer(tree, &below, parent, id) {
                Some(source) => Spot::At(source),
                None => places[parent.index()].around,
            },
        };
        let own = below[id.index()].first.filter(|_| is_told_by_content(tree, id));
        places[id.index()] =
            Place { around, within: own.map_or(around, |(text, _)| Spot::At(text)) };
    }
    places
}

/// What lies below a node.
#[derive(Clone, Copy, Debug, Default)]
struct Below {
    /// The first text, and the child in whose branch it stands.
    first: Option<(NodeId, NodeId)>,
    /// The first text in any later branch.
    second: Option<NodeId>,
    /// How many nodes, the node itself included.
    size: u32,
}

fn texts_below(tree: &Tree) -> Vec<Below> {
    let mut below = vec![Below::default(); tree.len()];
    // Parents precede their children and siblings stand in document order, so backwards every
    // subtree is finished before its parent sees it, and the earliest branch is seen last.
    for id in tree.ids().rev() {
        let here = &mut below[id.index()];
        here.size += 1;
        let (size, first) = (here.size, here.first);
        let Some(parent) = tree.parent(id) else { continue };
        let text = if is_text(tree, id) {
            Some(id)
        } else {
            first.map(|(text, _)| text).filter(|_| !keeps_its_texts(tree, id))
        };
        let parent = &mut below[parent.index()];
        parent.size += size;
        if let Some(text) = text {
            parent.second = parent.first.map(|(earlier, _)| earlier);
            parent.first = Some((text, id));
        }
    }
    below
}

/// What `ancestor` offers to its branch `child`.
fn offer(tree: &Tree, below: &[Below], ancestor: NodeId, child: NodeId) -> Option<NodeId> {
    let role = tree[ancestor].role;
    if is_named(tree, ancestor) && role.is_context() {
        return Some(ancestor);
    }
    let Below { first, second, size } = below[ancestor.index()];
    let is_small = size <= SMALL && (role.is_context() || role == Role::Unknown);
    if !(is_small || is_item(role)) {
        return None;
    }
    match first {
        Some((_, branch)) if branch == child => second,
        Some((text, _)) => Some(text),
        None => None,
    }
}

/// Whether `id` is a container without a name, which its own first text tells from its twins.
fn is_told_by_content(tree: &Tree, id: NodeId) -> bool {
    let role = tree[id].role;
    !is_named(tree, id) && (role.is_context() || !role.is_interactive())
}

fn is_named(tree: &Tree, id: NodeId) -> bool {
    let node = &tree[id];
    !node.name.trim().is_empty() && !node.role.has_volatile_title() && !node.volatile_name
}

fn is_text(tree: &Tree, id: NodeId) -> bool {
    let readable = matches!(
        tree[id].role,
        Role::StaticText | Role::Heading | Role::Link | Role::Image | Role::Cell
    );
    readable && is_named(tree, id)
}

/// Whether an element of this role is one of many that differ by their content.
pub(super) fn is_item(role: Role) -> bool {
    matches!(role, Role::Row | Role::TreeItem | Role::Option | Role::LayoutItem | Role::Cell)
}

/// Whether the texts below `id` are its own business: the label of a button says nothing about the
/// button beside it, one row nothing about the next, and a named group says its name.
fn keeps_its_texts(tree: &Tree, id: NodeId) -> bool {
    match tree[id].role {
        Role::Cell | Role::Link => false,
        role if role.is_context() && is_named(tree, id) => true,
        role => {
            role.is_interactive()
                || is_item(role)
                || matches!(
                    role,
                    Role::TabPanel | Role::List | Role::Table | Role::Grid | Role::Outline
                )
        }
    }
}
