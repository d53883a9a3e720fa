//! `minimize`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Window;
use crate::{arrange::Wish, commands::Context};

/// Minimize a window
///
/// It keeps its accessibles, and can be read and acted on as before.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub window: Window,
}

/// The data of `minimize`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    args.window.arrange("minimize", Wish::Minimize, context)
}
