//! A ref leads to the element that it was made for, or nowhere, whatever a real toolkit does to
//! the window meanwhile. The window is a puppet: what became of each element is known because it
//! was told to.

use std::{process::Stdio, time::Duration};

use desktop_tests::{App, Desktop, Process, applications::gtk4, reader::Node, tree, wait};
use serde_json::Value;

/// GTK 3.24.38 lists the cells of a tree view one by one, without rows. They keep their addresses
/// while their row is given other content, and answer for some 16 s after they are gone.
#[test]
fn cells_and_buttons_of_gtk_3() {
    let desktop = Desktop::start();
    let mut app = puppet(&desktop, "rows");
    let window = snapshot(&desktop);
    let button = |name: &str| reference(named(&window, name));
    let (yes, no) = (button("Yes"), button("No"));
    let [rent, food, fuel] = ["Rent", "Food", "Fuel"].map(|name| row(&window, name));
    for cell in rent.iter().chain(&food).chain(&fuel).chain([&yes, &no]) {
        assert_eq!(ask(&desktop, cell), "ok");
    }

    app.process.tell("question.set_label('Delete EVERYTHING?')");
    assert_eq!(ask(&desktop, &yes), "context_changed");
    assert_eq!(ask(&desktop, &no), "context_changed");
    app.process.tell("question.set_label('Delete carol?')");
    assert_eq!(ask(&desktop, &yes), "ok", "and now it asks the same again");

    app.process.tell("store.set_sort_column_id(1, Gtk.SortType.ASCENDING)");
    app.process.tell("store.set(store.append(None), [0, 1, 2, 3], [False, 'Bus', '70', 'open'])");
    let theirs = desktop.independent_tree(&app);
    for (name, cells) in [("Rent", &rent), ("Food", &food), ("Fuel", &fuel)] {
        for (column, cell) in cells.iter().enumerate() {
            let bounds = desktop.run(&["get", cell, "--property", "bounds"]).data();
            let sides = ["x", "y", "width", "height"].map(|side| bounds["value"][side].as_f64());
            let ours = sides.map(|side| side.map(|side| side as i32));
            assert_eq!(ours, cell_of(&theirs, name, column).map(Some), "{name} {column}");
        }
    }

    app.process.tell("store.set_value(row('Food'), 1, 'Fees')");
    let [paid, name, amount, state] = food.each_ref().map(|cell| ask(&desktop, cell));
    assert_eq!(name, "saved_ref_absent", "it says something else");
    assert_eq!([paid, amount, state], ["context_changed"; 3], "they say the same of another");
    assert_eq!(ask(&desktop, &rent[3]), "ok");

    app.process.tell("store.remove(row('Fees'))");
    assert!(food.iter().all(|cell| ask(&desktop, cell) == "saved_ref_absent"));
    assert_eq!(ask(&desktop, &fuel[3]), "ok");

    app.process.tell("store.clear(); fill()");
    for cell in rent.iter().chain(&food).chain(&fuel) {
        assert_eq!(ask(&desktop, cell), "saved_ref_absent", "equal rows, made anew");
    }
    assert_eq!(ask(&desktop, &yes), "ok");

    // Nothing tells these but their addresses, and those answer for a while.
    let only_names = "[it.set_visible(it.get_title() == 'Name') for it in view.get_columns()]";
    app.process.tell(only_names);
    let cell = reference(named(&snapshot(&desktop), "Fuel"));
    assert_eq!(ask(&desktop, &cell), "ok");
    app.process.tell("store.clear(); fill()");
    assert_eq!(ask(&desktop, &cell), "saved_ref_absent");
}

