//! `status`: says what is missing instead of failing.

use agent_desktop_model::{error::Error, wire};

use super::Context;

/// Show what can be read here, the state root and the latest snapshot
///
/// Needs no desktop: without one `supported_surfaces` is empty and `permissions.accessibility` says
/// what to do. Only a --sandbox that cannot be used is an error.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {}

/// The data of `status`.
pub fn run(_args: &Args, context: &Context<'_>) -> Result<wire::Status, Error> {
    let capabilities = context.platform.capabilities();
    let session_id = context.store.namespace.clone();
    // A store that cannot be read is no reason to say nothing about the desktop.
    let latest = context.store.latest().ok().flatten();
    Ok(wire::Status {
        // Until sessions record anything, a session is a namespace alone.
        artifacts: None,
        permissions: capabilities.permissions,
        platform: capabilities.platform,
        ref_count: latest.as_ref().map(|(_, refs)| *refs as u64),
        sandbox: None,
        session_id,
        snapshot_id: latest.map(|(id, _)| id),
        state_root: context.store.root.to_string_lossy().into_owned(),
        supported_surfaces: capabilities.surfaces.iter().map(|kind| kind.token()).collect(),
        tracing: false,
        version: env!("CARGO_PKG_VERSION"),
    })
}
