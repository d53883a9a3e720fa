//! `select`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Element;
use crate::{act::Action, commands::Context};

/// Choose an option by the text that it shows
///
/// The ref is that of what holds the options: a combo box, list, table or tab bar. Nothing is opened
/// for it.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub element: Element,

    /// The text of the option
    #[arg(value_name = "VALUE")]
    pub value: String,
}

/// The data of `select`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Acted, Error> {
    args.element.act(Action::Select(&args.value), context)
}
