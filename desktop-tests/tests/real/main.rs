//! The program under test against real applications and the misbehaving peer, each test on a
//! private desktop of its own.

// Helpers of tests fail as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod acting;
mod applications;
mod desktop;
mod faults;
mod harness;
mod peer;
mod reading;
mod wayland;
mod web;
