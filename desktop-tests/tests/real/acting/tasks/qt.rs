//! Qt 5 and Qt 6.

use std::{fs, time::Duration};

use desktop_tests::{applications::qt, wait};
use serde_json::json;

use super::{
    text,
    work::{Work, grabs, is, lists},
};

#[test]
fn gallery_of_qt_5() {
    gallery("qt5", "gallery of Qt 5", "Qt 5.15");
}

#[test]
fn gallery_of_qt_6() {
    gallery("qt6", "gallery of Qt 6", "Qt 6.4");
}

fn gallery(kind: &str, title: &'static str, toolkit: &'static str) {
    let work = Work::on_gallery(kind, title, toolkit);
    work.task("spin button", "set a spin button", |work| {
        work.does(&["set-value", &work.find("incrementor", "Copies"), "7"]);
        work.sees("it['Copies'].value()", 7);
    });
    work.task("slider", "set a slider", |work| {
        work.does(&["set-value", &work.find("slider", "Volume"), "33"]);
        work.sees("it['Volume'].value()", 33);
    });
    work.impossible(
        "combo box",
        "choose in a combo box",
        "refused: what is selected in the list of a combo box of Qt is not taken over",
        |work| {
            let fruit = work.find_by(&["--role", "combobox", "--nth", "0"]);
            work.refuses(&["select", &fruit, "Banana"], "ACTION_NOT_SUPPORTED", "pointer and keys");
            assert!(work.keyboard_is_free(), "its list was opened");
            work.sees("it['Fruit'].currentText()", "Apple");
        },
    );
    work.task("combo box", "open a combo box, see what it holds and close it", |work| {
        let fruit = work.find_by(&["--role", "combobox", "--nth", "0"]);
        work.leaves(&["collapse", &fruit]);
        let opened = work.does(&["expand", &fruit]);
        work.sees("it['Fruit'].view().isVisible()", true);
        work.is_so(&fruit, "expanded", true);
        assert!(lists(&opened, "popover", None), "{opened:#}");
        work.does(&["collapse", &fruit]);
        work.sees("it['Fruit'].view().isVisible()", false);
        work.is_so(&fruit, "expanded", false);
        work.gives_keyboard_back();
    });
    work.task("check box", "check a box and clear it", |work| {
        let spicy = work.find("checkbox", "Spicy");
        work.does(&["check", &spicy]);
        work.sees("it['Spicy'].isChecked()", true);
        work.does(&["uncheck", &spicy]);
        work.sees("it['Spicy'].isChecked()", false);
    });
    work.task("radio group", "choose the other of two", |work| {
        work.does(&["click", &work.find("radiobutton", "Done")]);
        work.sees("[it['Rare'].isChecked(), it['Done'].isChecked()]", json!([false, true]));
    });
    work.task("button", "press a button that stays down", |work| {
        work.does(&["click", &work.find("checkbox", "Bold")]);
        work.sees("it['Bold'].isChecked()", true);
    });
    work.task("text", "type into a field", |work| {
        let name = work.find("textfield", "Name");
        work.does(&["set-value", &name, "Ada"]);
        work.does(&["type", &name, "!"]);
        work.sees("it['Name'].text()", "Ada!");
        work.does(&["clear", &name]);
        work.sees("it['Name'].text()", "");
    });
    work.task("text", "fill in a password", |work| {
        // What a password field holds is never read back.
        let data = work.sends(&["set-value", &work.find("textfield", "Secret"), "hush"]);
        assert!(!data.to_string().contains("hush"), "{data:#}");
        work.sees("it['Secret'].text()", "hush");
    });
    let notes = |work: &Work| work.find("textfield", "Notes");
    text::write_hard_ones(&work, &notes, "it['Notes'].toPlainText()");
    work.impossible(
        "link",
        "follow a link of a label",
        "refused: a label of Qt offers no action",
        |work| {
            let manual = work.find("statictext", "Manual");
            work.refuses(&["click", &manual], "ACTION_NOT_SUPPORTED", "pointer and keys");
        },
    );
    work.task("notebook tab", "turn to another page", |work| {
        work.does(&["click", &work.find("tab", "Lunch")]);
        work.sees("it['Pages'].currentIndex()", 1);
    });
    work.task("list row", "choose a row of a list", |work| {
        let chosen = "[item.text() for item in it['Rows'].selectedItems()]";
        work.does(&["click", &work.find("option", "Blue")]);
        work.sees(chosen, json!(["Blue"]));
        work.does(&["select", &work.find("list", "Rows"), "Green"]);
        work.sees(chosen, json!(["Green"]));
    });
    work.task("tree row", "choose a row of a tree", |work| {
        work.does(&["click", &work.find("cell", "Asia")]);
        work.sees("[item.text(0) for item in it['Tree'].selectedItems()]", json!(["Asia"]));
    });
    work.impossible(
        "tree row",
        "open a row of a tree",
        "refused: a row of a tree of Qt has an action that selects it, and none that opens it",
        |work| {
            let europe = work.find("cell", "Europe");
            work.refuses(&["expand", &europe], "ACTION_NOT_SUPPORTED", "pointer and keys");
            work.sees("it['Tree'].topLevelItem(0).isExpanded()", false);
        },
    );
    work.task("table cell", "choose a cell of a table", |work| {
        work.does(&["click", &work.find("cell", "Oats")]);
        work.sees("[item.text() for item in it['Table'].selectedItems()]", json!(["Oats"]));
    });
    work.impossible(
        "table cell",
        "write into a cell",
        "refused: a cell of Qt offers no text of its own",
        |work| {
            let cell = work.find("cell", "two");
            work.refuses(
                &["set-value", &cell, "three"],
                "ACTION_NOT_SUPPORTED",
                "pointer and keys",
            );
        },
    );
    work.task("check menu item", "check an item of a menu that stays closed", |work| {
        let item = work.item_of(&work.find("menuitem", "Kitchen"), "Wash");
        work.does(&["click", &item]);
        work.sees("it['wash'].isChecked()", true);
        assert!(work.keyboard_is_free(), "the menu was opened");
    });
    work.task("submenu", "choose in a submenu that is filled when it opens", |work| {
        let menu = work.find("menuitem", "Kitchen");
        let opened = work.does(&["click", &menu]);
        assert!(grabs(&opened, "menu") && !work.keyboard_is_free(), "{opened:#}");
        work.does(&["click", &work.find("menuitem", "Cook")]);
        work.sends(&["click", &work.find("menuitem", "Fry")]);
        work.sees("log", json!(["Fry"]));
        // Qt leaves the menus open; the one who opened them closes them.
        work.does(&["click", &menu]);
        work.gives_keyboard_back();
        work.value("log.clear()");
    });
    work.task("menu", "open a menu and a submenu, and close both", |work| {
        let menu = work.find("menuitem", "Kitchen");
        work.leaves(&["collapse", &menu]);
        work.does(&["expand", &menu]);
        work.sees("it['kitchen'].isVisible()", true);
        let cook = work.find("menuitem", "Cook");
        work.does(&["expand", &cook]);
        work.sees("it['cook'].isVisible()", true);
        work.is_so(&cook, "expanded", true);
        work.does(&["collapse", &cook]);
        work.sees("[it['kitchen'].isVisible(), it['cook'].isVisible()]", json!([true, false]));
        work.is_so(&cook, "expanded", false);
        work.does(&["collapse", &menu]);
        work.sees("it['kitchen'].isVisible()", false);
        work.gives_keyboard_back();
    });
    work.task("dialog", "answer a question that an item of a closed menu asks", |work| {
        let item = work.item_of(&work.find("menuitem", "Kitchen"), "Ask");
        let spicy = work.find("checkbox", "Spicy");
        let asked = work.does(&["click", &item]);
        assert!(lists(&asked, "alert", Some("Really?")), "{asked:#}");
        // Only the X server knows that it is modal.
        let behind = ["check", &spicy, "--timeout-ms", "700"];
        let blocked = work.refuses(&behind, "ACTION_FAILED", "answer the dialog");
        assert!(blocked.to_string().contains(r#""name":"Really?""#), "{blocked:#}");
        work.turn_to("Really?");
        work.does(&["click", &work.find("button", "Yes")]);
        work.turn_back();
        work.sees("log", json!([true]));
        work.lacks_window("Really?");
    });
    work.finish();
}

#[test]
fn featherpad() {
    let work = Work::on(&qt::FEATHERPAD, "Qt 5.15");
    let text = |work: &Work| {
        work.find_by(&[
            "--role",
            "textfield",
            "--state",
            "visible",
            "--state",
            "readonly=false",
            "--nth",
            "0",
        ])
    };
    work.task("text", "edit a document", |work| {
        let text = text(work);
        work.does(&["set-value", &text, "a😀b"]);
        work.does(&["type", &text, "c😀"]);
        work.hears("text", |said| matches!(said.text.as_deref(), Some("a😀bc😀" | "c😀a😀b")));
        work.does(&["set-value", &text, "zwei 😀\n"]);
    });
    work.task(
        "file dialog",
        "save under another name, by a closed menu and a modal dialog",
        |work| {
            let item = work.item_of(&work.find("menuitem", "File"), "Save As");
            let opened = work.does(&["click", &item]);
            assert!(opened["surfaces"].as_array().unwrap().len() > 2, "{opened:#}");
            work.turn_to("Save as...");
            let file = work.desktop.state_root().join("saved.txt");
            work.does(&[
                "set-value",
                &work.find("textfield", "File name:"),
                file.to_str().unwrap(),
            ]);
            work.does(&["click", &work.find("button", "Save")]);
            work.turn_back();
            wait::until("the file", Duration::from_secs(10), || {
                let written = fs::read_to_string(&file).unwrap_or_default();
                if written == "zwei 😀\n" { Ok(()) } else { Err(written) }
            });
            work.gives_keyboard_back();
        },
    );
    work.finish();
}

#[test]
fn kcalc() {
    let work = Work::on(&qt::KCALC, "Qt 5.15");
    work.task("button", "compute 7 × 8", |work| {
        for key in ["7", "×", "8", "="] {
            work.acts_upon(&["click", &work.find("button", key)]);
        }
        work.hears("text", |said| said.text.as_deref().is_some_and(|text| text.ends_with("56")));
    });
    work.task("check menu item", "show another set of keys by a closed menu", |work| {
        let item = work.item_of(&work.find("menuitem", "Settings"), "Science Mode");
        work.acts_upon(&["click", &item]);
        work.shows("Sine", "showing");
        assert!(work.keyboard_is_free(), "the menu was opened");
    });
    work.finish();
}

#[test]
fn qt6ct() {
    let work = Work::on(&qt::QT6CT, "Qt 6.4");
    work.task("notebook tab", "turn to another page", |work| {
        work.does(&["click", &work.find("tab", "Fonts")]);
        work.hears("label", |said| said.name == "Fixed width:" && is(said, "showing"));
    });
    work.finish();
}
