//! `list-windows`: what can be snapshotted.

use agent_desktop_model::{error::Error, text::fold, wire};

use super::{Context, default_deadline, target};
use crate::platform::{App, Failure};

/// List windows
///
/// A window that only the display server knows, or whose application does not answer, is listed
/// with `accessible: false` and the reason.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Name of the application whose windows are listed, as `list-apps` prints it, in any case
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,
}

/// The data of `list-windows`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Windows, Error> {
    let deadline = default_deadline();
    let about = |failure: Failure| failure.about("the list of windows", deadline);
    let mut apps = context.platform.apps(deadline).map_err(about)?;
    let wanted = args.app.as_deref().map(fold);
    let is_wanted = |app: &App| wanted.as_ref().is_none_or(|wanted| app.is_called(wanted));
    apps.retain(is_wanted);
    // None asked for would be those that cannot be read, which come last: only then is it known
    // who does not answer.
    let mut windows = match apps.is_empty() {
        true => Vec::new(),
        false => context.platform.windows(&apps, deadline).map_err(about)?.0,
    };
    let (mut others, _) = context.platform.windows(&[], deadline).map_err(about)?;
    others.retain(|window| is_wanted(&window.app));
    windows.extend(others);
    if let Some(name) = args.app.as_ref().filter(|_| windows.is_empty()) {
        target::apps(context.platform, name, deadline)?;
    }
    let listed = windows.into_iter().map(|window| {
        let (reason, remedy) = window.reason.map(|why| (why.cause, why.remedy)).unzip();
        wire::Window {
            accessible: window.address.is_some(),
            app_name: window.app.name,
            bounds: window.bounds,
            coordinates: context.platform.coordinates(),
            id: window.id,
            is_focused: window.focused,
            maximized: window.maximized,
            minimized: window.minimized,
            pid: window.app.process.map(|process| process.pid),
            reason,
            suggestion: remedy,
            title: window.title,
            visible: window.visible,
        }
    });
    Ok(wire::Windows { windows: listed.collect() })
}
