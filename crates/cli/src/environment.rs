//! What the environment says. It is read here and nowhere deeper.

use std::{env, ffi::OsString, path::PathBuf};

use agent_desktop_engine::store::Store;
use agent_desktop_model::error::{Code, Error};

/// The store of the namespace that `flag`, else AGENT_DESKTOP_SESSION, names.
pub(crate) fn store(flag: Option<&str>) -> Result<Store, Error> {
    Ok(Store { namespace: session(flag)?, root: state_root()? })
}

/// The private desktop that `flag`, else AGENT_DESKTOP_SANDBOX, names.
pub(crate) fn sandbox(flag: Option<&str>) -> Option<String> {
    flag.map(str::to_owned).or_else(|| variable("AGENT_DESKTOP_SANDBOX"))
}

fn session(flag: Option<&str>) -> Result<Option<String>, Error> {
    let (source, id) = match (flag, variable("AGENT_DESKTOP_SESSION")) {
        (Some(flag), _) => ("--session", flag.to_owned()),
        (None, Some(variable)) => ("AGENT_DESKTOP_SESSION", variable),
        (None, None) => return Ok(None),
    };
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if (1..=64).contains(&id.len()) && id.bytes().all(allowed) {
        return Ok(Some(id));
    }
    Err(Error::new(Code::InvalidArgs, format!("{source} is not a session id: {id:?}"))
        .suggest("Use 1 to 64 letters, digits, `-` and `_`."))
}

/// The directory of all state: AGENT_DESKTOP_HOME, else one in the home directory.
pub(crate) fn state_root() -> Result<PathBuf, Error> {
    let Some(root) = env::var_os("AGENT_DESKTOP_HOME") else {
        let home = env::home_dir().filter(|home| home.is_absolute());
        return home.map(|home| home.join(".agent-desktop")).ok_or_else(|| {
            Error::new(Code::InvalidArgs, "there is no home directory to keep snapshots in")
                .suggest("Set HOME, or AGENT_DESKTOP_HOME to an absolute path.")
        });
    };
    let root = PathBuf::from(root);
    if root.is_absolute() {
        return Ok(root);
    }
    let message = match root.as_os_str().is_empty() {
        true => "AGENT_DESKTOP_HOME is empty".to_owned(),
        false => format!("AGENT_DESKTOP_HOME is not an absolute path: {root:?}"),
    };
    Err(Error::new(Code::InvalidArgs, message)
        .suggest("Set AGENT_DESKTOP_HOME to an absolute path, or unset it for ~/.agent-desktop."))
}

/// A variable's text; one that is empty counts as not set.
fn variable(name: &str) -> Option<String> {
    let text = env::var_os(name).map(OsString::into_string)?;
    // What is not UTF-8 is not a valid name either, and the caller says so.
    let text = text.unwrap_or_else(|raw| raw.to_string_lossy().into_owned());
    (!text.is_empty()).then_some(text)
}
