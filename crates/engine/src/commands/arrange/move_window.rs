//! `move-window`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Window;
use crate::{arrange::Wish, commands::Context};

/// Move a window
///
/// Its upper left corner, as `list-windows` prints it: without the frame that the window manager draws
/// and without the shadow that the application draws.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub window: Window,

    /// Screen pixels
    #[arg(long, value_name = "PIXELS", allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(-32_768..=32_767))]
    pub x: i32,

    /// Screen pixels
    #[arg(long, value_name = "PIXELS", allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(-32_768..=32_767))]
    pub y: i32,
}

/// The data of `move-window`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    args.window.arrange("move-window", Wish::Place { x: args.x, y: args.y }, context)
}
