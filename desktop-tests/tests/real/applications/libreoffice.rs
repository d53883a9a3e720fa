//! LibreOffice: what every application is checked for, then its sheets and tables.

use std::{fs, time::Duration};

use desktop_tests::{
    App, Desktop,
    applications::libreoffice::{self, CALC, ROWS, WRITER},
    bus::Call,
    tree, wait,
};
use serde_json::Value;

use super::{Asked, visit_open};

#[test]
fn calc() {
    let desktop = Desktop::start();
    let app = desktop.open(&CALC);
    visit_open(&desktop, &app, &CALC, Asked::FewCells);
    what_shows_of_the_sheet_is_listed(&desktop, &app);
    a_search_says_how_much_it_did_not_search(&desktop, &app);
    an_item_of_a_closed_menu_is_asked_by_its_ref(&desktop, &app);
    a_cell_is_its_place(&desktop, &app);
}

#[test]
fn writer() {
    let desktop = Desktop::start();
    let app = desktop.open(&WRITER);
    visit_open(&desktop, &app, &WRITER, Asked::Snapshots);

    let snapshot = snapshot(&desktop, &app, &[]);
    let table = tree::all(&snapshot["tree"]).find(|node| node["role"] == "table").unwrap();
    assert_eq!((&table["rows"], &table["columns"]), (&4.into(), &3.into()), "{table:#}");
    let cells: Vec<&Value> = tree::all(table).filter(|node| node["role"] == "cell").collect();
    assert_eq!(cells.len(), 12, "{table:#}");
    for cell in cells {
        let says = tree::all(cell).find_map(|node| node["value"].as_str()).unwrap();
        assert_eq!(says, format!("at {}, {}", cell["row"], cell["column"]), "{cell:#}");
    }
}

/// Every cell that the document fills and the screen has room for, with what is in it, against
/// the document as it was written.
fn what_shows_of_the_sheet_is_listed(desktop: &Desktop, app: &App) {
    let snapshot = snapshot(desktop, app, &["-i", "--compact"]);
    let sheet = tree::all(&snapshot["tree"]).find(|node| node["role"] == "table").unwrap();
    assert_eq!(sheet["name"], "Sheet Stock");
    let size = (&sheet["rows"], &sheet["columns"], &sheet["children_count"]);
    assert_eq!(size, (&1_048_576.into(), &16_384.into(), &17_179_869_184_u64.into()));

    let cells: Vec<&Value> = tree::all(sheet).filter(|node| node["role"] == "cell").collect();
    assert_eq!(cells.len() as u32, 3 * ROWS, "{sheet:#}");
    let mut listed = cells.iter();
    for row in 1..=ROWS {
        let (texts, formula) = libreoffice::row(row);
        for (text, (column, letter)) in texts.iter().zip((1..).zip(["A", "B", "C"])) {
            let cell = listed.next().unwrap();
            assert_eq!(cell["name"], format!("{letter}{row}"), "{cell}");
            assert_eq!((&cell["row"], &cell["column"]), (&row.into(), &column.into()), "{cell}");
            assert_eq!(cell["value"], **text, "{cell}");
            let formula = formula.as_deref().filter(|_| column == 3);
            assert_eq!(cell["formula"].as_str(), formula, "{cell}");
            let has_cursor = cell["states"].as_array().unwrap().contains(&"focused".into());
            assert_eq!(has_cursor, (row, column) == (1, 1), "{cell}");
        }
    }
    // As many blank ones as the screen has room for beside them.
    let blank = sheet["blank_cells"].as_u64().unwrap();
    assert!((200..2_000).contains(&blank), "{blank} blank cells show");
}

fn a_search_says_how_much_it_did_not_search(desktop: &Desktop, app: &App) {
    let found = find(desktop, app, &["--role", "cell", "--text", "thing 7"]);
    assert_eq!(found["matches"][0]["name"], "A7", "{found:#}");
    assert_eq!(found["total_matches"], 1, "{found:#}");
    assert!(found["unsearched"].as_u64() > Some(17_179_000_000), "{found:#}");
    let blank = find(desktop, app, &["--role", "cell", "--name", "D7", "--exact"]);
    assert_eq!(
        (&blank["matches"][0]["row"], &blank["matches"][0]["column"]),
        (&7.into(), &4.into())
    );
}

fn an_item_of_a_closed_menu_is_asked_by_its_ref(desktop: &Desktop, app: &App) {
    let snapshot = snapshot(desktop, app, &["-i"]);
    let menus = || tree::all(&snapshot["tree"]).filter(|node| node["role"] == "menu");
    let file = menus().find(|node| node["name"] == "File").unwrap();
    assert!(menus().all(|node| node["children"].is_null() || node["children_count"].is_null()));
    let count = file["children_count"].as_u64().unwrap();
    let drilled = desktop
        .run(&["snapshot", "--root", file["ref_id"].as_str().unwrap(), "--timeout-ms", "20000"])
        .data();
    let items = drilled["tree"]["children"].as_array().unwrap();
    assert_eq!(items.len() as u64, count);
    let close = items.iter().find(|item| item["name"] == "Close").unwrap();
    assert_eq!(get(desktop, close["ref_id"].as_str().unwrap())["value"], "Close");
}

