//! What scrolls by a scroll bar that stands in it, as in Qt.

use std::fs;

use desktop_tests::Desktop;

#[test]
fn a_text_of_qt_is_scrolled_by_its_own_bar() {
    let desktop = Desktop::start();
    let file = desktop.state_root().join("long.txt");
    let lines: Vec<String> = (0..500).map(|line| line.to_string()).collect();
    fs::create_dir_all(desktop.state_root()).expect("a directory");
    fs::write(&file, lines.join("\n")).expect("a file");
    let app = desktop.launch("featherpad", &[file.to_str().unwrap()]);
    // As libatspi has it.
    let position = || {
        let bars = desktop.said(&app, "scroll bar");
        bars.iter().filter_map(|bar| bar.number).fold(0.0, f64::max)
    };
    let scroll = |flags: &[&str]| {
        let line = ["find", "--app", "FeatherPad", "--role", "textfield", "--first"];
        let shown = ["--state", "hidden=false", "--state", "readonly=false"];
        let found = desktop.run(&[&line[..], &shown].concat()).data();
        let text = found["match"]["ref_id"].as_str().unwrap();
        desktop.run(&[&["scroll", text][..], flags].concat()).data()
    };
    assert!(position() < 1.0);
    let down = scroll(&["--amount", "2"]);
    assert_eq!(down["disposition"]["delivery"], "delivered_verified", "{down:#}");
    assert_eq!(down["details"]["via"]["role"], "scrollbar", "{down:#}");
    let there = position();
    assert!(there > 1.0, "{there}");
    let up = scroll(&["--direction", "up", "--amount", "100"]);
    assert_eq!(up["steps"].as_array().unwrap().last().unwrap()["outcome"], "skipped", "{up:#}");
    assert!(position() < 1.0);
    let no_further = scroll(&["--direction", "up"]);
    assert_eq!(no_further["disposition"]["delivery"], "not_delivered", "{no_further:#}");
}
