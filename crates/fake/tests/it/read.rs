//! `get` and `is`: properties, and whether a question makes sense.

use agent_desktop_fake::Edit;
use agent_desktop_model::state::State;
use expect_test::expect;

use crate::stage::Stage;

const SETTINGS: &str = r#"
    app settings
      window "Settings" focused @0,0,400x300
        textfield "Host" value="example.org" [SetValue] @10,10,100x20 #host
        checkbox "Sound" checked focused [Toggle] @10,40,100x20 #sound
        combobox "Language" expanded [Expand Collapse] @10,70,100x20
        button "Apply" disabled [Click] @10,100,0x0
        button "Ok" hidden [Click] @10,130,50x20
        link "Far below" offscreen [Click] @10,900,50x20
        button [Click] desc="Clear all"
        cell "Blank" [Click]
"#;

#[test]
fn each_property_of_each_element() {
    let mut stage = Stage::new(SETTINGS);
    stage.draw("snapshot");
    let mut table = String::new();
    for number in 1..=8 {
        for property in ["text", "value", "title", "bounds", "role", "states"] {
            let answer = stage.answer(&format!("get @s1:e{number} --property {property}"));
            assert_eq!(answer["data"]["property"], property);
            assert_eq!(answer["data"]["ref"], format!("@s1:e{number}"));
            table.push_str(&format!("{property} {}  ", answer["data"]["value"]));
        }
        table.push('\n');
    }
    expect![[r#"
        text "example.org"  value "example.org"  title "Host"  bounds {"height":20,"width":100,"x":10,"y":10}  role "textfield"  states []  
        text "Sound"  value null  title "Sound"  bounds {"height":20,"width":100,"x":10,"y":40}  role "checkbox"  states ["checked","focused"]  
        text "Language"  value null  title "Language"  bounds {"height":20,"width":100,"x":10,"y":70}  role "combobox"  states ["expanded"]  
        text "Apply"  value null  title "Apply"  bounds {"height":0,"width":0,"x":10,"y":100}  role "button"  states ["disabled"]  
        text "Ok"  value null  title "Ok"  bounds {"height":20,"width":50,"x":10,"y":130}  role "button"  states ["hidden"]  
        text "Far below"  value null  title "Far below"  bounds {"height":20,"width":50,"x":10,"y":900}  role "link"  states ["offscreen"]  
        text null  value null  title null  bounds null  role "button"  states []  
        text "Blank"  value null  title "Blank"  bounds null  role "cell"  states []  
    "#]].assert_eq(&table);
    stage.check(
        "get @s1:e1",
        expect![[r#"
        property: "text"
        ref: "@s1:e1"
        value: "example.org"
    "#]],
    );
}

#[test]
fn each_question_and_whether_it_makes_sense() {
    let mut stage = Stage::new(SETTINGS);
    stage.draw("snapshot");
    let mut table = String::new();
    for number in 1..=8 {
        for property in ["visible", "enabled", "checked", "focused", "expanded"] {
            let answer = stage.answer(&format!("is @s1:e{number} --property {property}"));
            let data = &answer["data"];
            assert_eq!(data["property"], property);
            let sense = if data["applicable"] == true { "" } else { "?" };
            table.push_str(&format!("{property}{sense} {}  ", data["result"]));
        }
        table.push('\n');
    }
    expect![[r#"
        visible true  enabled true  checked? false  focused false  expanded? false  
        visible true  enabled true  checked true  focused true  expanded? false  
        visible true  enabled true  checked? false  focused false  expanded true  
        visible false  enabled false  checked? false  focused false  expanded? false  
        visible false  enabled true  checked? false  focused false  expanded? false  
        visible false  enabled true  checked? false  focused false  expanded? false  
        visible false  enabled true  checked? false  focused false  expanded? false  
        visible false  enabled true  checked? false  focused false  expanded? false  
    "#]]
    .assert_eq(&table);
    stage.check(
        "is @s1:e2",
        expect![[r#"
        applicable: true
        property: "visible"
        ref: "@s1:e2"
        result: true
    "#]],
    );
}

#[test]
fn answers_are_live() {
    let mut stage = Stage::new(SETTINGS);
    stage.draw("snapshot");
    stage.edit(Edit::SetValue { target: "host".into(), value: "localhost".into() });
    stage.edit(Edit::SetState { target: "sound".into(), state: State::Checked, on: false });
    stage.check(
        "get @s1:e1 --property value",
        expect![[r#"
        property: "value"
        ref: "@s1:e1"
        value: "localhost"
    "#]],
    );
    stage.check(
        "is @s1:e2 --property checked",
        expect![[r#"
        applicable: true
        property: "checked"
        ref: "@s1:e2"
        result: false
    "#]],
    );
}

#[test]
fn a_password_is_never_told() {
    let scene = r#"
        app login
          window "Log in" focused
            textfield "Password" secure value="hunter2" hint="hunter2" [SetValue]
    "#;
    let mut stage = Stage::new(scene);
    for line in [
        "snapshot",
        "snapshot -i --include-bounds",
        "get @s1:e1",
        "get @s1:e1 --property value",
        "get @s1:e1 --property title",
        "find --role textfield",
        "find --value hunter2",
        "find --value hunter2 --count",
        "find --text hunter --count",
    ] {
        let answer = stage.answer(line).to_string();
        assert!(!answer.contains("hunter2"), "{line}: {answer}");
        assert!(!answer.contains("\"count\":1"), "{line} tells by counting: {answer}");
    }
}

#[test]
fn malformed_and_foreign_refs() {
    let mut stage = Stage::new(SETTINGS);
    stage.draw("snapshot");
    for line in ["get @e1", "get e1", "get @s1:e0", "get @s1:e01", "is @s1:x"] {
        let drawn = stage.draw(line);
        assert_eq!(drawn, "error: INVALID_ARGS not_delivered/safe\n", "{line}");
    }
    stage.check("get @nowhere1:e1", expect![[r#"
        error: SNAPSHOT_NOT_FOUND not_delivered/safe
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
    stage.check("is @s1:e99", expect![[r#"
        error: STALE_REF not_delivered/safe
        details: {"kind":"saved_ref_absent","ref":"@s1:e99"}
        recovery: {"requires_fresh_snapshot":true,"retryable":true,"strategy":"refresh_snapshot_then_retry_original"}
    "#]]);
}
