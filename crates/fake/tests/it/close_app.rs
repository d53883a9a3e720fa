//! Having applications end: what is told of one that does, asks, or does not care.

use agent_desktop_fake::{Closing, Edit};
use expect_test::expect;

use crate::stage::Stage;

const EDITOR: &str = "app editor pid=5 bus=:1.5\n  window \"Notes\"\n";

fn asks() -> Closing {
    let scene = "alertdialog \"Save changes?\"\n  button \"Save\" [Click]\n".to_owned();
    Closing::Asks(vec![Edit::Open { app: "editor".to_owned(), scene }])
}

#[test]
fn one_that_ends() {
    let mut stage = Stage::new(EDITOR);
    stage.check(
        "close-app Editor",
        expect![[r#"
        app: "editor"
        closed: true
        details: {"mechanism":"window_manager"}
        disposition: {"delivery":"delivered_verified","retry":"unsafe"}
        method: "graceful"
        operation: "close-app"
        pid: 5
        process_instance: "5-1"
        requested: true
        target: {"app_name":"editor","kind":"app","pid":5}
    "#]],
    );
}

#[test]
fn one_that_asks_is_told_with_its_question() {
    let mut stage = Stage::new(EDITOR);
    stage.desktop.closing(asks());
    stage.check("close-app editor", expect![[r#"
        app: "editor"
        closed: false
        details: {"mechanism":"window_manager"}
        disposition: {"delivery":"delivered_unverified","retry":"unsafe"}
        method: "graceful"
        operation: "close-app"
        pid: 5
        process_instance: "5-1"
        requested: true
        suggestion: "It asks something first (\"Save changes?\"): answer it with `find --window-id alert-1.5-2` and `click`. `close-app` with --force ends it, and loses what is not saved."
        surfaces:
          {"id":"w-1.5-1","title":"Notes","type":"window"}
          {"id":"alert-1.5-2","item_count":1,"title":"Save changes?","type":"alert"}
        target: {"app_name":"editor","kind":"app","pid":5}
        windows:
          {"id":"w-1.5-1","title":"Notes"}
          {"id":"w-1.5-2","title":"Save changes?"}
    "#]]);
    let forced = stage.draw("close-app editor --force --timeout-ms 200");
    assert!(forced.contains("closed: true") && forced.contains("method: \"force\""), "{forced}");
}

#[test]
fn one_that_does_not_care_is_told_by_the_deadline() {
    let mut stage = Stage::new(EDITOR);
    stage.desktop.closing(Closing::Ignores);
    let answer = stage.draw("close-app editor --timeout-ms 100");
    assert!(
        answer.contains("closed: false") && answer.contains("delivered_unverified"),
        "{answer}"
    );
    let answer = stage.draw("close-app --window-id w-1.5-1 --force --timeout-ms 100");
    assert!(answer.contains("closed: true") && answer.contains("delivered_verified"), "{answer}");
}

#[test]
fn whom_nobody_means_and_whom_nobody_may_close() {
    let mut stage = Stage::new(
        "app editor pid=5 bus=:1.5\n  window \"One\"\napp editor pid=6 bus=:1.6\n  window \"Two\"\n",
    );
    stage.check("close-app editor --force", expect![[r#"
        error: AMBIGUOUS_TARGET not_delivered/safe
        details: {"kind":"window_candidates","windows":[{"app_name":"editor","id":"w-1.5-1","title":"One"},{"app_name":"editor","id":"w-1.6-2","title":"Two"}]}
    "#]]);
    stage.check(
        "close-app edtor",
        expect![[r#"
        error: APP_NOT_FOUND not_delivered/safe
        details: {"apps":["editor"],"kind":"app_candidates"}
    "#]],
    );
    stage.check(
        "close-app window-manager",
        expect![[r#"
            error: POLICY_DENIED not_delivered/safe
            recovery: {"requires_fresh_snapshot":false,"retryable":true,"strategy":"request_explicit_policy_then_retry_original"}
        "#]],
    );
    stage.check(
        "close-app --window-id w-1.9-1",
        expect![[r#"
        error: WINDOW_NOT_FOUND not_delivered/safe
    "#]],
    );
    let answer = stage.draw("close-app --window-id w-1.6-2");
    assert!(answer.contains("closed: true") && answer.contains("pid: 6"), "{answer}");
}
