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

/// Chromium's bullets and numbers are elements of their own, and the first text of every item.
#[test]
fn the_bullets_and_numbers_of_a_list_tell_no_items_apart() {
    for (first, second) in [("\u{2022} ", "\u{2022} "), ("1. ", "1. "), ("a) ", "a) ")] {
        let mut stage = Stage::new(&format!(
            r#"
            app chromium
              window "Page" focused
                list
                  layoutitem #rent
                    statictext "{first}"
                    statictext "Rent"
                    button "Delete" [Click] #delete
                  layoutitem #food
                    statictext "{second}"
                    statictext "Food"
            "#
        ));
        stage.answer("snapshot");
        stage.edit(remove("delete"));
        stage.edit(insert("food", 2, "button \"Delete\" [Click]"));
        let answer = stage.answer("get @s1:e1");
        assert_eq!(answer["error"]["code"], "STALE_REF", "{first}: {answer}");
    }
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

/// GTK 3 dialogs are made once and asked for another confirmation each time.
#[test]
fn a_button_whose_dialog_asks_something_else() {
    let mut stage = Stage::new(
        r#"
        app users
          dialog focused lasting
            group lasting
              statictext "Delete carol?" lasting #question
              group lasting
                button "No" [Click] lasting
                button "Yes" [Click] lasting
        "#,
    );
    stage.draw("snapshot");
    stage.check(
        "get @s1:e2",
        expect![[r#"
        property: "text"
        ref: "@s1:e2"
        value: "Yes"
    "#]],
    );
    stage.edit(rename("question", "Delete EVERYTHING?"));
    stage.check("get @s1:e2", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"context_changed","now":"Delete EVERYTHING?","ref":"@s1:e2","was":"Delete carol?"}
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

/// What a field is for is told by its label alone, which the field itself does not know.
#[test]
fn a_field_is_the_one_of_its_label() {
    for lasting in ["", " lasting"] {
        let scene = r#"
            app editor
              window "Replace" focused #w
                group #g
                  statictext "Find:" #find
                  textfield labelled value=a [SetValue] #one
                  statictext "Replace:" #replace
                  textfield labelled value=b [SetValue] #two
        "#;
        let lines = scene.lines().map(|line| match line.trim_start().starts_with("app") {
            true => line.to_owned(),
            false if line.trim().is_empty() => line.to_owned(),
            false => format!("{line}{lasting}"),
        });
        let scene = lines.collect::<Vec<_>>().join("\n");
        let mut stage = Stage::new(&scene);
        let found = |stage: &mut Stage, name: &str| {
            let answer = stage.answer(&format!("find --role textfield --name {name}"));
            let matches = answer["data"]["matches"].as_array().unwrap().clone();
            assert_eq!(matches.len(), 1, "{name}: {answer}");
            matches[0]["ref_id"].as_str().unwrap().to_owned()
        };
        let value = |stage: &mut Stage, reference: &str| {
            let answer = stage.answer(&format!("get {reference} --property value"));
            let kind = answer["error"]["details"]["kind"].as_str().map(str::to_owned);
            kind.unwrap_or_else(|| answer["data"]["value"].as_str().unwrap().to_owned())
        };
        let [find, replace] = ["find", "replace"].map(|name| found(&mut stage, name));
        assert_eq!([&find, &replace].map(|one| value(&mut stage, one)), ["a", "b"]);
        let title = stage.answer(&format!("get {find} --property title"));
        assert_eq!(title["data"]["value"], "Find:");

        let rename =
            |target: &str, name: &str| Edit::Rename { target: target.into(), name: name.into() };
        stage.desktop.apply(&rename("find", "Find in selection:")).unwrap();
        assert_eq!(value(&mut stage, &find), "saved_ref_absent", "it is another field now");
        stage.desktop.apply(&rename("find", "Find:")).unwrap();
        assert_eq!(value(&mut stage, &find), "a");
        stage.desktop.apply(&Edit::Reorder { target: "two".into(), index: 1 }).unwrap();
        assert_ne!(value(&mut stage, &find), "b");
    }
}

/// A title in a header bar tells what its buttons act upon. What is elsewhere acts upon the window.
#[test]
fn a_title_beside_a_button_is_what_the_button_acts_upon() {
    let scene = r#"
        app contacts
          window "Carol - Contacts" focused #w
            group
              statictext "Carol" #title
              button "Delete" [Click] lasting #delete
            menu "File"
              menuitem "Quit" [Click] lasting #quit
    "#;
    let mut stage = Stage::new(scene);
    stage.answer("snapshot");
    let kind = |stage: &mut Stage, number: usize| {
        let answer = stage.answer(&format!("get @s1:e{number}"));
        answer["error"]["details"]["kind"].as_str().unwrap_or("ok").to_owned()
    };
    assert_eq!([1, 2].map(|number| kind(&mut stage, number)), ["ok", "ok"]);
    let rename =
        |target: &str, name: &str| Edit::Rename { target: target.into(), name: name.into() };
    stage.desktop.apply(&rename("w", "Dave - Contacts")).unwrap();
    assert_eq!([1, 2].map(|number| kind(&mut stage, number)), ["ok", "ok"], "titles of windows");
    stage.desktop.apply(&rename("title", "Dave")).unwrap();
    assert_eq!([1, 2].map(|number| kind(&mut stage, number)), ["context_changed", "ok"]);
}

/// A file is known by its name, in a list also by what stands beside it: one that is given the name
/// of another that is gone is that one to everybody, unless the row tells it apart.
#[test]
fn a_file_is_what_has_its_name_in_a_row_that_says_the_same() {
    for (size, expected) in [("2 bytes", "ok"), ("6 bytes", "saved_ref_absent")] {
        let scene = r#"
            app files
              window "Home" focused
                list recycles #list
                  row #one
                    cell "alpha.txt" [Click]
                    cell "2 bytes"
                  row #other
                    cell "beta.txt" [Click] #name
                    cell "SIZE"
        "#;
        let mut stage = Stage::new(&scene.replace("SIZE", size));
        let answer = stage.answer("find --name alpha.txt --first");
        let reference = answer["data"]["match"]["ref_id"].as_str().unwrap().to_owned();
        stage.desktop.apply(&Edit::Remove { target: "one".into() }).unwrap();
        let rename = Edit::Rename { target: "name".into(), name: "alpha.txt".into() };
        stage.desktop.apply(&rename).unwrap();
        let answer = stage.answer(&format!("get {reference}"));
        let kind = answer["error"]["details"]["kind"].as_str().unwrap_or("ok");
        let refused = |kind: &str| matches!(kind, "context_changed" | "saved_ref_absent");
        assert_eq!(refused(kind), refused(expected), "{size}: {answer}");
    }
}
