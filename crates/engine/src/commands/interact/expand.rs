//! `expand`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Element;
use crate::{act::Action, commands::Context};

/// Open an element, if it is not open already
///
/// Such as a row of a tree, a combo box or a section that folds.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub element: Element,
}

/// The data of `expand`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Acted, Error> {
    args.element.act(Action::Expand, context)
}
