//! Waiting: what ends a wait, what it answers, and what it says when it was in vain.

use agent_desktop_fake::Edit;
use agent_desktop_model::state::State;
use expect_test::expect;

use crate::stage::Stage;

const EDITOR: &str = r#"
app editor toolkit="fake"
  window "Notes" focused #notes
    button "Save" disabled [Click] #save
    textfield "Title" [SetValue] value="draft" #title
    statictext "Saving" #status
    menu "File" closed #file
      menuitem "Quit"
"#;

/// The desktop after a snapshot, where `edit` happens while somebody waits.
fn while_waiting(edit: Edit) -> Stage {
    let mut stage = Stage::new(EDITOR);
    stage.answer("snapshot");
    stage.desktop.take_calls();
    stage.desktop.apply_after(20, edit);
    stage
}

/// What came of `line`, without how long it took.
fn outcome(stage: &mut Stage, line: &str) -> String {
    let mut answer = stage.answer(line);
    for part in [&["data"][..], &["error", "details"]] {
        let part = part.iter().fold(&mut answer, |value, key| &mut value[*key]);
        if let Some(fields) = part.as_object_mut() {
            fields.remove("elapsed_ms");
            fields.remove("timeout_ms");
        }
    }
    match answer["ok"].as_bool() {
        Some(true) => answer["data"].to_string(),
        _ => {
            format!("{} {}", answer["error"]["code"].as_str().unwrap(), answer["error"]["details"])
        }
    }
}

fn set(target: &str, state: State, on: bool) -> Edit {
    Edit::SetState { target: target.into(), state, on }
}

