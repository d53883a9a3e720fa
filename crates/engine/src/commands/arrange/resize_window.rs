//! `resize-window`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Window;
use crate::{arrange::Wish, commands::Context};

/// Give a window another size
///
/// The size that `list-windows` prints: without the frame that the window manager draws and without
/// the shadow that the application draws.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub window: Window,

    /// Screen pixels
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(i32).range(1..=32_767))]
    pub width: i32,

    /// Screen pixels
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(i32).range(1..=32_767))]
    pub height: i32,
}

/// The data of `resize-window`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    args.window.arrange(
        "resize-window",
        Wish::Size { width: args.width, height: args.height },
        context,
    )
}
