//! What comes of an action, waited for in the same command.

use desktop_tests::Desktop;

#[test]
fn a_dialog_is_waited_for_until_it_is_open_and_until_it_is_gone() {
    let desktop = Desktop::start();
    let _app = desktop.launch("mousepad", &[]);
    let find = |arguments: &[&str]| {
        let run = desktop.run(&[&["find", "--app", "mousepad", "--first"][..], arguments].concat());
        let data = run.data();
        data["match"]["ref_id"].as_str().unwrap_or_else(|| panic!("no match: {run}")).to_owned()
    };
    // As the X server has it.
    let shown = || {
        let search = ["search", "--onlyvisible", "--name", "^About"];
        let output = desktop.command("xdotool").args(search).output().expect("xdotool runs");
        String::from_utf8_lossy(&output.stdout).lines().count()
    };
    assert_eq!(shown(), 0);
    let help = find(&["--role", "menu", "--name", "Help"]);
    let menu = desktop.run(&["click", &help, "-w", "menuitem:About"]).data();
    assert_eq!(menu["matched_selector"], "menuitem:About", "{menu:#}");

    let about = find(&["--surface", "menu", "--name", "About"]);
    let opened = desktop.run(&["click", &about, "-w", "button:Close"]).data();
    assert_eq!(opened["tree"]["role"], "dialog", "{opened:#}");
    assert!(opened.get("already").is_none(), "{opened:#}");
    assert_eq!(opened["after_action"]["action"], "click", "{opened:#}");
    assert_eq!(shown(), 1);

    let window = opened["window"]["id"].as_str().unwrap();
    let close = desktop.run(&["find", "--window-id", window, "--name", "Close", "--first"]).data();
    let close = close["match"]["ref_id"].as_str().unwrap();
    let closed = desktop.run(&["click", close, "--wait-for-gone", "button:Close"]).data();
    assert_eq!(closed["gone"], true, "{closed:#}");
    assert_eq!(closed["target_absent"], true, "{closed:#}");
    assert_eq!(shown(), 0);
    // The menu bar was there before.
    let menu = desktop.run(&["click", &help, "-w", "menu:File"]).data();
    assert_eq!(menu["already"], true, "{menu:#}");
    let late = desktop.run(&["click", &help, "-w", "dialog", "--wait-timeout", "300"]).envelope();
    assert_eq!(late["error"]["details"]["kind"], "wait_timeout", "{late:#}");
    assert_eq!(late["error"]["disposition"]["retry"], "unsafe", "{late:#}");
}
