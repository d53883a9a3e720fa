//! What tells one element from another, under the stable-text policy: text that changes while the
//! element stays the same is no evidence.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    role::Role,
    text::{FIELD_LIMIT, cut, stable_hash},
    tree::{NativeId, Node, NodeId, Tree},
};

/// The identifying properties of one element. Equality is what "the same evidence" means.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Evidence {
    pub role: Role,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native_id: Option<NativeId>,
    #[serde(default, skip_serializing_if = "Label::is_none")]
    pub name: Label,
    #[serde(default, skip_serializing_if = "Label::is_none")]
    pub description: Label,
}

/// A stable text of an element. A text over the field limit keeps its head for people and a hash
/// of the whole for comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Label {
    #[default]
    None,
    Whole(Arc<str>),
    Long {
        head: Arc<str>,
        hash: u64,
    },
}

impl Evidence {
    /// The evidence that `node` offers of itself. Titles and text that repeats a mutable value
    /// are left out; a password field's texts are, too.
    pub fn of(node: &Node) -> Self {
        let secure = node.states.has(crate::state::State::Secure);
        let stable_name = !node.role.has_volatile_title() && !node.volatile_name;
        Self {
            role: node.role,
            native_id: node.native_id.clone(),
            name: if stable_name { Label::of(&node.name) } else { Label::None },
            description: if secure || node.role.has_volatile_title() {
                Label::None
            } else {
                Label::of(&node.description)
            },
        }
    }

    /// Whether there is more than a role: something by which a person could name the element.
    pub fn identifies(&self) -> bool {
        self.native_id.is_some() || !self.name.is_none() || !self.description.is_none()
    }
}

impl Label {
    /// The label made of `text`; blank text is none.
    pub fn of(text: &str) -> Self {
        if text.trim().is_empty() {
            Self::None
        } else if text.len() <= FIELD_LIMIT {
            Self::Whole(text.into())
        } else {
            Self::Long { head: cut(text).0.into(), hash: stable_hash(text.as_bytes()) }
        }
    }

    /// Whether there is no text.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// The text, or its head.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Whole(text) | Self::Long { head: text, .. } => Some(text),
        }
    }
}

/// The hash that [`Node::digest`] holds: over raw properties, exactly as an application gave them.
pub fn digest(role: u32, native_id: &str, name: &str, description: &str) -> u64 {
    let mut bytes = Vec::with_capacity(native_id.len() + name.len() + description.len() + 16);
    bytes.extend(role.to_le_bytes());
    for text in [native_id, name, description] {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    stable_hash(&bytes)
}

/// What the element stands in: the text by which a person tells it from its twins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// Name or first stable text of the nearest row, item, panel, group or dialog.
    pub text: Arc<str>,
    /// The node whose text that is.
    pub source: NodeId,
}

/// The context of `node`: the name, else the first stable text, of the nearest enclosing row,
/// item, tab panel, group or dialog that has either. The node's own subtree does not count,
/// except that a nameless container is told apart by its own first stable text.
pub fn context(tree: &Tree, node: NodeId) -> Option<Context> {
    let own = &tree[node];
    if own.name.trim().is_empty()
        && !own.role.is_interactive()
        && let Some(found) = first_stable_text(tree, node, None)
    {
        return Some(found);
    }
    tree.ancestors(node).filter(|ancestor| tree[*ancestor].role.is_context()).find_map(|ancestor| {
        own_name(tree, ancestor).or_else(|| first_stable_text(tree, ancestor, Some(node)))
    })
}

fn own_name(tree: &Tree, node: NodeId) -> Option<Context> {
    let name = tree[node].name.trim();
    (!name.is_empty() && !tree[node].role.has_volatile_title())
        .then(|| Context { text: cut(name).0.into(), source: node })
}

/// How many nodes are looked at for a container's first text: rows are small, and a container
/// with nothing to read among its first nodes tells a person nothing either.
const TEXT_SEARCH: usize = 64;

fn first_stable_text(tree: &Tree, container: NodeId, except: Option<NodeId>) -> Option<Context> {
    let mut at = Some(container);
    for _ in 0..TEXT_SEARCH {
        let id = at?;
        if Some(id) == except {
            at = tree.after(id, container);
            continue;
        }
        let node = &tree[id];
        let stable =
            matches!(node.role, Role::StaticText | Role::Heading | Role::Link | Role::Image)
                || (node.role == Role::Cell && id != container);
        if id != container && stable && !node.name.trim().is_empty() {
            return own_name(tree, id);
        }
        at = tree.children(id).next().or_else(|| tree.after(id, container));
    }
    None
}
