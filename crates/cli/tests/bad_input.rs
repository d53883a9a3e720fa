//! Bad input, one row a mistake: each has its own code, message, suggestion, disposition and exit
//! status, and none leaves more or less than one line of JSON on standard output.

mod program;

use std::{os::unix::fs::PermissionsExt, process::Command};

use program::{Answer, Program};

/// A mistake and what must be answered. Texts are parts of what is printed.
struct Row {
    args: &'static [&'static str],
    env: &'static [(&'static str, &'static str)],
    status: i32,
    code: &'static str,
    message: &'static str,
    suggestion: &'static str,
}

const fn row(args: &'static [&'static str], status: i32, code: &'static str) -> Row {
    Row { args, env: &[], status, code, message: "", suggestion: "" }
}

const fn misparsed(args: &'static [&'static str]) -> Row {
    row(args, 2, "INVALID_ARGS")
}

const fn refused(args: &'static [&'static str]) -> Row {
    row(args, 1, "INVALID_ARGS")
}

const fn not_built(args: &'static [&'static str]) -> Row {
    row(args, 1, "ACTION_NOT_SUPPORTED")
}

impl Row {
    const fn saying(mut self, message: &'static str, suggestion: &'static str) -> Self {
        self.message = message;
        self.suggestion = suggestion;
        self
    }

    const fn with(mut self, env: &'static [(&'static str, &'static str)]) -> Self {
        self.env = env;
        self
    }
}

