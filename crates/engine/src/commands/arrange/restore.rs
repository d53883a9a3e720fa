//! `restore`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Window;
use crate::{arrange::Wish, commands::Context};

/// Bring a window back from where it was minimized to, else end its being maximized
///
/// The focus is not asked for; most window managers give it to a window that comes back.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub window: Window,
}

/// The data of `restore`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    args.window.arrange("restore", Wish::Restore, context)
}
