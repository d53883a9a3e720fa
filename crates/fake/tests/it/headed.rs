//! The pointer and the keys: taken with leave only, and never for another element than was meant.

use agent_desktop_fake::{Edit, Limits};
use expect_test::expect;

use crate::stage::Stage;

const DESKTOP: &str = r#"
    app editor pid=1
      window "Editor" @0,0,300x200
        button "Save" [Click SetFocus] #save @10,10,50x20
        checkbox "Wrap" @10,40,50x20
        textfield "Text" value="one" [SetFocus] @10,70,100x20
        button "Gone" hidden [Click] @10,100,50x20
        button "Under" [Click] @10,130,50x20
        group "Cover" @0,125,200x40
    app other pid=2
      window "Other" focused @0,0,300x200
        textfield "Field" focused value="" @10,70,100x20
"#;

fn headed() -> Stage {
    let mut stage = Stage::new(DESKTOP);
    stage.headed = true;
    stage.draw("snapshot --app editor");
    stage
}

fn received(stage: &Stage) -> String {
    let all = stage.desktop.received();
    all.iter().map(|one| format!("{} {}\n", one.by, one.request)).collect()
}

#[test]
fn the_pointer_and_the_focus_are_not_taken_without_leave() {
    let mut stage = Stage::new(DESKTOP);
    stage.draw("snapshot --app editor");
    for line in [
        "double-click @s1:e1",
        "focus @s1:e1",
        "hover @s1:e1",
        "mouse-click --xy 1,1",
        "press a --app editor",
        "drag --from @s1:e1 --to-xy 1,1",
    ] {
        let drawn = stage.draw(line);
        assert!(drawn.starts_with("error: POLICY_DENIED not_delivered/safe"), "{line}: {drawn}");
    }
    expect![[""]].assert_eq(&received(&stage));
}

