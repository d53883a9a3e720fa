//! GTK 3.

use std::{fs, path::Path, time::Duration};

use desktop_tests::{
    applications::{Application, Ready, gtk3},
    wait,
};
use serde_json::json;

use super::{
    gtk,
    work::{Work, count, grabs, is, lists},
};

const GTK: &str = "GTK 3.24";

#[test]
fn gallery_of_gtk_3() {
    let work = Work::on_gallery("gtk3", "gallery of GTK 3", GTK);
    gtk::common(&work);
    work.task("combo box", "choose in a combo box", |work| {
        work.does(&["select", &work.find("combobox", "Fruit"), "Banana"]);
        work.sees("it['Fruit'].get_active_text()", "Banana");
        assert!(work.keyboard_is_free(), "its list was opened");
    });
    work.task("combo box", "open a combo box, see what it holds and close it", |work| {
        let fruit = work.find("combobox", "Fruit");
        work.leaves(&["collapse", &fruit]);
        let opened = work.does(&["expand", &fruit]);
        work.sees("it['Fruit'].props.popup_shown", true);
        work.is_so(&fruit, "expanded", true);
        // It is listed in the combo box, and in a window of its own.
        assert_eq!(count(&opened, "menu"), 1, "{opened:#}");
        work.does(&["collapse", &fruit]);
        work.sees("it['Fruit'].props.popup_shown", false);
        work.is_so(&fruit, "expanded", false);
        work.gives_keyboard_back();
    });
    work.task("switch", "turn a switch on", |work| {
        work.does(&["check", &work.find("button", "Light")]);
        work.sees("it['Light'].get_active()", true);
    });
    work.task("check box", "check a box and clear it", |work| {
        let spicy = work.find("checkbox", "Spicy");
        work.does(&["check", &spicy]);
        work.sees("it['Spicy'].get_active()", true);
        work.does(&["uncheck", &spicy]);
        work.sees("it['Spicy'].get_active()", false);
    });
    work.task("radio group", "choose the other of two", |work| {
        work.does(&["click", &work.find("radiobutton", "Done")]);
        work.sees("[it['Rare'].get_active(), it['Done'].get_active()]", json!([false, true]));
    });
    work.task("check menu item", "check an item of a menu that stays closed", |work| {
        let item = work.item_of(&work.find("menu", "Kitchen"), "Wash");
        work.does(&["click", &item]);
        work.sees("it['wash'].get_state().get_boolean()", true);
        assert!(work.keyboard_is_free(), "the menu was opened");
    });
    work.task("submenu", "open a menu and a submenu, and choose in it", |work| {
        let opened = work.does(&["click", &work.find("menu", "Kitchen")]);
        assert!(lists(&opened, "menu", Some("Kitchen")), "{opened:#}");
        let opened = work.does(&["click", &work.find("menu", "Cook")]);
        assert!(lists(&opened, "menu", Some("Cook")), "{opened:#}");
        work.does(&["click", &work.find("menuitem", "Fry")]);
        work.sees("log", json!(["Fry"]));
        work.gives_keyboard_back();
    });
    work.task("submenu", "close a submenu again", |work| {
        let kitchen = work.find("menu", "Kitchen");
        work.does(&["expand", &kitchen]);
        work.is_so(&kitchen, "expanded", true);
        let cook = work.find("menu", "Cook");
        work.does(&["expand", &cook]);
        work.shows("Fry", "showing");
        work.does(&["collapse", &cook]);
        work.hides("Fry");
        work.is_so(&cook, "expanded", false);
    });
    work.impossible(
        "menu",
        "close a menu of a menu bar",
        "refused: GTK 3 closes it for a choice, or goes on to hold the keyboard",
        |work| {
            let kitchen = work.find("menu", "Kitchen");
            work.refuses(&["collapse", &kitchen], "ACTION_NOT_SUPPORTED", "`click` an item");
            work.shows("Wash", "showing");
            work.acts_upon(&["click", &work.find("menuitem", "Wash")]);
            work.gives_keyboard_back();
        },
    );
    work.task("tree row", "open a row of a tree, choose one below it, close it", |work| {
        let europe = work.find("cell", "Europe");
        work.does(&["expand", &europe]);
        work.does(&["click", &work.find("cell", "Spain")]);
        let chosen = "it['Tree'].get_selection().get_selected_rows()[1][0].get_indices()";
        work.sees(chosen, json!([0, 1]));
        work.does(&["collapse", &europe]);
        work.hears("tree table", |_| true);
        work.sees("it['Tree'].row_expanded(it['Tree'].get_model().get_path(it['Tree'].get_model().get_iter_first()))", false);
    });
    work.task("table cell", "choose a row by a cell of it", |work| {
        work.does(&["click", &work.find("cell", "Oats")]);
        work.sees(
            "it['Table'].get_selection().get_selected_rows()[1][0].get_indices()",
            json!([1]),
        );
    });
    work.impossible(
        "table cell",
        "check a cell",
        "refused: the action `toggle` of a cell of GTK 3 says that it did and does nothing",
        |work| {
            let mark = work.find_by(&["--role", "cell", "--name", "", "--exact", "--nth", "0"]);
            for command in ["check", "toggle"] {
                work.refuses(&[command, &mark], "ACTION_NOT_SUPPORTED", "the pointer and keys");
            }
        },
    );
    work.impossible(
        "table cell",
        "write into a cell",
        "refused: a cell of GTK 3 offers no text of its own",
        |work| {
            let cell = work.find("cell", "two");
            work.refuses(
                &["set-value", &cell, "three"],
                "ACTION_NOT_SUPPORTED",
                "pointer and keys",
            );
        },
    );
    work.finish();
}

