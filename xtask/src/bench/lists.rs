//! Finding out what is there, with ten applications open at once.

use desktop_tests::{
    App, Desktop,
    applications::{Application, gtk3, gtk4, qt},
};
use serde_json::Value;

use super::{
    Failure, Options,
    floor::{self, Floor},
    measure::{messages, timed, tokens},
    report::Report,
    sample::Sample,
    table::{Head, Row},
};

/// A ratio is of ours to the floor.
const LISTED: Head = Head {
    columns: &[
        "ten applications open",
        "listed",
        "ours",
        "floor",
        "ratio",
        "messages",
        "messages of the floor",
        "output KiB",
        "tokens",
    ],
    compared: &["ratio", "messages"],
};

const APPLICATIONS: [&Application; 10] = [
    &gtk3::WIDGET_FACTORY,
    &gtk3::MOUSEPAD,
    &gtk3::GEDIT,
    &gtk3::THUNAR,
    &gtk3::ZENITY_FORMS,
    &gtk4::CALCULATOR,
    &gtk4::TEXT_EDITOR,
    &gtk4::NAUTILUS,
    &qt::KCALC,
    &qt::QT6CT,
];

/// Lists applications and windows.
pub(super) fn run(options: &Options, report: &mut Report) {
    let what = "ten applications";
    if options.wants(what) {
        report.attempt(what, || measure(options));
    }
}

fn measure(options: &Options) -> Result<Vec<Row>, Failure> {
    let desktop = Desktop::start();
    let _apps: Vec<App> = APPLICATIONS.map(|application| desktop.open(application)).into();
    Ok(vec![
        listing(&desktop, "list-apps", "/data/apps", floor::applications, options)?,
        listing(&desktop, "list-windows", "/data", floor::windows, options)?,
    ])
}

fn listing(
    desktop: &Desktop,
    command: &str,
    list: &str,
    floor: impl Fn(&str) -> Result<Floor, desktop_tests::bus::Error>,
    options: &Options,
) -> Result<Row, Failure> {
    let session = desktop.session_address();
    let (mut ours, mut floors) = (Sample::new(), Sample::new());
    let mut calls = 0;
    let mut output = String::new();
    let mut listed = 0;
    for _ in options.rounds() {
        let least = floor(&session)?;
        floors.add(least.elapsed);
        calls = least.calls;
        let run = timed(desktop, &[command])?;
        ours.add(run.elapsed);
        output = run.output;
        let answer: Value = serde_json::from_str(&output)?;
        listed = answer.pointer(list).and_then(Value::as_array).map_or(0, Vec::len);
        if listed != least.nodes {
            return Err(format!("{command} lists {listed}, the floor {}", least.nodes).into());
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let kib = output.len() as f64 / 1024.0;
    let row = vec![
        command.to_owned(),
        listed.to_string(),
        ours.told(),
        floors.told(),
        ours.against_floor(&floors),
        messages(desktop, &[command])?.to_string(),
        (2 * calls).to_string(),
        format!("{kib:.1}"),
        tokens(&output).to_string(),
    ];
    Ok((&LISTED, row))
}
