//! `set-value`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Element;
use crate::{act::Action, commands::Context};

/// Replace the content of a field, or set a number
///
/// Numbers are those of sliders, spin buttons and scroll bars. What is there afterwards is compared.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub element: Element,

    #[command(flatten)]
    pub text: super::Text,
}

/// The data of `set-value`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Acted, Error> {
    let text = args.text.read(context)?;
    args.element.act(Action::SetValue(&text), context)
}
