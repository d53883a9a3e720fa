//! `launch`: start an application, or find the one that runs.

use std::{fmt::Write, path::PathBuf, time::Duration};

use agent_desktop_model::{
    error::{Code, Delivery, Details, Error},
    text::{fold, quoted, shell_word},
    wire::{Launched, LaunchedWindow},
};

use super::{Context, DAY_MS, cdp, target};
use crate::{
    arrange::{self, Wish},
    platform::{
        Deadline, Ending, Failure, Instance, Process, Program, Progress, Start, Started, Window,
    },
};

/// Start an application, or find the one that runs
///
/// APP is the id of a desktop entry (`org.gnome.Calculator`), the name that people call it, a
/// program on PATH, or a path; the first of these that leads to one. It answers when a window of it
/// shows, or when it is certain that none will. One that runs already is not started again, unless
/// it is given arguments, variables or a directory that it was not started with.
///
/// It lives on when this command has ended, in the directory and with the variables of the caller,
/// and is told to be readable. Its output goes to the file `log`. Without --activate its window is
/// asked not to take the focus.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Args {
    /// Id of a desktop entry, name, program or path
    #[arg(value_name = "APP")]
    pub app: String,
    /// Argument for it; may be given several times
    #[arg(long = "arg", value_name = "A", allow_hyphen_values = true)]
    pub arguments: Vec<String>,
    /// Variable for it; may be given several times
    #[arg(long = "env", value_name = "KEY=VALUE")]
    pub variables: Vec<String>,
    /// Directory that it runs in
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Failing if it runs already
    #[arg(long)]
    pub no_attach: bool,
    /// Giving its window the focus
    #[arg(long)]
    pub activate: bool,
    /// Letting a debugger into its web contents, over this port of this machine; without a port, over
    /// a free one. For what is made with Chromium, and only when it is started
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    pub cdp: Option<u16>,
    /// Milliseconds after which no window is waited for any more
    #[arg(
        long,
        alias = "timeout-ms",
        value_name = "MS",
        default_value_t = 30_000,
        value_parser = clap::value_parser!(u64).range(..=DAY_MS),
    )]
    pub timeout: u64,
}

/// How long a look at what has become of a program may take.
const LOOK: Duration = Duration::from_secs(1);

/// How many looks in a row may come to nothing.
const FAILURES: u32 = 10;

/// How often it is looked what has become of a program.
const POLL: Duration = Duration::from_millis(50);

/// How long it may take until another process, which a program handed over to, does something.
const HANDING_OVER: Duration = Duration::from_secs(3);

/// How long one that runs and does not answer is waited for.
const BUSY: Duration = Duration::from_secs(10);

/// How many names of programs an error tells.
const NEAR: usize = 5;

