use std::{
    collections::HashSet,
    fs,
    io::Read,
    os::unix::fs::{MetadataExt, symlink},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use agent_desktop_model::{
    role::Role,
    surface::SurfaceKind,
    tree::{Address, Node, Tree},
};
use tempfile::TempDir;

use super::*;
use crate::{
    observe::{Entry, View},
    platform::{App, Window},
    refs::{Census, allocate},
};

fn map(refs: usize) -> RefMap {
    let window = Window {
        id: "w-1.7-1".to_owned(),
        app: App {
            id: ":1.7".into(),
            name: "demo".to_owned(),
            aliases: Vec::new(),
            process: None,
            toolkit: None,
            responding: true,
            silence: None,
        },
        handle: None,
        address: Some(Address::default()),
        role: Role::Window,
        title: "Demo".to_owned(),
        bounds: None,
        focused: true,
        visible: true,
        maximized: false,
        minimized: false,
        modal: false,
        reason: None,
    };
    let mut tree = Tree::new(Node::default());
    for index in 0..refs {
        let mut node = Node::default();
        node.role = Role::Button;
        node.name = format!("Button {index}").into();
        node.address = Address {
            app: ":1.7".into(),
            object: format!("/org/example/a11y/0e5bbba8_b0c4_4adf_b2d2_{index:012}").into(),
        };
        tree.push(tree.root(), node);
    }
    let entries = tree.ids().map(|node| Entry { node, parent: Some(0), cut: None }).collect();
    let mut map = RefMap::new("guid".to_owned(), &window, Address::default(), SurfaceKind::Window);
    allocate(&mut map, &tree, &Census::of_window(&tree), &View { entries });
    map
}

fn store(home: &TempDir) -> Store {
    Store { root: home.path().join("state"), namespace: None }
}

fn soon() -> Deadline {
    Deadline::after_ms(10_000)
}

fn temporaries(store: &Store) -> usize {
    let entries = fs::read_dir(store.root.join(SNAPSHOTS)).unwrap();
    entries.filter(|entry| is_temporary(&entry.as_ref().unwrap().path())).count()
}

fn is_temporary(path: &Path) -> bool {
    path.file_name().unwrap().to_str().unwrap().starts_with(TEMPORARY)
}

#[test]
fn what_is_saved_is_loaded_in_the_same_namespace_only() {
    let home = TempDir::new().unwrap();
    let global = store(&home);
    let session = Store { namespace: Some("run-1".to_owned()), ..global.clone() };
    assert_eq!(global.latest().unwrap(), None);
    let map = map(3);
    let first = global.create(&map, soon()).unwrap();
    let second = session.create(&map, soon()).unwrap();
    assert_eq!(global.load(&first).unwrap(), map);
    assert_eq!(session.load(&second).unwrap(), map);
    assert_eq!(session.load(&first).unwrap_err().code, Code::SnapshotNotFound);
    assert_eq!(global.latest().unwrap(), Some((first.clone(), 3)));
    assert_eq!(session.latest().unwrap(), Some((second, 3)));
    let file = global.root.join(SNAPSHOTS).join(first.as_str()).join(REF_MAP);
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(file.parent().unwrap()).unwrap().mode() & 0o777, 0o700);
}

#[test]
fn a_refused_change_leaves_the_snapshot_untouched() {
    let home = TempDir::new().unwrap();
    let store = store(&home);
    let before = map(3);
    let id = store.create(&before, soon()).unwrap();
    let refuse = |_| Err::<(RefMap, ()), _>(Error::new(Code::Timeout, "too slow"));
    assert_eq!(store.update(&id, soon(), refuse).unwrap_err().code, Code::Timeout);
    assert_eq!(store.load(&id).unwrap(), before);
    store.update(&id, soon(), |_| Ok((map(5), ()))).unwrap();
    assert_eq!(store.load(&id).unwrap().len(), 5);
    let missing = SnapshotId::parse("s000").unwrap();
    let error = store.update(&missing, soon(), |map| Ok((map, ()))).unwrap_err();
    assert_eq!(error.code, Code::SnapshotNotFound);
}

#[test]
fn the_oldest_are_evicted_and_leftovers_swept() {
    let home = TempDir::new().unwrap();
    let store = store(&home);
    let map = map(1);
    let ids: Vec<_> = (0..KEPT).map(|_| store.create(&map, soon()).unwrap()).collect();
    // The oldest but one is drilled, which makes it young again.
    store.update(&ids[1], soon(), |map| Ok((map, ()))).unwrap();
    fs::create_dir(store.root.join(SNAPSHOTS).join(".tmp-1-1")).unwrap();
    fs::write(store.root.join(SNAPSHOTS).join(".tmp-1-1").join(REF_MAP), "half").unwrap();
    fs::write(store.root.join(SNAPSHOTS).join(".tmp-1-2"), "half").unwrap();
    let last = store.create(&map, soon()).unwrap();
    let left = fs::read_dir(store.root.join(SNAPSHOTS)).unwrap().count();
    assert_eq!(left, KEPT_AFTER_EVICTION);
    assert_eq!(temporaries(&store), 0);
    assert_eq!(store.load(&ids[0]).unwrap_err().code, Code::SnapshotNotFound);
    assert!(store.load(&ids[1]).is_ok());
    assert!(store.load(&ids[KEPT - 1]).is_ok());
    assert_eq!(store.latest().unwrap(), Some((last, 1)));
}

