//! GTK 4.

use std::{fs, time::Duration};

use desktop_tests::{applications::gtk4, wait};
use serde_json::json;

use super::{
    gtk,
    work::{Work, grabs, is},
};

const GTK: &str = "GTK 4.8";

#[test]
fn gallery_of_gtk_4() {
    let work = Work::on_gallery("gtk4", "gallery of GTK 4", GTK);
    gtk::common(&work);
    work.impossible(
        "combo box",
        "choose in a drop-down",
        "refused: no option of GTK 4.8 has an action, and what is selected in its list is not \
         chosen when it closes",
        |work| {
            let drop = work.find("combobox", "Drop");
            work.refuses(&["select", &drop, "Elm"], "ACTION_NOT_SUPPORTED", "pointer and keys");
            assert!(work.keyboard_is_free(), "its list was opened");
            work.sees("it['Drop'].get_selected()", 0);
        },
    );
    work.impossible(
        "combo box",
        "choose in a combo box",
        "refused: options of a combo box of GTK 4.8 have neither text nor action",
        |work| {
            let fruit = work.find("combobox", "Fruit");
            work.refuses(&["select", &fruit, "Banana"], "ACTION_NOT_SUPPORTED", "pointer and keys");
            work.sees("it['Fruit'].get_active()", 0);
        },
    );
    work.task("combo box", "open a drop-down, read it and close it", |work| {
        let drop = work.find("combobox", "Drop");
        let opened = work.does(&["click", &drop]);
        assert!(grabs(&opened, "popover") && !work.keyboard_is_free(), "{opened:#}");
        work.find("statictext", "Elm");
        work.does(&["click", &drop]);
        work.gives_keyboard_back();
        for combo in [drop, work.find("combobox", "Fruit")] {
            work.leaves(&["collapse", &combo]);
            work.is_so(&combo, "expanded", false);
            let opened = work.does(&["expand", &combo]);
            assert!(grabs(&opened, "popover") && !work.keyboard_is_free(), "{opened:#}");
            work.is_so(&combo, "expanded", true);
            work.leaves(&["expand", &combo]);
            work.does(&["collapse", &combo]);
            work.gives_keyboard_back();
        }
    });
    work.task("switch", "turn a switch on", |work| {
        work.does(&["check", &work.find("checkbox", "Light")]);
        work.sees("it['Light'].get_active()", true);
    });
    work.impossible(
        "check box",
        "check a box",
        "refused: a check box of GTK 4.8 has no action",
        |work| {
            let spicy = work.find("checkbox", "Spicy");
            work.refuses(&["check", &spicy], "ACTION_NOT_SUPPORTED", "pointer and keys");
            work.sees("it['Spicy'].get_active()", false);
        },
    );
    work.impossible(
        "radio group",
        "choose the other of two",
        "refused: a radio button of GTK 4.8 has no action",
        |work| {
            let done = work.find_by(&["--name", "Done", "--exact", "--state", "visible"]);
            work.refuses(&["click", &done], "ACTION_NOT_SUPPORTED", "pointer and keys");
            work.sees("it['Done'].get_active()", false);
        },
    );
    work.impossible(
        "menu",
        "open a menu of a menu bar",
        "refused: an item of a menu bar of GTK 4.8 has no action",
        |work| {
            let menu = work.find_by(&["--name", "Kitchen", "--exact", "--role", "menuitem"]);
            work.refuses(&["click", &menu], "ACTION_NOT_SUPPORTED", "pointer and keys");
        },
    );
    work.task("check menu item", "check an item of a menu", |work| {
        let opened = work.does(&["click", &work.find("button", "Tools")]);
        assert!(grabs(&opened, "menu"), "{opened:#}");
        assert!(!work.keyboard_is_free(), "the menu holds the keyboard");
        work.does(&["click", &work.find("menuitem", "Wash")]);
        work.sees("it['wash'].get_state().get_boolean()", true);
        work.gives_keyboard_back();
    });
    work.task("radio menu item", "choose one of several in a menu", |work| {
        work.does(&["click", &work.find("button", "Tools")]);
        work.does(&["click", &work.find("menuitem", "High")]);
        work.sees("it['heat'].get_state().get_string()", "High");
        work.gives_keyboard_back();
    });
    work.task("submenu", "open a submenu and choose in it", |work| {
        work.does(&["click", &work.find("button", "Tools")]);
        work.does(&["click", &work.find("menuitem", "Cook")]);
        work.does(&["click", &work.find("menuitem", "Fry")]);
        work.sees("log", json!(["Fry"]));
        work.gives_keyboard_back();
    });
    work.task("list row", "choose a row of a list view", |work| {
        let list = work.find("list", "List");
        work.does(&["select", &list, "Juice"]);
        work.sees("it['List'].get_model().get_selected()", 2);
    });
    work.task("table cell", "choose a row of a table by a cell of it", |work| {
        let table = work.around("Oats", &["list"]);
        work.does(&["select", &table, "Oats"]);
        work.sees("it['Table'].get_model().get_selected()", 1);
    });
    work.task("tree row", "open a row of a tree and close it", |work| {
        work.does(&["expand", &work.around("Europe", &["group"])]);
        work.sees("it['places'].get_n_items()", 4);
        work.does(&["collapse", &work.around("Europe", &["group"])]);
        work.sees("it['places'].get_n_items()", 2);
    });
    work.finish();
}

