//! Which fields are worth asking an application for.

use agent_desktop_model::{
    evidence::Evidence,
    role::Role,
    selector::is_refable,
    tree::{Field, FieldSet, NodeId, Tree},
};

use super::view::{Cut, View};

/// What the caller wants to see of the listed nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    /// Drop leaves that can neither be operated nor drilled.
    pub interactive_only: bool,
    /// Collapse containers that say nothing and hold one child.
    pub compact: bool,
    pub include_bounds: bool,
}

/// What is asked first: what can be done to each listed node, and of nameless containers that were
/// cut, whether they take up room, since such a container can be drilled.
pub fn identities(tree: &Tree, view: &View, _shape: Shape) -> Vec<(NodeId, FieldSet)> {
    let mut wants = Vec::with_capacity(view.entries.len());
    for (index, entry) in view.entries.iter().enumerate() {
        let node = &tree[entry.node];
        let mut fields: FieldSet = [Field::Capabilities].into_iter().collect();
        let drillable = matches!(entry.cut, Some(Cut::Depth { .. }));
        if index > 0 && drillable && !Evidence::of(node).identifies() {
            fields.insert(Field::Room);
        }
        wants.push((entry.node, fields));
    }
    wants
}

/// What is asked second, of the nodes that will be printed with it.
pub fn details(tree: &Tree, view: &View, shape: Shape) -> Vec<(NodeId, FieldSet)> {
    let mut wants = Vec::new();
    for entry in &view.entries {
        let node = &tree[entry.node];
        let mut fields = FieldSet::EMPTY;
        let operable = is_refable(node.role, node.capabilities);
        if shape.include_bounds {
            fields.insert(Field::Bounds);
        }
        // An inert leaf is dropped by -i; what frames others shows neither value nor hint. Groups
        // may: a page's text stands in them.
        if operable || !(shape.interactive_only || is_frame(node.role)) {
            fields.insert(Field::Value);
            fields.insert(Field::Hint);
        }
        if !fields.is_empty() {
            wants.push((entry.node, fields));
        }
    }
    wants
}

fn is_frame(role: Role) -> bool {
    matches!(
        role,
        Role::Window
            | Role::ScrollArea
            | Role::Splitter
            | Role::TabList
            | Role::Toolbar
            | Role::Menu
            | Role::Separator
    )
}
