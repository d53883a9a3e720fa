//! Who may know whom. What stands here is the architecture; a new edge is a decision.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::process::Command;

use serde_json::Value;

/// Each crate and the crates of this workspace that it may depend on.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("agent-desktop-model", &[]),
    ("agent-desktop-engine", &["agent-desktop-model"]),
    ("agent-desktop-linux", &["agent-desktop-engine", "agent-desktop-model"]),
    ("agent-desktop-fake", &["agent-desktop-engine", "agent-desktop-model"]),
    ("agent-desktop", &["agent-desktop-engine", "agent-desktop-linux", "agent-desktop-model"]),
    ("desktop-tests", &[]),
    (
        "xtask",
        &[
            "agent-desktop",
            "agent-desktop-engine",
            "agent-desktop-linux",
            "agent-desktop-model",
            "desktop-tests",
        ],
    ),
];

/// What tests may know besides.
const TESTS_MAY_KNOW: &[(&str, &[&str])] = &[
    ("agent-desktop-engine", &["agent-desktop-fake"]),
    ("desktop-tests", &["agent-desktop-engine", "agent-desktop-linux", "agent-desktop-model"]),
];

#[test]
fn knowledge_flows_one_way() {
    let packages = workspace();
    assert_eq!(packages.len(), MAY_KNOW.len(), "a crate is missing in the table");
    let names: Vec<&str> = packages.iter().map(|package| text(package, "name")).collect();
    for package in &packages {
        let name = text(package, "name");
        for dependency in package["dependencies"].as_array().unwrap() {
            let known = text(dependency, "name");
            let for_tests = dependency["kind"] == "dev";
            let allowed =
                allows(MAY_KNOW, name, known) || (for_tests && allows(TESTS_MAY_KNOW, name, known));
            assert!(allowed || !names.contains(&known), "{name} must not know {known}");
        }
    }
}

#[test]
fn only_the_platform_knows_an_operating_system() {
    for room in ["model", "engine"] {
        let directory = format!("{}/../crates/{room}/src", env!("CARGO_MANIFEST_DIR"));
        let mut search = Command::new("grep");
        search.args(["-rnE", r"cfg\(.*(target_os|unix|windows)"]).arg(directory);
        let output = search.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "in {room}");
    }
}

fn allows(table: &[(&str, &[&str])], name: &str, known: &str) -> bool {
    table.iter().any(|(crate_name, may)| *crate_name == name && may.contains(&known))
}

fn workspace() -> Vec<Value> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap()
}
