//! What the engine does on scripted desktops.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may stop where it stands")]

mod act;
mod afterwards;
mod arrange;
mod blocked;
mod clipboard;
mod close_app;
mod desktop;
mod drill;
mod find;
mod headed;
mod identity;
mod launch;
mod listing;
mod read;
mod refused;
mod same;
mod screenshot;
mod scroll;
mod snapshot;
mod stage;
mod tables;
mod text;
mod untrusted;
mod wait;
