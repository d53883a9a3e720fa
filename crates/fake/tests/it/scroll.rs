//! Scrolling: scroll bars are moved step by step, each step told, and no further than they go.

use agent_desktop_fake::Manner;
use expect_test::expect;

use crate::stage::Stage;

const WINDOW: &str = r#"
app reader
  window "Reader" focused
    scrollarea "Contents" #area
      list "Chapters" #list
        row "One" #one
      scrollbar [SetValue Scroll] value="0" @390,0,10x300 #vertical lasting
      scrollbar [SetValue Scroll] value="50" @0,290,390x10 #horizontal lasting
    scrollarea "Still" #still
      scrollbar hidden [SetValue Scroll] value="0" @390,300,10x300 #hidden
      button "Alone" [Click] #alone
    webarea "Page" [ScrollTo] #page
      heading "Top" [ScrollTo] @0,0,100x20 #top
    group
      textfield "Text" [SetValue] value="x" #text
        group
          scrollbar [SetValue Scroll] value="95" @390,600,10x300 #inner
"#;

/// Delivery or error of `scroll` on the element called `label`, and what was received by whom.
fn scrolled(stage: &mut Stage, role: &str, nth: usize, flags: &str) -> String {
    let found = stage.answer(&format!("find --role {role} --nth {nth}"));
    let reference = found["data"]["match"]["ref_id"].as_str().unwrap().to_owned();
    let before = stage.desktop.received().len();
    let answer = stage.answer(&format!("scroll {reference} {flags}"));
    let said = match answer["ok"].as_bool() {
        Some(true) => {
            let steps = answer["data"]["steps"].as_array().unwrap();
            let steps: Vec<&str> =
                steps.iter().map(|step| step["outcome"].as_str().unwrap()).collect();
            let via = answer["data"]["details"]["via"]["role"].as_str().unwrap_or("itself");
            let delivery = answer["data"]["disposition"]["delivery"].as_str().unwrap();
            format!("{delivery} via {via}: {}", steps.join(" "))
        }
        _ => format!(
            "{} {} {}",
            answer["error"]["code"].as_str().unwrap(),
            answer["error"]["details"]["kind"].as_str().unwrap_or("-"),
            answer["error"]["disposition"]["delivery"].as_str().unwrap()
        ),
    };
    let received: Vec<String> = stage.desktop.received()[before..]
        .iter()
        .map(|one| format!("{} {}", one.by, one.request))
        .collect();
    format!("{said} | {}", received.join(", "))
}

#[test]
fn what_scrolls_an_element_is_found_and_each_step_told() {
    let mut stage = Stage::new(WINDOW);
    let mut scroll = |role, nth, flags| scrolled(&mut stage, role, nth, flags);
    expect!["delivered_verified via scrollbar: succeeded succeeded | #vertical set number 10, #vertical set number 20"].assert_eq(&scroll(
        "scrollarea",
        0,
        "--amount 2",
    ));
    expect!["delivered_verified via scrollbar: succeeded | #vertical set number 10"]
        .assert_eq(&scroll("row", 0, "--amount 1 --direction up"));
    expect!["delivered_verified via scrollbar: succeeded | #horizontal set number 40"]
        .assert_eq(&scroll("list", 0, "--direction left --amount 1"));
    expect!["delivered_verified via itself: succeeded | #vertical set number 20"]
        .assert_eq(&scroll("scrollbar", 0, "--amount 1"));
    expect!["delivered_verified via scrollbar: succeeded skipped | #inner set number 100"]
        .assert_eq(&scroll("textfield", 0, ""));
    expect!["not_delivered via scrollbar: skipped | "].assert_eq(&scroll("textfield", 0, ""));
}

#[test]
fn a_page_without_scroll_bars_is_moved() {
    let mut stage = Stage::new(WINDOW);
    let mut scroll = |role, nth, flags| scrolled(&mut stage, role, nth, flags);
    expect!["delivered_verified via itself: succeeded succeeded | #top scroll by 0,-100, #top scroll by 0,-100"].assert_eq(&scroll("heading", 0, "--amount 2"));
    expect!["delivered_verified via heading: succeeded | #top scroll by 0,-100"]
        .assert_eq(&scroll("webarea", 0, "--amount 1"));
    expect!["delivered_unverified via heading: succeeded succeeded succeeded succeeded | #top scroll by 0,100, #top scroll by 0,100, #top scroll by 0,100, #top scroll by 0,100"].assert_eq(&scroll("webarea", 0, "--direction up --amount 10"));
}

#[test]
fn what_nothing_scrolls_is_refused() {
    let mut stage = Stage::new(WINDOW);
    let mut scroll = |role, nth, flags| scrolled(&mut stage, role, nth, flags);
    expect!["ACTION_NOT_SUPPORTED capability_missing not_delivered | "]
        .assert_eq(&scroll("button", 0, ""));
    expect!["ACTION_NOT_SUPPORTED capability_missing not_delivered | "].assert_eq(&scroll(
        "textfield",
        0,
        "--direction right",
    ));
    expect!["delivered_verified via scrollbar: succeeded succeeded succeeded | #vertical set number 10, #vertical set number 20, #vertical set number 30"]
        .assert_eq(&scroll("window", 0, ""));
}

#[test]
fn a_scroll_bar_that_does_not_move_is_found_out_at_its_first_step() {
    let mut stage = Stage::new(WINDOW);
    stage.desktop.behave(Manner::Idle);
    expect![
        "ACTION_FAILED scroll_advertised_but_inert delivered_unverified | #vertical set number 10"
    ]
    .assert_eq(&scrolled(&mut stage, "list", 0, ""));
    stage.desktop.behave(Manner::Mute);
    expect!["TIMEOUT chain_deadline delivery_uncertain | #vertical set number 10"]
        .assert_eq(&scrolled(&mut stage, "list", 0, "--timeout-ms 80"));
}
