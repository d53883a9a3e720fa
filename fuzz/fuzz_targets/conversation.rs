#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    agent_desktop_linux::properties::conversation(bytes);
});
