//! Applications and deadlines that do not wait.

use std::{fs, time::Duration};

use desktop_tests::{Desktop, tree, wait};

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
fn a_stopped_application_is_known_by_the_names_that_others_have_for_it() {
    let desktop = Desktop::start();
    // One is known to the session bus, one by the class of its window; neither has the name of
    // its process.
    let peer = desktop.peer(&["--name", "org.example.Peer", "--owns", "org.example.Peer"]);
    let dialog = desktop.launch("zenity", &["--info", "--text=Hello", "--name=Otherwise"]);
    for (name, process) in [("org.example.peer", &peer.process), ("otherwise", &dialog.process)] {
        assert_eq!(desktop.run(&["snapshot", "--app", name]).data()["complete"], true);
        let _stopped = process.stop();
        for command in ["snapshot", "find", "list-surfaces"] {
            let run = desktop.run(&[command, "--app", name]);
            run.on_time(Duration::from_secs(2)).error("APP_UNRESPONSIVE");
        }
        let unknown = desktop.run(&["snapshot", "--app", "nothing like it"]);
        let error = unknown.on_time(Duration::from_secs(2)).error("APP_NOT_FOUND");
        let pid = format!("(pid {})", process.id());
        let silent = error["details"]["silent"].as_array().unwrap();
        assert!(silent.iter().any(|one| one.as_str().unwrap().contains(&pid)), "{error:#}");
        assert!(error["suggestion"].as_str().unwrap().contains(&pid), "{error:#}");
        let listed = desktop.run(&["list-apps", "--app", name]).data();
        assert_eq!(listed["apps"][0]["responding"], false, "{listed:#}");
    }
    let _stopped = dialog.process.stop();
    let windows = desktop.run(&["list-windows", "--app", "otherwise"]).data();
    assert_eq!(windows[0]["accessible"], false, "{windows:#}");
}

#[test]
fn every_command_says_the_same_of_a_stopped_application() {
    let desktop = Desktop::start();
    // A cache that is asked for as a whole, one that is asked for element by element, and none.
    for (program, app) in [("zenity", "zenity"), ("gtk4-widget-factory", "gtk4-widget-factory")] {
        let arguments = if program == "zenity" { &["--question", "--text=Sure?"][..] } else { &[] };
        let dialog = desktop.launch(program, arguments);
        let found = desktop.run(&["find", "--app", app, "--role", "button", "--first"]).data();
        let reference = found["match"]["ref_id"].as_str().unwrap();
        let _stopped = dialog.process.stop();
        let pid = dialog.process.id();
        let quick = ["--timeout-ms", "1200"];
        let waits = ["--timeout", "1200"];
        for command in [
            &["snapshot", "--app", app][..],
            &["list-surfaces", "--app", app],
            &[&["snapshot", "--root", reference][..], &quick].concat(),
            &[&["find", "--root", reference][..], &quick].concat(),
            &[&["get", reference][..], &quick].concat(),
            &[&["is", reference][..], &quick].concat(),
            &[&["click", reference][..], &quick].concat(),
            &[&["select", reference, "one"][..], &quick].concat(),
            &[&["scroll", reference][..], &quick].concat(),
            &[&["wait", "--element", reference][..], &waits].concat(),
            &[&["wait", "--text", "none", "--app", app][..], &waits].concat(),
            &[&["wait", "--menu", "--app", app][..], &waits].concat(),
        ] {
            let run = desktop.run(command);
            let error = &run.envelope()["error"];
            let waits = command[0] == "wait";
            assert_eq!(error["code"], if waits { "TIMEOUT" } else { "APP_UNRESPONSIVE" }, "{run}");
            let cause = format!(
                "{app:?} does not answer on the accessibility bus: its process (pid {pid})"
            );
            assert!(error["message"].as_str().unwrap().contains(&cause), "{run}");
            let remedy = format!("`kill -CONT {pid}`");
            assert!(error["suggestion"].as_str().unwrap().contains(&remedy), "{run}");
        }
    }
}

