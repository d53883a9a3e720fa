//! What each element stands in: the text by which a person tells it from its twins.
//!
//! Every ancestor that people think in (a row, an item, a panel, a group, a dialog) may offer its
//! branches a text: its own name, else the first text in its *other* branches. The nearest offer
//! counts. An offer never depends on the branch that it is made to, so
//! an element has the same context whether its whole window was read or only a region around it;
//! but for rows that begin alike: what tells one is found only where the others were read as well,
//! so a ref from a region that is one of them may be refused.
//!
//! A title that a header bar shows beside its buttons is such a text as well: what "Save" or "Delete"
//! acts upon is what the title names, so these are refused once it names something else. That
//! "Open" is refused with them costs another look, whereas the other way round would delete the
//! wrong record. The name of a file, a person or a product is what people know it by: whatever has
//! its name and stands where it stood, beside the same text, is the same to them.
//!
//! One text does not tell everything of a message, which asks what it asks in several, nor of a row
//! whose neighbour begins with the same: there every text has to stay.
//!
//! Computed bottom-up once and top-down once: a window of 20,000 nodes in any shape is linear.

use std::collections::HashMap;

use agent_desktop_model::{
    evidence::text_hash,
    role::Role,
    state::State,
    tree::{Listing, NodeId, Tree},
};

/// A nameless ancestor with more nodes than this is no row-like thing: the first text somewhere in
/// half a window tells nobody where an element stands, and changes for reasons of its own.
const SMALL: u32 = 32;

/// How many texts of a message or row count at most.
const TEXTS: usize = 8;

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
    /// Whether nothing stayed unread that could tell it better.
    pub(super) sure: bool,
    /// The message, or the row like others, that it stands in and of which every text counts.
    pub(super) whole: Option<NodeId>,
}

/// The place of each node, where `above` surrounds the root.
pub(super) fn places(tree: &Tree, above: Spot) -> Vec<Place> {
    let below = texts_below(tree);
    let rows = rows_of_cells(tree, &below);
    let holes = holes(tree);
    let alike = alike(tree, &below);
    let mut around_is_sure = vec![true; tree.len()];
    let mut places = vec![Place::default(); tree.len()];
    for id in tree.ids() {
        let parent = tree.parent(id);
        let offer = parent
            .and_then(|parent| rows.get(&id).copied().or_else(|| offer(tree, &below, parent, id)));
        let whole = parent.and_then(|parent| match alike.contains_key(&parent) {
            true => Some(parent),
            false => places[parent.index()].whole,
        });
        let telling = |source| {
            let (first, _) = below[whole?.index()].first?;
            alike.get(&whole?).copied().flatten().filter(|_| first == source)
        };
        let around = match (offer, parent) {
            (Some(source), _) => Spot::At(telling(source).unwrap_or(source)),
            (None, Some(parent)) => places[parent.index()].around,
            (None, None) => above,
        };
        around_is_sure[id.index()] = parent.is_none_or(|parent| match offer {
            Some(source) => source == parent || !holes[parent.index()],
            None => {
                let may_tell = tells(tree[parent].role) || holds_rows(tree[parent].role);
                around_is_sure[parent.index()] && !(may_tell && holes[parent.index()])
            }
        });
        // A cell is first of all one of its row.
        let by_content =
            is_told_by_content(tree, id) && (tree[id].role != Role::Cell || offer.is_none());
        let own = below[id.index()].first.filter(|_| by_content);
        let sure = match own {
            Some(_) => !holes[id.index()],
            None => around_is_sure[id.index()] && !(by_content && holes[id.index()]),
        };
        let within = own.map_or(around, |(text, _)| Spot::At(text));
        places[id.index()] = Place { around, within, sure, whole };
    }
    places
}

