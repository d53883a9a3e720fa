//! `clipboard-clear`: nothing to paste.

use agent_desktop_model::{error::Error, wire::ClipboardCleared};

use super::{Context, clipboard_set};
use crate::platform::Deadline;

/// Empty the clipboard
///
/// Nothing can be pasted afterwards. A clipboard manager may bring the content back; then this fails
/// and says so.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Time for emptying it
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// The data of `clipboard-clear`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<ClipboardCleared, Error> {
    let deadline = Deadline::after_ms(args.timeout_ms);
    let taken = context.platform.clear_clipboard(deadline);
    let taken = taken.map_err(|failure| failure.about("the clipboard", deadline))?;
    let delivery = clipboard_set::judge(taken, "nothing", deadline)?;
    Ok(ClipboardCleared { cleared: true, disposition: delivery.into() })
}
