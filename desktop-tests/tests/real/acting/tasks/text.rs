//! Texts that are hard to write, each in the fields of each toolkit.

use std::{io::Write, process::Stdio};

use serde_json::Value;

use super::work::Work;

/// Emoji of several code points, combining marks, and text that runs from right to left.
const ODD: &str = "a😀👩‍👩‍👧 e\u{301}o\u{308} שלום \u{202B}مرحبا\u{202C} 日本 z";

const LONG: usize = 200_000;

/// Writes odd and long texts into the field that `field` finds; `read` is its text, as the toolkit
/// has it.
pub(super) fn write_hard_ones(work: &Work, field: &dyn Fn(&Work) -> String, read: &str) {
    work.task("text", "write emoji, combining marks and text from right to left", |work| {
        work.does(&["set-value", &field(work), ODD]);
        work.sees(read, ODD);
    });
    work.task("text", "put emoji into the middle of such a text", |work| {
        let data = work.does(&["type", &field(work), "😀\u{301}"]);
        let now = work.value(read);
        let now = now.as_str().unwrap();
        let without = now.replacen("😀\u{301}", "", 1);
        assert_eq!(without, ODD, "{now:?} {data:#}");
    });
    work.task("text", "write 200,000 characters", |work| {
        let text = long();
        let answer = write_from_input(work, &field(work), &text);
        assert_eq!(
            answer["data"]["disposition"]["delivery"], "delivered_verified",
            "{answer:.500}"
        );
        let now = work.value(read);
        assert!(now == text.as_str(), "{} characters", now.as_str().unwrap().chars().count());
    });
    work.task("text", "clear a field", |work| {
        work.does(&["clear", &field(work)]);
        work.sees(read, "");
    });
}

/// Lines of emoji and text from right to left, 200,000 characters in all.
fn long() -> String {
    let line: String = "0123456789 שלום 😀 ".chars().cycle().take(99).collect();
    let text = format!("{line}\n").repeat(LONG / 100);
    assert_eq!(text.chars().count(), LONG);
    text
}

/// Such a text is too long for an argument.
#[track_caller]
fn write_from_input(work: &Work, field: &str, text: &str) -> Value {
    let arguments = ["set-value", field, "--stdin", "--timeout-ms", "30000"];
    work.notes(&["set-value", "--stdin"].join(" "));
    let mut program = work.desktop.agent_desktop(&arguments);
    let mut program = program.stdin(Stdio::piped()).spawn().expect("the program runs");
    let mut input = program.stdin.take().expect("its standard input");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    let output = program.wait_with_output().expect("it ends");
    serde_json::from_slice(&output.stdout).expect("JSON")
}
