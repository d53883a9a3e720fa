//! Commands and flags that the contract has and this version does not: they are understood, and
//! refused in a way that a caller can tell from a mistake of its own.

use std::ffi::OsString;

use agent_desktop_model::error::{Code, Error};

use crate::{argv::Global, command};

const NAMES: &[&str] = &[
    "batch",
    "check",
    "clear",
    "click",
    "clipboard-clear",
    "clipboard-get",
    "clipboard-set",
    "close-app",
    "collapse",
    "cursor-overlay",
    "dismiss-all-notifications",
    "dismiss-notification",
    "double-click",
    "drag",
    "expand",
    "focus",
    "focus-window",
    "hover",
    "launch",
    "list-notifications",
    "maximize",
    "mcp",
    "minimize",
    "mouse-click",
    "mouse-move",
    "mouse-wheel",
    "move-window",
    "notification-action",
    "open-system-surface",
    "press",
    "resize-window",
    "restore",
    "right-click",
    "screenshot",
    "scroll",
    "scroll-to",
    "select",
    "session",
    "set-value",
    "toggle",
    "trace",
    "triple-click",
    "type",
    "uncheck",
    "wait",
];

/// Reserved by the contract and refused on every platform: a key or button that one process holds
/// down would stay down when the next one fails.
const RESERVED: &[&str] = &["key-down", "key-up", "mouse-down", "mouse-up"];

/// The names of every command that is understood and refused.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().chain(RESERVED).copied()
}

/// Whether `words` begin with the name of such a command.
pub(crate) fn is_known(words: &[OsString]) -> bool {
    words.first().is_some_and(|word| names().any(|name| word == name))
}

/// The refusal of the command `name`.
pub(crate) fn refuse(name: &str) -> Error {
    let message = match RESERVED.contains(&name) {
        true => {
            format!("`{name}` is supported on no platform: nothing would release what it holds")
        }
        false => format!("`{name}` is not built yet"),
    };
    Error::new(Code::ActionNotSupported, message).suggest(what_is_built())
}

/// Refuses the global flags that `command` cannot honour.
pub(crate) fn check_flags(global: &Global, command: &str) -> Result<(), Error> {
    let waits = [("--wait-for", &global.wait_for), ("--wait-for-gone", &global.wait_for_gone)];
    for (flag, value) in waits {
        if value.is_none() {
            continue;
        }
        // The actions that also take it are not built themselves.
        return Err(match command {
            "snapshot" => not_built_flag(flag).suggest(
                "Repeat `find` with the condition until it matches, with a pause between.",
            ),
            _ => Error::new(Code::InvalidArgs, format!("`{command}` does not take {flag}"))
                .suggest("Only `snapshot` and actions on a ref can wait afterwards."),
        });
    }
    let traces = [("--trace", global.trace.is_some()), ("--trace-strict", global.trace_strict)];
    match traces.iter().find(|(_, given)| *given) {
        Some((flag, _)) => {
            Err(not_built_flag(flag).suggest("Leave it out, and keep the printed envelopes."))
        }
        None => Ok(()),
    }
}

fn not_built_flag(flag: &str) -> Error {
    Error::new(Code::ActionNotSupported, format!("{flag} is not built yet"))
}

fn what_is_built() -> String {
    let cli = command();
    let names: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    format!("Commands of this version: {}.", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_is_not_refused() {
        for built in command().get_subcommands().map(clap::Command::get_name) {
            assert!(!names().any(|name| name == built), "{built}");
        }
    }
}
