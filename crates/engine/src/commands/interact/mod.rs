//! The commands that act on one element. Each is a row of `act`'s table; what they share is how the
//! element is named.

use std::borrow::Cow;

use agent_desktop_model::{
    error::{Code, Error},
    wire,
};

use super::{Context, target};
use crate::{
    act::{self, Action},
    platform::Deadline,
};

pub mod check;
pub mod clear;
pub mod click;
pub mod collapse;
pub mod double_click;
pub mod expand;
pub mod focus;
pub mod right_click;
pub mod scroll;
pub mod scroll_to;
pub mod select;
pub mod set_value;
pub mod toggle;
pub mod triple_click;
pub mod r#type;
pub mod uncheck;

/// The element to act on.
#[derive(Clone, Debug, clap::Args)]
pub struct Element {
    /// Ref of the element, as `snapshot` and `find` print it
    #[arg(value_name = "REF")]
    pub ref_id: String,

    /// Time for finding the element, waiting until it is ready, acting and verifying
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// A text to write.
#[derive(Clone, Debug, clap::Args)]
pub struct Text {
    /// The text; it may begin with `-`
    #[arg(value_name = "TEXT", allow_hyphen_values = true, required_unless_present = "stdin")]
    pub text: Option<String>,

    /// Read the text from standard input: secrets must not stand among the arguments
    #[arg(long, conflicts_with = "text")]
    pub stdin: bool,
}

impl Text {
    fn read(&self, context: &Context<'_>) -> Result<Cow<'_, str>, Error> {
        match &self.text {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => (context.input)().map(Cow::Owned).map_err(|error| {
                Error::new(Code::InvalidArgs, format!("standard input is no text: {error}"))
                    .suggest("Pass UTF-8 on standard input, or the text as an argument.")
            }),
        }
    }
}

impl Element {
    fn act(&self, action: Action<'_>, context: &Context<'_>) -> Result<wire::Acted, Error> {
        let reference = target::reference(&self.ref_id)?;
        act::run(action, &reference, Deadline::after_ms(self.timeout_ms), context)
    }
}