/// What is wrong without any desktop.
const ROWS: &[Row] = &[
    // Argv that does not parse.
    misparsed(&["clik", "@s123:e1"]).saying("'clik'", "'click'"),
    misparsed(&["bogus"]).saying("unrecognized subcommand 'bogus'", "`agent-desktop --help`"),
    misparsed(&["help"]).saying("'help'", "`agent-desktop --help`"),
    misparsed(&["--headed"]).saying("requires a subcommand", "`agent-desktop --help`"),
    misparsed(&["status", "--sesion", "x"]).saying("'--sesion'", "'--session'"),
    misparsed(&["list-apps", "--nope"]).saying("'--nope'", "`agent-desktop list-apps --help`"),
    misparsed(&["list-apps", "--app"]).saying("value is required for '--app", "list-apps --help`"),
    misparsed(&["list-apps", "stray"]).saying("'stray'", "Usage: agent-desktop list-apps"),
    misparsed(&["status", "--wait-timeout", "soon"]).saying("'soon'", "status --help`"),
    misparsed(&["version", "--wait-for", "a", "--wait-for-gone", "b"])
        .saying("cannot be used with '--wait-for-gone", "version --help`"),
    misparsed(&["skills", "get"]).saying("<NAME>", "skills get <NAME>"),
    misparsed(&["skills", "lst"]).saying("'lst'", "'list'"),
    misparsed(&["skills", "get", "desktop", "errors", "--full"])
        .saying("cannot be used with '--full'", "skills get --help`"),
    misparsed(&["--session"]).saying("value is required for '--session", "`agent-desktop --help`"),
    misparsed(&["snapshoot"]).saying("'snapshoot'", "'snapshot'"),
    misparsed(&["get"]).saying("<REF>", "agent-desktop get <REF>"),
    misparsed(&["get", "@s123:e1", "--property", "colour"]).saying("'colour'", "get --help`"),
    misparsed(&["is", "@s123:e1", "--property", "visable"]).saying("'visable'", "'visible'"),
    misparsed(&["find", "--first", "--last"]).saying("'--last'", "find --help`"),
    misparsed(&["find", "--count", "--limit", "3"]).saying("'--limit <N>'", "find --help`"),
    misparsed(&["find", "--nth", "-1"]).saying("-1", "find --help`"),
    misparsed(&["snapshot", "--max-depth", "deep"]).saying("'deep'", "snapshot --help`"),
    misparsed(&["find", "--name", "-s"]).saying("'-s'", "--flag=VALUE"),
    misparsed(&["sandbox"])
        .saying("'agent-desktop sandbox' requires a subcommand", "sandbox --help`"),
    misparsed(&["sandbox", "exec", "x"]).saying("<COMMAND>", "`agent-desktop sandbox exec --help`"),
    misparsed(&["sandbox", "start", "--size", "0x0"])
        .saying("WIDTHxHEIGHT", "sandbox start --help`"),
    misparsed(&["sandbox", "supervise", "{}"])
        .saying("unrecognized subcommand 'supervise'", "sandbox --help`"),
    // Values that parse and mean nothing.
    refused(&["sandbox", "start", "--wm", " "]).saying("--wm names no", "openbox"),
    refused(&["skills", "get", "nonsense"]).saying("no manual \"nonsense\"", "desktop"),
    refused(&["skills", "get", "desktop", "nonsense"]).saying("no text \"nonsense\"", "errors"),
    refused(&["skills", "get", "linux", "nonsense"]).saying("no text \"nonsense\"", "none"),
    refused(&["status", "--session", ""]).saying("--session is not a session id: \"\"", "1 to 64"),
    refused(&["status", "--session", "../x"]).saying("--session is not a session id", "1 to 64"),
    refused(&["status"])
        .with(&[("AGENT_DESKTOP_SESSION", "a b")])
        .saying("AGENT_DESKTOP_SESSION is not a session id: \"a b\"", "1 to 64"),
    refused(&["status"])
        .with(&[("AGENT_DESKTOP_HOME", "")])
        .saying("AGENT_DESKTOP_HOME is empty", "absolute path"),
    refused(&["list-apps"])
        .with(&[("AGENT_DESKTOP_HOME", "some/where")])
        .saying("not an absolute path: \"some/where\"", "absolute path"),
    refused(&["list-apps", "-w", "button:OK"])
        .saying("`list-apps` does not take --wait-for", "Only `snapshot`"),
    refused(&["version", "--wait-for-gone", "button:OK"])
        .saying("`version` does not take --wait-for-gone", "Only `snapshot`"),
    refused(&["find", "-w", "button:OK"]).saying("`find` does not take --wait-for", "`wait`"),
    refused(&["snapshot", "-w", "Saved"]).saying("\"Saved\" is not a role", "colon before it"),
    refused(&["click", "@s123:e1", "-w", ":"]).saying("what to wait for", "`:Saved`"),
    refused(&["click", "@s123:e1", "--wait-for-gone", ""]).saying("what to wait for", "`:Saved`"),
    refused(&["snapshot", "--root", "@s123:e1", "-w", "button"])
        .saying("--root cannot be combined", "then drill"),
    misparsed(&["snapshot", "-w", "button", "--wait-timeout", "86400001"])
        .saying("86400001", "snapshot --help`"),
    misparsed(&["wait", "86400001"]).saying("86400001", "wait --help`"),
    row(&["wait", "--notification"], 1, "ACTION_NOT_SUPPORTED").saying("cannot be seen", "--text"),
    row(&["wait", "--notification", "--text", "a", "--app", "b"], 1, "ACTION_NOT_SUPPORTED")
        .saying("cannot be seen", "--event"),
    refused(&["get", "@e1"]).saying("\"@e1\" does not say which snapshot", "@s8f3k2p9abcd01:e1"),
    refused(&["is", "@e1"]).saying("\"@e1\" does not say which snapshot", "@s8f3k2p9abcd01:e1"),
    refused(&["snapshot", "--root", "@e1"]).saying("does not say which snapshot", "printed"),
    refused(&["find", "--root", "@e1"]).saying("does not say which snapshot", "printed"),
    refused(&["get", "e12"]).saying("\"e12\" is not a ref", "`snapshot` and `find` print them"),
    refused(&["get", "@../../etc:e1"]).saying("is not a ref", "`snapshot` and `find`"),
    refused(&["snapshot", "--root", "nonsense"]).saying("\"nonsense\" is not a ref", "`find`"),
    row(&["get", "@snosuch:e1"], 1, "SNAPSHOT_NOT_FOUND").saying("snosuch", "snapshot"),
    row(&["is", "@snosuch:e1"], 1, "SNAPSHOT_NOT_FOUND").saying("snosuch", "snapshot"),
    row(&["click", "@snosuch:e1"], 1, "SNAPSHOT_NOT_FOUND").saying("snosuch", "snapshot"),
    row(&["set-value", "@snosuch:e1", "-5"], 1, "SNAPSHOT_NOT_FOUND").saying("snosuch", ""),
    row(&["type", "@snosuch:e1", "--stdin"], 1, "SNAPSHOT_NOT_FOUND").saying("snosuch", ""),
    row(&["wait", "--element", "@snosuch:e1"], 1, "SNAPSHOT_NOT_FOUND").saying("snosuch", ""),
    refused(&["click", "e1"]).saying("\"e1\" is not a ref", "@s8f3k2p9abcd01:e1"),
    misparsed(&["set-value", "@s123:e1"]).saying("<TEXT>", "set-value --help`"),
    misparsed(&["type", "@s123:e1", "a", "--stdin"]).saying("'--stdin'", "type --help`"),
    misparsed(&["click", "@s123:e1", "--timeout-ms", "soon"]).saying("'soon'", "click --help`"),
    refused(&["wait"]).saying("nothing is named to wait for", "--element"),
    refused(&["wait", "5", "--menu"]).saying("only one thing", "--event"),
    refused(&["wait", "--element", "@s123:e1", "--predicate", "value"]).saying("--value", "both"),
    misparsed(&["wait", "--text", "a", "--timeout", "86400001"]).saying("86400001", "wait --help`"),
    misparsed(&["wait", "--menu", "--count", "2"]).saying("--text", "wait --help`"),
    row(&["snapshot", "--root", "@snosuch:e1"], 1, "SNAPSHOT_NOT_FOUND").saying("snosuch", ""),
    row(&["find", "--root", "@snosuch:e1"], 1, "SNAPSHOT_NOT_FOUND").saying("snosuch", ""),
    refused(&["snapshot", "--root", "@s123:e1", "--surface", "menu"])
        .saying("--root cannot be combined with --surface", "drop --surface"),
    refused(&["find", "--root", "@s123:e1", "--surface", "menu"])
        .saying("--root cannot be combined with --surface", "drop --surface"),
    refused(&["snapshot", "--max-depth", "60"]).saying("50 levels", "--root"),
    refused(&["snapshot", "--surface", "ceiling"]).saying("\"ceiling\"", "popover"),
    refused(&["find", "--surface", "ceiling"]).saying("\"ceiling\"", "popover"),
    row(&["snapshot", "--surface", "dock"], 1, "PLATFORM_NOT_SUPPORTED").saying("dock", "popover"),
    refused(&["find", "--role", "push button"]).saying("\"push button\" is not a role", "button"),
    refused(&["find", "--state", "shiny"]).saying("\"shiny\" is not a test of a state", "checked"),
    refused(&["find", "--state", "checked=maybe"]).saying("\"checked=maybe\"", "TOKEN=false"),
    refused(&["--sandbox", "a/b", "status"]).saying("\"a/b\"", "1 to 64 letters"),
    refused(&["sandbox", "start", "../x"]).saying("\"../x\"", "1 to 64 letters"),
    refused(&["sandbox", "start", "--home", "missing"]).saying("missing", "isolated"),
    row(&["--sandbox", "nope", "status"], 1, "PLATFORM_NOT_SUPPORTED")
        .saying("no private desktop called nope", "sandbox start nope"),
    row(&["list-apps"], 1, "PLATFORM_NOT_SUPPORTED")
        .with(&[("AGENT_DESKTOP_SANDBOX", "nope")])
        .saying("no private desktop called nope", "sandbox start nope"),
    row(&["sandbox", "stop", "nope"], 1, "PLATFORM_NOT_SUPPORTED")
        .saying("no private desktop called nope; there is none", "`sandbox list`"),
    row(&["sandbox", "exec", "nope", "--", "true"], 1, "PLATFORM_NOT_SUPPORTED")
        .saying("no private desktop called nope", "sandbox start nope"),
    row(&["sandbox", "start", "--wm", "no-such-wm"], 1, "PLATFORM_NOT_SUPPORTED")
        .saying("no-such-wm, which is not installed", "apt-get install"),
    misparsed(&["clipboard-set"]).saying("<TEXT|", "clipboard-set --help`"),
    misparsed(&["clipboard-set", "a", "--stdin"]).saying("'--stdin'", "clipboard-set --help`"),
    misparsed(&["clipboard-set", "--image", "a", "--file-url", "b"])
        .saying("'--file-url", "clipboard-set --help`"),
    misparsed(&["clipboard-get", "--format", "gif"]).saying("'gif'", "clipboard-get --help`"),
    refused(&["clipboard-get", "--out", "a.png"]).saying("--out is for pictures", "--format image"),
    refused(&["clipboard-set", "--image", "missing.png"]).saying("missing.png", "PNG"),
    refused(&["clipboard-set", "--image", "/dev/zero"]).saying("it is no file", "PNG"),
    refused(&["clipboard-set", "--image", "/proc/self/status"]).saying("is no PNG", "Convert"),
    refused(&["clipboard-set", "--file-url", "missing"]).saying("no file missing", "file:"),
    refused(&["clipboard-set", "--file-url", "file://far/etc/passwd"]).saying("file://far", "path"),
    row(&["clipboard-get"], 1, "PLATFORM_NOT_SUPPORTED")
        .saying("DISPLAY is not set", "sandbox start"),
    row(&["clipboard-set", ""], 1, "PLATFORM_NOT_SUPPORTED").saying("DISPLAY", "sandbox start"),
    row(&["clipboard-clear"], 1, "PLATFORM_NOT_SUPPORTED")
        .with(&[("WAYLAND_DISPLAY", "wayland-0")])
        .saying("clipboard of a Wayland session", "sandbox start"),
    misparsed(&["screenshot", "--screen", "first"]).saying("'first'", "screenshot --help`"),
    misparsed(&["screenshot", "--screen", "0", "--app", "a"]).saying("--app", "screenshot --help`"),
    misparsed(&["screenshot", "--max-size", "0"]).saying("'0'", "screenshot --help`"),
    refused(&["screenshot", "--overlay-refs=a/b"]).saying("\"a/b\" is not the id", "snapshot_id"),
    row(&["screenshot", "--overlay-refs"], 1, "SNAPSHOT_NOT_FOUND")
        .saying("no snapshot", "snapshot"),
    row(&["screenshot", "--overlay-refs=nosuch"], 1, "SNAPSHOT_NOT_FOUND").saying("nosuch", ""),
    row(&["screenshot"], 1, "PLATFORM_NOT_SUPPORTED").saying("DISPLAY is not set", "sandbox start"),
    row(&["screenshot"], 1, "PLATFORM_NOT_SUPPORTED")
        .with(&[("WAYLAND_DISPLAY", "wayland-0")])
        .saying("cannot be pictured", "sandbox start"),
    misparsed(&["clipboard", "own", "{}"]).saying("'clipboard'", "clipboard-"),
    misparsed(&["close-app"]).saying("<APP>", "close-app --help`"),
    misparsed(&["close-app", "x", "--timeout-ms", "soon"]).saying("'soon'", "close-app --help`"),
    row(&["close-app", "Xvfb"], 1, "POLICY_DENIED").saying("the display server", "list-apps"),
    row(&["close-app", "x"], 1, "PLATFORM_NOT_SUPPORTED").saying("DISPLAY", "sandbox start"),
    misparsed(&["launch", "x", "--cdp", "70000"]).saying("70000", "launch --help`"),
    misparsed(&["launch"]).saying("<APP>", "launch --help`"),
    misparsed(&["launch", "x", "--timeout", "86400001"]).saying("86400001", "launch --help`"),
    misparsed(&["launch", "x", "--arg"]).saying("value is required for '--arg", "launch --help`"),
    refused(&["launch", ""]).saying("no application is named", "list-apps"),
    refused(&["launch", "x", "--env", "novalue"]).saying("\"novalue\" is no variable", "KEY=VALUE"),
    refused(&["launch", "x", "--cwd", "/no/such"]).saying("--cwd", "Create it first"),
    row(&["launch", "/no/such/program"], 1, "APP_NOT_FOUND").saying("/no/such/program", "path"),
    refused(&["launch", "/usr"]).saying("/usr is a directory", "path of the program"),
    refused(&["launch", "/etc/passwd"]).saying("is not executable", "chmod +x"),
    row(&["launch", "env"], 1, "PLATFORM_NOT_SUPPORTED").saying("DISPLAY", "sandbox start"),
    // What the contract has and this version does not.
    not_built(&["batch", "[]"]).saying("`batch` is not", "version"),
    not_built(&["--headed", "session", "start"]).saying("`session` is not", "version"),
    row(&["press", "ctrl+x+y"], 1, "INVALID_ARGS").saying("no modifier", "ctrl+shift+s"),
    row(&["press", "alt+f4"], 1, "POLICY_DENIED").saying("close what is in front", "--force"),
    row(&["mouse-click", "--xy", "1"], 2, "INVALID_ARGS").saying("X,Y", "mouse-click --help"),
    row(&["mouse-click", "--xy", "1,1"], 1, "POLICY_DENIED").saying("pointer", "--headed"),
    row(&["drag", "--from-xy", "1,1"], 2, "INVALID_ARGS").saying("--to", "drag --help"),
    row(&["focus-window"], 1, "INVALID_ARGS").saying("no window", "--title"),
    not_built(&["session", "start"]).saying("`session` is not built yet", "Commands of this"),
    not_built(&["key-down", "a"]).saying("`key-down` is supported on no platform", "Commands of"),
    not_built(&["version", "--trace", "/dev/null/t"]).saying("--trace is not", "Leave it out"),
    not_built(&["version", "--trace-strict"]).saying("--trace-strict is not", "Leave it out"),
];

