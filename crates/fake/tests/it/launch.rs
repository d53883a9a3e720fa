//! Starting programs, finding those that run, and what is said where no window comes.

use agent_desktop_engine::platform::{Ending, Program};
use agent_desktop_fake::Edit;
use expect_test::expect;

use crate::stage::Stage;

fn program(id: &str, name: &str) -> Program {
    Program {
        id: id.to_owned(),
        name: name.to_owned(),
        command: vec![format!("/usr/bin/{id}")],
        directory: None,
        class: None,
        renderer: None,
    }
}

fn opens(app: &str, title: &str) -> Vec<Edit> {
    vec![Edit::Launch { scene: format!("app {app} pid=77 bus=:1.77\n  window \"{title}\"\n") }]
}

/// The answer without the log, which is nowhere twice.
fn draw(stage: &mut Stage, line: &str) -> String {
    let mut answer = stage.answer(line);
    for place in ["/data/log", "/error/details/log"] {
        if let Some(log) = answer.pointer_mut(place) {
            assert!(log.as_str().is_some_and(|log| log.contains("/logs/launch-")), "{log}");
            *log = "LOG".into();
        }
    }
    crate::stage::draw(&answer)
}

#[test]
fn what_is_started_answers_with_its_window_and_then_is_found() {
    let mut stage = Stage::new("app other pid=5\n  window \"Other\" focused\n");
    stage.desktop.install(program("editor.desktop", "Editor"), opens("editor", "Untitled"), None);
    expect![[r#"
        app: "editor"
        attached: false
        log: "LOG"
        pid: 77
        process_instance: "77-1"
        window: {"accessible":true,"id":"w-1.77-2","is_focused":false,"title":"Untitled","visible":true}
    "#]]
    .assert_eq(&draw(&mut stage, "launch Editor"));
    expect![[r#"
        app: "editor"
        attached: true
        pid: 77
        process_instance: "77-1"
        window: {"accessible":true,"id":"w-1.77-2","is_focused":false,"title":"Untitled","visible":true}
    "#]]
    .assert_eq(&draw(&mut stage, "launch editor.desktop"));
    assert_eq!(stage.desktop.starts("editor.desktop"), 1);
    assert!(draw(&mut stage, "launch editor --no-attach").starts_with("error: ACTION_FAILED not_"));
    // With an argument that it was not started with, it is started once more, and nothing new shows.
    let again = draw(&mut stage, "launch editor --arg x --timeout 100");
    assert!(again.contains("attached: false"), "{again}");
    assert_eq!(stage.desktop.starts("editor.desktop"), 2);
}

#[test]
fn one_that_ends_well_has_handed_over_to_the_one_that_runs() {
    let mut stage = Stage::new("app editor pid=5 bus=:1.5\n  window \"Notes\"\n");
    let ends = Some((2, Ending::Status(0)));
    stage.desktop.install(program("editor.desktop", "editor"), Vec::new(), ends);
    let answer = draw(&mut stage, "launch editor --arg x");
    assert!(answer.contains("attached: true") && answer.contains("pid: 5"), "{answer}");
    assert!(answer.contains("log: \"LOG\""), "{answer}");
}

#[test]
fn one_that_ends_badly_is_told_with_its_status() {
    let mut stage = Stage::new("app other pid=5\n  window \"Other\"\n");
    stage.desktop.install(program("a", "a"), Vec::new(), Some((3, Ending::Status(4))));
    stage.desktop.install(program("b", "b"), Vec::new(), Some((0, Ending::Signal(9))));
    expect![[r#"
        error: APP_UNRESPONSIVE delivered_unverified/unsafe
        details: {"exit_status":4,"kind":"program_ended","log":"LOG"}
    "#]]
    .assert_eq(&draw(&mut stage, "launch a"));
    expect![[r#"
        error: APP_UNRESPONSIVE delivered_unverified/unsafe
        details: {"kind":"program_ended","log":"LOG","signal":9}
    "#]]
    .assert_eq(&draw(&mut stage, "launch b"));
}

#[test]
fn one_name_of_several_and_a_name_of_none() {
    let mut stage = Stage::new("app lonely pid=5 bus=:1.5\n  window \"Lonely\"\n");
    stage.desktop.install(program("one.desktop", "Text Editor"), Vec::new(), None);
    stage.desktop.install(program("two.desktop", "Text Editor"), Vec::new(), None);
    expect![[r#"
        error: AMBIGUOUS_TARGET not_delivered/safe
        details: {"apps":["one","two"],"kind":"app_candidates"}
    "#]]
    .assert_eq(&draw(&mut stage, "launch 'text editor'"));
    expect![[r#"
        error: APP_NOT_FOUND not_delivered/safe
        details: {"apps":["Text Editor"],"kind":"app_candidates"}
    "#]]
    .assert_eq(&draw(&mut stage, "launch 'test editor'"));
    // Nobody knows how it is started, but it runs.
    let answer = draw(&mut stage, "launch Lonely");
    assert!(answer.contains("attached: true") && answer.contains("pid: 5"), "{answer}");
}

#[test]
fn of_several_that_run_the_one_with_the_focus_is_meant() {
    let scene = |focused: &str| {
        format!(
            "app editor pid=5 bus=:1.5\n  window \"One\"\n\
             app editor pid=6 bus=:1.6\n  window \"Two\"{focused}\n"
        )
    };
    let mut stage = Stage::new(&scene(""));
    stage.desktop.install(program("editor", "editor"), Vec::new(), None);
    expect![[r#"
        error: AMBIGUOUS_TARGET not_delivered/safe
        details: {"kind":"window_candidates","windows":[{"app_name":"editor","id":"w-1.5-1","title":"One"},{"app_name":"editor","id":"w-1.6-2","title":"Two"}]}
    "#]]
    .assert_eq(&draw(&mut stage, "launch editor"));
    let mut stage = Stage::new(&scene(" focused"));
    stage.desktop.install(program("editor", "editor"), Vec::new(), None);
    assert!(draw(&mut stage, "launch editor").contains("pid: 6"));
    assert_eq!(stage.desktop.starts("editor"), 0);
}
