//! What the commands print that act on something else than one element.

use serde::Serialize;

use super::{AutoWait, Disposition, Surface, WindowName};
use crate::{action::Status, geometry::Rect};

/// Data of the commands that arrange windows and of those that move the pointer or press keys.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Operated {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<OperationDetails>,
    pub disposition: Disposition,
    /// The window that has the focus now, of `focus-window`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focused: Option<WindowName>,
    /// The command.
    pub operation: &'static str,
    /// The windows, menus and dialogs of the application that are open now, after `press`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surfaces: Option<Vec<Surface>>,
    pub target: Target,
}

/// More about an operation that was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OperationDetails {
    pub auto_wait: AutoWait,
    /// `unknown` where nothing tells whether something else of its window is in front of an element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receives_events: Option<Status>,
}

/// What an operation was about, as it is afterwards.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Target {
    /// A place of the screen.
    Pointer {
        /// The window that is there.
        #[serde(skip_serializing_if = "Option::is_none")]
        window: Option<WindowName>,
        x: i32,
        y: i32,
    },
    Window {
        app_name: String,
        /// In screen pixels.
        bounds: Rect,
        id: String,
        is_focused: bool,
        maximized: bool,
        minimized: bool,
        title: String,
        visible: bool,
    },
}