/// GTK 4.8.3 does not say itself what a menu button is called, and lists what is in the pages of a
/// stack as if there were no pages.
#[test]
fn buttons_and_pages_of_gtk_4() {
    let desktop = Desktop::start();
    let mut app = puppet(&desktop, "pages");
    let first = snapshot(&desktop);
    let second = snapshot(&desktop);
    let outline = |window| {
        let line = |node: &Value| format!("{} {}", node["role"], node["name"]);
        tree::all(window).map(line).collect::<Vec<_>>()
    };
    assert_eq!(outline(&first), outline(&second), "read for the first time, and again");
    let button = reference(named(&first, "Rent 3"));
    let page = tree::all(&first).any(|node| node["name"] == "Rent" && node["role"] == "group");
    assert!(page, "no page: {first:#}");
    let mode = reference(named(&first, "Basic"));
    assert_eq!([&button, &mode].map(|one| ask(&desktop, one)), ["ok", "ok"]);

    app.process.tell("mode.set_label('Advanced')");
    assert_eq!(ask(&desktop, &mode), "saved_ref_absent");
    app.process.tell("stack.set_visible_child_name('Food')");
    assert_eq!(ask(&desktop, &button), "ok", "on a page that is not shown now");
    assert_eq!(shown_buttons(&desktop, "Rent"), 0, "a page that was in front before");
    assert_eq!(shown_buttons(&desktop, "Food"), 6);
    is_hidden(&desktop, &["click", &button]);
    let third = snapshot(&desktop);
    app.process.tell("stack.set_visible_child_name('Rent')");
    assert_eq!(shown_buttons(&desktop, "Rent"), 6, "in front again");
    is_hidden(&desktop, &["click", &reference(named(&third, "Food 3"))]);
    let clicked = desktop.run(&["click", &button]).envelope();
    assert_eq!(clicked["ok"], true, "{clicked:#}");
    assert_eq!(ask(&desktop, &reference(named(&third, "Advanced"))), "ok");
    app.process.tell("mode.set_label('Basic')");
    assert_eq!(ask(&desktop, &mode), "ok");
}

/// A row of a list view of GTK 4.8.3 is given another item when its own is replaced, and a button acts a quarter of a second after it is pressed.
#[test]
fn rows_of_a_list_of_gtk_4_that_are_given_other_items() {
    let desktop = Desktop::start();
    let mut app = puppet(&desktop, "list");
    let delete = |window: &Value, name: &str| {
        let beside = |row: &&Value| tree::all(row).any(|node| node["name"] == name);
        let rows = tree::all(window).filter(|node| node["role"] == "layoutitem");
        reference(named(rows.into_iter().find(beside).expect("a row"), "Delete"))
    };
    let food = delete(&snapshot(&desktop), "Food");
    app.process.tell("model.splice(0, 1, ['Bus', 'Rail'])");
    assert_eq!(desktop.run(&["click", &food]).envelope()["ok"], true, "it is further down");
    app.process.tell("assert clicked == ['Food'], clicked; clicked.clear()");
    app.process.tell("model.splice(2, 1, ['Bike'])");
    let refused = desktop.run(&["click", &food]).envelope();
    assert_eq!(refused["error"]["disposition"]["delivery"], "not_delivered", "{refused:#}");
    app.process.tell("assert clicked == [], clicked");

    app.process.tell("pressed = lambda: model.splice(1, 1, ['Bus'])");
    let told = wait::until("a press to be overtaken and told", Duration::from_secs(60), || {
        app.process.tell("model.splice(0, model.get_n_items(), ['Rent', 'Food', 'Fuel'])");
        let food = delete(&snapshot(&desktop), "Food");
        let told = desktop.run(&["click", &food]).envelope();
        match told["error"]["details"]["kind"] == "identity_changed" {
            true => Ok(told),
            false => Err(told.to_string()),
        }
    });
    assert_eq!(told["error"]["disposition"]["delivery"], "delivery_uncertain", "{told:#}");
    app.process.tell("pressed = lambda: None; clicked.clear()");
    app.process.tell("model.splice(0, model.get_n_items(), ['Rent', 'Food', 'Fuel'])");
    let food = delete(&snapshot(&desktop), "Food");
    assert_eq!(desktop.run(&["click", &food]).envelope()["ok"], true);
    app.process.tell("assert clicked == ['Food'], clicked");
}

