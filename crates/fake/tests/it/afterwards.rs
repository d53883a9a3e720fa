//! `--wait-for` and `--wait-for-gone`: what comes of an action is waited for in the same command, and
//! the window is told as it is then.

use agent_desktop_fake::Edit;
use agent_desktop_model::state::State;
use expect_test::expect;

use crate::stage::{self, Stage};

const EDITOR: &str = r#"
app editor toolkit="fake"
  window "Notes" focused #notes
    button "Save" [Click] #save
    button "Print" disabled [Click] #print
    statictext "Draft" #status
    group hidden #bar
      statictext "Printing" hidden #printing
"#;

const DIALOG: &str = r#"
dialog "Save As"
  textfield "Name" [SetValue]
  button "OK" [Click]
"#;

fn stage() -> Stage {
    let mut stage = Stage::new(EDITOR);
    stage.answer("snapshot");
    stage
}

/// The answer to `line` as it is drawn, without how long it took.
fn drawn(stage: &mut Stage, line: &str) -> String {
    let mut answer = stage.answer(line);
    for part in ["/data", "/error/details"] {
        if let Some(fields) = answer.pointer_mut(part).and_then(|part| part.as_object_mut()) {
            fields.remove("elapsed_ms");
            fields.remove("timeout_ms");
        }
    }
    stage::draw(&answer)
}

