//! Every mistake that can be made with an action has an answer of its own: what is wrong, what to do,
//! and that nothing was sent.

use std::fmt::Write;

use agent_desktop_fake::Edit;
use expect_test::expect;

use crate::stage::Stage;

const FORM: &str = r#"
app form
  window "Form" focused
    button "Save" disabled [Click] #save
    textfield "Code" readonly [SetValue TypeText] value="x1"
    slider "Volume" [SetValue] value="30"
    combobox "Size" [Select] value="Small"
      option "Small"
      option "Large"
    checkbox "Wrap" [Click Toggle Check Uncheck] #wrap
    button "Go" [Click] #go
    group
      button "Delete" [Click]
    group
      button "Delete" [Click]
"#;

const MISTAKES: [(&str, &str); 12] = [
    ("a stale ref", "click @s1:e8"),
    ("a number that no snapshot gave", "click @s1:e99"),
    ("a twin that nothing tells from the other", "click @s1:e9"),
    ("a disabled control", "click @s1:e1 --timeout-ms 30"),
    ("a read-only field", "set-value @s1:e2 y"),
    ("a number out of range", "set-value @s1:e3 101"),
    ("a text where a number belongs", "set-value @s1:e3 loud"),
    ("an option that there is not", "select @s1:e4 Huge"),
    ("a wrong type of element", "toggle @s1:e3"),
    ("text into what takes none", "type @s1:e7 hello"),
    ("what needs the pointer", "double-click @s1:e7"),
    ("what nothing scrolls", "scroll @s1:e7"),
];

#[test]
fn each_mistake_has_its_own_answer_and_nothing_is_sent() {
    let mut stage = Stage::new(FORM);
    stage.answer("snapshot");
    stage.edit(Edit::Remove { target: "go".into() });
    let mut table = String::new();
    for (mistake, line) in MISTAKES {
        let answer = stage.answer(line);
        let error = &answer["error"];
        assert_eq!(error["disposition"]["delivery"], "not_delivered", "{mistake}: {answer}");
        assert_eq!(error["disposition"]["retry"], "safe", "{mistake}: {answer}");
        writeln!(table, "{mistake}: {line}").unwrap();
        writeln!(table, "  {} {}", text(&error["code"]), text(&error["message"])).unwrap();
        writeln!(table, "  {}", text(&error["suggestion"])).unwrap();
        writeln!(table, "  {}", error["details"]).unwrap();
    }
    expect![[r#"
        a stale ref: click @s1:e8
          STALE_REF no element of the window is the one of @s1:e8 any more
          Take a new snapshot: `snapshot --window-id w-1.1-1`.
          {"kind":"saved_ref_absent","ref":"@s1:e8"}
        a number that no snapshot gave: click @s1:e99
          STALE_REF @s1:e99 is not in the current RefMap of snapshot s1
          A drill replaces the refs below the element that it reads again. Use the refs that the latest answer printed, or take a new snapshot.
          {"kind":"saved_ref_absent","ref":"@s1:e99"}
        a twin that nothing tells from the other: click @s1:e9
          AMBIGUOUS_TARGET @s1:e9 stands for one of several equal elements that nothing tells apart
          Another snapshot does not change that. Use an element that occurs once and does the same, such as a menu item; or, if the user allows it, `mouse-click --xy` with --headed at its bounds.
          {"candidates":[{"name":"Delete","role":"button"},{"name":"Delete","role":"button"}],"kind":"identity_not_unique","reason":"twins_at_capture","ref":"@s1:e9"}
        a disabled control: click @s1:e1 --timeout-ms 30
          ACTION_FAILED @s1:e1 (button "Save") was not ready for click within 30 ms: disabled
          Change what blocks it (open what it stands in, fill in what enables it, answer the dialog in front of it), or raise --timeout-ms if it only needs time; then repeat.
          {"actionable":false,"checks":[{"check":"visible","status":"pass"},{"check":"enabled","reason":"disabled","status":"fail"},{"check":"supported_action","status":"pass"},{"check":"receives_events","status":"unknown"}],"kind":"actionability_timeout"}
        a read-only field: set-value @s1:e2 y
          ACTION_NOT_SUPPORTED @s1:e2 (textfield "Code") is read-only
          Its application does not let it be edited now; choose another element.
          {"actionable":false,"checks":[{"check":"visible","status":"pass"},{"check":"enabled","status":"pass"},{"check":"supported_action","status":"pass"},{"check":"editable","reason":"read-only","status":"fail"},{"check":"receives_events","status":"unknown"}],"kind":"actionability_blocked"}
        a number out of range: set-value @s1:e3 101
          INVALID_ARGS 101 is outside of what slider "Volume" takes
          Pass a number from 0 to 100.
          {"kind":"value_out_of_range","least":0.0,"most":100.0,"wanted":101.0}
        a text where a number belongs: set-value @s1:e3 loud
          INVALID_ARGS slider "Volume" takes a number, which "loud" is not
          Pass a number from 0 to 100.
          null
        an option that there is not: select @s1:e4 Huge
          ELEMENT_NOT_FOUND combobox "Size" has no option "Huge"
          It offers: "Small", "Large".
          {"kind":"select_menu_item_not_found","options":["Small","Large"],"wanted":"Huge"}
        a wrong type of element: toggle @s1:e3
          ACTION_NOT_SUPPORTED @s1:e3 (slider "Volume") does not support toggle
          It can do this: SetValue. Its application offers nothing for this but the pointer and keys: look for another element that does the same, such as a menu item; or, if the user allows it, repeat the command with --headed.
          {"available_actions":["SetValue"],"kind":"capability_missing","needs":["Toggle"]}
        text into what takes none: type @s1:e7 hello
          ACTION_NOT_SUPPORTED @s1:e7 (checkbox "Wrap") does not support type
          It can do this: Click, Toggle, Check, Uncheck. Its application offers nothing for this but the pointer and keys: look for another element that does the same, such as a menu item; or, if the user allows it, repeat the command with --headed.
          {"available_actions":["Click","Toggle","Check","Uncheck"],"kind":"capability_missing","needs":["TypeText"]}
        what needs the pointer: double-click @s1:e7
          POLICY_DENIED double-click takes the focus or the pointer, which is not permitted
          `click`, `select`, `expand`, `set-value` and `type` do without. If the user allows it, repeat the command with --headed.
          {"actionable":false,"checks":[{"check":"policy","reason":"takes the focus or the pointer","status":"fail"}],"kind":"actionability_blocked"}
        what nothing scrolls: scroll @s1:e7
          ACTION_NOT_SUPPORTED @s1:e7 (checkbox "Wrap") does not support scroll
          Nothing scrolls it in this direction by itself. Its application offers nothing for this but the pointer and keys: look for another element that does the same, such as a menu item; or, if the user allows it, repeat the command with --headed.
          {"available_actions":["Click","Toggle","Check","Uncheck"],"kind":"capability_missing","needs":["Scroll","ScrollTo"]}
    "#]].assert_eq(&table);
    assert_eq!(stage.desktop.received(), []);
}

fn text(value: &serde_json::Value) -> &str {
    value.as_str().unwrap_or("-")
}
