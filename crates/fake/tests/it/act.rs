//! Acting: what is sent, to whom, what is verified, and what is refused with nothing sent.

use agent_desktop_fake::{Edit, Manner};
use agent_desktop_model::state::State;
use expect_test::expect;

use crate::stage::Stage;

const FORM: &str = r#"
app form toolkit="fake"
  window "Form" focused
    checkbox "Wrap" [Click Toggle Check Uncheck] #wrap
    radiobutton "Red" checked [Click Check] #red
    radiobutton "Blue" [Click Check] #blue
    textfield "Name" [SetValue TypeText SetFocus] value="Ann" #name
    textfield "Code" readonly [SetValue TypeText] value="x1" #code
    textfield "Password" secure [SetValue TypeText] #password
    slider "Volume" [SetValue] value="30" #volume
    button "Save" disabled [Click] #save
    button "Delete" [Click] #delete
    statictext "Nothing happened" #status
    combobox "Size" [Select] value="Small" #size
      option "Small"
      option "Large" #large
    disclosure "More" [Expand Collapse] #more
    tab "Second" [Select] #second
"#;

/// Snapshots the form and gives the ref of the element called `name`.
fn stage() -> Stage {
    let mut stage = Stage::new(FORM);
    stage.answer("snapshot");
    stage
}

/// The ref of the element called `name` in a new snapshot of its own.
fn find(stage: &mut Stage, name: &str) -> String {
    let found = stage.answer(&format!("find --name {name:?} --exact --first"));
    found["data"]["match"]["ref_id"].as_str().unwrap_or_else(|| panic!("{found}")).to_owned()
}

/// Code or delivery of `command`, and what was received by whom.
fn outcome(stage: &mut Stage, command: &str, name: &str, rest: &str) -> String {
    let reference = find(stage, name);
    let before = stage.desktop.received().len();
    let answer = stage.answer(&format!("{command} {reference} {rest}"));
    let delivery = |part: &str| answer[part]["disposition"]["delivery"].as_str().map(str::to_owned);
    let said = match answer["ok"].as_bool() {
        Some(true) => delivery("data").unwrap(),
        _ => format!(
            "{} {} {}",
            answer["error"]["code"].as_str().unwrap(),
            answer["error"]["details"]["kind"].as_str().unwrap_or("-"),
            delivery("error").unwrap()
        ),
    };
    let received: Vec<String> = stage.desktop.received()[before..]
        .iter()
        .map(|one| format!("{}: {}", one.by, one.request))
        .collect();
    format!("{said} | {}", received.join(", "))
}

/// Lists whose rows have no names, or actions of their own, or more in them than options.
const LISTS: &str = r#"
app lists toolkit="fake"
  window "Lists" focused
    combobox "Size" [Select] value="Small" #size
      option "Small"
      separator ""
      option "Large"
    list "Fruit" [Select] #fruit
      layoutitem ""
        statictext "Apple"
      layoutitem ""
        statictext "Pear"
    list "Colours" [Select] #colours
      option "Red" [Click] #red
      option "Blue" [Select] #blue
      option "Blue" [Select]
    list "Grain" [Select] #grain
      row "" #row
        cell "Oats" #oats
    list "Deep" [Select] #deep
      group "Inside"
        layoutitem ""
          statictext "Far"
    combobox "Keys only" [Expand Collapse] #keys
      option "One" [Click]
    menu "Kitchen" [Click] #kitchen
      menuitem "Wash" hidden [Click] #wash
      button "Rinse" hidden [Click] #rinse
"#;

#[test]
fn an_option_is_chosen_in_the_way_that_there_is_and_nothing_is_opened() {
    let mut stage = Stage::new(LISTS);
    let mut select = |list, option| outcome(&mut stage, "select", list, option);
    assert_eq!(select("Size", "Large"), "delivered_verified | #size: choose child 2");
    assert_eq!(select("Fruit", "pear"), "delivered_verified | #fruit: choose child 1");
    // The fake does nothing more about a click.
    let clicked = "ACTION_FAILED post_action_verification delivered_unverified | #red: activate";
    assert_eq!(select("Colours", "Red"), clicked);
    assert_eq!(select("Colours", "Blue"), "AMBIGUOUS_TARGET - not_delivered | ");
    assert_eq!(select("Grain", "Oats"), "delivered_verified | #grain: choose child 0");
    assert_eq!(select("Deep", "Far"), "ACTION_NOT_SUPPORTED - not_delivered | ");
    let none = "ELEMENT_NOT_FOUND select_menu_item_not_found not_delivered | ";
    assert_eq!(select("Grain", "Rye"), none);
    let refused = "ACTION_NOT_SUPPORTED capability_missing not_delivered | ";
    assert_eq!(select("Keys only", "One"), refused);
}

