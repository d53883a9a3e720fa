//! Reading windows: the first loop's `snapshot` and `find`, beside the floor.

use std::time::Duration;

use desktop_tests::{
    App, Desktop,
    applications::{self, Application, Ready, libreoffice},
    reader::Node,
    tree,
};

use super::{
    Failure, Options,
    floor::{self, Floor, Way},
    measure::{messages, timed, usage},
    sample::Sample,
};

const HEAD: &str = "\
| window | elements | never read: ours | floor | ratio | read before: ours | floor | ratio | find | \
messages | per element | floor | application CPU | our CPU | peak MiB | output KiB |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";

/// Reads every window and prints the table.
pub(super) fn run(options: &Options) -> Result<(), Failure> {
    println!("{HEAD}");
    let all = applications::all().chain(applications::dense::ALL.iter().copied());
    for application in all.filter(|application| options.wants(application.title)) {
        // What goes wrong with one window leaves the others their rows.
        match measure(application, options) {
            Ok(row) => println!("{row}"),
            Err(failure) => println!("| {} | {failure} |", application.title),
        }
    }
    println!(
        "\nTimes are the median and, in parentheses, the 95th percentile in milliseconds. Ours: \
         from exec to exit of `snapshot\n-i --compact`. Floor: connect to the session bus, ask for \
         the accessibility bus, connect, and the fewest calls known\nfor the same tree, without \
         starting a process. A ratio in bold misses 1.5 × floor + 5 ms. find: `--role button \
         --first`.\nMessages, sent and received, and processor time are those of a snapshot of a \
         window read before."
    );
    Ok(())
}

/// How the floor reads it; none where no list of calls has been written.
fn way(application: &Application) -> Option<Way> {
    let is_office = libreoffice::ALL.iter().any(|one| one.title == application.title);
    // A table that must not be listed needs a floor of its own.
    let is_table = application.title == applications::dense::TREE_VIEW.title;
    (!is_office && !is_table).then(|| Way::of(application.toolkit))
}

fn measure(application: &Application, options: &Options) -> Result<String, Failure> {
    let (first, first_floor) = never_read(application, options)?;

    let desktop = Desktop::start();
    let app = desktop.open(application);
    let window = app.window_id();
    let limit = ["--window-id", &window, "--timeout-ms", "60000"];
    let snapshot = [&["snapshot", "-i", "--compact"][..], &limit].concat();
    let find = [&["find", "--role", "button", "--first"][..], &limit].concat();
    let elements = elements(&desktop, &app, application)?;

    let (mut ours, mut floors, mut finds) =
        (Sample::default(), Sample::default(), Sample::default());
    let mut bytes = 0;
    let mut calls = None;
    let mut application_time = Duration::ZERO;
    for _ in 0..options.rounds {
        if let Some(floor) = floor_of(&desktop, &app, application, elements)? {
            floors.add(floor.elapsed);
            calls = Some(floor.calls);
        }
        let before = app.processor_time();
        let run = timed(&desktop, &snapshot)?;
        application_time += app.processor_time().saturating_sub(before);
        ours.add(run.elapsed);
        bytes = run.bytes;
        finds.add(timed(&desktop, &find)?.elapsed);
    }
    let messages = messages(&desktop, &snapshot)?;
    let usage = usage(&desktop, &snapshot)?;
    let rounds = u32::try_from(options.rounds).unwrap_or(u32::MAX).max(1);
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    Ok(format!(
        "| {} | {elements} | {} | {} | {} | {} | {} | {} | {} | {messages} | {:.2} | {} | {:.0} | {:.1} \
         | {:.1} | {:.0} |",
        application.title,
        first.told(),
        first_floor.told(),
        first.against(&first_floor),
        ours.told(),
        floors.told(),
        ours.against(&floors),
        finds.told(),
        messages as f64 / elements as f64,
        calls.map_or("–".to_owned(), |calls| (2 * calls).to_string()),
        ms(application_time / rounds),
        ms(usage.processor),
        usage.peak_kib as f64 / 1024.0,
        bytes as f64 / 1024.0,
    ))
}

/// How long the first reader of an application waits. Where the tests cannot tell that it is ready
/// without reading it, nobody can be the first.
fn never_read(application: &Application, options: &Options) -> Result<(Sample, Sample), Failure> {
    let (mut ours, mut floors) = (Sample::default(), Sample::default());
    if !matches!(application.ready, Ready::AtOnce | Ready::Titled(_)) {
        return Ok((ours, floors));
    }
    for _ in 0..options.starts {
        let desktop = Desktop::start();
        let app = desktop.open(application);
        let window = app.window_id();
        let limit = ["--window-id", &window, "--timeout-ms", "60000"];
        let snapshot = [&["snapshot", "-i", "--compact"][..], &limit].concat();
        ours.add(timed(&desktop, &snapshot)?.elapsed);
        drop((app, desktop));
        if let Some(way) = way(application) {
            let desktop = Desktop::start();
            let app = desktop.open(application);
            floors.add(read(&desktop, &app, application, way)?.elapsed);
        }
    }
    Ok((ours, floors))
}

/// How many elements libatspi reads in the window. It never comes back from a sheet.
fn elements(desktop: &Desktop, app: &App, application: &Application) -> Result<usize, Failure> {
    if way(application).is_some() {
        return Ok(count(&desktop.independent_tree(app)));
    }
    let window = app.window_id();
    let all = ["snapshot", "--max-depth", "50", "--window-id", &window, "--timeout-ms", "60000"];
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
