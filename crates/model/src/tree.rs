//! The accessibility tree of one window or region, as an arena. It is walked iteratively: a chain
//! of 20,000 nodes must not overflow a stack.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    capability::CapabilitySet,
    geometry::Rect,
    role::Role,
    state::{State, StateSet},
    surface::SurfaceKind,
    text::bit_set,
};

/// An arena of nodes. The first one is the root; children stand in document order.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Whether everything below the root was read, but for what [`Listing`] says was left out on
    /// purpose.
    pub complete: bool,
    /// Why the tree is thin, when the platform knows: the cause and the remedy, for a person.
    pub thin: Option<String>,
    /// Whether a menu, and a popover, that is open keeps the keyboard of the whole display to itself.
    pub menus_grab: bool,
    pub popovers_grab: bool,
    /// What the root stands in, in the words of the platform that made the tree; opaque to
    /// everybody else.
    pub around: Option<u64>,
}

/// Index of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// One accessible. Texts are whole; whoever prints or stores them cuts them.
#[derive(Debug, Default)]
pub struct Node {
    links: Links,
    pub address: Address,
    pub role: Role,
    /// The name as a person reads it, toolkit habits removed; empty when there is none.
    pub name: Box<str>,
    pub description: Box<str>,
    pub native_id: Option<NativeId>,
    pub states: StateSet,
    pub children: Listing,
    /// Whether the address names this element for as long as it exists and is never reused for
    /// another one, by measured behaviour of its toolkit and role.
    pub lasting: bool,
    /// The surface that the element is by its native role, where the canonical role does not tell
    /// (a menu bar, a toolkit's own kind of popover).
    pub surface: Option<SurfaceKind>,
    /// Whether the name repeats what the element currently shows (a combo box named after its
    /// choice), so that it changes while the element stays the same.
    pub volatile_name: bool,
    /// The element whose name its own is, where it says none of itself: the label of a field.
    pub labelled_by: Option<NodeId>,
    /// Hash of the raw identifying properties, equal to what a later probe of the same unchanged
    /// element yields.
    pub digest: u64,
    /// Which of the following were read.
    pub filled: FieldSet,
    pub capabilities: CapabilitySet,
    pub bounds: Option<Rect>,
    /// Whether it is known to take up room, wherever that is.
    pub takes_room: bool,
    pub value: Option<Box<str>>,
    pub hint: Option<Box<str>>,
    /// How large a table is, where it says so.
    pub extent: Option<Extent>,
    /// Whether the toolkit makes children only near those that show, so that there may be others
    /// that nobody can count.
    pub may_have_more: bool,
    /// Where a cell stands in its table.
    pub position: Option<Position>,
    /// Whether the position is what the cell is: one of a spreadsheet stays itself whatever is
    /// written into it and however often its object is renewed.
    pub anchored: bool,
    /// What the value of a cell is computed from. Comes with the value.
    pub formula: Option<Box<str>>,
    /// Belongs to the platform that made the tree; opaque to everybody else.
    pub platform: u64,
}

bit_set! {
    /// A group of properties that are read only for the nodes that need them.
    Field,
    /// Several such groups.
    FieldSet: u8 {
        Capabilities "capabilities",
        Bounds "bounds",
        // Whether it has any, which decides about `Offscreen` where a toolkit's states do not.
        Area "area",
        // Whether it takes up any room, wherever that is on the screen.
        Room "room",
        Value "value",
        Hint "hint",
    }
}

/// What is known of a node's children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listing {
    /// All of them are in the tree.
    #[default]
    Whole,
    /// Time or size ran out: some or all of them are missing, how many is not known.
    Cut,
    /// Too many to list (a table of a billion cells): there are this many, and those that matter
    /// now are in the tree.
    Counted(u64),
    /// Not open (a menu): there are this many. Those that are in the tree count as the window's
    /// content, but are not listed.
    Closed(u64),
}

/// The rows and columns of a table, those included that are not in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub rows: u32,
    pub columns: u32,
}

/// A place in a table. Rows and columns count from 1, as in ARIA and on the sheets themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    pub row: u32,
    pub column: u32,
}

/// Where an element is found: the application's place on the bus and the object in it. It finds a
/// candidate and proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Address {
    pub app: Arc<str>,
    pub object: Arc<str>,
}

/// An identifier that the application's author gave to an element.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NativeId {
    pub kind: NativeIdKind,
    pub value: Arc<str>,
}

