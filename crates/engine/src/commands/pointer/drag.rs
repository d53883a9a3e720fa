//! `drag`: see its arguments.

use agent_desktop_model::{error::Error, reference::Ref, wire};

use super::Place;
use crate::{
    act::{self, Goal},
    commands::{Context, target},
    headed,
    platform::Deadline,
};

/// Drag from one element or place to another with the left button (needs --headed)
///
/// The window of the first gets the focus; both have to be in front, and neither covered. The button
/// is let go whatever happens. What came of it is not looked at.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Ref of the element to drag
    #[arg(
        long,
        value_name = "REF",
        required_unless_present = "from_xy",
        conflicts_with = "from_xy"
    )]
    pub from: Option<String>,

    /// Place to drag from, in screen pixels
    #[arg(long, value_name = "X,Y")]
    pub from_xy: Option<Place>,

    /// Ref of the element to drop on
    #[arg(long, value_name = "REF", required_unless_present = "to_xy", conflicts_with = "to_xy")]
    pub to: Option<String>,

    /// Place to drop at, in screen pixels
    #[arg(long, value_name = "X,Y")]
    pub to_xy: Option<Place>,

    /// How long the way takes
    #[arg(long, value_name = "MS", default_value_t = 300,
          value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pub duration: u64,

    /// How long the pointer rests before the button is let go
    #[arg(long, value_name = "MS", default_value_t = 500,
          value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pub drop_delay: u64,

    /// Time for finding both and waiting until they can be reached; the drag itself comes on top
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

impl Args {
    /// The ref of what it is done to: what is dropped on, else what is dragged.
    pub fn acted_on(&self) -> Option<&str> {
        self.to.as_deref().or(self.from.as_deref())
    }
}

/// The data of `drag`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    headed::permitted("drag", context)?;
    let all = args.timeout_ms.saturating_add(args.duration).saturating_add(args.drop_delay);
    let deadline = Deadline::after_ms(all);
    let reference = |token: &Option<String>| -> Result<Option<Ref>, Error> {
        token.as_deref().map(target::reference).transpose()
    };
    let (from, to) = (reference(&args.from)?, reference(&args.to)?);
    let goals = (goal(&from, args.from_xy), goal(&to, args.to_xy));
    act::drag(goals, (args.duration, args.drop_delay), deadline, context)
}

fn goal(reference: &Option<Ref>, place: Option<Place>) -> Goal<'_> {
    match reference {
        Some(reference) => Goal::Element(reference),
        None => Goal::Point(place.map(|Place(point)| point).unwrap_or_default()),
    }
}
