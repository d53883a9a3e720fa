//! `find`: filters, selections, and what it says when there is nothing.

use agent_desktop_fake::Limits;
use expect_test::expect;

use crate::stage::{Stage, check};

const FORM: &str = r#"
    app form
      window "Form" focused
        group "Person" id=person
          textfield "First name" value="Ada" desc="As in the passport" [SetValue] id=first
          textfield "Last name" value="Lovelace" [SetValue] id=last readonly
          statictext "First of all"
        group "Actions"
          button "Save" [Click] id=save
          button "save as…" disabled [Click]
          button "Cancel" hidden [Click]
          checkbox "Subscribe" checked [Toggle]
        menu "More" closed
          menuitem "Save all" [Click]
"#;

#[test]
fn each_filter() {
    let mut table = String::new();
    for line in [
        "find --role button",
        "find --role BUTTON --name save",
        "find --role togglebutton --name SAVE --exact",
        "find --role textbox",
        "find --value love",
        "find --value love --exact",
        "find --description passport",
        "find --text first",
        "find --text ada --exact",
        "find --native-id save",
        "find --state checked",
        "find --state disabled=false --role button",
        "find --state enabled --role button",
        "find --state visible=false",
        "find --state readonly --state enabled",
        "find --name 'SAVE AS…'",
    ] {
        let answer = Stage::new(FORM).answer(line);
        let matches = answer["data"]["matches"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let names: Vec<&str> = matches.iter().map(|one| one["name"].as_str().unwrap()).collect();
        table.push_str(&format!("{line}: {}\n", names.join(", ")));
    }
    expect![[r#"
        find --role button: Save, save as…, Cancel
        find --role BUTTON --name save: Save, save as…
        find --role togglebutton --name SAVE --exact: Save
        find --role textbox: First name, Last name
        find --value love: Last name
        find --value love --exact: 
        find --description passport: First name
        find --text first: First name, First of all
        find --text ada --exact: First name
        find --native-id save: Save
        find --state checked: Subscribe
        find --state disabled=false --role button: Save, Cancel
        find --state enabled --role button: Save, Cancel
        find --state visible=false: Cancel
        find --state readonly --state enabled: Last name
        find --name 'SAVE AS…': save as…
    "#]]
    .assert_eq(&table);
}

#[test]
fn one_of_the_matches_or_how_many_there_are() {
    check(
        FORM,
        "find --role button --first",
        expect![[r#"
        match: {"interactive":true,"name":"Save","path":["window","group"],"ref_id":"@s1:e1","role":"button","states":[],"value":null}
        ref_count: 1
        snapshot_id: "s1"
    "#]],
    );
    check(
        FORM,
        "find --role button --last",
        expect![[r#"
        match: {"interactive":true,"name":"Cancel","path":["window","group"],"ref_id":"@s1:e1","role":"button","states":["hidden"],"value":null}
        ref_count: 1
        snapshot_id: "s1"
    "#]],
    );
    check(
        FORM,
        "find --role button --nth 1",
        expect![[r#"
        match: {"interactive":true,"name":"save as…","path":["window","group"],"ref_id":"@s1:e1","role":"button","states":["disabled"],"value":null}
        ref_count: 1
        snapshot_id: "s1"
    "#]],
    );
    check(
        FORM,
        "find --role button --nth 3",
        expect![[r#"
        match: null
    "#]],
    );
    check(
        FORM,
        "find --role button --count",
        expect![[r#"
        count: 3
    "#]],
    );
    check(
        FORM,
        "find --role button --limit 2",
        expect![[r#"
        matches:
          {"interactive":true,"name":"Save","path":["window","group"],"ref_id":"@s1:e1","role":"button","states":[],"value":null}
          {"interactive":true,"name":"save as…","path":["window","group"],"ref_id":"@s1:e2","role":"button","states":["disabled"],"value":null}
        ref_count: 2
        snapshot_id: "s1"
        total_matches: 3
        truncated: true
    "#]],
    );
    check(
        FORM,
        "find --role button --limit 0",
        expect![[r#"
        matches:
          {"interactive":true,"name":"Save","path":["window","group"],"ref_id":"@s1:e1","role":"button","states":[],"value":null}
          {"interactive":true,"name":"save as…","path":["window","group"],"ref_id":"@s1:e2","role":"button","states":["disabled"],"value":null}
          {"interactive":true,"name":"Cancel","path":["window","group"],"ref_id":"@s1:e3","role":"button","states":["hidden"],"value":null}
        ref_count: 3
        snapshot_id: "s1"
        total_matches: 3
    "#]],
    );
    check(
        FORM,
        "find",
        expect![[r#"
        matches:
          {"interactive":false,"name":"Form","path":[],"ref_id":"@s1:e1","role":"window","states":[],"value":null}
          {"interactive":false,"name":"Person","path":["window"],"ref_id":"@s1:e2","role":"group","states":[],"value":null}
          {"interactive":true,"name":"First name","path":["window","group"],"ref_id":"@s1:e3","role":"textfield","states":[],"value":"Ada"}
          {"interactive":true,"name":"Last name","path":["window","group"],"ref_id":"@s1:e4","role":"textfield","states":["readonly"],"value":"Lovelace"}
          {"interactive":false,"name":"First of all","path":["window","group"],"ref_id":"@s1:e5","role":"statictext","states":[],"value":null}
          {"interactive":false,"name":"Actions","path":["window"],"ref_id":"@s1:e6","role":"group","states":[],"value":null}
          {"interactive":true,"name":"Save","path":["window","group"],"ref_id":"@s1:e7","role":"button","states":[],"value":null}
          {"interactive":true,"name":"save as…","path":["window","group"],"ref_id":"@s1:e8","role":"button","states":["disabled"],"value":null}
          {"interactive":true,"name":"Cancel","path":["window","group"],"ref_id":"@s1:e9","role":"button","states":["hidden"],"value":null}
          {"interactive":true,"name":"Subscribe","path":["window","group"],"ref_id":"@s1:e10","role":"checkbox","states":["checked"],"value":null}
          {"interactive":false,"name":"More","path":["window"],"ref_id":"@s1:e11","role":"menu","states":[],"value":null}
        ref_count: 11
        snapshot_id: "s1"
        total_matches: 11
    "#]],
    );
}

#[test]
fn nothing_matches() {
    check(
        FORM,
        "find --role slider",
        expect![[r#"
            matches: []
            roles_present: ["button","checkbox","group","menu","statictext","textfield","window"]
            total_matches: 0
        "#]],
    );
    check(
        FORM,
        "find --role slider --first",
        expect![[r#"
            match: null
            roles_present: ["button","checkbox","group","menu","statictext","textfield","window"]
        "#]],
    );
    check(
        FORM,
        "find --role slider --count",
        expect![[r#"
        count: 0
    "#]],
    );
    check(
        FORM,
        "find --role button --name nothing",
        expect![[r#"
        matches: []
        total_matches: 0
    "#]],
    );
    check(
        FORM,
        "find --name nothing",
        expect![[r#"
        matches: []
        total_matches: 0
    "#]],
    );
    check(
        FORM,
        "find --role push-button",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
    check(
        FORM,
        "find --state shiny",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
}

#[test]
fn below_a_ref() {
    let mut stage = Stage::new(FORM);
    stage.draw("snapshot --skeleton --max-depth 1");
    stage.check("find --root @s1:e1 --role textfield", expect![[r#"
        matches:
          {"interactive":true,"name":"First name","path":["group"],"ref_id":"@s2:e1","role":"textfield","states":[],"value":"Ada"}
          {"interactive":true,"name":"Last name","path":["group"],"ref_id":"@s2:e2","role":"textfield","states":["readonly"],"value":"Lovelace"}
        ref_count: 2
        snapshot_id: "s2"
        total_matches: 2
    "#]]);
    stage.check(
        "find --root @s1:e1 --role button",
        expect![[r#"
            matches: []
            roles_present: ["statictext","textfield"]
            total_matches: 0
        "#]],
    );
    stage.check(
        "find --root @s1:e1 --surface menu",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
    stage.check(
        "get @s1:e1 --property role",
        expect![[r#"
        property: "role"
        ref: "@s1:e1"
        value: "group"
    "#]],
    );
}

#[test]
fn closed_menus_and_twins() {
    let mut stage = Stage::new(
        r#"
        app files
          window "Home" focused
            menu "More" closed
              menuitem "Save all" [Click]
            list
              row
                statictext "Rent"
                button "Delete" [Click]
              row
                statictext "Food"
                button "Delete" [Click]
        "#,
    );
    let answer = stage.answer("find --role menuitem");
    assert!(answer["data"]["suggestion"].as_str().unwrap().contains("closed menus"), "{answer}");
    stage.check("find --role menu", expect![[r#"
        matches:
          {"interactive":false,"name":"More","path":["window"],"ref_id":"@s1:e1","role":"menu","states":[],"value":null}
        ref_count: 1
        snapshot_id: "s1"
        total_matches: 1
    "#]]);
    stage.check("find --root @s1:e1 --role menuitem", expect![[r#"
        matches:
          {"interactive":true,"name":"Save all","path":["menu"],"ref_id":"@s2:e1","role":"menuitem","states":[],"value":null}
        ref_count: 1
        snapshot_id: "s2"
        total_matches: 1
    "#]]);
    stage.check("find --name delete", expect![[r#"
        matches:
          {"interactive":true,"name":"Delete","path":["window","list","row"],"ref_id":"@s3:e1","role":"button","states":[],"value":null,"within":"Rent"}
          {"interactive":true,"name":"Delete","path":["window","list","row"],"ref_id":"@s3:e2","role":"button","states":[],"value":null,"within":"Food"}
        ref_count: 2
        snapshot_id: "s3"
        total_matches: 2
    "#]]);
}

#[test]
fn out_of_time_is_no_partial_answer() {
    let mut stage = Stage::new(FORM);
    stage.desktop.set_limits(Limits { nodes: Some(4), ..Limits::default() });
    stage.check("find --role button", expect![[r#"
        error: TIMEOUT not_delivered/safe
        details: {"elapsed_ms":0,"kind":"deadline","timeout_ms":5000}
        recovery: {"requires_fresh_snapshot":true,"retry_after_ms":250,"retryable":true,"strategy":"inspect_state_then_retry_original"}
    "#]]);
    stage.check("find --role textfield --first", expect![[r#"
        error: TIMEOUT not_delivered/safe
        details: {"elapsed_ms":0,"kind":"deadline","timeout_ms":5000}
        recovery: {"requires_fresh_snapshot":true,"retry_after_ms":250,"retryable":true,"strategy":"inspect_state_then_retry_original"}
    "#]]);
    stage.desktop.set_limits(Limits { late: true, ..Limits::default() });
    stage.check("find --role button", expect![[r#"
        error: TIMEOUT not_delivered/safe
        details: {"elapsed_ms":0,"kind":"deadline","timeout_ms":5000}
        recovery: {"requires_fresh_snapshot":true,"retry_after_ms":250,"retryable":true,"strategy":"inspect_state_then_retry_original"}
    "#]]);
}
