//! Arranging windows: what is asked for is confirmed, or it is said what is there instead.

use expect_test::expect;

use crate::stage::Stage;

const DESKTOP: &str = r#"
    app editor pid=1
      window "One" focused @10,20,300x200
      window "Two" @50,60,300x200
    app terminal pid=2
      window "Shell" fixed @0,0,80x24 opaque="it offers no accessibles"
    app twins pid=3
      window "Same" unmatched
    app player pid=4
      window "Song" minimized @0,0,100x100
"#;

#[test]
fn what_was_done_is_told_as_it_is_afterwards() {
    let mut stage = Stage::new(DESKTOP);
    stage.check("resize-window --width 400 --height 300", expect![[r#"
        disposition: {"delivery":"delivered_verified","retry":"unsafe"}
        operation: "resize-window"
        target: {"app_name":"editor","bounds":{"height":300,"width":400,"x":10,"y":20},"id":"w-1.1-1","is_focused":true,"kind":"window","maximized":false,"minimized":false,"title":"One","visible":true}
    "#]]);
    stage.check("move-window --app player --x -5 --y 7", expect![[r#"
        disposition: {"delivery":"delivered_verified","retry":"unsafe"}
        operation: "move-window"
        target: {"app_name":"player","bounds":{"height":100,"width":100,"x":-5,"y":7},"id":"w-1.4-5","is_focused":false,"kind":"window","maximized":false,"minimized":true,"title":"Song","visible":false}
    "#]]);
    stage.check("focus-window --title two", expect![[r#"
        disposition: {"delivery":"delivered_verified","retry":"unsafe"}
        focused: {"id":"w-1.1-2","title":"Two"}
        operation: "focus-window"
        target: {"app_name":"editor","bounds":{"height":200,"width":300,"x":50,"y":60},"id":"w-1.1-2","is_focused":true,"kind":"window","maximized":false,"minimized":false,"title":"Two","visible":true}
    "#]]);
    stage.check("minimize", expect![[r#"
        disposition: {"delivery":"delivered_verified","retry":"unsafe"}
        operation: "minimize"
        target: {"app_name":"editor","bounds":{"height":200,"width":300,"x":50,"y":60},"id":"w-1.1-2","is_focused":true,"kind":"window","maximized":false,"minimized":true,"title":"Two","visible":false}
    "#]]);
    stage.check("restore --window-id w-1.1-2", expect![[r#"
        disposition: {"delivery":"delivered_verified","retry":"unsafe"}
        operation: "restore"
        target: {"app_name":"editor","bounds":{"height":200,"width":300,"x":50,"y":60},"id":"w-1.1-2","is_focused":true,"kind":"window","maximized":false,"minimized":false,"title":"Two","visible":true}
    "#]]);
    stage.check("maximize --app player", expect![[r#"
        disposition: {"delivery":"delivered_verified","retry":"unsafe"}
        operation: "maximize"
        target: {"app_name":"player","bounds":{"height":100,"width":100,"x":-5,"y":7},"id":"w-1.4-5","is_focused":false,"kind":"window","maximized":true,"minimized":true,"title":"Song","visible":false}
    "#]]);
}

#[test]
fn what_is_so_already_is_not_asked_for() {
    let mut stage = Stage::new(DESKTOP);
    stage.check("focus-window --title one", expect![[r#"
        disposition: {"delivery":"not_delivered","retry":"safe"}
        focused: {"id":"w-1.1-1","title":"One"}
        operation: "focus-window"
        target: {"app_name":"editor","bounds":{"height":200,"width":300,"x":10,"y":20},"id":"w-1.1-1","is_focused":true,"kind":"window","maximized":false,"minimized":false,"title":"One","visible":true}
    "#]]);
    stage.check("restore --app editor", expect![[r#"
        disposition: {"delivery":"not_delivered","retry":"safe"}
        operation: "restore"
        target: {"app_name":"editor","bounds":{"height":200,"width":300,"x":10,"y":20},"id":"w-1.1-1","is_focused":true,"kind":"window","maximized":false,"minimized":false,"title":"One","visible":true}
    "#]]);
    stage.check("minimize --app player", expect![[r#"
        disposition: {"delivery":"not_delivered","retry":"safe"}
        operation: "minimize"
        target: {"app_name":"player","bounds":{"height":100,"width":100,"x":0,"y":0},"id":"w-1.4-5","is_focused":false,"kind":"window","maximized":false,"minimized":true,"title":"Song","visible":false}
    "#]]);
}

#[test]
fn what_the_window_manager_does_not_do_is_no_success() {
    let mut stage = Stage::new(DESKTOP);
    stage.check("resize-window --app terminal --width 400 --height 300", expect![[r#"
        error: ACTION_FAILED delivered_unverified/unsafe
        details: {"expected":"400x300","kind":"post_action_verification","observed":"80x24","post_state":null,"steps":[]}
    "#]]);
    stage.check("focus-window --app terminal", expect![[r#"
        error: ACTION_FAILED delivered_unverified/unsafe
        details: {"expected":"focused","kind":"post_action_verification","observed":"not focused","post_state":null,"steps":[]}
    "#]]);
}

#[test]
fn a_window_that_is_not_certain_is_not_arranged() {
    let mut stage = Stage::new(DESKTOP);
    stage.check(
        "minimize --app twins",
        expect![[r#"
        error: ACTION_NOT_SUPPORTED not_delivered/safe
    "#]],
    );
    stage.check(
        "focus-window --title nothing",
        expect![[r#"
        error: WINDOW_NOT_FOUND not_delivered/safe
    "#]],
    );
    stage.check(
        "focus-window --app nobody",
        expect![[r#"
        error: APP_NOT_FOUND not_delivered/safe
        details: {"apps":[],"kind":"app_candidates"}
    "#]],
    );
    stage.check(
        "focus-window",
        expect![[r#"
        error: INVALID_ARGS not_delivered/safe
    "#]],
    );
    stage.check(
        "minimize --window-id w-1.9-9",
        expect![[r#"
        error: WINDOW_NOT_FOUND not_delivered/safe
    "#]],
    );
    stage.check("focus-window --title o", expect![[r#"
        disposition: {"delivery":"not_delivered","retry":"safe"}
        focused: {"id":"w-1.1-1","title":"One"}
        operation: "focus-window"
        target: {"app_name":"editor","bounds":{"height":200,"width":300,"x":10,"y":20},"id":"w-1.1-1","is_focused":true,"kind":"window","maximized":false,"minimized":false,"title":"One","visible":true}
    "#]]);
}
