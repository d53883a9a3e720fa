//! `list-windows`: what can be snapshotted.

use agent_desktop_model::{error::Error, wire};

use super::{Context, default_deadline, target};

/// List windows
///
/// A window that only the display server knows is listed with `accessible: false` and the reason.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Name of the application whose windows are listed, as `list-apps` prints it, in any case
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,
}

/// The data of `list-windows`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Windows, Error> {
    let deadline = default_deadline();
    let about = |failure: crate::platform::Failure| failure.about("the list of windows", deadline);
    let apps = match &args.app {
        Some(name) => target::apps(context.platform, name, deadline)?,
        None => context.platform.apps(deadline).map_err(about)?,
    };
    let (mut windows, _silent) = context.platform.windows(&apps, deadline).map_err(about)?;
    if args.app.is_none() && !apps.is_empty() {
        windows.extend(context.platform.windows(&[], deadline).map_err(about)?.0);
    }
    let windows = windows.into_iter().map(|window| wire::Window {
        accessible: window.address.is_some(),
        app_name: window.app.name,
        bounds: window.bounds,
        id: window.id,
        is_focused: window.focused,
        pid: window.app.process.map(|process| process.pid),
        reason: window.reason,
        title: window.title,
        visible: window.visible,
    });
    Ok(wire::Windows { windows: windows.collect() })
}
