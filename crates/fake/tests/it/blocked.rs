//! Windows behind a dialog of their own application: what is done to them waits for the dialog to
//! go, and is refused while it stays.

use agent_desktop_fake::Edit;
use agent_desktop_model::state::State;
use expect_test::expect;

use crate::stage::Stage;

const EDITOR: &str = r#"
app editor
  window "Notes" focused @0,0,800x600 #notes
    button "Save" [Click] #save
    textfield "Title" [SetValue TypeText] value="x" #title
"#;

const DIALOG: &str = r#"
dialog "Really?" modal @100,100,300x200 #dialog
  button "No" [Click] #no
"#;

/// The editor after a snapshot, with the dialog open.
fn stage() -> Stage {
    let mut stage = Stage::new(EDITOR);
    stage.answer("snapshot");
    open(&stage, DIALOG);
    stage
}

fn open(stage: &Stage, scene: &str) {
    stage.edit(Edit::Open { app: "editor".into(), scene: scene.into() });
}

#[test]
fn a_window_behind_its_dialog_is_left_alone() {
    let mut stage = stage();
    stage.check("click @s1:e1 --timeout-ms 30", expect![[r#"
        error: ACTION_FAILED not_delivered/safe
        details: {"actionable":false,"checks":[{"check":"visible","status":"pass"},{"check":"enabled","status":"pass"},{"check":"supported_action","status":"pass"},{"check":"receives_events","occluder":{"bounds":{"height":200,"width":300,"x":100,"y":100},"name":"Really?","role":"dialog"},"reason":"occluded by dialog \"Really?\"","status":"fail"}],"kind":"actionability_timeout"}
    "#]]);
    stage.check("set-value @s1:e2 y --timeout-ms 30", expect![[r#"
        error: ACTION_FAILED not_delivered/safe
        details: {"actionable":false,"checks":[{"check":"visible","status":"pass"},{"check":"enabled","status":"pass"},{"check":"supported_action","status":"pass"},{"check":"editable","status":"pass"},{"check":"receives_events","occluder":{"bounds":{"height":200,"width":300,"x":100,"y":100},"name":"Really?","role":"dialog"},"reason":"occluded by dialog \"Really?\"","status":"fail"}],"kind":"actionability_timeout"}
    "#]]);
    assert_eq!(stage.desktop.received().len(), 0);
    let line = "wait --element @s1:e1 --predicate actionable --timeout 30";
    assert_eq!(stage.answer(line)["error"]["details"]["kind"], "wait_timeout");
    stage.edit(Edit::Remove { target: "dialog".into() });
    assert_eq!(stage.answer(line)["ok"], true);
}

#[test]
fn a_dialog_that_only_the_display_server_calls_modal_is_in_front_too() {
    let mut stage = Stage::new(EDITOR);
    stage.answer("snapshot");
    open(&stage, "dialog \"Really?\" modal-to-display #dialog\n  button \"No\" [Click]");
    let answer = stage.answer("click @s1:e1 --timeout-ms 30");
    assert_eq!(answer["error"]["details"]["kind"], "actionability_timeout", "{answer}");
    stage.edit(Edit::Remove { target: "dialog".into() });
    assert_eq!(stage.answer("click @s1:e1")["ok"], true);
}

#[test]
fn what_is_in_the_dialog_is_not_behind_it() {
    let mut stage = stage();
    stage.answer("find --app editor --surface sheet --name No --first");
    assert_eq!(stage.answer("click @s2:e1")["ok"], true);
    // One that the dialog has opened itself.
    open(&stage, "dialog \"Why?\" modal\n  button \"Because\" [Click]");
    assert_eq!(stage.answer("click @s2:e1")["ok"], true, "which of two is in front is not known");
    open(&stage, "window\n  menuitem \"Later\" [Click] #later");
    let listed = stage.answer("list-windows --app editor");
    let popup = listed["data"].as_array().unwrap().iter().find(|window| window["title"] == "");
    let id = popup.unwrap()["id"].as_str().unwrap().to_owned();
    stage.answer(&format!("find --window-id {id} --name Later --first"));
    assert_eq!(stage.answer("click @s3:e1")["ok"], true, "what the dialog opens has no title");
}

#[test]
fn a_dialog_that_goes_in_time_was_waited_for() {
    let mut stage = stage();
    stage.desktop.take_calls();
    stage.desktop.apply_after(30, Edit::Remove { target: "dialog".into() });
    let answer = stage.answer("click @s1:e1");
    assert_eq!(answer["ok"], true, "{answer}");
    let tries = &answer["data"]["details"]["auto_wait"]["read_only_preflight_attempts"];
    assert!(tries.as_u64() > Some(1), "{answer}");
}

#[test]
fn a_dialog_that_blocks_nothing() {
    let act = |edit: &dyn Fn(&Stage)| {
        let mut stage = stage();
        edit(&stage);
        stage.answer("click @s1:e1 --timeout-ms 30")["error"]["code"].clone()
    };
    let set = |state, on| Edit::SetState { target: "dialog".into(), state, on };
    assert_eq!(act(&|_| ()), "ACTION_FAILED");
    assert_eq!(act(&|stage| stage.edit(set(State::Modal, false))), serde_json::Value::Null);
    assert_eq!(act(&|stage| stage.edit(set(State::Hidden, true))), serde_json::Value::Null);
    let other = "window \"Other notes\"\n  button \"Save\" [Click]";
    assert_eq!(
        act(&|stage| open(stage, other)),
        serde_json::Value::Null,
        "it may be the other one's"
    );
}
