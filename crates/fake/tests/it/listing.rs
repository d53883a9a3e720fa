//! What there is: applications, windows, displays, surfaces.

use expect_test::expect;

use crate::stage::{Stage, check};

const DESKTOP: &str = r#"
    display "DP-1" @0,0,1920x1080
    display "DP-2" @1920,0,1280x1024
    app gnome-calculator pid=100 toolkit="GTK 4.8.3"
      window "Calculator" focused @10,20,360x480
        group
          button "7" [Click]
        popover "Mode"
          menuitem "Basic"
          menuitem "Advanced"
    app mousepad pid=200
      window "Untitled 1" @0,0,400x300
        menu "File" closed
          menuitem "Quit"
      window "Untitled 2" hidden
      window "Known to the display server" opaque="no accessible window has this title"
    app stuck pid=300 hung
      window "Never"
"#;

#[test]
fn applications_with_the_hung_one_marked() {
    check(
        DESKTOP,
        "list-apps",
        expect![[r#"
            apps:
              {"name":"gnome-calculator","pid":100,"presentation":"foreground","responding":true,"toolkit":"GTK 4.8.3"}
              {"name":"mousepad","pid":200,"presentation":"background","responding":true}
              {"name":"stuck","pid":300,"responding":false}
        "#]],
    );
    check(
        DESKTOP,
        "list-apps --app PAD",
        expect![[r#"
        apps:
          {"name":"mousepad","pid":200,"presentation":"background","responding":true}
    "#]],
    );
    check(
        DESKTOP,
        "list-apps --app nothing",
        expect![[r#"
        apps: []
    "#]],
    );
}

#[test]
fn windows_of_all_and_of_one() {
    check(
        DESKTOP,
        "list-windows",
        expect![[r#"
            {"accessible":true,"app_name":"gnome-calculator","bounds":{"height":480,"width":360,"x":10,"y":20},"id":"w-1.1-1","is_focused":true,"pid":100,"title":"Calculator","visible":true}
            {"accessible":true,"app_name":"mousepad","bounds":{"height":300,"width":400,"x":0,"y":0},"id":"w-1.2-7","is_focused":false,"pid":200,"title":"Untitled 1","visible":true}
            {"accessible":true,"app_name":"mousepad","id":"w-1.2-10","is_focused":false,"pid":200,"title":"Untitled 2","visible":false}
            {"accessible":false,"app_name":"mousepad","id":"w-1.2-11","is_focused":false,"pid":200,"reason":"no accessible window has this title","suggestion":"Choose another window.","title":"Known to the display server","visible":true}
        "#]],
    );
    check(
        DESKTOP,
        "list-windows --app MousePad",
        expect![[r#"
            {"accessible":true,"app_name":"mousepad","bounds":{"height":300,"width":400,"x":0,"y":0},"id":"w-1.2-7","is_focused":false,"pid":200,"title":"Untitled 1","visible":true}
            {"accessible":true,"app_name":"mousepad","id":"w-1.2-10","is_focused":false,"pid":200,"title":"Untitled 2","visible":false}
            {"accessible":false,"app_name":"mousepad","id":"w-1.2-11","is_focused":false,"pid":200,"reason":"no accessible window has this title","suggestion":"Choose another window.","title":"Known to the display server","visible":true}
        "#]],
    );
    check(
        DESKTOP,
        "list-windows --app stuck",
        expect![[r#"
        error: APP_UNRESPONSIVE not_delivered/safe
        recovery: {"requires_fresh_snapshot":true,"retry_after_ms":250,"retryable":true,"strategy":"inspect_state_then_retry_original"}
    "#]],
    );
    check(
        DESKTOP,
        "list-windows --app mouse-pad",
        expect![[r#"
            error: APP_NOT_FOUND not_delivered/safe
            details: {"apps":["mousepad"],"kind":"app_candidates","silent":["stuck (pid 300)"]}
        "#]],
    );
    check(
        DESKTOP,
        "list-windows --app xyzzyplugh",
        expect![[r#"
            error: APP_NOT_FOUND not_delivered/safe
            details: {"apps":[],"kind":"app_candidates","silent":["stuck (pid 300)"]}
        "#]],
    );
}

#[test]
fn displays_primary_first() {
    check(
        DESKTOP,
        "list-displays",
        expect![[r#"
        {"bounds":{"height":1080,"width":1920,"x":0,"y":0},"id":"DP-1","is_primary":true,"scale":1.0}
        {"bounds":{"height":1024,"width":1280,"x":1920,"y":0},"id":"DP-2","is_primary":false,"scale":1.0}
    "#]],
    );
}

#[test]
fn surfaces_of_the_focused_and_of_a_named_application() {
    check(
        DESKTOP,
        "list-surfaces",
        expect![[r#"
        pid: 100
        surfaces:
          {"id":"w-1.1-1","title":"Calculator","type":"window"}
          {"id":"popover-1.1-4","item_count":2,"title":"Mode","type":"popover"}
    "#]],
    );
    check(
        DESKTOP,
        "list-surfaces --app mousepad",
        expect![[r#"
        pid: 200
        surfaces:
          {"id":"w-1.2-7","title":"Untitled 1","type":"window"}
          {"id":"w-1.2-10","title":"Untitled 2","type":"window"}
    "#]],
    );
    check(
        "app a\n  window \"A\"",
        "list-surfaces",
        expect![[r#"
        error: WINDOW_NOT_FOUND not_delivered/safe
    "#]],
    );
}

#[test]
fn what_is_open_is_looked_for_in_what_shows() {
    let mut stage = Stage::new(
        r#"
        app editor
          window "Notes" focused
            tab "One"
            group "One"
              popover "Spelling"
                button "Correct"
            group "Two" hidden
              popover "Grammar"
                button "Correct"
            group "Three" offscreen
              popover "Style"
                button "Correct"
        "#,
    );
    stage.desktop.take_calls();
    stage.check(
        "list-surfaces",
        expect![[r#"
            pid: 1000
            surfaces:
              {"id":"w-1.1-1","title":"Notes","type":"window"}
              {"id":"popover-1.1-4","item_count":1,"title":"Spelling","type":"popover"}
        "#]],
    );
    assert_eq!(
        stage.desktop.take_calls().nodes_read,
        7,
        "what is hidden and what is out of sight, but nothing in it"
    );
}

#[test]
fn the_latest_snapshot_of_each_session() {
    let mut stage = Stage::new(DESKTOP);
    let latest = |stage: &mut Stage| {
        let answer = stage.answer("status");
        let data = &answer["data"];
        format!("{} {} {}", data["session_id"], data["snapshot_id"], data["ref_count"])
    };
    assert_eq!(latest(&mut stage), "null null null");
    stage.draw("snapshot");
    stage.draw("snapshot --app mousepad");
    assert_eq!(latest(&mut stage), r#"null "s2" 1"#);
    stage.enter("run-1");
    assert_eq!(latest(&mut stage), r#""run-1" null null"#);
    assert!(stage.draw("get @s1:e1").starts_with("error: SNAPSHOT_NOT_FOUND"));
    stage.draw("snapshot");
    assert_eq!(latest(&mut stage), r#""run-1" "s3" 3"#);
    assert!(stage.draw("get @s3:e1").starts_with("property"));
}
