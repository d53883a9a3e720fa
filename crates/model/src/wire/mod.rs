//! What callers are told, exactly as it is serialised. Keys stand in alphabetical order, as the
//! contract's samples do; absent and empty fields are left out unless said otherwise.

mod act;
mod clipboard;
mod node;
mod operate;
mod programs;
pub mod sandbox;
mod screenshot;
mod skills;
mod wait;

use std::borrow::Cow;

use serde::Serialize;

pub use act::{Acted, ActionDetails, AutoWait, Via};
pub use clipboard::{Clipboard, ClipboardCleared, ClipboardSet};
pub use node::TreeNode;
pub use operate::{Operated, OperationDetails, Target};
pub use programs::{Cdp, CloseDetails, Closed, ClosedTarget, Launched, LaunchedWindow};
pub use screenshot::{DrawnRef, Screenshot};
pub use skills::{Skill, SkillLocation, SkillText, Skills};
pub use wait::{Awaited, Done, Event, TargetAbsent, Waited};

use crate::{
    ENVELOPE_VERSION,
    error::{Code, Delivery, Details, Error, Recovery, Retry},
    geometry::Rect,
    reference::{Ref, SnapshotId},
    role::Role,
    state::StateSet,
    text,
};

/// The one JSON value that a command prints.
#[derive(Debug, Serialize)]
pub struct Envelope<'a, T: Serialize> {
    pub command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure<'a>>,
    pub ok: bool,
    pub version: &'static str,
}

/// An error as it is printed.
#[derive(Debug, Serialize)]
pub struct Failure<'a> {
    pub code: Code,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<&'a Details>,
    pub disposition: Disposition,
    pub message: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform_detail: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<Recovery>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Cow<'a, str>>,
}

/// Whether input reached the application and whether repeating is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Disposition {
    pub delivery: Delivery,
    pub retry: Retry,
}

/// Data of `snapshot`.
#[derive(Debug, Serialize)]
pub struct Snapshot {
    /// What the action did after which it was waited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_action: Option<Box<Done>>,
    /// Whether what was waited for was so before the action as well, so that it tells nothing of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub already: bool,
    pub app: String,
    /// Whether everything that was asked for was read.
    pub complete: bool,
    /// What the bounds in it are counted from.
    #[serde(skip_serializing_if = "Coordinates::are_usual")]
    pub coordinates: Coordinates,
    /// How long it was waited, with `--wait-for` and `--wait-for-gone`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
    /// Whether what was waited for is gone, as it was to be.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    /// What was waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched_selector: Option<String>,
    /// With `truncated`: how many nodes were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_observed: Option<u64>,
    /// How many refs the whole saved snapshot holds.
    pub ref_count: u64,
    pub snapshot_id: SnapshotId,
    /// What to do about a tree that is thin for a known cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    pub tree: TreeNode,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// The window that was read; absent in a drill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowName>,
}

/// What bounds are counted from. That of a screen is not said: it is what everybody expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Coordinates {
    Screen,
    /// There is no common screen: the corner of the window that an element is in.
    Window,
}

impl Coordinates {
    /// Whether nothing needs to be said.
    pub fn are_usual(&self) -> bool {
        *self == Self::Screen
    }
}

/// Id and title of a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WindowName {
    pub id: String,
    pub title: String,
}

/// Data of `find`. Which fields there are depends on the selection that was asked for.
#[derive(Debug, Default, Serialize)]
pub struct Find {
    pub app: String,
    /// With `--count`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// With `--first`, `--last` and `--nth`; null if there is no such match.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub single: Option<Option<Match>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<Match>>,
    /// Windows of the application that show and were not searched, where one was chosen among
    /// them or nothing was found; at most 10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_windows: Vec<WindowName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ref_count: Option<u64>,
    /// The roles that do occur, when a role filter matched nothing; at most 500.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roles_present: Option<Vec<Role>>,
    /// The new snapshot that holds the refs; absent when there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot_id: Option<SnapshotId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_matches: Option<u64>,
    /// Whether `--limit` left matches out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// How many elements of large containers were not searched: of those, only what shows is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsearched: Option<u64>,
    /// The window that was searched; absent below a ref.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowName>,
}

/// One element that `find` found. `name`, `value` and `states` are always there.
#[derive(Debug, Serialize)]
pub struct Match {
    /// Of a cell: its column, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut_fields: Vec<&'static str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What the value of a cell is computed from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub formula: String,
    /// Whether the element's role is interactive or it has an action.
    pub interactive: bool,
    pub name: String,
    /// Roles from the search root down to the parent.
    pub path: Vec<Role>,
    pub ref_id: Ref,
    pub role: Role,
    /// Of a cell: its row, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u32>,
    pub states: StateSet,
    pub value: Option<String>,
    /// What the element stands in, when others, or other matches, say the same of themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
}

