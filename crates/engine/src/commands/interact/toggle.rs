//! `toggle`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Element;
use crate::{act::Action, commands::Context};

/// Switch an element on if it is off, and off if it is on
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub element: Element,
}

/// The data of `toggle`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Acted, Error> {
    args.element.act(Action::Toggle, context)
}
