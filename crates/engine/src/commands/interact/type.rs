//! `type`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Element;
use crate::{act::Action, commands::Context};

/// Insert text where the caret is
///
/// It replaces what is selected; without a caret it goes to the end. What was there before and what is
/// there afterwards are compared. With --headed it is typed by keys, on any keyboard layout.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub element: Element,

    #[command(flatten)]
    pub text: super::Text,
}

/// The data of `type`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Acted, Error> {
    let text = args.text.read(context)?;
    args.element.act(Action::Type(&text), context)
}
