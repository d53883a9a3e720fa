//! What the judge knows of every element: its hidden identity, and all that could tell it from
//! others. Written independently of the engine's own rooms for evidence and context.

use std::fmt;

use agent_desktop_engine::platform::{Cells, Deadline, Platform};
use agent_desktop_fake::{Desktop, HiddenId};
use agent_desktop_model::{
    capability::CapabilitySet,
    role::Role,
    state::State,
    tree::{Address, Field, NodeId, Tree},
};

/// One element as the judge sees it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) identity: HiddenId,
    pub(crate) role: Role,
    pub(crate) can: CapabilitySet,
    pub(crate) address: Address,
    /// Whether the platform says that the address lasts.
    pub(crate) lasting: bool,
    pub(crate) looks: Looks,
    /// Where its parent is.
    parent: Option<Address>,
    /// Whether neither it nor what it stands in is hidden.
    pub(crate) shown: bool,
    /// The element whose name its context is.
    pub(crate) told_by: Option<HiddenId>,
}

/// All that can tell an element from others without knowing its address or position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Looks {
    /// Index of its window among all windows.
    window: usize,
    /// Where the pages are that it stands in: each of them is another one, whatever it shows.
    pages: Vec<Address>,
    own: Evidence,
    /// Of the ancestors that say something, nearest first.
    ancestors: Vec<Evidence>,
    context: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Evidence {
    role: Role,
    native_id: Option<String>,
    name: String,
    description: String,
}

/// Every element of every window, in document order.
pub(crate) fn survey(desktop: &Desktop) -> Vec<Seen> {
    let deadline = Deadline::after_ms(60_000);
    let apps = desktop.apps(deadline).unwrap();
    let (windows, _) = desktop.windows(&apps, deadline).unwrap();
    let mut seen = Vec::new();
    for (window, address) in windows.iter().filter_map(|window| window.address.as_ref()).enumerate()
    {
        let mut tree = desktop.observe(address, &[], Cells::Shown, deadline).unwrap();
        let can = [Field::Capabilities].into_iter().collect();
        let wants: Vec<_> = tree.ids().map(|id| (id, can)).collect();
        desktop.fill(&mut tree, &wants, deadline).unwrap();
        seen.extend(tree.subtree(tree.root()).map(|id| {
            let source = context(&tree, id);
            Seen {
                identity: desktop.identity_at(&tree[id].address).unwrap(),
                role: tree[id].role,
                can: tree[id].capabilities,
                address: tree[id].address.clone(),
                lasting: tree[id].lasting,
                looks: Looks {
                    window,
                    pages: tree
                        .ancestors(id)
                        .filter(|ancestor| tree[*ancestor].role == Role::WebArea)
                        .map(|ancestor| tree[ancestor].address.clone())
                        .collect(),
                    own: evidence(&tree, id),
                    ancestors: tree
                        .ancestors(id)
                        .map(|ancestor| evidence(&tree, ancestor))
                        .filter(|ancestor| {
                            ancestor.role != Role::Group || ancestor.says_something()
                        })
                        .collect(),
                    context: source.map(|source| tree[source].name.to_string()),
                },
                parent: tree.parent(id).map(|parent| tree[parent].address.clone()),
                shown: !std::iter::once(id)
                    .chain(tree.ancestors(id))
                    .any(|id| is_hidden(&tree, id)),
                told_by: source.map(|source| desktop.identity_at(&tree[source].address).unwrap()),
            }
        }));
    }
    seen
}

impl Seen {
    /// Whether it says the same of itself, at the same place.
    pub(crate) fn answers_as(&self, other: &Self) -> bool {
        (&self.address, &self.parent, &self.looks.own)
            == (&other.address, &other.parent, &other.looks.own)
    }

    pub(crate) fn stands_in(&self, other: &Self) -> bool {
        self.parent.as_ref() == Some(&other.address)
    }

    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        self.parent == other.parent
    }

    pub(crate) fn is_in_first_window(&self) -> bool {
        self.looks.window == 0
    }
}

impl Looks {
    /// Whether nothing but the context may tell the two apart.
    pub(crate) fn same_evidence(&self, other: &Self) -> bool {
        let Self { window, pages, own, ancestors, context: _ } = self;
        (window, pages, own, ancestors)
            == (&other.window, &other.pages, &other.own, &other.ancestors)
    }

    /// Whether the two differ in nothing but ancestors that only this one has: a container that
    /// was put between does not make another element of one that can be known by its address.
    pub(crate) fn extends(&self, other: &Self) -> bool {
        let mut mine = self.ancestors.iter();
        let ancestors = other.ancestors.iter().all(|theirs| mine.any(|mine| mine == theirs));
        let Self { window, pages, own, context, ancestors: _ } = self;
        ancestors
            && (window, pages, own, context)
                == (&other.window, &other.pages, &other.own, &other.context)
    }

    pub(crate) fn name(&self) -> &str {
        &self.own.name
    }

    pub(crate) fn has_context(&self) -> bool {
        self.context.is_some()
    }
}

