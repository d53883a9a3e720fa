//! From a parsed command line to its answer.

use std::{process::ExitCode, time::Instant};

use agent_desktop_engine::{
    commands::{
        Context, list_apps, list_displays, list_surfaces, list_windows, permissions, status,
        version,
    },
    platform::Platform,
};
use agent_desktop_model::error::Error;
use serde::Serialize;

use crate::{
    argv::{Cli, Command, Global},
    environment, not_built, render, skills,
};

/// Runs the command and prints its answer.
pub(crate) fn run(cli: Cli) -> ExitCode {
    let global = &cli.global;
    match &cli.command {
        Command::ListApps(args) => on_desktop("list-apps", global, |c| list_apps::run(args, c)),
        Command::ListWindows(args) => {
            on_desktop("list-windows", global, |c| list_windows::run(args, c))
        }
        Command::ListDisplays(args) => {
            on_desktop("list-displays", global, |c| list_displays::run(args, c))
        }
        Command::ListSurfaces(args) => {
            on_desktop("list-surfaces", global, |c| list_surfaces::run(args, c))
        }
        Command::Status(args) => on_desktop("status", global, |c| {
            let mut status = status::run(args, c)?;
            status.sandbox = environment::sandbox(global.sandbox.as_deref());
            Ok(status)
        }),
        Command::Permissions(args) => {
            on_desktop("permissions", global, |c| permissions::run(args, c))
        }
        Command::Skills(args) => answer("skills", global, || skills::run(args)),
        Command::Version(_) => answer("version", global, || Ok(version::run())),
        Command::Other(words) => {
            let name = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
            render::envelope::<()>(&name, &Err(not_built::refuse(&name)))
        }
    }
}

/// Answers a command that works with a desktop and saved snapshots.
fn on_desktop<T: Serialize>(
    name: &str,
    global: &Global,
    run: impl FnOnce(&Context<'_>) -> Result<T, Error>,
) -> ExitCode {
    answer(name, global, || {
        let store = environment::store(global.session.as_deref())?;
        let platform = platform();
        run(&Context { platform: &platform, store: &store, headed: global.headed })
    })
}

/// Answers a command, unless it was given a flag that it cannot honour.
fn answer<T: Serialize>(
    name: &str,
    global: &Global,
    run: impl FnOnce() -> Result<T, Error>,
) -> ExitCode {
    let start = Instant::now();
    let result = not_built::check_flags(global, name).and_then(|()| run());
    if global.verbose {
        let outcome = result.as_ref().map_or_else(|error| error.message.as_str(), |_| "ok");
        render::log(&format!("{name}: {outcome} after {} µs", start.elapsed().as_micros()));
    }
    render::envelope(name, &result)
}

fn platform() -> impl Platform {
    nowhere::Nowhere
}

/// Stands in for the platform until there is one.
mod nowhere {
    use agent_desktop_engine::platform::*;
    use agent_desktop_model::{
        role::Role,
        tree::{Address, FieldSet, NodeId, Tree},
        wire::{Display, Grant, Permission, Permissions},
    };

    pub(super) struct Nowhere;

    fn no<T>() -> Result<T, Failure> {
        Err(Failure::NoDesktop {
            cause: "there is no desktop".into(),
            remedy: "Start one with `sandbox start`.".into(),
        })
    }

    impl Platform for Nowhere {
        fn desktop(&self) -> Result<DesktopId, Failure> {
            no()
        }
        fn capabilities(&self) -> Capabilities {
            let unknown = || Permission { state: Grant::Unknown, suggestion: None };
            Capabilities {
                platform: std::env::consts::OS,
                permissions: Permissions {
                    accessibility: unknown(),
                    automation: unknown(),
                    screen_recording: unknown(),
                },
                surfaces: Vec::new(),
            }
        }
        fn apps(&self, _: Deadline) -> Result<Vec<App>, Failure> {
            no()
        }
        fn app(&self, _: &AppId, _: Deadline) -> Result<App, Failure> {
            no()
        }
        fn windows(&self, _: &[App], _: Deadline) -> Result<(Vec<Window>, Vec<App>), Failure> {
            no()
        }
        fn window(&self, _: &str, _: Deadline) -> Result<Window, Failure> {
            no()
        }
        fn focused_window(&self, _: Deadline) -> Result<Option<Window>, Failure> {
            no()
        }
        fn displays(&self, _: Deadline) -> Result<Vec<Display>, Failure> {
            no()
        }
        fn observe(&self, _: &Address, _: &[Role], _: Deadline) -> Result<Tree, Failure> {
            no()
        }
        fn read(&self, _: &Address, _: &[Role], _: Deadline) -> Result<Tree, Failure> {
            no()
        }
        fn fill(
            &self,
            _: &mut Tree,
            _: &[(NodeId, FieldSet)],
            _: Deadline,
        ) -> Result<bool, Failure> {
            no()
        }
        fn probe(&self, _: &[Address], _: Deadline) -> Result<Vec<Probe>, Failure> {
            no()
        }
    }
}
