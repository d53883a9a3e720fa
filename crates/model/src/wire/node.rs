//! One node of a printed tree.

use serde::Serialize;

use crate::{
    capability::CapabilitySet, geometry::Rect, reference::Ref, role::Role, state::StateSet,
    tree::NativeId,
};

/// A node with its printed descendants. Nested at most 60 deep, so plain recursion is fine.
#[derive(Debug, Default, Serialize)]
pub struct TreeNode {
    #[serde(skip_serializing_if = "is_empty_set")]
    pub available_actions: CapabilitySet,
    /// How many visible cells of a spreadsheet are not listed because nothing is in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blank_cells: Option<u64>,
    /// Only with `--include-bounds`; screen pixels on X11.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Rect>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Self>,
    /// How many direct children there are, where some or all are left out on purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children_count: Option<u64>,
    /// Of a cell: its column, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Of a table: how many columns it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<u32>,
    /// Fields that were longer than 64 KiB and are cut.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut_fields: Vec<&'static str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What the value of a cell is computed from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub formula: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hint: String,
    /// There may be children that the toolkit has not made yet, since they do not show.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_have_more: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native_id: Option<NativeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ref_id: Option<Ref>,
    pub role: Role,
    /// Of a cell: its row, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u32>,
    /// Of a table: how many rows it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    #[serde(skip_serializing_if = "is_empty_states")]
    pub states: StateSet,
    /// Descendants are missing because time or size ran out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub subtree_truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What the element stands in, when others are equal to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
}

fn is_empty_set(set: &CapabilitySet) -> bool {
    set.is_empty()
}

fn is_empty_states(set: &StateSet) -> bool {
    set.is_empty()
}
