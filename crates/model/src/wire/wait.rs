//! What `wait` prints.

use serde::Serialize;

use super::{Acted, Operated, Snapshot, Surface, WindowName};
use crate::{
    error::Delivery,
    reference::{Ref, SnapshotId},
    role::Role,
};

/// Data of `wait`. Which fields there are depends on what was waited for.
#[derive(Debug, Default, Serialize)]
pub struct Waited {
    /// How many elements have the text, with `--count`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<Event>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<bool>,
    /// What was there when the predicate held: a state, or the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicate: Option<&'static str>,
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<Ref>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot_id: Option<SnapshotId>,
    /// The menu that opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<Surface>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Of a plain pause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowName>,
}

/// Something that happened on the desktop.
#[derive(Debug, Serialize)]
pub struct Event {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<Surface>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowName>,
}

/// Data of `snapshot` and of the actions on a ref, with `--wait-for` and `--wait-for-gone`.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Awaited {
    /// The window that is as it is wanted.
    Window(Box<Snapshot>),
    Absent(TargetAbsent),
}

/// What was done before something was waited for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Done {
    Acted(Acted),
    Operated(Operated),
}

impl Done {
    pub fn delivery(&self) -> Delivery {
        match self {
            Self::Acted(acted) => acted.disposition.delivery,
            Self::Operated(operated) => operated.disposition.delivery,
        }
    }
}

impl From<Acted> for Done {
    fn from(acted: Acted) -> Self {
        Self::Acted(acted)
    }
}

impl From<Operated> for Done {
    fn from(operated: Operated) -> Self {
        Self::Operated(operated)
    }
}

/// What was waited for is gone with all that it could be in.
#[derive(Debug, Serialize)]
pub struct TargetAbsent {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_action: Option<Box<Done>>,
    pub elapsed_ms: u64,
    pub gone: bool,
    pub matched_selector: String,
    pub target_absent: bool,
}
