//! The program under test against real applications and the misbehaving peer, each test on a
//! private desktop of its own.

// Helpers of tests fail as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod accepted_differences;
mod agreement;
mod courtesy;
mod crashes;
mod harness;
mod hostile;
mod hung;
mod observe;
mod secrets;
mod state_root;
mod targets;
