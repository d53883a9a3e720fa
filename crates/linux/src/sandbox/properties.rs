//! What holds of every file that is taken for the manifest of a private desktop. Tests and `fuzz/`
//! call the same function; it panics where a property does not hold.

#![allow(clippy::expect_used, reason = "a property panics where it does not hold")]

use agent_desktop_model::wire::sandbox::Role;

use super::manifest::Manifest;

/// What is read as a manifest is written as it was read.
pub fn manifest(bytes: &[u8]) {
    let Ok(manifest) = Manifest::decode(bytes) else { return };
    let written = serde_json::to_vec(&manifest).unwrap_or_default();
    let again = Manifest::decode(&written).expect("what was written is read");
    assert_eq!(serde_json::to_vec(&again).unwrap_or_default(), written);
    for process in &manifest.processes {
        manifest.is_alive(process);
    }
    manifest.pid(Role::Supervisor);
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, test_runner::RngSeed};

    use super::*;

    const WHOLE: &str = r#"{"version":1,"boot":"b","token":"0a1b","size":{"width":800,"height":600},"processes":[{"role":"supervisor","program":"agent-desktop","pid":4,"started":9}],"display_socket":{"path":"/tmp/.X11-unix/X9","inode":3,"changed":[1,2]},"desktop":{"display":":9","bus_address":"unix:path=/a","bus_guid":"00","env":{"A":"b"},"clear":["C"]}}"#;

    #[test]
    fn the_example_is_a_manifest() {
        assert!(Manifest::decode(WHOLE.as_bytes()).is_ok());
    }

    proptest! {
           #![proptest_config(ProptestConfig {
               failure_persistence: None,
    rng_seed: RngSeed::Fixed(1),
               ..ProptestConfig::with_cases(5_000)
           })]

           #[test]
           fn whatever_is_read_is_written_again(
               changes in proptest::collection::vec(
                   (any::<proptest::sample::Index>(), proptest::sample::select(&b"0189-\"{}[],:anu"[..])),
                   0..4,
               ),
               noise in proptest::collection::vec(any::<u8>(), 0..200),
           ) {
               let mut bytes = WHOLE.as_bytes().to_vec();
               for (at, byte) in changes {
                   let at = at.index(bytes.len());
                   bytes[at] = byte;
               }
               manifest(&bytes);
               manifest(&noise);
           }
       }
}
