//! The verbs of agent-desktop, over one [`platform::Platform`]: observe, allocate and resolve
//! refs, store them, and the commands themselves. No operating system is known here.

pub mod commands;
pub mod observe;
pub mod platform;
pub mod refs;
pub mod store;
