//! The clipboard: what is put there is read by xclip and by applications, and the other way round;
//! who keeps it gives it up in time; and nobody who misbehaves holds anybody up.

use std::{
    fs,
    io::{Read, Write},
    process::Stdio,
    time::Duration,
};

use desktop_tests::{Desktop, Outcome, Process, wait};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const SOON: Duration = Duration::from_secs(20);
const PNG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/pictures/refs.png");
const TEXTS: [&str; 6] =
    ["plain", "zY@é😀שלום中文", "", " \tfirst\r\n\nlast\n", "-5 -", "\u{202e}bidi\u{200b} ½"];

fn get(desktop: &Desktop, format: &str) -> Value {
    desktop.run(&["clipboard-get", "--format", format]).data()
}

/// Puts something there, which has to be verified.
#[track_caller]
fn set(desktop: &Desktop, arguments: &[&str]) -> Value {
    let data = desktop.run(&[&["clipboard-set"][..], arguments].concat()).data();
    assert_eq!(data["disposition"]["delivery"], "delivered_verified", "{data}");
    assert_eq!(data["ok"], true);
    data
}

/// The one process that keeps the clipboard.
#[track_caller]
fn keeper(desktop: &Desktop) -> u32 {
    wait::until("one keeper of the clipboard", SOON, || match desktop.clipboard_keepers()[..] {
        [only] => Ok(only),
        ref others => Err(format!("{others:?}")),
    })
}

#[track_caller]
fn nobody_keeps(desktop: &Desktop) {
    wait::until("the keeper to end", SOON, || match &desktop.clipboard_keepers()[..] {
        [] => Ok(()),
        some => Err(format!("{some:?}")),
    });
}

/// A text of five million bytes, of which no two parts are equal.
fn large() -> String {
    let mut text: String = (0..500_000).map(|line| format!("{line:08}\u{e9}")).collect();
    text.truncate(5_000_000);
    text
}

#[test]
fn texts_go_to_xclip_and_come_from_it() {
    let desktop = Desktop::start();
    assert_eq!(get(&desktop, "auto"), json!({"found": false, "type": "auto"}));
    for text in TEXTS {
        assert_eq!(set(&desktop, &[text])["type"], "text");
        for target in ["UTF8_STRING", "text/plain", "text/plain;charset=utf-8"] {
            assert_eq!(desktop.xclip(target).as_deref(), Some(text.as_bytes()), "{target}");
        }
        // Latin-1, where it holds the text.
        let latin: Option<Vec<u8>> = text.chars().map(|it| u8::try_from(it).ok()).collect();
        assert_eq!(desktop.xclip("STRING"), latin, "{text:?}");
        assert_eq!(get(&desktop, "text"), json!({"text": text, "type": "text"}));
        let _xclip = desktop.put_by_xclip("UTF8_STRING", text.as_bytes());
        assert_eq!(get(&desktop, "auto"), json!({"text": text, "type": "text"}));
    }
    let _damaged = desktop.put_by_xclip("UTF8_STRING", b"a\xffb");
    assert_eq!(get(&desktop, "text"), json!({"lossy": true, "text": "a\u{fffd}b", "type": "text"}));
}

#[test]
fn five_million_bytes_go_both_ways_in_pieces() {
    let desktop = Desktop::start();
    let text = large();
    let file = desktop.state_root().join("large.txt");
    fs::write(&file, &text).unwrap();
    let patience = ["clipboard-set", "--stdin", "--timeout-ms", "30000"];
    let mut command = desktop.agent_desktop(&patience);
    let output = command.stdin(fs::File::open(&file).unwrap()).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["data"]["disposition"]["delivery"], "delivered_verified", "{answer}");
    assert!(desktop.xclip("UTF8_STRING").is_some_and(|read| read == text.as_bytes()));
    // A client that has begun to take it and rests keeps nobody else from it, and gets the rest of
    // it although somebody else has the clipboard then.
    let mut resting = desktop.odd_client(&["rests", "UTF8_STRING"]);
    let mut resting = Process::spawn(resting.stdout(Stdio::piped())).unwrap();
    assert_eq!(resting.line(), "ready");
    let got = || desktop.run(&["clipboard-get", "--timeout-ms", "30000"]).data();
    assert!(got()["text"] == text);
    let keeper = keeper(&desktop);
    let _xclip = desktop.put_by_xclip("UTF8_STRING", text.as_bytes());
    assert!(got()["text"] == text);
    assert_eq!(desktop.clipboard_keepers(), [keeper]);
    drop(resting);
    nobody_keeps(&desktop);
}

