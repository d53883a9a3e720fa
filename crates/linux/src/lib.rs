//! agent-desktop on Linux.

pub mod environment;
pub mod proc;
pub mod sandbox;
pub mod x11;
