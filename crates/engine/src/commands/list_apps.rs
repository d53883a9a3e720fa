//! `list-apps`: who can be read.

use agent_desktop_model::{error::Error, text::fold, wire};

use super::{Context, default_deadline, target};
use crate::platform::Failure;

/// List running applications that can be read
///
/// An application that does not answer is listed with `responding: false`; its name is then that
/// of its process.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Part of an application's name, in any case
    #[arg(long, value_name = "SUBSTR")]
    pub app: Option<String>,
}

/// The data of `list-apps`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Apps, Error> {
    let deadline = default_deadline();
    let about = |failure: Failure| failure.about("the list of applications", deadline);
    let apps = context.platform.apps(deadline).map_err(about)?;
    let focused = context.platform.focused_window(deadline.within(target::FINDING));
    // Where the focused window's application is silent, it is no other one's.
    let of_silent =
        |failure: &Failure| matches!(failure, Failure::Unresponsive { .. }).then_some(&None);
    let wanted = args.app.as_deref().map(fold);
    let listed = apps.into_iter().filter(|app| {
        let mut names = std::iter::once(&app.name).chain(&app.aliases);
        wanted.as_ref().is_none_or(|wanted| names.any(|name| fold(name).contains(wanted.as_str())))
    });
    let apps = listed.map(|app| wire::App {
        presentation: focused.as_ref().map_or_else(of_silent, Some).and_then(
            |window| match window {
                Some(window) if window.app.id == app.id => Some("foreground"),
                // Whether a window is active is the application's own word on some desktops.
                _ => app.responding.then_some("background"),
            },
        ),
        name: app.name,
        pid: app.process.map(|process| process.pid),
        responding: app.responding,
        toolkit: app.toolkit,
    });
    Ok(wire::Apps { apps: apps.collect() })
}
