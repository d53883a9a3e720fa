//! agent-desktop on Linux.

mod atspi;
mod bus;