#[test]
fn an_item_of_a_closed_menu_is_left_to_the_platform() {
    let mut stage = Stage::new(LISTS);
    let mut click = |name| outcome(&mut stage, "click", name, "--timeout-ms 100");
    assert_eq!(click("Wash"), "delivered_unverified | #wash: activate");
    assert_eq!(click("Rinse"), "ACTION_FAILED actionability_timeout not_delivered | ");
}

#[test]
fn a_verified_action_says_all_that_there_is_to_say() {
    let mut stage = stage();
    stage.check("toggle @s1:e1", expect![[r#"
        action: "toggle"
        details: {"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":1,"read_only_resolve_attempts":1}}
        disposition: {"delivery":"delivered_verified","retry":"unsafe"}
        post_state: {"enabled":true,"hidden":false,"offscreen":false,"role":"checkbox","states":["checked"]}
        ref: "@s1:e1"
        steps:
          {"label":"activate","mechanism":"semantic_api","outcome":"succeeded","verified":true}
    "#]]);
}

#[test]
fn what_is_so_already_is_not_delivered() {
    let mut stage = stage();
    stage.check("uncheck @s1:e1", expect![[r#"
        action: "uncheck"
        details: {"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":1,"read_only_resolve_attempts":1}}
        disposition: {"delivery":"not_delivered","retry":"safe"}
        post_state: {"enabled":true,"hidden":false,"offscreen":false,"role":"checkbox","states":[]}
        ref: "@s1:e1"
        steps:
          {"label":"already as asked","mechanism":"semantic_api","outcome":"skipped"}
    "#]]);
    assert_eq!(outcome(&mut stage, "check", "Red", ""), "not_delivered | ");
    assert_eq!(outcome(&mut stage, "select", "Size", "small"), "not_delivered | ");
    assert_eq!(
        outcome(&mut stage, "check", "Wrap", ""),
        "delivered_verified | #wrap: activate",
        "not idle always"
    );
    assert_eq!(outcome(&mut stage, "check", "Wrap", ""), "not_delivered | ");
}

/// A click is not idle for that what it is to bring about is so already, but it proves nothing: only
/// a change would.
#[test]
fn a_click_on_what_is_chosen_already_proves_nothing() {
    const CHOSEN: &str = r#"
        app chosen toolkit="fake"
          window "Chosen" focused
            tab "First" selected [Click Select] #first
            tab "Plain" selected [Select] #plain
            radiobutton "Red" checked [Click Check] #red
            list "Fruit" [Select]
              option "Apple" selected [Select]
              option "Pear" [Select] #pear
            combobox "Size" [Select] value="Small"
              option "Small" [Click] #small
    "#;
    let mut stage = Stage::new(CHOSEN);
    let mut does = |command, name, rest| outcome(&mut stage, command, name, rest);
    assert_eq!(does("click", "First", ""), "delivered_unverified | #first: activate");
    assert_eq!(does("click", "Red", ""), "delivered_unverified | #red: activate");
    assert_eq!(does("click", "Small", ""), "delivered_unverified | #small: activate");
    // Where a click only chooses, there is nothing to send.
    assert_eq!(does("click", "Plain", ""), "not_delivered | ");
    assert_eq!(does("click", "Apple", ""), "not_delivered | ");
    assert_eq!(does("select", "Fruit", "Apple"), "not_delivered | ");
    assert_eq!(does("select", "Fruit", "Pear"), "delivered_verified | #pear: choose");
    // A change is a change, whatever was so before.
    stage.desktop.react("red", vec![Edit::Rename { target: "red".into(), name: "Rot".into() }]);
    assert_eq!(outcome(&mut stage, "click", "Red", ""), "delivered_verified | #red: activate");
}

/// An item is no list; the refusal says where the list is, if it can be chosen from.
#[test]
fn a_selection_that_is_aimed_at_an_item_is_told_the_list() {
    const CELLS: &str = r#"
        app files
          window "Files" focused
            table "Folder" [Select]
              row
                cell "one.txt"
                  statictext "one.txt"
            list
              option "Bare"
            button "Go" [Click]
    "#;
    let advice = |find: &str, snapshot: bool| {
        let mut stage = Stage::new(CELLS);
        if snapshot {
            stage.answer("snapshot");
            return stage.answer("select @s1:e2 one.txt")["error"]["suggestion"].take();
        }
        stage.answer(find);
        stage.answer("select @s1:e1 x")["error"]["suggestion"].take()
    };
    let text = |value: serde_json::Value| value.as_str().unwrap().to_owned();
    assert!(
        text(advice("", true)).ends_with("table \"Folder\" around it (`select '@s1:e1' TEXT`).")
    );
    for find in ["find --role cell --first", "find --role statictext --first"] {
        let said = text(advice(find, false));
        assert!(said.contains("`find --role table --first` gives its ref"), "{said}");
    }
    for find in ["find --role option --first", "find --role button --first"] {
        let said = text(advice(find, false));
        assert!(!said.contains("aimed at"), "{said}");
    }
}

#[test]
fn each_action_is_sent_once_and_held_against_its_promise() {
    let mut stage = stage();
    let mut does = |command, name, rest| outcome(&mut stage, command, name, rest);
    assert_eq!(does("click", "Wrap", ""), "delivered_verified | #wrap: activate");
    assert_eq!(does("click", "Blue", ""), "delivered_verified | #blue: activate");
    assert_eq!(
        does("type", "Name", "' Lee'"),
        "delivered_verified | #name: replace 3..3 by \" Lee\""
    );
    assert_eq!(does("set-value", "Name", "-5"), "delivered_verified | #name: set text \"-5\"");
    assert_eq!(
        does("set-value", "Name", "--stdin"),
        "delivered_verified | #name: set text \"from standard input\""
    );
    assert_eq!(does("clear", "Name", ""), "delivered_verified | #name: set text \"\"");
    assert_eq!(
        does("set-value", "Volume", "42.5"),
        "delivered_verified | #volume: set number 42.5"
    );
    assert_eq!(does("select", "Size", "LARGE"), "delivered_verified | #size: choose child 1");
    assert_eq!(does("expand", "More", ""), "delivered_verified | #more: expand");
    assert_eq!(does("collapse", "More", ""), "delivered_verified | #more: collapse");
    assert_eq!(does("collapse", "More", ""), "not_delivered | ");
    assert_eq!(does("click", "Second", ""), "delivered_verified | #second: choose");
    // A password is written and never read, so nothing can be verified.
    assert_eq!(
        does("type", "Password", "hush"),
        "delivered_unverified | #password: append \"hush\""
    );
    assert_eq!(
        does("set-value", "Password", "hush"),
        "delivered_unverified | #password: set text \"hush\""
    );
    // A button promises nothing of itself.
    assert_eq!(does("click", "Delete", ""), "delivered_unverified | #delete: activate");
}

#[test]
fn a_button_is_verified_by_what_it_opens_or_changes_of_itself() {
    let mut stage = stage();
    stage
        .desktop
        .react("delete", vec![Edit::Rename { target: "delete".into(), name: "Restore".into() }]);
    assert_eq!(
        outcome(&mut stage, "click", "Delete", ""),
        "delivered_verified | #delete: activate"
    );
    let mut stage = self::stage();
    stage.desktop.react("delete", vec![Edit::Remove { target: "delete".into() }]);
    assert_eq!(
        outcome(&mut stage, "click", "Delete", ""),
        "delivered_verified | #delete: activate"
    );
    let mut stage = self::stage();
    let target = "status".to_owned();
    stage.desktop.react("delete", vec![Edit::Rename { target, name: "Deleted".into() }]);
    let reference = find(&mut stage, "Delete");
    stage.check(&format!("click {reference}"), expect![[r#"
        action: "click"
        details: {"auto_wait":{"lease_contention_count":0,"lease_hold_ms":0,"read_only_preflight_attempts":1,"read_only_resolve_attempts":1},"observed_change":true}
        disposition: {"delivery":"delivered_unverified","retry":"unsafe"}
        post_state: {"enabled":true,"hidden":false,"offscreen":false,"role":"button","states":[]}
        ref: "@s2:e1"
        steps:
          {"label":"activate","mechanism":"semantic_api","outcome":"succeeded","verified":false}
        surfaces:
          {"id":"w-1.1-1","title":"Form","type":"window"}
    "#]]);
}

#[test]
fn what_cannot_be_done_is_refused_with_nothing_sent() {
    let mut stage = stage();
    let mut does = |command, name, rest| outcome(&mut stage, command, name, rest);
    let none = "not_delivered | ";
    assert_eq!(
        does("type", "Code", "y"),
        format!("ACTION_NOT_SUPPORTED actionability_blocked {none}")
    );
    assert_eq!(
        does("toggle", "Name", ""),
        format!("ACTION_NOT_SUPPORTED capability_missing {none}")
    );
    assert_eq!(does("focus", "Name", ""), format!("POLICY_DENIED actionability_blocked {none}"));
    assert_eq!(
        does("double-click", "Delete", ""),
        format!("POLICY_DENIED actionability_blocked {none}")
    );
    assert_eq!(
        does("set-value", "Volume", "101"),
        format!("INVALID_ARGS value_out_of_range {none}")
    );
    assert_eq!(does("set-value", "Volume", "loud"), format!("INVALID_ARGS - {none}"));
    assert_eq!(does("set-value", "Volume", "NaN"), format!("INVALID_ARGS - {none}"));
    assert_eq!(
        does("select", "Size", "Huge"),
        format!("ELEMENT_NOT_FOUND select_menu_item_not_found {none}")
    );
    assert_eq!(
        does("click", "Save", "--timeout-ms 50"),
        format!("ACTION_FAILED actionability_timeout {none}")
    );
    stage.check(
        "select @s1:e10 Huge",
        expect![[r#"
        error: ELEMENT_NOT_FOUND not_delivered/safe
        details: {"kind":"select_menu_item_not_found","options":["Small","Large"],"wanted":"Huge"}
    "#]],
    );
    stage.check("toggle @s1:e4", expect![[r#"
        error: ACTION_NOT_SUPPORTED not_delivered/safe
        details: {"available_actions":["SetValue","TypeText","SetFocus"],"kind":"capability_missing","needs":["Toggle"]}
    "#]]);
}

#[test]
fn what_gets_ready_in_time_is_acted_on() {
    let mut stage = stage();
    let reference = find(&mut stage, "Save");
    let target = "save".to_owned();
    let enabled =
        Edit::SetState { target, state: agent_desktop_model::state::State::Disabled, on: false };
    stage.desktop.take_calls();
    stage.desktop.apply_after(8, enabled);
    let answer = stage.answer(&format!("click {reference}"));
    assert_eq!(answer["data"]["disposition"]["delivery"], "delivered_unverified", "{answer}");
    assert!(
        answer["data"]["details"]["auto_wait"]["read_only_preflight_attempts"].as_u64() > Some(1)
    );
}

#[test]
fn an_application_that_lies_is_found_out_and_never_asked_twice() {
    // A click promises nothing of itself, so that nothing contradicts it.
    for manner in [Manner::Idle, Manner::Restless, Manner::Late(usize::MAX)] {
        let mut stage = stage();
        stage.desktop.behave(manner.clone());
        let said = outcome(&mut stage, "click", "Delete", "");
        assert_eq!(said, "delivered_unverified | #delete: activate", "{manner:?}");
    }
    let lied = |manner: Manner, command: &str, name: &str, rest: &str| {
        let mut stage = stage();
        stage.desktop.behave(manner);
        outcome(&mut stage, command, name, rest)
    };
    let set = ("set-value", "Name", "Bo");
    let wrong = "ACTION_FAILED post_action_verification delivered_unverified";
    let text = "#name: set text \"Bo\"";
    assert_eq!(lied(Manner::Idle, set.0, set.1, set.2), format!("{wrong} | {text}"));
    assert_eq!(lied(Manner::Wrong, set.0, set.1, set.2), format!("{wrong} | {text}"));
    assert_eq!(lied(Manner::Late(3), set.0, set.1, set.2), format!("delivered_verified | {text}"));
    assert_eq!(
        lied(Manner::Unwilling, set.0, set.1, set.2),
        format!("ACTION_FAILED post_action_verification delivery_uncertain | {text}")
    );
    assert_eq!(
        lied(Manner::Relaying, set.0, set.1, set.2),
        format!("delivered_unverified | {text}"),
        "it may still come"
    );
    let uncertain = "TIMEOUT chain_deadline delivery_uncertain";
    assert_eq!(
        lied(Manner::Mute, set.0, set.1, "Bo --timeout-ms 80"),
        format!("{uncertain} | {text}")
    );
    assert_eq!(
        lied(Manner::Dying, set.0, set.1, "Bo --timeout-ms 80"),
        format!("{uncertain} | {text}")
    );
    assert_eq!(lied(Manner::Late(usize::MAX), set.0, set.1, set.2), format!("{wrong} | {text}"));
    assert_eq!(lied(Manner::Restless, set.0, set.1, set.2), format!("{wrong} | {text}"));
    assert_eq!(
        lied(Manner::Taciturn, set.0, set.1, set.2),
        format!("delivered_verified | {text}"),
        "what it does says enough"
    );
    let ended = "APP_NOT_FOUND chain_deadline delivery_uncertain";
    assert_eq!(lied(Manner::Ending, set.0, set.1, set.2), format!("{ended} | {text}"));
    assert_eq!(lied(Manner::Ending, "click", "Delete", ""), format!("{ended} | #delete: activate"));
    assert_eq!(lied(Manner::Idle, "check", "Wrap", ""), format!("{wrong} | #wrap: activate"));
    assert_eq!(lied(Manner::Wrong, "check", "Wrap", ""), format!("{wrong} | #wrap: activate"));
    assert_eq!(lied(Manner::Idle, "expand", "More", ""), format!("{wrong} | #more: expand"));
    assert_eq!(
        lied(Manner::Idle, "select", "Size", "Large"),
        format!("{wrong} | #size: choose child 1")
    );
}

#[test]
fn an_element_that_became_another_as_the_request_arrived_is_told() {
    let asked = {
        let mut stage = stage();
        let reference = find(&mut stage, "Delete");
        stage.desktop.take_calls();
        stage.answer(&format!("click {reference}"));
        let calls = stage.desktop.take_calls();
        calls.observe + calls.read + calls.fill + calls.probe + calls.listing
    };
    let renamed = Edit::Rename { target: "delete".into(), name: "Delete all".into() };
    let told = (1..asked).rev().find(|calls| {
        let mut stage = stage();
        let reference = find(&mut stage, "Delete");
        stage.desktop.take_calls();
        stage.desktop.apply_after(*calls, renamed.clone());
        let answer = stage.answer(&format!("click {reference}"));
        answer["error"]["details"]["kind"] == "identity_changed"
    });
    assert!(told.is_some(), "there is no moment in which it is told");
}

#[test]
fn an_element_that_is_overtaken_before_it_acts_is_told() {
    let scene = r#"
        app errands
          window "Errands" focused
            statictext "3 errands" #count
            list
              row
                statictext "Rent" #name
                button "Delete" [Click] #delete
              row
                statictext "Food" #other
                button "Delete" [Click]
        "#;
    let clicked = |target: &str| {
        let mut stage = Stage::new(scene);
        stage.answer("snapshot");
        let (target, name) = (target.into(), "Fuel".into());
        stage.desktop.behave(Manner::Overtaken(vec![Edit::Rename { target, name }]));
        stage.answer("click @s1:e1")
    };
    for target in ["name", "delete"] {
        let answer = clicked(target);
        assert_eq!(answer["error"]["details"]["kind"], "identity_changed", "{target}: {answer}");
        assert_eq!(answer["error"]["disposition"]["delivery"], "delivery_uncertain", "{answer}");
    }
    for target in ["count", "other"] {
        let answer = clicked(target);
        assert_eq!(answer["ok"], true, "{target}: {answer}");
    }
}

#[test]
fn what_stays_selected_beside_the_choice_is_told() {
    let scene = r#"
        app files
          window "Files" focused
            listbox "Names" [Select]
              option "Rent" selected [Select] #rent
              option selected [Select] #food
                statictext "Food"
              option "Fuel" [Select] #fuel
        "#;
    for (command, of) in [("select {} Fuel", "@s1:e1"), ("click {}", "@s1:e4")] {
        let also = |edits: Vec<Edit>| {
            let mut stage = Stage::new(scene);
            stage.answer("snapshot");
            stage.desktop.react("fuel", edits);
            let answer = stage.answer(&command.replace("{}", of));
            let delivery = answer["data"]["disposition"]["delivery"].clone();
            assert_eq!(delivery, "delivered_verified", "{command}: {answer}");
            answer["data"]["details"]["also_selected"].clone()
        };
        let unselect = |target: &str| {
            let (target, state) = (target.into(), State::Selected);
            Edit::SetState { target, state, on: false }
        };
        assert_eq!(also(Vec::new()), serde_json::json!(["Rent", "Food"]), "{command}");
        assert_eq!(also(vec![unselect("rent")]), serde_json::json!(["Food"]), "{command}");
        assert!(also(vec![unselect("rent"), unselect("food")]).is_null(), "{command}");
    }
}

#[test]
fn a_row_that_was_chosen_in_the_place_of_another_is_told() {
    let mut stage = Stage::new(
        r#"
        app budget
          window "Budget" focused
            listbox "Rows" [Select]
              option "Rent" [Select] #rent
              option "Fuel" [Select] #fuel
    "#,
    );
    stage.answer("snapshot");
    let chosen = Edit::SetState { target: "rent".into(), state: State::Selected, on: true };
    stage.desktop.react("fuel", vec![Edit::Remove { target: "fuel".into() }, chosen]);
    let answer = stage.answer("select @s1:e1 Fuel");
    assert_eq!(answer["error"]["details"]["kind"], "identity_changed", "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("\"Rent\" was chosen"));
}

#[test]
fn what_is_asked_beside_a_page_keeps_everybody_from_it() {
    let mut stage = Stage::new(
        r#"
        app browser
          window "Shop" focused
            button "Reload" [Click] #reload
            webarea "Shop"
              button "Buy" [Click] #buy
            group
              sheet "The page says:" hidden #asked
                statictext "Delete everything?"
                button "OK" [Click] #ok
        "#,
    );
    stage.answer("snapshot");
    let mut click = |button: &str, is_asked: bool| {
        let (target, state, on) = ("asked".into(), State::Hidden, !is_asked);
        stage.desktop.apply(&Edit::SetState { target, state, on }).unwrap();
        let found = stage.answer(&format!("find --role button --name {button} --first"));
        let reference = found["data"]["match"]["ref_id"].as_str().unwrap().to_owned();
        stage.answer(&format!("click {reference} --timeout-ms 100"))
    };
    for (button, is_asked) in [("Buy", false), ("Reload", true), ("OK", true)] {
        assert_eq!(click(button, is_asked)["ok"], true, "{button}");
    }
    let refused = click("Buy", true);
    assert_eq!(refused["error"]["disposition"]["delivery"], "not_delivered", "{refused}");
    let checks = refused["error"]["details"]["checks"].as_array().unwrap();
    let covered = checks.iter().find(|check| check["check"] == "receives_events").unwrap();
    assert_eq!(covered["occluder"]["name"], "The page says: Delete everything?", "{covered}");
}

#[test]
fn windows_that_have_exchanged_their_documents_are_told_apart() {
    let mut stage = Stage::new(
        r#"
        app editor
          window "one.txt" focused #first
            button "Save" [Click] #save lasting
          window "two.txt" #second
            button "Save" [Click] lasting
        "#,
    );
    stage.answer("snapshot");
    let mut retitled = |first: &str, second: &str| {
        for (target, name) in [("first", first), ("second", second)] {
            let edit = Edit::Rename { target: target.into(), name: name.into() };
            stage.desktop.apply(&edit).unwrap();
        }
        let answer = stage.answer("click @s1:e1");
        answer["error"]["details"]["kind"].as_str().unwrap_or("ok").to_owned()
    };
    assert_eq!(retitled("one.txt", "two.txt"), "ok");
    assert_eq!(retitled("*one.txt", "two.txt"), "ok");
    assert_eq!(retitled("two.txt", "three.txt"), "ok", "it is another name for the same");
    assert_eq!(retitled("two.txt", "one.txt"), "context_changed");
    assert_eq!(retitled("one.txt", "two.txt"), "ok");
}

/// Buttons that are alike in every row: a snapshot says which is whose, and each can be clicked.
#[test]
fn a_button_of_a_row_is_told_by_its_row_and_reached() {
    let mut stage = Stage::new(
        r#"
        app errands
          window "Errands" focused
            list
              row
                statictext "Rent"
                button "Delete" [Click] #rent
              row
                statictext "Food"
                button "Delete" [Click] #food
        "#,
    );
    stage.check(
        "snapshot -i",
        expect![[r#"
        app: "errands"
        complete: true
        ref_count: 2
        snapshot_id: "s1"
        window "Errands"
          list
            row
              button "Delete" e1 [Click] within="Rent"
            row
              button "Delete" e2 [Click] within="Food"
        window: {"id":"w-1.1-1","title":"Errands"}
    "#]],
    );
    stage.desktop.react("food", vec![Edit::Remove { target: "food".into() }]);
    let answer = stage.answer("click @s1:e2");
    assert_eq!(answer["data"]["disposition"]["delivery"], "delivered_verified", "{answer}");
    assert_eq!(stage.desktop.received()[0].by.as_str(), "food");
}
