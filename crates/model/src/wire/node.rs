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
    /// Only with `--include-bounds`; screen pixels on X11.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Rect>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Self>,
    /// How many direct children were left out on purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children_count: Option<u64>,
    /// Fields that were longer than 64 KiB and are cut.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut_fields: Vec<&'static str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hint: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native_id: Option<NativeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ref_id: Option<Ref>,
    pub role: Role,
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