fn evidence(tree: &Tree, id: NodeId) -> Evidence {
    let node = &tree[id];
    let titled = matches!(node.role, Role::Window | Role::WebArea);
    let text = |text: &str| if titled { String::new() } else { text.to_owned() };
    Evidence {
        role: node.role,
        native_id: node.native_id.as_ref().map(|id| id.value.to_string()),
        name: if node.volatile_name { String::new() } else { text(&node.name) },
        description: text(&node.description),
    }
}

impl Evidence {
    fn says_something(&self) -> bool {
        self.native_id.is_some() || !self.name.is_empty() || !self.description.is_empty()
    }
}

/// What the element stands in, by the plain rule: a container without a name is told by its own
/// first text; otherwise the nearest row, item, panel or group counts that has a name of its own
/// or a text in another branch; a cell is told by its row first. A text within an item, a control
/// or a named group is that one's own business, and a large nameless group is not told by one text.
///
/// Returns the element whose name tells.
fn context(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let row_tells = tree[id].role == Role::Cell
        && tree.parent(id).is_some_and(|parent| told_by(tree, parent, id).is_some());
    let container = tree[id].role.is_context() || !tree[id].role.is_interactive();
    if !is_named(tree, id) && container && !row_tells {
        let own = tree.children(id).find_map(|child| seen_from(tree, id, text_in(tree, child)));
        if own.is_some() {
            return own;
        }
    }
    let mut branch = id;
    for ancestor in tree.ancestors(id) {
        if let Some(text) = told_by(tree, ancestor, branch) {
            return Some(text);
        }
        branch = ancestor;
    }
    None
}

/// What `ancestor` tells of its child `branch`.
fn told_by(tree: &Tree, ancestor: NodeId, branch: NodeId) -> Option<NodeId> {
    if is_named(tree, ancestor) && tree[ancestor].role.is_context() {
        return Some(ancestor);
    }
    let role = tree[ancestor].role;
    let tells = is_item(role) || role.is_context() && tree.subtree(ancestor).count() <= 32;
    let all: Vec<NodeId> = tree.children(ancestor).collect();
    let together = match role {
        Role::Table => row_of(tree, &all, branch),
        _ if tells => &all,
        _ => &[],
    };
    let others = together.iter().filter(|child| **child != branch);
    others.into_iter().find_map(|child| seen_from(tree, ancestor, text_in(tree, *child)))
}

/// A text below `above`, unless only the text is hidden: what nobody sees tells nothing.
fn seen_from(tree: &Tree, above: NodeId, text: Option<NodeId>) -> Option<NodeId> {
    text.filter(|text| !is_hidden(tree, *text) || is_hidden(tree, above))
}

fn is_hidden(tree: &Tree, id: NodeId) -> bool {
    tree[id].states.has(State::Hidden)
}

/// The cells beside `cell` where a table lists all cells one by one below its headers.
fn row_of<'a>(tree: &Tree, children: &'a [NodeId], cell: NodeId) -> &'a [NodeId] {
    let count = |wanted| children.iter().filter(|id| tree[**id].role == wanted).count();
    let (columns, cells) = (count(Role::Column), count(Role::Cell));
    let tidy = columns > 0
        && children.iter().take(columns).all(|id| tree[*id].role == Role::Column)
        && columns + cells == children.len()
        && cells.is_multiple_of(columns);
    let mut rows = children.chunks(columns.max(1)).skip(1);
    if tidy { rows.find(|row| row.contains(&cell)).unwrap_or(&[]) } else { &[] }
}

/// The first text that `branch` shows to those beside it.
fn text_in(tree: &Tree, branch: NodeId) -> Option<NodeId> {
    let role = tree[branch].role;
    if matches!(role, Role::StaticText | Role::Cell) && is_named(tree, branch) {
        return Some(branch);
    }
    let control = role.is_interactive() && role != Role::Cell;
    let item = is_item(role) && role != Role::Cell
        || matches!(role, Role::TabPanel | Role::List | Role::Table);
    if control || item || role.is_context() && is_named(tree, branch) {
        return None;
    }
    tree.children(branch).find_map(|child| seen_from(tree, branch, text_in(tree, child)))
}

fn is_named(tree: &Tree, id: NodeId) -> bool {
    let node = &tree[id];
    let titled = matches!(node.role, Role::Window | Role::WebArea);
    !node.name.is_empty() && !titled && !node.volatile_name
}

fn is_item(role: Role) -> bool {
    matches!(role, Role::Row | Role::TreeItem | Role::Cell)
}

/// As a person would say it: `button "Delete" in row < list < window, within "Rent"`.
impl fmt::Display for Looks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in", self.own)?;
        for ancestor in &self.ancestors {
            write!(f, " {ancestor} <")?;
        }
        write!(f, " window {}, within {:?}", self.window, self.context)
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.role, self.name)?;
        if let Some(id) = &self.native_id {
            write!(f, " id={id}")?;
        }
        if !self.description.is_empty() {
            write!(f, " desc={}", self.description)?;
        }
        Ok(())
    }
}
