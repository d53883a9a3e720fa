//! `focus-window`: see its arguments.

use agent_desktop_model::{
    error::{Code, Error},
    wire,
};

use crate::{
    arrange::{self, Wish},
    commands::{Context, target},
    platform::Deadline,
};

/// Give a window the focus, and bring it to the front
///
/// A minimized one comes back. Succeeds only if the window manager then says that it has the focus.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Name of the application, as `list-apps` or `list-windows` prints it; of several windows the
    /// only one that shows is meant
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,

    /// Id of the window, as `list-windows` prints it
    #[arg(long, value_name = "ID")]
    pub window_id: Option<String>,

    /// Part of the window's title, in any case
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,

    /// Time for finding the window, asking the window manager and seeing what it did
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// The data of `focus-window`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    let named = target::Named {
        app: args.app.as_deref(),
        window_id: args.window_id.as_deref(),
        title: args.title.as_deref(),
    };
    if named.is_empty() {
        return Err(Error::new(Code::InvalidArgs, "no window is named")
            .suggest("Name it with --window-id, --app or --title; `list-windows` shows them."));
    }
    let deadline = Deadline::after_ms(args.timeout_ms);
    let window = target::shown(context.platform, &named, deadline)?;
    arrange::run("focus-window", Wish::Focus, &window, deadline, context)
}
