//! `snapshot` without drilling: what is printed, what gets refs, and how far down.

use agent_desktop_fake::Limits;
use expect_test::expect;

use crate::stage::{Stage, check};

const CALCULATOR: &str = r#"
    app gnome-calculator
      window "Calculator" focused @0,0,360x480
        group
          textfield "Display" value="42" desc="Result" hint="Type a sum" [SetValue TypeText SetFocus] id=display @0,0,360x40
          statictext "Basic" @0,40,80x20
          group "Digits" @0,60,360x200
            button "7" [Click SetFocus] id=seven @0,60,40x40
            button "8" disabled [Click SetFocus] @40,60,40x40
            checkbox "Scientific" checked [Toggle] @80,60,80x20
"#;

#[test]
fn every_field_that_there_is_and_none_that_there_is_not() {
    check(
        CALCULATOR,
        "snapshot",
        expect![[r#"
        app: "gnome-calculator"
        complete: true
        ref_count: 4
        snapshot_id: "s1"
        window "Calculator"
          group
            textfield "Display" e1 [SetValue TypeText SetFocus] description="Result" hint="Type a sum" id="display" value="42"
            statictext "Basic"
            group "Digits"
              button "7" e2 [Click SetFocus] id="seven"
              button "8" e3 [Click SetFocus] disabled
              checkbox "Scientific" e4 [Toggle] checked
        window: {"id":"w-1.1-1","title":"Calculator"}
    "#]],
    );
    check(
        CALCULATOR,
        "snapshot --include-bounds",
        expect![[r#"
        app: "gnome-calculator"
        complete: true
        ref_count: 4
        snapshot_id: "s1"
        window "Calculator" @0,0,360x480
          group
            textfield "Display" e1 [SetValue TypeText SetFocus] @0,0,360x40 description="Result" hint="Type a sum" id="display" value="42"
            statictext "Basic" @0,40,80x20
            group "Digits" @0,60,360x200
              button "7" e2 [Click SetFocus] @0,60,40x40 id="seven"
              button "8" e3 [Click SetFocus] @40,60,40x40 disabled
              checkbox "Scientific" e4 [Toggle] @80,60,80x20 checked
        window: {"id":"w-1.1-1","title":"Calculator"}
    "#]],
    );
}

#[test]
fn operable_elements_get_refs_in_document_order() {
    check(
        r#"
        app a
          window "A" focused
            statictext "text"
            heading "heading" [SetFocus]
            image "operable image" [Click]
            group "scrolls" [Scroll]
              slider "interactive role"
              separator
            listbox "list"
              option "one"
            progressbar value="3"
        "#,
        "snapshot",
        expect![[r#"
            app: "a"
            complete: true
            ref_count: 5
            snapshot_id: "s1"
            window "A"
              statictext "text"
              heading "heading" [SetFocus]
              image "operable image" e1 [Click]
              group "scrolls" e2 [Scroll]
                slider "interactive role" e3
                separator
              listbox "list" e4
                option "one" e5
              progressbar value="3"
            window: {"id":"w-1.1-1","title":"A"}
        "#]],
    );
}

#[test]
fn interactive_only_drops_idle_leaves_and_compact_empty_wrappers() {
    let scene = r#"
        app a
          window "A" focused
            group
              group
                statictext "gone"
                group "named" #named
                  group
                    button "deep" [Click]
            group
              statictext "gone, too"
              separator
            group desc="said"
              link "here"
    "#;
    check(
        scene,
        "snapshot -i",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 2
        snapshot_id: "s1"
        window "A"
          group
            group
              group "named"
                group
                  button "deep" e1 [Click]
          group description="said"
            link "here" e2
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        scene,
        "snapshot -i --compact",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 2
        snapshot_id: "s1"
        window "A"
          group "named"
            button "deep" e1 [Click]
          group description="said"
            link "here" e2
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        scene,
        "snapshot --compact",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 2
        snapshot_id: "s1"
        window "A"
          group
            statictext "gone"
            group "named"
              button "deep" e1 [Click]
          group
            statictext "gone, too"
            separator
          group description="said"
            link "here" e2
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
}

#[test]
fn only_wrappers_take_no_level() {
    let scene = r#"
        app a
          window "A" focused
            group
              group
                group "named"
                  group id=identified
                    group
                      button "one of two" [Click]
                      button "two of two" [Click]
    "#;
    check(
        scene,
        "snapshot --max-depth 1",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        window "A"
          group
            group
              group "named" e1 children_count=1
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        scene,
        "snapshot --max-depth 2",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        window "A"
          group
            group
              group "named"
                group e1 children_count=1 id="identified"
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        scene,
        "snapshot --max-depth 3",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        window "A"
          group
            group
              group "named"
                group e1 id="identified"
                  group children_count=2
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        scene,
        "snapshot --max-depth 4",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 2
        snapshot_id: "s1"
        window "A"
          group
            group
              group "named"
                group id="identified"
                  group
                    button "one of two" e1 [Click]
                    button "two of two" e2 [Click]
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        scene,
        "snapshot --max-depth 0",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        window "A" e1 children_count=1
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        scene,
        "snapshot --max-depth 51",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
}

/// A page behind another one is a line of its own, whatever is on it.
#[test]
fn a_skeleton_folds_what_is_hidden() {
    let scene = r#"
        app a
          window "A" focused
            group "shown"
              button "One" [Click]
            group "behind" hidden
              button "Two" hidden [Click]
              button "Three" hidden [Click]
            button "Four" hidden [Click]
    "#;
    let mut stage = Stage::new(scene);
    stage.check(
        "snapshot --skeleton",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 3
        snapshot_id: "s1"
        window "A"
          group "shown"
            button "One" e1 [Click]
          group "behind" e2 children_count=2 hidden
          button "Four" e3 [Click] hidden
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    stage.check(
        "snapshot --root @s1:e2",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 5
        snapshot_id: "s1"
        group "behind" e2 hidden
          button "Two" e4 [Click] hidden
          button "Three" e5 [Click] hidden
    "#]],
    );
}

#[test]
fn a_skeleton_is_cut_at_three_levels_and_leaves_places_to_drill() {
    let scene = r#"
        app a
          window "A" focused
            group "one"
              group "two"
                toolbar "operable, so its own ref" [Click SetFocus]
                  button "hidden by depth" [Click]
                group "named, so a drill ref"
                  button "hidden by depth" [Click]
                  button "hidden, too" [Click]
                group desc="described, so a drill ref"
                  button "hidden by depth" [Click]
                  button "hidden, too" [Click]
                group id=identified
                  button "hidden by depth" [Click]
                  button "hidden, too" [Click]
                group @0,0,10x10
                  button "hidden below an area" [Click]
                  button "hidden, too" [Click]
                group
                  button "hidden below nothing: the nearest ancestor serves" [Click]
                  button "hidden, too" [Click]
                group "empty"
    "#;
    check(
        scene,
        "snapshot --skeleton",
        expect![[r#"
            app: "a"
            complete: true
            ref_count: 6
            snapshot_id: "s1"
            window "A"
              group "one"
                group "two" e1
                  toolbar "operable, so its own ref" e2 [Click SetFocus] children_count=1
                  group "named, so a drill ref" e3 children_count=2
                  group e4 children_count=2 description="described, so a drill ref"
                  group e5 children_count=2 id="identified"
                  group e6 children_count=2
                  group children_count=2
                  group "empty"
            window: {"id":"w-1.1-1","title":"A"}
        "#]],
    );
    check(
        scene,
        "snapshot --skeleton --max-depth 2",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        window "A"
          group "one"
            group "two" e1 children_count=7
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        scene,
        "snapshot --skeleton --max-depth 9 -i",
        expect![[r#"
            app: "a"
            complete: true
            ref_count: 6
            snapshot_id: "s1"
            window "A"
              group "one"
                group "two" e1
                  toolbar "operable, so its own ref" e2 [Click SetFocus] children_count=1
                  group "named, so a drill ref" e3 children_count=2
                  group e4 children_count=2 description="described, so a drill ref"
                  group e5 children_count=2 id="identified"
                  group e6 children_count=2
                  group children_count=2
            window: {"id":"w-1.1-1","title":"A"}
        "#]],
    );
}

#[test]
fn an_ancestor_serves_the_unidentified_cut_containers_below_it_but_never_the_window() {
    check(
        r#"
        app a
          window "A" focused @0,0,100x100
            group
              group
                group
                  button "b" [Click]
                  button "c" [Click]
                statictext "beside"
              statictext "beside"
            group "named"
              group
                group
                  button "d" [Click]
                  button "e" [Click]
                group
                  button "f" [Click]
                  button "g" [Click]
              statictext "beside"
        "#,
        "snapshot --skeleton",
        expect![[r#"
            app: "a"
            complete: true
            ref_count: 1
            snapshot_id: "s1"
            window "A"
              group
                group
                  group children_count=2
                  statictext "beside"
                statictext "beside"
              group "named" e1
                group
                  group children_count=2
                  group children_count=2
                statictext "beside"
            window: {"id":"w-1.1-1","title":"A"}
        "#]],
    );
}

#[test]
fn printed_nesting_ends_at_sixty() {
    let mut stage = Stage::new(
        r#"
        app a
          window "A" focused
            group nest=100
              button "bottom" [Click]
        "#,
    );
    let answer = stage.answer("snapshot");
    let mut node = &answer["data"]["tree"];
    let mut nested = 1;
    while node["children"].is_array() {
        node = &node["children"][0];
        nested += 1;
    }
    assert_eq!((nested, &node["children_count"]), (60, &1.into()), "{node}");
    assert!(node["ref_id"].is_string() || answer["data"]["ref_count"] == 0, "{node}");
    assert_eq!(answer["data"]["complete"], true);
}

#[test]
fn closed_menus_show_how_many_items_they_have() {
    let scene = r#"
        app a
          window "A" focused
            menu "File" closed
              menuitem "Open" [Click]
              menuitem "Quit" [Click]
            menu "Edit" closed=unread count=7
            menu "View"
              menuitem "Zoom" [Click]
    "#;
    check(
        scene,
        "snapshot",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 3
        snapshot_id: "s1"
        window "A"
          menu "File" e1 children_count=2
          menu "Edit" e2 children_count=7
          menu "View"
            menuitem "Zoom" e3 [Click]
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        scene,
        "snapshot -i",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 3
        snapshot_id: "s1"
        window "A"
          menu "File" e1 children_count=2
          menu "Edit" e2 children_count=7
          menu "View"
            menuitem "Zoom" e3 [Click]
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
}

#[test]
fn what_is_too_much_to_list_is_counted() {
    check(
        r#"
        app calc
          window "Sheet" focused
            table "Sheet1" count=2147483647
              cell "A1" value="1"
              cell "B1" value="2"
        "#,
        "snapshot",
        expect![[r#"
            app: "calc"
            complete: true
            ref_count: 3
            snapshot_id: "s1"
            window "Sheet"
              table "Sheet1" e1 children_count=2147483647
                cell "A1" e2 value="1"
                cell "B1" e3 value="2"
            window: {"id":"w-1.1-1","title":"Sheet"}
        "#]],
    );
}

#[test]
fn a_snapshot_whose_time_ran_out_is_partial_and_says_where() {
    let scene = r#"
        app a
          window "A" focused
            group "one"
              button "1" [Click]
            group "two"
              group "inner"
                button "2" [Click]
              button "3" [Click]
    "#;
    let mut stage = Stage::new(scene);
    stage.desktop.set_limits(Limits { nodes: Some(6), ..Limits::default() });
    stage.check(
        "snapshot",
        expect![[r#"
        app: "a"
        complete: false
        nodes_observed: 6
        ref_count: 2
        snapshot_id: "s1"
        window "A" subtree_truncated=true
          group "one"
            button "1" e1 [Click]
          group "two" subtree_truncated=true
            group "inner" subtree_truncated=true
            button "3" e2 [Click]
        truncated: true
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    stage.desktop.set_limits(Limits { late: true, ..Limits::default() });
    stage.check(
        "snapshot",
        expect![[r#"
        app: "a"
        complete: false
        nodes_observed: 1
        ref_count: 0
        snapshot_id: "s2"
        window "A" subtree_truncated=true
        truncated: true
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    stage.desktop.set_limits(Limits { fills: Some(3), ..Limits::default() });
    stage.check(
        "snapshot",
        expect![[r#"
        app: "a"
        complete: false
        nodes_observed: 7
        ref_count: 3
        snapshot_id: "s3"
        window "A"
          group "one"
            button "1" e1 [Click]
          group "two"
            group "inner"
              button "2" e2
            button "3" e3
        truncated: true
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
}

const WINDOWS: &str = r#"
    app editor
      window "Untitled 1"
        button "1" [Click]
      window "Untitled 2"
        button "2" [Click]
    app player
      window "Player"
        button "play" [Click]
      window "Mini" hidden
        button "mini" [Click]
    app stuck hung
      window "Never" focused
    app daemon
    app viewer
      window "Known to the display server" opaque="no accessible window has this title"
"#;

#[test]
fn one_window_or_a_typed_refusal() {
    let named = |flags: &str| format!("snapshot {flags}");
    check(
        WINDOWS,
        "snapshot",
        expect![[r#"
        error: WINDOW_NOT_FOUND not_delivered/safe
    "#]],
    );
    check(
        WINDOWS,
        &named("--app Player"),
        expect![[r#"
        app: "player"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        window "Player"
          button "play" e1 [Click]
        window: {"id":"w-1.2-5","title":"Player"}
    "#]],
    );
    check(
        WINDOWS,
        &named("--app editor"),
        expect![[r#"
        error: AMBIGUOUS_TARGET not_delivered/safe
        details: {"kind":"window_candidates","windows":[{"app_name":"editor","id":"w-1.1-1","title":"Untitled 1"},{"app_name":"editor","id":"w-1.1-3","title":"Untitled 2"}]}
    "#]],
    );
    check(
        WINDOWS,
        &named("--app stuck"),
        expect![[r#"
        error: APP_UNRESPONSIVE not_delivered/safe
        recovery: {"requires_fresh_snapshot":true,"retry_after_ms":250,"retryable":true,"strategy":"inspect_state_then_retry_original"}
    "#]],
    );
    check(
        WINDOWS,
        &named("--app daemon"),
        expect![[r#"
        error: APP_NOT_FOUND not_delivered/safe
    "#]],
    );
    check(
        WINDOWS,
        &named("--app viewer"),
        expect![[r#"
            error: ACTION_NOT_SUPPORTED not_delivered/safe
            details: {"kind":"window_without_accessibility_element","window_id":"w-1.5-10"}
        "#]],
    );
    check(
        WINDOWS,
        &named("--app edit"),
        expect![[r#"
            error: APP_NOT_FOUND not_delivered/safe
            details: {"apps":["editor"],"kind":"app_candidates","silent":["stuck (pid 1002)"]}
        "#]],
    );
    check(
        WINDOWS,
        &named("--window-id w-1.1-3"),
        expect![[r#"
        app: "editor"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        window "Untitled 2"
          button "2" e1 [Click]
        window: {"id":"w-1.1-3","title":"Untitled 2"}
    "#]],
    );
    check(
        WINDOWS,
        &named("--window-id w-9.9-9"),
        expect![[r#"
        error: WINDOW_NOT_FOUND not_delivered/safe
    "#]],
    );
    check(
        WINDOWS,
        &named("--window-id w-1.3-9"),
        expect![[r#"
        error: APP_UNRESPONSIVE not_delivered/safe
        recovery: {"requires_fresh_snapshot":true,"retry_after_ms":250,"retryable":true,"strategy":"inspect_state_then_retry_original"}
    "#]],
    );
}

const OVERLAYS: &str = r#"
    app a
      window "A" focused
        button "behind" [Click]
        group "bar" surface=menubar
          menu "File" closed
            menuitem "Quit" [Click]
        menu "Context"
          menuitem "Copy" [Click]
        popover "Emoji"
          button "smile" focused [Click]
        dialog "Save?" modal
          button "Yes" [Click]
"#;

#[test]
fn an_open_surface_is_read_on_its_own() {
    check(
        OVERLAYS,
        "snapshot --surface menu",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        menu "Context"
          menuitem "Copy" e1 [Click]
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        OVERLAYS,
        "snapshot --surface menubar",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        group "bar"
          menu "File" e1 children_count=1
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        OVERLAYS,
        "snapshot --surface popover",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        popover "Emoji"
          button "smile" e1 [Click] focused
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        OVERLAYS,
        "snapshot --surface sheet",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        dialog "Save?" modal
          button "Yes" e1 [Click]
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        OVERLAYS,
        "snapshot --surface focused",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 1
        snapshot_id: "s1"
        popover "Emoji"
          button "smile" e1 [Click] focused
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
    check(
        OVERLAYS,
        "snapshot --surface alert",
        expect![[r#"
        error: ELEMENT_NOT_FOUND not_delivered/safe
        details: {"kind":"surface_candidates","surfaces":["menubar","menu","popover","sheet"]}
    "#]],
    );
    check(
        OVERLAYS,
        "snapshot --surface dock",
        expect![[r#"
        error: PLATFORM_NOT_SUPPORTED not_delivered/safe
    "#]],
    );
    check(
        OVERLAYS,
        "snapshot --surface cupboard",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
}

#[test]
fn no_children_at_all() {
    check(
        "app a\n  window \"A\" focused",
        "snapshot",
        expect![[r#"
        app: "a"
        complete: true
        ref_count: 0
        snapshot_id: "s1"
        window "A"
        window: {"id":"w-1.1-1","title":"A"}
    "#]],
    );
}

#[test]
fn twins_say_what_they_stand_in() {
    check(
        r#"
        app files
          window "Home" focused
            list
              row
                statictext "Rent"
                button "Delete" [Click]
              row
                statictext "Food"
                button "Delete" [Click]
            button "Close" [Click]
        "#,
        "snapshot -i --compact",
        expect![[r#"
            app: "files"
            complete: true
            ref_count: 3
            snapshot_id: "s1"
            window "Home"
              list
                row
                  button "Delete" e1 [Click] within="Rent"
                row
                  button "Delete" e2 [Click] within="Food"
              button "Close" e3 [Click]
            window: {"id":"w-1.1-1","title":"Home"}
        "#]],
    );
}

#[test]
fn a_thin_tree_comes_with_advice_unless_the_caller_knows_better() {
    let mut stage = Stage::new(
        r#"
        app chromium
          window "Page" focused thin="Start it with --force-renderer-accessibility."
        "#,
    );
    let advice = "Start it with --force-renderer-accessibility.";
    assert_eq!(stage.answer("snapshot")["data"]["suggestion"], advice);
    let answer = stage.answer("snapshot --force-electron-a11y");
    assert!(answer["data"].get("suggestion").is_none(), "{answer}");
    // What is not found may be what the tree lacks.
    assert_eq!(stage.answer("find --role button")["data"]["suggestion"], advice);
    let found = stage.answer("find --role window");
    assert!(found["data"].get("suggestion").is_none(), "{found}");
}
