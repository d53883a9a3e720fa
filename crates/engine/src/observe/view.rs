//! Which nodes of a tree are listed, and why the others are not.

use agent_desktop_model::tree::NodeId;

/// The listed nodes in document order; the first one is the root.
#[derive(Debug, Default)]
pub struct View {
    pub entries: Vec<Entry>,
}

/// One listed node.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub node: NodeId,
    /// Index of the listed parent in [`View::entries`].
    pub parent: Option<usize>,
    /// Why children of the node are not listed, if any are not.
    pub cut: Option<Cut>,
}

/// Why children of a node are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The depth limit, or the limit of printed nesting; how many direct children there are.
    Depth { children: u64 },
    /// Left out on purpose by kind (a closed menu, an endless table); how many there are.
    Closed { children: u64 },
    /// Time or size ran out; how many are missing is not known.
    Budget,
}
