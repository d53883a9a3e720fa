//! The verbs of agent-desktop, over one [`platform::Platform`]: observe, allocate and resolve
//! refs, store them, act, wait, and the commands themselves. No operating system is known here.

mod act;
mod arrange;
mod by_hand;
pub mod commands;
mod file_url;
mod headed;
mod layers;
pub mod observe;
mod output;
mod picture;
pub mod platform;
pub mod refs;
mod region;
pub mod store;
mod wait;
