//! What the judge knows of every element: its hidden identity, and all that could tell it from
//! others. Written independently of the engine's own rooms for evidence and context.

use std::fmt;

use agent_desktop_engine::platform::{Deadline, Platform};
use agent_desktop_fake::{Desktop, HiddenId};
use agent_desktop_model::{
    role::Role,
    tree::{Address, NodeId, Tree},
};

/// One element as the judge sees it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) identity: HiddenId,
    pub(crate) role: Role,
    pub(crate) address: Address,
    /// Whether the platform says that the address lasts.
    pub(crate) lasting: bool,
    pub(crate) looks: Looks,
}

/// All that can tell an element from others without knowing its address or position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Looks {
    /// Index of its window among all windows.
    window: usize,
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
        let tree = desktop.observe(address, &[], deadline).unwrap();
        seen.extend(tree.subtree(tree.root()).map(|id| {
            Seen {
                identity: desktop.identity_at(&tree[id].address).unwrap(),
                role: tree[id].role,
                address: tree[id].address.clone(),
                lasting: tree[id].lasting,
                looks: Looks {
                    window,
                    own: evidence(&tree, id),
                    ancestors: tree
                        .ancestors(id)
                        .map(|ancestor| evidence(&tree, ancestor))
                        .filter(|ancestor| {
                            ancestor.role != Role::Group || ancestor.says_something()
                        })
                        .collect(),
                    context: context(&tree, id),
                },
            }
        }));
    }
    seen
}

impl Seen {
    pub(crate) fn is_in_first_window(&self) -> bool {
        self.looks.window == 0
    }
}

impl Looks {
    /// Whether nothing but the context may tell the two apart.
    pub(crate) fn same_evidence(&self, other: &Self) -> bool {
        let Self { window, own, ancestors, context: _ } = self;
        (window, own, ancestors) == (&other.window, &other.own, &other.ancestors)
    }

    /// Whether the two differ in nothing but ancestors that only this one has: a container that
    /// was put between does not make another element of one that can be known by its address.
    pub(crate) fn extends(&self, other: &Self) -> bool {
        let mut mine = self.ancestors.iter();
        let ancestors = other.ancestors.iter().all(|theirs| mine.any(|mine| mine == theirs));
        ancestors
            && (self.window, &self.own, &self.context) == (other.window, &other.own, &other.context)
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
    let titled = node.role == Role::Window;
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
/// or a text in another branch. A text within an item, a control
/// or a named group is that one's own business, and a large nameless group is not told by one text.
fn context(tree: &Tree, id: NodeId) -> Option<String> {
    if !is_named(tree, id) && (tree[id].role.is_context() || !tree[id].role.is_interactive()) {
        let own = tree.children(id).find_map(|child| text_in(tree, child));
        if own.is_some() {
            return own;
        }
    }
    let mut branch = id;
    for ancestor in tree.ancestors(id) {
        if is_named(tree, ancestor) && tree[ancestor].role.is_context() {
            return Some(tree[ancestor].name.to_string());
        }
        let role = tree[ancestor].role;
        if is_item(role) || role.is_context() && tree.subtree(ancestor).count() <= 32 {
            let others = tree.children(ancestor).filter(|child| *child != branch);
            if let Some(text) = others.into_iter().find_map(|child| text_in(tree, child)) {
                return Some(text);
            }
        }
        branch = ancestor;
    }
    None
}

/// The first text that `branch` shows to those beside it.
fn text_in(tree: &Tree, branch: NodeId) -> Option<String> {
    let role = tree[branch].role;
    if matches!(role, Role::StaticText | Role::Cell) && is_named(tree, branch) {
        return Some(tree[branch].name.to_string());
    }
    let control = role.is_interactive() && role != Role::Cell;
    let item = is_item(role) && role != Role::Cell
        || matches!(role, Role::TabPanel | Role::List | Role::Table);
    if control || item || role.is_context() && is_named(tree, branch) {
        return None;
    }
    tree.children(branch).find_map(|child| text_in(tree, child))
}

fn is_named(tree: &Tree, id: NodeId) -> bool {
    let node = &tree[id];
    !node.name.is_empty() && node.role != Role::Window && !node.volatile_name
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
