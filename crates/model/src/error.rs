//! The one error that callers see: what went wrong, whether anything was delivered, what to do.

use serde::Serialize;

use crate::{
    action::{Check, PostState, Step},
    capability::CapabilitySet,
    geometry::Rect,
    reference::SnapshotId,
    role::Role,
    wire::Done,
};

/// A failure, as it is put into the envelope.
#[derive(Clone, Debug)]
pub struct Error {
    pub code: Code,
    /// Names the cause.
    pub message: String,
    /// Something the caller can do next.
    pub suggestion: Option<String>,
    /// What the platform itself said.
    pub platform_detail: Option<String>,
    pub details: Option<Box<Details>>,
    pub delivery: Delivery,
}

/// The kinds of failure. The tokens are part of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    PermDenied,
    ElementNotFound,
    AppNotFound,
    ActionFailed,
    ActionNotSupported,
    StaleRef,
    AmbiguousTarget,
    WindowNotFound,
    PlatformNotSupported,
    Timeout,
    InvalidArgs,
    NotificationNotFound,
    SnapshotNotFound,
    PolicyDenied,
    AppUnresponsive,
    Internal,
}

/// Whether input reached the application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    #[default]
    NotDelivered,
    DeliveryUncertain,
    DeliveredUnverified,
    DeliveredVerified,
    Unknown,
}

/// Whether repeating is safe. It follows from the delivery and is never chosen freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    Safe,
    Unsafe,
    Unknown,
}

