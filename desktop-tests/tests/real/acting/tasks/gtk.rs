//! What GTK 3 and GTK 4 have in common: the same gallery, and the same names in it.

use super::{
    text,
    work::{Work, grabs, lists},
};

/// The tasks that both do alike.
pub(super) fn common(work: &Work) {
    work.task("spin button", "set a spin button", |work| {
        work.does(&["set-value", &work.find("incrementor", "Copies"), "7"]);
        work.sees("it['Copies'].get_value_as_int()", 7);
    });
    work.task("slider", "set a slider", |work| {
        work.does(&["set-value", &work.find("slider", "Volume"), "33"]);
        work.sees("it['Volume'].get_value()", 33.0);
    });
    work.task("text", "type into an entry", |work| {
        let name = work.find("textfield", "Name");
        work.does(&["set-value", &name, "Ada"]);
        work.does(&["type", &name, "!"]);
        work.sees("sorted(it['Name'].get_text())", serde_json::json!(["!", "A", "a", "d"]));
        work.does(&["clear", &name]);
        work.sees("it['Name'].get_text()", "");
    });
    work.task("text", "fill in a password", |work| {
        // What a password field holds is never read back.
        let data = work.sends(&["set-value", &work.find("textfield", "Secret"), "hush"]);
        assert!(!data.to_string().contains("hush"), "{data:#}");
        work.sees("it['Secret'].get_text()", "hush");
    });
    let notes = |work: &Work| work.find("textfield", "Notes");
    text::write_hard_ones(work, &notes, "it['Notes'].get_buffer().props.text");
    work.task("link", "follow a link", |work| {
        work.sends(&[
            "click",
            &work.find_by(&["--name", "Manual", "--exact", "--state", "visible"]),
        ]);
        work.sees("log", serde_json::json!(["https://example.org/"]));
        work.value("log.clear()");
    });
    work.task("button", "open and close what unfolds", |work| {
        let details = work.find("button", "Details");
        work.does(&["expand", &details]);
        work.sees("it['Details'].get_expanded()", true);
        work.does(&["collapse", &details]);
        work.sees("it['Details'].get_expanded()", false);
    });
    work.task("notebook tab", "turn to another page", |work| {
        work.does(&["click", &work.find("tab", "Lunch")]);
        work.sees("it['Pages'].get_current_page()", 1);
        let bar = work.around("Lunch", &["tablist", "group"]);
        work.does(&["select", &bar, "Dinner"]);
        work.sees("it['Pages'].get_current_page()", 2);
    });
    work.task("list row", "choose a row of a list", |work| {
        let row = "it['Rows'].get_selected_row().get_index()";
        work.does(&["click", &work.around("Blue", &["option"])]);
        work.sees(row, 2);
        let list = work.find_by(&["--name", "Rows", "--exact", "--state", "visible"]);
        work.does(&["select", &list, "Green"]);
        work.sees(row, 1);
    });
    work.task("popover", "press a button in a popover and close it", |work| {
        let opened = work.does(&["click", &work.find("button", "Options")]);
        assert!(lists(&opened, "popover", None), "{opened:#}");
        assert_ne!(grabs(&opened, "popover"), work.keyboard_is_free(), "{opened:#}");
        work.sends(&["click", &work.find("button", "Peel")]);
        work.sees("log", serde_json::json!(["Peel"]));
        work.value("log.clear()");
        work.does(&["click", &work.find("button", "Options")]);
        work.gives_keyboard_back();
    });
}
