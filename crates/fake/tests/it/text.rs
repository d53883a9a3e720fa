//! Names that applications should not have, and windows of any size.

use crate::stage::Stage;

/// A scene whose only button has this name.
fn named(name: &str) -> Stage {
    let quoted = serde_json::to_string(name).unwrap();
    Stage::new(&format!("app a\n  window \"A\" focused\n    button {quoted} [Click]"))
}

#[test]
fn any_name_comes_out_as_it_went_in() {
    for name in [
        "say \"hi\" \\ and 'bye'",
        "two\nlines\tand\u{8}control\u{1b}[31m",
        "\u{202e}evil\u{202c} \u{2066}bidi\u{2069}\u{200f}",
        "👩‍👩‍👧 emoji é e\u{301} \u{fffd} \u{feff}",
        "</script>{}[]$(rm -rf ~)`id`",
        "\u{0}null",
    ] {
        let mut stage = named(name);
        let answer = stage.answer("snapshot");
        assert_eq!(answer["data"]["tree"]["children"][0]["name"], name);
        let answer = stage.answer("get @s1:e1 --property title");
        assert_eq!(answer["data"]["value"], name);
        let answer = stage.answer("find --role button --first");
        assert_eq!(answer["data"]["match"]["name"], name);
    }
}

#[test]
fn a_megabyte_is_cut_at_a_character_and_says_so() {
    let name = "é".repeat(500_000);
    let mut stage = named(&name);
    let answer = stage.answer("snapshot");
    let button = &answer["data"]["tree"]["children"][0];
    let printed = button["name"].as_str().unwrap();
    assert!(printed.len() <= 64 * 1024 && printed.len() > 64 * 1024 - 4, "{}", printed.len());
    assert!(name.starts_with(printed));
    assert_eq!(button["cut_fields"], serde_json::json!(["name"]));
    // The evidence is of the whole: another end is another element.
    assert_eq!(stage.answer("get @s1:e1 --property role")["data"]["value"], "button");
    let other = format!("{}x", &name[..name.len() - 2]);
    let target = stage.desktop.identities()[1].as_str().to_owned();
    stage.edit(agent_desktop_fake::Edit::Rename { target, name: other });
    assert_eq!(stage.answer("get @s1:e1 --property role")["error"]["code"], "STALE_REF");
}

#[test]
fn a_chain_of_twenty_thousand() {
    let mut stage = Stage::new(
        r#"
        app a
          window "A" focused
            group nest=20000
              button "bottom" [Click]
        "#,
    );
    let answer = stage.answer("find --role button --first");
    assert_eq!(answer["data"]["match"]["name"], "bottom");
    assert_eq!(stage.answer("get @s1:e1 --property role")["data"]["value"], "button");
    let answer = stage.answer("snapshot");
    assert_eq!(answer["data"]["complete"], true);
    let answer = stage.answer("snapshot -i --compact");
    assert_eq!(answer["ok"], true);
}

#[test]
fn twenty_thousand_beside_each_other() {
    let mut stage = Stage::new(
        r#"
        app a
          window "A" focused
            list
              row times=10000
                button "Delete" [Click]
        "#,
    );
    let answer = stage.answer("snapshot");
    assert_eq!(answer["data"]["ref_count"], 10_000);
    let answer = stage.answer("get @s1:e5000");
    assert_eq!(answer["error"]["code"], "AMBIGUOUS_TARGET");
    assert!(answer["error"]["details"]["candidates"].as_array().unwrap().len() <= 5);
}

#[test]
fn cost_follows_the_region() {
    let mut stage = Stage::new(
        r#"
        app a
          window "A" focused lasting
            group "small" lasting
              button "one" [Click] lasting
              button "two" [Click] lasting
            group "large"
              group times=1000
                button "x" [Click]
                statictext "y"
        "#,
    );
    stage.draw("snapshot --skeleton --max-depth 1");
    let skeleton = stage.desktop.take_calls();
    assert_eq!(skeleton.observe, 1, "{skeleton:?}");
    assert!(skeleton.nodes_filled <= 6, "further fields of what is not listed: {skeleton:?}");

    // A lasting address is vouched for by a probe: the rest of the window stays unread.
    stage.draw("snapshot --root @s1:e1");
    let drill = stage.desktop.take_calls();
    assert!(drill.nodes_read <= 3 && drill.nodes_filled <= 6, "{drill:?}");
    stage.draw("get @s1:e3");
    let get = stage.desktop.take_calls();
    assert!(get.nodes_read <= 1 && get.addresses_probed <= 4, "{get:?}");
    assert!(get.nodes_filled <= 1, "{get:?}");

    // An address that proves nothing costs a reading of the window, but no more than one.
    stage.draw("find --role button --last");
    let find = stage.desktop.take_calls();
    assert!(find.observe == 1 && find.nodes_filled <= 1, "{find:?}");
    stage.draw("get @s2:e1");
    let get = stage.desktop.take_calls();
    assert!(get.observe == 1 && get.nodes_filled <= 1, "{get:?}");
}
