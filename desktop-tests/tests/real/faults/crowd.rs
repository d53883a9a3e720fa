//! Very many commands at once: each has a typed answer in a bounded time, and the store is whole
//! afterwards.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use desktop_tests::Desktop;

use super::Run;

const COMMANDS: usize = 256;

#[test]
fn two_hundred_and_fifty_six_commands_at_once_all_end_with_an_answer() {
    let desktop = Desktop::start();
    let _entry = desktop.launch("zenity", &["--entry", "--text=Name"]);
    let _other = desktop.launch("gnome-calculator", &[]);
    let find = ["find", "--app", "zenity", "--role", "textfield", "--first"];
    let found = desktop.run(&find).data();
    let field = found["match"]["ref_id"].as_str().unwrap();
    let find = [
        "find",
        "--app",
        "gnome-calculator",
        "--role",
        "button",
        "--name",
        "7",
        "--exact",
        "--first",
    ];
    let found = desktop.run(&find).data();
    let key = found["match"]["ref_id"].as_str().unwrap();
    let kinds = [
        &["snapshot", "--app", "zenity", "-i"][..],
        &["find", "--app", "gnome-calculator", "--role", "button"],
        &["get", field, "--property", "value"],
        &["click", key],
    ];
    let start = Instant::now();
    let mut runs: Vec<_> = (0..COMMANDS)
        .map(|number| Run::start(&mut desktop.agent_desktop(kinds[number % kinds.len()])))
        .collect();
    let mut codes: BTreeMap<String, usize> = BTreeMap::new();
    let (mut snapshots, clicked) = (Vec::new(), AtomicUsize::new(0));
    // Those of the end wait for the ones before with a full pipe: all of them are read at once.
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            runs.drain(..).map(|run| scope.spawn(|| run.end(Duration::from_secs(120)))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap().envelope.unwrap()).collect()
    });
    for answer in answers {
        let code = match answer["ok"] == true {
            true => "ok",
            false => answer["error"]["code"].as_str().unwrap(),
        };
        *codes.entry(code.to_owned()).or_default() += 1;
        // Applications that are asked by so many do not tell their names in time.
        let silent = !answer["error"]["details"]["silent"].is_null();
        let busy = ["ok", "TIMEOUT", "APP_UNRESPONSIVE", "PLATFORM_NOT_SUPPORTED"].contains(&code);
        assert!(busy || (code == "APP_NOT_FOUND" && silent), "{answer}");
        snapshots.extend(answer["data"]["snapshot_id"].as_str().map(str::to_owned));
        if answer["command"] == "click"
            && answer["error"]["disposition"]["delivery"] != "not_delivered"
        {
            clicked.fetch_add(1, Ordering::Relaxed);
        }
    }
    assert!(start.elapsed() < Duration::from_secs(90), "{:?}: {codes:?}", start.elapsed());
    // They are more than what a machine with two processors does in the time of one.
    assert!(codes["ok"] >= COMMANDS / 4, "{codes:?}");
    // The latest are kept, each of them whole, and nobody holds the lock.
    let saved = std::fs::read_dir(desktop.state_root().join("snapshots")).unwrap().flatten();
    let names: Vec<_> = saved.map(|entry| entry.file_name().into_string().unwrap()).collect();
    let kept: Vec<_> = snapshots.iter().filter(|id| names.contains(id)).collect();
    assert!(kept.len() >= snapshots.len().min(90), "{} of {}", kept.len(), snapshots.len());
    for id in kept {
        let run = desktop.run(&["get", &format!("@{id}:e1"), "--property", "role"]);
        let envelope = run.envelope();
        let kind = &envelope["error"]["details"]["kind"];
        assert!(envelope["ok"] == true || kind == "identity_not_unique", "{run}");
    }
    assert!(!names.iter().any(|name| name.contains(".tmp")), "{names:?}");
    let next = desktop.run(&["snapshot", "--app", "zenity"]);
    next.on_time(Duration::from_secs(3)).data();
    // The display of the calculator tells independently how often its key was pressed.
    let display = desktop.run(&["find", "--app", "gnome-calculator", "--role", "textfield"]).data();
    let sevens = display["matches"][0]["value"].as_str().unwrap_or_default().matches('7').count();
    assert!(sevens <= clicked.load(Ordering::Relaxed), "{sevens} of {clicked:?}: {display}");
}
