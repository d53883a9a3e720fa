//! The instruments themselves, so that a red test elsewhere speaks of the program.

use desktop_tests::{Desktop, bus::Call};

#[test]
fn the_peer_is_an_application_to_libatspi() {
    let desktop = Desktop::start();
    for switches in [&["--shape", "names"][..], &["--shape", "names", "--cache"]] {
        let peer = desktop.peer(switches);
        let tree = desktop.independent_tree(&peer);
        assert_eq!(tree.children.len(), 8);
        assert_eq!(tree.children[0].raw_name, r#"say "hi" \ 'bye'"#);
        assert_eq!(tree.children[7].raw_name.len(), 1 << 20);
    }
}

#[test]
fn the_monitor_sees_what_a_newcomer_asks() {
    let desktop = Desktop::start();
    let peer = desktop.peer(&[]);
    let monitor = desktop.monitor();
    let mut newcomer = desktop.accessibility_bus();
    let sin = "org.freedesktop.DBus.Properties";
    // The answer does not matter.
    _ = newcomer.call(Call::new(&peer.bus_name, &peer.window, sin, "GetAll"));
    let (calls, messages) = monitor.newcomers().unwrap();
    let asked: Vec<_> = calls.iter().map(|call| call.member.as_str()).collect();
    assert_eq!(asked, ["Hello", "GetAll"]);
    assert!(messages >= 4, "{messages} messages");
}

#[test]
fn an_application_is_found_by_its_process_and_read() {
    let desktop = Desktop::start();
    let calculator = desktop.launch("gnome-calculator", &[]);
    let tree = desktop.independent_tree(&calculator);
    assert_eq!(tree.raw_name, "Calculator");
}
