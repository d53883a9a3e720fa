//! Pictures out of the clipboard that nobody named a file for: the latest are kept.
//!
//! ```text
//! <state root>/tmp/clipboard-<time>.png
//! <state root>/sessions/<session>/clipboard/clipboard-<time>.png
//! ```

use std::{
    path::PathBuf,
    time::{Duration, SystemTime},
};

use agent_desktop_model::error::Error;

use super::{Store, io_error, lock, replace, sweep};
use crate::platform::Deadline;

/// How many pictures a namespace keeps.
const KEPT: usize = 32;

impl Store {
    /// Keeps a picture in the format PNG and returns its path.
    ///
    /// # Errors
    ///
    /// `TIMEOUT` if the lock is not free in time, `INTERNAL` if the file cannot be written.
    /// Nothing is saved then.
    pub fn keep_picture(&self, png: &[u8], deadline: Deadline) -> Result<PathBuf, Error> {
        let home = self.create_home().map_err(io_error)?;
        let _lock = lock(&home, deadline)?;
        (|| {
            let pictures = home.create_in(match self.namespace {
                None => "tmp",
                Some(_) => "clipboard",
            })?;
            let mut kept = sweep(&pictures)?;
            kept.retain(|name| name.starts_with("clipboard-"));
            let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            let name = format!("clipboard-{}.png", since.unwrap_or(Duration::ZERO).as_nanos());
            replace(&pictures, &pictures, &name, png)?;
            // The names are as long as each other for some centuries, so this is the order of time.
            kept.sort_unstable();
            for old in kept.iter().rev().skip(KEPT - 1) {
                pictures.remove(old);
            }
            Ok(pictures.path.join(name))
        })()
        .map_err(io_error)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    #[test]
    fn the_latest_are_kept_whole_and_private() {
        let place = tempfile::tempdir().unwrap();
        let mut store = Store { root: place.path().to_owned(), namespace: None };
        let deadline = Deadline::after_ms(10_000);
        let paths: Vec<_> = (0..KEPT + 3)
            .map(|number| store.keep_picture(number.to_string().as_bytes(), deadline).unwrap())
            .collect();
        let left = fs::read_dir(place.path().join("tmp")).unwrap().count();
        assert_eq!(left, KEPT);
        for (number, path) in paths.iter().enumerate().skip(3) {
            assert_eq!(fs::read_to_string(path).unwrap(), number.to_string());
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        store.namespace = Some("s".to_owned());
        let path = store.keep_picture(b"", deadline).unwrap();
        assert!(path.starts_with(place.path().join("sessions/s/clipboard")), "{path:?}");
    }
}
