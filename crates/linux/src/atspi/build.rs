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
    dialect::{self, Dialect, Lists, Native, Popovers},
    interfaces::Facts,
    names, roles, states,
};

/// What the root of a tree stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    /// Whether any of it is hidden.
    pub(crate) concealed: bool,
    /// Whether any of it may be given other content.
    pub(crate) recycling: bool,
    pub(crate) parent: Option<Facts>,
}

/// The tree of what was collected.
pub(crate) fn tree(mut collected: Collected, around: Around, dialect: &Dialect) -> Tree {
    let Around { concealed, recycling, .. } = around;
    let mut tree = Tree::default();
    let mut pending = vec![Pending { at: 0, parent: None, concealed, scrolled: false, recycling }];
    let mut complete = true;
    let mut labels = Vec::new();
    while let Some(Pending { at, parent, concealed, scrolled, recycling }) = pending.pop() {
        let listing = listing(&collected, at);
        let Some(raw) = collected.nodes.get_mut(at as usize) else { continue };
        complete &= listing != Listing::Cut;
        let in_pane = parent
            .is_some_and(|parent| Facts::unpack(tree[parent].platform).role == roles::ROOT_PANE);
        let concealed = concealed
            || dialect.panes_have_menu_bars && in_pane && raw.details.role == roles::MENU_BAR
            || raw.is_behind;
        let mut node = node(raw, listing, concealed, recycling, dialect);
        let scrolled = scrolled || raw.is_scrolled_away;
        if scrolled && !node.states.has(State::Hidden) {
            node.states.insert(State::Offscreen);
        }
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
        labels.extend(raw.label.take().map(|label| (id, *label)));
        if let Children::Listed(children)
        | Children::Part(children)
        | Children::Shown(_, children) = children
        {
            pending.extend(
                children
                    .into_iter()
                    .rev()
                    .filter(|child| collected.nodes.get(*child as usize).is_some_and(Raw::is_whole))
                    .map(|at| Pending { at, parent: Some(id), concealed, scrolled, recycling }),
            );
        }
    }
    tree.complete = complete;
    (tree.menus_grab, tree.popovers_grab) = dialect.grabs_input;
    tree.around = around.parent.map(Facts::pack);
    if tree.around.is_none() {
        settle_window(&mut tree);
    }
    close_menus(&mut tree, dialect);
    mark_open(&mut tree, dialect);
    mark_popovers(&mut tree, dialect);
    mark_questions(&mut tree, dialect);
    names::hide_passwords(&mut tree);
    if dialect.odd_names {
        names::mend(&mut tree);
    }
    mark_choices(&mut tree, dialect);
    names::label_fields(&mut tree, &labels);
    names::mark_labels_around_fields(&mut tree);
    tree
}

/// Just the root of `tree`, which keeps what it learnt from the others. Whether a password field
/// is near is not known, so its dots are taken out of any text. A combo box keeps what is in it:
/// its value may be a field's.
pub(crate) fn alone(mut tree: Tree) -> Tree {
    let root = tree.root();
    if tree[root].role == Role::ComboBox {
        tree[root].name = names::without_dots(&tree[root].name);
        tree[root].description = names::without_dots(&tree[root].description);
        return tree;
    }
    let around = tree.around;
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
    node.value = root.value.take();
    node.digest = root.digest;
    node.platform = root.platform;
    let mut tree = Tree::new(node);
    tree.around = around;
    tree
}

struct Pending {
    at: u32,
    parent: Option<NodeId>,
    /// Whether something around it is hidden.
    concealed: bool,
    /// Whether it stands in a row that is scrolled out of sight.
    scrolled: bool,
    /// Whether something around it may be given other content.
    recycling: bool,
}