/// The first texts in `whole`, as many as count.
pub(super) fn texts_in(tree: &Tree, whole: NodeId) -> Vec<NodeId> {
    let mut texts = Vec::new();
    let mut open = vec![whole];
    let mut looked_at = 0;
    while let Some(id) = open.pop()
        && texts.len() < TEXTS
        && looked_at < 2 * SMALL
    {
        looked_at += 1;
        if is_text(tree, id) {
            texts.push(id);
        } else if id == whole || !keeps_its_texts(tree, id) {
            let shown = |id: &NodeId| !tree[*id].states.has(State::Hidden);
            let inside: Vec<NodeId> = tree.children(id).filter(shown).collect();
            open.extend(inside.into_iter().rev());
        }
    }
    texts
}

/// Messages, and rows, or boxes that serve as such, that begin with the same text as another one
/// beside them; of these with the first text that tells one from the others, if any does.
fn alike(tree: &Tree, below: &[Below]) -> HashMap<NodeId, Option<NodeId>> {
    let first = |id: NodeId| {
        let (text, _) = below[id.index()].first?;
        Some((tree.parent(id)?, text_hash(&tree[text].name)?))
    };
    let is_row = |id: &NodeId| match tree[*id].role {
        Role::Cell => false,
        Role::Group | Role::Unknown => !is_named(tree, *id) && below[id.index()].size <= SMALL,
        role => is_item(role),
    };
    let mut beginnings: HashMap<(NodeId, u64), Vec<NodeId>> = HashMap::new();
    for row in tree.ids().filter(is_row) {
        if let Some(beginning) = first(row) {
            beginnings.entry(beginning).or_default().push(row);
        }
    }
    let asks = |id: &NodeId| match tree[*id].role {
        Role::Alert | Role::AlertDialog => true,
        Role::Dialog | Role::Sheet => tree[*id].states.has(State::Modal),
        _ => false,
    };
    let is_message = |id: &NodeId| asks(id) && below[id.index()].size <= SMALL;
    let mut alike: HashMap<_, _> = tree.ids().filter(is_message).map(|id| (id, None)).collect();
    for rows in beginnings.into_values().filter(|rows| rows.len() > 1) {
        let texts: Vec<_> = rows.iter().map(|row| texts_in(tree, *row)).collect();
        let mut counts: HashMap<u64, u32> = HashMap::new();
        for text in texts.iter().flatten().filter_map(|text| text_hash(&tree[*text].name)) {
            *counts.entry(text).or_default() += 1;
        }
        let is_only = |text: &NodeId| {
            text_hash(&tree[*text].name).is_some_and(|hash| counts.get(&hash) == Some(&1))
        };
        let telling = texts.iter().map(|texts| texts.iter().copied().find(is_only));
        alike.extend(rows.iter().copied().zip(telling));
    }
    alike
}

/// For each node, whether something below it stayed unread.
fn holes(tree: &Tree) -> Vec<bool> {
    let mut holes = vec![false; tree.len()];
    for id in tree.ids().rev() {
        holes[id.index()] |= tree[id].children == Listing::Cut;
        if let (true, Some(parent)) = (holes[id.index()], tree.parent(id)) {
            holes[parent.index()] = true;
        }
    }
    holes
}

