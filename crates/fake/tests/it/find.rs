//! `find`: filters, selections, and what it says when there is nothing.

use agent_desktop_fake::{Edit, Limits};
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
            app: "form"
            match: {"interactive":true,"name":"Save","path":["window","group"],"ref_id":"@s1:e1","role":"button","states":[],"value":null}
            ref_count: 1
            snapshot_id: "s1"
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
    check(
        FORM,
        "find --role button --last",
        expect![[r#"
            app: "form"
            match: {"interactive":true,"name":"save as…","path":["window","group"],"ref_id":"@s1:e1","role":"button","states":["disabled"],"value":null}
            ref_count: 1
            snapshot_id: "s1"
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
    check(
        FORM,
        "find --role button --nth 1",
        expect![[r#"
            app: "form"
            match: {"interactive":true,"name":"save as…","path":["window","group"],"ref_id":"@s1:e1","role":"button","states":["disabled"],"value":null}
            ref_count: 1
            snapshot_id: "s1"
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
    check(
        FORM,
        "find --role button --nth 3",
        expect![[r#"
            app: "form"
            match: null
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
    check(
        FORM,
        "find --role button --count",
        expect![[r#"
            app: "form"
            count: 3
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
    check(
        FORM,
        "find --role button --limit 2",
        expect![[r#"
            app: "form"
            matches:
              {"interactive":true,"name":"Save","path":["window","group"],"ref_id":"@s1:e1","role":"button","states":[],"value":null}
              {"interactive":true,"name":"save as…","path":["window","group"],"ref_id":"@s1:e2","role":"button","states":["disabled"],"value":null}
            ref_count: 2
            snapshot_id: "s1"
            total_matches: 3
            truncated: true
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
    check(
        FORM,
        "find --role button --limit 0",
        expect![[r#"
            app: "form"
            matches:
              {"interactive":true,"name":"Save","path":["window","group"],"ref_id":"@s1:e1","role":"button","states":[],"value":null}
              {"interactive":true,"name":"save as…","path":["window","group"],"ref_id":"@s1:e2","role":"button","states":["disabled"],"value":null}
              {"interactive":true,"name":"Cancel","path":["window","group"],"ref_id":"@s1:e3","role":"button","states":["hidden"],"value":null}
            ref_count: 3
            snapshot_id: "s1"
            total_matches: 3
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
    check(
        FORM,
        "find",
        expect![[r#"
            app: "form"
            matches:
              {"interactive":false,"name":"Form","path":[],"ref_id":"@s1:e1","role":"window","states":[],"value":null}
              {"interactive":false,"name":"Person","path":["window"],"ref_id":"@s1:e2","role":"group","states":[],"value":null}
              {"description":"As in the passport","interactive":true,"name":"First name","path":["window","group"],"ref_id":"@s1:e3","role":"textfield","states":[],"value":"Ada"}
              {"interactive":true,"name":"Last name","path":["window","group"],"ref_id":"@s1:e4","role":"textfield","states":["readonly"],"value":"Lovelace"}
              {"interactive":false,"name":"First of all","path":["window","group"],"ref_id":"@s1:e5","role":"statictext","states":[],"value":null}
              {"interactive":false,"name":"Actions","path":["window"],"ref_id":"@s1:e6","role":"group","states":[],"value":null}
              {"interactive":true,"name":"Save","path":["window","group"],"ref_id":"@s1:e7","role":"button","states":[],"value":null}
              {"interactive":true,"name":"save as…","path":["window","group"],"ref_id":"@s1:e8","role":"button","states":["disabled"],"value":null}
              {"interactive":true,"name":"Subscribe","path":["window","group"],"ref_id":"@s1:e9","role":"checkbox","states":["checked"],"value":null}
              {"interactive":false,"name":"More","path":["window"],"ref_id":"@s1:e10","role":"menu","states":[],"value":null}
              {"interactive":true,"name":"Cancel","path":["window","group"],"ref_id":"@s1:e11","role":"button","states":["hidden"],"value":null}
            ref_count: 11
            snapshot_id: "s1"
            total_matches: 11
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
}

#[test]
fn nothing_matches() {
    check(
        FORM,
        "find --role slider",
        expect![[r#"
            app: "form"
            matches: []
            roles_present: ["button","checkbox","group","menu","statictext","textfield","window"]
            total_matches: 0
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
    check(
        FORM,
        "find --role slider --first",
        expect![[r#"
            app: "form"
            match: null
            roles_present: ["button","checkbox","group","menu","statictext","textfield","window"]
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
    check(
        FORM,
        "find --role slider --count",
        expect![[r#"
            app: "form"
            count: 0
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
    check(
        FORM,
        "find --role button --name nothing",
        expect![[r#"
            app: "form"
            matches: []
            total_matches: 0
            window: {"id":"w-1.1-1","title":"Form"}
        "#]],
    );
    check(
        FORM,
        "find --name nothing",
        expect![[r#"
            app: "form"
            matches: []
            total_matches: 0
            window: {"id":"w-1.1-1","title":"Form"}
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
        app: "form"
        matches:
          {"description":"As in the passport","interactive":true,"name":"First name","path":["group"],"ref_id":"@s2:e1","role":"textfield","states":[],"value":"Ada"}
          {"interactive":true,"name":"Last name","path":["group"],"ref_id":"@s2:e2","role":"textfield","states":["readonly"],"value":"Lovelace"}
        ref_count: 2
        snapshot_id: "s2"
        total_matches: 2
    "#]]);
    stage.check(
        "find --root @s1:e1 --role button",
        expect![[r#"
            app: "form"
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
    let suggestion = answer["data"]["suggestion"].as_str().unwrap();
    assert!(
        suggestion.contains("`find --window-id w-1.1-1 --role menu --name More --first`"),
        "{answer}"
    );
    stage.check("find --role menu", expect![[r#"
        app: "files"
        matches:
          {"interactive":false,"name":"More","path":["window"],"ref_id":"@s1:e1","role":"menu","states":[],"value":null}
        ref_count: 1
        snapshot_id: "s1"
        total_matches: 1
        window: {"id":"w-1.1-1","title":"Home"}
    "#]]);
    stage.check("find --root @s1:e1 --role menuitem", expect![[r#"
        app: "files"
        matches:
          {"interactive":true,"name":"Save all","path":["menu"],"ref_id":"@s2:e1","role":"menuitem","states":[],"value":null}
        ref_count: 1
        snapshot_id: "s2"
        total_matches: 1
    "#]]);
    stage.check("find --name delete", expect![[r#"
        app: "files"
        matches:
          {"interactive":true,"name":"Delete","path":["window","list","row"],"ref_id":"@s3:e1","role":"button","states":[],"value":null,"within":"Rent"}
          {"interactive":true,"name":"Delete","path":["window","list","row"],"ref_id":"@s3:e2","role":"button","states":[],"value":null,"within":"Food"}
        ref_count: 2
        snapshot_id: "s3"
        total_matches: 2
        window: {"id":"w-1.1-1","title":"Home"}
    "#]]);
}

/// Pages of an editor, the second of which shows: what is behind it comes last.
#[test]
fn what_shows_comes_before_what_is_hidden() {
    const PAGES: &str = r#"
        app editor
          window "Editor" focused
            group hidden
              button "Clear" [Click] desc="Old"
            tablist
              tab "One"
                group offscreen
                  button "Clear" [Click]
              tab "Two" selected
                group
                  button "Clear" [Click] desc="New"
                  group "Card"
                    button "Clear" hidden [Click]
            group offscreen
              button "Clear" [Click] desc="Below"
    "#;
    let described = |line: &str| {
        let answer = Stage::new(PAGES).answer(line);
        let data = &answer["data"];
        let single = data["match"].as_object().map(|_| data["match"].clone());
        let all = data["matches"].as_array().cloned().unwrap_or_else(|| Vec::from_iter(single));
        all.iter().map(|one| one["description"].as_str().unwrap_or("-").to_owned()).collect()
    };
    let find = |rest: &str| -> Vec<String> { described(&format!("find --role button {rest}")) };
    assert_eq!(find(""), ["New", "Below", "Old", "-", "-"]);
    assert_eq!(find("--first"), ["New"]);
    assert_eq!(find("--last"), ["Below"]);
    assert_eq!(find("--nth 2"), ["Old"]);
    assert_eq!(find("--last --state hidden"), ["-"]);
    assert_eq!(find("--text below"), ["Below"]);
}

/// Their ancestors tell these apart, which a list of matches does not show.
#[test]
fn what_has_no_area_does_not_show() {
    let mut stage = Stage::new(
        r#"
        app factory
          window "Factory" focused
            group "Page 1"
              button "Inform" @5,5,80x30 [Click]
            group "Page 2"
              button "Inform" @0,0,0x0 [Click]
        "#,
    );
    for (state, count) in [("visible", 1), ("visible=false", 1), ("enabled", 2)] {
        let answer = stage.answer(&format!("find --role button --state {state} --count"));
        assert_eq!(answer["data"]["count"], count, "{state}: {answer}");
    }
}

#[test]
fn matches_that_say_the_same_tell_what_they_stand_in() {
    const CARDS: &str = r#"
        app bank
          window "Bank" focused
            group "Rent"
              button "Pay" [Click]
            group "Food"
              button "Pay" [Click]
              button "Cancel" [Click]
    "#;
    let mut stage = Stage::new(CARDS);
    stage.check("find --role button", expect![[r#"
        app: "bank"
        matches:
          {"interactive":true,"name":"Pay","path":["window","group"],"ref_id":"@s1:e1","role":"button","states":[],"value":null,"within":"Rent"}
          {"interactive":true,"name":"Pay","path":["window","group"],"ref_id":"@s1:e2","role":"button","states":[],"value":null,"within":"Food"}
          {"interactive":true,"name":"Cancel","path":["window","group"],"ref_id":"@s1:e3","role":"button","states":[],"value":null}
        ref_count: 3
        snapshot_id: "s1"
        total_matches: 3
        window: {"id":"w-1.1-1","title":"Bank"}
    "#]]);
    stage.check("find --role button --name Pay --last", expect![[r#"
        app: "bank"
        match: {"interactive":true,"name":"Pay","path":["window","group"],"ref_id":"@s2:e1","role":"button","states":[],"value":null,"within":"Food"}
        ref_count: 1
        snapshot_id: "s2"
        window: {"id":"w-1.1-1","title":"Bank"}
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

#[test]
fn what_is_busy_may_have_more_in_a_moment() {
    const LOADING: &str = r#"
        app browser
          window "Shop" focused
            progressbar "Download" busy
            webarea "Shop" busy
              button "Buy" [Click]
            webarea "Behind" busy hidden
    "#;
    for (line, expected) in [
        ("find --name Pay", Some("webarea \"Shop\" is busy")),
        ("find --role button", Some("webarea \"Shop\" is busy")),
        ("find --role button --count", Some("webarea \"Shop\" is busy")),
        // What was looked for is there.
        ("find --name Buy --first", None),
    ] {
        let answer = Stage::new(LOADING).answer(line);
        let suggestion = answer["data"]["suggestion"].as_str();
        match expected {
            Some(words) => assert!(suggestion.is_some_and(|it| it.contains(words)), "{answer}"),
            None => assert_eq!(suggestion, None, "{answer}"),
        }
    }
}

const EDITOR: &str = r#"
app editor
  window "Notes" focused
    button "Save" [Click]
    menu "File" #file
      menuitem "Quit" [Click]
  dialog "Replace" modal
    button "All" [Click]
  window "Gone" hidden
    button "All" [Click]
app other
  window "Elsewhere"
    button "All" [Click]
"#;

#[test]
fn the_window_that_was_searched_is_told_with_the_others_of_its_application() {
    let told = |line: &str| {
        let data = Stage::new(EDITOR).answer(line)["data"].take();
        let window = data["window"]["title"].as_str().unwrap_or("-").to_owned();
        let others = data["other_windows"].as_array().into_iter().flatten();
        let others: Vec<&str> = others.filter_map(|other| other["title"].as_str()).collect();
        let suggestion = data["suggestion"].as_str().unwrap_or("-");
        format!("{window}; {}; {suggestion}", others.join(", "))
    };
    let replaces = "Only the window \"Notes\" was searched: `find --window-id w-1.1-5` searches \
                    \"Replace\".";
    // One of several was chosen, so others are named whatever was found.
    assert_eq!(told("find --app editor --name Save"), "Notes; Replace; -");
    for line in [
        "find --app editor --name All",
        "find --app editor --name All --first",
        "find --app editor --name All --count",
        // Nobody chose, and all the same it may be there.
        "find --name All",
        "find --window-id w-1.1-1 --name All",
    ] {
        assert_eq!(told(line), format!("Notes; Replace; {replaces}"), "{line}");
    }
    assert_eq!(told("find --name Save"), "Notes; ; -");
    assert_eq!(told("find --app other --name Save"), "Elsewhere; ; -");
}

/// What `list-surfaces` prints is taken wherever a window or a surface is named.
#[test]
fn an_id_of_a_surface_is_an_aim() {
    let mut stage = Stage::new(EDITOR);
    let listed = stage.answer("list-surfaces --app editor");
    let surfaces = listed["data"]["surfaces"].as_array().unwrap();
    let id = |kind: &str| {
        let surface = surfaces.iter().find(|surface| surface["type"] == kind);
        surface.unwrap_or_else(|| panic!("{listed}"))["id"].as_str().unwrap().to_owned()
    };
    for (kind, name, window) in [("menu", "Quit", "Notes"), ("sheet", "All", "Replace")] {
        let id = id(kind);
        for aim in [
            format!("--surface {id}"),
            format!("--window-id {id}"),
            format!("--app editor --surface {id}"),
        ] {
            let data = stage.answer(&format!("find {aim} --role button"))["data"].take();
            assert_eq!(data["window"]["title"], window, "{aim}: {data}");
            let data = stage.answer(&format!("find {aim} --name {name} --first"))["data"].take();
            assert_eq!(data["match"]["name"], name, "{aim}: {data}");
            let data = stage.answer(&format!("snapshot {aim}"))["data"].take();
            assert_ne!(data["tree"]["role"], "window", "{aim}: {data}");
            let data = stage.answer(&format!("wait {aim} --text {name}"))["data"].take();
            assert_eq!(data["found"], true, "{aim}: {data}");
        }
    }
    let menu = id("menu");
    stage.edit(Edit::SetOpen { target: "file".into(), open: false });
    for gone in [menu.as_str(), "menu-1.1-99", "menu-1.19-5", "popover-7.7-1"] {
        let answer = stage.answer(&format!("find --surface {gone} --first"));
        assert_eq!(answer["error"]["code"], "ELEMENT_NOT_FOUND", "{answer}");
    }
}

/// Toolkits tell alerts from dialogs each in its own way; whoever waits for one need not know.
#[test]
fn dialogs_and_alerts_go_by_each_others_names() {
    const FAMILY: &str = r#"
        app asks
          window "Main" focused
            alert "Saved" #live
            alert "Sure?" modal
            alertdialog "Really?" modal
            dialog "Options" modal
            dialog "Tools"
    "#;
    let found = |role: &str| {
        let answer = Stage::new(FAMILY).answer(&format!("find --role {role}"));
        let matches = answer["data"]["matches"].as_array().unwrap().clone();
        let names: Vec<&str> = matches.iter().filter_map(|one| one["name"].as_str()).collect();
        names.join(" ")
    };
    assert_eq!(found("alert"), "Saved Sure? Really?");
    assert_eq!(found("alertdialog"), "Sure? Really?");
    assert_eq!(found("dialog"), "Sure? Really? Options Tools");
    assert_eq!(found("sheet"), "Sure? Really? Options");
    assert_eq!(found("window"), "Main");
}
