//! What is run against every switch: each command of the program, in the ways that differ.

use super::TIMEOUT_MS;

/// One way to call a command.
#[derive(Debug)]
pub struct Command {
    /// What it is called in the table; the command comes first.
    pub title: &'static str,
    /// The command line: `{app}` is the peer's name, `{peer}` its program, `{ref}` what it is aimed
    /// at, `{other}` the ref of the first button, `{t}` the timeout.
    line: &'static str,
    pub(super) aim: Option<Aim>,
    pub(super) does: Does,
}

/// What a command is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// A button: the one that the switch is about, else any.
    Button,
    Check,
    Field,
    Slider,
    Choice,
    Branch,
}

/// What a command may do to the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Nothing,
    /// Something to what it is aimed at.
    ToAim,
    /// Something to the window as such, or to what is at a place in it.
    ToWindow,
    /// It may end it.
    Ends,
}

/// Commands of the program that are not in the table, each with the reason.
pub const EXCUSED: [(&str, &str); 2] = [
    (
        "sandbox",
        "makes and ends the desktop that all of this runs on, and speaks to no application",
    ),
    ("skills", "prints manuals that are part of the program"),
];

const fn reads(title: &'static str, line: &'static str) -> Command {
    Command { title, line, aim: None, does: Does::Nothing }
}

const fn asks(title: &'static str, line: &'static str, aim: Aim) -> Command {
    Command { title, line, aim: Some(aim), does: Does::Nothing }
}

const fn acts(title: &'static str, line: &'static str, aim: Aim) -> Command {
    Command { title, line, aim: Some(aim), does: Does::ToAim }
}

const fn arranges(title: &'static str, line: &'static str) -> Command {
    Command { title, line, aim: None, does: Does::ToWindow }
}

