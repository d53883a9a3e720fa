//! What may stand in argv. The commands' own arguments stand beside the commands.

use std::ffi::{OsStr, OsString};

use agent_desktop_engine::commands::{
    afterwards, arrange, clipboard_clear, clipboard_get, clipboard_set, find, get, interact, is,
    list_apps, list_displays, list_surfaces, list_windows, permissions, pointer, press, screenshot,
    snapshot, status, version, wait,
};
use agent_desktop_model::{
    error::{Code, Error},
    text::shortened,
};
use clap::{CommandFactory, Parser, error::ErrorKind};

use crate::{not_built, sandbox, skills};

/// Read and operate desktop applications through the accessibility tree
///
/// Every command prints one line of JSON on standard output and ends: with status 0 if it
/// succeeded, 1 if it failed and 2 if its arguments could not be understood. Agents start with
/// `agent-desktop skills get desktop`.
#[derive(Debug, clap::Parser)]
#[command(
    name = "agent-desktop",
    version,
    disable_help_subcommand = true,
    subcommand_value_name = "COMMAND",
    subcommand_help_heading = "Commands"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags that may stand before or after the command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Namespace of snapshots: 1 to 64 letters, digits, `-` and `_`; instead of
    /// AGENT_DESKTOP_SESSION
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Private desktop to work on, as `sandbox list` prints it; instead of AGENT_DESKTOP_SANDBOX
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) sandbox: Option<String>,
    #[command(flatten)]
    pub(crate) waits: afterwards::Args,
    /// Log on standard error
    #[arg(short, long, global = true, overrides_with = "verbose")]
    pub(crate) verbose: bool,
    // Understood and therefore no mistake, but of no use yet and therefore not shown, from here on:
    // nothing takes the focus or the pointer so far, nobody is told of callers, and traces are
    // refused by `not_built`.
    /// Permit taking the focus and moving the pointer
    #[arg(long, global = true)]
    pub(crate) headed: bool,
    /// Name by which the caller wants to be known
    #[arg(long, global = true, value_name = "ID", hide = true)]
    pub(crate) agent_id: Option<String>,
    /// File to append a trace to
    #[arg(long, global = true, value_name = "PATH", hide = true)]
    pub(crate) trace: Option<OsString>,
    /// Failing when the trace cannot be written
    #[arg(long, global = true, hide = true)]
    pub(crate) trace_strict: bool,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Snapshot(snapshot::Args),
    Find(find::Args),
    Get(get::Args),
    Is(is::Args),
    Click(interact::click::Args),
    RightClick(interact::right_click::Args),
    DoubleClick(interact::double_click::Args),
    TripleClick(interact::triple_click::Args),
    Focus(interact::focus::Args),
    Type(interact::r#type::Args),
    SetValue(interact::set_value::Args),
    Clear(interact::clear::Args),
    Select(interact::select::Args),
    Toggle(interact::toggle::Args),
    Check(interact::check::Args),
    Uncheck(interact::uncheck::Args),
    Expand(interact::expand::Args),
    Collapse(interact::collapse::Args),
    Scroll(interact::scroll::Args),
    ScrollTo(interact::scroll_to::Args),
    CloseApp(agent_desktop_engine::commands::close_app::Args),
    Launch(agent_desktop_engine::commands::launch::Args),
    ListApps(list_apps::Args),
    ListWindows(list_windows::Args),
    ListDisplays(list_displays::Args),
    ListSurfaces(list_surfaces::Args),
    Press(press::Args),
    Hover(pointer::hover::Args),
    Drag(pointer::drag::Args),
    MouseMove(pointer::mouse_move::Args),
    MouseClick(pointer::mouse_click::Args),
    MouseWheel(pointer::mouse_wheel::Args),
    FocusWindow(arrange::focus_window::Args),
    ResizeWindow(arrange::resize_window::Args),
    MoveWindow(arrange::move_window::Args),
    Minimize(arrange::minimize::Args),
    Maximize(arrange::maximize::Args),
    Restore(arrange::restore::Args),
    Screenshot(screenshot::Args),
    ClipboardGet(clipboard_get::Args),
    ClipboardSet(clipboard_set::Args),
    ClipboardClear(clipboard_clear::Args),
    Status(status::Args),
    Permissions(permissions::Args),
    #[command(subcommand, arg_required_else_help = false)]
    Sandbox(sandbox::Command),
    Skills(skills::Args),
    Wait(wait::Args),
    Version(version::Args),
    /// A command that is not built yet, or none at all.
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

/// What ends the program before any command runs.
pub(crate) enum Ended {
    /// Help or the version was asked for.
    Text(String),
    /// The arguments could not be understood.
    Failed { command: String, error: Error },
}

/// Understands `args`, the first of which is the program's own name.
pub(crate) fn parse(args: &[OsString]) -> Result<Cli, Ended> {
    if args.len() < 2 {
        return Err(Ended::Text(Cli::command().render_long_help().to_string()));
    }
    let parsed = Cli::try_parse_from(args).and_then(|cli| match &cli.command {
        Command::Other(words) if !not_built::is_known(words) => Err(unknown(words)),
        _ => Ok(cli),
    });
    parsed.map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ended::Text(error.to_string()),
        _ => Ended::Failed { command: command_in(args), error: explain(&error, args) },
    })
}