#[test]
fn each_mistake_has_its_own_answer() {
    for row in ROWS {
        let mut program = Program::new();
        for (key, value) in row.env {
            program.env(key, value);
        }
        check(row, &program.run(row.args));
    }
}

#[test]
fn argv_that_is_not_text() {
    use std::os::unix::ffi::OsStringExt;
    let word = std::ffi::OsString::from_vec(vec![0xff, b'x']);
    let program = Program::new();
    for args in [vec![word.clone()], vec!["list-apps".into(), "--app".into(), word.clone()]] {
        let answer = program.run(&args);
        answer.assert_refused(2, "INVALID_ARGS");
        assert!(answer.message().contains("UTF-8"), "{answer:?}");
    }
    // A command that takes anything and is not built says just that.
    program.run(&["batch".into(), word]).assert_refused(1, "ACTION_NOT_SUPPORTED");
}

/// What a caller sent is repeated to it, but no more of it than a person would read.
#[test]
fn argv_as_long_as_the_system_allows() {
    let long = "ü".repeat(60_000);
    let program = Program::new();
    for args in [
        &[&*long][..],
        &["list-apps", &long],
        &["find", "--role", &long],
        &["snapshot", "--surface", &long],
        &["get", &long],
        &["--sandbox", &long, "status"],
        &["status", "--session", &long],
        &["sandbox", "start", "--wm", &long],
        &["sandbox", "start", "--home", &long],
        &["skills", "get", &long],
    ] {
        let answer = program.run(args);
        assert!(answer.status.is_some_and(|status| status != 0), "{:.200?}", answer.envelope);
        let length = answer.envelope.to_string().len();
        assert!(length < 16_000, "{length} bytes for {:.50?}", args[0]);
    }
}

