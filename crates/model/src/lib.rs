//! The nouns of agent-desktop: what a desktop is made of, what can be said about it, and what a
//! caller is told. Nothing here does I/O, reads a clock or knows an operating system.

pub mod action;
pub mod capability;
pub mod chord;
pub mod error;
pub mod evidence;
pub mod geometry;
#[cfg(any(test, fuzzing))]
pub mod properties;
pub mod reference;
pub mod role;
pub mod selector;
pub mod state;
pub mod surface;
pub mod text;
pub mod tree;
pub mod wire;

/// Version of the envelope that every command prints.
pub const ENVELOPE_VERSION: &str = "2.5";
