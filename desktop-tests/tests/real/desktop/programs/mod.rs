//! Starting and ending applications, with what xdotool, xprop and the kernel say of it.

mod close;
mod launch;

use std::{fs, path::Path, time::Duration};

use desktop_tests::{Desktop, Outcome, wait};
use serde_json::Value;

/// A window with the focus, which somebody works in.
struct Earlier<'a> {
    desktop: &'a Desktop,
    _app: desktop_tests::App,
    xid: String,
}

impl<'a> Earlier<'a> {
    fn open(desktop: &'a Desktop) -> Self {
        let app = desktop.launch("zenity", &["--entry", "--text=Earlier", "--title=Earlier"]);
        let search = ["search", "--onlyvisible", "--name", "^Earlier$"];
        let found = output(desktop, "xdotool", &search);
        let xid = found.lines().next().expect("its window").to_owned();
        output(desktop, "xdotool", &["windowactivate", "--sync", &xid]);
        Self { desktop, _app: app, xid }
    }

    /// Waits until it has the focus, which may take a moment to come back.
    #[track_caller]
    fn has_focus(&self, after: &str) {
        wait::until(&format!("the focus after {after}"), Duration::from_secs(2), || {
            let active = active(self.desktop);
            if active == self.xid { Ok(()) } else { Err(format!("{active} has it")) }
        });
    }
}

/// The X window with the focus, as xdotool says.
fn active(desktop: &Desktop) -> String {
    output(desktop, "xdotool", &["getactivewindow"]).trim().to_owned()
}

fn output(desktop: &Desktop, program: &str, arguments: &[&str]) -> String {
    let output = desktop.command(program).args(arguments).output().expect("it runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn launch(desktop: &Desktop, arguments: &[&str]) -> Outcome {
    desktop.run(&[&["launch"], arguments].concat())
}

/// The process of an answer, told by its number and start time.
fn lives(pid: &Value) -> bool {
    let path = format!("/proc/{pid}/stat");
    let stat = fs::read_to_string(Path::new(&path)).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| state != 'Z')
}
