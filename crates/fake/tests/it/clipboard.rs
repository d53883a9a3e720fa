//! The clipboard: what is answered for everything that a platform may say of it.

use agent_desktop_engine::platform::{Clip, Pasted, Taken};
use agent_desktop_fake::Clipboard;
use expect_test::expect;

use crate::stage::Stage;

const SCENE: &str = "app editor\n  window \"Page\" focused";

#[test]
fn what_was_set_is_got() {
    let mut stage = Stage::new(SCENE);
    stage.check(
        "clipboard-get",
        expect![[r#"
            found: false
            type: "text"
        "#]],
    );
    stage.check(
        "clipboard-set 'a text'",
        expect![[r#"
            disposition: {"delivery":"delivered_verified","retry":"unsafe"}
            ok: true
            type: "text"
        "#]],
    );
    stage.check(
        "clipboard-get --format auto",
        expect![[r#"
            text: "a text"
            type: "text"
        "#]],
    );
    stage.check(
        "clipboard-get --format file-urls",
        expect![[r#"
            found: false
            offered: ["text"]
            type: "file_urls"
        "#]],
    );
    stage.draw("clipboard-set --stdin");
    stage.check(
        "clipboard-get",
        expect![[r#"
            text: "from standard input"
            type: "text"
        "#]],
    );
    // Files win over a text.
    stage.draw("clipboard-set text --file-url /proc/self --file-url file:///proc/version");
    stage.check(
        "clipboard-get --format auto",
        expect![[r#"
            file_urls: ["file:///proc/self","file:///proc/version"]
            paths: ["/proc/self","/proc/version"]
            type: "file_urls"
        "#]],
    );
    stage.check(
        "clipboard-clear",
        expect![[r#"
            cleared: true
            disposition: {"delivery":"delivered_verified","retry":"unsafe"}
        "#]],
    );
    stage.check(
        "clipboard-clear",
        expect![[r#"
            cleared: true
            disposition: {"delivery":"not_delivered","retry":"safe"}
        "#]],
    );
}

#[test]
fn what_others_have_there_is_told_as_it_is() {
    let mut stage = Stage::new(SCENE);
    let mut holds = |content| {
        stage.desktop.put_clipboard(Clipboard { content, refusal: None });
        stage.draw("clipboard-get --format auto")
    };
    let found = |clip| Pasted::Found { clip, lossy: true };
    expect![[r#"
        lossy: true
        text: "a�"
        type: "text"
    "#]]
    .assert_eq(&holds(found(Clip::Text("a\u{fffd}".into()))));
    let urls = ["file:///a b", "file://far/c", "file:///%FF"].map(str::to_owned).into();
    expect![[r#"
        file_urls: ["file:///a%20b","file://far/c","file:///%FF"]
        paths: ["/a b",null,null]
        type: "file_urls"
    "#]]
    .assert_eq(&holds(found(Clip::FileUrls(urls))));
    expect![[r#"
        error: ACTION_FAILED not_delivered/safe
    "#]]
    .assert_eq(&holds(found(Clip::Image(b"GIF89a".into()))));
    expect![[r#"
        error: APP_UNRESPONSIVE not_delivered/safe
        recovery: {"requires_fresh_snapshot":true,"retry_after_ms":250,"retryable":true,"strategy":"inspect_state_then_retry_original"}
    "#]]
    .assert_eq(&holds(Pasted::Silent { owner: "editor (process 7)".into() }));
    expect![[r#"
        error: ACTION_FAILED not_delivered/safe
    "#]]
    .assert_eq(&holds(Pasted::TooLarge));
}

#[test]
fn what_is_not_known_to_have_arrived_is_not_called_verified() {
    let mut stage = Stage::new(SCENE);
    let mut comes_to = |taken| {
        let clipboard = Clipboard { refusal: Some(taken), ..Clipboard::default() };
        stage.desktop.put_clipboard(clipboard);
        stage.draw("clipboard-set secret")
    };
    expect![[r#"
        disposition: {"delivery":"delivered_unverified","retry":"unsafe"}
        ok: true
        type: "text"
    "#]]
    .assert_eq(&comes_to(Taken::Unread));
    expect![[r#"
        error: TIMEOUT delivery_uncertain/unsafe
        details: {"elapsed_ms":0,"kind":"deadline","timeout_ms":5000}
    "#]]
    .assert_eq(&comes_to(Taken::Late));
    let replaced = comes_to(Taken::Replaced { owner: Some("klipper (process 9)".into()) });
    expect![[r#"
        error: ACTION_FAILED delivered_unverified/unsafe
        details: {"expected":"the new text","kind":"post_action_verification","observed":"a content of klipper (process 9)","post_state":null,"steps":[]}
    "#]]
    .assert_eq(&replaced);
}
