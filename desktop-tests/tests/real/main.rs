//! The program under test against real applications and the misbehaving peer, each test on a
//! private desktop of its own.

// Helpers of tests fail as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod afterwards;
mod agreement;
mod applications;
mod bounds;
mod causes;
mod clipboard;
mod courtesy;
mod crashes;
mod errands;
mod harness;
mod hostile;
mod hung;
mod identity;
mod keyboard;
mod liars;
mod long;
mod observe;
mod pointer;
mod programs;
mod reuse;
mod screenshot;
mod scroll;
mod secrets;
mod state_root;
mod surfaces;
mod targets;
mod tasks;
mod wayland;
mod web;
mod windows;