#[test]
fn an_element_comes_to_be_as_it_is_waited_for() {
    let mut stage = while_waiting(set("save", State::Disabled, false));
    expect![[r#"{"found":true,"observed":"","predicate":"enabled","ref":"@s1:e1"}"#]]
        .assert_eq(&outcome(&mut stage, "wait --element @s1:e1 --predicate enabled"));
    let mut stage = while_waiting(set("save", State::Disabled, false));
    // Other commands call their limit --timeout-ms.
    let line = "wait --element @s1:e1 --predicate actionable --action click --timeout-ms 9000";
    expect![[r#"{"found":true,"observed":"","predicate":"actionable","ref":"@s1:e1"}"#]]
        .assert_eq(&outcome(&mut stage, line));
    let value = Edit::SetValue { target: "title".into(), value: "final".into() };
    let mut stage = while_waiting(value);
    let line = "wait --element @s1:e2 --predicate value --value final";
    expect![[r#"{"found":true,"observed":"final","predicate":"value","ref":"@s1:e2"}"#]]
        .assert_eq(&outcome(&mut stage, line));
}

/// What a click would do, a wait for it knows: the button of GTK 4 stands in what is called so.
#[test]
fn an_element_that_acts_through_what_is_in_it_is_actionable() {
    let scene = "app a\n  window \"W\" focused\n    menubutton \"Mode\"\n      button [Click]\n";
    let mut stage = Stage::new(scene);
    stage.answer("snapshot");
    let line = "wait --element @s1:e1 --predicate actionable --timeout 1000";
    assert_eq!(stage.answer(line)["ok"], true);
    // What an element has no way of doing, it does not get by being waited for.
    let line = "wait --element @s1:e1 --predicate actionable --action type --timeout 600000";
    assert_eq!(stage.answer(line)["error"]["details"]["kind"], "capability_missing");
    assert_eq!(stage.answer("click @s1:e1")["data"]["details"]["via"]["role"], "button");
}

#[test]
fn a_text_a_menu_and_a_window() {
    let rename = |name: &str| Edit::Rename { target: "status".into(), name: name.into() };
    let mut stage = while_waiting(rename("Saved!"));
    expect![[r#"{"found":true,"ref":"@s2:e1","role":"statictext","snapshot_id":"s2","text":"saved","window":{"id":"w-1.1-1","title":"Notes"}}"#]]
    .assert_eq(&outcome(&mut stage, "wait --text saved --app editor"));
    let mut stage = while_waiting(rename("Saved!"));
    expect![[
        r#"{"count":0,"found":true,"text":"saving","window":{"id":"w-1.1-1","title":"Notes"}}"#
    ]]
    .assert_eq(&outcome(&mut stage, "wait --text saving --count 0"));
    let mut stage = while_waiting(Edit::SetOpen { target: "file".into(), open: true });
    expect![[r#"{"found":true,"surface":{"id":"menu-1.1-5","item_count":1,"title":"File","type":"menu"}}"#]].assert_eq(&outcome(&mut stage, "wait --menu"));
    stage.edit(Edit::SetOpen { target: "file".into(), open: false });
    expect![[r#"{"found":true}"#]].assert_eq(&outcome(&mut stage, "wait --menu-closed"));
    let mut stage = while_waiting(Edit::Rename { target: "notes".into(), name: "*Notes".into() });
    expect![[r#"{"found":true,"window":{"id":"w-1.1-1","title":"*Notes"}}"#]]
        .assert_eq(&outcome(&mut stage, "wait --window '*notes'"));
}

#[test]
fn events_count_from_the_moment_that_the_wait_begins() {
    let mut stage = while_waiting(Edit::SetOpen { target: "file".into(), open: true });
    expect![[r#"{"event":{"kind":"surface-appeared","surface":{"id":"menu-1.1-5","item_count":1,"title":"File","type":"menu"}},"found":true}"#]].assert_eq(&outcome(&mut stage, "wait --event surface-appeared"));
    // It is open by now, so nothing appears.
    expect![[r#"TIMEOUT {"kind":"wait_timeout","last_error":null,"last_observed":null,"predicate":"surface-appeared"}"#]].assert_eq(&outcome(&mut stage, "wait --event surface-appeared --timeout 30"));
    let mut stage = while_waiting(Edit::Remove { target: "notes".into() });
    expect![[r#"{"event":{"app":"editor","kind":"window-closed","pid":1000,"window":{"id":"w-1.1-1","title":"Notes"}},"found":true}"#]].assert_eq(&outcome(&mut stage, "wait --event window-closed --app editor"));
    expect![[r#"TIMEOUT {"kind":"wait_timeout","last_error":null,"last_observed":null,"predicate":"app-launched"}"#]].assert_eq(&outcome(&mut stage, "wait --event app-launched --timeout 30"));
}

/// What of each kind is an event, and what of the other windows is none.
#[test]
fn every_kind_of_event_is_heard() {
    let dialog = "dialog \"Find\" #find\n  button \"Go\" [Click]\n";
    let open = || Edit::Open { app: "editor".into(), scene: dialog.into() };
    let launch = || Edit::Launch { scene: "app viewer\n  window \"Picture\" #picture".into() };
    let focus = |target: &str, on| set(target, State::Focused, on);
    let menu = |open| Edit::SetOpen { target: "file".into(), open };
    let close = || Edit::Remove { target: "find".into() };
    let end = || Edit::Restart { app: "viewer".into(), same_bus: false };
    let cases: [(&str, Vec<Edit>, Vec<Edit>, &str); 8] = [
        ("window-opened", vec![], vec![open()], "Find"),
        ("window-closed --app editor", vec![open()], vec![close()], "Find"),
        ("app-launched", vec![], vec![launch()], "viewer"),
        ("app-terminated --app viewer", vec![launch()], vec![end()], "viewer"),
        ("focus-changed", vec![open()], vec![focus("notes", false), focus("find", true)], "Find"),
        ("surface-appeared", vec![], vec![menu(true)], "menu"),
        ("surface-dismissed", vec![menu(true)], vec![menu(false)], "menu"),
        ("window-opened --window pict", vec![], vec![open(), launch()], "Picture"),
    ];
    for (kind, before, then, what) in cases {
        let mut stage = Stage::new(EDITOR);
        for edit in before {
            stage.edit(edit);
        }
        for edit in then {
            stage.desktop.apply_after(20, edit);
        }
        let answer = stage.answer(&format!("wait --event {kind}"));
        let event = &answer["data"]["event"];
        assert!(event.to_string().contains(what), "{kind}: {answer}");
        assert!(kind.starts_with(event["kind"].as_str().unwrap()), "{kind}: {answer}");
    }
}

#[test]
fn a_wait_in_vain_says_what_was_there_last() {
    let mut stage = Stage::new(EDITOR);
    stage.answer("snapshot");
    let line = "wait --element @s1:e2 --predicate value --value final --timeout 30";
    expect![[r#"TIMEOUT {"kind":"wait_timeout","last_error":null,"last_observed":"draft","predicate":"value"}"#]].assert_eq(&outcome(&mut stage, line));
    expect![[r#"TIMEOUT {"kind":"wait_timeout","last_error":"no application is called \"none\"","last_observed":null,"predicate":"text"}"#]].assert_eq(&outcome(&mut stage, "wait --text nowhere --app none --timeout 30"));
    expect![[r#"TIMEOUT {"kind":"wait_timeout","last_error":null,"last_observed":null,"predicate":"window"}"#]].assert_eq(&outcome(&mut stage, "wait --window nowhere --timeout 30"));
    expect![[r#"{"waited_ms":1}"#]].assert_eq(&outcome(&mut stage, "wait 1"));
}

#[test]
fn what_waiting_cannot_mend_fails_at_once() {
    let mut stage = Stage::new(EDITOR);
    stage.answer("snapshot");
    stage.desktop.set_desktop_id("another");
    let answer = stage.answer("wait --element @s1:e1 --predicate enabled --timeout 600000");
    assert_eq!(answer["error"]["details"]["kind"], "desktop_changed", "{answer}");
}

/// Some toolkits offer nothing on what is disabled or hidden.
#[test]
fn what_is_disabled_may_offer_more_once_it_is_not() {
    let scene = "app a\n  window \"W\" focused\n    group \"Pane\" disabled #pane\n";
    let mut stage = Stage::new(scene);
    stage.answer("find --name Pane --first");
    let line = "wait --element @s1:e1 --predicate actionable --timeout 30";
    assert_eq!(stage.answer(line)["error"]["details"]["kind"], "wait_timeout");
    stage.edit(set("pane", State::Disabled, false));
    let line = "wait --element @s1:e1 --predicate actionable --timeout 600000";
    assert_eq!(stage.answer(line)["error"]["details"]["kind"], "capability_missing");
}

const WINDOWS: &str = r#"
app editor
  window "Notes" focused
    group "Left" [Click]
      statictext "Ready" #left
    group "Right" [Click]
      statictext "Ready" #right
  dialog "Replace" modal
    statictext "Done"
"#;

#[test]
fn a_text_is_looked_for_where_find_looks() {
    let mut stage = Stage::new(WINDOWS);
    stage.answer("find --name Right --first");
    for aim in ["--window-id w-1.1-6", "--surface sheet", "--app editor --surface sheet"] {
        let answer = stage.answer(&format!("wait --text done {aim}"));
        assert_eq!(answer["data"]["found"], true, "{aim}: {answer}");
    }
    stage.edit(Edit::Rename { target: "right".into(), name: "Over".into() });
    let answer = stage.answer("wait --text over --root @s1:e1");
    assert_eq!(answer["data"]["found"], true, "{answer}");
    let answer = stage.answer("wait --text ready --root @s1:e1 --timeout 30");
    assert_eq!(answer["error"]["code"], "TIMEOUT", "{answer}");
    // Where else it may be is said by a wait in vain as by a search in vain.
    let answer = stage.answer("wait --text done --app editor --timeout 30");
    let suggestion = answer["error"]["suggestion"].as_str().unwrap();
    assert!(suggestion.contains("`find --window-id w-1.1-6`"), "{answer}");
    for bad in ["wait --window x --surface menu", "wait --window x --window-id w-1.1-1"] {
        assert_eq!(stage.answer(bad)["error"]["code"], "INVALID_ARGS", "{bad}");
    }
}

/// Who hangs is named to the end, not what there was no time left to ask.
#[test]
fn who_hangs_is_named_with_the_remedy() {
    let scene = "app stuck hung\n  window \"W\" focused\n    button \"Go\" [Click]\n";
    for line in ["wait --menu --app stuck --timeout 30", "wait --text x --app stuck --timeout 30"] {
        let answer = Stage::new(scene).answer(line);
        let error = &answer["error"];
        assert!(
            error["message"].as_str().unwrap().contains("\"stuck\" does not answer"),
            "{answer}"
        );
        assert!(error["suggestion"].as_str().unwrap().contains("restart it"), "{answer}");
    }
}