/// Typed facts about a failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Details {
    /// The deadline passed.
    Deadline { elapsed_ms: u64, timeout_ms: u64 },
    /// No live element has the ref's evidence, or its snapshot no longer lists it.
    SavedRefAbsent { r#ref: String },
    /// Elements equal to the ref's have appeared.
    SavedRefAmbiguous { candidates: Vec<Candidate>, r#ref: String },
    /// The element was not proven to be the only one of its kind.
    IdentityNotUnique { candidates: Vec<Candidate>, reason: Uniqueness, r#ref: String },
    /// The element at the ref's address now stands somewhere else.
    ContextChanged { now: Option<String>, r#ref: String, was: Option<String> },
    /// A read that identity depends on was not answered. Nothing was sent.
    ResolutionIdentityUnknown { elapsed_ms: u64, r#ref: String, timeout_ms: u64 },
    /// The application's process was replaced.
    ProcessChanged { r#ref: String },
    /// The ref was made on another desktop.
    DesktopChanged { r#ref: String, sandbox: Option<String> },
    /// The ref's window no longer exists.
    SourceWindowAbsent { r#ref: String, window_id: String },
    /// Another program had the pointer and the keys all the time.
    InteractionProcessLockTimeout { elapsed_ms: u64, timeout_ms: u64 },
    /// Applications that the caller may have meant, by name, and those that do not answer.
    AppCandidates {
        apps: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        silent: Vec<String>,
    },
    /// Windows that the caller may have meant.
    WindowCandidates { windows: Vec<WindowCandidate> },
    /// The window's application offers no accessibles, or does not answer.
    WindowWithoutAccessibilityElement { window_id: String },
    /// Surfaces that are open instead of the one asked for.
    SurfaceCandidates { surfaces: Vec<String> },
    /// A lock was not free in time.
    LockTimeout { path: String, waited_ms: u64 },
    /// A program that is needed is not installed.
    MissingProgram { package: String, program: String },
    /// A private desktop with its state, when it cannot be used.
    Sandbox { name: String, state: String },
    /// There is no private desktop of that name, but there are these.
    SandboxCandidates { name: String, sandboxes: Vec<String> },
    /// What was waited for did not come.
    WaitTimeout {
        /// What the action had done after which it was waited.
        #[serde(skip_serializing_if = "Option::is_none")]
        after_action: Option<Box<Done>>,
        elapsed_ms: u64,
        last_error: Option<String>,
        last_observed: Option<String>,
        predicate: &'static str,
        /// The window as it was in the end.
        #[serde(skip_serializing_if = "Option::is_none")]
        snapshot_id: Option<SnapshotId>,
        timeout_ms: u64,
    },
    /// The element cannot be acted on and waiting would not change that.
    ActionabilityBlocked { actionable: bool, checks: Vec<Check> },
    /// The element could not be acted on for as long as was waited.
    ActionabilityTimeout { actionable: bool, checks: Vec<Check> },
    /// The element lacks what the action needs; it has this.
    CapabilityMissing { available_actions: CapabilitySet, needs: Vec<&'static str> },
    /// No option has the text; at most 50 of those that there are.
    SelectMenuItemNotFound { options: Vec<String>, wanted: String },
    /// The number is outside of what the element takes.
    ValueOutOfRange { least: f64, most: f64, wanted: f64 },
    /// The element was another one by the time that the request arrived.
    IdentityChanged { post_state: Option<PostState>, r#ref: String, steps: Vec<Step> },
    /// What was observed afterwards contradicts what was asked for.
    PostActionVerification {
        expected: String,
        observed: Option<String>,
        post_state: Option<PostState>,
        steps: Vec<Step>,
    },
    /// A scroll bar took another position and stayed where it was.
    ScrollAdvertisedButInert {
        expected: String,
        observed: Option<String>,
        post_state: Option<PostState>,
        steps: Vec<Step>,
    },
    /// A debugger is let in only when an application is started, and this one runs.
    CdpRequiresFreshLaunch { pid: u32 },
    /// Somebody else listens on the port already.
    CdpPortInUse { port: u16 },
    /// An argument for the application says the same as `--cdp`.
    CdpSwitchConflict { switch: &'static str },
    /// Nothing that a debugger could use answers on the port.
    CdpEndpointUnavailable { port: u16 },
    /// A program that was started ended before it had a window.
    ProgramEnded {
        #[serde(skip_serializing_if = "Option::is_none")]
        exit_status: Option<i32>,
        /// What it printed.
        log: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        signal: Option<i32>,
    },
    /// Time ran out, or the application ended, after something was sent.
    ChainDeadline { post_state: Option<PostState>, steps: Vec<Step> },
}

/// Why an element counts as not proven unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Uniqueness {
    /// Equal elements stood in the window when the ref was made.
    TwinsAtCapture,
    /// The window was not wholly read when the ref was made.
    WindowNotWhollyRead,
}

/// An element that the caller may have meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Candidate {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Rect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
}

/// A window that the caller may have meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WindowCandidate {
    pub app_name: String,
    pub id: String,
    pub title: String,
}

/// How to recover, when a repeat is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Recovery {
    pub requires_fresh_snapshot: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    pub retryable: bool,
    pub strategy: &'static str,
}

impl Error {
    /// An error about which nothing else is known: nothing was delivered.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            suggestion: None,
            platform_detail: None,
            details: None,
            delivery: Delivery::NotDelivered,
        }
    }

    /// The same error with something the caller can do.
    #[must_use]
    pub fn suggest(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// The same error with typed facts.
    #[must_use]
    pub fn details(mut self, details: Details) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    /// The same error after something was sent.
    #[must_use]
    pub fn delivered(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    /// The same error with the platform's own words.
    #[must_use]
    pub fn platform(mut self, detail: impl Into<String>) -> Self {
        self.platform_detail = Some(detail.into());
        self
    }

    /// How to recover; absent where a repeat is not safe or would not help.
    pub fn recovery(&self) -> Option<Recovery> {
        if self.delivery.retry() != Retry::Safe {
            return None;
        }
        let recovery = |strategy, requires_fresh_snapshot, retry_after_ms| {
            Some(Recovery { requires_fresh_snapshot, retry_after_ms, retryable: true, strategy })
        };
        match self.code {
            Code::StaleRef | Code::SnapshotNotFound => {
                recovery("refresh_snapshot_then_retry_original", true, None)
            }
            Code::PolicyDenied => {
                recovery("request_explicit_policy_then_retry_original", false, None)
            }
            Code::AppUnresponsive | Code::Timeout => {
                recovery("inspect_state_then_retry_original", true, Some(250))
            }
            _ => None,
        }
    }
}

impl Delivery {
    /// Whether repeating is safe after this delivery.
    pub fn retry(self) -> Retry {
        match self {
            Self::NotDelivered => Retry::Safe,
            Self::Unknown => Retry::Unknown,
            Self::DeliveryUncertain | Self::DeliveredUnverified | Self::DeliveredVerified => {
                Retry::Unsafe
            }
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
