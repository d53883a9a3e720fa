//! What the commands print that start and end programs.

use serde::Serialize;

/// Data of `launch`.
#[derive(Debug, Serialize)]
pub struct Launched {
    /// Its name as `list-apps` prints it, once it is known there.
    pub app: String,
    /// Whether it ran already, and nothing new came of it.
    pub attached: bool,
    /// Where what it prints goes; absent where nothing was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// The process whose window it is; without one, the process that was started.
    pub pid: u32,
    /// Names that process for as long as the machine runs.
    pub process_instance: String,
    /// `chromium` for what is made with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renderer: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<LaunchedWindow>,
}

/// The window of a program that was started.
#[derive(Debug, Serialize)]
pub struct LaunchedWindow {
    /// Whether its contents can be read; `list-windows` says why not.
    pub accessible: bool,
    pub id: String,
    pub is_focused: bool,
    pub title: String,
    pub visible: bool,
}
