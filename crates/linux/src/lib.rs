//! agent-desktop on Linux.

mod atspi;
mod bus;
mod desktop;
pub mod environment;
pub mod helper;
pub mod proc;
mod programs;
#[cfg(any(test, fuzzing))]
pub mod properties;
pub mod sandbox;
pub mod x11;

pub use desktop::Linux;
pub use programs::become_program;
