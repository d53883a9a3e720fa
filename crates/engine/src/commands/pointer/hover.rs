//! `hover`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Place;
use crate::{
    act::{self, Goal},
    commands::{Context, target},
    headed,
    platform::Deadline,
};

/// Move the pointer over an element or a place, and leave it there (needs --headed)
///
/// The window of an element gets the focus first; a place only has to be on the screen.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Ref of the element, as `snapshot` and `find` print it
    #[arg(value_name = "REF", required_unless_present = "xy", conflicts_with = "xy")]
    pub ref_id: Option<String>,

    /// A place in screen pixels; negative ones as `--xy=-100,50`
    #[arg(long, value_name = "X,Y")]
    pub xy: Option<Place>,

    /// Time for finding the element, waiting until it can be reached and moving there
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// The data of `hover`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    headed::permitted("hover", context)?;
    let deadline = Deadline::after_ms(args.timeout_ms);
    let reference = args.ref_id.as_deref().map(target::reference).transpose()?;
    let goal = match (&reference, args.xy) {
        (Some(reference), _) => Goal::Element(reference),
        (None, place) => Goal::Point(place.map(|Place(point)| point).unwrap_or_default()),
    };
    act::hover(goal, deadline, context)
}
