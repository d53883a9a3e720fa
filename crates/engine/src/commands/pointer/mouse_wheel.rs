//! `mouse-wheel`: see its arguments.

use agent_desktop_model::{chord::Modifiers, error::Error, geometry::Point, wire};

use super::modifiers;
use crate::{
    commands::Context,
    headed,
    platform::{Deadline, Turn},
};

/// Turn the wheel at a place of the screen (needs --headed)
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Where, in screen pixels
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub x: i32,

    /// Where, in screen pixels
    #[arg(long, value_name = "Y", allow_negative_numbers = true)]
    pub y: i32,

    /// Notches up, or down if negative
    #[arg(long, value_name = "N", default_value_t = -3, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(-100..=100))]
    pub dy: i32,

    /// Notches to the left, or to the right if negative
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(-100..=100))]
    pub dx: i32,

    /// Keys that are held meanwhile, such as `ctrl`
    #[arg(long, value_name = "KEYS", value_parser = modifiers)]
    pub modifiers: Option<Modifiers>,

    /// Time for getting hold of the pointer and turning the wheel
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// The data of `mouse-wheel`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    headed::permitted("mouse-wheel", context)?;
    let deadline = Deadline::after_ms(args.timeout_ms);
    let at = Point { x: args.x, y: args.y };
    headed::on_a_display(at, deadline, context)?;
    let modifiers = args.modifiers.unwrap_or_default();
    let turn = Turn { left: args.dx, up: args.dy, modifiers };
    let mut input = headed::take(context.platform, deadline)?;
    input.wheel(at, turn, deadline).map_err(|failure| headed::under_way(failure, deadline))?;
    Ok(headed::pointed("mouse-wheel", at, &mut *input, deadline, context))
}