/// No command has a name near so long, but what is in its place may be anything.
const LONGEST: usize = 64;

/// The word of `args` that names the command, or the program's name if there is none.
pub(crate) fn command_in(args: &[OsString]) -> String {
    let cli = Cli::command();
    let word = words(&cli, args).next();
    word.map_or_else(|| cli.get_name().to_owned(), |word| shortened(&word, LONGEST).into_owned())
}

/// The words of `args` that are neither flags nor values of global flags.
fn words<'a>(cli: &'a clap::Command, args: &'a [OsString]) -> impl Iterator<Item = String> + 'a {
    let takes_value = |word: &str| {
        cli.get_arguments().any(|arg| {
            let long = word.strip_prefix("--").is_some_and(|long| arg.get_long() == Some(long));
            let short = word
                .strip_prefix('-')
                .is_some_and(|short| arg.get_short().is_some_and(|flag| short.chars().eq([flag])));
            (long || short) && arg.get_action().takes_values()
        })
    };
    let mut rest = args.iter().skip(1).map(|word| word.to_string_lossy());
    std::iter::from_fn(move || {
        loop {
            let word = rest.next()?;
            if takes_value(&word) {
                rest.next();
            } else if !word.starts_with('-') {
                return Some(word.into_owned());
            }
        }
    })
}

/// The error about a command that does not exist, with near names: the parser itself only knows
/// what is built.
fn unknown(words: &[OsString]) -> clap::Error {
    let name = words.first().map(OsString::as_os_str).unwrap_or_default();
    let every = clap::Command::new("agent-desktop")
        .disable_help_subcommand(true)
        .override_usage("agent-desktop [OPTIONS] <COMMAND>")
        .subcommands(Cli::command().get_subcommands().cloned())
        .subcommands(not_built::names().map(clap::Command::new));
    match every.try_get_matches_from([OsStr::new("agent-desktop"), name]) {
        Err(error) => error,
        // Only a name of the table could come here, and those were sieved out.
        Ok(_) => clap::Error::new(ErrorKind::InvalidSubcommand),
    }
}

/// A parser's error in the words of the envelope: its first paragraph is the message; its tips, its
/// usage line and where to read on are the suggestion.
fn explain(error: &clap::Error, args: &[OsString]) -> Error {
    let text = error.to_string();
    let mut paragraphs = text.split("\n\n").map(|paragraph| {
        paragraph.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>()
    });
    let message = paragraphs.next().unwrap_or_default().join(" ");
    let mut advice = Vec::new();
    for line in paragraphs.flatten() {
        if let Some(tip) = line.strip_prefix("tip: ") {
            advice.push(format!("Tip: {}.", tip.trim_end_matches('.')));
        } else if line.starts_with("Usage: ") {
            advice.push(format!("{line}."));
        }
    }
    if message.contains("unexpected argument '-") && !message.contains("unexpected argument '--") {
        advice.push("A value that begins with `-` is given as `--flag=VALUE`.".to_owned());
    }
    let cli = Cli::command();
    let (mut command, mut name) = (&cli, "agent-desktop".to_owned());
    for word in words(&cli, args) {
        let Some(inner) = command.find_subcommand(&word) else { break };
        (command, name) = (inner, format!("{name} {word}"));
    }
    advice.push(format!("`{name} --help` explains it."));
    Error::new(Code::InvalidArgs, message.trim_start_matches("error: ")).suggest(advice.join(" "))
}