/// A ref to a cell answers about that cell once its object is gone, whatever is in it by then,
/// and never about that place of another sheet.
fn a_cell_is_its_place(desktop: &Desktop, app: &App) {
    const B4: (u32, u32) = (4, 2);
    let found = find(desktop, app, &["--role", "cell", "--name", "B4", "--exact", "--first"]);
    let price = found["match"]["ref_id"].as_str().unwrap();
    let found = find(desktop, app, &["--role", "cell", "--name", "C4", "--exact", "--first"]);
    let double = found["match"]["ref_id"].as_str().unwrap();
    for reference in [price, double] {
        await_death_of_the_object(desktop, app, reference);
    }
    assert_eq!(get(desktop, price)["value"], *desktop.cell(app, B4).text);
    assert_eq!(get(desktop, price)["value"], "40");
    assert_eq!(get(desktop, double)["value"], "80");

    let theirs = desktop.set_cell(app, B4, 123.0);
    assert_eq!((&*theirs.name, &*theirs.table), ("B4", "Sheet Stock"));
    wait::until("123 in B4", Duration::from_secs(20), || {
        match get(desktop, price)["value"].as_str() {
            Some("123") => Ok(()),
            other => Err(format!("{other:?}")),
        }
    });
    assert_eq!(get(desktop, double)["value"], "246", "what is computed from it");
    assert_eq!(desktop.cell(app, (4, 3)).text, "246");

    desktop.select(app, "page tab", "Other");
    wait::until("the other sheet", Duration::from_secs(20), || {
        let cell = desktop.cell(app, B4);
        if cell.table == "Sheet Other" { Ok(()) } else { Err(cell.table) }
    });
    let refused = desktop.run(&["get", price, "--timeout-ms", "20000"]);
    assert_eq!(refused.envelope()["error"]["code"], "STALE_REF", "{refused}");

    desktop.select(app, "page tab", "Stock");
    wait::until("the first sheet", Duration::from_secs(20), || {
        let cell = desktop.cell(app, B4);
        if cell.table == "Sheet Stock" { Ok(()) } else { Err(cell.table) }
    });
    assert_eq!(get(desktop, price)["value"], "123");
}

/// Waits until nothing answers at the path that was saved for the ref.
#[track_caller]
fn await_death_of_the_object(desktop: &Desktop, app: &App, reference: &str) {
    let path = saved_path(desktop, reference);
    let mut bus = desktop.accessibility_bus();
    wait::until(&format!("{path} to die"), Duration::from_secs(120), || {
        let ask = Call::new(&app.bus_name, &path, "org.a11y.atspi.Accessible", "GetRole");
        match bus.call(ask) {
            Ok(_) => Err("it answers".into()),
            Err(_) => Ok(()),
        }
    });
}

/// The object path that the snapshot of a ref holds for it: the longest one of its file, or the
/// only one of a cell.
fn saved_path(desktop: &Desktop, reference: &str) -> String {
    let (snapshot, number) = reference.trim_start_matches('@').split_once(":e").unwrap();
    let file = files_below(&desktop.state_root())
        .into_iter()
        .find(|path| path.to_string_lossy().contains(snapshot))
        .expect("a saved snapshot");
    let map: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let number: u64 = number.parse().unwrap();
    let refs = map["refs"].as_array().unwrap();
    let element = refs.iter().find(|entry| entry[0] == number).unwrap()[1].as_u64().unwrap();
    map["elements"][usize::try_from(element).unwrap()][2].as_str().unwrap().to_owned()
}

fn files_below(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            files.extend(files_below(&entry.path()));
        } else {
            files.push(entry.path());
        }
    }
    files
}

fn snapshot(desktop: &Desktop, app: &App, arguments: &[&str]) -> Value {
    let window = app.window_id();
    let whole = ["snapshot", "--window-id", &window, "--max-depth", "50", "--timeout-ms", "20000"];
    let run = desktop.run(&[&whole[..], arguments].concat());
    let data = run.data();
    assert_eq!(data["complete"], true, "{run}");
    data
}

fn find(desktop: &Desktop, app: &App, arguments: &[&str]) -> Value {
    let window = app.window_id();
    desktop
        .run(&[&["find", "--window-id", &window, "--timeout-ms", "20000"][..], arguments].concat())
        .data()
}

fn get(desktop: &Desktop, reference: &str) -> Value {
    desktop.run(&["get", reference, "--timeout-ms", "20000"]).data()
}