/// All of them, in the order in which they are run.
pub const COMMANDS: &[Command] = &[
    reads("snapshot", "snapshot --app {app} {t}"),
    reads("snapshot, whole", "snapshot --app {app} --max-depth 50 --include-bounds {t}"),
    reads("snapshot -i --compact", "snapshot -i --compact --app {app} {t}"),
    reads("snapshot --skeleton", "snapshot --skeleton --app {app} {t}"),
    reads("snapshot, focused window", "snapshot {t}"),
    asks("snapshot --root", "snapshot --root {ref} {t}", Aim::Choice),
    reads("find", "find --app {app} --name Press --first {t}"),
    reads("find --count", "find --app {app} --role checkbox --count {t}"),
    reads("find, absent", "find --app {app} --name nonexistent --first {t}"),
    asks("get", "get {ref} --property text {t}", Aim::Button),
    asks("get, value", "get {ref} --property value {t}", Aim::Field),
    asks("get, bounds", "get {ref} --property bounds {t}", Aim::Button),
    asks("is visible", "is {ref} --property visible {t}", Aim::Button),
    asks("is checked", "is {ref} --property checked {t}", Aim::Check),
    reads("list-apps", "list-apps"),
    reads("list-windows", "list-windows"),
    reads("list-displays", "list-displays"),
    reads("list-surfaces", "list-surfaces --app {app}"),
    reads("status", "status"),
    reads("permissions", "permissions"),
    reads("version", "version"),
    asks(
        "wait --element",
        "wait --element {ref} --predicate actionable --timeout {ms}",
        Aim::Button,
    ),
    reads("wait --text", "wait --text nonexistent --app {app} --timeout {ms}"),
    reads("wait --window", "wait --window Misbehaving --app {app} --timeout {ms}"),
    reads("wait --menu", "wait --menu --app {app} --timeout {ms}"),
    reads("wait --event", "wait --event surface-appeared --app {app} --timeout {ms}"),
    reads("screenshot", "screenshot --app {app} {t}"),
    reads("screenshot, with refs", "screenshot --overlay-refs --app {app} {t}"),
    acts("click", "click {ref} {t}", Aim::Button),
    acts(
        "click -w",
        "click {ref} {t} --wait-for button:nonexistent --wait-timeout {ms}",
        Aim::Button,
    ),
    acts("right-click", "right-click {ref} {t}", Aim::Button),
    acts("type", "type {ref} abcdef {t}", Aim::Field),
    acts("set-value", "set-value {ref} abcdef {t}", Aim::Field),
    acts("set-value, number", "set-value {ref} 70 {t}", Aim::Slider),
    acts("clear", "clear {ref} {t}", Aim::Field),
    acts("select", "select {ref} Green {t}", Aim::Choice),
    acts("toggle", "toggle {ref} {t}", Aim::Check),
    acts("check", "check {ref} {t}", Aim::Check),
    acts("uncheck", "uncheck {ref} {t}", Aim::Check),
    acts("expand", "expand {ref} {t}", Aim::Branch),
    acts("collapse", "collapse {ref} {t}", Aim::Branch),
    acts("scroll", "scroll {ref} {t}", Aim::Choice),
    acts("scroll-to", "scroll-to {ref} {t}", Aim::Button),
    acts("focus", "focus {ref} {t} --headed", Aim::Field),
    acts("click --headed", "click {ref} {t} --headed", Aim::Button),
    acts("double-click", "double-click {ref} {t} --headed", Aim::Button),
    acts("triple-click", "triple-click {ref} {t} --headed", Aim::Button),
    acts("type --headed", "type {ref} xyz {t} --headed", Aim::Field),
    acts("hover", "hover {ref} {t} --headed", Aim::Button),
    acts(
        "drag",
        "drag --from {ref} --to {other} --duration 50 --drop-delay 50 {t} --headed",
        Aim::Button,
    ),
    arranges("press", "press f {t}"),
    arranges("press --app", "press f --app {app} {t} --headed"),
    arranges("mouse-move", "mouse-move --xy 95,130 {t} --headed"),
    arranges("mouse-click", "mouse-click --xy 95,130 {t} --headed"),
    arranges("mouse-wheel", "mouse-wheel --x 95 --y 130 {t} --headed"),
    arranges("focus-window", "focus-window --app {app} {t}"),
    arranges("resize-window", "resize-window --app {app} --width 640 --height 480 {t}"),
    arranges("move-window", "move-window --app {app} --x 40 --y 60 {t}"),
    arranges("minimize", "minimize --app {app} {t}"),
    arranges("restore", "restore --app {app} {t}"),
    arranges("maximize", "maximize --app {app} {t}"),
    arranges("restore, again", "restore --app {app} {t}"),
    reads("clipboard-set", "clipboard-set text {t}"),
    reads("clipboard-get", "clipboard-get {t}"),
    reads("clipboard-clear", "clipboard-clear {t}"),
    Command { title: "launch", line: "launch {peer} --timeout {ms}", aim: None, does: Does::Ends },
    Command { title: "close-app", line: "close-app {app} {t}", aim: None, does: Does::Ends },
    Command {
        title: "close-app --force",
        line: "close-app {app} --force {t}",
        aim: None,
        does: Does::Ends,
    },
];

impl Command {
    /// The name of the command itself.
    pub fn name(&self) -> &'static str {
        self.line.split(' ').next().unwrap_or_default()
    }

    /// How many timeouts it was given: one if it takes one, and one for what is waited for
    /// afterwards.
    pub fn timeouts(&self) -> u32 {
        self.line.split(' ').map(|word| u32::from(matches!(word, "{t}" | "{ms}"))).sum()
    }

    /// The words of its command line, given what stands for the names in braces.
    pub(super) fn words(&self, value_of: &dyn Fn(&str) -> String) -> Vec<String> {
        let ms = TIMEOUT_MS.to_string();
        let word = |word: &str| match word {
            "{t}" => vec!["--timeout-ms".to_owned(), ms.clone()],
            "{ms}" => vec![ms.clone()],
            _ if word.starts_with('{') => vec![value_of(word.trim_matches(['{', '}']))],
            _ => vec![word.to_owned()],
        };
        self.line.split(' ').flat_map(word).collect()
    }
}
