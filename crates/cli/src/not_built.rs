//! Commands and flags that the contract has and this version does not: they are understood, and
//! refused in a way that a caller can tell from a mistake of its own.

use std::ffi::OsString;

use agent_desktop_model::error::{Code, Error};

use crate::{argv::Global, command};

const NAMES: &[&str] = &[
    "batch",
    "cursor-overlay",
    "dismiss-all-notifications",
    "dismiss-notification",
    "list-notifications",
    "mcp",
    "notification-action",
    "open-system-surface",
    "session",
    "trace",
];

/// Reserved by the contract and refused on every platform: a key or button that one process holds
/// down would stay down when the next one fails.
const RESERVED: &[&str] = &["key-down", "key-up", "mouse-down", "mouse-up"];

/// What `--wait-for` and `--wait-for-gone` may follow.
const WAITING: [&str; 19] = [
    "snapshot",
    "click",
    "hover",
    "drag",
    "double-click",
    "triple-click",
    "right-click",
    "type",
    "set-value",
    "clear",
    "focus",
    "select",
    "toggle",
    "check",
    "uncheck",
    "expand",
    "collapse",
    "scroll",
    "scroll-to",
];

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
    if let Some(flag) = global.waits.asked().filter(|_| !WAITING.contains(&command)) {
        return Err(Error::new(Code::InvalidArgs, format!("`{command}` does not take {flag}"))
            .suggest(
                "Only `snapshot` and actions on a ref can wait afterwards; else use `wait`.",
            ));
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
