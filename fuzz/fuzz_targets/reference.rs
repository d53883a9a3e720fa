#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| agent_desktop_model::properties::reference(text));
