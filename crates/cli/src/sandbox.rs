//! `sandbox`: private desktops.

use std::{
    ffi::OsString,
    io::{self, ErrorKind},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::ExitCode,
};

use agent_desktop_engine::platform::Deadline;
use agent_desktop_linux::sandbox::{self, Home, Options};
use agent_desktop_model::{
    error::{Code, Error},
    wire::sandbox::{Size, Started},
};
use clap::{Args, Subcommand};

use crate::render;

/// Private desktops: a display, buses and a window manager that belong to nobody else
///
/// Programs that run in one never meet your own session: they have another display, another
/// session bus and other settings. Use them on machines without a session (containers, CI, SSH),
/// and wherever programs should not appear on your screen. They are no security boundary: programs
/// in them are yours and can read and write your files.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Start(Start),
    Stop(Stop),
    /// Lists private desktops and how they are
    List,
    Exec(Exec),
    /// Owns the servers of a private desktop; started by `sandbox start`
    #[command(hide = true)]
    Supervise {
        plan: String,
    },
}

/// Starts a private desktop, or answers with the one of that name that runs already
///
/// It answers when everything is ready. Work on it with `--sandbox NAME`, run programs in it with
/// `sandbox exec`. It lives until `sandbox stop`.
#[derive(Debug, Args)]
pub(crate) struct Start {
    /// Its name: letters, digits, `-` and `_`
    name: Option<String>,
    /// Size of its screen in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1920x1080")]
    size: Size,
    /// Window manager, with its arguments
    #[arg(long, value_name = "COMMAND", default_value = "openbox")]
    wm: String,
    /// Home directory of its programs: a directory, or `isolated` for an empty one that is removed
    /// with the desktop. Without this flag it is yours, but settings and caches are the desktop's
    /// own and are removed with it
    #[arg(long, value_name = "DIR|isolated")]
    home: Option<PathBuf>,
    /// How long to wait until it is ready
    #[arg(long, value_name = "MS", default_value_t = 20_000)]
    timeout_ms: u64,
}

/// Ends every program of a private desktop and removes its files
///
/// Programs are asked to end and killed when they do not within three seconds.
#[derive(Debug, Args)]
pub(crate) struct Stop {
    /// Its name
    name: Option<String>,
    /// How long to wait until everything has ended
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    timeout_ms: u64,
}

/// Runs a program in a private desktop
///
/// Its output and exit status are passed on as they are. A program that does not exist ends with
/// status 127, one that cannot be run with 126.
#[derive(Debug, Args)]
pub(crate) struct Exec {
    /// Name of the desktop
    name: String,
    /// Program and arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

/// Runs the command. `named` is the desktop that the global flag or the environment names.
pub(crate) fn run(command: &Command, root: &Path, named: Option<&str>) -> ExitCode {
    let name = |given: &Option<String>| {
        given.as_deref().or(named).unwrap_or(sandbox::DEFAULT_NAME).to_owned()
    };
    match command {
        Command::Start(args) => render::envelope("sandbox", &start(args, root, &name(&args.name))),
        Command::Stop(args) => {
            let deadline = Deadline::after_ms(args.timeout_ms);
            render::envelope("sandbox", &sandbox::stop(root, &name(&args.name), deadline))
        }
        Command::List => render::envelope("sandbox", &sandbox::list(root)),
        Command::Exec(args) => exec(args, root),
        Command::Supervise { plan } => match sandbox::supervise(plan, &mut io::stdout()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(cause) => {
                render::log(&cause);
                ExitCode::FAILURE
            }
        },
    }
}

fn start(args: &Start, root: &Path, name: &str) -> Result<Started, Error> {
    let program = std::env::current_exe().map_err(|error| {
        Error::new(Code::Internal, "this program's own file cannot be found")
            .platform(error.to_string())
    })?;
    let options = Options {
        size: args.size,
        window_manager: args.wm.clone(),
        home: home(args.home.as_deref())?,
        program,
    };
    sandbox::start(root, name, &options, Deadline::after_ms(args.timeout_ms))
}

fn home(given: Option<&Path>) -> Result<Home, Error> {
    let Some(given) = given else { return Ok(Home::Own) };
    if given == Path::new("isolated") {
        return Ok(Home::Isolated);
    }
    match given.canonicalize() {
        Ok(path) if path.is_dir() => {
            let own = std::env::home_dir().and_then(|own| own.canonicalize().ok());
            Ok(if own.as_ref() == Some(&path) { Home::Own } else { Home::Directory(path) })
        }
        _ => Err(Error::new(
            Code::InvalidArgs,
            format!("--home: there is no directory {}", given.display()),
        )
        .suggest("Create it first, or use `--home isolated` for one that is made for you.")),
    }
}

/// Becomes the program, so that signals, terminal and exit status are its own.
fn exec(args: &Exec, root: &Path) -> ExitCode {
    let Some((program, arguments)) = args.command.split_first() else {
        return ExitCode::from(2);
    };
    let mut command = match sandbox::command(root, &args.name, program) {
        Ok(command) => command,
        Err(error) => return render::envelope::<()>("sandbox", &Err(error)),
    };
    let error = command.args(arguments).exec();
    render::log(&format!("{}: {error}", program.to_string_lossy()));
    ExitCode::from(if error.kind() == ErrorKind::NotFound { 127 } else { 126 })
}
