//! The scripted desktop itself: what moves, what stays, what lies.

use agent_desktop_engine::platform::{Cells, Deadline, Failure, Platform, Probe};
use agent_desktop_fake::{Desktop, Edit, Limits};
use agent_desktop_model::tree::{Address, Listing};

use crate::stage::Stage;

const ROWS: &str = r#"
    app files
      window "Home" focused #window
        list recycles #list
          row "a" #a
            button "Delete" #delete-a
          row "b" #b
            button "Delete" #delete-b
          row "c" #c
            button "Delete" #delete-c
"#;

fn desktop(scene: &str) -> Desktop {
    Desktop::parse(scene).unwrap()
}

fn at(desktop: &Desktop, label: &str) -> Address {
    desktop.address_of(label).unwrap()
}

fn identity(desktop: &Desktop, address: &Address) -> Option<String> {
    desktop.identity_at(address).map(|id| id.as_str().to_owned())
}

#[test]
fn places_of_a_recycled_list_show_other_rows_after_scrolling() {
    let desktop = desktop(ROWS);
    let delete_a = at(&desktop, "delete-a");
    let delete_c = at(&desktop, "delete-c");
    let scene = "row \"d\" #d\n  button \"Delete\" #delete-d".to_owned();
    desktop.apply(&Edit::Scroll { list: "list".into(), by: 1, scene }).unwrap();
    assert_eq!(identity(&desktop, &delete_a).as_deref(), Some("delete-b"));
    assert_eq!(identity(&desktop, &delete_c).as_deref(), Some("delete-d"));
    assert_eq!(desktop.address_of("delete-a"), None);
}

#[test]
fn a_closed_tabs_address_speaks_for_its_neighbour() {
    let desktop = desktop(
        r#"
        app featherpad toolkit="Qt 5.15.8"
          window "Untitled"
            tablist recycles
              tab "one" #one
              tab "two" #two
        "#,
    );
    let one = at(&desktop, "one");
    let two = at(&desktop, "two");
    desktop.apply(&Edit::Remove { target: "one".into() }).unwrap();
    assert_eq!(identity(&desktop, &one).as_deref(), Some("two"));
    assert_eq!(identity(&desktop, &two), None);
}

#[test]
fn an_only_button_that_is_passed_on_keeps_its_address_and_is_another() {
    let desktop = desktop(
        r#"
        app page
          window "Page"
            group "a" #a
              button "Delete" #delete
            group "b" #b
        "#,
    );
    let address = at(&desktop, "delete");
    let before = desktop.probe(std::slice::from_ref(&address), Deadline::after_ms(100)).unwrap();
    desktop.apply(&Edit::PassOn { target: "delete".into(), parent: "b".into() }).unwrap();
    let after = desktop.probe(std::slice::from_ref(&address), Deadline::after_ms(100)).unwrap();
    assert_ne!(identity(&desktop, &address).as_deref(), Some("delete"));
    let [Probe::Alive { digest: was, parent: Some(a) }] = &before[..] else { panic!("{before:?}") };
    let [Probe::Alive { digest: is, parent: Some(b) }] = &after[..] else { panic!("{after:?}") };
    assert_eq!(was, is);
    assert_eq!(identity(&desktop, a).as_deref(), Some("a"));
    assert_eq!(identity(&desktop, b).as_deref(), Some("b"));
}

#[test]
fn lasting_addresses_stay_through_sorting_and_cells_addresses_die() {
    let desktop = desktop(
        r#"
        app sheet
          window "Sheet"
            table #table
              cell "1" lasting #lasting
              cell "2" #dying
        "#,
    );
    let lasting = at(&desktop, "lasting");
    let dying = at(&desktop, "dying");
    desktop.apply(&Edit::Reorder { target: "lasting".into(), index: 1 }).unwrap();
    desktop.apply(&Edit::Renew { target: "dying".into() }).unwrap();
    assert_eq!(identity(&desktop, &lasting).as_deref(), Some("lasting"));
    assert_eq!(identity(&desktop, &dying), None);
    assert_ne!(at(&desktop, "dying"), dying);
    assert!(desktop.apply(&Edit::Renew { target: "table".into() }).is_err());
}

#[test]
fn a_new_element_may_take_a_dead_ones_address_but_never_a_lasting_one() {
    let desktop = desktop(
        r#"
        app files reuses
          window "Home" #window
            button "Open" #open
            button "Close" lasting #close
        "#,
    );
    let open = at(&desktop, "open");
    let close = at(&desktop, "close");
    for target in ["open", "close"] {
        desktop.apply(&Edit::Remove { target: target.into() }).unwrap();
    }
    for scene in ["button \"One\" #one", "button \"Two\" #two"] {
        let scene = scene.to_owned();
        desktop.apply(&Edit::Insert { parent: "window".into(), index: 0, scene }).unwrap();
    }
    assert_eq!(identity(&desktop, &open).as_deref(), Some("one"));
    assert_eq!(identity(&desktop, &close), None);
}

