//! Roles, names, values, states and places are those of the page.

use std::collections::BTreeMap;

use desktop_tests::{
    Desktop, tree,
    web::{Browser, Kind, Server},
};
use serde_json::Value;

use super::{has, page, snapshot};

/// What the page's own document says of each element with an id that we report, in the words of
/// HTML and ARIA. Written from their specifications.
const FACTS: &str = r#"(() => {
  const role = e => {
    const tag = e.tagName.toLowerCase(), type = e.type, written = e.getAttribute("role");
    const aria = {img: "image", textbox: "textfield", tree: "outline", gridcell: "cell"};
    if (written) return aria[written] || written;
    if (e.isContentEditable && e.hasAttribute("contenteditable")) return "textfield";
    if (tag === "input") return {
      checkbox: "checkbox", radio: "radiobutton", range: "slider", number: "incrementor",
      date: "datefield", time: "timefield", color: "button", file: "button"
    }[type] || (e.list ? "combobox" : "textfield");
    if (tag === "select") return e.multiple ? "listbox" : "combobox";
    if (tag === "option") return e.closest("select").multiple ? "option" : "menuitem";
    if (tag === "td" && e.closest("[role=grid]")) return "cell";
    return {
      a: "link", button: "button", summary: "button", textarea: "textfield", header: "banner",
      footer: "contentinfo", nav: "navigation", main: "main", aside: "complementary",
      form: "form", section: "region", fieldset: "group", table: "table"
    }[tag];
  };
  const name = e => {
    if (e.ariaLabel) return e.ariaLabel;
    if (e.labels && e.labels.length) {
      const label = e.labels[0].cloneNode(true);
      label.querySelectorAll("input").forEach(one => one.remove());
      return label.textContent.trim();
    }
    const own = ["a", "button", "summary", "option"].includes(e.tagName.toLowerCase());
    const contents = ["option", "tab", "checkbox", "switch", "menuitem"];
    return own || contents.includes(e.getAttribute("role")) ? e.textContent.trim() : null;
  };
  const value = e => {
    if (e.type === "password" || ["color", "file", "date", "time"].includes(e.type)) return null;
    if (e.tagName === "SELECT") return e.multiple ? null : e.selectedOptions[0].textContent;
    const typed = ["INPUT", "TEXTAREA"].includes(e.tagName);
    return typed && !["checkbox", "radio"].includes(e.type) ? e.value : null;
  };
  const is = (e, attribute) => e.getAttribute(attribute) === "true";
  const states = e => ({
    checked: e.checked === true || is(e, "aria-checked"),
    indeterminate: e.indeterminate === true || e.getAttribute("aria-checked") === "mixed",
    disabled: e.disabled === true,
    readonly: e.readOnly === true,
    required: e.required === true,
    invalid: is(e, "aria-invalid"),
    busy: is(e, "aria-busy"),
    expanded: is(e, "aria-expanded") || (e.tagName === "SUMMARY" && e.parentNode.open),
    selected: e.selected === true || is(e, "aria-selected"),
    secure: e.type === "password",
    multiselectable: e.multiple === true && e.tagName === "SELECT",
    focused: e === document.activeElement,
  });
  const pressed = e => e.hasAttribute("aria-pressed") ? is(e, "aria-pressed") : null;
  const offscreen = e => {
    const at = e.getBoundingClientRect();
    let seen = {top: 0, left: 0, bottom: innerHeight, right: innerWidth};
    for (let around = e.closest(".scroller"); around; around = around.parentElement.closest(".scroller")) {
      if (around === e) continue;
      const {top, left, bottom, right} = around.getBoundingClientRect();
      seen = {top: Math.max(seen.top, top), left: Math.max(seen.left, left),
              bottom: Math.min(seen.bottom, bottom), right: Math.min(seen.right, right)};
    }
    return at.bottom <= seen.top || at.top >= seen.bottom || at.right <= seen.left || at.left >= seen.right;
  };
  return [...document.querySelectorAll("[id]")].map(e => ({
    id: e.id, role: role(e), name: name(e), value: value(e), states: states(e),
    pressed: pressed(e), offscreen: offscreen(e), listed: e.tagName !== "OPTION",
  }));
})()"#;

