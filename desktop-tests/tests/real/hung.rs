//! Applications and deadlines that do not wait.

use std::{fs, time::Duration};

use desktop_tests::{Desktop, tree};

#[test]
fn a_stopped_application_is_marked_and_others_are_read() {
    let desktop = Desktop::start();
    let calculator = desktop.launch("gnome-calculator", &[]);
    let _factory = desktop.launch("gtk3-widget-factory", &[]);
    {
        let _stopped = calculator.process.stop();
        let listed = desktop.run(&["list-apps"]);
        let data = listed.on_time(Duration::from_secs(2)).data();
        let apps = data["apps"].as_array().unwrap();
        let app = |name: &str| apps.iter().find(|app| app["name"] == name);
        let stopped = app("gnome-calculator").unwrap_or_else(|| panic!("not listed: {listed}"));
        assert_eq!(stopped["responding"], false);
        assert_eq!(stopped["pid"], calculator.process.id());
        assert_eq!(app("gtk3-widget-factory").unwrap()["responding"], true);

        let other = desktop.run(&["snapshot", "--app", "gtk3-widget-factory"]);
        assert_eq!(other.on_time(Duration::from_secs(3)).data()["complete"], true);
        let windows = desktop.run(&["list-windows"]).on_time(Duration::from_secs(3)).data();
        let window = |name: &str| {
            windows.as_array().unwrap().iter().find(|window| window["app_name"] == name).unwrap()
        };
        assert_eq!(window("gtk3-widget-factory")["accessible"], true);
        assert_eq!(window("gnome-calculator")["accessible"], false);
        assert!(window("gnome-calculator")["reason"].is_string());
        let itself = desktop.run(&["snapshot", "--app", "gnome-calculator"]);
        itself.on_time(Duration::from_secs(3)).error("APP_UNRESPONSIVE");
    }
    let again = desktop.run(&["snapshot", "--app", "gnome-calculator"]).data();
    assert_eq!(again["complete"], true);
}

#[test]
fn one_millisecond_gives_a_part_of_a_window() {
    let desktop = Desktop::start();
    let _factory = desktop.launch("gtk3-widget-factory", &[]);
    let run = desktop.run(&["snapshot", "--app", "gtk3-widget-factory", "--timeout-ms", "1"]);
    let part = run.on_time(Duration::from_secs(1)).data();
    assert_eq!(part["complete"], false, "{run}");
    assert_eq!(part["truncated"], true, "{run}");
    assert!(
        part["nodes_observed"].as_u64().is_some_and(|count| (1..260).contains(&count)),
        "{run}"
    );
    assert_eq!(part["tree"]["subtree_truncated"], true, "{run}");
}

#[test]
fn one_millisecond_gives_no_drill_and_saves_nothing() {
    let desktop = Desktop::start();
    let _factory = desktop.launch("gtk3-widget-factory", &[]);
    let skeleton = desktop.run(&["snapshot", "--app", "gtk3-widget-factory", "--skeleton"]).data();
    let cut = tree::all(&skeleton["tree"])
        .find(|node| node["children_count"].is_u64() && node["ref_id"].is_string())
        .expect("something to drill into");
    let reference = cut["ref_id"].as_str().unwrap();
    let before = saved(&desktop);
    let drill = desktop.run(&["snapshot", "--root", reference, "--timeout-ms", "1"]);
    let error = drill.on_time(Duration::from_secs(1)).error("TIMEOUT");
    assert_eq!(error["details"]["timeout_ms"], 1, "{drill}");
    assert_eq!(saved(&desktop), before, "a drill that failed changed what is saved");
    assert_eq!(desktop.run(&["snapshot", "--root", reference]).data()["complete"], true);
}

/// Every file of the saved snapshots with its content.
fn saved(desktop: &Desktop) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut directories = vec![desktop.state_root().join("snapshots")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                files.push((path.display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "nothing is saved");
    files
}
