//! `list-surfaces`: which layers of an application are open.

use agent_desktop_model::{error::Error, surface::SurfaceKind, wire};

use super::{Context, default_deadline, target};
use crate::observe::surfaces;

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
    let windows = target::windows(context.platform, &apps, deadline)?;
    let mut listed = Vec::new();
    for target::Layers { window, tree, found, .. } in
        target::surfaces(context.platform, windows, deadline)?
    {
        let overlays = found.iter().map(|surface| {
            let node = &tree[surface.node];
            wire::Surface {
                id: surfaces::id(surface.kind, &node.address),
                item_count: Some(surface.items),
                title: (!node.name.is_empty()).then(|| node.name.to_string()),
                kind: surface.kind.token(),
            }
        });
        let is_overlay = found.first().is_some_and(|surface| surface.node == tree.root());
        if !is_overlay {
            listed.push(wire::Surface {
                id: window.id,
                item_count: None,
                title: Some(window.title),
                kind: SurfaceKind::Window.token(),
            });
        }
        listed.extend(overlays);
    }
    Ok(wire::Surfaces {
        pid: apps.first().and_then(|app| app.process).map(|process| process.pid),
        surfaces: listed,
    })
}
