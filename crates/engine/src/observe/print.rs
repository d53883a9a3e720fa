//! The printed form of the listed nodes.

use agent_desktop_model::{
    capability::{Capability, CapabilitySet},
    reference::{Ref, SnapshotId},
    role::Role,
    selector::is_refable,
    text::{cut, quoted},
    tree::{Listing, Node, NodeId, Tree},
    wire::TreeNode,
};

use super::{
    blank::blank_cells,
    plan::Shape,
    view::{Cut, View},
};

/// Prints `view`. `numbers` holds the ref number of each entry, if it has one; `within` what
/// tells an entry from its twins, if it has any.
pub fn print(
    tree: &Tree,
    view: &View,
    shape: Shape,
    snapshot: &SnapshotId,
    numbers: &[Option<u32>],
    within: impl Fn(NodeId) -> Option<String>,
) -> TreeNode {
    let truncated = truncated(tree);
    let mut children: Vec<Vec<TreeNode>> = Vec::new();
    children.resize_with(view.entries.len(), Vec::new);
    for (index, entry) in view.entries.iter().enumerate().rev() {
        let id = entry.node;
        let mut below = children.pop().unwrap_or_default();
        below.reverse();
        let number = numbers.get(index).copied().flatten();
        let printed = TreeNode {
            blank_cells: match entry.cut {
                Some(Cut::Closed { .. }) => Some(blank_cells(tree, id)).filter(|count| *count > 0),
                Some(Cut::Depth { .. } | Cut::Budget) | None => None,
            },
            children: below,
            children_count: match entry.cut {
                Some(Cut::Depth { children } | Cut::Closed { children }) => Some(children),
                Some(Cut::Budget) | None => None,
            },
            ref_id: number.map(|number| Ref { snapshot: snapshot.clone(), number }),
            subtree_truncated: truncated[id.index()],
            within: number.and_then(|_| within(id)),
            ..node(tree, id, shape)
        };
        let Some(parent) = entry.parent else { return printed };
        let refable = is_refable(tree[id].role, tree[id].capabilities);
        if shape.interactive_only && is_idle_leaf(&printed, refable) {
            continue;
        }
        let kept = if shape.compact { collapse(printed) } else { printed };
        children[parent].push(kept);
    }
    TreeNode::default()
}

/// Role and name of an element, for a message.
pub fn called(role: Role, name: &str) -> String {
    match name.is_empty() {
        true => role.to_string(),
        false => format!("{role} {}", quoted(name)),
    }
}

/// `text` within the field limit; whether anything was cut is told to `note`.
pub fn cut_text(text: &str, field: &'static str, cut_fields: &mut Vec<&'static str>) -> String {
    let (head, was_cut) = cut(text);
    if was_cut {
        cut_fields.push(field);
    }
    head.to_owned()
}

fn node(tree: &Tree, id: NodeId, shape: Shape) -> TreeNode {
    let it = &tree[id];
    let mut cut_fields = Vec::new();
    TreeNode {
        available_actions: worth_telling(it),
        column: it.position.map(|at| at.column),
        columns: it.extent.map(|size| size.columns),
        row: it.position.map(|at| at.row),
        rows: it.extent.map(|size| size.rows),
        bounds: it.bounds.filter(|_| shape.include_bounds),
        description: cut_text(&it.description, "description", &mut cut_fields),
        formula: cut_text(it.formula.as_deref().unwrap_or_default(), "formula", &mut cut_fields),
        hint: cut_text(it.hint.as_deref().unwrap_or_default(), "hint", &mut cut_fields),
        name: cut_text(&it.name, "name", &mut cut_fields),
        native_id: it.native_id.clone(),
        may_have_more: it.may_have_more,
        role: it.role,
        states: it.states,
        value: it
            .shown_value()
            .filter(|value| !value.is_empty())
            .map(|value| cut_text(value, "value", &mut cut_fields)),
        cut_fields,
        ..TreeNode::default()
    }
}

/// What can be done to `node`. That a text on a page can be brought into view goes without saying.
fn worth_telling(node: &Node) -> CapabilitySet {
    let mut capabilities = node.capabilities;
    if !is_refable(node.role, capabilities) {
        capabilities.remove(Capability::ScrollTo);
    }
    capabilities
}

/// For each node, whether anything below it is missing because time or size ran out.
fn truncated(tree: &Tree) -> Vec<bool> {
    let mut truncated = vec![false; tree.len()];
    for id in tree.ids().filter(|id| tree[*id].children == Listing::Cut) {
        let mut at = Some(id);
        while let Some(node) = at.filter(|node| !truncated[node.index()]) {
            truncated[node.index()] = true;
            at = tree.parent(node);
        }
    }
    truncated
}

fn is_idle_leaf(node: &TreeNode, refable: bool) -> bool {
    node.children.is_empty()
        && node.children_count.is_none()
        && node.ref_id.is_none()
        && !refable
        && !node.subtree_truncated
}

/// `node`, or its only child if `node` is a container that says nothing of itself.
fn collapse(mut node: TreeNode) -> TreeNode {
    let silent = node.role == Role::Group
        && node.children.len() == 1
        && node.ref_id.is_none()
        && node.children_count.is_none()
        && node.name.is_empty()
        && node.value.is_none()
        && node.description.is_empty()
        && node.native_id.is_none()
        && node.hint.is_empty()
        && node.states.is_empty()
        && node.available_actions.is_empty()
        && node.bounds.is_none();
    match node.children.pop() {
        Some(only) if silent => only,
        Some(last) => {
            node.children.push(last);
            node
        }
        None => node,
    }
}
