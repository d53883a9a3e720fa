//! `list-displays`: where windows stand.

use agent_desktop_model::{error::Error, wire};

use super::{Context, default_deadline};

/// List displays, the primary one first
///
/// Bounds are in screen pixels.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {}

/// The data of `list-displays`.
pub fn run(_args: &Args, context: &Context<'_>) -> Result<wire::Displays, Error> {
    let deadline = default_deadline();
    let displays = context.platform.displays(deadline);
    let displays = displays.map_err(|failure| failure.about("the list of displays", deadline))?;
    Ok(wire::Displays { displays })
}
