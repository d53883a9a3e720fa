//! One file a command: the doc comment of its `Args` is the manual, their fields are the flags,
//! and `run` returns what is printed.

pub mod afterwards;
pub mod arrange;
mod cdp;
pub mod clipboard_clear;
pub mod clipboard_get;
pub mod clipboard_set;
pub mod close_app;
pub mod find;
pub mod get;
pub mod interact;
pub mod is;
pub mod launch;
pub mod list_apps;
pub mod list_displays;
pub mod list_surfaces;
pub mod list_windows;
pub mod permissions;
pub mod pointer;
pub mod press;
pub mod screenshot;
pub mod snapshot;
pub mod status;
pub mod target;
pub mod version;
pub mod wait;

use crate::{
    platform::{Deadline, Platform},
    store::Store,
};

/// What every command works with.
#[expect(missing_debug_implementations, reason = "a platform holds connections")]
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub platform: &'a dyn Platform,
    pub store: &'a Store,
    /// Whether focus and pointer may be taken.
    pub headed: bool,
    /// Where `--stdin` reads from.
    pub input: fn() -> std::io::Result<String>,
}

/// The longest that anything is waited for.
const DAY_MS: u64 = 86_400_000;

/// The deadline of a command that has no `--timeout-ms`.
fn default_deadline() -> Deadline {
    Deadline::after_ms(5_000)
}

/// How long a command that has read may wait until it can save.
fn saving() -> Deadline {
    Deadline::after_ms(2_000)
}
