//! Ten thousand rows: what shows is listed with its place, and what does not is not said to be
//! absent.

use std::{fs, time::Duration};

use desktop_tests::{
    App, Desktop,
    applications::libreoffice::{self, PARAGRAPHS},
    tree, wait,
};
use serde_json::Value;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/long.py");

#[test]
fn a_tree_view_of_gtk3() {
    let desktop = Desktop::start();
    let app = desktop.launch("/usr/bin/python3", &[PROGRAM, "tree"]);
    let first = check_cells(&desktop, &app);
    assert_eq!(first, 1);
    let absent = find(&desktop, &app, "row 9999");
    assert_eq!((&absent["total_matches"], absent["unsearched"].is_u64()), (&0.into(), true));

    key(&desktop, &["key", "End"]);
    wait::until("the last row", Duration::from_secs(20), || {
        let found = find(&desktop, &app, "row 9999");
        match found["matches"][0]["row"].as_u64() {
            Some(9_999) => Ok(()),
            _ => Err(found.to_string()),
        }
    });
    assert!(check_cells(&desktop, &app) > 9_900);
}

/// Every listed cell stands where its row says: the rows are numbered. Returns the first.
#[track_caller]
fn check_cells(desktop: &Desktop, app: &App) -> u64 {
    let snapshot = snapshot(desktop, app);
    let table = tree::all(&snapshot["tree"]).find(|node| node["role"] == "table").unwrap();
    let size = (&table["rows"], &table["columns"], &table["children_count"]);
    assert_eq!(size, (&10_000.into(), &3.into(), &30_003.into()), "three of them are headers");
    let children = table["children"].as_array().unwrap();
    let headers: Vec<&Value> = children.iter().filter(|node| node["role"] == "column").collect();
    assert_eq!(headers.len(), 3, "{table:#}");
    let cells: Vec<&Value> = children.iter().filter(|node| node["role"] == "cell").collect();
    // 400 pixels have room for so many rows, whatever the theme.
    assert!((3 * 8..3 * 40).contains(&cells.len()), "{} cells", cells.len());
    for cell in &cells {
        let row = cell["row"].as_u64().unwrap();
        match cell["column"].as_u64() {
            Some(1) => assert_eq!(cell["name"], row.to_string()),
            Some(2) => assert_eq!(cell["name"], format!("row {row}")),
            column => assert_eq!(column, Some(3), "{cell}"),
        }
    }
    cells[0]["row"].as_u64().unwrap()
}

#[test]
fn a_list_view_of_gtk4() {
    let desktop = Desktop::start();
    let app = desktop.launch("/usr/bin/python3", &[PROGRAM, "list"]);
    let (shown, hidden) = rows(&desktop, &app);
    let absent = find(&desktop, &app, "row 9999");
    assert!(absent["suggestion"].as_str().is_some_and(|it| it.contains("scroll")), "{absent:#}");
    // It makes some 200 rows, of which 400 pixels have room for so many.
    assert!((8..40).contains(&shown.len()) && hidden > 100, "{shown:?}, {hidden} hidden");
    assert_eq!(shown[0], "row 1");

    go_to_the_end(&desktop, &app, shown.last().unwrap());
    wait::until("the last row", Duration::from_secs(20), || {
        let (shown, _) = rows(&desktop, &app);
        if shown.last().is_some_and(|name| name == "row 10000") {
            Ok(())
        } else {
            Err(format!("{shown:?}"))
        }
    });
    let (shown, _) = rows(&desktop, &app);
    assert!(!shown.contains(&"row 1".to_owned()) && shown.len() < 40, "{shown:?}");
}

#[test]
fn a_folder_of_a_thousand_files() {
    let desktop = Desktop::start();
    let folder = desktop.state_root().join("files");
    fs::create_dir_all(&folder).unwrap();
    for number in 1..=1_000 {
        fs::write(folder.join(format!("file-{number}.txt")), "").unwrap();
    }
    let app = desktop.launch("nautilus", &["--new-window", folder.to_str().unwrap()]);
    let mut shown = Vec::new();
    wait::until("the files", Duration::from_secs(60), || {
        shown = files(&snapshot(&desktop, &app));
        if shown.is_empty() { Err("none".into()) } else { Ok(()) }
    });
    assert_eq!(shown[0], "file-1.txt");
    assert!(shown.len() < 100, "{shown:?}");
    // GTK makes some six hundred of them: the last one is neither there nor said to be absent.
    let found = find(&desktop, &app, "file-1000.txt");
    assert_eq!(found["total_matches"], 0, "{found:#}");
    assert!(found["suggestion"].as_str().is_some_and(|it| it.contains("scroll")), "{found:#}");

    go_to_the_end(&desktop, &app, "file-1.txt");
    wait::until("the last file", Duration::from_secs(30), || {
        let shown = files(&snapshot(&desktop, &app));
        let at_the_end = shown.last().is_some_and(|name| name == "file-1000.txt");
        if at_the_end && shown.len() < 100 { Ok(()) } else { Err(format!("{shown:?}")) }
    });
}

