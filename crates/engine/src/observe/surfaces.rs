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
    /// Direct children.
    pub items: u64,
}

/// The surfaces in `tree`, outermost first in document order; the root itself is one if it is a
/// dialog, an alert or a menu.
pub fn find(tree: &Tree) -> Vec<Found> {
    tree.subtree(tree.root())
        .filter_map(|id| {
            let kind = kind(tree, id)?;
            Some(Found { kind, node: id, items: tree.children(id).count() as u64 })
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

/// Whether `node` is shown: itself and everything it stands in.
fn is_shown(tree: &Tree, node: NodeId) -> bool {
    std::iter::once(node).chain(tree.ancestors(node)).all(|id| {
        let states = tree[id].states;
        // A window behind others is still shown as far as its own overlays are concerned.
        id == tree.root() || !(states.has(State::Hidden) || states.has(State::Offscreen))
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
            !matches!(node.children, Listing::Closed(_)) && tree.children(id).next().is_some()
        }
        _ => true,
    };
    (open && is_shown(tree, id)).then_some(kind)
}
