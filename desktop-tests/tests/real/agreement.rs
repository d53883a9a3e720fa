//! Our tree is the tree that libatspi reads: the same number of elements of each role, with the
//! same names after the name rules, as enabled and as checked.

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
    // GTK 4.8 says of nothing but windows that it shows; a closed popover is not there at all.
    open_and_close(&desktop, &app, ("push button", "GtkMenuButton"), ("Preferences", "visible"));
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
    open_and_close(&desktop, &app, ("toggle button", "Menu"), ("Get Busy", "showing"));
    compare(&desktop, &app, "gtk3-widget-factory", "GTK 3.24");
}

/// Opens a menu as another program would, by pressing its button, and closes it the same way. An
/// item with that state tells whether it is open. The program under test looks at the open menu
/// too, so that whatever this leaves in the application's cache is there.
fn open_and_close(desktop: &Desktop, app: &App, button: (&str, &str), item: (&str, &str)) {
    let pid = app.process.id();
    for open in [true, false] {
        desktop.press(pid, button.0, button.1);
        let what = format!("{} to be {}", item.0, if open { "open" } else { "closed" });
        wait::until(&what, Duration::from_secs(20), || {
            if has(&desktop.independent_tree(pid), item) == open {
                Ok(())
            } else {
                Err("not".into())
            }
        });
        desktop.run(&["list-surfaces"]).envelope();
    }
    app.process.settle();
}

fn has(node: &Node, (name, state): (&str, &str)) -> bool {
    let this = node.raw_name == name && node.states.iter().any(|one| one == state);
    this || node.children.iter().any(|child| has(child, (name, state)))
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
            let line = format!("{side}, {} times: {name}", i64::abs(balance));
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
    *tally.entry(our_look(ours)).or_default() += 1;
    *tally.entry(their_look(theirs)).or_default() -= 1;
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
                    *tally.entry(our_look(node)).or_default() += 1;
                }
            }
            (None, Some(other)) => missing(other, tally, total),
            (None, None) => return,
        }
    }
}

fn missing(theirs: &Node, tally: &mut BTreeMap<(String, String), i64>, total: &mut usize) {
    *tally.entry(their_look(theirs)).or_default() -= 1;
    *total += 1;
    for child in &theirs.children {
        missing(child, tally, total);
    }
}

/// Role, and what else is compared of an element.
fn our_look(node: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let is = |state: &str| node["states"].as_array().is_some_and(|all| all.contains(&state.into()));
    (text(&node["role"]), look(&text(&node["name"]), is("disabled"), is("checked")))
}

fn their_look(node: &Node) -> (String, String) {
    let is = |state: &str| node.states.iter().any(|one| one == state);
    // GTK 4.8 never says ENABLED; both say SENSITIVE of what can be used.
    let look = look(&node.name, !is("sensitive"), is("checked"));
    (canonical(node.role).to_owned(), look)
}

fn look(name: &str, disabled: bool, checked: bool) -> String {
    let disabled = if disabled { ", disabled" } else { "" };
    let checked = if checked { ", checked" } else { "" };
    format!("{name:?}{disabled}{checked}")
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
