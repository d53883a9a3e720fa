//! `sandbox`: private desktops. The work is done by the platform; here are the arguments.

use std::{
    ffi::OsString,
    io::ErrorKind,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::ExitCode,
};

use agent_desktop_engine::platform::Deadline;
use agent_desktop_linux::sandbox::{self, Home, Options};
use agent_desktop_model::{
    error::{Code, Error},
    wire::sandbox::{self as wire, Size},
};
use clap::{Args, Subcommand};

use crate::render;

/// Give programs a desktop of their own
///
/// A private desktop has its own display without a screen, its own buses, window manager and
/// settings, so that its programs never meet the session of the user. It serves machines without a
/// session (containers, CI, SSH) and everything that should not appear on a screen. It is no
/// security boundary: its programs can read and write the files of whoever starts them.
#[derive(Debug, Subcommand)]
#[command(disable_help_subcommand = true)]
pub(crate) enum Command {
    Start(Start),
    Stop(Stop),
    /// List private desktops and how they are
    List,
    Exec(Exec),
}

/// Start a private desktop, or answer with the one of that name that runs already
///
/// Answers when everything in it is ready. `--sandbox NAME` then selects it for any command, and
/// `sandbox exec` runs programs in it. It lives until `sandbox stop`.
#[derive(Debug, Args)]
pub(crate) struct Start {
    /// Name of the desktop: letters, digits, `-` and `_`; default is the one selected by
    /// `--sandbox`, else `default`
    name: Option<String>,
    /// Size of its screen in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1920x1080")]
    size: Size,
    /// Window manager, with its arguments
    #[arg(long, value_name = "COMMAND", default_value = "openbox")]
    wm: String,
    /// Home directory of its programs, or `isolated` for an empty one that ends with the desktop
    ///
    /// Without it the home directory is that of the user, for the sake of documents, but settings
    /// and caches are the desktop's own and end with it: a program that finds the user's profile in
    /// use might open its window in the user's session.
    #[arg(long, value_name = "DIR|isolated")]
    home: Option<PathBuf>,
    /// Milliseconds after which starting is given up
    #[arg(long, value_name = "MS", default_value_t = 20_000)]
    timeout_ms: u64,
}

/// End every program of a private desktop and remove its files
///
/// Programs are asked to end, and killed when they have not after three seconds.
#[derive(Debug, Args)]
pub(crate) struct Stop {
    /// Name of the desktop; default is the one selected by `--sandbox`, else `default`
    name: Option<String>,
    /// Milliseconds after which stopping is given up
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    timeout_ms: u64,
}

/// Run a program in a private desktop
///
/// Its output and its exit status are passed on as they are, without an envelope. The status is 127
/// when there is no such program and 126 when it cannot be run.
#[derive(Debug, Args)]
#[command(override_usage = "agent-desktop sandbox exec <NAME> -- <COMMAND>...")]
pub(crate) struct Exec {
    /// Name of the desktop
    name: String,
    /// Program and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

/// Starts a desktop. `selected` is the one that the global flag or the environment names.
pub(crate) fn start(
    args: &Start,
    root: &Path,
    selected: Option<&str>,
) -> Result<wire::Started, Error> {
    let name = args.name.as_deref().or(selected).unwrap_or(sandbox::DEFAULT_NAME);
    let program = std::env::current_exe().map_err(|error| {
        Error::new(Code::Internal, "this program's own file cannot be found")
            .platform(error.to_string())
    })?;
    if args.wm.trim().is_empty() {
        return Err(Error::new(Code::InvalidArgs, "--wm names no window manager")
            .suggest("Leave --wm out for openbox, or give a program with its arguments."));
    }
    let options = Options {
        size: args.size,
        window_manager: args.wm.clone(),
        home: home(args.home.as_deref())?,
        program,
    };
    sandbox::start(root, name, &options, Deadline::after_ms(args.timeout_ms))
}

/// Stops a desktop.
pub(crate) fn stop(
    args: &Stop,
    root: &Path,
    selected: Option<&str>,
) -> Result<wire::Stopped, Error> {
    let name = args.name.as_deref().or(selected).unwrap_or(sandbox::DEFAULT_NAME);
    sandbox::stop(root, name, Deadline::after_ms(args.timeout_ms))
}

/// Lists every desktop.
pub(crate) fn list(root: &Path) -> Result<wire::Sandboxes, Error> {
    sandbox::list(root)
}

/// Becomes the program, so that signals, terminal and exit status are its own. What prevents it
/// from running is told as shells do; what is wrong with the desktop is returned.
pub(crate) fn exec(args: &Exec, root: &Path) -> Result<ExitCode, Error> {
    let mut words = args.command.iter();
    let program = words.next().map(OsString::as_os_str).unwrap_or_default();
    let error = sandbox::command(root, &args.name, program)?.args(words).exec();
    render::log(&format!("{}: {error}", program.to_string_lossy()));
    Ok(ExitCode::from(if error.kind() == ErrorKind::NotFound { 127 } else { 126 }))
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
