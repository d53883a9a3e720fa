//! What the commands print that start and end programs.

use serde::Serialize;

use super::{Disposition, Surface, WindowName};

/// Data of `launch`.
#[derive(Debug, Serialize)]
pub struct Launched {
    /// Its name as `list-apps` prints it, once it is known there.
    pub app: String,
    /// Whether it ran already, and nothing new came of it.
    pub attached: bool,
    /// Where its web contents are debugged, with `--cdp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cdp: Option<Cdp>,
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

/// Where the web contents of an application are debugged.
#[derive(Debug, Serialize)]
pub struct Cdp {
    pub http_endpoint: String,
    pub port: u16,
    /// What answers there, such as `Chrome/156.0.0.0`.
    pub product: String,
    pub websocket_url: String,
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

/// Data of `close-app`.
#[derive(Debug, Serialize)]
pub struct Closed {
    pub app: String,
    /// Whether it has ended; of a process that has other windows, whether those that were meant
    /// are gone.
    pub closed: bool,
    pub details: CloseDetails,
    pub disposition: Disposition,
    /// `graceful` or `force`.
    pub method: &'static str,
    /// The command.
    pub operation: &'static str,
    pub pid: u32,
    /// Names that process for as long as the machine runs.
    pub process_instance: String,
    /// Whether it was asked to.
    pub requested: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// What is open of it still.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub surfaces: Vec<Surface>,
    pub target: ClosedTarget,
    /// The windows that it shows still.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<WindowName>,
}

/// How an application was closed.
#[derive(Debug, Serialize)]
pub struct CloseDetails {
    /// `window_manager` or `signal`.
    pub mechanism: &'static str,
}

/// What was closed.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ClosedTarget {
    App { app_name: String, pid: u32 },
}