/// The data of `launch`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<Launched, Error> {
    let platform = context.platform;
    let deadline = Deadline::after_ms(args.timeout);
    let mut start = start(args)?;
    let programs = platform.programs().named(&args.app)?;
    let program = match &programs[..] {
        [] => return unknown(args, context, deadline),
        [only] => only,
        several => return Err(ambiguous(&args.app, several)),
    };
    let about = |failure: Failure| failure.about(&program.name, deadline);
    if args.cdp.is_some() {
        cdp::check_arguments(&[&program.command[..], &start.arguments].concat())?;
    }
    let busy = deadline.within(BUSY);
    let running = loop {
        let running = platform.programs().instances(program, &start, deadline).map_err(about)?;
        // One that has just come may have so much to do that it does not answer yet.
        if running.iter().all(|one| one.app.responding) || busy.passed() {
            break running;
        }
        std::thread::sleep(busy.within(POLL).remaining());
    };
    if let Some(instance) = running.first().filter(|_| args.no_attach) {
        return Err(runs_already(&instance.app.name, instance.process));
    }
    if let Some(instance) = running.first().filter(|_| args.cdp.is_some()) {
        return Err(cdp::needs_fresh_launch(&instance.app.name, instance.process.pid));
    }
    let as_asked: Vec<&Instance> = running.iter().filter(|one| one.is_as_asked).collect();
    if !as_asked.is_empty() {
        return attach(args, &as_asked, program, context, deadline);
    }

    let port = args.cdp.map(cdp::free_port).transpose()?;
    let showing = match port {
        Some(port) => {
            start.arguments.extend(cdp::arguments(port));
            cdp::before(deadline)
        }
        None => deadline,
    };
    let (output, log) = context.store.log()?;
    let mut started = platform.programs().start(program, &start, output, deadline)?;
    let log = log.display().to_string();
    let mut launched = match awaited(&mut *started, showing)? {
        Outcome::Window(window) => {
            let process = window.app.process.unwrap_or_else(|| started.process());
            let answer = answer(program, &window.app.name, process, Some(&window));
            let launched = Launched { log: Some(log), ..answer };
            activated(args, launched, Some(&window), context, deadline)
        }
        Outcome::None => Launched {
            log: Some(log),
            suggestion: Some(format!(
                "It runs and had no window within {} ms. Wait for one with `wait --event \
                 window-opened`; what it printed is in the log.",
                deadline.limit_ms()
            )),
            ..answer(program, &program.name, started.process(), None)
        },
        Outcome::Ended(ending) => {
            let taken_over = match ending {
                Ending::Status(0) => handed_over(args, program, &start, context, deadline)?,
                _ => None,
            };
            let taken_over = taken_over.ok_or_else(|| ended(program, ending, &log))?;
            if port.is_some() {
                let error = cdp::needs_fresh_launch(&taken_over.app, taken_over.pid);
                return Err(error.delivered(Delivery::DeliveredUnverified));
            }
            Launched { log: Some(log), ..taken_over }
        }
    };
    if let Some(port) = port {
        launched.cdp = Some(cdp::awaited(port, deadline)?);
        launched.suggestion.get_or_insert_with(|| {
            "Its web contents are reached over `cdp.websocket_url`, by a client of the DevTools \
             protocol; everything else of it by the commands here."
                .to_owned()
        });
    }
    Ok(launched)
}

/// What came of a start.
enum Outcome {
    Window(Box<Window>),
    /// It runs without one.
    None,
    Ended(Ending),
}

fn awaited(started: &mut dyn Started, deadline: Deadline) -> Result<Outcome, Error> {
    let mut failures = 0;
    loop {
        // A look is finished, even where the time ends in the middle of it.
        match started.look(Deadline::after(LOOK)) {
            Ok(Progress::Shows(window)) => return Ok(Outcome::Window(window)),
            Ok(Progress::Ended(ending)) => return Ok(Outcome::Ended(ending)),
            Ok(Progress::Runs) => failures = 0,
            // The desktop may be too busy to say, while everybody starts.
            Err(_) if deadline.passed() => {}
            Err(_) if failures < FAILURES => failures += 1,
            Err(failure) => {
                let error = failure.about("the desktop", deadline);
                return Err(error.delivered(Delivery::DeliveredUnverified));
            }
        }
        if deadline.passed() {
            return Ok(Outcome::None);
        }
        std::thread::sleep(deadline.within(POLL).remaining());
    }
}

/// A program that ended well may have handed over to another process, which had its window before.
fn handed_over(
    args: &Args,
    program: &Program,
    start: &Start,
    context: &Context<'_>,
    deadline: Deadline,
) -> Result<Option<Launched>, Error> {
    let patience = deadline.within(HANDING_OVER);
    loop {
        let running = context.platform.programs().instances(program, start, deadline);
        let running = running.unwrap_or_default();
        let with_window: Vec<&Instance> =
            running.iter().filter(|one| one.windows.iter().any(|window| window.visible)).collect();
        if !with_window.is_empty() {
            return attach(args, &with_window, program, context, deadline).map(Some);
        }
        if patience.passed() {
            return Ok(None);
        }
        std::thread::sleep(patience.within(POLL).remaining());
    }
}

