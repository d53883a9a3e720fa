//! Our tree is the tree that libatspi reads: the same number of elements of each role, with the
//! same names after the name rules.

use std::{collections::BTreeMap, time::Duration};

use desktop_tests::{App, Desktop, reader::Node, wait};
use serde_json::Value;

use crate::accepted_differences::ACCEPTED;

#[test]
fn gnome_calculator_just_started() {
    let desktop = Desktop::start();
    let app = desktop.launch("gnome-calculator", &[]);
    compare(&desktop, &app, "gnome-calculator", "GTK 4.8");
}

#[test]
fn gnome_calculator_after_a_menu_was_open() {
    let desktop = Desktop::start();
    let app = desktop.launch("gnome-calculator", &[]);
    open_and_close(&desktop, &app, "push button", "GtkMenuButton");
    compare(&desktop, &app, "gnome-calculator", "GTK 4.8");
}

#[test]
fn gtk3_widget_factory_just_started() {
    let desktop = Desktop::start();
    let app = desktop.launch("gtk3-widget-factory", &[]);
    compare(&desktop, &app, "gtk3-widget-factory", "GTK 3.24");
}

#[test]
fn gtk3_widget_factory_after_a_menu_was_open() {
    let desktop = Desktop::start();
    let app = desktop.launch("gtk3-widget-factory", &[]);
    open_and_close(&desktop, &app, "toggle button", "Menu");
    compare(&desktop, &app, "gtk3-widget-factory", "GTK 3.24");
}

/// Opens a menu as another program would, and presses its button again. The program under test
/// looks at the open menu too, so that whatever it left in the application's cache is there.
fn open_and_close(desktop: &Desktop, app: &App, role: &str, name: &str) {
    let pid = app.process.id();
    let showing = || -> usize { count_showing(&desktop.independent_tree(pid)) };
    let before = showing();
    desktop.press(pid, role, name);
    wait::until("the menu to open", Duration::from_secs(20), || match showing() {
        more if more > before => Ok(()),
        same => Err(format!("{same} elements show")),
    });
    desktop.run(&["list-surfaces"]).envelope();
    desktop.press(pid, role, name);
    wait::until("the menu to close", Duration::from_secs(20), || match showing() {
        same if same == before => Ok(()),
        more => Err(format!("{more} elements show, {before} before")),
    });
    app.process.settle();
}

fn count_showing(node: &Node) -> usize {
    // GTK 4.8 says of its widgets that they are visible, never that they show.
    let state = if node.states.iter().any(|state| state == "showing") { 1 } else { 0 };
    let visible = node.states.iter().any(|state| state == "visible");
    state + usize::from(visible) + node.children.iter().map(count_showing).sum::<usize>()
}

/// Differences of one role: pairs of role and name that only one side has.
type Differences = BTreeMap<String, Vec<String>>;

#[track_caller]
fn compare(desktop: &Desktop, app: &App, name: &str, toolkit: &str) {
    // Ours first: the other reader's calls fill the application's caches.
    let run = desktop.run(&["snapshot", "--app", name, "--max-depth", "50"]);
    let ours = run.data();
    assert_eq!(ours["complete"], true, "{run}");
    let theirs = desktop.independent_tree(app.process.id());

    let mut tally = BTreeMap::new();
    let mut total = 0;
    count(&ours["tree"], &theirs, &mut tally, &mut total);
    let mut differences = Differences::new();
    for ((role, name), balance) in tally {
        if balance != 0 {
            let side = if balance > 0 { "only ours" } else { "only theirs" };
            let line = format!("{side}, {} times: {name:?}", i64::abs(balance));
            differences
                .entry(role)
                .or_default()
                .extend(std::iter::repeat_n(line, usize::try_from(i64::abs(balance)).unwrap()));
        }
    }
    let mut unexplained = 0;
    for (role, lines) in &differences {
        let accepted: usize = ACCEPTED
            .iter()
            .filter(|row| row.toolkit == toolkit && row.role == role)
            .map(|row| row.count)
            .sum();
        unexplained += lines.len().saturating_sub(accepted);
    }
    assert!(total >= 90, "only {total} elements were compared");
    assert!(
        unexplained * 100 <= total,
        "{unexplained} of {total} elements differ without an accepted cause: {differences:#?}"
    );
    for row in ACCEPTED.iter().filter(|row| row.toolkit == toolkit) {
        let seen = differences.get(row.role).map_or(0, Vec::len);
        assert!(
            seen >= row.count,
            "{} differences of {} are accepted on {toolkit} ({}), but there are {seen}: {differences:#?}",
            row.count,
            row.role,
            row.cause
        );
    }
}

/// Adds one for each element of ours and takes one off for each of theirs. What ours left out on
/// purpose, saying how much, is checked against theirs and left out on that side too.
fn count(
    ours: &Value,
    theirs: &Node,
    tally: &mut BTreeMap<(String, String), i64>,
    total: &mut usize,
) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    *tally.entry((text(&ours["role"]), text(&ours["name"]))).or_default() += 1;
    *tally.entry((canonical(theirs.role).to_owned(), theirs.name.clone())).or_default() -= 1;
    *total += 1;

    let none = Vec::new();
    let children = ours["children"].as_array().unwrap_or(&none);
    if let Some(left_out) = ours["children_count"].as_u64() {
        assert!(children.is_empty(), "a cut element has children: {ours}");
        assert!(is_closed_menu(theirs), "left out without need: {ours}");
        assert_eq!(usize::try_from(left_out).unwrap(), theirs.children.len(), "{ours}");
        return;
    }
    let mut ours_left = children.iter();
    let mut theirs_left = theirs.children.iter();
    loop {
        match (ours_left.next(), theirs_left.next()) {
            (Some(one), Some(other)) => count(one, other, tally, total),
            (Some(one), None) => {
                for node in desktop_tests::tree::all(one) {
                    *tally.entry((text(&node["role"]), text(&node["name"]))).or_default() += 1;
                }
            }
            (None, Some(other)) => missing(other, tally, total),
            (None, None) => return,
        }
    }
}

fn missing(theirs: &Node, tally: &mut BTreeMap<(String, String), i64>, total: &mut usize) {
    *tally.entry((canonical(theirs.role).to_owned(), theirs.name.clone())).or_default() -= 1;
    *total += 1;
    for child in &theirs.children {
        missing(child, tally, total);
    }
}

fn is_closed_menu(node: &Node) -> bool {
    const MENU: u32 = 33;
    node.role == MENU && !node.states.iter().any(|state| state == "showing")
}

/// What the AT-SPI roles of these two applications are called in our vocabulary.
fn canonical(role: u32) -> &'static str {
    match role {
        3 | 26 | 27 => "image",
        7 => "checkbox",
        11 => "combobox",
        20 | 39 => "group",
        23 => "window",
        29 => "statictext",
        31 => "list",
        33 => "menu",
        35 => "menuitem",
        37 => "tab",
        38 => "tablist",
        42 => "progressbar",
        43 | 62 => "button",
        44 => "radiobutton",
        48 => "scrollbar",
        49 => "scrollarea",
        50 => "separator",
        51 => "slider",
        52 => "incrementor",
        55 => "table",
        56 => "cell",
        57 => "column",
        61 | 79 => "textfield",
        98 => "listbox",
        103 => "levelindicator",
        _ => "a role that these applications did not have when this table was written",
    }
}
