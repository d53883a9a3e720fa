#![no_main]

use std::{ffi::OsString, os::unix::ffi::OsStringExt};

use libfuzzer_sys::fuzz_target;

// Words end with a null, as the system hands them over.
fuzz_target!(|bytes: &[u8]| {
    let words = bytes.split(|byte| *byte == 0).map(|word| OsString::from_vec(word.to_vec()));
    agent_desktop_cli::properties::command_line(&words.collect::<Vec<_>>());
});
