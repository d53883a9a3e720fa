//! What `screenshot` prints.

use serde::Serialize;

use super::WindowName;
use crate::{geometry::Rect, reference::Ref};

/// Data of `screenshot`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Screenshot {
    /// What of the screen the picture shows, in screen pixels.
    pub bounds: Rect,
    /// The picture in base64, unless it was written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    pub format: &'static str,
    /// Pixels of the picture.
    pub height: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The refs that were drawn, where some were to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refs: Option<Vec<DrawnRef>>,
    /// Pixels of the picture for each of the screen.
    pub scale_factor: f64,
    /// The refs that were not drawn because their elements are gone or cannot be told from others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unplaced: Vec<Ref>,
    /// How many were not drawn because they do not show, or lie beside the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<u64>,
    /// Pixels of the picture.
    pub width: u32,
    /// The window that was pictured, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowName>,
}

/// A ref that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DrawnRef {
    /// Where its element is in the picture, in pixels of the picture.
    pub bounds: Rect,
    #[serde(rename = "ref_id")]
    pub reference: Ref,
}