#[test]
fn widget_factory_of_gtk_3() {
    let work = Work::on(&gtk3::WIDGET_FACTORY, GTK);
    let usable = |role: &str, nth: &str| {
        ["--role", role, "--state", "enabled", "--state", "visible", "--nth", nth]
            .map(str::to_owned)
    };
    let nth = |work: &Work, role: &str, nth: &str| {
        let filters = usable(role, nth);
        work.find_by(&filters.each_ref().map(String::as_str))
    };
    work.task("check box", "check boxes, and leave what is so already alone", |work| {
        let checked = || work.said("check box").iter().filter(|said| is(said, "checked")).count();
        let before = checked();
        let off = work.find_by(&[
            "--role",
            "checkbox",
            "--state",
            "checked=false",
            "--state",
            "indeterminate=false",
            "--state",
            "enabled",
            "--state",
            "visible",
            "--nth",
            "0",
        ]);
        work.does(&["check", &off]);
        assert_eq!(checked(), before + 1);
        let again = work.run(&["check", &off]).data();
        assert_eq!(again["disposition"]["delivery"], "not_delivered", "{again:#}");
        assert_eq!(checked(), before + 1);
        work.does(&["toggle", &off]);
        assert_eq!(checked(), before);
    });
    work.task("radio group", "turn the page by a radio group", |work| {
        for page in ["Page 2", "Page 1"] {
            work.does(&["click", &work.find("radiobutton", page)]);
            work.hears("radio button", |said| said.name == page && is(said, "checked"));
        }
    });
    work.task("text", "write into an entry and clear it", |work| {
        let entry = nth(work, "textfield", "0");
        work.does(&["set-value", &entry, "wörld"]);
        work.hears("text", |said| said.text.as_deref() == Some("wörld"));
        work.does(&["clear", &entry]);
        assert!(!work.said("text").iter().any(|said| said.text.as_deref() == Some("wörld")));
    });
    work.task("slider", "set a scale, and no further than it goes", |work| {
        let slider = nth(work, "slider", "0");
        work.does(&["set-value", &slider, "73"]);
        work.hears("slider", |said| said.number == Some(73.0));
        let refused = work.refuses(&["set-value", &slider, "1e9"], "INVALID_ARGS", "a number from");
        assert_eq!(refused["details"]["kind"], "value_out_of_range", "{refused:#}");
    });
    work.task("spin button", "set a spin button", |work| {
        work.does(&["set-value", &nth(work, "incrementor", "0"), "41"]);
        work.hears("spin button", |said| said.number == Some(41.0));
    });
    work.task("notebook tab", "turn to another page of a notebook", |work| {
        let tab = work.find_by(&["--role", "tab", "--name", "page 3", "--exact", "--nth", "0"]);
        work.does(&["click", &tab]);
        work.hears("page tab", |said| said.name == "page 3" && is(said, "selected"));
        // It is selected, so that nothing can show whether it is clicked once more.
        let again = work.run(&["click", &tab]).data();
        assert_ne!(again["disposition"]["delivery"], "delivered_verified", "{again:#}");
    });
    work.task("combo box", "choose in a combo box by its text", |work| {
        let combo = work.find_by(&["--role", "combobox", "--value", "Left", "--exact"]);
        work.does(&["select", &combo, "Right"]);
        work.hears("combo box", |said| said.name == "Right");
        let refused = work.run(&["select", &combo, "Up"]).error("ELEMENT_NOT_FOUND");
        assert_eq!(refused["details"]["options"], json!(["Left", "Middle", "Right"]));
    });
    work.finish();
}

