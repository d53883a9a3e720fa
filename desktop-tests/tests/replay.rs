//! Windows of real applications, read from recordings: no desktop is needed. What was recorded is read
//! as the same tree in whichever order the answers come, with the same questions.
//!
//! `cargo xtask record desktop-tests/recordings` records all of them anew, and UPDATE_EXPECT=1 then writes
//! what is read of them.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::{fmt::Write, path::Path, time::Duration};

use desktop_tests::recording::{Order, READINGS, Recording, Replay};
use expect_test::expect_file;
use serde_json::Value;

/// Orders in which answers are told, the plain one first.
const ORDERS: [Order; 5] = [
    Order::AsAsked,
    Order::LastFirst,
    Order::Shuffled(1),
    Order::Shuffled(2),
    Order::Late(Duration::from_millis(3)),
];

macro_rules! recordings {
    ($($test:ident $name:literal,)*) => {$(
        #[test]
        fn $test() {
            let told = read_in_every_order($name);
            expect_file![concat!("../recordings/", $name, ".txt")].assert_eq(&told);
        }
    )*};
}

recordings! {
    gtk_3 "gtk3-zenity",
    gtk_4 "gtk4-calculator",
    qt_5 "qt5-kcalc",
    qt_6 "qt6-qt6ct",
    chromium "chromium-page",
    firefox "firefox-page",
    libreoffice "libreoffice-dialog",
}

fn recording(name: &str) -> Recording {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings");
    Recording::load(&directory.join(name).with_extension("jsonl"))
}

/// What is read of a recording, and by how many questions of each kind.
fn read_in_every_order(name: &str) -> String {
    let mut told = ORDERS.iter().map(|order| (order, read(recording(name), *order)));
    let (_, first) = told.next().unwrap();
    for (order, other) in told {
        assert_eq!(other, first, "{name}, {order:?}");
    }
    first
}

fn read(recording: Recording, order: Order) -> String {
    let window = recording.window.clone();
    let mut told = format!("{}\n", recording.title);
    let replay = Replay::start(recording, order);
    for reading in READINGS {
        let words: Vec<&str> =
            reading.iter().map(|word| if *word == "WINDOW" { &window } else { *word }).collect();
        let outcome = replay.run(&words);
        let (kinds, missing) = replay.heard();
        assert!(missing.is_empty(), "{}\n{outcome}", missing.join("\n"));
        let data = outcome.data();
        writeln!(told, "\n{}\n", reading.join(" ")).unwrap();
        for (kind, count) in kinds {
            writeln!(told, "    {kind} {count}").unwrap();
        }
        told.push('\n');
        print(&mut told, &data, 0);
    }
    told
}

/// Elements as lines that are indented, anything else as it is.
fn print(told: &mut String, value: &Value, depth: usize) {
    const APART: [&str; 4] = ["snapshot_id", "children", "role", "name"];
    let Some(fields) = value.as_object() else {
        return writeln!(told, "{:1$}{value}", "", 2 * depth).unwrap();
    };
    let mut line = String::new();
    if let Some(role) = fields.get("role").and_then(Value::as_str) {
        write!(line, "{role} {}", fields.get("name").unwrap_or(&Value::Null)).unwrap();
    }
    let mut below = Vec::new();
    for (key, value) in fields.iter().filter(|(key, _)| !APART.contains(&key.as_str())) {
        let is_tree = value.get("role").is_some() && key != "window";
        let is_list = value.get(0).is_some_and(|first| first.get("role").is_some());
        match value {
            _ if is_tree => below.push(value),
            Value::Array(items) if is_list => below.extend(items),
            // The name of the snapshot is another each time.
            Value::String(text) if text.starts_with("@s") => {
                write!(line, " {key}=@{}", text.rsplit(':').next().unwrap()).unwrap();
            }
            value => write!(line, " {key}={value}").unwrap(),
        }
    }
    writeln!(told, "{:1$}{2}", "", 2 * depth, line.trim_start()).unwrap();
    below.extend(fields.get("children").and_then(Value::as_array).into_iter().flatten());
    below.into_iter().for_each(|inner| print(told, inner, depth + 1));
}

#[test]
fn a_question_without_an_answer_is_named() {
    let recording = recording("gtk3-zenity");
    let window = recording.window.clone();
    let replay = Replay::start(recording, Order::AsAsked);
    let other = format!("{window}0");
    replay.run(&["snapshot", "--window-id", &other]).envelope();
    let (_, missing) = replay.heard();
    assert_eq!(missing, Vec::<String>::new(), "only the application is asked for another window");
    replay.run(&["list-apps"]).envelope();
    let (_, missing) = replay.heard();
    assert!(missing[0].starts_with("no answer is recorded to GetChildren of "), "{missing:?}");
}
