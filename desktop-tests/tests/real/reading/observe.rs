//! The loop of an agent on real applications: overview, drill, find, ask.

use std::time::Duration;

use desktop_tests::{Desktop, tree, wait};
use serde_json::Value;

#[test]
fn an_agent_finds_its_way_through_gnome_calculator() {
    let desktop = Desktop::start();
    let _calculator = desktop.launch("gnome-calculator", &[]);
    let skeleton = walk_the_loop(&desktop, "gnome-calculator", "button");

    let cut = tree::all(&skeleton["tree"])
        .filter(|node| node["children_count"].is_u64() && node["ref_id"].is_string())
        .count();
    assert!(cut >= 3, "{cut} cut containers with refs in {skeleton:#}");
    let full = desktop.run(&["snapshot", "--app", "gnome-calculator", "--max-depth", "50"]).data();
    assert_eq!(full["complete"], true);
    let (few, all) = (tree::count(&skeleton["tree"]), tree::count(&full["tree"]));
    assert!(few * 2 <= all, "the skeleton has {few} nodes, the full tree {all}");

    let seven = desktop.run(&[
        "find",
        "--app",
        "gnome-calculator",
        "--role",
        "button",
        "--name",
        "7",
        "--exact",
        "--first",
    ]);
    let seven = &seven.data()["match"];
    assert_eq!(seven["name"], "7");
    assert_eq!(seven["path"][0], "window");
    let reference = seven["ref_id"].as_str().unwrap();
    let text = desktop.run(&["get", reference]).data();
    assert_eq!(text["value"], "7");
    let enabled = desktop.run(&["is", reference, "--property", "enabled"]).data();
    assert_eq!((&enabled["result"], &enabled["applicable"]), (&true.into(), &true.into()));
}

#[test]
fn an_agent_finds_its_way_through_gtk3_widget_factory() {
    let desktop = Desktop::start();
    let _factory = desktop.launch("gtk3-widget-factory", &[]);
    walk_the_loop(&desktop, "gtk3-widget-factory", "checkbox");

    let checked = desktop.run(&[
        "find",
        "--app",
        "gtk3-widget-factory",
        "--role",
        "checkbox",
        "--state",
        "checked",
        "--state",
        "disabled=false",
        "--limit",
        "0",
    ]);
    let checked = checked.data();
    // Of its six check boxes, one is on and can be switched.
    assert_eq!(checked["total_matches"], 1, "{checked:#}");
    let states = checked["matches"][0]["states"].as_array().unwrap();
    assert!(states.contains(&"checked".into()) && !states.contains(&"disabled".into()));
}

#[test]
fn bounds_are_those_of_the_screen() {
    let desktop = Desktop::start();
    let factory = desktop.launch("gtk3-widget-factory", &[]);
    let ours = bounds_of(&desktop, "gtk3-widget-factory", "Page 2");
    let theirs = desktop.independent_tree(&factory);
    let theirs = theirs.find(|node| node.name == "Page 2").and_then(|node| node.bounds).unwrap();
    assert_eq!(ours, theirs);
    drop(factory);

    // GTK 4.8 tells places in the window only. What is drawn there is asked of nobody: a click
    // where ours says the 7 is has to arrive at the 7.
    let _calculator = desktop.launch("gnome-calculator", &[]);
    let [left, top, width, height] = bounds_of(&desktop, "gnome-calculator", "7");
    let (x, y) = ((left + width / 2).to_string(), (top + height / 2).to_string());
    let click = desktop
        .command("xdotool")
        .args(["mousemove", &x, &y, "click", "1"])
        .status()
        .expect("xdotool runs");
    assert!(click.success());
    wait::until("a 7 on the display", Duration::from_secs(10), || {
        let display = desktop
            .run(&["find", "--app", "gnome-calculator", "--role", "textfield", "--first"])
            .data();
        match display["match"]["value"].as_str() {
            Some("7") => Ok(()),
            other => Err(format!("{other:?}")),
        }
    });
}

fn bounds_of(desktop: &Desktop, app: &str, name: &str) -> [i32; 4] {
    let data =
        desktop.run(&["snapshot", "--app", app, "--max-depth", "50", "--include-bounds"]).data();
    let node = tree::all(&data["tree"]).find(|node| node["name"] == name).expect("an element");
    ["x", "y", "width", "height"].map(|side| {
        let side = node["bounds"][side].as_f64().unwrap_or_else(|| panic!("no bounds: {node}"));
        side as i32
    })
}

/// Skeleton, then every drill, then what a drill printed is found and asked by its ref. Returns
/// the skeleton.
fn walk_the_loop(desktop: &Desktop, app: &str, role: &str) -> Value {
    let skeleton = desktop.run(&["snapshot", "--app", app, "--skeleton"]).data();
    assert_eq!(skeleton["app"], app);
    assert_eq!(skeleton["complete"], true);
    let mut drilled = Vec::new();
    for container in tree::all(&skeleton["tree"]) {
        if container["children_count"].as_u64().is_none_or(|count| count == 0) {
            continue;
        }
        assert!(container["children"].is_null(), "cut and yet with children: {container}");
        let Some(reference) = container["ref_id"].as_str() else { continue };
        let region = desktop.run(&["snapshot", "--root", reference]).data();
        assert_eq!(region["snapshot_id"], skeleton["snapshot_id"], "a drill keeps the snapshot");
        assert_eq!(region["tree"]["role"], container["role"]);
        drilled.extend(tree::all(&region["tree"]).cloned());
    }
    let printed = drilled.iter().find(|node| node["role"] == role && node["ref_id"].is_string());
    let printed = printed.unwrap_or_else(|| panic!("no drill shows a {role}"));
    let reference = printed["ref_id"].as_str().unwrap();
    let role_again = desktop.run(&["get", reference, "--property", "role"]);
    assert_eq!(role_again.data()["value"], role);

    let first = desktop.run(&["find", "--app", app, "--role", role, "--first"]).data();
    let reference = first["match"]["ref_id"].as_str().unwrap();
    let states = desktop.run(&["get", reference, "--property", "states"]).data();
    assert_eq!(states["value"], first["match"]["states"]);
    let visible = desktop.run(&["is", reference]).data();
    assert_eq!(visible["property"], "visible");
    skeleton
}
