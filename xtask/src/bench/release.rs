//! The program as it is given to users.

use std::process::{Command, Stdio};

use super::Failure;

/// Builds it and puts it to the test.
pub(super) fn build() -> Result<(), Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["build", "--release", "--package", "agent-desktop"];
    let output = Command::new(cargo)
        .args(arguments)
        .args(["--message-format", "json-render-diagnostics"])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err("the release does not build".into());
    }
    let messages = String::from_utf8(output.stdout)?;
    let binary = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| {
            let ours = message["target"]["name"] == "agent-desktop";
            message["executable"].as_str().filter(|_| ours).map(std::path::PathBuf::from)
        });
    desktop_tests::put_to_the_test(binary.ok_or("cargo built no program")?);
    Ok(())
}
