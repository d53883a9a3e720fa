//! Waiting: how long after an application has told of a change `wait` answers.

use std::time::Duration;

use desktop_tests::{
    App, Desktop,
    applications::{Application, gtk3, gtk4, qt},
    bus::{Body, Connection, Message},
    wait,
};

use super::{
    Failure, Options,
    events::{listen, next_event, registered},
    sample::Sample,
};

const APPLICATIONS: [&Application; 3] = [&gtk3::ZENITY_FORMS, &gtk4::CALCULATOR, &qt::FEATHERPAD];

/// Waits in every application and prints the table.
pub(super) fn run(options: &Options) -> Result<(), Failure> {
    println!("\n| waited in | for a value | for a text in the window |\n|---|---|---|");
    for application in APPLICATIONS.iter().filter(|one| options.wants(one.title)) {
        match measure(application, options) {
            Ok(row) => println!("{row}"),
            Err(failure) => println!("| {} | {failure} |", application.title),
        }
    }
    println!(
        "\nFrom the first event that tells of a text being changed to the exit of `wait --element \
         REF --predicate value` and of\n`wait --text`."
    );
    Ok(())
}

fn measure(application: &Application, options: &Options) -> Result<String, Failure> {
    let desktop = Desktop::start();
    let app = desktop.open(application);
    let window = app.window_id();
    let field = ["--role", "textfield", "--state", "readonly=false", "--first"];
    let found = desktop.run(&[&["find", "--window-id", &window][..], &field].concat()).data();
    let field = found["match"]["ref_id"].as_str().ok_or("it has no text field")?;
    let tree = desktop.independent_tree(&app);
    let is_it = |node: &desktop_tests::reader::Node| node.is("editable") && node.is("showing");
    let path = &tree.find(is_it).ok_or("libatspi finds no text field")?.path;

    let mut bus = listen(&desktop, &app)?;
    let (mut values, mut texts) = (Sample::default(), Sample::default());
    for round in 0..options.rounds {
        let (value, text) = (format!("11{round}"), format!("22{round}"));
        let for_value = ["--element", field, "--predicate", "value", "--value", &value];
        values.add(answers_after(&desktop, &app, &mut bus, path, &for_value, &value)?);
        let for_text = ["--text", &text, "--window-id", &window];
        texts.add(answers_after(&desktop, &app, &mut bus, path, &for_text, &text)?);
    }
    Ok(format!("| {} | {} | {} |", application.title, values.told(), texts.told()))
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
    let before = registered(bus)?;
    let mut waiting = desktop.agent_desktop(&[&["wait"], arguments].concat()).spawn()?;
    wait::until("a wait that listens", Duration::from_secs(10), || match registered(bus) {
        Ok(now) if now > before => Ok(()),
        Ok(_) => Err("nobody else does".to_owned()),
        Err(error) => Err(error.to_string()),
    });
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
    let status = waiting.wait()?;
    let elapsed = told.elapsed();
    match status.success() {
        true => Ok(elapsed),
        false => Err("it waited in vain".into()),
    }
}