/// Data of `get`.
#[derive(Debug, Serialize)]
pub struct Get {
    /// What the bounds in it are counted from.
    #[serde(skip_serializing_if = "Coordinates::are_usual")]
    pub coordinates: Coordinates,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut_fields: Vec<&'static str>,
    /// Comes along where the element has one: a tooltip may be all that says what it does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    pub property: &'static str,
    #[serde(rename = "ref")]
    pub reference: Ref,
    pub value: PropertyValue,
}

/// The value of one property; null where the element has none.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum PropertyValue {
    Text(Option<String>),
    Role(Role),
    States(StateSet),
    Bounds(Option<Rect>),
}

/// Data of `is`.
#[derive(Debug, Serialize)]
pub struct Is {
    /// Whether the question makes sense for the element: a label is not checked, but neither is
    /// it unchecked.
    pub applicable: bool,
    pub property: &'static str,
    #[serde(rename = "ref")]
    pub reference: Ref,
    pub result: bool,
}

/// Data of `list-apps`.
#[derive(Debug, Serialize)]
pub struct Apps {
    pub apps: Vec<App>,
}

/// One application.
#[derive(Debug, Serialize)]
pub struct App {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// `foreground` if a window of it is active, else `background`; absent when unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation: Option<&'static str>,
    /// Whether it answered in time. The name of one that did not is its process's name.
    pub responding: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toolkit: Option<String>,
}

/// Data of `list-windows`: an array.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Windows {
    pub windows: Vec<Window>,
}

/// One window.
#[derive(Debug, Serialize)]
pub struct Window {
    /// Whether its contents can be read.
    pub accessible: bool,
    pub app_name: String,
    /// Absent where the platform tells none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Rect>,
    /// What the bounds in it are counted from.
    #[serde(skip_serializing_if = "Coordinates::are_usual")]
    pub coordinates: Coordinates,
    pub id: String,
    pub is_focused: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub maximized: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub minimized: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Why the contents cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What can be done about that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    pub title: String,
    pub visible: bool,
}

/// Data of `list-displays`: an array, primary first.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Displays {
    pub displays: Vec<Display>,
}

/// One display.
#[derive(Clone, Debug, Serialize)]
pub struct Display {
    /// In screen pixels.
    pub bounds: Rect,
    pub id: String,
    pub is_primary: bool,
    pub scale: f64,
}

/// Data of `list-surfaces`.
#[derive(Debug, Serialize)]
pub struct Surfaces {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    pub surfaces: Vec<Surface>,
}

/// One open surface of an application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Surface {
    /// Whether nobody can type into anything else while it is open.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub grabs_input: bool,
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(rename = "type")]
    pub kind: &'static str,
}

/// Data of `status`.
#[derive(Debug, Serialize)]
pub struct Status {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<&'static str>,
    pub permissions: Permissions,
    pub platform: &'static str,
    pub ref_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    pub session_id: Option<String>,
    pub snapshot_id: Option<SnapshotId>,
    pub state_root: String,
    pub supported_surfaces: Vec<&'static str>,
    pub tracing: bool,
    pub version: &'static str,
}

/// What the platform lets us do.
#[derive(Clone, Debug, Serialize)]
pub struct Permissions {
    pub accessibility: Permission,
    pub automation: Permission,
    pub screen_recording: Permission,
}

/// One permission and how to obtain it.
#[derive(Clone, Debug, Serialize)]
pub struct Permission {
    pub state: Grant,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// State of a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grant {
    Granted,
    Denied,
    NotRequired,
    Unknown,
}

/// Data of `version`.
#[derive(Debug, Serialize)]
pub struct Version {
    pub os: &'static str,
    pub target: &'static str,
    pub version: &'static str,
}

impl<'a, T: Serialize> Envelope<'a, T> {
    /// The envelope of `command` that ended with `result`.
    pub fn new(command: &'a str, result: &'a Result<T, Error>) -> Envelope<'a, &'a T> {
        let (data, error) = match result {
            Ok(data) => (Some(data), None),
            Err(error) => (None, Some(Failure::new(error))),
        };
        Envelope { command, ok: error.is_none(), data, error, version: ENVELOPE_VERSION }
    }
}

impl From<Delivery> for Disposition {
    fn from(delivery: Delivery) -> Self {
        Self { delivery, retry: delivery.retry() }
    }
}

/// How long a text of an error is at most, in bytes, before what does not show in it is escaped. What
/// callers sent is repeated in it, so it may be as long as they like.
const ERROR_TEXT: usize = 4_096;

impl<'a> Failure<'a> {
    fn new(error: &'a Error) -> Self {
        // Others' words are quoted where a sentence is made. This is for what came another way, such as
        // what a system says of a file by its name.
        let sentence = |text| match text::shortened(text, ERROR_TEXT) {
            Cow::Borrowed(text) => text::one_line(text),
            Cow::Owned(text) => Cow::Owned(text::one_line(&text).into_owned()),
        };
        Self {
            code: error.code,
            details: error.details.as_deref(),
            disposition: error.delivery.into(),
            message: sentence(&error.message),
            platform_detail: error.platform_detail.as_deref().map(sentence),
            recovery: error.recovery(),
            suggestion: error.suggestion.as_deref().map(sentence),
        }
    }
}
