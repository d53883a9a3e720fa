//! What the tests on real applications and the benchmark stand on: private desktops, the program
//! under test, the independent reader, and a D-Bus client that shares no code with the product.

// A harness fails by panicking with the whole story.
#![allow(clippy::expect_used, clippy::unwrap_used)]

pub mod applications;
pub mod bus;
mod clipboard;
mod desktop;
pub mod matrix;
mod outcome;
mod picture;
mod process;
pub mod reader;
pub mod recording;
pub mod sheet;
mod slot;
pub mod tree;
pub mod wait;
mod wayland;
pub mod web;

pub use desktop::{App, Desktop, put_to_the_test};
pub use outcome::Outcome;
pub use picture::Picture;
pub use process::{Process, Stopped, StoppedServer};
pub use wayland::Wayland;

/// A binary that cargo has put beside the running one.
pub fn built(name: &str) -> std::path::PathBuf {
    let this = std::env::current_exe().expect("this program has a path");
    // Tests run from `deps` below the directory of the binaries.
    let directory = this.ancestors().find(|path| path.join(name).is_file());
    directory.unwrap_or_else(|| panic!("{name} is not built")).join(name)
}