/// Root may write wherever modes forbid it, so nothing less than a file system that cannot be
/// written will do. A mount namespace keeps it from everybody else.
#[test]
fn a_state_root_that_cannot_be_written() {
    let program = Program::new();
    let state = program.home().join("state");
    std::fs::create_dir(&state).unwrap();
    let run = |args: &str| {
        let mount = "mount -t tmpfs -o ro,mode=0700 none \"$AGENT_DESKTOP_HOME\"";
        let mut command = Command::new("unshare");
        program.prepare(&mut command);
        command.env("AGENT_DESKTOP_HOME", &state).arg("--mount").args(["sh", "-ec"]);
        command.arg(format!("{mount}; exec {} {args}", env!("CARGO_BIN_EXE_agent-desktop")));
        Answer::of(&mut command)
    };
    let answer = run("sandbox start");
    answer.assert_refused(1, "INTERNAL");
    assert!(answer.message().contains("Read-only"), "{answer:?}");
    assert!(answer.message().contains(state.to_str().unwrap()), "{answer:?}");
    assert!(answer.suggestion().contains("AGENT_DESKTOP_HOME"), "{answer:?}");

    // What only reads finds nothing there, and nothing wrong.
    run("get @s123:e1").assert_refused(1, "SNAPSHOT_NOT_FOUND");
    assert_eq!(run("sandbox list").envelope["data"]["sandboxes"], serde_json::json!([]));
    assert_eq!(run("status").status, Some(0));
}

