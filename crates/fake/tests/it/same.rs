//! The same element or a refusal, on what real toolkits were seen to do.

use agent_desktop_fake::Edit;
use expect_test::expect;

use crate::stage::Stage;

const LIST: &str = r#"
    app files
      window "Home" focused
        list KIND #list
          row LASTING #rent
            statictext "Rent" LASTING #rent-text
            button "Delete" [Click] LASTING #delete-rent
          row LASTING #food
            statictext "Food" LASTING
            button "Delete" [Click] LASTING #delete-food
"#;

fn list(kind: &str, lasting: &str) -> Stage {
    let mut stage = Stage::new(&LIST.replace("KIND", kind).replace("LASTING", lasting));
    stage.draw("snapshot -i --compact");
    stage
}

fn scroll(rows: &str) -> Edit {
    Edit::Scroll { list: "list".into(), by: 1, scene: rows.into() }
}

fn remove(target: &str) -> Edit {
    Edit::Remove { target: target.into() }
}

fn rename(target: &str, name: &str) -> Edit {
    Edit::Rename { target: target.into(), name: name.into() }
}

fn insert(parent: &str, index: usize, scene: &str) -> Edit {
    Edit::Insert { parent: parent.into(), index, scene: scene.into() }
}

/// GTK 4.8's list views keep the addresses of their places and show other rows in them.
#[test]
fn a_recycled_row() {
    let mut stage = list("recycles", "");
    stage.check(
        "get @s1:e1",
        expect![[r#"
        property: "text"
        ref: "@s1:e1"
        value: "Delete"
    "#]],
    );
    stage.edit(scroll("row\n  statictext \"Fuel\"\n  button \"Delete\" [Click]"));
    stage.check("get @s1:e1", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"context_changed","now":"Food","ref":"@s1:e1","was":"Rent"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    stage.check("get @s1:e2", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"context_changed","now":"Fuel","ref":"@s1:e2","was":"Food"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
}

/// GTK 3's widgets and tree cells keep their addresses for life.
#[test]
fn a_sorted_list_with_lasting_addresses() {
    let mut stage = list("lasting", "lasting");
    stage.edit(Edit::Reorder { target: "food".into(), index: 0 });
    stage.edit(insert("list", 0, "row lasting\n  button \"Delete\" [Click] lasting"));
    stage.check(
        "get @s1:e1",
        expect![[r#"
        property: "text"
        ref: "@s1:e1"
        value: "Delete"
    "#]],
    );
    stage.edit(remove("rent"));
    stage.check("get @s1:e1", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e1"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    stage.check(
        "get @s1:e2",
        expect![[r#"
        property: "text"
        ref: "@s1:e2"
        value: "Delete"
    "#]],
    );
}

/// The same without lasting addresses: what a row says still tells its button from the others.
#[test]
fn a_sorted_list() {
    let mut stage = list("", "");
    stage.edit(Edit::Reorder { target: "food".into(), index: 0 });
    stage.check(
        "get @s1:e1",
        expect![[r#"
        property: "text"
        ref: "@s1:e1"
        value: "Delete"
    "#]],
    );
    stage.edit(rename("rent-text", "Rent and heating"));
    stage.check("get @s1:e1", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"context_changed","now":"Rent and heating","ref":"@s1:e1","was":"Rent"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
}

/// Qt 5.15 counts its tabs: when one is closed, its address speaks for the next.
#[test]
fn a_closed_tab() {
    let mut stage = Stage::new(
        r#"
        app featherpad
          window "Untitled" focused
            tablist recycles
              tab "*Untitled" [Click] #first
              tab "*Untitled" [Click]
              tab "notes.txt" [Click] #notes
        "#,
    );
    stage.draw("snapshot");
    stage.edit(remove("first"));
    stage.check("get @s1:e1", expect![[r#"
        error: AMBIGUOUS_TARGET not_delivered/safe
        details: {"candidates":[{"name":"*Untitled","role":"tab"}],"kind":"identity_not_unique","reason":"twins_at_capture","ref":"@s1:e1"}
    "#]]);
    stage.check("get @s1:e2", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e2"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    stage.check("get @s1:e3", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e3"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
}

/// Chromium and GTK 3 keep address, role and name of a button that moves to another row.
#[test]
fn the_only_button_of_a_page_moves_to_another_row() {
    let moved = |lasting: &str| {
        let mut stage = Stage::new(&format!(
            r#"
            app page
              window "Page" focused
                list
                  row #a
                    statictext "Rent"
                    button "Delete" [Click] {lasting} #delete
                  row #b
                    statictext "Food"
            "#
        ));
        stage.draw("snapshot");
        stage.edit(Edit::PassOn { target: "delete".into(), parent: "b".into() });
        stage
    };
    moved("").check("get @s1:e1", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"context_changed","now":"Food","ref":"@s1:e1","was":"Rent"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    moved("lasting").check("get @s1:e1", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"context_changed","now":"Food","ref":"@s1:e1","was":"Rent"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
}

/// The same with cards, which GTK 3 builds of plain boxes.
#[test]
fn the_only_button_of_a_page_moves_to_another_card() {
    let mut stage = Stage::new(
        r#"
        app page
          window "Page" focused lasting
            group lasting
              group lasting #a
                statictext "Rent" lasting
                button "Delete" [Click] lasting #delete
              group lasting #b
                statictext "Food" lasting
        "#,
    );
    stage.draw("snapshot");
    stage.edit(Edit::PassOn { target: "delete".into(), parent: "b".into() });
    stage.check("get @s1:e1", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"context_changed","now":"Food","ref":"@s1:e1","was":"Rent"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
}

/// LibreOffice's cells get other addresses within seconds.
#[test]
fn an_address_dies_and_the_element_lives_on() {
    let scene = r#"
        app calc
          window "Sheet" focused
            table "Sheet1" #sheet
              cell "A1" #a1
              cell "B1" #b1
              cell "twin"
              cell "twin" #twin
    "#;
    let mut stage = Stage::new(scene);
    stage.draw("snapshot");
    for target in ["a1", "twin"] {
        stage.edit(Edit::Renew { target: target.into() });
    }
    stage.check(
        "get @s1:e1",
        expect![[r#"
        property: "text"
        ref: "@s1:e1"
        value: "A1"
    "#]],
    );
    stage.check("get @s1:e4", expect![[r#"
        error: AMBIGUOUS_TARGET not_delivered/safe
        details: {"candidates":[{"name":"twin","role":"cell"},{"name":"twin","role":"cell"}],"kind":"identity_not_unique","reason":"twins_at_capture","ref":"@s1:e4"}
    "#]]);
    stage.edit(Edit::Renew { target: "b1".into() });
    stage.edit(insert("sheet", 0, "cell \"B1\""));
    stage.check("get @s1:e2", expect![[r#"
        error: AMBIGUOUS_TARGET not_delivered/safe
        details: {"candidates":[{"name":"B1","role":"cell"},{"name":"B1","role":"cell"}],"kind":"saved_ref_ambiguous","ref":"@s1:e2"}
    "#]]);
}

/// An address of a dead element is given to a new one.
#[test]
fn a_reused_address() {
    let mut stage = Stage::new(
        r#"
        app a reuses
          window "A" focused
            group "one" #one
              button "Delete" [Click] #delete
            group "two" #two
        "#,
    );
    stage.draw("snapshot");
    stage.edit(remove("delete"));
    stage.edit(insert("two", 0, "button \"Delete\" [Click]"));
    stage.check("get @s1:e1", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e1"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
}

/// Titles and shown values change without making another element.
#[test]
fn volatile_text_is_no_evidence() {
    let mut stage = Stage::new(
        r#"
        app editor
          window "report - Editor" focused #window
            combobox "Sans" value="Sans" volatile #font
            button "Save" [Click]
        "#,
    );
    stage.draw("snapshot");
    stage.edit(rename("window", "*report - Editor"));
    stage.edit(rename("font", "Serif"));
    stage.check(
        "get @s1:e1",
        expect![[r#"
        property: "text"
        ref: "@s1:e1"
        value: "Sans"
    "#]],
    );
    stage.check(
        "get @s1:e2",
        expect![[r#"
        property: "text"
        ref: "@s1:e2"
        value: "Save"
    "#]],
    );
}

/// A name that was not there before may be the same element's or another's.
#[test]
fn a_renamed_element() {
    let renamed = |lasting: &str| {
        let scene =
            format!("app a\n  window \"A\" focused\n    button \"Play\" [Click] {lasting} #play");
        let mut stage = Stage::new(&scene);
        stage.draw("snapshot");
        stage.edit(rename("play", "Pause"));
        stage
    };
    renamed("").check("get @s1:e1", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e1"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    renamed("lasting").check("get @s1:e1", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e1"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
}

/// Twins that nothing tells apart have no way back but a lasting address.
#[test]
fn twins() {
    let twins = |lasting: &str| {
        let mut stage = Stage::new(&format!(
            r#"
            app a
              window "A" focused
                button "Twin" [Click] {lasting}
                button "Twin" [Click] {lasting}
            "#
        ));
        stage.draw("snapshot");
        stage
    };
    twins("").check("get @s1:e2", expect![[r#"
        error: AMBIGUOUS_TARGET not_delivered/safe
        details: {"candidates":[{"name":"Twin","role":"button"},{"name":"Twin","role":"button"}],"kind":"identity_not_unique","reason":"twins_at_capture","ref":"@s1:e2"}
    "#]]);
    twins("lasting").check(
        "get @s1:e2",
        expect![[r#"
        property: "text"
        ref: "@s1:e2"
        value: "Twin"
    "#]],
    );
}

/// A ref from a window that was not wholly read is proven by reading it.
#[test]
fn unknown_uniqueness() {
    let mut stage = list("", "");
    stage.draw("find --name rent --first");
    stage.draw("find --role button --first");
    stage.check(
        "get @s2:e1",
        expect![[r#"
        property: "text"
        ref: "@s2:e1"
        value: "Rent"
    "#]],
    );
    stage.check(
        "get @s3:e1",
        expect![[r#"
        property: "text"
        ref: "@s3:e1"
        value: "Delete"
    "#]],
    );
}

/// Whatever goes away in the middle of a command, the answer is whole or a typed refusal.
#[test]
fn a_change_in_the_middle_of_a_command() {
    for line in ["get @s1:e1", "is @s1:e1", "snapshot --root @s1:e1", "find --root @s1:e1"] {
        for target in ["delete-rent", "rent", "list", "window"] {
            for calls in 0..6 {
                let mut stage = Stage::new(
                    &LIST
                        .replace("focused", "focused #window")
                        .replace("KIND", "")
                        .replace("LASTING", if calls % 2 == 0 { "" } else { "lasting" }),
                );
                stage.draw("snapshot");
                stage.desktop.apply_after(calls, remove(target));
                let answer = stage.answer(line);
                let code = answer["error"]["code"].as_str().unwrap_or("ok");
                assert!(
                    ["ok", "STALE_REF", "AMBIGUOUS_TARGET", "WINDOW_NOT_FOUND"].contains(&code),
                    "{target} goes away after {calls} calls of `{line}`: {answer}"
                );
                let after = stage.answer("get @s1:e2");
                assert_ne!(after["error"]["code"], "SNAPSHOT_NOT_FOUND", "{after}");
            }
        }
    }
}

/// A list view may scroll between any two questions of one command: the value of a row that has
/// come into the place is never passed off as that of the row that was meant.
#[test]
fn a_row_recycled_in_the_middle_of_get() {
    const ROWS: &str = r#"
        app files
          window "Home" focused
            list recycles #list
              row #rent
                statictext "Rent"
                textfield "Amount" value="500"
              row #food
                statictext "Food"
                textfield "Amount" value="90"
    "#;
    for calls in 0..8 {
        let mut stage = Stage::new(ROWS);
        stage.draw("snapshot -i --compact");
        let row = "row\n  statictext \"Fuel\"\n  textfield \"Amount\" value=\"70\"";
        stage.desktop.apply_after(calls, scroll(row));
        let answer = stage.answer("get @s1:e1 --property value");
        let value = answer["data"]["value"].as_str();
        assert!(value.is_none_or(|value| value == "500"), "after {calls} calls: {answer}");
        assert!(calls < 7 || value.is_some(), "the command asks more often than that: {answer}");
    }
}
