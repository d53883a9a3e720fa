//! What the commands about the clipboard print.

use serde::Serialize;

use super::Disposition;

/// Data of `clipboard-get`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Clipboard {
    Absent {
        /// Always false.
        found: bool,
        /// The formats that there are instead, as the owner of the content calls them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        offered: Vec<String>,
        #[serde(rename = "type")]
        kind: &'static str,
    },
    FileUrls {
        file_urls: Vec<String>,
        /// For each of them its path; null where it is no file of this machine or no text.
        paths: Vec<Option<String>>,
        #[serde(rename = "type")]
        kind: &'static str,
    },
    Image {
        height: u32,
        path: String,
        #[serde(rename = "type")]
        kind: &'static str,
        width: u32,
    },
    Text {
        /// Whether bytes that are no text were replaced.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        lossy: bool,
        text: String,
        #[serde(rename = "type")]
        kind: &'static str,
    },
}

/// Data of `clipboard-set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClipboardSet {
    pub disposition: Disposition,
    pub ok: bool,
    #[serde(rename = "type")]
    pub kind: &'static str,
}

/// Data of `clipboard-clear`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClipboardCleared {
    pub cleared: bool,
    pub disposition: Disposition,
}
