//! `click`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Element;
use crate::{act::Action, commands::Context};

/// Press an element, as a click on it would
///
/// Buttons are pressed, check boxes toggled, menus opened, links followed: through the
/// accessibility interface, without the focus or the pointer; with --headed by the pointer, where the
/// element is in front.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub element: Element,
}

/// The data of `click`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Acted, Error> {
    args.element.act(Action::Click, context)
}
