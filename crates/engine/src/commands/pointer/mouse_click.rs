//! `mouse-click`: see its arguments.

use agent_desktop_model::{chord::Modifiers, error::Error, wire};

use super::{Place, modifiers};
use crate::{
    commands::Context,
    headed,
    platform::{Button, Click, Deadline},
};

/// Click at a place of the screen (needs --headed)
///
/// Whatever is there takes it: nothing is focused, and nothing is checked. To click an element, use
/// `click` with its ref.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Where, in screen pixels; negative ones as `--xy=-100,50`
    #[arg(long, value_name = "X,Y")]
    pub xy: Place,

    #[arg(long, value_enum, default_value_t = Which::Left)]
    pub button: Which,

    /// How many times
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=20))]
    pub count: u32,

    /// Keys that are held meanwhile, such as `ctrl+shift`
    #[arg(long, value_name = "KEYS", value_parser = modifiers)]
    pub modifiers: Option<Modifiers>,

    /// Time for getting hold of the pointer and clicking
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// A button of the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Which {
    Left,
    Right,
    Middle,
}

/// The data of `mouse-click`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    headed::permitted("mouse-click", context)?;
    let deadline = Deadline::after_ms(args.timeout_ms);
    let Place(at) = args.xy;
    headed::on_a_display(at, deadline, context)?;
    let click = Click {
        button: match args.button {
            Which::Left => Button::Left,
            Which::Right => Button::Right,
            Which::Middle => Button::Middle,
        },
        count: args.count,
        modifiers: args.modifiers.unwrap_or_default(),
    };
    let mut input = headed::take(context.platform, deadline)?;
    input.click(at, click, deadline).map_err(|failure| headed::under_way(failure, deadline))?;
    Ok(headed::pointed("mouse-click", at, &mut *input, deadline, context))
}
