//! `permissions`: what the system lets us do.

use agent_desktop_model::{error::Error, wire};

use super::Context;

/// Show what the system permits, and how to obtain what it does not
///
/// Needs no desktop: without one everything is denied or unknown, with a suggestion.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Ask the system for what is missing, where it has a dialog for that
    #[arg(long)]
    pub request: bool,
    /// Walk through the system's settings, where it has any
    #[arg(long)]
    pub guide: bool,
}

/// The data of `permissions`.
pub fn run(_args: &Args, context: &Context<'_>) -> Result<wire::Permissions, Error> {
    Ok(context.platform.capabilities().permissions)
}