#[test]
fn a_restarted_application_has_other_elements_at_the_same_paths() {
    let desktop = desktop(ROWS);
    let window = at(&desktop, "window");
    let process = desktop.apps(Deadline::after_ms(100)).unwrap()[0].process;
    desktop.apply(&Edit::Restart { app: "files".into(), same_bus: true }).unwrap();
    assert!(identity(&desktop, &window).is_some_and(|identity| identity != "window"));
    assert_ne!(desktop.apps(Deadline::after_ms(100)).unwrap()[0].process, process);
    let window = desktop.identities()[0].clone();
    let window = at(&desktop, window.as_str());
    desktop.apply(&Edit::Restart { app: "files".into(), same_bus: false }).unwrap();
    assert_eq!(desktop.identity_at(&window), None);
    assert_eq!(desktop.identities().len(), 8);
}

#[test]
fn a_read_that_runs_out_of_time_says_where() {
    let desktop = desktop(ROWS);
    desktop.set_limits(Limits { nodes: Some(4), ..Limits::default() });
    let tree = desktop
        .observe(&at(&desktop, "window"), &[], Cells::Shown, Deadline::after_ms(100))
        .unwrap();
    assert_eq!(tree.len(), 4);
    assert!(!tree.complete);
    let cut: Vec<_> = tree.ids().filter(|id| tree[*id].children == Listing::Cut).collect();
    assert_eq!(
        cut.len(),
        3,
        "the list, whose third row is missing, and the two rows that were read"
    );
    desktop.set_limits(Limits::default());
    let late =
        desktop.observe(&at(&desktop, "window"), &[], Cells::Shown, Deadline::after_ms(0)).unwrap();
    assert_eq!((late.len(), late.complete), (1, false));
}

#[test]
fn a_hung_application_fails_alone() {
    let desktop = desktop("app dead hung\n  window \"A\" #a\napp alive\n  window \"B\" #b");
    let deadline = Deadline::after_ms(100);
    let apps = desktop.apps(deadline).unwrap();
    let (windows, silent) = desktop.windows(&apps, deadline).unwrap();
    assert_eq!(windows.iter().map(|window| &*window.title).collect::<Vec<_>>(), ["B"]);
    assert_eq!(silent.iter().map(|app| &*app.name).collect::<Vec<_>>(), ["dead"]);
    let failure =
        desktop.observe(&at(&desktop, "a"), &[], Cells::Shown, deadline).map(|_| ()).unwrap_err();
    assert_eq!(failure, Failure::Unresponsive { app: "dead".into(), why: None });
}

#[test]
fn an_edit_can_happen_in_the_middle_of_a_command() {
    let desktop = desktop(ROWS);
    let window = at(&desktop, "window");
    desktop.apply_after(1, Edit::Remove { target: "c".into() });
    let read =
        || desktop.observe(&window, &[], Cells::Shown, Deadline::after_ms(100)).unwrap().len();
    assert_eq!((read(), read()), (8, 6));
}

#[test]
fn a_drawing_is_a_scene_of_the_same_desktop() {
    let first = desktop(ROWS);
    let drawn = first.to_string();
    assert_eq!(desktop(&drawn).identities(), first.identities());
}

#[test]
fn a_scene_that_means_nothing_is_refused_with_its_line() {
    let cases = [
        ("app a\n  window \"A\"\n      button", 3, "indented deeper"),
        ("app a\n window \"A\"", 2, "odd"),
        ("window \"A\"", 1, "outside any application"),
        ("app a\n  push-button \"A\"", 2, "not a role"),
        ("app a\n  window \"A\" shiny", 2, "neither a state"),
        ("app a\n  window \"A\" [Fly]", 2, "no capability"),
        ("app a\n  window \"A\" @1,2", 2, "x,y,WxH"),
        ("app a\n  window \"A\" \"B\"", 2, "second name"),
        ("app a\n  window \"A", 2, "quoted"),
        ("app a\n  window #w\n    group #w", 3, "taken"),
        ("app a\n  window at=/w\n    group at=/w", 3, "taken"),
        ("app a\n  list recycles\n    row lasting", 3, "contradicts"),
        ("app a\n  list\n    row times=2 #r", 3, "unique"),
        ("app a\n  window count=many", 2, "not a number"),
        ("app a\n  window\n    app b", 3, "only elements"),
        ("app", 1, "needs a name"),
    ];
    for (scene, line, why) in cases {
        let bad = Desktop::parse(scene).map(|_| ()).unwrap_err();
        assert_eq!(bad.line, line, "{scene}\n{bad}");
        assert!(bad.why.contains(why), "{scene}\n{bad}");
    }
}

#[test]
fn a_window_that_was_made_for_a_menu_makes_no_application_ambiguous() {
    let scene = |overlay: &str| {
        format!(
            "app office\n  window \"Report\"\n    button \"Save\" [Click]\n  {overlay}\n    \
             menuitem \"Cut\" [Click]\napp other\n  window \"Elsewhere\" focused\n"
        )
    };
    let answer = Stage::new(&scene("popover \"\"")).answer("snapshot --app office");
    assert_eq!(answer["data"]["window"]["title"], "Report", "{answer}");
    let answer = Stage::new(&scene("window \"Letter\"")).answer("snapshot --app office");
    assert_eq!(answer["error"]["code"], "AMBIGUOUS_TARGET", "{answer}");
}
