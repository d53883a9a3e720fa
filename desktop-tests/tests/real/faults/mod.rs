//! What ends, hangs or fails around the program: itself, applications, servers, files, the clock.

mod clock;
mod crashes;
mod crowd;
mod disk;
mod hung;
mod private;
mod servers;
mod signals;
mod state_root;

use std::{
    fs,
    io::Read,
    os::unix::process::ExitStatusExt,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use desktop_tests::wait;
use serde_json::Value;

/// A run of the program that goes on while the test does something.
struct Run {
    child: Child,
    words: Vec<String>,
    start: Instant,
}

/// How a run ended.
struct Ended {
    /// What it printed, if that is anything.
    envelope: Option<Value>,
    signal: Option<i32>,
    elapsed: Duration,
}

impl Run {
    fn start(command: &mut Command) -> Self {
        let words = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
        let command = command.stdout(Stdio::piped()).stderr(Stdio::null());
        Self { child: command.spawn().unwrap(), words, start: Instant::now() }
    }

    /// Waits until it waits for somebody: it sleeps and has used no processor for a while.
    fn await_blocked(&mut self) {
        let pid = self.child.id();
        wait::until("the command to wait", Duration::from_secs(20), || {
            let before = stat(pid);
            std::thread::sleep(Duration::from_millis(60));
            match (&before, stat(pid)) {
                (Some(('S', used)), Some(('S', now))) if *used == now => Ok(()),
                (_, None) => Ok(()),
                other => Err(format!("{:?}: {other:?}", self.words)),
            }
        });
    }

    /// Waits until it has ended, for at most `limit` from its start on.
    #[track_caller]
    fn end(mut self, limit: Duration) -> Ended {
        // A picture is more than a pipe holds.
        let mut output = self.child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            output.read_to_string(&mut text).map(|_| text)
        });
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if self.start.elapsed() > limit {
                self.child.kill().unwrap();
                panic!("{:?} has not ended after {:?}", self.words, self.start.elapsed());
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let elapsed = self.start.elapsed();
        let text = reader.join().unwrap().unwrap();
        let envelope = (!text.is_empty()).then(|| {
            let envelope: Value = serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("{:?}: {error}: {text}", self.words));
            assert_eq!(envelope["ok"] == true, status.code() == Some(0), "{:?}", self.words);
            envelope
        });
        Ended { envelope, signal: status.signal(), elapsed }
    }
}

/// State and processor time of a process; none once it has ended.
fn stat(pid: u32) -> Option<(char, u64)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<_> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let state = fields[0].chars().next()?;
    let used = fields[11..13].iter().flat_map(|field| field.parse::<u64>()).sum();
    (state != 'Z').then_some((state, used))
}
