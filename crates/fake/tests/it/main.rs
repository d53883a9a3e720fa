//! What the engine does on scripted desktops.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may stop where it stands")]

mod desktop;
mod drill;
mod find;
mod identity;
mod listing;
mod read;
mod same;
mod snapshot;
mod stage;
mod text;
