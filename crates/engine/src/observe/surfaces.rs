//! Overlays within the tree of a window: open menus, popovers, dialogs.

use agent_desktop_model::{
    role::Role,
    state::State,
    surface::SurfaceKind,
    tree::{Address, Listing, NodeId, Tree},
};

/// An overlay that can be read on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub kind: SurfaceKind,
    pub node: NodeId,
    /// What it holds, looked through boxes that show and without scroll bars.
    pub items: u64,
}

/// The surfaces in `tree`, outermost first in document order; the root itself is one if it is a
/// dialog, an alert or a menu.
pub fn find(tree: &Tree) -> Vec<Found> {
    tree.subtree(tree.root())
        .filter_map(|id| {
            let kind = kind(tree, id)?;
            Some(Found { kind, node: id, items: items(tree, id) })
        })
        .collect()
}

/// An id for the surface at `address`, in the manner of window ids.
pub fn id(kind: SurfaceKind, address: &Address) -> String {
    let app = address.app.trim_start_matches(':');
    let object: String = address
        .object
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() { character } else { '-' })
        .collect();
    format!("{}-{app}{object}", kind.token())
}

/// Whether `tree` is nothing but the first of `found`: a dialog, or a window made for a menu.
pub fn is_overlay(tree: &Tree, found: &[Found]) -> bool {
    found.first().is_some_and(|first| first.node == tree.root()) || is_popup(tree, found)
}

/// Whether `tree` is a nameless window that was made for the first of `found`, as GTK 3 does for
/// context menus.
pub fn is_popup(tree: &Tree, found: &[Found]) -> bool {
    let Some(first) = found.first() else { return false };
    let mut inside = tree.children(tree.root());
    let alone = inside.next() == Some(first.node) && inside.next().is_none();
    alone && tree[tree.root()].name.is_empty()
}

fn items(tree: &Tree, node: NodeId) -> u64 {
    let mut open: Vec<NodeId> = tree.children(node).collect();
    let mut count = 0;
    while let Some(id) = open.pop() {
        match tree[id].role {
            Role::Group | Role::ScrollArea if is_in_sight(tree, id) => {
                open.extend(tree.children(id));
            }
            Role::ScrollBar => {}
            _ => count += 1,
        }
    }
    count
}

fn is_in_sight(tree: &Tree, node: NodeId) -> bool {
    let states = tree[node].states;
    !states.has(State::Hidden) && !states.has(State::Offscreen)
}

/// Whether `node` is shown: itself and everything it stands in.
fn is_shown(tree: &Tree, node: NodeId) -> bool {
    std::iter::once(node).chain(tree.ancestors(node)).all(|id| {
        // A window behind others is still shown as far as its own overlays are concerned.
        let is_window = id == tree.root() && !tree[id].states.has(State::Hidden);
        is_window || is_in_sight(tree, id)
    })
}

fn kind(tree: &Tree, id: NodeId) -> Option<SurfaceKind> {
    let node = &tree[id];
    let kind = match node.role {
        _ if node.surface.is_some() => node.surface?,
        Role::Menu => SurfaceKind::Menu,
        Role::Popover => SurfaceKind::Popover,
        Role::Alert | Role::AlertDialog => SurfaceKind::Alert,
        Role::Dialog if node.states.has(State::Modal) => SurfaceKind::Sheet,
        Role::Sheet => SurfaceKind::Sheet,
        _ => return None,
    };
    let open = match kind {
        SurfaceKind::Menu => {
            // One that there was no time to read is not known to be empty.
            let some = tree.children(id).next().is_some() || node.children == Listing::Cut;
            some && !matches!(node.children, Listing::Closed(_))
        }
        // Browsers keep empty ones for what they may have to say later.
        SurfaceKind::Alert => {
            !node.name.is_empty()
                || tree.children(id).next().is_some()
                || node.children != Listing::Whole
        }
        _ => true,
    };
    (open && is_shown(tree, id)).then_some(kind)
}