/// Writer 7.4.7 lists the paragraphs on the screen and no others.
#[test]
fn a_text_of_writer() {
    let desktop = Desktop::start();
    let app = desktop.open(&libreoffice::NOVEL);
    let last = format!("Paragraph {PARAGRAPHS}.");
    let shows = |text: &str| {
        let found = find(&desktop, &app, text);
        let advice = found["suggestion"].as_str().unwrap_or_default().to_owned();
        assert!(advice.contains("only as far as it shows"), "{found:#}");
        found["total_matches"] == 1
    };
    assert!(goes_on(&snapshot(&desktop, &app)));
    assert!(shows("Paragraph 1.") && !shows(&last));

    key(&desktop, &["search", "--name", "novel", "windowactivate", "--sync"]);
    key(&desktop, &["key", "ctrl+End"]);
    wait::until("the last paragraph", Duration::from_secs(20), || {
        if shows(&last) { Ok(()) } else { Err("not yet".to_owned()) }
    });
    assert!(goes_on(&snapshot(&desktop, &app)) && !shows("Paragraph 1."));
}

#[test]
fn a_text_of_writer_that_shows_whole() {
    let desktop = Desktop::start();
    let letter = desktop.open(&libreoffice::LETTER);
    assert!(!goes_on(&snapshot(&desktop, &letter)));
}

/// Whether the document is said to go on beyond what is listed.
#[track_caller]
fn goes_on(snapshot: &Value) -> bool {
    let document = tree::all(&snapshot["tree"]).find(|node| node["role"] == "document");
    document.expect("a document")["may_have_more"] == true
}

/// Clicks the middle of what shows under that name, so that the list has the keys, and presses
/// End. What was not on the screen would not be hit.
#[track_caller]
fn go_to_the_end(desktop: &Desktop, app: &App, name: &str) {
    let found = find(desktop, app, name);
    let reference = found["matches"][0]["ref_id"].as_str().unwrap();
    let bounds = desktop.run(&["get", reference, "--property", "bounds", "--timeout-ms", "20000"]);
    let bounds = bounds.data()["value"].clone();
    let middle = |from: &str, size: &str| {
        (bounds[from].as_i64().unwrap() + bounds[size].as_i64().unwrap() / 2).to_string()
    };
    let (x, y) = (middle("x", "width"), middle("y", "height"));
    key(desktop, &["mousemove", &x, &y, "click", "1", "key", "End"]);
}

/// The names of the files that show.
fn files(snapshot: &Value) -> Vec<String> {
    let Some(grid) = tree::all(&snapshot["tree"]).find(|node| node["may_have_more"] == true) else {
        return Vec::new();
    };
    let cells = grid["children"].as_array().unwrap().iter().filter(|cell| !is_offscreen(cell));
    cells.filter_map(|cell| cell["name"].as_str().map(str::to_owned)).collect()
}

/// The names of the rows that show, and how many others there are.
fn rows(desktop: &Desktop, app: &App) -> (Vec<String>, usize) {
    let snapshot = snapshot(desktop, app);
    let list = tree::all(&snapshot["tree"]).find(|node| node["role"] == "list").unwrap();
    let (hidden, shown): (Vec<&Value>, Vec<&Value>) =
        list["children"].as_array().unwrap().iter().partition(|row| is_offscreen(row));
    let name =
        |row: &Value| tree::all(row).find_map(|node| node["name"].as_str().map(str::to_owned));
    (shown.into_iter().filter_map(name).collect(), hidden.len())
}

fn is_offscreen(node: &Value) -> bool {
    node["states"].as_array().is_some_and(|states| states.contains(&"offscreen".into()))
}

fn snapshot(desktop: &Desktop, app: &App) -> Value {
    let window = app.window_id();
    let run = desktop.run(&["snapshot", "--window-id", &window, "--timeout-ms", "20000"]);
    let data = run.data();
    assert_eq!(data["complete"], true, "{run}");
    data
}

fn find(desktop: &Desktop, app: &App, text: &str) -> Value {
    let window = app.window_id();
    let arguments = ["find", "--window-id", &window, "--text", text, "--exact"];
    desktop.run(&[&arguments[..], &["--timeout-ms", "20000"]].concat()).data()
}

fn key(desktop: &Desktop, arguments: &[&str]) {
    let status = desktop.command("xdotool").args(arguments).status().expect("xdotool runs");
    assert!(status.success());
}
