//! What holds of every command line. Tests and `fuzz/` call the same function; it panics where a
//! property does not hold.

#![allow(clippy::expect_used, reason = "a property panics where it does not hold")]

use std::ffi::OsString;

use agent_desktop_model::error::Code;
use serde_json::Value;

use crate::{argv, render};

/// How long the answer to a mistake may be beyond what was said.
const LONGEST: usize = 16 * 1024;

/// A command line is understood, answered with help, or refused by one line of JSON that says so.
/// Nothing is done.
pub fn command_line(words: &[OsString]) {
    let name = OsString::from("agent-desktop");
    let args: Vec<OsString> = std::iter::once(name).chain(words.iter().cloned()).collect();
    let said: usize = args.iter().map(|word| word.len()).sum();
    match argv::parse(&args) {
        Ok(_) => {}
        Err(argv::Ended::Text(text)) => assert!(!text.is_empty()),
        Err(argv::Ended::Failed { command, error }) => {
            assert_eq!(error.code, Code::InvalidArgs);
            let line = render::line::<()>(&command, &Err(error)).expect("an envelope");
            assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
            // Lossy text takes three bytes for one, an escape six; a mistake is told a few times.
            assert!(line.len() <= LONGEST + 32 * said, "{} bytes about {said}", line.len());
            let envelope: Value = serde_json::from_slice(&line).expect("JSON");
            assert_eq!(envelope["ok"], false);
            assert_eq!(envelope["error"]["code"], "INVALID_ARGS");
            assert_eq!(envelope["error"]["message"].as_str().map(str::is_empty), Some(false));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use proptest::{prelude::*, test_runner::RngSeed};

    use super::*;

    const WORDS: [&str; 40] = [
        "snapshot",
        "find",
        "get",
        "is",
        "click",
        "select",
        "type",
        "press",
        "wait",
        "launch",
        "sandbox",
        "start",
        "list",
        "screenshot",
        "scroll",
        "drag",
        "-i",
        "--compact",
        "--role",
        "button",
        "--name",
        "--state",
        "disabled=true",
        "--timeout-ms",
        "300",
        "-1",
        "99999999999999999999",
        "@s2txcl95uvubmn:e1",
        "@e1",
        "--sandbox",
        "--session",
        "../x",
        "--",
        "-",
        "--help",
        "ctrl+shift+s",
        "--max-depth",
        "--window-id",
        "=",
        "",
    ];

    fn word() -> impl Strategy<Value = OsString> {
        let known = proptest::sample::select(&WORDS[..]);
        prop_oneof![
            8 => known.clone().prop_map(OsString::from),
            1 => (known, any::<String>()).prop_map(|(word, more)| format!("{word}={more}").into()),
            1 => any::<String>().prop_map(OsString::from),
            1 => proptest::collection::vec(any::<u8>(), 0..12).prop_map(OsString::from_vec),
        ]
    }

    proptest! {
           #![proptest_config(ProptestConfig {
               failure_persistence: None,
    rng_seed: RngSeed::Fixed(1),
               ..ProptestConfig::with_cases(400)
           })]

           #[test]
           fn every_command_line_has_an_answer(words in proptest::collection::vec(word(), 0..8)) {
               command_line(&words);
           }
       }
}