/// Whether all children of a node are there.
fn listing(collected: &Collected, at: u32) -> Listing {
    let child = |at: &u32| collected.nodes.get(*at as usize);
    let known = |children: &[u32]| {
        children.iter().filter_map(child).all(|node| node.is_whole() || node.is_absent())
    };
    match collected.nodes.get(at as usize).map(|node| &node.children) {
        Some(Children::Listed(children)) if known(children) => Listing::Whole,
        Some(Children::Shown(count, children)) if known(children) => Listing::Counted(*count),
        Some(Children::Counted(count)) => Listing::Counted(*count),
        Some(Children::Closed(count)) => Listing::Closed(*count),
        Some(_) | None => Listing::Cut,
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
    let role = details.page_role.unwrap_or_else(|| roles::canonical(details.role, details.states));
    let facts =
        Facts { states: details.states, role: details.role, interfaces: details.interfaces };
    let mut node = Node::default();
    node.address = raw.address.clone();
    node.role = role;
    node.states = states::canonical(details.states, details.role, dialect, concealed);
    if role == Role::Switch {
        // Its number is that of a button that stays down.
        node.states.remove(State::Pressed);
    }
    if raw.is_open {
        node.states.insert(State::Expanded);
    }
    let empty = matches!(&raw.children, Children::Listed(children) if children.is_empty());
    let blank = details.role == roles::DOCUMENT_WEB && details.states & states::FOCUSABLE == 0;
    if dialect.pages_come_whole && blank && empty {
        node.states.insert(State::Busy);
    }
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
    node.extent = raw.extent;
    node.position = raw.position;
    node.anchored = raw.anchored;
    node.may_have_more = raw.may_have_more;
    // LibreOffice 7.4.7 gives the pane around a document the title of the window.
    node.volatile_name = dialect.endless_tables && details.role == roles::ROOT_PANE;
    node.lasting = dialect.lasting(role, recycling);
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

/// Gives a window the role of one: Qt makes a plain widget that is a window a box, GTK 4.8.3 its
/// file dialogs.
fn settle_window(tree: &mut Tree) {
    let root = tree.root();
    let root = &mut tree[root];
    if matches!(root.role, Role::Group | Role::Unknown) {
        root.role = match root.states.has(State::Modal) {
            true => Role::Dialog,
            false => Role::Window,
        };
    }
}

/// Marks popovers, for which no toolkit has a role. Only what is shown counts as open, which is
/// found out where surfaces are looked for.
fn mark_popovers(tree: &mut Tree, dialect: &Dialect) {
    let root = tree.root();
    let number = |tree: &Tree, id: NodeId| Facts::unpack(tree[id].platform).role;
    let is_popover = |tree: &Tree, id: NodeId| match dialect.popovers {
        Popovers::None => false,
        Popovers::ModalPanels => {
            tree.parent(id) == Some(root)
                && number(tree, id) == roles::PANEL
                && tree[id].states.has(State::Modal)
        }
        Popovers::Named => is_named_popover(tree, id),
        Popovers::Combos => {
            let open = |up| tree[up].role == Role::ComboBox && tree[up].states.has(State::Expanded);
            matches!(tree[id].role, Role::List | Role::ListBox) && tree.parent(id).is_some_and(open)
        }
    };
    for id in tree.ids().filter(|id| is_popover(tree, *id)).collect::<Vec<_>>() {
        tree[id].surface = Some(SurfaceKind::Popover);
    }
}

/// Marks what a browser asks itself, for a page or not: it takes all input of its window, but
/// neither Chromium 156 nor Firefox 153 says that it is modal.
fn mark_questions(tree: &mut Tree, dialect: &Dialect) {
    if dialect.native != Native::DomId || tree.around.is_some() {
        return;
    }
    let in_page = |id: NodeId| tree.ancestors(id).any(|up| tree[up].role == Role::WebArea);
    let asks = |id: &NodeId| *id != tree.root() && tree[*id].role == Role::Dialog && !in_page(*id);
    for id in tree.ids().filter(asks).collect::<Vec<_>>() {
        tree[id].surface = Some(SurfaceKind::Sheet);
    }
}

/// Marks menus of which nothing shows as closed. What is in them stays in the tree, for whoever
/// has to know whether an element is the only one of its kind.
fn close_menus(tree: &mut Tree, dialect: &Dialect) {
    let bits = |tree: &Tree, id: NodeId| Facts::unpack(tree[id].platform).states;
    // Browsers say of the choice in a closed list that it shows, because the combo box shows it.
    let in_closed_list = |tree: &Tree, id: NodeId| {
        tree.parent(id).is_some_and(|parent| {
            let bits = bits(tree, parent);
            tree[parent].role == Role::ComboBox
                && states::expandable(bits)
                && !tree[parent].states.has(State::Expanded)
        })
    };
    for id in tree.ids() {
        if matches!(tree[id].role, Role::Menu | Role::MenuItem)
            && tree[id].children == Listing::Whole
            && tree.children(id).next().is_some()
            && (in_closed_list(tree, id)
                || !tree.children(id).any(|child| states::shown(bits(tree, child), dialect)))
        {
            tree[id].children = Listing::Closed(tree.children(id).count() as u64);
            for inner in tree.subtree(id).skip(1).collect::<Vec<_>>() {
                tree[inner].states.remove(State::Offscreen);
                tree[inner].states.insert(State::Hidden);
            }
        }
    }
}

/// Whether an element is called by the class of a popover. That of a combo box is a `GtkTreePopover`.
fn is_named_popover(tree: &Tree, id: NodeId) -> bool {
    Facts::unpack(tree[id].platform).role == roles::FILLER
        && matches!(&*tree[id].name, "GtkPopover" | "GtkTreePopover")
}

/// Marks menus and combo boxes as expanded that do not say so, but show what is in them.
fn mark_open(tree: &mut Tree, dialect: &Dialect) {
    let shows =
        |tree: &Tree, id: NodeId| states::shown(Facts::unpack(tree[id].platform).states, dialect);
    let is_open = |tree: &Tree, id: NodeId| {
        let opens = |inner: NodeId| match tree[id].role {
            Role::Menu => dialect.shows_open_menus,
            Role::MenuItem => dialect.shows_open_menus && tree[inner].role == Role::Menu,
            Role::ComboBox => {
                dialect.lists == Lists::Shown
                    && (matches!(tree[inner].role, Role::Menu | Role::List | Role::Table)
                        || is_named_popover(tree, inner))
            }
            _ => false,
        };
        tree.children(id).any(|inner| opens(inner) && shows(tree, inner))
    };
    for id in tree.ids() {
        if is_open(tree, id) {
            tree[id].states.insert(State::Expanded);
        }
    }
}

/// Notes what is chosen in combo boxes where their own lists tell it, and marks those that are
/// named after it, so that the name changes while they stay the same. Lists of tabs in Qt are
/// named after the current one.
fn mark_choices(tree: &mut Tree, dialect: &Dialect) {
    for id in tree.ids() {
        if tree[id].role == Role::TabList {
            let says_tab = |tab: NodeId| tree[tab].name == tree[id].name;
            let volatile = !tree[id].name.is_empty() && tree.children(id).any(says_tab);
            tree[id].volatile_name = volatile;
        }
        if tree[id].role != Role::ComboBox {
            continue;
        }
        let node = &tree[id];
        let says_choice = |inner: NodeId| tree[inner].name == node.name;
        let volatile = !node.name.is_empty()
            && (dialect.combos_show_choice || tree.subtree(id).skip(1).any(says_choice));
        let chosen = tree
            .children(id)
            .filter(|list| matches!(tree[*list].role, Role::Menu | Role::ListBox))
            .flat_map(|list| tree.children(list))
            .find(|item| tree[*item].states.has(State::Selected) && !tree[*item].name.is_empty())
            .map(|item| tree[item].name.clone());
        tree[id].volatile_name = volatile;
        tree[id].value = chosen;
    }
}