/// A clock that was set back must not have the snapshots made from then on taken for the oldest.
#[test]
fn snapshots_from_the_future_go_first() {
    let home = TempDir::new().unwrap();
    let store = store(&home);
    let map = map(1);
    let early: Vec<_> = (0..KEPT).map(|_| store.create(&map, soon()).unwrap()).collect();
    let tomorrow = SystemTime::now() + Duration::from_secs(86_400);
    for id in &early {
        let directory = fs::File::open(store.root.join(SNAPSHOTS).join(id.as_str())).unwrap();
        directory.set_modified(tomorrow).unwrap();
    }
    let late: Vec<_> = (0..KEPT).map(|_| store.create(&map, soon()).unwrap()).collect();
    let lost = late[40..].iter().filter(|id| store.load(id).is_err()).count();
    assert_eq!(lost, 0, "of the latest");
    assert!(early.iter().all(|id| store.load(id).is_err()));
}

#[test]
fn what_another_version_keeps_is_left_alone() {
    let home = TempDir::new().unwrap();
    let store = store(&home);
    let map = map(1);
    let id = store.create(&map, soon()).unwrap();
    let snapshots = store.root.join(SNAPSHOTS);
    // A form of its own, with a field that this version does not know, and files of another kind.
    let newer = SnapshotId::parse("snewer0000000").unwrap();
    let file = snapshots.join(newer.as_str()).join(REF_MAP);
    fs::create_dir(file.parent().unwrap()).unwrap();
    let known = fs::read_to_string(snapshots.join(id.as_str()).join(REF_MAP)).unwrap();
    let content = known.replacen("\"version\":", "\"pages\":[1],\"version\":9", 1);
    assert_ne!(content, known);
    fs::write(&file, &content).unwrap();
    fs::write(snapshots.join("index.db"), "of another version").unwrap();
    fs::write(store.root.join("settings.toml"), "of another version").unwrap();

    let refused = store.load(&newer).unwrap_err();
    assert_eq!(refused.code, Code::SnapshotNotFound);
    assert!(refused.message.contains("another version"), "{}", refused.message);
    let change = store.update(&newer, soon(), |map| Ok((map, ()))).unwrap_err();
    assert_eq!(change.code, Code::SnapshotNotFound);
    assert_eq!(fs::read_to_string(&file).unwrap(), content);
    for _ in 0..KEPT + 10 {
        store.create(&map, soon()).unwrap();
    }
    for name in ["snapshots/index.db", "settings.toml"] {
        assert_eq!(fs::read_to_string(store.root.join(name)).unwrap(), "of another version");
    }
}

#[test]
fn a_held_lock_ends_in_time_and_says_so() {
    let home = TempDir::new().unwrap();
    let store = store(&home);
    let id = store.create(&map(1), soon()).unwrap();
    let holder = fs::File::open(store.root.join(LOCK)).unwrap();
    holder.lock().unwrap();
    let error = store.create(&map(1), Deadline::after_ms(50)).unwrap_err();
    assert_eq!(error.code, Code::Timeout);
    let Some(Details::LockTimeout { waited_ms, .. }) = error.details.as_deref() else {
        panic!("{error:?}");
    };
    assert!((50..2_000).contains(waited_ms), "{waited_ms}");
    assert!(store.load(&id).is_ok(), "readers need no lock");
    drop(holder);
    store.create(&map(1), soon()).unwrap();
}

