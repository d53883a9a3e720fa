//! Reading windows: the first loop's `snapshot` and `find`, beside the floor.

use std::{path::Path, time::Duration};

use desktop_tests::{
    App, Desktop,
    applications::{self, Application, Ready, libreoffice},
    reader::Node,
    tree,
};

use super::{
    Failure, Options,
    floor::{self, Floor, Way},
    measure::{messages, timed, tokens, usage},
    release::Release,
    report::Report,
    sample::Sample,
    table::{Head, Row},
    warm::Warm,
};

/// How long. A ratio is of ours to the floor.
const TIMES: Head = Head {
    columns: &[
        "window",
        "elements",
        "never read: ours",
        "never read: floor",
        "never read: ratio",
        "read before: ours",
        "read before: floor",
        "read before: ratio",
        "warm: ours",
        "warm: ratio",
        "find: ours",
        "find: ratio",
    ],
    // Of an application that is read for the first time, each start gives one time only.
    compared: &["read before: ratio", "warm: ratio", "find: ratio"],
};

/// What a snapshot of a window read before costs besides. Messages are those sent and received.
const COSTS: Head = Head {
    columns: &[
        "a snapshot of",
        "messages",
        "per element",
        "messages of the floor",
        "application CPU",
        "our CPU",
        "peak MiB",
        "output KiB",
        "tokens",
        "tokens per element",
    ],
    compared: &["per element", "tokens per element"],
};

/// What is read and timed.
pub(super) const SNAPSHOT: [&str; 3] = ["snapshot", "-i", "--compact"];
const FIND: [&str; 4] = ["find", "--role", "button", "--first"];

/// Reads every window.
pub(super) fn run(options: &Options, release: &Release, report: &mut Report) {
    for application in windows().filter(|application| options.wants(application.title)) {
        report.attempt(application.title, || measure(application, options, &release.warm));
    }
}

/// All windows there are.
pub(super) fn windows() -> impl Iterator<Item = &'static Application> {
    applications::all().chain(applications::dense::ALL.iter().copied())
}

/// How the floor reads it; none where no list of calls has been written.
fn way(application: &Application) -> Option<Way> {
    // A table that must not be listed needs a floor of its own.
    let is_table = application.title == applications::dense::TREE_VIEW.title;
    (!is_table).then(|| match is_office(application) {
        true => Way::Office,
        false => Way::of(application.toolkit),
    })
}

fn is_office(application: &Application) -> bool {
    libreoffice::ALL.iter().any(|one| one.title == application.title)
}

fn measure(application: &Application, options: &Options, warm: &Path) -> Result<Vec<Row>, Failure> {
    let (first, first_floor) = never_read(application, options)?;

    let desktop = Desktop::start();
    let app = desktop.open(application);
    let window = app.window_id();
    let snapshot = of_window(&SNAPSHOT, &window);
    let find = of_window(&FIND, &window);
    let elements = elements(&desktop, &app, application)?;

    let mut warm = Warm::start(&desktop, warm)?;
    // It connects, as a server has before it is asked.
    warm.snapshot(&window)?;
    let [mut ours, mut floors, mut warms, mut finds] = [const { Sample::new() }; 4];
    let mut calls = None;
    let mut output = String::new();
    let mut application_time = Duration::ZERO;
    let mut rounds = 0;
    for _ in options.rounds() {
        if let Some(floor) = floor_of(&desktop, &app, application, elements)? {
            floors.add(floor.elapsed);
            calls = Some(floor.calls);
        }
        let before = app.processor_time();
        let run = timed(&desktop, &snapshot)?;
        application_time += app.processor_time().saturating_sub(before);
        ours.add(run.elapsed);
        output = run.output;
        warms.add(warm.snapshot(&window)?);
        finds.add(timed(&desktop, &find)?.elapsed);
        rounds += 1;
    }
    let messages = messages(&desktop, &snapshot)?;
    let usage = usage(&desktop, &snapshot)?;
    let tokens = tokens(&output);

    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let (per_element, kib) =
        (|count: usize| count as f64 / elements as f64, |bytes: u64| bytes as f64 / 1024.0);
    let times = vec![
        application.title.to_owned(),
        elements.to_string(),
        first.told(),
        first_floor.told(),
        first.against_floor(&first_floor),
        ours.told(),
        floors.told(),
        ours.against_floor(&floors),
        warms.told(),
        warms.against(&floors),
        finds.told(),
        finds.against(&floors),
    ];
    let costs = vec![
        application.title.to_owned(),
        messages.to_string(),
        format!("{:.2}", per_element(messages)),
        calls.map_or("–".to_owned(), |calls| (2 * calls).to_string()),
        format!("{:.0}", ms(application_time / rounds.max(1))),
        format!("{:.1}", ms(usage.processor)),
        format!("{:.1}", kib(usage.peak_kib)),
        format!("{:.1}", kib(output.len() as u64)),
        tokens.to_string(),
        format!("{:.1}", per_element(tokens)),
    ];
    Ok(vec![(&TIMES, times), (&COSTS, costs)])
}

/// The command on that window, with all the time that it needs.
pub(super) fn of_window<'a>(command: &[&'a str], window: &'a str) -> Vec<&'a str> {
    [command, &["--window-id", window, "--timeout-ms", "60000"]].concat()
}

/// How long the first reader of an application waits. Where the tests cannot tell that it is ready
/// without reading it, nobody can be the first.
fn never_read(application: &Application, options: &Options) -> Result<(Sample, Sample), Failure> {
    let [mut ours, mut floors] = [const { Sample::new() }; 2];
    if !matches!(application.ready, Ready::AtOnce) {
        return Ok((ours, floors));
    }
    for _ in options.starts() {
        let desktop = Desktop::start();
        let app = desktop.open(application);
        ours.add(timed(&desktop, &of_window(&SNAPSHOT, &app.window_id()))?.elapsed);
        drop((app, desktop));
        if let Some(way) = way(application) {
            let desktop = Desktop::start();
            let app = desktop.open(application);
            floors.add(read(&desktop, &app, application, way)?.elapsed);
        }
    }
    Ok((ours, floors))
}

/// How many elements libatspi reads in the window. It never comes back from a sheet, and reads
/// closed menus.
fn elements(desktop: &Desktop, app: &App, application: &Application) -> Result<usize, Failure> {
    if way(application).is_some() && !is_office(application) {
        return Ok(count(&desktop.independent_tree(app)));
    }
    let window = app.window_id();
    let all = of_window(&["snapshot", "--max-depth", "50"], &window);
    Ok(tree::count(&desktop.run(&all).data()["tree"]))
}

/// The floor, after checking that it sees the tree that libatspi sees.
fn floor_of(
    desktop: &Desktop,
    app: &App,
    application: &Application,
    elements: usize,
) -> Result<Option<Floor>, Failure> {
    let Some(way) = way(application) else { return Ok(None) };
    let floor = read(desktop, app, application, way)?;
    // An animation or a clock may come and go.
    if floor.nodes.abs_diff(elements) * 100 > elements {
        return Err(format!("the floor reads {} of {elements} elements", floor.nodes).into());
    }
    Ok(Some(floor))
}

fn read(
    desktop: &Desktop,
    app: &App,
    application: &Application,
    way: Way,
) -> Result<Floor, Failure> {
    Ok(floor::read(&desktop.session_address(), application.name, &app.window, way)?)
}

fn count(node: &Node) -> usize {
    1 + node.children.iter().map(count).sum::<usize>()
}
