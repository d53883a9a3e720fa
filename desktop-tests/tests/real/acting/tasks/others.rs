//! Swing and AccessKit.

use desktop_tests::applications::others;

use super::work::{Work, is};

#[test]
fn swing() {
    let work = Work::on(&others::SWING, "Swing");
    work.task("check box", "clear a check box", |work| {
        work.does(&["uncheck", &work.find("checkbox", "Choose")]);
        work.hears("check box", |said| said.name == "Choose" && !is(said, "checked"));
    });
    work.impossible(
        "slider",
        "set a slider",
        "told as failed: Swing takes the number and keeps its own",
        |work| {
            work.is_found_out(&["set-value", &work.find_by(&["--role", "slider"]), "73"]);
            work.hears("slider", |said| said.number == Some(30.0));
        },
    );
    work.task("text", "write into a field", |work| {
        let name = work.find("textfield", "Name");
        work.does(&["set-value", &name, "Grace"]);
        work.hears("text", |said| said.text.as_deref() == Some("Grace"));
        work.does(&["type", &name, "!"]);
    });
    work.impossible(
        "text",
        "write an emoji",
        "told as failed: Java's wrapper cuts what does not fit into 16 bits",
        |work| work.is_found_out(&["set-value", &work.find("textfield", "Name"), "a😀"]),
    );
    work.impossible(
        "combo box",
        "choose in a combo box",
        "refused: a closed combo box of Swing lists no options",
        |work| {
            let combo = work.find_by(&["--role", "combobox"]);
            work.refuses(&["select", &combo, "Pears"], "ELEMENT_NOT_FOUND", "snapshot");
        },
    );
    work.task("menu", "open a menu and choose in it", |work| {
        work.does(&["click", &work.find("menu", "File")]);
        work.acts_upon(&["click", &work.find("menuitem", "Open")]);
    });
    work.finish();
}

#[test]
fn accesskit() {
    let work = Work::on(&others::ACCESSKIT, "AccessKit 0.25");
    work.task("button", "press a button", |work| {
        work.sends(&["click", &work.find("button", "Press")]);
        work.hears("label", |said| said.name == "Pressed 1 times");
    });
    work.task("check box", "clear a check box and check it", |work| {
        let choose = work.find("checkbox", "Choose");
        work.does(&["uncheck", &choose]);
        work.hears("check box", |said| !is(said, "checked"));
        work.does(&["check", &choose]);
        work.hears("check box", |said| is(said, "checked"));
    });
    work.task("text", "write into a field", |work| {
        let name = work.find("textfield", "Name");
        for text in ["Grace", "a😀é", ""] {
            work.does(&["set-value", &name, text]);
            work.hears("entry", |said| said.text.as_deref() == Some(text));
        }
    });
    work.impossible(
        "text",
        "put something into the middle of a text",
        "told as failed: AccessKit takes whole texts only, and says so",
        |work| {
            let name = work.find("textfield", "Name");
            work.does(&["set-value", &name, "Ada"]);
            work.is_found_out(&["type", &name, "!"]);
            work.hears("entry", |said| said.text.as_deref() == Some("Ada"));
        },
    );
    work.task("slider", "set a slider", |work| {
        work.does(&["set-value", &work.find_by(&["--role", "slider"]), "73"]);
        work.hears("slider", |said| said.number == Some(73.0));
    });
    work.task("list row", "choose in a list", |work| {
        work.does(&[
            "select",
            &work.find_by(&["--name", "Fruit", "--exact", "--nth", "0"]),
            "Pears",
        ]);
        work.hears("list item", |said| said.name == "Pears" && is(said, "selected"));
        work.does(&["click", &work.find("option", "Apples")]);
        work.hears("list item", |said| said.name == "Apples" && is(said, "selected"));
    });
    work.finish();
}
