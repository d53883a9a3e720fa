//! Tables too large to be listed: what shows of them, where its cells are and how they are found.

use agent_desktop_fake::Edit;
use expect_test::expect;

use crate::stage::{Stage, check};

const SHEET: &str = r#"
    app soffice
      window "stock.ods - Calc" focused
        document "stock.ods" #document
          table "Sheet Stock" focused count=17179869184 size=1048576x16384 #stock
            cell "A1" cell=1,1 anchored value="Item" #a1
            cell "B1" cell=1,2 anchored value="Price"
            cell "C1" cell=1,3 anchored focused
            cell "A2" cell=2,1 anchored value="Lamp"
            cell "B2" cell=2,2 anchored value="20" formula="=A9*2" #b2
            cell "C2" cell=2,3 anchored #c2
        button "Sum" [Click]
"#;

const TREE_VIEW: &str = r#"
    app files
      window "Files" focused
        table "Names" count=30000 size=10000x3
          column "Name"
          cell "report" cell=5000,1
          cell "" cell=5000,2
"#;

#[test]
fn what_shows_of_a_sheet_is_listed_but_for_blank_cells() {
    check(
        SHEET,
        "snapshot -i --compact",
        expect![[r#"
            app: "soffice"
            complete: true
            ref_count: 7
            snapshot_id: "s1"
            window "stock.ods - Calc"
              document "stock.ods"
                table "Sheet Stock" e1 blank_cells=1 children_count=17179869184 columns=16384 rows=1048576 focused
                  cell "A1" e2 column=1 row=1 value="Item"
                  cell "B1" e3 column=2 row=1 value="Price"
                  cell "C1" e4 column=3 row=1 focused
                  cell "A2" e5 column=1 row=2 value="Lamp"
                  cell "B2" e6 column=2 formula="=A9*2" row=2 value="20"
              button "Sum" e7 [Click]
            window: {"id":"w-1.1-1","title":"stock.ods - Calc"}
        "#]],
    );
}

#[test]
fn cells_of_other_tables_are_never_blank() {
    check(
        TREE_VIEW,
        "snapshot",
        expect![[r#"
        app: "files"
        complete: true
        ref_count: 3
        snapshot_id: "s1"
        window "Files"
          table "Names" e1 children_count=30000 columns=3 rows=10000
            column "Name"
            cell "report" e2 column=1 row=5000
            cell e3 column=2 row=5000
        window: {"id":"w-1.1-1","title":"Files"}
    "#]],
    );
}

#[test]
fn a_search_says_that_it_saw_only_what_shows() {
    check(
        SHEET,
        "find --role cell --text 20",
        expect![[r#"
            app: "soffice"
            matches:
              {"column":2,"formula":"=A9*2","interactive":true,"name":"B2","path":["window","document","table"],"ref_id":"@s1:e1","role":"cell","row":2,"states":[],"value":"20"}
            ref_count: 1
            snapshot_id: "s1"
            suggestion: "The table \"Sheet Stock\" was searched only as far as it shows: scroll it to search more, or use what the application offers for searching."
            total_matches: 1
            unsearched: 17179869178
            window: {"id":"w-1.1-1","title":"stock.ods - Calc"}
        "#]],
    );
    check(
        SHEET,
        "find --role cell --name C2 --exact",
        expect![[r#"
            app: "soffice"
            matches:
              {"column":3,"interactive":true,"name":"C2","path":["window","document","table"],"ref_id":"@s1:e1","role":"cell","row":2,"states":[],"value":null}
            ref_count: 1
            snapshot_id: "s1"
            suggestion: "The table \"Sheet Stock\" was searched only as far as it shows: scroll it to search more, or use what the application offers for searching."
            total_matches: 1
            unsearched: 17179869178
            window: {"id":"w-1.1-1","title":"stock.ods - Calc"}
        "#]],
    );
    check(
        SHEET,
        "find --text nothing",
        expect![[r#"
            app: "soffice"
            matches: []
            suggestion: "The table \"Sheet Stock\" was searched only as far as it shows: scroll it to search more, or use what the application offers for searching."
            total_matches: 0
            unsearched: 17179869178
            window: {"id":"w-1.1-1","title":"stock.ods - Calc"}
        "#]],
    );
    check(
        SHEET,
        "find --role cell --count",
        expect![[r#"
            app: "soffice"
            count: 6
            suggestion: "The table \"Sheet Stock\" was searched only as far as it shows: scroll it to search more, or use what the application offers for searching."
            unsearched: 17179869178
            window: {"id":"w-1.1-1","title":"stock.ods - Calc"}
        "#]],
    );
    check(
        SHEET,
        "find --role cell --first",
        expect![[r#"
            app: "soffice"
            match: {"column":1,"interactive":true,"name":"A1","path":["window","document","table"],"ref_id":"@s1:e1","role":"cell","row":1,"states":[],"value":"Item"}
            ref_count: 1
            snapshot_id: "s1"
            window: {"id":"w-1.1-1","title":"stock.ods - Calc"}
        "#]],
    );
    check(
        SHEET,
        "find --role button",
        expect![[r#"
            app: "soffice"
            matches:
              {"interactive":true,"name":"Sum","path":["window"],"ref_id":"@s1:e1","role":"button","states":[],"value":null}
            ref_count: 1
            snapshot_id: "s1"
            total_matches: 1
            window: {"id":"w-1.1-1","title":"stock.ods - Calc"}
        "#]],
    );
}

#[test]
fn cells_are_read_by_those_only_who_want_them() {
    const OTHERS: usize = 4;
    const CELLS: usize = 6;
    let mut stage = on_the_sheet();
    let mut read = |command: &str| {
        stage.desktop.take_calls();
        stage.answer(command);
        stage.desktop.take_calls().nodes_read
    };
    for command in ["snapshot --skeleton", "find --role button", "find --role button --root @s1:e7"]
    {
        assert!(read(command) <= OTHERS + 1, "{command}");
    }
    assert_eq!(read("list-surfaces"), OTHERS);
    assert!(read("get @s1:e7") <= OTHERS + 1, "the button, and the window to find it in");
    for command in ["snapshot", "find --text Lamp", "find --role cell", "snapshot --root @s1:e1"] {
        assert!(read(command) >= CELLS, "{command}");
    }
    stage.check(
        "find --role slider",
        expect![[r#"
            app: "soffice"
            matches: []
            roles_present: ["button","cell","document","table","window"]
            total_matches: 0
            window: {"id":"w-1.1-1","title":"stock.ods - Calc"}
        "#]],
    );
}

/// A stage whose snapshot has `e2` for A1 and `e6` for B2.
fn on_the_sheet() -> Stage {
    let mut stage = Stage::new(SHEET);
    stage.draw("snapshot -i");
    stage
}

fn set(target: &str, value: &str) -> Edit {
    Edit::SetValue { target: target.into(), value: value.into() }
}

#[test]
fn a_cell_is_its_place_however_often_its_object_is_renewed() {
    let mut stage = on_the_sheet();
    for content in ["20", "3.5", "a text"] {
        stage.edit(Edit::Renew { target: "b2".into() });
        stage.edit(set("b2", content));
        let answer = stage.answer("get @s1:e6");
        assert_eq!(answer["data"]["value"], content, "{answer}");
    }
    stage.check(
        "is @s1:e6 --property focused",
        expect![[r#"
        applicable: true
        property: "focused"
        ref: "@s1:e6"
        result: false
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e6",
        expect![[r#"
        app: "soffice"
        complete: true
        ref_count: 7
        snapshot_id: "s1"
        cell "B2" e6 column=2 formula="=A9*2" row=2 value="a text"
    "#]],
    );
}

#[test]
fn a_cell_of_another_sheet_is_another_one() {
    let mut stage = on_the_sheet();
    stage.edit(Edit::Rename { target: "stock".into(), name: "Sheet Other".into() });
    stage.edit(Edit::Renew { target: "stock".into() });
    stage.check("get @s1:e6", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e6"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    // Back on the sheet, which is made anew.
    stage.edit(Edit::Rename { target: "stock".into(), name: "Sheet Stock".into() });
    stage.edit(Edit::Renew { target: "stock".into() });
    stage.check(
        "get @s1:e6",
        expect![[r#"
        property: "text"
        ref: "@s1:e6"
        value: "20"
    "#]],
    );
}

#[test]
fn a_sheet_of_another_document_is_another_one() {
    let mut stage = on_the_sheet();
    stage.edit(Edit::Renew { target: "document".into() });
    stage.check("get @s1:e6", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e6"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
}

#[test]
fn two_sheets_of_one_name_are_told_apart_by_nothing() {
    let mut stage = on_the_sheet();
    let scene = "table \"Sheet Stock\" count=9 size=3x3\n  cell \"B2\" cell=2,2 anchored value=9";
    stage.edit(Edit::Insert { parent: "document".into(), index: 0, scene: scene.into() });
    stage.edit(Edit::Renew { target: "stock".into() });
    stage.check("get @s1:e6", expect![[r#"
        error: AMBIGUOUS_TARGET not_delivered/safe
        details: {"candidates":[{"name":"Sheet Stock","role":"table"},{"name":"Sheet Stock","role":"table"}],"kind":"saved_ref_ambiguous","ref":"@s1:e6"}
    "#]]);
}

#[test]
fn a_cell_of_any_other_table_is_no_place() {
    let mut stage = Stage::new(&SHEET.replace(" anchored", ""));
    stage.draw("snapshot -i");
    stage.edit(set("b2", "21"));
    stage.edit(Edit::Renew { target: "b2".into() });
    stage.check("get @s1:e6", expect![[r#"
        error: AMBIGUOUS_TARGET not_delivered/safe
        details: {"candidates":[{"name":"B2","role":"cell"}],"kind":"identity_not_unique","reason":"window_not_wholly_read","ref":"@s1:e6"}
    "#]]);
}

#[test]
fn a_list_whose_rows_are_made_as_needed_may_have_more() {
    let scene = r#"
        app files
          window "Files" focused
            list more
              row
                statictext "one"
    "#;
    check(
        scene,
        "snapshot",
        expect![[r#"
        app: "files"
        complete: true
        ref_count: 0
        snapshot_id: "s1"
        window "Files"
          list may_have_more=true
            row
              statictext "one"
        window: {"id":"w-1.1-1","title":"Files"}
    "#]],
    );
    check(
        scene,
        "find --text two",
        expect![[r#"
            app: "files"
            matches: []
            suggestion: "The list was searched only as far as it shows: scroll it to search more, or use what the application offers for searching."
            total_matches: 0
            window: {"id":"w-1.1-1","title":"Files"}
        "#]],
    );
}
