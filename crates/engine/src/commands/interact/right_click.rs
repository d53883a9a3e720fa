//! `right-click`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Element;
use crate::{act::Action, commands::Context};

/// Open the context menu of an element
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub element: Element,
}

/// The data of `right-click`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Acted, Error> {
    args.element.act(Action::RightClick, context)
}
