//! Clicking, beside how long the toolkit takes to show that it was clicked.

use std::time::{Duration, Instant};

use desktop_tests::{
    App, Desktop,
    applications::{Application, gtk3, gtk4, qt, web},
    bus::{Body, Message},
    reader::Node,
};

use super::{
    Failure, Options,
    events::{listen, next_event},
    measure::{messages, timed},
    report::Report,
    sample::Sample,
    table::{Head, Row},
};

/// First effect: from a bare DoAction to the first event that the application sends of it.
const CLICKED: Head = Head {
    columns: &["clicked", "ours", "first effect", "ours without it", "messages"],
    compared: &["messages"],
};

/// Something that can be clicked again and again, and shows it each time.
struct Click {
    application: &'static Application,
    /// Role and name of the closed menu that it is in, if any.
    menu: Option<&'static str>,
    /// Its role, as `find` takes it and as libatspi calls it.
    role: (&'static str, &'static str),
    name: &'static str,
}

const CLICKS: &[Click] = &[
    Click {
        application: &gtk4::CALCULATOR,
        menu: None,
        role: ("button", "push button"),
        name: "7",
    },
    Click {
        application: &gtk3::MOUSEPAD,
        menu: Some("View"),
        role: ("menuitem", "menu item"),
        name: "Line Numbers",
    },
    Click {
        application: &qt::FEATHERPAD,
        menu: None,
        role: ("button", "push button"),
        name: "New",
    },
    Click {
        application: &web::CHROMIUM,
        menu: None,
        role: ("checkbox", "check box"),
        name: "Newsletter",
    },
];

/// Clicks in every application.
pub(super) fn run(options: &Options, report: &mut Report) {
    for click in CLICKS.iter().filter(|click| options.wants(click.application.title)) {
        let what = format!("{}, {:?}", click.application.title, click.name);
        report.attempt(&what, || measure(&what, click, options));
    }
}

fn measure(what: &str, click: &Click, options: &Options) -> Result<Vec<Row>, Failure> {
    let desktop = Desktop::start();
    let app = desktop.open(click.application);
    let element = reference(&desktop, &app, click)?;
    let path = path(&desktop, &app, click)?;
    let arguments = ["click", &element];

    let (mut ours, mut effects) = (Sample::new(), Sample::new());
    for _ in options.rounds() {
        ours.add(timed(&desktop, &arguments)?.elapsed);
        app.settle();
        effects.add(first_effect(&desktop, &app, &path)?);
        app.settle();
    }
    let messages = messages(&desktop, &arguments)?;
    let row = vec![
        what.to_owned(),
        ours.told(),
        effects.told(),
        format!("{:.1}", ours.median() - effects.median()),
        messages.to_string(),
    ];
    Ok(vec![(&CLICKED, row)])
}

fn reference(desktop: &Desktop, app: &App, click: &Click) -> Result<String, Failure> {
    let find = |arguments: &[&str]| {
        let data = desktop.run(&[&["find", "--first", "--exact"][..], arguments].concat()).data();
        data["match"]["ref_id"].as_str().map(str::to_owned).ok_or("it is not there")
    };
    let window = app.window_id();
    let this = ["--role", click.role.0, "--name", click.name];
    Ok(match click.menu {
        None => find(&[&this[..], &["--window-id", &window]].concat())?,
        Some(menu) => {
            let menu = find(&["--role", "menu", "--name", menu, "--window-id", &window])?;
            find(&[&this[..], &["--root", &menu]].concat())?
        }
    })
}

fn path(desktop: &Desktop, app: &App, click: &Click) -> Result<String, Failure> {
    let tree = desktop.independent_tree(app);
    // Names of mousepad's menu items end in spaces, which `find` does not mind either.
    let is_it = |node: &Node| node.role_name == click.role.1 && node.name.trim_end() == click.name;
    let it = tree.find(is_it);
    Ok(it.ok_or("libatspi does not find it")?.path.clone())
}

/// How long an application takes from a bare request to the first thing that it tells of it.
fn first_effect(desktop: &Desktop, app: &App, path: &str) -> Result<Duration, Failure> {
    let mut bus = listen(desktop, app)?;

    let start = Instant::now();
    bus.send(Message {
        destination: app.bus_name.clone(),
        path: path.to_owned(),
        interface: "org.a11y.atspi.Action".into(),
        member: "DoAction".into(),
        body: Body::default().i32(0),
        ..Message::default()
    })?;
    Ok(next_event(&mut bus)?.duration_since(start))
}
