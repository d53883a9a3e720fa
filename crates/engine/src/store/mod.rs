//! Saved snapshots: the only room that touches their files.