#[test]
fn a_state_root_that_is_no_directory_of_ones_own() {
    let program = Program::new();
    let file = program.home().join("file");
    std::fs::write(&file, "").unwrap();
    let shared = program.home().join("shared");
    std::fs::create_dir(&shared).unwrap();
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o777)).unwrap();
    for (root, message) in [(&file, "Not a directory"), (&shared, "others")] {
        let mut command = program.command();
        command.env("AGENT_DESKTOP_HOME", root).args(["get", "@s123:e1"]);
        let answer = Answer::of(&mut command);
        answer.assert_refused(1, "INTERNAL");
        assert!(answer.message().contains(message), "{answer:?}");
        assert!(answer.message().contains(root.to_str().unwrap()), "{answer:?}");
        assert!(answer.suggestion().contains("AGENT_DESKTOP_HOME"), "{answer:?}");
    }
}

fn check(row: &Row, answer: &Answer) {
    answer.assert_refused(row.status, row.code);
    let (message, suggestion) = (answer.message(), answer.suggestion());
    assert!(message.contains(row.message), "{:?}: message {message:?}", row.args);
    assert!(suggestion.contains(row.suggestion), "{:?}: suggestion {suggestion:?}", row.args);
    assert!(!message.is_empty() && !suggestion.is_empty(), "{:?}", row.args);
    assert!(!message.contains('\u{1b}') && !message.contains('\n'), "{message:?}");
}
