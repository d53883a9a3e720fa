//! Without an X server: what the accessibility bus says has to do.

use std::time::Duration;

use desktop_tests::{Process, Wayland, tree, wait};

#[test]
fn applications_are_read_without_an_x_server() {
    let session = Wayland::start();
    let start = |program: &str, arguments: &[&str]| {
        let mut command = session.command(program);
        Process::spawn(command.args(arguments).stderr(std::process::Stdio::null())).unwrap()
    };
    let _dialog = start("zenity", &["--info", "--title=Greeting", "--text=Hello"]);
    let _calculator = start("gnome-calculator", &[]);
    // GTK 3, then GTK 4.
    for (app, title, button) in
        [("zenity", "Greeting", "OK"), ("gnome-calculator", "Calculator", "7")]
    {
        let find = ["find", "--app", app, "--role", "button", "--name", button, "--exact"];
        let find = [&find[..], &["--first"]].concat();
        let found = wait::until(&format!("{app} to show"), Duration::from_secs(30), || {
            let found = session.run(&find).envelope();
            let one = &found["data"]["match"];
            if one["ref_id"].is_string() { Ok(one.clone()) } else { Err(found.to_string()) }
        });
        let reference = found["ref_id"].as_str().unwrap();
        assert_eq!(session.run(&["get", reference]).data()["value"], button);

        let whole =
            session.run(&["snapshot", "--app", app, "--max-depth", "50", "--include-bounds"]);
        let whole = whole.data();
        assert_eq!((&whole["complete"], &whole["window"]["title"]), (&true.into(), &title.into()));
        let node = tree::all(&whole["tree"]).find(|node| node["name"] == button).unwrap();
        // Of the window, whose corner is nowhere on a common screen.
        assert_eq!(whole["coordinates"], "window");
        let bounds = session.run(&["get", reference, "--property", "bounds"]).data();
        assert_eq!(bounds["coordinates"], "window", "{bounds}");
        assert!(node["bounds"]["width"].as_i64().is_some_and(|width| width > 10), "{node}");
    }
    let windows = session.run(&["list-windows"]).data();
    let windows = windows.as_array().unwrap();
    assert_eq!(windows.len(), 2, "{windows:?}");
    assert!(windows.iter().all(|window| window["accessible"] == true), "{windows:?}");
    assert!(windows.iter().all(|window| window["coordinates"] == "window"), "{windows:?}");
    session.run(&["list-displays"]).error("PLATFORM_NOT_SUPPORTED");
}