#[test]
fn a_display_server_that_is_stopped_or_dead_is_named_on_time() {
    let desktop = Desktop::start();
    let _peer = desktop.peer(&[]);
    let _dialog = desktop.launch("zenity", &["--info", "--text=Hello"]);
    {
        let _stopped = desktop.stop_server("Xvfb");
        for command in ["snapshot", "find", "list-surfaces", "list-windows", "list-displays"] {
            let run = desktop.run(&[command]);
            let error = run.on_time(Duration::from_secs(5)).error("PLATFORM_NOT_SUPPORTED");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains("X display") && message.contains("no answer"), "{run}");
        }
        // What needs no display server goes on.
        let apps = desktop.run(&["list-apps"]);
        let listed = apps.on_time(Duration::from_secs(2)).data();
        assert_eq!(listed["apps"].as_array().unwrap().len(), 2, "{apps}");
        let read = desktop.run(&["snapshot", "--app", "misbehaving-peer"]);
        assert_eq!(read.on_time(Duration::from_secs(3)).data()["complete"], true);
    }
    assert_eq!(desktop.run(&["snapshot", "--app", "zenity"]).data()["complete"], true);
    // As any session would be left by its dying server.
    let environment = |name: &str| {
        desktop.command("env").get_envs().find_map(|(key, value)| {
            (key == name).then(|| value.unwrap().to_str().unwrap().to_owned())
        })
    };
    let variables = ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS"].map(|name| environment(name).unwrap());
    desktop.kill_server("Xvfb");
    for command in ["snapshot", "list-windows", "list-displays"] {
        let mut command = desktop.agent_desktop(&[command]);
        command.env_remove("AGENT_DESKTOP_SANDBOX").env("DISPLAY", &variables[0]);
        let output = command.env("DBUS_SESSION_BUS_ADDRESS", &variables[1]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("PLATFORM_NOT_SUPPORTED") && text.contains("X display"), "{text}");
    }
}

#[test]
fn a_dead_accessibility_bus_is_named() {
    let desktop = Desktop::start();
    let dialog = desktop.launch("zenity", &["--info", "--text=Hello"]);
    let found = desktop.run(&["find", "--app", "zenity", "--role", "button", "--first"]).data();
    let reference = found["match"]["ref_id"].as_str().unwrap();
    desktop.kill_server("dbus-daemon --config-file");
    for command in [&["list-apps"][..], &["snapshot", "--app", "zenity"], &["get", reference]] {
        let error = wait::until("the launcher to notice", Duration::from_secs(10), || {
            let run = desktop.run(command);
            match run.envelope()["ok"].as_bool() {
                Some(false) => Ok(run.error("PLATFORM_NOT_SUPPORTED")),
                _ => Err(run.to_string()),
            }
        });
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("accessibility bus"), "{error:#}");
        let suggestion = error["suggestion"].as_str().unwrap();
        assert!(suggestion.contains("sandbox stop"), "{error:#}");
    }
    let listed = desktop.run(&["sandbox", "list"]).data();
    assert_eq!(listed["sandboxes"][0]["died"][0]["part"], "accessibility_bus", "{listed:#}");
    drop(dialog);
}

#[test]
fn a_bus_that_is_stopped_costs_the_deadline() {
    let desktop = Desktop::start();
    let _peer = desktop.peer(&[]);
    let found = desktop.run(&["find", "--app", "misbehaving-peer", "--first"]).data();
    let reference = found["match"]["ref_id"].as_str().unwrap();
    for bus in ["dbus-daemon --session", "dbus-daemon --config-file"] {
        let _stopped = desktop.stop_server(bus);
        for command in [
            &["get", reference][..],
            &["is", reference],
            &["snapshot", "--root", reference],
            &["find", "--root", reference],
        ] {
            let run = desktop.run(&[command, &["--timeout-ms", "400"]].concat());
            let error = run.on_time(Duration::ZERO).error("PLATFORM_NOT_SUPPORTED");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains("bus") && message.contains("within 400 ms"), "{run}");
        }
    }
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

#[test]
fn a_wait_in_which_nothing_happens_blames_nobody() {
    let desktop = Desktop::start();
    for what in
        [&["--event", "window-opened"][..], &["--event", "app-launched"], &["--window", "x"]]
    {
        let run = desktop.run(&[&["wait"][..], what, &["--timeout", "500"]].concat());
        let envelope = run.envelope();
        assert_eq!(envelope["error"]["code"], "TIMEOUT", "{run}");
        assert_eq!(envelope["error"]["details"]["last_error"], serde_json::Value::Null, "{run}");
    }
}