/// The answer about one of `running`: the one that has the focus, if there are several.
fn attach(
    args: &Args,
    running: &[&Instance],
    program: &Program,
    context: &Context<'_>,
    deadline: Deadline,
) -> Result<Launched, Error> {
    let focused =
        || running.iter().find(|one| one.windows.iter().any(|window| window.focused)).copied();
    let chosen = match running {
        [only] => Some(*only),
        _ => focused(),
    };
    let Some(Instance { app, process, windows, .. }) = chosen else {
        let windows: Vec<&Window> = running.iter().flat_map(|one| &one.windows).collect();
        return Err(several_run(&program.name, running.len(), &windows));
    };
    let best = windows.iter().find(|window| window.focused);
    let best = best.or_else(|| windows.iter().find(|window| window.visible));
    let window = best.or_else(|| windows.first());
    let mut launched = answer(program, &app.name, *process, window);
    launched.attached = true;
    if window.is_none() {
        launched.suggestion = Some(
            "It runs without a window, or does not answer; `list-apps` shows whether it responds."
                .to_owned(),
        );
    }
    Ok(activated(args, launched, window, context, deadline))
}

/// Gives `window` the focus, where that is asked for, and says so where it does not get it.
fn activated(
    args: &Args,
    mut launched: Launched,
    window: Option<&Window>,
    context: &Context<'_>,
    deadline: Deadline,
) -> Launched {
    let Some(window) = window.filter(|_| args.activate) else { return launched };
    let patience = Deadline::after(deadline.remaining().max(LOOK));
    match arrange::run("activate", Wish::Focus, window, patience, context) {
        Ok(_) => {
            if let Some(shown) = &mut launched.window {
                shown.is_focused = true;
                shown.visible = true;
            }
        }
        Err(error) => {
            let why = format!("It was not given the focus: {}.", error.message);
            launched.suggestion = Some(match launched.suggestion {
                Some(other) => format!("{why} {other}"),
                None => why,
            });
        }
    }
    launched
}

fn answer(program: &Program, app: &str, process: Process, window: Option<&Window>) -> Launched {
    Launched {
        app: app.to_owned(),
        attached: false,
        cdp: None,
        log: None,
        pid: process.pid,
        process_instance: format!("{}-{}", process.pid, process.started),
        renderer: program.renderer,
        suggestion: None,
        window: window.map(|window| LaunchedWindow {
            accessible: window.address.is_some(),
            id: window.id.clone(),
            is_focused: window.focused,
            title: window.title.clone(),
            visible: window.visible,
        }),
    }
}

/// What is to be done, as far as the arguments alone tell.
fn start(args: &Args) -> Result<Start, Error> {
    let refused = |what: &str, remedy: &str| Error::new(Code::InvalidArgs, what).suggest(remedy);
    if args.app.is_empty() {
        return Err(refused("no application is named", "`list-apps` shows what runs."));
    }
    let mut variables = Vec::new();
    for given in &args.variables {
        match given.split_once('=') {
            Some((key, value)) if !key.is_empty() => {
                variables.push((key.to_owned(), value.to_owned()));
            }
            _ => {
                return Err(refused(
                    &format!("--env: {} is no variable with a value", quoted(given)),
                    "Write it as --env KEY=VALUE.",
                ));
            }
        }
    }
    let directory = match &args.cwd {
        Some(given) => Some(std::path::absolute(given).map_err(|error| {
            refused("--cwd: there is no directory of an empty name", "Name one that exists.")
                .platform(error.to_string())
        })?),
        None => None,
    };
    if let Some(missing) = directory.as_ref().filter(|path| !path.is_dir()) {
        return Err(refused(
            &format!("--cwd: there is no directory {}", missing.display()),
            "Create it first, or name one that exists.",
        ));
    }
    Ok(Start { arguments: args.arguments.clone(), variables, directory, activate: args.activate })
}