#[test]
fn calculator() {
    let work = Work::on(&gtk4::CALCULATOR, GTK);
    // The same button twice in a row: GTK 4.8.3 loses a press within 250 ms of the one before.
    work.task("button", "compute 12 × 11", |work| {
        for key in ["1", "2", "×", "1", "1", "="] {
            work.sends(&["click", &work.find("button", key)]);
        }
        work.hears("text", |said| said.text.as_deref() == Some("132"));
    });
    work.task("radio menu item", "change the mode by a menu", |work| {
        work.does(&["click", &work.find("button", "Basic")]);
        work.does(&["click", &work.find_by(&["--name", "Advanced", "--role", "menuitem"])]);
        work.hears("push button", |said| said.name.contains("sin"));
        work.gives_keyboard_back();
    });
    work.finish();
}

#[test]
fn text_editor() {
    let work = Work::on(&gtk4::TEXT_EDITOR, GTK);
    let text = |work: &Work| work.find_by(&["--role", "textfield", "--value", "one"]);
    work.task("text", "edit a document", |work| {
        work.does(&["set-value", &text(work), "one 😀\nשלום"]);
        work.hears("text", |said| said.text.as_deref() == Some("one 😀\nשלום"));
    });
    work.task("file dialog", "save under another name, by a menu and a dialog", |work| {
        work.does(&["click", &work.find("button", "Menu")]);
        work.acts_upon(&["click", &work.find("menuitem", "Save As…")]);
        work.turn_to("Save As");
        let file = work.desktop.state_root().join("saved.txt");
        work.does(&["set-value", &work.find("textfield", "Name:"), file.to_str().unwrap()]);
        work.acts_upon(&["click", &work.find("button", "Save")]);
        work.turn_back();
        wait::until("the file", Duration::from_secs(10), || {
            match fs::read_to_string(&file).unwrap_or_default().as_str() {
                "one 😀\nשלום\n" | "one 😀\nשלום" => Ok(()),
                other => Err(other.to_owned()),
            }
        });
        work.gives_keyboard_back();
    });
    work.finish();
}

#[test]
fn widget_factory_of_gtk_4() {
    let work = Work::on(&gtk4::WIDGET_FACTORY, GTK);
    work.task("notebook tab", "turn to another page of a notebook", |work| {
        let tab = work.find_by(&["--role", "tab", "--name", "page 3", "--exact", "--nth", "0"]);
        work.does(&["click", &tab]);
        work.hears("page tab", |said| is(said, "selected"));
    });
    work.finish();
}

#[test]
fn nautilus() {
    let work = Work::on(&gtk4::NAUTILUS, GTK);
    work.task("list row", "choose a file", |work| {
        // One of its cells is no list, and says where the list is.
        let cell = work.find("cell", "two.txt");
        work.refuses(&["select", &cell, "two.txt"], "ACTION_NOT_SUPPORTED", "the table around it");
        let files = work.around("two.txt", &["list", "grid", "table", "listbox"]);
        work.does(&["select", &files, "two.txt"]);
        let chosen = || work.said("table cell").iter().filter(|said| is(said, "selected")).count();
        assert_eq!(chosen(), 1);
    });
    work.finish();
}

#[test]
fn adwaita_demo() {
    let work = Work::on(&gtk4::ADWAITA_DEMO, GTK);
    work.task("text", "open a page and write into an entry of a row", |work| {
        work.does(&["select", &work.around("Animations", &["list"]), "Lists"]);
        work.does(&["set-value", &work.find("textfield", "Entry Row"), "wörld"]);
        work.hears("text", |said| said.text.as_deref() == Some("wörld"));
    });
    work.finish();
}