#[test]
fn what_an_action_opens_is_waited_for_and_told_whole() {
    let mut stage = stage();
    let opened = Edit::Open { app: "editor".into(), scene: DIALOG.into() };
    stage.desktop.react("save", vec![opened]);
    expect![[r#"
        after_action: {"action":"click","details":{"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":1,"read_only_resolve_attempts":1}},"disposition":{"delivery":"delivered_verified","retry":"unsafe"},"post_state":{"enabled":true,"hidden":false,"offscreen":false,"role":"button","states":[]},"ref":"@s1:e1","steps":[{"label":"activate","mechanism":"semantic_api","outcome":"succeeded","verified":true}],"surfaces":[{"id":"w-1.1-1","title":"Notes","type":"window"},{"id":"w-1.1-7","title":"Save As","type":"window"}]}
        app: "editor"
        complete: true
        matched_selector: "dialog:save as"
        ref_count: 2
        snapshot_id: "s2"
        dialog "Save As"
          textfield "Name" e1 [SetValue]
          button "OK" e2 [Click]
        window: {"id":"w-1.1-7","title":"Save As"}
    "#]].assert_eq(&drawn(&mut stage, "click @s1:e1 -w 'dialog:save as'"));
}

#[test]
fn what_comes_later_in_the_window_itself() {
    let mut stage = stage();
    stage.desktop.take_calls();
    let saved = Edit::Rename { target: "status".into(), name: "Saved!".into() };
    stage.desktop.apply_after(40, saved);
    let answer = stage.answer("click @s1:e1 --wait-for :SAVED");
    assert_eq!(answer["data"]["matched_selector"], ":SAVED", "{answer}");
    assert_eq!(answer["data"]["window"]["title"], "Notes", "{answer}");
    assert_eq!(answer["data"]["after_action"]["action"], "click", "{answer}");
}

#[test]
fn what_is_to_go_goes_or_goes_with_its_window() {
    let mut stage = stage();
    let saved = Edit::Rename { target: "status".into(), name: "Saved!".into() };
    stage.desktop.react("save", vec![saved]);
    let answer = stage.answer("click @s1:e1 --wait-for-gone statictext:draft");
    assert_eq!(answer["data"]["gone"], true, "{answer}");
    assert_eq!(answer["data"]["tree"]["name"], "Notes", "{answer}");

    let mut stage = self::stage();
    stage.desktop.react("save", vec![Edit::Remove { target: "notes".into() }]);
    expect![[r#"
        after_action: {"action":"click","details":{"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":1,"read_only_resolve_attempts":1}},"disposition":{"delivery":"delivered_verified","retry":"unsafe"},"ref":"@s1:e1","steps":[{"label":"activate","mechanism":"semantic_api","outcome":"succeeded","verified":true}],"surfaces":[]}
        gone: true
        matched_selector: ":Draft"
        target_absent: true
    "#]].assert_eq(&drawn(&mut stage, "click @s1:e1 --wait-for-gone :Draft"));
}

#[test]
fn what_does_not_come_leaves_the_action_done() {
    let mut stage = stage();
    let line = "click @s1:e1 -w dialog --wait-timeout 30";
    expect![[r#"
        error: TIMEOUT delivered_unverified/unsafe
        details: {"after_action":{"action":"click","details":{"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":1,"read_only_resolve_attempts":1}},"disposition":{"delivery":"delivered_unverified","retry":"unsafe"},"post_state":{"enabled":true,"hidden":false,"offscreen":false,"role":"button","states":[]},"ref":"@s1:e1","steps":[{"label":"activate","mechanism":"semantic_api","outcome":"succeeded","verified":false}],"surfaces":[{"id":"w-1.1-1","title":"Notes","type":"window"}]},"kind":"wait_timeout","last_error":null,"last_observed":null,"predicate":"selector","snapshot_id":"s2"}
    "#]].assert_eq(&drawn(&mut stage, line));
    let line = "click @s1:e1 --wait-for-gone button:save --wait-timeout 30";
    let answer = stage.answer(line);
    assert_eq!(answer["error"]["code"], "TIMEOUT", "{answer}");
    assert_eq!(answer["error"]["details"]["after_action"]["action"], "click", "{answer}");
}

#[test]
fn what_nobody_sees_is_not_there() {
    let mut stage = stage();
    let answer = stage.answer("click @s1:e1 -w :printing --wait-timeout 30");
    assert_eq!(answer["error"]["code"], "TIMEOUT", "{answer}");
    let shown =
        |target: &str| Edit::SetState { target: target.into(), state: State::Hidden, on: false };
    stage.desktop.react("save", vec![shown("bar"), shown("printing")]);
    let answer = stage.answer("click @s1:e1 -w :printing");
    assert_eq!(answer["ok"], true, "{answer}");
}

#[test]
fn an_action_that_fails_is_not_waited_for() {
    let mut stage = stage();
    let line = "click @s1:e2 --timeout-ms 30 -w :Printing --wait-timeout 86400000";
    let answer = stage.answer(line);
    assert_eq!(answer["error"]["details"]["kind"], "actionability_timeout", "{answer}");
    let answer = stage.answer("click @s1:e1 -w nonsense");
    assert_eq!(answer["error"]["code"], "INVALID_ARGS", "{answer}");
    assert_eq!(stage.desktop.received().len(), 0, "nothing is done before it is understood");
}

#[test]
fn an_application_that_ends_leaves_nothing_to_wait_for() {
    let mut stage = stage();
    stage.desktop.react("save", vec![Edit::Restart { app: "editor".into(), same_bus: false }]);
    let answer = stage.answer("click @s1:e1 -w dialog --wait-timeout 86400000");
    assert_eq!(answer["error"]["code"], "APP_NOT_FOUND", "{answer}");
    assert_eq!(answer["error"]["disposition"]["retry"], "unsafe", "{answer}");
}

#[test]
fn a_snapshot_waits_for_its_window_and_for_what_is_in_it() {
    let mut stage = stage();
    stage.desktop.take_calls();
    let scene = "app viewer\n  window \"Picture\"\n    button \"Zoom\" [Click]\n";
    stage.desktop.apply_after(20, Edit::Launch { scene: scene.into() });
    let line = "snapshot --app viewer -i -w button:zoom";
    expect![[r#"
        app: "viewer"
        complete: true
        matched_selector: "button:zoom"
        ref_count: 1
        snapshot_id: "s2"
        window "Picture"
          button "Zoom" e1 [Click]
        window: {"id":"w-1.2-7","title":"Picture"}
    "#]]
    .assert_eq(&drawn(&mut stage, line));
    let answer = stage.answer("snapshot --app editor --wait-for-gone button:zoom");
    assert_eq!((&answer["data"]["gone"], &answer["data"]["app"]), (&true.into(), &"editor".into()));
    let answer = stage.answer("snapshot --app none --wait-for-gone button");
    assert_eq!(answer["data"]["target_absent"], true, "{answer}");
}

/// The application may be slow to replace what is there, or may have nothing to replace: whoever
/// waits is told that it says nothing of the action.
#[test]
fn what_was_there_before_the_action_is_told_to_have_been() {
    let already = |stage: &mut Stage, line: &str| {
        let answer = stage.answer(line);
        assert_eq!(answer["ok"], true, "{answer}");
        answer["data"]["already"].as_bool()
    };
    let rename = |name: &str| Edit::Rename { target: "status".into(), name: name.into() };
    for (line, before) in [
        ("click @s1:e1 -w statictext", Some(true)),
        ("click @s1:e1 -w :draft", Some(true)),
        ("click @s1:e1 --wait-for-gone dialog", Some(true)),
        ("click @s1:e1 --wait-for-gone :none", Some(true)),
    ] {
        assert_eq!(already(&mut stage(), line), before, "{line}");
    }
    for (line, edit) in [
        // The same element says something new.
        ("click @s1:e1 -w statictext", rename("Saved")),
        ("click @s1:e1 --wait-for-gone :draft", rename("Saved")),
        // One beside another that was there.
        ("click @s1:e1 -w button:s", Edit::Open { app: "editor".into(), scene: DIALOG.into() }),
        ("click @s1:e1 -w button:o", Edit::Open { app: "editor".into(), scene: DIALOG.into() }),
    ] {
        let mut stage = stage();
        stage.desktop.react("save", vec![edit]);
        let expected = line.ends_with("button:s").then_some(true);
        assert_eq!(already(&mut stage, line), expected, "{line}");
    }
    // What is new is where the answer looks, though something else was there.
    let mut stage = stage();
    let opened = Edit::Open { app: "editor".into(), scene: DIALOG.into() };
    stage.desktop.react("save", vec![opened]);
    let answer = stage.answer("click @s1:e1 -w button");
    assert_eq!(answer["data"]["window"]["title"], "Save As", "{answer}");
    assert_eq!(answer["data"]["already"].as_bool(), None, "{answer}");
}

/// What a pointer comes upon may show something, and what is dropped may change something.
#[test]
fn the_pointer_on_an_element_can_be_waited_after_and_on_a_place_cannot() {
    let mut stage = Stage::new(
        r#"
        app editor
          window "Notes" focused @0,0,300x200
            button "Save" [Click] @10,10,50x20
            button "Trash" [Click] @10,40,50x20
        "#,
    );
    stage.headed = true;
    stage.answer("snapshot");
    for line in ["hover @s1:e1", "drag --from @s1:e1 --to @s1:e2", "drag --from @s1:e1 --to-xy 5,5"]
    {
        let answer = stage.answer(&format!("{line} -w button:Trash"));
        let operation = line.split(' ').next().unwrap();
        assert_eq!(answer["data"]["after_action"]["operation"], operation, "{answer}");
        assert_eq!(answer["data"]["already"], true, "{answer}");
    }
    let refused = stage.answer("hover --xy 5,5 -w button:Trash");
    assert_eq!(refused["error"]["code"], "INVALID_ARGS", "{refused}");
}