/// Windows of one kind are told apart by what they are called, while each keeps its widgets.
#[test]
fn windows_that_exchange_their_documents() {
    let desktop = Desktop::start();
    let mut app = puppet(&desktop, "twins");
    let windows = || {
        let windows = desktop.run(&["list-windows", "--app", "puppet"]).data();
        windows.as_array().cloned().unwrap_or_default()
    };
    let titled = |title: &str| windows().into_iter().find(|window| window["title"] == title);
    let one = wait::until("both windows", Duration::from_secs(20), || {
        match (titled("one"), titled("two")) {
            (Some(one), Some(_)) => Ok(one["id"].as_str().expect("an id").to_owned()),
            found => Err(format!("{found:?}")),
        }
    });
    let find = ["find", "--window-id", &one, "--role", "button", "--name", "Save", "--first"];
    let save = reference(&desktop.run(&find).data()["match"]);
    app.process.tell("windows[0].set_title('*one')");
    assert_eq!(desktop.run(&["click", &save]).envelope()["ok"], true, "it was only changed");
    app.process.tell("assert saved == ['one'], saved");
    app.process.tell(
        "[w.set_title(t) or e.set_text(t) for w, e, t in zip(windows, texts, ['two', 'one'])]",
    );
    wait::until("both titles", Duration::from_secs(20), || match (titled("one"), titled("two")) {
        (Some(_), Some(_)) => Ok(()),
        found => Err(format!("{found:?}")),
    });
    let refused = desktop.run(&["click", &save]).envelope();
    assert_eq!(refused["error"]["details"]["kind"], "context_changed", "{refused:#}");
    app.process.tell("assert saved == ['one'], saved");
}

/// GTK 4.8.3 says of the text of a tab that it shows, whichever tab is in front.
#[test]
fn texts_behind_a_tab_of_gtk_4() {
    let desktop = Desktop::start();
    let files = tempfile::tempdir().expect("a directory");
    let paths = ["one", "two"].map(|name| {
        let path = files.path().join(name);
        std::fs::write(&path, name).expect("a file");
        path.to_str().expect("a path in UTF-8").to_owned()
    });
    let _editor = desktop.launch("gnome-text-editor", &[&paths[0], &paths[1]]);
    let texts = |filters: &[&str]| {
        let find = ["find", "--app", "gnome-text-editor", "--role", "textfield"];
        let found = desktop.run(&[&find[..], filters].concat()).data();
        let found = found["matches"].as_array().cloned().unwrap_or_default();
        let value = |one: &Value| one["value"].as_str().unwrap_or_default().to_owned();
        found.iter().map(|one| (value(one), reference(one))).collect::<Vec<_>>()
    };
    let await_front = |name: &str| {
        wait::until(&format!("{name} to be in front"), Duration::from_secs(20), || {
            let shown = texts(&["--state", "visible"]);
            let is_it = shown.len() == 1 && shown[0].0 == name && texts(&[]).len() == 2;
            if is_it { Ok(()) } else { Err(format!("{shown:?}")) }
        });
    };
    // Both have been in front once when the first one is shown.
    await_front("two");
    let switch = ["key", "ctrl+Page_Up"];
    assert!(desktop.command("xdotool").args(switch).status().expect("xdotool runs").success());
    await_front("one");
    for (text, of) in texts(&[]) {
        match text.as_str() {
            "one" => {
                let set = desktop.run(&["set-value", &of, "1"]).data();
                assert_eq!(set["disposition"]["delivery"], "delivered_verified", "{set:#}");
            }
            _ => is_hidden(&desktop, &["set-value", &of, "2"]),
        }
    }
    let now: Vec<String> = texts(&[]).into_iter().map(|(text, _)| text).collect();
    assert_eq!(now, ["1", "two"]);
}

