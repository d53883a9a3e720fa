//! What an application says to a request proves nothing: it is judged by what it does, never asked
//! twice, and on time.

use std::time::Duration;

use desktop_tests::Desktop;

#[test]
fn a_button_that_lies_hangs_or_dies() {
    let desktop = Desktop::start();
    let uncertain = "delivery_uncertain";
    for (pressed, code, delivery) in [
        ("nothing", None, "delivered_unverified"),
        ("rename", None, "delivered_verified"),
        ("refuse", Some("ACTION_FAILED"), uncertain),
        ("hang", Some("TIMEOUT"), uncertain),
        ("vanish", Some("APP_NOT_FOUND"), uncertain),
    ] {
        let _peer = desktop.peer(&["--pressed", pressed]);
        let found = desktop.run(&["find", "--app", "misbehaving-peer", "--name", "OK", "--first"]);
        let ok = found.data()["match"]["ref_id"].as_str().unwrap().to_owned();
        let clicked = desktop.run(&["click", &ok, "--timeout-ms", "2000"]);
        let answer = clicked.on_time(Duration::from_secs(2)).envelope();
        assert_eq!(answer["error"]["code"].as_str(), code, "{pressed}: {clicked}");
        let part = if code.is_some() { "error" } else { "data" };
        let disposition = &answer[part]["disposition"];
        assert_eq!(disposition["delivery"], delivery, "{pressed}: {clicked}");
        assert_eq!(disposition["retry"], "unsafe", "{pressed}: {clicked}");
    }
}
