//! The program as it is given to users.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;

use super::Failure;

/// What was built.
pub(super) struct Release {
    /// The same platform and engine in a process that stays.
    pub(super) warm: PathBuf,
}

/// Builds it and puts it to the test.
pub(super) fn build() -> Result<Release, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--package", "agent-desktop", "--bin", "agent-desktop"])
        .args(["--package", "agent-desktop-linux", "--example", "warm"])
        .args(["--message-format", "json-render-diagnostics"])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err("the release does not build".into());
    }
    let messages = String::from_utf8(output.stdout)?;
    let executable = |name: &str| {
        let messages = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
        let of_that_name = |message: Value| {
            let is_it = message["target"]["name"] == name;
            message["executable"].as_str().filter(|_| is_it).map(PathBuf::from)
        };
        messages.filter_map(of_that_name).next().ok_or(format!("cargo built no {name}"))
    };
    desktop_tests::put_to_the_test(executable("agent-desktop")?);
    Ok(Release { warm: executable("warm")? })
}
