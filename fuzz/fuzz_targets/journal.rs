#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let words: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|word| word.iter().fold(0, |all, byte| all << 8 | u32::from(*byte)))
        .collect();
    agent_desktop_linux::properties::journal(&words);
});
