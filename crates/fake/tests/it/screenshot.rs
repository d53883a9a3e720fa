//! Pictures: which of what, how large, and with which refs drawn on it.

use agent_desktop_fake::{Edit, Limits};
use expect_test::expect;

use crate::stage::Stage;

const SCENE: &str = r#"
display "one" @0,0,40x30
display "two" @40,0,20x10
app editor
  window "Page" focused @10,10,20x10
    button "Save" [Click] @12,12,6x4 #save
    button "Undo" [Click] @18,12,4x4 #undo
    button "Below" [Click] offscreen @18,90,4x4
    group
      button "Same" [Click] @24,12,2x2
      button "Same" [Click] @26,12,2x2
  window "Other" @0,0,5x5
app hidden
  window "Away" hidden @0,0,5x5
    button "Go" [Click] @1,1,2x2
"#;

#[test]
fn the_screen_a_display_or_a_window_is_pictured() {
    let mut stage = Stage::new(SCENE);
    let mut size = |line: &str| {
        let answer = stage.answer(line);
        assert!(answer["data"]["data"].as_str().is_some_and(|data| data.starts_with("iVBOR")));
        format!("{} x{}", answer["data"]["bounds"], answer["data"]["scale_factor"])
    };
    let all = [
        size("screenshot"),
        size("screenshot --screen 1"),
        size("screenshot --app editor"),
        size("screenshot --screen 0 --max-size 20"),
    ];
    expect![[r#"
        {"height":30,"width":40,"x":0,"y":0} x1.0
        {"height":10,"width":20,"x":40,"y":0} x1.0
        {"height":10,"width":20,"x":10,"y":10} x1.0
        {"height":30,"width":40,"x":0,"y":0} x0.5"#]]
    .assert_eq(&all.join("\n"));
    stage.check(
        "screenshot --screen 2",
        expect![[r#"
            error: INVALID_ARGS not_delivered/safe
        "#]],
    );
    stage.check(
        "screenshot --app hidden",
        expect![[r#"
            error: ACTION_FAILED not_delivered/safe
        "#]],
    );
    stage.desktop.set_limits(Limits { unpainted: true, ..Limits::default() });
    stage.check(
        "screenshot --app editor",
        expect![[r#"
            error: APP_UNRESPONSIVE not_delivered/safe
            recovery: {"requires_fresh_snapshot":true,"retry_after_ms":250,"retryable":true,"strategy":"inspect_state_then_retry_original"}
        "#]],
    );
}

#[test]
fn refs_are_drawn_where_they_are_now_or_not_at_all() {
    let mut stage = Stage::new(SCENE);
    stage.draw("snapshot --app editor -i");
    let mut drawn = |line: &str| {
        let answer = stage.answer(line);
        let refs = answer["data"]["refs"].as_array().unwrap().iter();
        let mut lines: Vec<String> = refs.map(ToString::to_string).collect();
        lines.push(format!("not: {}", answer["data"]["unplaced"]));
        lines.join("\n")
    };
    let first = drawn("screenshot --overlay-refs");
    let half = drawn("screenshot --overlay-refs --max-size 10");
    expect![[r#"
        {"bounds":{"height":4,"width":6,"x":2,"y":2},"ref_id":"@s1:e1"}
        {"bounds":{"height":4,"width":4,"x":8,"y":2},"ref_id":"@s1:e2"}
        not: ["@s1:e4","@s1:e5"]"#]]
    .assert_eq(&first);
    expect![[r#"
        {"bounds":{"height":2,"width":3,"x":1,"y":1},"ref_id":"@s1:e1"}
        {"bounds":{"height":2,"width":2,"x":4,"y":1},"ref_id":"@s1:e2"}
        not: ["@s1:e4","@s1:e5"]"#]]
    .assert_eq(&half);
    stage.edit(Edit::Rename { target: "save".into(), name: "Store".into() });
    let renamed = stage.answer("screenshot --overlay-refs");
    expect![[r#"["@s1:e1","@s1:e4","@s1:e5"]"#]]
        .assert_eq(&renamed["data"]["unplaced"].to_string());
    stage.check(
        "screenshot --overlay-refs --app hidden",
        expect![[r#"
            error: INVALID_ARGS not_delivered/safe
        "#]],
    );
}
