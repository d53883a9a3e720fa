//! What the commands that act on an element print.

use serde::Serialize;

use super::{Disposition, Surface};
use crate::{
    action::{PostState, Status, Step},
    reference::Ref,
    role::Role,
};

/// Data of every command that acts on an element.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Acted {
    pub action: &'static str,
    pub details: ActionDetails,
    pub disposition: Disposition,
    /// The element afterwards; absent if it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_state: Option<PostState>,
    #[serde(rename = "ref")]
    pub reference: Ref,
    pub steps: Vec<Step>,
    /// The windows, menus and dialogs of the application that are open now; absent where nothing
    /// was told by which one may have opened or closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surfaces: Option<Vec<Surface>>,
}

/// More about an action that was done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionDetails {
    pub auto_wait: AutoWait,
    /// The texts of what was selected before in the same list and still is: choosing adds to the
    /// selection in some lists that take several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_selected: Vec<String>,
    /// Whether something changed in the application that the action does not promise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub observed_change: bool,
    /// `unknown` where nothing tells whether something else of its window is in front of the element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receives_events: Option<Status>,
    /// `unavailable` when the application offers nothing to verify the action by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification_scope: Option<&'static str>,
    /// The element inside that was acted on in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
}

/// What had to be waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AutoWait {
    /// How often another process held the input devices.
    pub lease_contention_count: u32,
    /// How long this one held them, in milliseconds; semantic actions take none.
    pub lease_hold_ms: u64,
    /// How often the element was checked.
    pub read_only_preflight_attempts: u32,
    /// How often the ref was resolved.
    pub read_only_resolve_attempts: u32,
}

/// An element that was acted on in the place of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Via {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub role: Role,
}
