//! Saved snapshots: the only room that touches their files.

use std::path::PathBuf;

/// Where the snapshots of one namespace are kept.
#[derive(Clone, Debug)]
pub struct Store {
    /// The state root.
    pub root: PathBuf,
    /// The session, or none for the namespace that all callers without one share.
    pub namespace: Option<String>,
}