#[test]
fn a_click_by_hand_focuses_the_window_first() {
    let mut stage = headed();
    stage.check("click @s1:e1", expect![[r#"
        action: "click"
        details: {"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":1,"read_only_resolve_attempts":1}}
        disposition: {"delivery":"delivered_unverified","retry":"unsafe"}
        post_state: {"enabled":true,"hidden":false,"offscreen":false,"role":"button","states":[]}
        ref: "@s1:e1"
        steps:
          {"label":"pointer click at 35,20","mechanism":"physical_synthetic","outcome":"succeeded","verified":false}
        surfaces:
          {"id":"w-1.1-1","title":"Editor","type":"window"}
    "#]]);
    expect![[r#"
        #save pointer
        #save left click 1
    "#]]
    .assert_eq(&received(&stage));
}

#[test]
fn what_has_no_action_is_done_by_hand() {
    let mut stage = headed();
    stage.check("check @s1:e2", expect![[r#"
        action: "check"
        details: {"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":2,"read_only_resolve_attempts":2}}
        disposition: {"delivery":"delivered_verified","retry":"unsafe"}
        post_state: {"enabled":true,"hidden":false,"offscreen":false,"role":"checkbox","states":["checked"]}
        ref: "@s1:e2"
        steps:
          {"label":"pointer click at 35,50","mechanism":"physical_synthetic","outcome":"succeeded","verified":true}
    "#]]);
    stage.check("check @s1:e2", expect![[r#"
        action: "check"
        details: {"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":2,"read_only_resolve_attempts":2}}
        disposition: {"delivery":"not_delivered","retry":"safe"}
        post_state: {"enabled":true,"hidden":false,"offscreen":false,"role":"checkbox","states":["checked"]}
        ref: "@s1:e2"
        steps:
          {"label":"already as asked","mechanism":"semantic_api","outcome":"skipped"}
    "#]]);
    stage.check("set-value @s1:e3 two", expect![[r#"
        action: "set-value"
        details: {"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":2,"read_only_resolve_attempts":2}}
        disposition: {"delivery":"delivered_verified","retry":"unsafe"}
        post_state: {"enabled":true,"hidden":false,"offscreen":false,"role":"textfield","states":["focused"],"value":"two"}
        ref: "@s1:e3"
        steps:
          {"label":"keys in the place of what was there","mechanism":"physical_synthetic","outcome":"succeeded","verified":true}
    "#]]);
    expect![[r##"
        #~2 pointer
        #~2 left click 1
        #~3 focus
        #~3 press ctrl+home
        #~3 press ctrl+shift+end
        #~3 press delete
        #~3 type "two"
    "##]]
    .assert_eq(&received(&stage));
}

#[test]
fn what_is_in_front_is_named() {
    let mut stage = headed();
    stage.check("click @s1:e5 --timeout-ms 1000", expect![[r#"
        error: ACTION_FAILED not_delivered/safe
        details: {"actionable":false,"checks":[{"check":"visible","status":"pass"},{"check":"receives_events","occluder":{"bounds":{"height":40,"width":200,"x":0,"y":125},"name":"Cover","role":"group"},"reason":"occluded by group \"Cover\"","status":"fail"}],"kind":"actionability_timeout"}
    "#]]);
    stage.check("hover @s1:e4 --timeout-ms 1000", expect![[r#"
        error: ACTION_FAILED not_delivered/safe
        details: {"actionable":false,"checks":[{"check":"visible","reason":"hidden","status":"fail"},{"check":"enabled","status":"pass"},{"check":"receives_events","status":"unknown"}],"kind":"actionability_timeout"}
    "#]]);
    expect![[""]].assert_eq(&received(&stage));
}

#[test]
fn an_element_that_went_meanwhile_is_not_replaced_by_its_neighbour() {
    let mut stage = headed();
    stage.edit(Edit::Remove { target: "save".into() });
    stage.check("click @s1:e1", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e1"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    expect![[""]].assert_eq(&received(&stage));
}

#[test]
fn keys_go_to_the_focused_window_only() {
    let mut stage = Stage::new(DESKTOP);
    stage.check("press ctrl+s", expect![[r#"
        details: {"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":0,"read_only_resolve_attempts":0}}
        disposition: {"delivery":"delivered_unverified","retry":"unsafe"}
        operation: "press"
        surfaces:
          {"id":"w-1.2-8","title":"Other","type":"window"}
        target: {"app_name":"other","bounds":{"height":200,"width":300,"x":0,"y":0},"id":"w-1.2-8","is_focused":true,"kind":"window","maximized":false,"minimized":false,"title":"Other","visible":true}
    "#]]);
    stage.check("press alt+f4", expect![[r#"
        error: POLICY_DENIED not_delivered/safe
        recovery: {"requires_fresh_snapshot":false,"retryable":true,"strategy":"request_explicit_policy_then_retry_original"}
    "#]]);
    stage.check(
        "press ctrl+x+y",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
    stage.desktop.set_limits(Limits { keys_taken: true, ..Limits::default() });
    stage.check(
        "press b",
        expect![[r#"
        error: ACTION_FAILED not_delivered/safe
    "#]],
    );
    expect![[r#"
        #~8 press ctrl+s
    "#]]
    .assert_eq(&received(&stage));
}

#[test]
fn places_of_the_screen() {
    let mut stage = headed();
    stage.check("mouse-click --xy 20,75 --count 2 --modifiers ctrl", expect![[r#"
        details: {"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":0,"read_only_resolve_attempts":0}}
        disposition: {"delivery":"delivered_unverified","retry":"unsafe"}
        operation: "mouse-click"
        target: {"kind":"pointer","window":{"id":"w-1.2-8","title":"Other"},"x":20,"y":75}
    "#]]);
    stage.check("mouse-wheel --x 20 --y 75 --dy 2", expect![[r#"
        details: {"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":0,"read_only_resolve_attempts":0}}
        disposition: {"delivery":"delivered_unverified","retry":"unsafe"}
        operation: "mouse-wheel"
        target: {"kind":"pointer","window":{"id":"w-1.2-8","title":"Other"},"x":20,"y":75}
    "#]]);
    stage.check(
        "mouse-move --xy=-5,1",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
    stage.check("drag --from @s1:e1 --to-xy 200,5 --duration 0 --drop-delay 0", expect![[r#"
        details: {"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":0,"read_only_resolve_attempts":0}}
        disposition: {"delivery":"delivered_unverified","retry":"unsafe"}
        operation: "drag"
        target: {"kind":"pointer","window":{"id":"w-1.1-1","title":"Editor"},"x":200,"y":5}
    "#]]);
    expect![[r#"
        #~8 left click 2
        #~8 wheel 0,2
        #save drag from
        #~0 drop
    "#]]
    .assert_eq(&received(&stage));
}
