//! `maximize`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Window;
use crate::{arrange::Wish, commands::Context};

/// Maximize a window
///
/// In both directions, on the screen that it is on.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub window: Window,
}

/// The data of `maximize`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    args.window.arrange("maximize", Wish::Maximize, context)
}
