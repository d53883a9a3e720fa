//! Addresses that come to mean another element: a tab closes and its neighbour takes its place, a
//! list scrolls and its widgets are given other rows. A ref taken before answers about the element
//! that it was taken of, or is refused. What is true is told by the files that were opened, and by
//! libatspi.

use std::{collections::BTreeMap, fs, time::Duration};

use desktop_tests::{App, Desktop, applications::turns, reader::Node, tree, wait};
use rustix::process::Signal;
use serde_json::Value;

/// Qt 5.15.8 gives the path of a closed tab to the next one.
#[test]
fn tabs_of_featherpad() {
    let desktop = Desktop::start();
    let app = open_three(&desktop, "featherpad");
    turns::press(&desktop, &app, ("page tab", "a.txt"), ("a.txt", "focused"));
    let paths = |tree: &Node| paths_of(tree, &|node| node.role_name == "page tab");
    let before = paths(&desktop.independent_tree(&app));
    let refs = refs(&desktop, &app);
    turns::press_away(&desktop, &app, ("menu item", "Close"), ("a.txt", "visible"));
    let after = paths(&desktop.independent_tree(&app));
    let moved = after.iter().filter(|(path, name)| before.get(*path).is_some_and(|b| b != *name));
    assert!(moved.count() >= 1, "no path changed its meaning: {before:?} {after:?}");
    ask_again(&desktop, &refs, &[]);
}

/// The same with three that have one name, so that nothing tells a tab from the next.
#[test]
fn tabs_of_featherpad_without_names() {
    const TEXTS: [&str; 3] = ["alpha", "beta", "gamma"];
    let desktop = Desktop::start();
    let app = desktop.launch("featherpad", &[]);
    let keys = |arguments: &[&str]| {
        let sent = desktop.command("xdotool").args(arguments).status().expect("xdotool runs");
        assert!(sent.success(), "{arguments:?}");
    };
    let await_texts = |texts: &[&str]| {
        wait::until(&format!("the texts {texts:?}"), Duration::from_secs(30), || {
            let said = desktop.said(&app, "text");
            let there: Vec<_> = said.into_iter().filter_map(|one| one.text).collect();
            let all = texts.iter().all(|text| there.iter().any(|one| one == text));
            let tabs = desktop.said(&app, "page tab").len();
            if all && tabs == texts.len() { Ok(()) } else { Err(format!("{tabs} tabs, {there:?}")) }
        });
    };
    for at in 0..TEXTS.len() {
        if at > 0 {
            keys(&["key", "ctrl+n"]);
        }
        app.settle();
        keys(&["type", TEXTS[at]]);
        await_texts(&TEXTS[..=at]);
    }
    let titles: Vec<_> = desktop.said(&app, "page tab").into_iter().map(|tab| tab.name).collect();
    assert!(titles.iter().all(|title| title.contains("Untitled")), "{titles:?}");
    let window = app.window_id();
    let whole = desktop.run(&["snapshot", "--window-id", &window, "--max-depth", "50"]).data();
    let refs = |role: &str| -> Vec<(String, String)> {
        let nodes = tree::all(&whole["tree"]).filter(|node| node["role"] == role);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        nodes.map(|node| (text(&node["ref_id"]), text(&node["value"]))).collect()
    };
    let (tabs, fields) = (refs("tab"), refs("textfield"));
    assert_eq!(tabs.len(), 3, "{whole:#}");

    // The first is closed, with what was written in it.
    desktop.press(&app, "page tab", &titles[0]);
    app.settle();
    keys(&["key", "ctrl+shift+q"]);
    wait::until("the question", Duration::from_secs(30), || {
        let find =
            ["find", "--app", "FeatherPad", "--name", "Discard", "--role", "button", "--first"];
        let windows = desktop.run(&["list-windows"]).data();
        let ids = windows.as_array().unwrap().iter().filter(|one| one["is_focused"] == true);
        let dialog = ids.map(|one| one["id"].as_str().unwrap().to_owned()).next();
        let dialog = dialog.filter(|id| *id != window).ok_or_else(|| windows.to_string())?;
        let found = desktop.run(&[&find[..], &["--window-id", &dialog]].concat()).envelope();
        let button = found["data"]["match"]["ref_id"].as_str().ok_or_else(|| found.to_string())?;
        desktop.run(&["click", button]).data();
        Ok(())
    });
    await_texts(&TEXTS[1..]);
    app.settle();

    for (tab, _) in &tabs {
        for command in [&["get", tab][..], &["click", tab]] {
            let refused = desktop.run(command).envelope();
            assert_eq!(refused["ok"], false, "{command:?}: any of them may be meant: {refused}");
            let disposition = &refused["error"]["disposition"]["delivery"];
            assert_eq!(disposition, "not_delivered", "{refused}");
        }
    }
    for (field, said) in fields.iter().filter(|(_, said)| TEXTS.contains(&said.as_str())) {
        if let Ok(text) = get(&desktop, field, "value") {
            assert_eq!((&text, text == "alpha"), (said, false), "{field} speaks for another");
        }
    }
}

/// GTK 3.24.38 gives no path to another widget.
#[test]
fn tabs_of_gedit() {
    let desktop = Desktop::start();
    let app = open_three(&desktop, "gedit");
    turns::key(&desktop, &app, "alt+1", ("a.txt", "showing"));
    let refs = refs(&desktop, &app);
    turns::key_away(&desktop, &app, "ctrl+w", ("a.txt", "showing"));
    ask_again(&desktop, &refs, &["b.txt", "beta"]);
}

