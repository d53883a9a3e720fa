//! From what an application said to the tree that everybody else works with.

use agent_desktop_model::{
    evidence,
    role::Role,
    state::State,
    surface::SurfaceKind,
    tree::{Listing, NativeId, NativeIdKind, Node, NodeId, Tree},
};

use super::{
    collect::{Children, Collected, Details, Raw},
    dialect::{self, Dialect, Native},
    interfaces::Facts,
    names, roles, states,
};

/// The tree of what was collected. `within` are the roles of what stands around the root.
pub(crate) fn tree(mut collected: Collected, within: &[Role], dialect: &Dialect) -> Tree {
    let recycling = within.iter().copied().any(dialect::recycles);
    let mut tree = Tree::default();
    let mut pending = vec![Pending { at: 0, parent: None, concealed: false, recycling }];
    let mut complete = true;
    while let Some(Pending { at, parent, concealed, recycling }) = pending.pop() {
        let listing = listing(&collected, at);
        let Some(raw) = collected.nodes.get_mut(at as usize) else { continue };
        complete &= listing != Listing::Cut;
        let node = node(raw, listing, concealed, recycling, dialect);
        let concealed = concealed || raw.details.states & states::VISIBLE == 0;
        let recycling = recycling || dialect::recycles(node.role);
        let children = std::mem::replace(&mut raw.children, Children::Unknown);
        let id = match parent {
            Some(parent) => tree.push(parent, node),
            None => {
                tree = Tree::new(node);
                tree.root()
            }
        };
        if let Children::Listed(children) | Children::Part(children) = children {
            pending.extend(
                children
                    .into_iter()
                    .rev()
                    .filter(|child| collected.nodes.get(*child as usize).is_some_and(Raw::is_whole))
                    .map(|at| Pending { at, parent: Some(id), concealed, recycling }),
            );
        }
    }
    tree.complete = complete;
    close_menus(&mut tree, dialect);
    names::hide_passwords(&mut tree);
    if dialect.odd_names {
        names::mend(&mut tree);
    }
    mark_choices(&mut tree, dialect);
    tree
}

/// Just the root of `tree`, which keeps what it learnt from the others. Whether a password field
/// is near is not known, so its dots are taken out of any text.
pub(crate) fn alone(mut tree: Tree) -> Tree {
    let root = tree.root();
    let root = &mut tree[root];
    let mut node = Node::default();
    node.address = root.address.clone();
    node.role = root.role;
    node.name = names::without_dots(&root.name);
    node.description = names::without_dots(&root.description);
    node.native_id = root.native_id.take();
    node.states = root.states;
    node.children = Listing::Cut;
    node.lasting = root.lasting;
    node.surface = root.surface;
    node.volatile_name = root.volatile_name;
    node.digest = root.digest;
    node.platform = root.platform;
    Tree::new(node)
}

struct Pending {
    at: u32,
    parent: Option<NodeId>,
    /// Whether something around it is hidden.
    concealed: bool,
    /// Whether something around it may be given other content.
    recycling: bool,
}

/// Whether all children of a node are there.
fn listing(collected: &Collected, at: u32) -> Listing {
    let child = |at: &u32| collected.nodes.get(*at as usize);
    match collected.nodes.get(at as usize).map(|node| &node.children) {
        Some(Children::Listed(children)) => {
            if children.iter().filter_map(child).all(|node| node.is_whole() || node.is_absent()) {
                Listing::Whole
            } else {
                Listing::Cut
            }
        }
        Some(Children::Counted(count)) => Listing::Counted(*count),
        Some(Children::Part(_) | Children::Unknown) | None => Listing::Cut,
    }
}

fn node(
    raw: &mut Raw,
    children: Listing,
    concealed: bool,
    recycling: bool,
    dialect: &Dialect,
) -> Node {
    let mut details = std::mem::take(&mut raw.details);
    names::settle(&mut details, dialect);
    // Told again below; the states decide about the children.
    raw.details.states = details.states;
    let role = roles::canonical(details.role, details.states & states::SELECTABLE != 0);
    let facts =
        Facts { states: details.states, role: details.role, interfaces: details.interfaces };
    let mut node = Node::default();
    node.address = raw.address.clone();
    node.role = role;
    node.states = states::canonical(details.states, details.role, dialect, concealed);
    node.digest = digest(&details);
    node.native_id = details.native_id.map(|value| NativeId {
        kind: match dialect.native {
            Native::DomId => NativeIdKind::AxDomIdentifier,
            Native::AccessibleId | Native::None => NativeIdKind::AxIdentifier,
        },
        value: value.into(),
    });
    node.name = details.name;
    node.description = details.description;
    node.children = children;
    node.lasting = dialect.lasting(recycling);
    node.surface = (details.role == roles::MENU_BAR).then_some(SurfaceKind::MenuBar);
    node.platform = facts.pack();
    node
}

/// The digest of what identifies a node, as its application says it, hidden passwords left out.
pub(crate) fn digest(details: &Details) -> u64 {
    evidence::digest(
        details.role,
        details.native_id.as_deref().unwrap_or_default(),
        &names::without_dots(&details.name),
        &names::without_dots(&details.description),
    )
}

/// Marks menus of which nothing shows as closed. What is in them stays in the tree, for whoever
/// has to know whether an element is the only one of its kind.
fn close_menus(tree: &mut Tree, dialect: &Dialect) {
    let shown =
        |tree: &Tree, id: NodeId| states::shown(Facts::unpack(tree[id].platform).states, dialect);
    for id in tree.ids() {
        if matches!(tree[id].role, Role::Menu | Role::MenuItem)
            && tree[id].children == Listing::Whole
            && tree.children(id).next().is_some()
            && !tree.children(id).any(|child| shown(tree, child))
        {
            tree[id].children = Listing::Closed(tree.children(id).count() as u64);
            for inner in tree.subtree(id).skip(1).collect::<Vec<_>>() {
                tree[inner].states.remove(State::Offscreen);
                tree[inner].states.insert(State::Hidden);
            }
        }
    }
}

/// Marks combo boxes that are named after what is chosen in them, so that the name changes while
/// they stay the same.
fn mark_choices(tree: &mut Tree, dialect: &Dialect) {
    for id in tree.ids() {
        let node = &tree[id];
        if node.role != Role::ComboBox || node.name.is_empty() {
            continue;
        }
        let says_choice = |inner: NodeId| tree[inner].name == node.name;
        let volatile = dialect.combos_show_choice || tree.subtree(id).skip(1).any(says_choice);
        tree[id].volatile_name = volatile;
    }
}