/// Nothing that is installed has the name; something that runs may.
fn unknown(args: &Args, context: &Context<'_>, deadline: Deadline) -> Result<Launched, Error> {
    let platform = context.platform;
    let wanted = fold(&args.app);
    let apps = platform.apps(deadline).map_err(|failure| failure.about("the desktop", deadline))?;
    let named: Vec<_> = apps.iter().filter(|app| app.is_called(&wanted)).cloned().collect();
    let running: Vec<Instance> = named
        .into_iter()
        .filter_map(|app| {
            let process = app.process?;
            let asked = std::slice::from_ref(&app);
            let (windows, _) = platform.windows(asked, deadline).unwrap_or_default();
            Some(Instance { app, process, windows, is_as_asked: true, is_whole: true })
        })
        .collect();
    if let Some(first) = running.first() {
        if args.no_attach {
            return Err(runs_already(&first.app.name, first.process));
        }
        if args.cdp.is_some() {
            return Err(cdp::needs_fresh_launch(&first.app.name, first.process.pid));
        }
        let program = Program {
            id: args.app.clone(),
            name: first.app.name.clone(),
            command: Vec::new(),
            directory: None,
            class: None,
            renderer: None,
        };
        return attach(args, &running.iter().collect::<Vec<_>>(), &program, context, deadline);
    }
    let names = platform.programs().names();
    let mut near = target::near(&args.app, names.iter().map(String::as_str));
    near.truncate(NEAR);
    let advice = match near.first() {
        Some(best) => format!("Did you mean {}? ", quoted(best)),
        None => String::new(),
    };
    Err(Error::new(
        Code::AppNotFound,
        format!("nothing that is installed is called {}", quoted(&args.app)),
    )
    .suggest(format!("{advice}Give the id of a desktop entry, the name of a program, or a path."))
    .details(Details::AppCandidates { apps: near, silent: Vec::new() }))
}

fn ambiguous(name: &str, several: &[Program]) -> Error {
    let ids: Vec<String> =
        several.iter().map(|program| program.id.trim_end_matches(".desktop").to_owned()).collect();
    let first = ids.first().cloned().unwrap_or_default();
    Error::new(
        Code::AmbiguousTarget,
        format!("{} applications are called {}", ids.len(), quoted(name)),
    )
    .suggest(format!("Name one by its id, for example: `launch {}`.", shell_word(&first)))
    .details(Details::AppCandidates { apps: ids, silent: Vec::new() })
}

fn several_run(name: &str, count: usize, windows: &[&Window]) -> Error {
    Error::new(
        Code::AmbiguousTarget,
        format!("{} runs already, in {count} processes, and none of them stands out", quoted(name)),
    )
    .suggest("Nothing was started. Use one of them by its window, with --window-id.")
    .details(target::candidates(windows))
}

fn runs_already(name: &str, process: Process) -> Error {
    Error::new(
        Code::ActionFailed,
        format!(
            "{} runs already (pid {}), and --no-attach refuses to use it",
            quoted(name),
            process.pid
        ),
    )
    .suggest("Leave --no-attach out to use it, or end it first.")
}

fn ended(program: &Program, ending: Ending, log: &str) -> Error {
    let mut message = format!("{} ended before it had a window: ", quoted(&program.name));
    let _ = match ending {
        Ending::Status(status) => write!(message, "its exit status is {status}"),
        Ending::Signal(signal) => write!(message, "signal {signal} ended it"),
    };
    let (exit_status, signal) = match ending {
        Ending::Status(status) => (Some(status), None),
        Ending::Signal(signal) => (None, Some(signal)),
    };
    Error::new(Code::AppUnresponsive, message)
        .suggest(format!("Read what it printed: {log}."))
        .details(Details::ProgramEnded { exit_status, log: log.to_owned(), signal })
        .delivered(Delivery::DeliveredUnverified)
}
