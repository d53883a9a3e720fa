//! The clipboard of a desktop as xclip sees it, and who keeps it.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use crate::{Desktop, Process, desktop::binary};

impl Desktop {
    /// The bytes that xclip reads in a format; none if there are none.
    #[track_caller]
    pub fn xclip(&self, target: &str) -> Option<Vec<u8>> {
        let read = ["-o", "-selection", "clipboard", "-t", target];
        let output = self.command("xclip").args(read).output().expect("xclip runs");
        output.status.success().then_some(output.stdout)
    }

    /// Has xclip put bytes into the clipboard in a format, and stay.
    #[track_caller]
    pub fn put_by_xclip(&self, target: &str, bytes: &[u8]) -> Process {
        let own = ["-i", "-quiet", "-selection", "clipboard", "-t", target];
        let mut command = self.command("xclip");
        command.args(own).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = Process::spawn(&mut command).expect("xclip runs");
        let mut input = process.input();
        input.write_all(bytes).expect("xclip reads");
        drop(input);
        let has_it = || match self.xclip(target).as_deref() == Some(bytes) {
            true => Ok(()),
            false => Err("something else is there".to_owned()),
        };
        crate::wait::until(
            "xclip to own the clipboard",
            std::time::Duration::from_secs(20),
            has_it,
        );
        process
    }

    /// The processes of the program under test that keep the clipboard of this desktop.
    pub fn clipboard_keepers(&self) -> Vec<u32> {
        let own = format!("{}\0clipboard\0own\0", binary().display());
        let place = self.state_root().join("sandboxes").join(self.name()).display().to_string();
        let entries = fs::read_dir("/proc").expect("/proc").flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        pids.filter(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).into_owned();
            line.starts_with(&own) && line.contains(&place)
        })
        .collect()
    }

    /// A client of the clipboard that does what usual ones do not; see the program itself.
    pub fn odd_client(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("/usr/bin/python3");
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/programs/selection.py")).args(arguments);
        command
    }
}
