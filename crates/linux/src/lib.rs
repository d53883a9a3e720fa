//! agent-desktop on Linux.

mod atspi;
mod bus;
pub mod environment;
pub mod proc;
pub mod x11;
