//! The commands that arrange one window. They differ in what they ask for; what they share is how
//! the window is named.

use agent_desktop_model::{error::Error, wire};

use super::{Context, target};
use crate::{
    arrange::{self, Wish},
    platform::Deadline,
};

pub mod focus_window;
pub mod maximize;
pub mod minimize;
pub mod move_window;
pub mod resize_window;
pub mod restore;

/// The window to arrange; the focused one if none is named.
#[derive(Clone, Debug, clap::Args)]
#[group(skip)]
pub struct Window {
    /// Name of the application, as `list-apps` or `list-windows` prints it; of several windows the
    /// only one that shows, or the focused one, is meant
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,

    /// Id of the window, as `list-windows` prints it
    #[arg(long, value_name = "ID")]
    pub window_id: Option<String>,

    /// Time for finding the window, asking the window manager and seeing what it did
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

impl Window {
    fn arrange(
        &self,
        operation: &'static str,
        wish: Wish,
        context: &Context<'_>,
    ) -> Result<wire::Operated, Error> {
        let deadline = Deadline::after_ms(self.timeout_ms);
        let named = target::Named {
            app: self.app.as_deref(),
            window_id: self.window_id.as_deref(),
            title: None,
        };
        let window = target::shown(context.platform, &named, deadline)?;
        arrange::run(operation, wish, &window, deadline, context)
    }
}