/// Where these differ from the page, it is because the browser does.
fn is_told_otherwise(kind: Kind, id: &str, what: &str) -> bool {
    matches!(
        (kind, id, what),
        // The bullets of these list items are part of their names.
        (Kind::Firefox, "opt-rome" | "opt-oslo" | "leaf-open" | "leaf-in" | "leaf-shut", "name")
        // A form and a fieldset with something invalid in them are invalid.
        | (Kind::Firefox, "form" | "fieldset", "invalid")
        // A button that is pressed is on.
        | (_, "pressed", "checked")
        // Its name tells which file is chosen.
        | (_, "file", "name")
    )
}

fn tell_the_truth(kind: Kind) {
    let desktop = Desktop::start();
    let server = Server::start();
    // Started as anybody starts it: the first snapshot is the first thing that reads it.
    let mut browser = Browser::start(&desktop, kind, &[], &server.url("rich.html"));
    let first = snapshot(&desktop, &browser);
    let facts = browser.evaluate(FACTS);
    let again = snapshot(&desktop, &browser);
    assert_eq!(
        tree::all(page(&first, "Rich page")).map(looks).collect::<Vec<_>>(),
        tree::all(page(&again, "Rich page")).map(looks).collect::<Vec<_>>(),
        "the first reader is told less than the second"
    );
    compare(kind, &first, &facts);
    everything_is_there(kind, page(&first, "Rich page"));
    the_password_is_not(&first);

    // What scrolls inside the page hides what it holds.
    browser.evaluate("void document.getElementById('scroller').scrollIntoView()");
    browser.app.settle();
    let scrolled = snapshot(&desktop, &browser);
    let by_id = by_id(page(&scrolled, "Rich page"));
    assert!(!has(by_id["scroller"], "offscreen"), "{}", by_id["scroller"]);
    assert!(has(by_id["deep"], "offscreen"), "{}", by_id["deep"]);
    assert!(has(by_id["scrolled-out"], "offscreen"), "{}", by_id["scrolled-out"]);
    assert!(has(by_id["text"], "offscreen"), "{}", by_id["text"]);
    compare(kind, &scrolled, &browser.evaluate(FACTS));

    let window = browser.app.window_id();
    let found =
        desktop.run(&["find", "--window-id", &window, "--native-id", "scroller", "--first"]);
    let scroller = found.data()["match"]["ref_id"].as_str().unwrap().to_owned();
    let deep =
        desktop.run(&["find", "--root", &scroller, "--name", "Deep inside", "--first"]).data();
    let deep = deep["match"]["ref_id"].as_str().unwrap();
    assert_eq!(desktop.run(&["get", deep, "--property", "role"]).data()["value"], "button");
    assert_eq!(desktop.run(&["is", deep, "--property", "visible"]).data()["result"], false);
}

#[test]
fn chromium_tells_the_truth() {
    tell_the_truth(Kind::Chromium);
}

#[test]
fn firefox_tells_the_truth() {
    tell_the_truth(Kind::Firefox);
}

