//! agent-desktop on Linux.

mod atspi;
mod bus;
mod desktop;
pub mod environment;
pub mod proc;
pub mod sandbox;
pub mod x11;

pub use desktop::Linux;
