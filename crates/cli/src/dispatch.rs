//! From a parsed command line to its answer.

use std::{process::ExitCode, time::Instant};

use agent_desktop_engine::{
    commands::{
        Context, afterwards, arrange, clipboard_clear, clipboard_get, clipboard_set, find, get,
        interact, is, list_apps, list_displays, list_surfaces, list_windows, permissions, pointer,
        press, screenshot, snapshot, status, version, wait,
    },
    store::Store,
};
use agent_desktop_linux::{Linux, environment::Environment, sandbox as desktops};
use agent_desktop_model::{
    error::{Code, Details, Error},
    reference::Ref,
    wire,
};
use serde::Serialize;

use crate::{
    argv::{Cli, Command, Global},
    closed, environment, not_built, render, sandbox, skills,
};

/// Runs the command and prints its answer.
pub(crate) fn run(cli: Cli) -> ExitCode {
    let global = &cli.global;
    match &cli.command {
        Command::Snapshot(args) if global.waits.asked().is_some() => {
            on_desktop("snapshot", global, |c| afterwards::snapshot(args, &global.waits, c))
        }
        Command::Snapshot(args) => on_desktop("snapshot", global, |c| snapshot::run(args, c)),
        Command::Find(args) => on_desktop("find", global, |c| find::run(args, c)),
        Command::Get(args) => on_desktop("get", global, |c| get::run(args, c)),
        Command::Is(args) => on_desktop("is", global, |c| is::run(args, c)),
        Command::Click(args) => {
            acting("click", Some(&args.element.ref_id), global, |c| interact::click::run(args, c))
        }
        Command::RightClick(args) => {
            acting("right-click", Some(&args.element.ref_id), global, |c| {
                interact::right_click::run(args, c)
            })
        }
        Command::DoubleClick(args) => {
            acting("double-click", Some(&args.element.ref_id), global, |c| {
                interact::double_click::run(args, c)
            })
        }
        Command::TripleClick(args) => {
            acting("triple-click", Some(&args.element.ref_id), global, |c| {
                interact::triple_click::run(args, c)
            })
        }
        Command::Focus(args) => {
            acting("focus", Some(&args.element.ref_id), global, |c| interact::focus::run(args, c))
        }
        Command::Type(args) => {
            acting("type", Some(&args.element.ref_id), global, |c| interact::r#type::run(args, c))
        }
        Command::SetValue(args) => acting("set-value", Some(&args.element.ref_id), global, |c| {
            interact::set_value::run(args, c)
        }),
        Command::Clear(args) => {
            acting("clear", Some(&args.element.ref_id), global, |c| interact::clear::run(args, c))
        }
        Command::Select(args) => {
            acting("select", Some(&args.element.ref_id), global, |c| interact::select::run(args, c))
        }
        Command::Toggle(args) => {
            acting("toggle", Some(&args.element.ref_id), global, |c| interact::toggle::run(args, c))
        }
        Command::Check(args) => {
            acting("check", Some(&args.element.ref_id), global, |c| interact::check::run(args, c))
        }
        Command::Uncheck(args) => acting("uncheck", Some(&args.element.ref_id), global, |c| {
            interact::uncheck::run(args, c)
        }),
        Command::Expand(args) => {
            acting("expand", Some(&args.element.ref_id), global, |c| interact::expand::run(args, c))
        }
        Command::Collapse(args) => acting("collapse", Some(&args.element.ref_id), global, |c| {
            interact::collapse::run(args, c)
        }),
        Command::Scroll(args) => {
            acting("scroll", Some(&args.element.ref_id), global, |c| interact::scroll::run(args, c))
        }
        Command::ScrollTo(args) => acting("scroll-to", Some(&args.element.ref_id), global, |c| {
            interact::scroll_to::run(args, c)
        }),
        Command::CloseApp(args) => on_desktop("close-app", global, |c| {
            agent_desktop_engine::commands::close_app::run(args, c)
        }),
        Command::Launch(args) => {
            on_desktop("launch", global, |c| agent_desktop_engine::commands::launch::run(args, c))
        }
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
        Command::Press(args) => on_desktop("press", global, |c| press::run(args, c)),
        Command::Hover(args) => {
            acting("hover", args.ref_id.as_deref(), global, |c| pointer::hover::run(args, c))
        }
        Command::Drag(args) => {
            acting("drag", args.acted_on(), global, |c| pointer::drag::run(args, c))
        }
        Command::MouseMove(args) => {
            on_desktop("mouse-move", global, |c| pointer::mouse_move::run(args, c))
        }
        Command::MouseClick(args) => {
            on_desktop("mouse-click", global, |c| pointer::mouse_click::run(args, c))
        }
        Command::MouseWheel(args) => {
            on_desktop("mouse-wheel", global, |c| pointer::mouse_wheel::run(args, c))
        }
        Command::FocusWindow(args) => {
            on_desktop("focus-window", global, |c| arrange::focus_window::run(args, c))
        }
        Command::ResizeWindow(args) => {
            on_desktop("resize-window", global, |c| arrange::resize_window::run(args, c))
        }
        Command::MoveWindow(args) => {
            on_desktop("move-window", global, |c| arrange::move_window::run(args, c))
        }
        Command::Minimize(args) => {
            on_desktop("minimize", global, |c| arrange::minimize::run(args, c))
        }
        Command::Maximize(args) => {
            on_desktop("maximize", global, |c| arrange::maximize::run(args, c))
        }
        Command::Restore(args) => on_desktop("restore", global, |c| arrange::restore::run(args, c)),
        Command::Screenshot(args) => on_desktop("screenshot", global, |c| screenshot::run(args, c)),
        Command::ClipboardGet(args) => {
            on_desktop("clipboard-get", global, |c| clipboard_get::run(args, c))
        }
        Command::ClipboardSet(args) => {
            on_desktop("clipboard-set", global, |c| clipboard_set::run(args, c))
        }
        Command::ClipboardClear(args) => {
            on_desktop("clipboard-clear", global, |c| clipboard_clear::run(args, c))
        }
        Command::Status(args) => on_desktop("status", global, |c| {
            let mut status = status::run(args, c)?;
            status.sandbox = environment::sandbox(global.sandbox.as_deref());
            Ok(status)
        }),
        Command::Permissions(args) => {
            on_desktop("permissions", global, |c| permissions::run(args, c))
        }
        Command::Sandbox(command) => on_sandbox(command, global),
        Command::Skills(args) => answer("skills", global, || skills::run(args)),
        Command::Wait(args) => on_desktop("wait", global, |c| wait::run(args, c)),
        Command::Version(_) => answer("version", global, || Ok(version::run())),
        Command::Other(words) => {
            let name = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
            render::envelope::<()>(&name, &Err(not_built::refuse(&name)))
        }
    }
}

/// Answers a command about private desktops themselves.
fn on_sandbox(command: &sandbox::Command, global: &Global) -> ExitCode {
    let (name, root) = ("sandbox", environment::state_root);
    let selected = environment::sandbox(global.sandbox.as_deref());
    let selected = selected.as_deref();
    match command {
        sandbox::Command::Start(args) => {
            answer(name, global, || sandbox::start(args, &root()?, selected))
        }
        sandbox::Command::Stop(args) => {
            answer(name, global, || sandbox::stop(args, &root()?, selected))
        }
        sandbox::Command::List => answer(name, global, || sandbox::list(&root()?)),
        sandbox::Command::Exec(args) => root()
            .and_then(|root| sandbox::exec(args, &root))
            .unwrap_or_else(|error| render::envelope::<()>(name, &Err(error))),
    }
}

/// Answers an action on a ref, with what is waited for after it.
fn acting<T: Serialize + Into<wire::Done>>(
    name: &str,
    token: Option<&str>,
    global: &Global,
    act: impl FnOnce(&Context<'_>) -> Result<T, Error>,
) -> ExitCode {
    match global.waits.asked() {
        Some(_) => on_desktop(name, global, |c| afterwards::action(&global.waits, token, c, act)),
        None => on_desktop(name, global, act),
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
        let environment = match environment::sandbox(global.sandbox.as_deref()) {
            Some(name) => desktops::environment(&store.root, &name)?,
            None => Environment::from_process(),
        };
        let selected = environment::sandbox(global.sandbox.as_deref()).is_some();
        let platform = Linux::new(environment, std::env::current_exe().ok());
        let context = Context {
            platform: &platform,
            store: &store,
            headed: global.headed,
            input: || match closed::input() {
                true => Err(std::io::Error::other("it is closed")),
                false => std::io::read_to_string(std::io::stdin()),
            },
        };
        run(&context).map_err(|error| match error.code {
            Code::PlatformNotSupported if !selected => offer_desktop(error, &store),
            _ => name_desktop(error, &store),
        })
    })
}

/// `error`, naming a private desktop that runs: where there is no other, it is probably meant.
fn offer_desktop(mut error: Error, store: &Store) -> Error {
    if let Some(name) = desktops::running(&store.root).first() {
        let running =
            format!("The private desktop {name:?} is running: --sandbox {name} selects it.");
        error.suggestion = Some(match error.suggestion {
            Some(remedy) => format!("{running} Else: {remedy}"),
            None => running,
        });
    }
    error
}

/// `error`, naming the private desktop that the refused ref was made on, if it is one.
fn name_desktop(mut error: Error, store: &Store) -> Error {
    if let Some(Details::DesktopChanged { r#ref, sandbox }) = error.details.as_deref_mut() {
        *sandbox = r#ref
            .parse::<Ref>()
            .ok()
            .and_then(|reference| store.load(&reference.snapshot).ok())
            .and_then(|map| desktops::by_desktop(&store.root, &map.desktop));
        if let Some(name) = sandbox {
            error.suggestion = Some(format!("Run the command with --sandbox {name}."));
        }
    }
    error
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