#[track_caller]
fn compare(kind: Kind, snapshot: &Value, facts: &Value) {
    let ours = by_id(page(snapshot, "Rich page"));
    let mut wrong = Vec::new();
    let mut compared = 0;
    for fact in facts.as_array().unwrap() {
        let id = fact["id"].as_str().unwrap();
        let Some(node) = ours.get(id) else { continue };
        let mut check = |what: &str, ours: &Value, truth: &Value| {
            if ours != truth && !is_told_otherwise(kind, id, what) {
                wrong.push(format!("{what} of #{id}: {ours}, in truth {truth}"));
            }
        };
        if fact["role"].is_string() {
            compared += 1;
            check("role", &node["role"], &fact["role"]);
        }
        if fact["name"].is_string() {
            let name = node["name"].as_str().unwrap_or_default().trim();
            check("name", &name.into(), &fact["name"]);
        }
        // An empty value is not printed.
        if fact["value"].as_str().is_some_and(|value| !value.is_empty()) {
            check("value", &node["value"], &fact["value"]);
        }
        for (state, truth) in fact["states"].as_object().unwrap() {
            check(state, &has(node, state).into(), truth);
        }
        if fact["pressed"].is_boolean() {
            check("pressed", &has(node, "pressed").into(), &fact["pressed"]);
        }
        check("offscreen", &has(node, "offscreen").into(), &fact["offscreen"]);
    }
    assert!(wrong.is_empty(), "{kind:?}: {wrong:#?}");
    assert!(compared >= 50, "{kind:?}: only {compared} elements were compared");
}

/// Elements of the page that have an id, those in frames left out: they have ids of their own.
fn by_id(page: &Value) -> BTreeMap<&str, &Value> {
    let mut found = BTreeMap::new();
    let mut open = vec![page];
    while let Some(node) = open.pop() {
        if let Some(id) = node["native_id"]["value"].as_str() {
            found.insert(id, node);
        }
        let children = node["children"].as_array().into_iter().flatten();
        open.extend(children.filter(|child| child["role"] != "webarea"));
    }
    found
}

/// What need not have an id to be found, and what must not be there at all.
#[track_caller]
fn everything_is_there(kind: Kind, page: &Value) {
    let there = |role: &str, name: &str| {
        tree::all(page).any(|node| {
            let says = |field: &str| node[field].as_str().is_some_and(|text| text.trim() == name);
            node["role"] == role && (says("name") || says("value"))
        })
    };
    for (role, name) in [
        ("heading", "Rich page"),
        ("heading", "Third level"),
        ("progressbar", "Copying"),
        ("levelindicator", "Fuel"),
        ("option", "Green"),
        ("tablist", "Views"),
        ("column", "City"),
        ("cell", "Cake"),
        ("button", "Buy"),
        ("link", "link"),
        ("term", "HTML"),
        ("button", "In the shadow"),
        ("button", "Fallback"),
        ("image", "Chart"),
        ("image", "Red square"),
        ("toolbar", "Tools"),
        ("article", "Story"),
        ("button", "Inside the frame"),
        ("slider", "Heat"),
    ] {
        assert!(there(role, name), "{kind:?}: no {role} {name}: {page:#}");
    }
    let says = |text: &str| {
        tree::all(page).any(|node| {
            ["name", "value"]
                .iter()
                .any(|field| node[*field].as_str().is_some_and(|said| said.contains(text)))
        })
    };
    for text in [
        "Sum 12",
        "Panel text",
        "Inside the open one",
        "Nothing yet",
        "Mind the gap",
        "Line 1",
        "00:10",
        "Quoted",
        "שלום",
        "مرحبا",
        "A paragraph of an article.",
        "Plain editor",
        "The end",
        "Long text of many words",
    ] {
        assert!(says(text), "{kind:?}: nothing says {text}: {page:#}");
    }
    for text in
        ["Not for readers", "Not displayed", "Not visible", "Inside the shut one", "\u{FFFC}"]
    {
        assert!(!says(text), "{kind:?}: something says {text}: {page:#}");
    }
}

#[track_caller]
fn the_password_is_not(snapshot: &Value) {
    let text = snapshot.to_string();
    assert!(
        !text.contains("correct horse") && !text.contains('●') && !text.contains("••"),
        "{text}"
    );
}

/// What must not depend on who reads first.
fn looks(node: &Value) -> String {
    let fields =
        ["role", "name", "value", "description", "native_id", "states", "available_actions"];
    fields.map(|field| node[field].to_string()).join(" ")
}
