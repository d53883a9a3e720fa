//! `mouse-move`: see its arguments.

use agent_desktop_model::{error::Error, wire};

use super::Place;
use crate::{commands::Context, headed, platform::Deadline};

/// Move the pointer (needs --headed)
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Where to, in screen pixels; negative ones as `--xy=-100,50`
    #[arg(long, value_name = "X,Y")]
    pub xy: Place,

    /// Time for getting hold of the pointer and moving it
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// The data of `mouse-move`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    headed::permitted("mouse-move", context)?;
    let deadline = Deadline::after_ms(args.timeout_ms);
    let Place(at) = args.xy;
    headed::on_a_display(at, deadline, context)?;
    let mut input = headed::take(context.platform, deadline)?;
    input.point(at, deadline).map_err(|failure| headed::under_way(failure, deadline))?;
    Ok(headed::pointed("mouse-move", at, &mut *input, deadline, context))
}
