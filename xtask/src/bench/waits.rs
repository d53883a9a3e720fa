//! Waiting: how long after an application has told of a change `wait` answers.

use std::time::Duration;

use desktop_tests::{
    App, Desktop,
    applications::{Application, gtk3, gtk4, qt},
    bus::{Body, Connection, Message},
    reader::Node,
};

use super::{
    Failure, Options,
    events::{await_listener, listen, next_event},
    report::Report,
    sample::Sample,
    table::{Head, Row},
};

/// From the first event that tells of a text being changed to the exit of `wait --element REF
/// --predicate value` and of `wait --text`.
const WAITED: Head =
    Head { columns: &["waited in", "for a value", "for a text in the window"], compared: &[] };

const APPLICATIONS: [&Application; 3] = [&gtk3::ZENITY_FORMS, &gtk4::CALCULATOR, &qt::FEATHERPAD];

/// Waits in every application.
pub(super) fn run(options: &Options, report: &mut Report) {
    for application in APPLICATIONS.into_iter().filter(|one| options.wants(one.title)) {
        let what = format!("{}, waiting", application.title);
        report.attempt(&what, || measure(application, options));
    }
}

fn measure(application: &Application, options: &Options) -> Result<Vec<Row>, Failure> {
    let desktop = Desktop::start();
    let app = desktop.open(application);
    let window = app.window_id();
    let states = ["--state", "readonly=false", "--state", "secure=false"];
    let field = [&["--role", "textfield", "--first"][..], &states].concat();
    let found = desktop.run(&[&["find", "--window-id", &window][..], &field].concat()).data();
    let field = found["match"]["ref_id"].as_str().ok_or("it has no text field")?;
    let tree = desktop.independent_tree(&app);
    let is_field = |node: &Node| node.is("editable") && node.role_name != "password text";
    // GTK 4.8 says of nothing but windows that it shows.
    let shown = |node: &Node| is_field(node) && node.is("showing");
    let there = |node: &Node| is_field(node) && node.is("visible");
    let it = tree.find(shown).or_else(|| tree.find(there));
    let path = &it.ok_or("libatspi finds no text field")?.path;

    let mut bus = listen(&desktop, &app)?;
    let (mut values, mut texts) = (Sample::new(), Sample::new());
    for round in options.rounds() {
        let (value, text) = (format!("11{round}"), format!("22{round}"));
        let for_value = ["--element", field, "--predicate", "value", "--value", &value];
        values.add(answers_after(&desktop, &app, &mut bus, path, &for_value, &value)?);
        let for_text = ["--text", &text, "--window-id", &window];
        texts.add(answers_after(&desktop, &app, &mut bus, path, &for_text, &text)?);
    }
    Ok(vec![(&WAITED, vec![application.title.to_owned(), values.told(), texts.told()])])
}

/// How long after the first event of `path` holding `text` a `wait` with these arguments ends.
fn answers_after(
    desktop: &Desktop,
    app: &App,
    bus: &mut Connection,
    path: &str,
    arguments: &[&str],
    text: &str,
) -> Result<Duration, Failure> {
    let waiting = desktop.agent_desktop(&[&["wait"], arguments].concat()).spawn()?;
    await_listener(bus)?;
    app.settle();
    while bus.next(Some(Duration::from_millis(50))).is_ok() {}
    bus.send(Message {
        destination: app.bus_name.clone(),
        path: path.to_owned(),
        interface: "org.a11y.atspi.EditableText".into(),
        member: "SetTextContents".into(),
        body: Body::default().text(text),
        ..Message::default()
    })?;
    let told = next_event(bus)?;
    let output = waiting.wait_with_output()?;
    let elapsed = told.elapsed();
    match output.status.success() {
        true => Ok(elapsed),
        false => Err(String::from_utf8_lossy(&output.stdout).into()),
    }
}