#[test]
fn mousepad() {
    let work = Work::on(&gtk3::MOUSEPAD, GTK);
    let text = |work: &Work| work.find_by(&["--role", "textfield"]);
    work.task("text", "edit a document", |work| {
        let text = text(work);
        work.does(&["type", &text, "one three"]);
        work.does(&["set-value", &text, "zwei 😀 שלום e\u{301}\nsecond"]);
        work.hears("text", |said| said.text.as_deref() == Some("zwei 😀 שלום e\u{301}\nsecond"));
    });
    work.task("check menu item", "show line numbers by a closed menu", |work| {
        let item = work.item_of(&work.find("menu", "View"), "Line Numbers");
        work.sends(&["click", &item]);
        let setting = ["get", "org.xfce.mousepad.preferences.view", "show-line-numbers"];
        wait::until("the setting", Duration::from_secs(10), || {
            let told = work.desktop.command("gsettings").args(setting).output().expect("it runs");
            let told = String::from_utf8_lossy(&told.stdout).into_owned();
            if told.trim() == "true" { Ok(()) } else { Err(told) }
        });
        assert!(work.keyboard_is_free(), "the menu was opened");
    });
    work.task("file dialog", "save under another name, by a menu and a modal dialog", |work| {
        let opened = work.does(&["click", &work.find("menu", "File")]);
        assert!(lists(&opened, "menu", Some("File")) && grabs(&opened, "menu"), "{opened:#}");
        assert!(!work.keyboard_is_free(), "its menu holds the keyboard");
        let item = work.find_by(&["--role", "menuitem", "--name", "Save As..."]);
        let opened = work.does(&["click", &item]);
        assert!(lists(&opened, "sheet", Some("Save As")), "{opened:#}");
        let file = work.desktop.state_root().join("saved.txt");
        work.turn_to("Save As");
        work.does(&["set-value", &work.find_by(&["--role", "textfield"]), file.to_str().unwrap()]);
        work.does(&["click", &work.find("button", "Save")]);
        work.turn_back();
        is_written(&file, "zwei 😀 שלום e\u{301}\nsecond");
        work.gives_keyboard_back();
    });
    work.task("dialog", "leave an application readable while it asks", |work| {
        work.does(&["type", &text(work), "!"]);
        let item = work.item_of(&work.find("menu", "File"), "Close Window");
        let asked = work.does(&["click", &item]);
        let kinds = ["alert", "sheet"];
        assert!(kinds.iter().any(|kind| lists(&asked, kind, None)), "{asked:#}");
        work.turn_to("Question");
        work.does(&["click", &work.find("button", "Cancel")]);
        work.turn_back();
        work.hears("text", |said| said.text.as_deref().is_some_and(|text| text.contains('!')));
    });
    work.finish();
}

#[test]
fn thunar() {
    let work = Work::on(&gtk3::THUNAR, GTK);
    work.task(
        "check menu item",
        "show hidden files by a menu that is filled when it opens",
        |work| {
            work.does(&["click", &work.find("menu", "View")]);
            work.does(&["click", &work.find("menuitem", "Show Hidden Files")]);
            work.hears("check menu item", |said| {
                said.name.trim() == "Show Hidden Files" && is(said, "checked")
            });
            work.gives_keyboard_back();
        },
    );
    work.task("table cell", "choose a file in a list", |work| {
        work.does(&["click", &work.find("menu", "View")]);
        work.does(&["click", &work.find("menuitem", "List View")]);
        work.does(&["click", &work.find("cell", "two.txt")]);
        work.hears("table cell", |said| said.name == "two.txt" && is(said, "selected"));
    });
    work.finish();
}

/// Writes what was chosen into a file, as scripts do.
const ASKING: Application = Application {
    title: "zenity --file-selection",
    name: "zenity",
    packages: &["zenity"],
    program: "sh",
    prepare: |directory: &Path| {
        for file in ["one.txt", "two.txt"] {
            fs::write(directory.join(file), file).expect("a file");
        }
        let script = "cd \"$0\" && exec zenity --file-selection --filename=\"$0/one.txt\" > answer";
        vec!["-c".into(), script.into(), directory.display().to_string()]
    },
    toolkit: "gtk 3.24",
    ready: Ready::AtOnce,
    limits: &[],
    least: 60,
    turns: &[],
};

#[test]
fn zenity() {
    let work = Work::on(&ASKING, GTK);
    work.task("file dialog", "choose a file", |work| {
        work.does(&["click", &work.find("cell", "two.txt")]);
        work.does(&["click", &work.find("button", "OK")]);
        let directory = work.desktop.state_root().join("..").join(ASKING.name);
        wait::until("the answer", Duration::from_secs(10), || {
            let answer = fs::read_to_string(directory.join("answer")).unwrap_or_default();
            if answer.trim_end().ends_with("/two.txt") { Ok(()) } else { Err(answer) }
        });
    });
    work.finish();
}

/// Waits until the file holds `text`.
#[track_caller]
fn is_written(file: &Path, text: &str) {
    wait::until("the file", Duration::from_secs(10), || {
        let written = fs::read_to_string(file).unwrap_or_default();
        if written == text { Ok(()) } else { Err(written) }
    });
}
