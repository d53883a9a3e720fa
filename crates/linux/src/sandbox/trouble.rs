//! What can go wrong with a private desktop. The supervisor reports it to whoever started it, so
//! it is passed between processes.

use std::{io, path::Path};

use agent_desktop_engine::platform::Deadline;
use agent_desktop_model::{
    error::{Code, Details, Error},
    text,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Trouble {
    /// A program is not installed.
    Missing {
        program: String,
        package: String,
    },
    /// A part ended while the desktop was being started.
    Died {
        part: String,
        status: String,
        log: String,
    },
    /// A part was not ready in time.
    Late {
        part: String,
        elapsed_ms: u64,
        limit_ms: u64,
        log: String,
    },
    /// A file could not be written or read.
    Files {
        path: String,
        cause: String,
    },
    Other {
        what: String,
        cause: String,
    },
}

impl Trouble {
    pub(super) fn files(path: &Path, error: &io::Error) -> Self {
        Self::Files { path: path.display().to_string(), cause: error.to_string() }
    }

    pub(super) fn other(what: &str, cause: &str) -> Self {
        Self::Other { what: what.into(), cause: cause.into() }
    }

    pub(super) fn late(part: &str, deadline: Deadline, log: String) -> Self {
        Self::Late {
            part: part.into(),
            elapsed_ms: deadline.elapsed_ms(),
            limit_ms: deadline.limit_ms(),
            log,
        }
    }

    /// That `program` could not be found.
    pub(super) fn missing(program: &str) -> Self {
        // Where the name of the Debian and Ubuntu package is another than the program's.
        let package = match program {
            "Xvfb" => "xvfb",
            "dbus-daemon" => "dbus",
            "at-spi-bus-launcher" => "at-spi2-core",
            "mate-wm" => "marco",
            "kwin_x11" => "kwin-x11",
            "icewm-session" => "icewm",
            "i3" => "i3-wm",
            "fluxbox-session" => "fluxbox",
            other => other.rsplit('/').next().unwrap_or(other),
        };
        let short = |text| text::shortened(text, 256).into_owned();
        Self::Missing { program: short(program), package: short(package) }
    }
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Missing { program, package } => {
                let mut packages = vec!["xvfb", "dbus", "openbox", "at-spi2-core"];
                if !packages.contains(&package.as_str()) {
                    packages.push(&package);
                }
                let suggestion = format!(
                    "Install what private desktops need: `sudo apt-get install {}` (on Debian and \
                     Ubuntu; what is there already is left as it is).",
                    packages.join(" ")
                );
                Self::new(
                    Code::PlatformNotSupported,
                    format!("a private desktop needs {program}, which is not installed"),
                )
                .suggest(suggestion)
                .details(Details::MissingProgram { package, program })
            }
            Trouble::Died { part, status, log } => Self::new(
                Code::ActionFailed,
                format!("the {part} of the private desktop ended while it was started ({status})"),
            )
            .suggest("See platform_detail, the end of its log. Nothing was left running.")
            .platform(log),
            Trouble::Late { part, elapsed_ms, limit_ms, log } => {
                let error = Self::new(
                    Code::Timeout,
                    format!("the {part} of the private desktop was not ready within {limit_ms} ms"),
                )
                .suggest("Raise --timeout-ms. Nothing was left running.")
                .details(Details::Deadline { elapsed_ms, timeout_ms: limit_ms });
                if log.is_empty() { error } else { error.platform(log) }
            }
            Trouble::Files { path, cause } => Self::new(
                Code::Internal,
                format!("the private desktop's file {path} cannot be used: {cause}"),
            )
            .suggest(
                "Make room and allow writing there, or set AGENT_DESKTOP_HOME to another \
                 directory.",
            )
            .platform(cause),
            Trouble::Other { what, cause } => {
                Self::new(Code::ActionFailed, format!("{what}: {cause}"))
                    .suggest("See the message; `sandbox list` shows what is running.")
            }
        }
    }
}
