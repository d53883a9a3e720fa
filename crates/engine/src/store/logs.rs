//! What programs print that were started: one file each, in the state root, of which the latest are
//! kept. A program may go on writing to one that was removed; nobody sees it then.

use std::{fs::File, path::PathBuf, time::SystemTime};

use agent_desktop_model::error::Error;

use super::{Store, dir::Dir, io_error};

const LOGS: &str = "logs";

/// How many logs are kept, and of how many bytes together.
const KEPT: usize = 32;
const KEPT_BYTES: u64 = 64 << 20;

impl Store {
    /// A new log that can be appended to, and where it is. Older ones beyond the limits are removed.
    ///
    /// # Errors
    ///
    /// `INTERNAL` if the file cannot be made.
    pub fn log(&self) -> Result<(File, PathBuf), Error> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let name = format!("launch-{}-{}.log", since.as_nanos(), std::process::id());
        (|| {
            let logs = Dir::create(&self.root)?.create_in(LOGS)?;
            forget_old(&logs)?;
            let file = logs.append_new(&name)?;
            Ok((file, logs.path.join(name)))
        })()
        .map_err(io_error)
    }
}

fn forget_old(logs: &Dir) -> Result<(), super::Failure> {
    let mut by_age: Vec<(i128, String)> =
        logs.names()?.into_iter().filter_map(|name| Some((logs.changed(&name)?, name))).collect();
    by_age.sort_unstable();
    let mut bytes = 0;
    // The one that is about to be made is not among them.
    for (index, (_, name)) in by_age.into_iter().rev().enumerate() {
        bytes += logs.size(&name).unwrap_or_default();
        if index + 1 >= KEPT || bytes > KEPT_BYTES {
            logs.remove(&name);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write, os::unix::fs::PermissionsExt};

    use super::*;

    #[test]
    fn the_latest_logs_are_kept_and_nobody_else_reads_them() {
        let root = tempfile::tempdir().unwrap();
        let store = Store { root: root.path().join("state"), namespace: Some("run".to_owned()) };
        let logs = root.path().join("state/logs");
        let (mut file, path) = store.log().unwrap();
        file.write_all(b"one\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");
        assert_eq!(path.parent().unwrap(), logs);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        for index in 0..50 {
            fs::write(logs.join(format!("launch-{index}-0.log")), "x").unwrap();
        }
        let (_, last) = store.log().unwrap();
        assert_eq!(fs::read_dir(&logs).unwrap().count(), KEPT);
        assert!(last.exists());
    }

    #[test]
    fn large_logs_make_room() {
        let root = tempfile::tempdir().unwrap();
        let store = Store { root: root.path().to_owned(), namespace: None };
        let (file, path) = store.log().unwrap();
        file.set_len(KEPT_BYTES + 1).unwrap();
        store.log().unwrap();
        assert!(!path.exists());
    }
}
