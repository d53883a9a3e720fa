//! Private desktops, through the real binary: each test has its own state root, home and
//! runtime directory, and leaves nothing running, in a panic neither. They need Xvfb, dbus, openbox
//! and at-spi2-core; the one about full disks needs root, to mount a small one.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod damage;
mod desktops;
mod failure;
mod life;
#[path = "../program/mod.rs"]
mod program;
mod session;