#[test]
fn pictures_go_both_ways() {
    let desktop = Desktop::start();
    let picture = fs::read(PNG).unwrap();
    assert_eq!(set(&desktop, &["a text that loses", "--image", PNG])["type"], "image");
    assert_eq!(desktop.xclip("image/png").as_deref(), Some(&picture[..]));
    assert_eq!(desktop.xclip("UTF8_STRING"), None);
    let absent = get(&desktop, "text");
    assert_eq!(absent, json!({"found": false, "offered": ["image/png"], "type": "text"}));
    drop(desktop.put_by_xclip("UTF8_STRING", b"in between"));

    let _xclip = desktop.put_by_xclip("image/png", &picture);
    let got = get(&desktop, "auto");
    let path = got["path"].as_str().unwrap();
    assert!(path.starts_with(desktop.state_root().join("tmp").to_str().unwrap()), "{got}");
    assert_eq!(fs::read(path).unwrap(), picture);
    let size = |at: usize| u32::from_be_bytes(picture[at..][..4].try_into().unwrap());
    assert_eq!((&got["width"], &got["height"]), (&json!(size(16)), &json!(size(20))));
    let named = desktop.state_root().join("named.png");
    let out = ["clipboard-get", "--format", "image", "--out", named.to_str().unwrap()];
    assert_eq!(desktop.run(&out).data()["path"], named.to_str().unwrap());
    assert_eq!(fs::read(&named).unwrap(), picture);

    // One that is no PNG is no picture that can be read, and it is said what it is.
    let _bitmap = owner(&desktop, "bitmap");
    let absent = get(&desktop, "image");
    assert_eq!(absent, json!({"found": false, "offered": ["image/bmp"], "type": "image"}));
    assert_eq!(get(&desktop, "auto")["found"], false);
    let _broken = desktop.put_by_xclip("image/png", b"no picture");
    desktop.run(&["clipboard-get", "--format", "image"]).error("ACTION_FAILED");
}

#[test]
fn files_go_both_ways() {
    let desktop = Desktop::start();
    let names = ["a b.txt", "100%.txt", "ü😀.txt", "#?;&.txt"];
    let paths: Vec<String> = names
        .map(|name| desktop.state_root().join(name).to_str().unwrap().to_owned())
        .into_iter()
        .inspect(|path| fs::write(path, "").unwrap())
        .collect();
    let flags: Vec<&str> = paths.iter().flat_map(|path| ["--file-url", path]).collect();
    assert_eq!(set(&desktop, &flags)["type"], "file_urls");
    let listed = String::from_utf8(desktop.xclip("text/uri-list").unwrap()).unwrap();
    let urls: Vec<&str> = listed.split_terminator("\r\n").collect();
    // As GLib decodes them.
    let decode = "import sys; from gi.repository import Gio
for url in sys.argv[1:]: print(Gio.File.new_for_uri(url).get_path())";
    let mut python = desktop.command("/usr/bin/python3");
    let decoded = python.args(["-c", decode]).args(&urls).output().unwrap().stdout;
    assert_eq!(String::from_utf8(decoded).unwrap().lines().collect::<Vec<_>>(), paths);
    let copied = desktop.xclip("x-special/gnome-copied-files").unwrap();
    assert_eq!(String::from_utf8(copied).unwrap(), format!("copy\n{}", urls.join("\n")));
    let own = get(&desktop, "auto");
    assert_eq!(own, json!({"file_urls": urls, "paths": paths, "type": "file_urls"}));
    // By URL, they are the same.
    set(&desktop, &["--file-url", urls[2]]);
    assert_eq!(get(&desktop, "file-urls")["paths"], json!([paths[2]]));

    let list = b"#\r\nfile:///a%20%C3%BC\r\nhttps://example.org/\r\nfile://far/b\r\n";
    let _xclip = desktop.put_by_xclip("text/uri-list", list);
    assert_eq!(
        get(&desktop, "file-urls"),
        json!({"file_urls": ["file:///a%20%C3%BC", "file://far/b"], "paths": ["/a ü", null],
               "type": "file_urls"})
    );
    let _cut = desktop.put_by_xclip("x-special/gnome-copied-files", b"cut\nfile:///a");
    assert_eq!(get(&desktop, "auto")["paths"], json!(["/a"]));
}

