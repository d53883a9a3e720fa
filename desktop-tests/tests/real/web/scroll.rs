//! What is scrolled away on a page is brought into view without the pointer.

use std::time::Duration;

use desktop_tests::{
    Desktop, wait,
    web::{Browser, Kind, Server},
};

#[test]
fn chromium_brings_into_view() {
    brings_into_view(Kind::Chromium, &["--force-renderer-accessibility"]);
}

#[test]
fn firefox_brings_into_view() {
    brings_into_view(Kind::Firefox, &[]);
}

#[track_caller]
fn brings_into_view(kind: Kind, more: &[&str]) {
    let desktop = Desktop::start();
    let server = Server::start();
    let mut browser = Browser::start(&desktop, kind, more, &server.url("long.html"));
    browser.app.settle();
    let window = browser.app.window_id();
    let find = |what: &[&str]| {
        let line = ["find", "--window-id", &window, "--first", "--timeout-ms", "20000"];
        wait::until("the element", Duration::from_secs(30), || {
            let found = desktop.run(&[&line[..], what].concat());
            let reference = found.data()["match"]["ref_id"].as_str().map(str::to_owned);
            reference.ok_or_else(|| found.to_string())
        })
    };
    let position = "Math.round(window.scrollY)";
    assert_eq!(browser.evaluate(position), 0);
    for (what, verified) in [
        (["--role", "button", "--name", "Finish"], "delivered_verified"),
        (["--role", "heading", "--name", "Top"], "delivered_verified"),
        (["--role", "heading", "--name", "Top"], "not_delivered"),
    ] {
        let scrolled = desktop.run(&["scroll-to", &find(&what)]).data();
        assert_eq!(scrolled["disposition"]["delivery"], verified, "{what:?}: {scrolled:#}");
        let at_the_end = browser.evaluate(position).as_i64() > Some(1_000);
        assert_eq!(at_the_end, what[3] == "Finish", "{what:?}: {scrolled:#}");
    }
    // By steps, of what is in the page or of the page.
    let scroll = |what: &str, direction: &str, amount: &str| {
        let line = ["scroll", what, "--direction", direction, "--amount", amount];
        let data = desktop.run(&line).data();
        data["disposition"]["delivery"].as_str().unwrap().to_owned()
    };
    // Firefox glides.
    let mut last = browser.evaluate(position);
    let start = wait::until("a page that stands still", Duration::from_secs(10), || {
        browser.app.settle();
        let now = browser.evaluate(position);
        let stood = now == last;
        last = now;
        if stood { Ok(last.as_i64().unwrap()) } else { Err(last.to_string()) }
    });
    let (heading, page) = (find(&["--role", "heading"]), find(&["--role", "webarea"]));
    assert_eq!(scroll(&heading, "down", "3"), "delivered_verified");
    assert_eq!(browser.evaluate(position), start + 300);
    assert_eq!(scroll(&page, "up", "2"), "delivered_verified");
    assert_eq!(browser.evaluate(position), start + 100);
    assert_eq!(scroll(&page, "up", "3"), "delivered_unverified", "as far as it goes");
    assert_eq!(browser.evaluate(position), 0);
}
