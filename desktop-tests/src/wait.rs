//! Waiting for a condition, never for a time.

use std::time::{Duration, Instant};

/// Asks `probe` until it has an answer. After `limit` it panics, saying what was waited for and
/// what was seen last.
#[track_caller]
pub fn until<T>(what: &str, limit: Duration, mut probe: impl FnMut() -> Result<T, String>) -> T {
    let start = Instant::now();
    loop {
        match probe() {
            Ok(answer) => return answer,
            Err(last) if start.elapsed() >= limit => {
                panic!("waited {limit:?} for {what}; last seen: {last}")
            }
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}
