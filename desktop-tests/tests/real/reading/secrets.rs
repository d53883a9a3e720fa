//! What a password field holds never leaves the application, nor does how long it is.

use std::process::Command;

use desktop_tests::{Desktop, tree};

#[test]
fn a_password_field_shows_that_it_is_one_and_nothing_else() {
    let desktop = Desktop::start();
    let secret = "correct horse";
    let _dialog = desktop
        .launch("zenity", &["--entry", "--hide-text", "--text=Passphrase", "--entry-text", secret]);
    let full = desktop.run(&["snapshot", "--app", "zenity", "--include-bounds"]);
    let data = full.data();
    let field = tree::all(&data["tree"])
        .find(|node| node["role"] == "textfield")
        .unwrap_or_else(|| panic!("no text field: {full}"));
    let states = field["states"].as_array().expect("states");
    assert!(states.contains(&"secure".into()), "{field}");
    let reference = field["ref_id"].as_str().unwrap();
    let mut said = vec![full];
    for arguments in [
        &["snapshot", "--app", "zenity", "-i"][..],
        &["snapshot", "--root", reference],
        &["find", "--app", "zenity", "--role", "textfield"],
        &["get", reference, "--property", "text"],
        &["get", reference, "--property", "value"],
        &["get", reference, "--property", "title"],
        &["get", reference, "--property", "states"],
        &["list-surfaces", "--app", "zenity"],
    ] {
        said.push(desktop.run(arguments));
    }
    for run in &said {
        let envelope = run.envelope();
        let text = envelope.to_string();
        assert!(!text.contains('●') && !text.contains('•'), "as many dots as letters: {run}");
        assert!(!text.contains(secret), "{run}");
    }
    for content in [secret, "●"] {
        for flag in ["--text", "--value", "--name"] {
            let found = desktop.run(&["find", "--app", "zenity", flag, content, "--count"]).data();
            assert_eq!(found["count"], 0, "{flag} {content}");
        }
    }
    for property in ["text", "value"] {
        let read = desktop.run(&["get", reference, "--property", property]).data();
        assert!(read["value"].is_null(), "{property}: {read}");
    }
    let search = Command::new("grep")
        .args(["--recursive", "--files-with-matches", "--regexp=●", "--regexp=•", "--regexp"])
        .arg(secret)
        .arg(desktop.state_root().join("snapshots"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&search.stdout), "", "saved in these files");
}