/// For the cells of tables that have no rows but list them one by one, headers first, the first
/// text in another cell of the same row. So do the tree views of GTK 3.24.38, visible columns
/// only, headers even where they are hidden.
fn rows_of_cells(tree: &Tree, below: &[Below]) -> HashMap<NodeId, NodeId> {
    let mut told = HashMap::new();
    for table in tree.ids().filter(|id| holds_rows(tree[*id].role)) {
        let is_header = |id: &NodeId| tree[*id].role == Role::Column;
        let columns = tree.children(table).take_while(is_header).count();
        let cells: Vec<NodeId> = tree.children(table).skip(columns).collect();
        // With a cell missing, nobody knows where the others belong.
        if columns == 0
            || tree[table].children != Listing::Whole
            || !cells.len().is_multiple_of(columns)
            || cells.iter().any(|cell| tree[*cell].role != Role::Cell)
        {
            continue;
        }
        for row in cells.chunks(columns) {
            let texts = row.iter().filter_map(|cell| Some((*cell, text_of(tree, below, *cell)?)));
            let texts: Vec<(NodeId, NodeId)> = texts.take(2).collect();
            told.extend(row.iter().filter_map(|cell| {
                let (_, text) = texts.iter().find(|(branch, _)| branch != cell)?;
                Some((*cell, *text))
            }));
        }
    }
    told
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
        let size = here.size;
        let Some(parent) = tree.parent(id) else { continue };
        // What nobody sees tells nothing of what is seen.
        let hidden = |id: NodeId| tree[id].states.has(State::Hidden);
        let text = text_of(tree, &below, id).filter(|text| !hidden(*text) || hidden(parent));
        let parent = &mut below[parent.index()];
        parent.size += size;
        if let Some(text) = text {
            parent.second = parent.first.map(|(earlier, _)| earlier);
            parent.first = Some((text, id));
        }
    }
    below
}

/// The text that `id` shows to what is beside it.
fn text_of(tree: &Tree, below: &[Below], id: NodeId) -> Option<NodeId> {
    if is_text(tree, id) {
        return Some(id);
    }
    let (text, _) = below[id.index()].first?;
    (!keeps_its_texts(tree, id) || is_echo(tree, id, text) && tree[id].role == Role::Group)
        .then_some(text)
}

/// Whether `outer` has the name of what is in it: so are the cells of tables that Chromium 156 takes
/// for a matter of layout, and are groups to it.
fn is_echo(tree: &Tree, outer: NodeId, inner: NodeId) -> bool {
    tree[outer].name.trim() == tree[inner].name.trim()
        && matches!(tree[outer].role, Role::Cell | Role::Group)
        && !tree[outer].lasting
        && tree.children(outer).nth(1).is_none()
}

/// What `ancestor` offers to its branch `child`.
fn offer(tree: &Tree, below: &[Below], ancestor: NodeId, child: NodeId) -> Option<NodeId> {
    let role = tree[ancestor].role;
    // A cell of a page has the name of the only thing in it, which tells nothing more of that.
    if is_named(tree, ancestor) && role.is_context() && !is_echo(tree, ancestor, child) {
        return Some(ancestor);
    }
    let Below { first, second, size } = below[ancestor.index()];
    if !(is_item(role) || size <= SMALL && tells(role)) {
        return None;
    }
    match first {
        Some((_, branch)) if branch == child => second,
        Some((text, _)) => Some(text),
        None => None,
    }
}

/// Whether an element of this role may tell where what is in it stands.
fn tells(role: Role) -> bool {
    role.is_context() || role == Role::Unknown
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
    let readable =
        matches!(tree[id].role, Role::StaticText | Role::Heading | Role::Link | Role::Cell);
    readable && is_named(tree, id) && !is_marker(tree[id].name.trim())
}

/// Whether a text is what stands before an item of a list: a bullet, which every item has, or a
/// number, which says where the item stands and not which it is.
fn is_marker(text: &str) -> bool {
    let counted = text.strip_suffix(['.', ')']).is_some_and(|number| {
        let digits = number.chars().all(|character| character.is_ascii_digit());
        let letter = number.chars().count() == 1 && number.chars().all(char::is_alphabetic);
        !number.is_empty() && (digits || letter)
    });
    counted || !text.chars().any(char::is_alphanumeric)
}

/// Whether an element of this role is one of many that differ by their content.
pub(super) fn is_item(role: Role) -> bool {
    matches!(role, Role::Row | Role::TreeItem | Role::Option | Role::LayoutItem | Role::Cell)
}

/// Whether an element of this role is a table.
pub(super) fn holds_rows(role: Role) -> bool {
    matches!(role, Role::Table | Role::Grid | Role::Outline)
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
                || holds_rows(role)
                || matches!(role, Role::TabPanel | Role::List)
        }
    }
}
