//! `snapshot --root`: numbers, scoped invalidation, all or nothing.

use agent_desktop_fake::{Edit, Limits};
use expect_test::expect;

use crate::stage::Stage;

const FACTORY: &str = r#"
    app widget-factory
      window "Factory" focused #window
        group "Left" @0,0,100x100
          group "Page 1" #page1
            group "Inputs" #inputs
              textfield "Name" [SetValue] #name
              button "Clear" [Click]
              group "Advanced" #advanced
                group "More"
                  group "Most"
                    button "Deep" [Click]
            group "Choices" #choices
              checkbox "A" [Toggle]
              checkbox "B" [Toggle]
        group "Right"
          button "Quit" [Click] #quit
    app other
      window "Other"
        button "Elsewhere" [Click]
"#;

/// The skeleton, and its first region drilled.
fn drilled() -> Stage {
    let mut stage = Stage::new(FACTORY);
    stage.draw("snapshot --skeleton");
    stage.draw("snapshot --root @s1:e1");
    stage
}

#[test]
fn a_drill_continues_the_numbers_of_its_snapshot() {
    let mut stage = Stage::new(FACTORY);
    stage.check(
        "snapshot --skeleton",
        expect![[r#"
        app: "widget-factory"
        complete: true
        ref_count: 3
        snapshot_id: "s1"
        window "Factory"
          group "Left"
            group "Page 1"
              group "Inputs" e1 children_count=3
              group "Choices" e2 children_count=2
          group "Right"
            button "Quit" e3 [Click]
        window: {"id":"w-1.1-1","title":"Factory"}
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e1",
        expect![[r#"
        app: "widget-factory"
        complete: true
        ref_count: 6
        snapshot_id: "s1"
        group "Inputs" e1
          textfield "Name" e4 [SetValue]
          button "Clear" e5 [Click]
          group "Advanced"
            group "More"
              group "Most"
                button "Deep" e6 [Click]
    "#]],
    );
}

#[test]
fn a_second_drill_never_uses_a_number_again() {
    let mut stage = drilled();
    stage.check(
        "snapshot --root @s1:e1",
        expect![[r#"
        app: "widget-factory"
        complete: true
        ref_count: 6
        snapshot_id: "s1"
        group "Inputs" e1
          textfield "Name" e7 [SetValue]
          button "Clear" e8 [Click]
          group "Advanced"
            group "More"
              group "Most"
                button "Deep" e9 [Click]
    "#]],
    );
    stage.check("get @s1:e4", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e4"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    stage.check(
        "get @s1:e8",
        expect![[r#"
        property: "text"
        ref: "@s1:e8"
        value: "Clear"
    "#]],
    );
    stage.check(
        "get @s1:e1",
        expect![[r#"
        property: "text"
        ref: "@s1:e1"
        value: "Inputs"
    "#]],
    );
    stage.check(
        "get @s1:e2",
        expect![[r#"
        property: "text"
        ref: "@s1:e2"
        value: "Choices"
    "#]],
    );
}

#[test]
fn a_drill_within_a_drill_and_back() {
    let mut stage = drilled();
    stage.check(
        "snapshot --root @s1:e6 --max-depth 1",
        expect![[r#"
        app: "widget-factory"
        complete: true
        ref_count: 6
        snapshot_id: "s1"
        button "Deep" e6 [Click]
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e2",
        expect![[r#"
        app: "widget-factory"
        complete: true
        ref_count: 8
        snapshot_id: "s1"
        group "Choices" e2
          checkbox "A" e7 [Toggle]
          checkbox "B" e8 [Toggle]
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e1 --max-depth 1",
        expect![[r#"
        app: "widget-factory"
        complete: true
        ref_count: 8
        snapshot_id: "s1"
        group "Inputs" e1
          textfield "Name" e9 [SetValue]
          button "Clear" e10 [Click]
          group "Advanced" e11 children_count=1
    "#]],
    );
    stage.check(
        "get @s1:e8",
        expect![[r#"
        property: "text"
        ref: "@s1:e8"
        value: "B"
    "#]],
    );
}

#[test]
fn drilling_a_full_snapshot_replaces_its_refs_below_the_root() {
    let mut stage = Stage::new(FACTORY);
    stage.check(
        "snapshot --max-depth 4",
        expect![[r#"
        app: "widget-factory"
        complete: true
        ref_count: 6
        snapshot_id: "s1"
        window "Factory"
          group "Left"
            group "Page 1"
              group "Inputs"
                textfield "Name" e1 [SetValue]
                button "Clear" e2 [Click]
                group "Advanced" e3 children_count=1
              group "Choices"
                checkbox "A" e4 [Toggle]
                checkbox "B" e5 [Toggle]
          group "Right"
            button "Quit" e6 [Click]
        window: {"id":"w-1.1-1","title":"Factory"}
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e3",
        expect![[r#"
        app: "widget-factory"
        complete: true
        ref_count: 7
        snapshot_id: "s1"
        group "Advanced" e3
          group "More"
            group "Most"
              button "Deep" e7 [Click]
    "#]],
    );
    stage.check(
        "get @s1:e1",
        expect![[r#"
        property: "text"
        ref: "@s1:e1"
        value: "Name"
    "#]],
    );
    stage.check(
        "get @s1:e4 --property role",
        expect![[r#"
        property: "role"
        ref: "@s1:e4"
        value: "checkbox"
    "#]],
    );
}

#[test]
fn another_window_and_another_snapshot_are_left_alone() {
    let mut stage = drilled();
    stage.check(
        "snapshot --app other",
        expect![[r#"
        app: "other"
        complete: true
        ref_count: 1
        snapshot_id: "s2"
        window "Other"
          button "Elsewhere" e1 [Click]
        window: {"id":"w-1.2-16","title":"Other"}
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e2",
        expect![[r#"
        app: "widget-factory"
        complete: true
        ref_count: 8
        snapshot_id: "s1"
        group "Choices" e2
          checkbox "A" e7 [Toggle]
          checkbox "B" e8 [Toggle]
    "#]],
    );
    stage.check(
        "get @s2:e1",
        expect![[r#"
        property: "text"
        ref: "@s2:e1"
        value: "Elsewhere"
    "#]],
    );
}

#[test]
fn flags_beside_root() {
    let mut stage = drilled();
    stage.check(
        "snapshot --root @s1:e2 --skeleton --app nobody",
        expect![[r#"
        app: "widget-factory"
        complete: true
        ref_count: 8
        snapshot_id: "s1"
        group "Choices" e2
          checkbox "A" e7 [Toggle]
          checkbox "B" e8 [Toggle]
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e2 --surface window",
        expect![[r#"
        app: "widget-factory"
        complete: true
        ref_count: 8
        snapshot_id: "s1"
        group "Choices" e2
          checkbox "A" e9 [Toggle]
          checkbox "B" e10 [Toggle]
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e2 --surface menu",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e2 --max-depth 60",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
    stage.check(
        "snapshot --root @e1",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
    stage.check(
        "snapshot --root nonsense",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
    stage.check("snapshot --root @unknown1:e1", expect![[r#"
        error: SNAPSHOT_NOT_FOUND not_delivered/safe
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    stage.check("snapshot --root @s1:e99", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e99"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
}

#[test]
fn an_incomplete_drill_saves_nothing() {
    let mut stage = drilled();
    let before = stage.draw("get @s1:e4");
    for limits in [
        Limits { nodes: Some(3), ..Limits::default() },
        Limits { silent: vec!["inputs".into()], ..Limits::default() },
        Limits { late: true, ..Limits::default() },
        Limits { fills: Some(1), ..Limits::default() },
    ] {
        stage.desktop.set_limits(limits.clone());
        let drawn = stage.draw("snapshot --root @s1:e1");
        assert!(drawn.starts_with("error: TIMEOUT not_delivered/safe\n"), "{limits:?}: {drawn}");
        assert!(drawn.contains("inspect_state_then_retry_original"), "{drawn}");
        stage.desktop.set_limits(Limits::default());
        assert_eq!(stage.draw("get @s1:e4"), before, "{limits:?}");
    }
}

#[test]
fn a_closed_menu_lists_its_items_when_it_is_drilled() {
    let drawn = |closed: &str| {
        let mut stage = Stage::new(&format!(
            r#"
            app a
              window "A" focused
                menu "File" {closed}
                  menuitem "Open" [Click]
                  menuitem "Quit" [Click]
            "#
        ));
        stage.draw("snapshot");
        stage.draw("snapshot --root @s1:e1")
    };
    expect![[r#"
        app: "a"
        complete: true
        ref_count: 3
        snapshot_id: "s1"
        menu "File" e1
          menuitem "Open" e2 [Click]
          menuitem "Quit" e3 [Click]
    "#]]
    .assert_eq(&drawn("closed"));
    assert_eq!(drawn("closed=unread"), drawn("closed"));
}

#[test]
fn a_partial_snapshot_can_be_drilled() {
    let mut stage = Stage::new(
        r#"
        app a
          window "A" focused
            toolbar "Tools" [Click] lasting
              button "Late" [Click]
            toolbar "Fonts" [Click]
              button "Later" [Click]
        "#,
    );
    stage.desktop.set_limits(Limits { nodes: Some(3), ..Limits::default() });
    stage.check(
        "snapshot",
        expect![[r#"
        app: "a"
        complete: false
        nodes_observed: 3
        ref_count: 2
        snapshot_id: "s1"
        window "A" subtree_truncated=true
          toolbar "Tools" e1 [Click] subtree_truncated=true
          toolbar "Fonts" e2 [Click] subtree_truncated=true
        truncated: true
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    stage.desktop.set_limits(Limits::default());
    stage.check(
        "snapshot --root @s1:e1",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 3
        snapshot_id: "s1"
        toolbar "Tools" e1 [Click]
          button "Late" e3 [Click]
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e2",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 4
        snapshot_id: "s1"
        toolbar "Fonts" e2 [Click]
          button "Later" e4 [Click]
    "#]],
    );
}

#[test]
fn what_a_ref_stood_for_is_gone_in_its_own_way() {
    let remove = |target: &str| Edit::Remove { target: target.into() };
    let restart = |same_bus| Edit::Restart { app: "widget-factory".into(), same_bus };

    let mut stage = drilled();
    stage.edit(remove("quit"));
    stage.check(
        "get @s1:e3",
        expect![[r#"
            error: STALE_REF not_delivered/safe
            details: {"kind":"saved_ref_absent","ref":"@s1:e3"}
            recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
        "#]],
    );
    stage.check(
        "snapshot --root @s1:e3",
        expect![[r#"
            error: STALE_REF not_delivered/safe
            details: {"kind":"saved_ref_absent","ref":"@s1:e3"}
            recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
        "#]],
    );

    let mut stage = drilled();
    stage.edit(remove("window"));
    stage.check(
        "get @s1:e3",
        expect![[r#"
        error: WINDOW_NOT_FOUND not_delivered/safe
        details: {"kind":"source_window_absent","ref":"@s1:e3","window_id":"w-1.1-1"}
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e1",
        expect![[r#"
        error: WINDOW_NOT_FOUND not_delivered/safe
        details: {"kind":"source_window_absent","ref":"@s1:e1","window_id":"w-1.1-1"}
    "#]],
    );

    let mut stage = drilled();
    stage.edit(restart(true));
    stage.check("get @s1:e3", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"process_changed","ref":"@s1:e3"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);

    let mut stage = drilled();
    stage.edit(restart(false));
    stage.check(
        "get @s1:e3",
        expect![[r#"
        error: WINDOW_NOT_FOUND not_delivered/safe
        details: {"kind":"source_window_absent","ref":"@s1:e3","window_id":"w-1.1-1"}
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e1",
        expect![[r#"
        error: WINDOW_NOT_FOUND not_delivered/safe
        details: {"kind":"source_window_absent","ref":"@s1:e1","window_id":"w-1.1-1"}
    "#]],
    );

    let mut stage = drilled();
    stage.edit(Edit::Hang { app: "widget-factory".into(), hung: true });
    stage.check("get @s1:e3", expect![[r#"
        error: APP_UNRESPONSIVE not_delivered/safe
        recovery: {"requires_fresh_snapshot":true,"retry_after_ms":250,"retryable":true,"strategy":"inspect_state_then_retry_original"}
    "#]]);
    stage.check("snapshot --root @s1:e1", expect![[r#"
        error: APP_UNRESPONSIVE not_delivered/safe
        recovery: {"requires_fresh_snapshot":true,"retry_after_ms":250,"retryable":true,"strategy":"inspect_state_then_retry_original"}
    "#]]);

    let mut stage = drilled();
    stage.desktop.set_desktop_id("another-desktop");
    stage.check("get @s1:e3", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"desktop_changed","ref":"@s1:e3","sandbox":null}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    stage.check("snapshot --root @s1:e1", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"desktop_changed","ref":"@s1:e1","sandbox":null}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    stage.check("find --root @s1:e1 --role button", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"desktop_changed","ref":"@s1:e1","sandbox":null}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
}