/// The controls of each page of an editor are equal, those of two pages of one name in everything.
/// What is typed reaches the document that was looked at, or none.
#[test]
fn documents_of_qt() {
    for kind in ["qt5", "qt6"] {
        let desktop = Desktop::start();
        let mut python = desktop.command("/usr/bin/python3");
        python
            .args([concat!(env!("CARGO_MANIFEST_DIR"), "/programs/documents.py"), kind])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut app = desktop.await_window("documents", Process::spawn(&mut python).unwrap());
        let does = |app: &mut App, statement: &str| -> Vec<(String, String)> {
            let texts = app.process.ask(statement);
            app.settle();
            serde_json::from_str(&texts).unwrap_or_else(|_| panic!("{kind}: {texts}"))
        };
        let texts = |texts: &[(String, String)]| {
            texts.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>()
        };
        // The text and the button of the page that shows.
        let shown = |role: &str| {
            let found = desktop
                .run(&["find", "--app", "documents", "--role", role, "--state", "visible"])
                .data();
            let found = found["matches"].as_array().cloned().unwrap_or_default();
            let found = found.iter().find(|one| role != "button" || one["name"] == "Clear");
            reference(found.unwrap_or_else(|| panic!("{kind}: no {role}")))
        };
        let does_type = |to: &str| desktop.run(&["type", to, "x"]).envelope();
        let types_in_vain =
            |to: &str| desktop.run(&["type", to, "x", "--timeout-ms", "700"]).envelope();
        let is_not_sent = |answer: &Value| {
            assert_eq!(answer["ok"], false, "{kind}: {answer:#}");
            assert_eq!(answer["error"]["disposition"]["delivery"], "not_delivered", "{answer:#}");
        };

        let (first, clear) = (shown("textfield"), shown("button"));
        assert_eq!(does_type(&first)["ok"], true, "{kind}");
        assert_eq!(texts(&does(&mut app, "pass")), ["x", "", ""], "{kind}");

        does(&mut app, "pages.setCurrentIndex(1)");
        is_not_sent(&types_in_vain(&first));
        is_not_sent(&desktop.run(&["click", &clear, "--timeout-ms", "700"]).envelope());
        assert_eq!(ask(&desktop, &first), "ok", "{kind}: it is still there, behind the other");
        let second = shown("textfield");
        assert_eq!(does_type(&second)["ok"], true, "{kind}");
        assert_eq!(texts(&does(&mut app, "pass")), ["x", "x", ""], "{kind}");

        let before = paths_of_texts(&desktop.independent_tree(&app));
        assert_eq!(texts(&does(&mut app, "close(0)")), ["x", ""], "{kind}");
        is_not_sent(&types_in_vain(&first));
        is_not_sent(&desktop.run(&["click", &clear, "--timeout-ms", "700"]).envelope());
        does(&mut app, "add('Untitled')");
        does(&mut app, "pages.setCurrentIndex(2)");
        is_not_sent(&types_in_vain(&first));
        is_not_sent(&types_in_vain(&second));
        assert_eq!(ask(&desktop, &first), "saved_ref_absent", "{kind}");
        let after = paths_of_texts(&desktop.independent_tree(&app));
        let kept = before.iter().filter(|path| after.contains(path)).count();
        assert_eq!((before.len(), kept, after.len()), (3, 2, 3), "{kind}: {before:?} {after:?}");
        does(&mut app, "pages.setCurrentIndex(0)");
        assert_eq!(does_type(&second)["ok"], true, "{kind}: shown again");
        assert_eq!(texts(&does(&mut app, "pass")), ["xx", "", ""], "{kind}");
    }
}

/// GTK 3.24.38 leaves fields nameless and relates them to their labels.
#[test]
fn fields_of_gtk_3_go_by_their_labels() {
    let desktop = Desktop::start();
    let mut app = puppet(&desktop, "form");
    let find = |name: &str| {
        let filters = ["--role", "textfield", "--name", name];
        let found = desktop.run(&[&["find", "--app", "puppet"][..], &filters].concat()).data();
        assert_eq!(found["total_matches"], 1, "{name}: {found:#}");
        reference(&found["matches"][0])
    };
    let fields = ["find", "replace", "note"].map(find);
    for (field, text) in fields.iter().zip(["F", "R", "N"]) {
        desktop.run(&["set-value", field, text]).data();
    }
    app.process
        .tell("assert find.get_text() + replace.get_active_text() + note.get_text() == 'FRN'");
    let title = desktop.run(&["get", &fields[0], "--property", "title"]).data();
    assert_eq!(title["value"], "Find:");
    app.process.tell("[it.set_text('Find again:') for it in labels[:1]]");
    let refused = desktop.run(&["set-value", &fields[0], "x"]).envelope();
    assert_eq!(refused["error"]["details"]["kind"], "saved_ref_absent", "{refused:#}");
    app.process.tell("assert find.get_text() == 'F'");
}

fn paths_of_texts(node: &Node) -> Vec<String> {
    let this = (node.role_name == "text").then(|| node.path.clone());
    this.into_iter().chain(node.children.iter().flat_map(paths_of_texts)).collect()
}

