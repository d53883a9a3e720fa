//! The clock of the program jumps by hours, before, between and within commands: only its own, by a
//! library that is loaded into it. Deadlines are kept, nothing is lost, and nothing stays locked.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use desktop_tests::Desktop;

use super::Run;

/// Answers with the real time and what CLOCK_BY says, in seconds; `jump` alternates between there and
/// back at each look.
const SHIM: &str = r#"
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *at) {
    static int looks;
    int failed = syscall(SYS_clock_gettime, clock, at);
    const char *by = getenv("CLOCK_BY");
    if (!failed && by && clock == CLOCK_REALTIME)
        at->tv_sec += strcmp(by, "jump") ? atol(by) : (looks++ % 2 ? 36000 : -36000);
    return failed;
}
"#;

#[test]
fn a_clock_that_jumps_costs_no_deadline_no_snapshot_and_no_lock() {
    let desktop = Desktop::start();
    let _dialog = desktop.launch("zenity", &["--entry", "--text=Name"]);
    let shim = shim(&desktop.state_root());
    let run = |by: &str, arguments: &[&str], limit: Duration| {
        let mut command = desktop.agent_desktop(arguments);
        command.env("LD_PRELOAD", &shim).env("CLOCK_BY", by);
        Run::start(&mut command).end(limit + Duration::from_secs(2)).envelope.unwrap()
    };
    let usual = Duration::from_secs(5);
    let mut refs = Vec::new();
    let snapshot = ["snapshot", "--app", "zenity", "-i"];
    for by in ["36000", "-36000", "jump", "3153600000", "-1700000000", "0"] {
        let find = ["find", "--app", "zenity", "--role", "textfield", "--first"];
        let found = run(by, &find, usual);
        let field = found["data"]["match"]["ref_id"].as_str().unwrap_or_else(|| panic!("{found}"));
        refs.push(field.to_owned());
        for arguments in [
            &snapshot[..],
            &["set-value", field, by],
            &["--headed", "mouse-move", "--xy", "5,5"],
            &["clipboard-set", by],
            &["screenshot", "--max-size", "50"],
            &["list-windows"],
            &["sandbox", "list"],
        ] {
            let answer = run(by, arguments, usual);
            assert_eq!(answer["ok"], true, "{by} {arguments:?}: {answer}");
        }
        let wait = ["wait", "--text", "none", "--app", "zenity", "--timeout", "700"];
        let waited = run(by, &wait, Duration::from_millis(700));
        assert_eq!(waited["error"]["code"], "TIMEOUT", "{by}: {waited}");
        let waited = &waited["error"]["details"]["elapsed_ms"];
        assert!((700..2700).contains(&waited.as_u64().unwrap()), "{by}: {waited}");
        // All that was saved is there, at whatever time, and by whatever clock it is read.
        for reference in &refs {
            for by in [by, "0"] {
                let answer = run(by, &["get", reference, "--property", "role"], usual);
                assert_eq!(answer["data"]["value"], "textfield", "{by}: {answer}");
            }
        }
    }
    // A private desktop is judged by the kernel's clock.
    assert_eq!(run("86400", &["sandbox", "start", "second"], Duration::from_secs(20))["ok"], true);
    let listed = run("-86400", &["sandbox", "list"], usual);
    for entry in listed["data"]["sandboxes"].as_array().unwrap() {
        assert_eq!(entry["state"], "running", "{listed}");
    }
    let stopped = run("-86400", &["sandbox", "stop", "second"], Duration::from_secs(10));
    assert_eq!(stopped["ok"], true, "{stopped}");
    assert!(stopped["data"]["remaining"].is_null(), "{stopped}");
}

fn shim(directory: &Path) -> PathBuf {
    let (source, library) = (directory.join("clock.c"), directory.join("clock.so"));
    std::fs::write(&source, SHIM).unwrap();
    let mut build = Command::new("cc");
    build.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source);
    assert!(build.status().unwrap().success());
    library
}