#[test]
fn the_keeper_gives_up_when_somebody_else_copies_and_when_its_desktop_ends() {
    let desktop = Desktop::start();
    set(&desktop, &["first"]);
    let first = keeper(&desktop);
    set(&desktop, &["second"]);
    assert_ne!(keeper(&desktop), first);
    let _xclip = desktop.put_by_xclip("UTF8_STRING", b"xclip's");
    nobody_keeps(&desktop);
    set(&desktop, &["third"]);
    let kept = keeper(&desktop);
    kill_process(Pid::from_raw(kept.try_into().unwrap()).unwrap(), Signal::KILL).unwrap();
    wait::until("the killed keeper to be missed", SOON, || match get(&desktop, "text") {
        found if found == json!({"found": false, "type": "text"}) => Ok(()),
        other => Err(other.to_string()),
    });

    set(&desktop, &["fourth"]);
    let cleared = desktop.run(&["clipboard-clear"]).data();
    assert_eq!(cleared["cleared"], true);
    assert_eq!(cleared["disposition"]["delivery"], "delivered_verified");
    assert_eq!(desktop.xclip("UTF8_STRING"), None);
    nobody_keeps(&desktop);
    let again = desktop.run(&["clipboard-clear"]).data();
    assert_eq!(again["disposition"]["delivery"], "not_delivered");

    let second = Desktop::start_beside(&desktop);
    set(&second, &["of the second desktop"]);
    set(&desktop, &["of the first"]);
    assert_eq!(get(&second, "text")["text"], "of the second desktop");
    let kept = keeper(&second);
    drop(second);
    let ended = || match fs::exists(format!("/proc/{kept}")) {
        Ok(true) => Err("it is there".to_owned()),
        _ => Ok(()),
    };
    wait::until("the keeper to end with its desktop", SOON, ended);
    assert_eq!(get(&desktop, "text")["text"], "of the first");
}

/// A harness that reads all that its command prints waits until nobody can print any more.
#[test]
fn the_keeper_holds_no_pipe_of_the_caller_open() {
    let desktop = Desktop::start();
    let program = desktop.agent_desktop(&[]).get_program().to_owned();
    let mut command = desktop.command("timeout");
    let script = "exec 3>&1 7>&2; \"$0\" clipboard-set kept";
    let (mut output, end) = std::io::pipe().unwrap();
    command.args(["20", "sh", "-c", script]).arg(program);
    let status = command.stderr(end.try_clone().unwrap()).stdout(end).status().unwrap();
    // It holds the end of the pipe as well.
    drop(command);
    assert!(status.success());
    let mut printed = String::new();
    // Until the end of the pipe.
    output.read_to_string(&mut printed).unwrap();
    assert!(printed.contains("delivered_verified"), "{printed}");
    assert_eq!(desktop.xclip("UTF8_STRING").as_deref(), Some(&b"kept"[..]));
}

#[test]
fn of_several_at_once_one_wins_and_the_others_know() {
    let desktop = Desktop::start();
    for round in 0..5 {
        let texts: Vec<String> = (0..4).map(|number| format!("{round}-{number}")).collect();
        let running = texts.iter().map(|text| {
            desktop.agent_desktop(&["clipboard-set", text]).spawn().expect("it starts")
        });
        let running: Vec<_> = running.collect();
        for child in running {
            let output = child.wait_with_output().unwrap();
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            if answer["ok"] == true {
                continue;
            }
            assert_eq!(answer["error"]["code"], "ACTION_FAILED", "{answer}");
            assert_eq!(answer["error"]["details"]["kind"], "post_action_verification");
            assert_eq!(answer["error"]["disposition"]["delivery"], "delivered_unverified");
        }
        let kept = get(&desktop, "text");
        assert!(texts.iter().any(|text| kept["text"] == **text), "{kept}");
        keeper(&desktop);
    }
}

/// Has an odd client own the clipboard.
#[track_caller]
fn owner(desktop: &Desktop, manner: &str) -> Process {
    let mut command = desktop.odd_client(&[manner]);
    let mut owner = Process::spawn(command.stdout(Stdio::piped())).unwrap();
    assert_eq!(owner.line(), "ready");
    owner
}