#[test]
fn links_and_places_of_others_are_refused() {
    let home = TempDir::new().unwrap();
    let store = store(&home);
    let id = store.create(&map(1), soon()).unwrap();
    let snapshot = store.root.join(SNAPSHOTS).join(id.as_str());
    fs::rename(&snapshot, home.path().join("elsewhere")).unwrap();
    symlink(home.path().join("elsewhere"), &snapshot).unwrap();
    assert_eq!(store.load(&id).unwrap_err().code, Code::Internal);
    fs::remove_file(&snapshot).unwrap();
    fs::create_dir(&snapshot).unwrap();
    symlink(home.path().join("elsewhere").join(REF_MAP), snapshot.join(REF_MAP)).unwrap();
    assert_eq!(store.load(&id).unwrap_err().code, Code::Internal);

    let public = home.path().join("public");
    fs::create_dir(&public).unwrap();
    fs::set_permissions(&public, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    let store = Store { root: public, namespace: None };
    let error = store.create(&map(1), soon()).unwrap_err();
    assert!(error.message.contains("public") && error.suggestion.is_some(), "{error:?}");
}

#[test]
fn damaged_and_foreign_files_count_as_absent() {
    let home = TempDir::new().unwrap();
    let store = store(&home);
    let id = store.create(&map(1), soon()).unwrap();
    let file = store.root.join(SNAPSHOTS).join(id.as_str()).join(REF_MAP);
    for (content, says) in [
        ("", "damaged"),
        ("{", "damaged"),
        ("{\"version\":4}", "damaged"),
        ("{\"version\":7,\"other\":[]}", "form 7"),
    ] {
        fs::write(&file, content).unwrap();
        let error = store.load(&id).unwrap_err();
        assert_eq!(error.code, Code::SnapshotNotFound);
        assert!(error.message.contains(says), "{}", error.message);
        assert_eq!(store.latest().unwrap(), None);
    }
    fs::File::create(&file).unwrap().set_len(SIZE_LIMIT as u64 + 1).unwrap();
    assert_eq!(store.load(&id).unwrap_err().code, Code::SnapshotNotFound);
    fs::write(store.root.join(LATEST), "../../etc").unwrap();
    assert_eq!(store.latest().unwrap(), None);
}

#[test]
fn a_root_that_is_no_directory_names_it_and_the_remedy() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    for root in [file.clone(), file.join("below")] {
        let error = Store { root, namespace: None }.create(&map(1), soon()).unwrap_err();
        assert_eq!(error.code, Code::Internal);
        assert!(error.message.contains("file"), "{}", error.message);
        assert!(error.suggestion.is_some_and(|it| it.contains("AGENT_DESKTOP_HOME")));
    }
}

/// Tells the child processes of the tests below where to save. Set by nobody else.
const CHILD: &str = "AGENT_DESKTOP_TEST_STORE";

/// Saves, drills and prints ids until it is killed, or `AGENT_DESKTOP_TEST_COUNT` times.
#[test]
#[ignore = "runs in child processes of other tests"]
fn child_that_saves() {
    let Some(root) = std::env::var_os(CHILD) else { return };
    let count = std::env::var("AGENT_DESKTOP_TEST_COUNT").ok().and_then(|count| count.parse().ok());
    let store = Store { root: root.into(), namespace: None };
    for _ in 0..count.unwrap_or(usize::MAX) {
        let id = store.create(&map(40), soon()).unwrap();
        store.update(&id, soon(), |_| Ok((map(60), ()))).unwrap();
        let line = format!("\nsaved {id}\n");
        rustix::io::write(std::io::stdout(), line.as_bytes()).unwrap();
    }
}

fn spawn_child(store: &Store, count: Option<usize>) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["store::tests::child_that_saves", "--exact", "--ignored", "--nocapture"])
        .env(CHILD, &store.root)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(count) = count {
        command.env("AGENT_DESKTOP_TEST_COUNT", count.to_string());
    }
    command.spawn().unwrap()
}

fn printed_ids(child: &mut Child) -> Vec<SnapshotId> {
    let mut output = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut output).unwrap();
    String::from_utf8_lossy(&output)
        .lines()
        .filter_map(|line| SnapshotId::parse(line.strip_prefix("saved ")?))
        .collect()
}

#[test]
fn killed_at_any_moment_a_snapshot_is_whole_or_absent() {
    let home = TempDir::new().unwrap();
    let store = store(&home);
    let mut leftovers = 0;
    for round in 0..200_u64 {
        let mut child = spawn_child(&store, None);
        // Spread the kills evenly over the first saves of the process, start-up included.
        std::thread::sleep(Duration::from_micros(2_000 + round * 7_919 % 12_000));
        child.kill().unwrap();
        child.wait().unwrap();
        printed_ids(&mut child);
        let Ok(entries) = fs::read_dir(store.root.join(SNAPSHOTS)) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if is_temporary(&path) {
                leftovers += 1;
                continue;
            }
            let id = SnapshotId::parse(path.file_name().unwrap().to_str().unwrap()).unwrap();
            let refs = store.load(&id).unwrap().len();
            assert!(refs == 40 || refs == 60, "{refs} refs");
        }
        if store.root.join(LATEST).exists() {
            assert!(store.latest().unwrap().is_some());
        }
    }
    assert!(leftovers > 0, "no kill hit a save; the test shows nothing");
    store.create(&map(1), soon()).unwrap();
    assert_eq!(temporaries(&store), 0);
}

#[test]
fn eight_processes_save_at_once() {
    let home = TempDir::new().unwrap();
    let store = store(&home);
    let mut children: Vec<_> = (0..8).map(|_| spawn_child(&store, Some(10))).collect();
    let mut ids = HashSet::new();
    for child in &mut children {
        let printed = printed_ids(child);
        assert!(child.wait().unwrap().success());
        assert_eq!(printed.len(), 10);
        ids.extend(printed);
    }
    assert_eq!(ids.len(), 80);
    for id in &ids {
        assert_eq!(store.load(id).unwrap().len(), 60);
    }
    assert!(store.latest().unwrap().is_some_and(|(id, _)| ids.contains(&id)));
    assert_eq!(temporaries(&store), 0);
}
