//! `list-surfaces`: which layers of an application are open.

use agent_desktop_model::{error::Error, wire};

use super::{Context, default_deadline, target};
use crate::layers;

/// List the open windows, menus, popovers and dialogs of an application
///
/// Read one of them with `snapshot --surface`, search it with `find --surface`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Name of the application, as `list-apps` prints it; default is the focused window's
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,
}

/// The data of `list-surfaces`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Surfaces, Error> {
    let deadline = default_deadline();
    let apps = match &args.app {
        Some(name) => target::apps(context.platform, name, deadline)?,
        None => vec![target::window(context.platform, &target::Args::default(), deadline)?.app],
    };
    let surfaces = layers::open(context.platform, &apps, deadline)?;
    Ok(wire::Surfaces {
        pid: apps.first().and_then(|app| app.process).map(|process| process.pid),
        surfaces,
    })
}