#[test]
fn nobody_waits_for_an_owner_longer_than_asked() {
    let desktop = Desktop::start();
    let limited = |limit: &str| -> Outcome {
        desktop.run(&["clipboard-get", "--format", "auto", "--timeout-ms", limit])
    };
    for manner in ["silent", "stalls"] {
        let owner = owner(&desktop, manner);
        let outcome = limited("700");
        let error = outcome.on_time(Duration::from_millis(700)).error("APP_UNRESPONSIVE");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(&format!("python3 (process {})", owner.id())), "{message}");
        // It keeps nobody from putting something else there.
        set(&desktop, &[manner]);
        assert_eq!(desktop.xclip("UTF8_STRING").as_deref(), Some(manner.as_bytes()));
    }
    let owner = owner(&desktop, "endless");
    let limit = Duration::from_secs(30);
    let error = limited("30000").on_time(limit).error("ACTION_FAILED");
    assert!(error["message"].as_str().unwrap().contains("64 MiB"), "{error}");
    drop(owner);

    // One that dies while it is asked has nothing.
    let xclip = desktop.put_by_xclip("UTF8_STRING", b"lost");
    let stopped = xclip.stop();
    let asking =
        desktop.agent_desktop(&["clipboard-get", "--timeout-ms", "30000"]).spawn().unwrap();
    wait::until("it to ask", SOON, || {
        let state = fs::read_to_string(format!("/proc/{}/stat", asking.id())).unwrap();
        if state.contains(") S ") { Ok(()) } else { Err(state) }
    });
    xclip.signal(Signal::KILL);
    let output = asking.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["data"]["found"], false, "{answer}");
    drop(stopped);
}

#[test]
fn clients_of_every_age_are_served() {
    let desktop = Desktop::start();
    let ask = |arguments: &[&str]| -> Value {
        let output = desktop.odd_client(arguments).output().unwrap();
        let line = String::from_utf8(output.stdout).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| {
            panic!("{error}: {line} {}", String::from_utf8_lossy(&output.stderr))
        })
    };
    set(&desktop, &["né"]);
    let several = ask(&["several", "UTF8_STRING", "image/png", "TEXT", "MULTIPLE", "SAVE_TARGETS"]);
    let text = json!(["UTF8_STRING", "né"]);
    assert_eq!(several, json!([text, null, text, null, ["NULL", []]]));
    assert_eq!(ask(&["plain", "UTF8_STRING"]), text);
    assert_eq!(ask(&["early", "UTF8_STRING"]), false);
    let stamp = ask(&["plain", "TIMESTAMP"]);
    assert_eq!(stamp[0], "INTEGER");
    assert!(stamp[1][0].as_u64().is_some_and(|time| time > 0), "{stamp}");

    let _latin = owner(&desktop, "latin");
    assert_eq!(get(&desktop, "text"), json!({"text": "é", "type": "text"}));
}

#[test]
fn an_application_pastes_what_was_set_and_copies_what_is_got() {
    let desktop = Desktop::start();
    let app = desktop.launch("mousepad", &[]);
    let window = app.window_id();
    let reference = |place: [&str; 2], role: &str, name: &[&str]| {
        let line = ["find", place[0], place[1], "--role", role, "--first"];
        let found = desktop.run(&[&line[..], name].concat()).data();
        found["match"]["ref_id"].as_str().unwrap_or_else(|| panic!("{found}")).to_owned()
    };
    let in_window = ["--window-id", window.as_str()];
    let edit = reference(in_window, "menu", &["--name", "Edit", "--exact"]);
    let choose = |name: &str| {
        let item = reference(["--root", &edit], "menuitem", &["--name", name, "--exact"]);
        desktop.run(&["click", &item]).data();
    };
    let text = "zY@é😀שלום中文\nsecond line";
    set(&desktop, &[text]);
    choose("Paste");
    let page = reference(in_window, "textfield", &[]);
    wait::until("the pasted text", SOON, || {
        let value = desktop.run(&["get", &page, "--property", "value"]).data();
        if value["value"] == text { Ok(()) } else { Err(value.to_string()) }
    });
    choose("Select All");
    desktop.run(&["clipboard-clear"]).data();
    nobody_keeps(&desktop);
    choose("Copy");
    wait::until("the copied text", SOON, || match get(&desktop, "auto") {
        found if found["text"] == text => Ok(()),
        other => Err(other.to_string()),
    });
    let mut input = desktop.agent_desktop(&["clipboard-set", "--stdin"]);
    let mut input = input.stdin(Stdio::piped()).spawn().unwrap();
    input.stdin.take().unwrap().write_all("from a pipe".as_bytes()).unwrap();
    assert!(input.wait_with_output().unwrap().status.success());
    assert_eq!(get(&desktop, "text")["text"], "from a pipe");
}
