//! `uncheck`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Element;
use crate::{act::Action, commands::Context};

/// Switch an element off, if it is not off already
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub element: Element,
}

/// The data of `uncheck`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Acted, Error> {
    args.element.act(Action::Uncheck, context)
}
