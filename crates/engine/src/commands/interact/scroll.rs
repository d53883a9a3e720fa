//! `scroll`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Element;
use crate::{act, commands::Context};

/// Scroll what an element is in, or what is in it
///
/// A scroll bar is moved through the accessibility interface, without the pointer: the element
/// itself if it is one, one in it, or one of the area that it stands in. Each step is a request of its
/// own; at the end of the range no more are sent.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub element: Element,

    /// Way to go
    #[arg(long, value_enum, default_value_t = Direction::Down)]
    pub direction: Direction,

    /// Steps, each about a notch of a wheel; 100 at most
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        value_parser = clap::value_parser!(u32).range(1..=100)
    )]
    pub amount: u32,
}

/// A way to scroll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// The data of `scroll`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Acted, Error> {
    let direction = match args.direction {
        Direction::Up => act::Direction::Up,
        Direction::Down => act::Direction::Down,
        Direction::Left => act::Direction::Left,
        Direction::Right => act::Direction::Right,
    };
    args.element.act(act::Action::Scroll(direction, args.amount), context)
}