/// Where a native id comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NativeIdKind {
    /// AT-SPI's AccessibleId and macOS's AXIdentifier.
    AxIdentifier,
    /// The `id` attribute of a web page's element.
    AxDomIdentifier,
    AutomationId,
    RuntimeId,
    Unknown,
}

#[derive(Clone, Copy, Debug, Default)]
struct Links {
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
}

impl Tree {
    /// A tree that consists of `root`.
    pub fn new(root: Node) -> Self {
        Self { nodes: vec![root], complete: true, ..Self::default() }
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is not even a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Adds `node` as the last child of `parent`.
    pub fn push(&mut self, parent: NodeId, mut node: Node) -> NodeId {
        // 2³² nodes do not fit into memory, so the index always does.
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        node.links = Links { parent: Some(parent), ..Links::default() };
        self.nodes.push(node);
        match self[parent].links.last_child.replace(id) {
            Some(previous) => self[previous].links.next_sibling = Some(id),
            None => self[parent].links.first_child = Some(id),
        }
        id
    }

    /// The parent, except of the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self[id].links.parent
    }

    /// The children in document order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self[id].links.first_child, |child| self[*child].links.next_sibling)
    }

    /// The parent, its parent and so on up to the root.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(id), |ancestor| self.parent(*ancestor))
    }

    /// `top` and everything below it, depth first, in document order.
    pub fn subtree(&self, top: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(top), move |id| {
            self[*id].links.first_child.or_else(|| self.after(*id, top))
        })
    }

    /// `top` and what is below it, but for the menus and popovers that it opens: they are there now
    /// and then, and what is in them is none of its parts.
    pub fn parts(&self, top: NodeId) -> impl Iterator<Item = NodeId> {
        let opens = move |id: NodeId| {
            let node = &self[id];
            id != top && (node.role == Role::Menu || node.surface == Some(SurfaceKind::Popover))
        };
        let next = move |id: &NodeId| {
            let inside = (!opens(*id)).then(|| self[*id].links.first_child).flatten();
            inside.or_else(|| self.after(*id, top))
        };
        std::iter::successors(Some(top), next).filter(move |id| !opens(*id))
    }

    /// The node that follows the subtree of `id` in document order, within the subtree of `top`.
    pub fn after(&self, id: NodeId, top: NodeId) -> Option<NodeId> {
        let mut at = id;
        while at != top {
            if let Some(sibling) = self[at].links.next_sibling {
                return Some(sibling);
            }
            at = self.parent(at)?;
        }
        None
    }

    /// Every node, in the order in which they were added.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeId)
    }
}

impl Node {
    /// The value, unless it is a secret. A platform does not even read those; whoever prints asks
    /// here all the same.
    pub fn shown_value(&self) -> Option<&str> {
        self.value.as_deref().filter(|_| !self.states.has(State::Secure))
    }

    /// Whether it is a table too large to be listed, of whose cells those that show are its
    /// children, or none.
    pub fn is_sheet(&self) -> bool {
        self.extent.is_some() && matches!(self.children, Listing::Counted(_))
    }
}

impl NodeId {
    /// The index, for tables that run beside the tree.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Index<NodeId> for Tree {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
}

impl std::ops::IndexMut<NodeId> for Tree {
    fn index_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }
}

impl Default for Address {
    fn default() -> Self {
        Self { app: Arc::from(""), object: Arc::from("") }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.app, self.object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_chain_is_walked_without_a_deep_stack() {
        let mut tree = Tree::new(Node::default());
        let mut at = tree.root();
        for _ in 0..20_000 {
            at = tree.push(at, Node::default());
        }
        assert_eq!(tree.subtree(tree.root()).count(), 20_001);
        assert_eq!(tree.ancestors(at).count(), 20_000);
    }

    #[test]
    fn subtrees_are_in_document_order() {
        let mut tree = Tree::new(Node::default());
        let a = tree.push(tree.root(), Node::default());
        let b = tree.push(tree.root(), Node::default());
        let a1 = tree.push(a, Node::default());
        assert_eq!(tree.subtree(tree.root()).collect::<Vec<_>>(), [tree.root(), a, a1, b]);
        assert_eq!(tree.subtree(a).collect::<Vec<_>>(), [a, a1]);
        assert_eq!(tree.children(tree.root()).collect::<Vec<_>>(), [a, b]);
    }
}
