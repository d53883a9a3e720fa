//! Web pages, in Chromium and Firefox. The page says what became of it.

use desktop_tests::web::Kind;
use serde_json::json;

use super::work::{Work, lists};

#[test]
fn chromium() {
    page(Kind::Chromium, "Chromium 156");
}

#[test]
fn firefox() {
    page(Kind::Firefox, "Firefox 153");
}

fn page(kind: Kind, toolkit: &'static str) {
    let work = Work::on_page(kind, "tasks.html", toolkit);
    work.task("check box", "check a box and clear it", |work| {
        let spicy = work.find("checkbox", "Spicy");
        work.does(&["check", &spicy]);
        work.sees("by('spicy').checked", true);
        work.does(&["uncheck", &spicy]);
        work.sees("by('spicy').checked", false);
    });
    work.task("radio group", "choose the other of two", |work| {
        work.does(&["click", &work.find("radiobutton", "Done")]);
        work.sees("[by('rare').checked, by('done').checked]", json!([false, true]));
    });
    work.task("switch", "turn a switch on", |work| {
        work.does(&["check", &work.find("switch", "Light")]);
        work.sees("by('light').ariaChecked", "true");
    });
    work.task("spin button", "set a number", |work| {
        work.does(&["set-value", &work.find("incrementor", "Copies"), "7"]);
        work.sees("by('copies').value", "7");
    });
    work.task("spin button", "set a number that has no limits", |work| {
        work.does(&["set-value", &work.find("incrementor", "Guests"), "-3"]);
        work.does(&["set-value", &work.find("incrementor", "Rooms"), "3"]);
        work.sees("[by('guests').value, by('rooms').value]", json!(["-3", "3"]));
    });
    work.task("slider", "set a slider", |work| {
        work.does(&["set-value", &work.find("slider", "Volume"), "33"]);
        work.sees("by('volume').value", "33");
    });
    work.task("combo box", "choose in a closed select", |work| {
        work.does(&["select", &work.find("combobox", "Fruit"), "Banana"]);
        work.sees("by('fruit').value", "Banana");
        assert!(work.keyboard_is_free(), "its list was opened");
    });
    work.task("list row", "choose an option of a list", |work| {
        work.does(&["select", &work.find("listbox", "Colours"), "Green"]);
        work.sees("[...by('colours').selectedOptions].map(one => one.text)", json!(["Green"]));
    });
    work.task("list row", "choose a further option, and be told what stays chosen", |work| {
        let data = work.does(&["select", &work.find("listbox", "Colours"), "Blue"]);
        let (chosen, others) = match kind {
            Kind::Chromium => (json!(["Green", "Blue"]), json!(["Green"])),
            Kind::Firefox => (json!(["Blue"]), json!(null)),
        };
        work.sees("[...by('colours').selectedOptions].map(one => one.text)", chosen);
        assert_eq!(data["details"]["also_selected"], others, "{data:#}");
    });
    work.task("list row", "click an option that the page made itself", |work| {
        work.does(&["click", &work.find("option", "Sky")]);
        work.sees("by('sky').ariaSelected", "true");
    });
    work.task("button", "press a button", |work| {
        work.sends(&["click", &work.find("button", "Send")]);
        work.sees("log", json!(["sent"]));
    });
    work.task("link", "follow a link within the page", |work| {
        work.acts_upon(&["click", &work.find("link", "Manual")]);
        work.sees("location.hash", "#manual");
    });
    work.task("button", "open and close what unfolds", |work| {
        work.does(&["expand", &work.find("button", "Details")]);
        work.sees("by('details').open", true);
        work.does(&["collapse", &work.find("button", "Details")]);
        work.sees("by('details').open", false);
    });
    work.task("button", "open what its page takes seconds for", |work| {
        let slow = work.find("button", "Slow");
        let told = work.sends(&["expand", &slow]);
        assert_eq!(told["details"]["verification_scope"], "pending", "{told:#}");
        work.sees("by('slow').ariaExpanded", "true");
        work.is_so(&slow, "expanded", true);
    });
    work.task("notebook tab", "turn to another page", |work| {
        work.does(&["click", &work.find("tab", "Lunch")]);
        work.sees("by('lunch').ariaSelected", "true");
    });
    work.task("tree row", "open a row of a tree", |work| {
        work.does(&["expand", &work.find("treeitem", "Europe")]);
        work.sees("by('europe').ariaExpanded", "true");
    });
    work.task("table cell", "click a cell of a grid", |work| {
        work.acts_upon(&["click", &work.find("cell", "Oats")]);
        work.sees("log", json!(["sent", "oats"]));
    });
    work.task("menu", "open a menu and choose in it", |work| {
        let opened = work.does(&["click", &work.find("button", "Tools")]);
        assert!(lists(&opened, "menu", Some("Tools menu")), "{opened:#}");
        work.acts_upon(&["click", &work.find("menuitem", "Copy")]);
        work.sees("log", json!(["sent", "oats", "copied"]));
        work.sees("by('menu').hidden", true);
        assert!(work.keyboard_is_free());
    });
    let why = match kind {
        Kind::Chromium => "refused: Chromium 156 lets nobody write into a field but by keys",
        Kind::Firefox => "refused: Firefox 153 says that it wrote and writes nothing",
    };
    work.impossible("text", "write into a field", why, |work| {
        let name = work.find("textfield", "Name");
        let notes = work.find("textfield", "Notes");
        for arguments in [&["set-value", &name, "x"][..], &["type", &notes, "x"], &["clear", &name]]
        {
            let refused = work.refuses(arguments, "ACTION_NOT_SUPPORTED", "pointer and keys");
            assert!(refused["suggestion"].as_str().unwrap().contains("debugging port"));
        }
        work.sees("[by('name').value, by('notes').value]", json!(["Ada", ""]));
    });
    work.finish();
}