/// GTK 4.8.3 keeps the widgets of a list and gives them other rows.
#[test]
fn rows_of_a_list_of_gtk_4() {
    let desktop = Desktop::start();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/recycling.py");
    let app = desktop.launch("/usr/bin/python3", &[program]);
    let labels = |tree: &Node| paths_of(tree, &|node| node.raw_name.starts_with("row "));
    let before = labels(&desktop.independent_tree(&app));
    let refs = refs(&desktop, &app);
    let buttons = refs.values().filter(|one| one.title == "Delete").count();
    assert!(buttons >= 5, "only {buttons} buttons can be told from the others: {refs:#?}");

    app.process.signal(Signal::USR1);
    let after = wait::until("the end of the list", Duration::from_secs(30), || {
        let after = labels(&desktop.independent_tree(&app));
        let end = after.values().any(|name| name == "row 500");
        if end { Ok(after) } else { Err(format!("{} rows", after.len())) }
    });
    app.settle();
    let recycled =
        after.iter().filter(|(path, name)| before.get(*path).is_some_and(|b| b != *name));
    assert!(recycled.count() >= 5, "no widget was given another row");
    for (reference, old) in &refs {
        let answer = desktop.run(&["get", reference, "--property", "title"]).envelope();
        let gone = !after.values().any(|name| *name == old.row);
        assert!(!(gone && answer["ok"] == true), "{old:?} of another row: {answer}");
        if gone && old.title == "Delete" {
            let clicked = desktop.run(&["click", reference]).envelope();
            let delivery = &clicked["error"]["disposition"]["delivery"];
            assert_eq!(delivery, "not_delivered", "{old:?} of another row: {clicked}");
        }
    }
}

/// So many refs of a window are asked, each several times.
const MOST: usize = 40;

/// What was said of an element when its ref was new.
#[derive(Debug)]
struct Said {
    title: String,
    text: String,
    /// The label of the row that it stands in, in a list.
    row: String,
}

/// The first refs of a window that answer, with what they say.
fn refs(desktop: &Desktop, app: &App) -> BTreeMap<String, Said> {
    let window = app.window_id();
    let whole = desktop.run(&["snapshot", "--window-id", &window, "--max-depth", "50"]).data();
    let mut refs = BTreeMap::new();
    let mut row = String::new();
    for node in tree::all(&whole["tree"]) {
        if refs.len() == MOST {
            break;
        }
        // A row begins with its label.
        if let Some(name) = node["name"].as_str().filter(|name| name.starts_with("row ")) {
            row = name.to_owned();
        }
        // Of the others there are many, and each costs four questions.
        let told = matches!(node["role"].as_str(), Some("tab" | "textfield" | "statictext"))
            || node["name"] == "Delete";
        let Some(reference) = node["ref_id"].as_str().filter(|_| told) else { continue };
        if let (Ok(title), Ok(text)) =
            (get(desktop, reference, "title"), get(desktop, reference, "text"))
        {
            refs.insert(reference.to_owned(), Said { title, text, row: row.clone() });
        }
    }
    refs
}

/// Asks all refs again. Those that answer say what they said; among them is some of what is
/// `kept`, by title or text.
#[track_caller]
fn ask_again(desktop: &Desktop, refs: &BTreeMap<String, Said>, kept: &[&str]) {
    let mut answered = Vec::new();
    for (reference, old) in refs {
        let Ok(title) = get(desktop, reference, "title") else { continue };
        assert_eq!(title, old.title, "{reference} speaks for another");
        assert_ne!(title, "a.txt", "{reference} speaks for what was closed");
        if let Ok(text) = get(desktop, reference, "text") {
            assert_eq!(text, old.text, "{reference} speaks for another");
            assert_ne!(text.trim(), "alpha", "{reference} speaks for what was closed");
            answered.extend([title, text.trim().to_owned()]);
        }
    }
    assert!(
        kept.is_empty() || kept.iter().any(|one| answered.iter().any(|said| said == one)),
        "nothing of {kept:?} is known any more: {answered:?}"
    );
}

fn get(desktop: &Desktop, reference: &str, property: &str) -> Result<String, Value> {
    let mut envelope = desktop.run(&["get", reference, "--property", property]).envelope();
    match envelope["ok"] {
        Value::Bool(true) => Ok(envelope["data"]["value"].as_str().unwrap_or_default().to_owned()),
        _ => Err(envelope["error"].take()),
    }
}

/// An editor with three files, each in a tab.
fn open_three(desktop: &Desktop, program: &str) -> App {
    let directory = desktop.state_root().join("../home");
    let files = [("a.txt", "alpha"), ("b.txt", "beta"), ("c.txt", "gamma")].map(|(name, text)| {
        let path = directory.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    });
    let app = desktop.launch(program, &files.each_ref().map(String::as_str));
    wait::until("three tabs", Duration::from_secs(30), || {
        if desktop.has(&app, "c.txt", "visible") { Ok(()) } else { Err("not yet".into()) }
    });
    app.settle();
    app
}

/// The raw names of what is so, by path.
fn paths_of(node: &Node, is_so: &dyn Fn(&Node) -> bool) -> BTreeMap<String, String> {
    let this = is_so(node).then(|| (node.path.clone(), node.raw_name.clone()));
    this.into_iter().chain(node.children.iter().flat_map(|child| paths_of(child, is_so))).collect()
}
