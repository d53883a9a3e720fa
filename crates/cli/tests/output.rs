//! What is printed, and what happens when it cannot be.

mod program;

use std::process::Stdio;

use program::Program;

#[test]
fn commands_that_need_nothing_work_in_an_empty_environment() {
    let mut program = Program::new();
    program.env("AGENT_DESKTOP_HOME", "not/absolute");
    for args in [&["version"][..], &["skills"], &["skills", "get", "desktop", "--full"]] {
        let answer = program.run(args);
        assert_eq!(answer.status, Some(0), "{answer:?}");
        assert_eq!(answer.envelope["command"], args[0]);
        assert_eq!(answer.stderr, "");
    }
}

#[test]
fn global_flags_stand_on_either_side_of_the_command() {
    let program = Program::new();
    let flags =
        ["--headed", "--session", "version", "--agent-id", "me", "-v", "--wait-timeout", "9"];
    let before = [&flags[..], &["version"]].concat();
    let after = [&["version"][..], &flags].concat();
    for args in [before, after] {
        let answer = program.run(&args);
        assert_eq!(answer.status, Some(0), "{answer:?}");
        assert!(answer.stderr.contains("version: ok"), "{answer:?}");
    }
    let misparsed = program.run(&["--session", "version", "status", "--nope"]);
    assert_eq!(misparsed.envelope["command"], "status");
}

#[test]
fn help_is_text() {
    let program = Program::new();
    for args in [&[][..], &["--help"], &["--version"], &["list-apps", "--help"]] {
        let output = program.command().args(args).output().unwrap();
        assert!(output.status.success());
        assert!(String::from_utf8(output.stdout).unwrap().contains("agent-desktop"));
    }
}

#[test]
fn status_and_permissions_never_fail() {
    let program = Program::new();
    for command in ["status", "permissions"] {
        let answer = program.run(&[command]);
        assert_eq!(answer.status, Some(0), "{answer:?}");
    }
}

#[test]
fn a_reader_that_has_gone_away_is_told() {
    let program = Program::new();
    let mut command = program.command();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command.arg("version").stdout(writer).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("version could not be written") && told.contains("may be done"),
        "{told}"
    );
}

/// The runtime of Rust puts /dev/null where a stream is closed, which would swallow every answer.
#[test]
fn a_closed_standard_output_is_told_before_anything_is_done() {
    let program = Program::new();
    let run = |redirection: &str, args: &[&str]| {
        let mut shell = std::process::Command::new("sh");
        program.prepare(&mut shell);
        shell.args(["-c", &format!("exec \"$0\" \"$@\" {redirection}")]);
        shell.arg(program.command().get_program()).args(args).output().unwrap()
    };
    for args in [&["version"][..], &["list-windows"], &["click", "@s1:e1"], &["sandbox", "list"]] {
        let output = run(">&-", args);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {output:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("standard output is closed"), "{args:?}: {told}");
    }
    // Who throws the answer away does not want it.
    for discarding in [">/dev/null", "1<>/dev/null"] {
        assert_eq!(run(discarding, &["version"]).status.code(), Some(0), "{discarding}");
    }
    let output = run("<&-", &["clipboard-set", "--stdin"]);
    let answer = String::from_utf8(output.stdout).unwrap();
    assert!(answer.contains("INVALID_ARGS") && answer.contains("closed"), "{answer}");
}

#[test]
fn a_full_disk_is_said_on_standard_error() {
    let program = Program::new();
    let mut command = program.command();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command.arg("version").stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("No space left"));
}

/// The panic is that of a test that runs alone in a process of its own.
#[test]
fn a_panic_is_an_internal_error() {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "panics", "--ignored", "--nocapture", "--test-threads=1", "-q"]);
    let output = command.output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let line = stdout.lines().find(|line| line.starts_with('{')).unwrap();
    let envelope: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(envelope["command"], "snapshot");
    assert_eq!(envelope["error"]["code"], "INTERNAL");
    assert_eq!(envelope["error"]["disposition"]["delivery"], "unknown");
    assert!(envelope["error"]["platform_detail"].as_str().unwrap().contains("out of cheese"));
}

#[test]
#[ignore = "run by the test above"]
fn panics() {
    agent_desktop_cli::answer_panics(&["agent-desktop".into(), "snapshot".into()]);
    panic!("out of cheese");
}

#[test]
fn examples_of_the_manuals_parse() {
    let program = Program::new();
    let mut text = include_str!("../../../README.md").to_owned();
    for name in ["desktop", "linux"] {
        let answer = program.run(&["skills", "get", name, "--full"]);
        text += answer.envelope["data"]["content"].as_str().unwrap();
    }
    let lines = text.lines().filter(|line| line.starts_with("    ")).map(str::trim);
    let spans = text.split('`').skip(1).step_by(2);
    let examples = lines.chain(spans).filter(|text| text.starts_with("agent-desktop "));
    let mut count = 0;
    for example in examples {
        let words = words(example.split(" #").next().unwrap());
        let matches = agent_desktop_cli::command().try_get_matches_from(words);
        let matches = matches.unwrap_or_else(|error| panic!("{example}: {error}"));
        // A command that is not built parses, too.
        let built = agent_desktop_cli::command()
            .find_subcommand(matches.subcommand_name().unwrap())
            .is_some();
        assert!(built, "{example}");
        count += 1;
    }
    assert!(count > 20, "only {count} examples were found");
}

/// The words of a shell line, in which single quotes hold words together.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        })
        .collect()
}
