//! `version`: needs no desktop.

use agent_desktop_model::wire;

/// Show the version, operating system and architecture
#[derive(Clone, Debug, clap::Args)]
pub struct Args {}

/// The data of `version`.
pub fn run() -> wire::Version {
    wire::Version {
        os: std::env::consts::OS,
        target: std::env::consts::ARCH,
        version: env!("CARGO_PKG_VERSION"),
    }
}