fn puppet(desktop: &Desktop, kind: &str) -> App {
    let mut python = desktop.command("/usr/bin/python3");
    python
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/programs/puppet.py"))
        .arg(kind)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        // GTK 4.8.3 complains each time that somebody asks where something is.
        .stderr(Stdio::null());
    desktop.await_window(kind, Process::spawn(&mut python).expect("python3 runs"))
}

/// The whole window of the puppet.
#[track_caller]
fn snapshot(desktop: &Desktop) -> Value {
    desktop.run(&["snapshot", "--app", "puppet", "--max-depth", "50"]).data()["tree"].take()
}

fn named<'a>(window: &'a Value, name: &str) -> &'a Value {
    let found = tree::all(window).find(|node| node["name"] == name && node["ref_id"].is_string());
    found.unwrap_or_else(|| panic!("no {name} in {window:#}"))
}

/// GTK 4.8.3 does not say what a menu button is called, but the label in it does. While its menu is
/// open there are more of those.
#[test]
fn a_button_of_gtk_4_is_the_same_while_its_menu_is_open() {
    let desktop = Desktop::start();
    let app = desktop.open(&gtk4::CALCULATOR);
    let window = app.window_id();
    let find =
        ["find", "--window-id", &window, "--description", "Mode selection", "--state", "visible"];
    let found = desktop.run(&[&find[..], &["--first"]].concat()).data();
    let button = reference(&found["match"]);
    for _ in ["open", "closed"] {
        let clicked = desktop.run(&["click", &button]).data();
        assert_eq!(clicked["disposition"]["delivery"], "delivered_verified", "{clicked:#}");
        assert_eq!(ask(&desktop, &button), "ok", "{clicked:#}");
    }
}

fn reference(node: &Value) -> String {
    node["ref_id"].as_str().unwrap_or_else(|| panic!("no ref: {node}")).to_owned()
}

/// The refs of the cells beside the one called `name`.
fn row(window: &Value, name: &str) -> [String; 4] {
    let children = |node: &Value| node["children"].as_array().cloned().unwrap_or_default();
    let has_cells = |node: &&Value| children(node).iter().any(|child| child["name"] == name);
    let table = tree::all(window).find(has_cells).expect("a table");
    let cells = children(table).into_iter().filter(|child| child["role"] == "cell");
    let cells: Vec<Value> = cells.collect();
    let at = cells.iter().position(|cell| cell["name"] == name).expect("a cell");
    [at - 1, at, at + 1, at + 2].map(|at| reference(&cells[at]))
}

/// Where libatspi has the cell in a column of the row of `name`.
fn cell_of(node: &Node, name: &str, column: usize) -> [i32; 4] {
    let place = |node: &Node| node.children.iter().position(|child| child.name == name);
    let table = node.find(|node| place(node).is_some()).expect("a table");
    let first = place(table).expect("a row") - 1;
    table.children[first + column].bounds.expect("a place on the screen")
}

/// How many buttons are said to show whose name begins with `name`.
#[track_caller]
fn shown_buttons(desktop: &Desktop, name: &str) -> u64 {
    let filters = ["--app", "puppet", "--role", "button", "--state", "visible", "--name", name];
    desktop.run(&[&["find"][..], &filters].concat()).data()["total_matches"].as_u64().unwrap_or(0)
}

/// An action is refused because its element is hidden, and nothing is sent.
#[track_caller]
fn is_hidden(desktop: &Desktop, action: &[&str]) {
    let answer = desktop.run(&[action, &["--timeout-ms", "700"]].concat()).envelope();
    let error = &answer["error"];
    assert_eq!(error["disposition"]["delivery"], "not_delivered", "{answer:#}");
    let checks = error["details"]["checks"].as_array().cloned().unwrap_or_default();
    let visible = checks.iter().find(|check| check["check"] == "visible");
    assert_eq!(visible.map(|check| &check["reason"]), Some(&"hidden".into()), "{answer:#}");
}

/// `ok`, or the kind of the refusal.
#[track_caller]
fn ask(desktop: &Desktop, reference: &str) -> String {
    let answer = desktop.run(&["get", reference, "--property", "role"]).envelope();
    answer["error"]["details"]["kind"].as_str().unwrap_or("ok").to_owned()
}
