//! What becomes of refs when windows change.

use agent_desktop_model::{
    error::{Code, Details},
    reference::SnapshotId,
};

use super::*;
use crate::refs::testing::{Desktop, snapshot};

/// What becomes of the ref of the element named `name` in `before` when the window `after` is
/// there: the object that it resolves to, or the kind of the refusal.
fn resolves(before: &str, name: &str, after: &str) -> String {
    let desktop = Desktop::new(before);
    let (map, number) = snapshot(&desktop, name);
    desktop.becomes(after);
    outcome(&desktop, &map, number)
}

fn outcome(desktop: &Desktop, map: &RefMap, number: u32) -> String {
    let reference = Ref { snapshot: SnapshotId::parse("s1234").unwrap(), number };
    match resolve(desktop, map, &reference, Deadline::after_ms(1_000)) {
        Ok(resolved) => resolved.address.object.to_string(),
        Err(error) => {
            assert!(error.suggestion.is_some(), "{error:?}");
            let details = serde_json::to_value(error.details.as_ref().unwrap()).unwrap();
            let code = serde_json::to_value(error.code).unwrap();
            format!("{} {}", code.as_str().unwrap(), details["kind"].as_str().unwrap())
        }
    }
}

fn reads(desktop: &Desktop, map: &RefMap, number: u32) -> (String, u32) {
    desktop.reads.set(0);
    let outcome = outcome(desktop, map, number);
    (outcome, desktop.reads.get())
}

const ROWS: &str = r#"
window "W" @w
  list @l
    row @r1
      statictext "Alpha" @t1
      button "Delete" @d1
    row @r2
      statictext "Beta" @t2
      button "Delete" @d2
"#;

const LASTING: &str = r#"
window "W" @w
  list @l
    row @r1
      statictext "Alpha" @t1
      button "Delete" @d1 lasting
    row @r2
      statictext "Beta" @t2
      button "Delete" @d2 lasting
"#;

#[test]
fn an_unchanged_window() {
    assert_eq!(resolves(ROWS, "Delete", ROWS), "d1");
    assert_eq!(resolves(ROWS, "Delete#1", ROWS), "d2");
    let title_changed = ROWS.replace("\"W\"", "\"*W\"");
    assert_eq!(resolves(ROWS, "Delete#1", &title_changed), "d2");
}

#[test]
fn a_recycled_row_is_not_the_row() {
    let scrolled = ROWS.replace("Beta", "Gamma").replace("Alpha", "Beta");
    assert_eq!(resolves(ROWS, "Delete", &scrolled), "STALE_REF context_changed");
    assert_eq!(resolves(ROWS, "Delete#1", &scrolled), "STALE_REF context_changed");
}

#[test]
fn an_only_button_that_moved_to_another_row() {
    let only = |row: u32, address: &str| {
        let button = format!("      button \"Delete\" @{address}\n");
        let mut text = "window @w\n  list @l\n".to_owned();
        for (index, name) in [(1, "Alpha"), (2, "Beta")] {
            text += &format!("    row @r{index}\n      statictext \"{name}\" @t{index}\n");
            text += if index == row { &button } else { "" };
        }
        text
    };
    assert_eq!(resolves(&only(1, "d"), "Delete", &only(1, "d")), "d");
    assert_eq!(resolves(&only(1, "d"), "Delete", &only(2, "d")), "STALE_REF context_changed");
    assert_eq!(resolves(&only(1, "d"), "Delete", &only(2, "e")), "STALE_REF saved_ref_absent");
}

#[test]
fn an_only_button_that_moved_between_boxes_without_any_text() {
    let first = "window @w\n  group @a\n    button \"Go\" @g\n  group @b\n    image @i\n";
    let then = "window @w\n  group @a\n    image @i\n  group @b\n    button \"Go\" @g\n";
    assert_eq!(resolves(first, "Go", first), "g");
    assert_eq!(resolves(first, "Go", then), "STALE_REF saved_ref_absent");
}

#[test]
fn an_address_that_speaks_for_its_neighbour() {
    let three = "window @w\n  tab \"A\" @1\n  tab \"B\" @2\n  tab \"C\" @3\n";
    let closed = "window @w\n  tab \"B\" @1\n  tab \"C\" @2\n";
    assert_eq!(resolves(three, "A", closed), "STALE_REF saved_ref_absent");
    // Whether B shifted or was renamed cannot be told.
    assert_eq!(resolves(three, "B", closed), "STALE_REF saved_ref_absent");
    assert_eq!(resolves(three, "C", closed), "STALE_REF saved_ref_absent");
}

#[test]
fn a_renamed_neighbour_is_not_the_element() {
    let before = "window @w\n  button \"Play\" @1\n  button \"Stop\" @2\n";
    let swapped = "window @w\n  button \"Stop\" @1\n  button \"Play\" @2\n";
    assert_eq!(resolves(before, "Play", swapped), "STALE_REF saved_ref_absent");
    let gone = "window @w\n  button \"Play\" @2\n";
    assert_eq!(resolves(before, "Play", gone), "STALE_REF saved_ref_absent");
}

#[test]
fn a_dead_address_rebinds_only_to_the_one_new_equal_in_its_context() {
    let before = "window @w\n  row @r\n    statictext \"A\" @t\n    cell \"x\" @1\n";
    let reborn = before.replace("@1", "@9");
    assert_eq!(resolves(before, "x", &reborn), "9");
    let elsewhere = reborn.replace("\"A\"", "\"B\"");
    assert_eq!(resolves(before, "x", &elsewhere), "STALE_REF saved_ref_absent");
    let twice = format!("{reborn}    cell \"x\" @8\n");
    assert_eq!(resolves(before, "x", &twice), "AMBIGUOUS_TARGET saved_ref_ambiguous");
    let none = "window @w\n";
    assert_eq!(resolves(before, "x", none), "STALE_REF saved_ref_absent");
    let lasting = before.replace("@1", "@1 lasting");
    let reborn = lasting.replace("@1", "@9");
    assert_eq!(resolves(&lasting, "x", &reborn), "STALE_REF saved_ref_absent", "it died");
}

#[test]
fn a_page_of_the_same_shape_is_another_page() {
    let page = "window @w\n  webarea @p\n    button \"Next\" @n\n    group \"G\" @g\n      image @i acts\n";
    let other = page.replace("@p", "@q").replace("@n", "@m");
    assert_eq!(resolves(page, "Next", &other), "STALE_REF saved_ref_absent");
    let same_address = page.replace("@p", "@q");
    assert_eq!(resolves(page, "Next", &same_address), "STALE_REF saved_ref_absent");
    let reborn = page.replace("@n", "@m");
    assert_eq!(resolves(page, "Next", &reborn), "m", "on the same page");
    let not_the_page = page.replace("webarea @p", "webarea @q").replace("@n", "@m");
    let not_the_page = not_the_page.replace("@w", "@w\n  group @p");
    assert_eq!(resolves(page, "Next", &not_the_page), "STALE_REF saved_ref_absent");
}

#[test]
fn a_text_that_comes_where_none_told_says_nothing_new() {
    let closed = "window @w\n  webarea @p\n    group @g\n      button \"More\" @m\n";
    let open = format!("{closed}      statictext \"Hidden so far\" @t\n");
    assert_eq!(resolves(closed, "More", &open), "m");
    let row = closed.replace("group", "row");
    let filled = open.replace("group", "row");
    assert_eq!(resolves(&row, "More", &filled), "STALE_REF context_changed", "a row's record");
}

#[test]
fn a_cell_that_is_named_after_what_is_in_it_tells_nothing_of_it() {
    let rows = "window @w\n  table @t\n    row @r1\n      cell \"Apple\" @a1\n      \
                    cell \"Delete\" @c1\n        button \"Delete\" @d1\n    row @r2\n      \
                    cell \"Pear\" @a2\n      cell \"Delete\" @c2\n        button \"Delete\" @d2\n";
    assert_eq!(resolves(rows, "Delete", rows), "c1", "the first of the name is the cell");
    assert_eq!(resolves(rows, "Delete#1", rows), "d1");
    assert_eq!(resolves(rows, "Delete#3", rows), "d2");
    let other = rows.replace("Pear", "Plum");
    assert_eq!(resolves(rows, "Delete#3", &other), "STALE_REF context_changed");
}

#[test]
fn what_was_drawn_anew_with_all_around_it_is_something_else() {
    let record = "window @w\n  webarea @p\n    heading \"Alpha\" @h\n    group @g\n      \
                      statictext \"Price\" @t\n      button \"Save\" @s\n";
    let again = record.replace("@s", "@s2");
    assert_eq!(resolves(record, "Save", &again), "s2");
    let other = again.replace("@t", "@t2").replace("@h", "@h2").replace("Alpha", "Beta");
    assert_eq!(resolves(record, "Save", &other), "STALE_REF saved_ref_absent");
    let elsewhere = again.replace("@g", "@g2");
    assert_eq!(resolves(record, "Save", &elsewhere), "STALE_REF saved_ref_absent");
}

#[test]
fn an_element_that_nothing_identifies_does_not_rise_again() {
    let desktop = Desktop::new("window @w\n  row @r\n    statictext \"A\" @t\n    button @1\n");
    let tree = desktop.tree();
    let view = crate::refs::testing::view(&tree, tree.root(), &[]);
    let mut map = desktop.empty_map();
    let numbers = crate::refs::allocate(&mut map, &tree, &Census::of_window(&tree), &view);
    let button = numbers.last().copied().flatten().unwrap();
    assert_eq!(outcome(&desktop, &map, button), "1");
    desktop.becomes("window @w\n  row @r\n    statictext \"A\" @t\n    button @9\n");
    assert_eq!(outcome(&desktop, &map, button), "STALE_REF saved_ref_absent");
}

#[test]
fn twins_are_refused_unless_the_address_lasts() {
    let twins = "window @w\n  button \"Go\" @1\n  button \"Go\" @2\n";
    assert_eq!(resolves(twins, "Go", twins), "AMBIGUOUS_TARGET identity_not_unique");
    let one_left = "window @w\n  button \"Go\" @1\n";
    assert_eq!(resolves(twins, "Go", one_left), "AMBIGUOUS_TARGET identity_not_unique");
    assert_eq!(resolves(one_left, "Go", twins), "AMBIGUOUS_TARGET saved_ref_ambiguous");
    let lasting = "window @w\n  button \"Go\" @1 lasting\n  button \"Go\" @2 lasting\n";
    assert_eq!(resolves(lasting, "Go#1", lasting), "2");
    assert_eq!(
        resolves(lasting, "Go#1", "window @w\n  button \"Go\" @1 lasting\n"),
        "STALE_REF saved_ref_absent"
    );
}

#[test]
fn rows_that_begin_alike_are_told_by_all_their_texts() {
    let list = |rows: [(&str, &str); 2]| {
        let mut text = "window @w\n  list @l\n".to_owned();
        for (index, (first, second)) in rows.into_iter().enumerate() {
            text += &format!(
                "    row @r{index} lasting\n      group @g{index} lasting\n        \
                     statictext \"{first}\" @a{index} lasting\n        statictext \"{second}\" \
                     @b{index} lasting\n      button \"Delete\" @d{index} lasting\n"
            );
        }
        text
    };
    let invoices = list([("Invoice", "Alpha"), ("Invoice", "Beta")]);
    let rotated = list([("Invoice", "Beta"), ("Invoice", "Alpha")]);
    assert_eq!(resolves(&invoices, "Delete", &invoices), "d0");
    assert_eq!(resolves(&invoices, "Delete", &rotated), "STALE_REF context_changed");
    let basket = list([("Lamp", "2 pieces"), ("Chair", "2 pieces")]);
    let counted = list([("Lamp", "3 pieces"), ("Chair", "2 pieces")]);
    assert_eq!(resolves(&basket, "Delete", &counted), "d0", "its first text tells");
}

#[test]
fn rows_that_begin_alike_are_told_by_the_first_text_that_does() {
    let rows = "window @w\n  list @l\n    layoutitem @r1\n      statictext \"Item\" @a1\n      \
                    statictext \"Alpha\" @b1\n      button \"Delete\" @d1\n    layoutitem @r2\n      \
                    statictext \"Item\" @a2\n      statictext \"Beta\" @b2\n      button \
                    \"Delete\" @d2\n";
    assert_eq!(resolves(rows, "Delete", rows), "d1");
    assert_eq!(resolves(rows, "Delete#1", rows), "d2");
    let other = rows.replace("Beta", "Gamma");
    assert_eq!(resolves(rows, "Delete#1", &other), "STALE_REF context_changed");
    let boxes = rows.replace("layoutitem", "group").replace("list", "group");
    assert_eq!(resolves(&boxes, "Delete#1", &boxes), "d2");
    let echoes = "window @w\n  group @t\n    group @r1\n      group \"Apple\" @a1\n        \
                      statictext \"Apple\" @b1\n      group \"Delete\" @c1\n        button \
                      \"Delete\" @d1\n    group @r2\n      group \"Pear\" @a2\n        statictext \
                      \"Pear\" @b2\n      group \"Delete\" @c2\n        button \"Delete\" @d2\n";
    assert_eq!(resolves(echoes, "Delete#3", echoes), "d2", "cells are groups");
    assert_eq!(
        resolves(echoes, "Delete#3", &echoes.replace("Pear", "Plum")),
        "STALE_REF context_changed"
    );
}

#[test]
fn a_message_is_told_by_all_its_texts() {
    for lasting in ["", " lasting"] {
        let asks = |what: &str| {
            "window @w\n  alertdialog @a\n    group @g\n      statictext \"Are you sure?\" \
                 @q\n      statictext \"WHAT goes for good.\" @s\n    button \"Yes\" @y\n"
                .replace("WHAT", what)
                .replace('\n', &format!("{lasting}\n"))
        };
        let other = asks("Beta");
        assert_eq!(resolves(&asks("Alpha"), "Yes", &asks("Alpha")), "y");
        assert_eq!(resolves(&asks("Alpha"), "Yes", &other), "STALE_REF context_changed");
    }
}

#[test]
fn twins_that_rows_told_apart_need_them_to_do_so_still() {
    let same = ROWS.replace("Beta", "Alpha");
    assert_eq!(resolves(ROWS, "Delete", &same), "AMBIGUOUS_TARGET saved_ref_ambiguous");
    assert_eq!(resolves(&same, "Delete", ROWS), "AMBIGUOUS_TARGET identity_not_unique");
    let reborn = ROWS.replace("@d1", "@d9");
    assert_eq!(resolves(ROWS, "Delete", &reborn), "AMBIGUOUS_TARGET identity_not_unique");
}

#[test]
fn a_window_that_was_not_wholly_read() {
    let part = "window @w\n  list @l cut\n    button \"Go\" @1\n";
    let whole = "window @w\n  list @l\n    button \"Go\" @1\n";
    assert_eq!(resolves(part, "Go", whole), "1", "a full read proves it");
    let twice = format!("{whole}    button \"Go\" @2\n");
    assert_eq!(resolves(part, "Go", &twice), "AMBIGUOUS_TARGET identity_not_unique");
    let reborn = whole.replace("@1", "@9");
    assert_eq!(resolves(part, "Go", &reborn), "AMBIGUOUS_TARGET identity_not_unique");
    assert_eq!(resolves(whole, "Go", part), "TIMEOUT resolution_identity_unknown");
    let endless = whole.replace("@l", "@l counted=1000000");
    assert_eq!(resolves(whole, "Go", &endless), "AMBIGUOUS_TARGET identity_not_unique");
}

/// What tells the row stayed unread, and what is around it was taken for that.
#[test]
fn a_context_that_was_not_wholly_read_proves_nothing() {
    let whole = r#"
window @w lasting
  group @i lasting
    statictext "Inbox" @x lasting
    group @r lasting
      statictext "Rent" @t lasting
      button "Delete" @d lasting
"#;
    let part = whole.replace("@r lasting", "@r lasting cut");
    let unread = part.replace("      statictext \"Rent\" @t lasting\n", "");
    let becomes = |before: &str, after: &str| resolves_either_way(before, "Delete", after);
    let unknown = "AMBIGUOUS_TARGET identity_not_unique";
    assert_eq!(becomes(&unread, whole), unknown);
    assert_eq!(becomes(&unread, &whole.replace("Rent", "Food")), unknown);
    let nowhere = unread.replace(" cut", "").replace("Inbox", "");
    assert_eq!(becomes(&unread.replace("Inbox", ""), &nowhere), unknown);
    assert_eq!(becomes(&unread, "window @w lasting"), "STALE_REF saved_ref_absent");
    let elsewhere = whole.replace("@x lasting", "@x lasting\n    list @l lasting cut");
    assert_eq!(becomes(&elsewhere, whole), "d");
}

#[test]
fn a_lasting_address_is_vouched_for_without_reading_the_window() {
    let desktop = Desktop::new(LASTING);
    let (map, number) = snapshot(&desktop, "Delete#1");
    assert_eq!(reads(&desktop, &map, number), ("d2".into(), 0));
    desktop.becomes(&LASTING.replace("\"W\"", "\"*W\""));
    assert_eq!(reads(&desktop, &map, number), ("d2".into(), 0), "a title");
    desktop.becomes(&LASTING.replace("Alpha", "Beta"));
    assert_eq!(reads(&desktop, &map, number), ("d2".into(), 0), "a neighbour");
    desktop.becomes(&LASTING.replace("Beta", "Gamma"));
    assert_eq!(reads(&desktop, &map, number), ("STALE_REF context_changed".into(), 1));
    desktop.becomes(LASTING);
    desktop.silent.set(true);
    assert_eq!(reads(&desktop, &map, number), ("d2".into(), 1), "probes unanswered");
}

/// What becomes of the ref of `name`, whether or not probes are answered.
fn resolves_either_way(before: &str, name: &str, after: &str) -> String {
    let desktop = Desktop::new(before);
    let (map, number) = snapshot(&desktop, name);
    desktop.becomes(after);
    let probed = outcome(&desktop, &map, number);
    desktop.silent.set(true);
    assert_eq!(outcome(&desktop, &map, number), probed, "by reading the whole window");
    probed
}

const DIALOG: &str = r#"
dialog @w lasting
  group @v lasting
    group @t lasting
      statictext "Delete carol?" @q lasting
    group @b lasting
      button "No" @n lasting
      button "Yes" @y lasting
"#;

#[test]
fn a_lasting_button_is_not_the_same_below_another_question() {
    let becomes = |after: &str| resolves_either_way(DIALOG, "Yes", after);
    assert_eq!(becomes(DIALOG), "y");
    let everything = DIALOG.replace("carol", "EVERYTHING");
    assert_eq!(becomes(&everything), "STALE_REF context_changed");
    let none = DIALOG.replace("\"Delete carol?\"", "\"\"");
    assert_eq!(becomes(&none), "STALE_REF context_changed");
    let rebuilt = everything.replace("@q", "@p");
    assert_eq!(becomes(&rebuilt), "STALE_REF context_changed");
    let same_again = DIALOG.replace("@q", "@p");
    assert_eq!(becomes(&same_again), "y", "another label that says the same");
    let month = "window @w\n  group @g\n    statictext \"May\" @m lasting\n    button \"Next\" @n lasting\n";
    assert_eq!(
        resolves_either_way(month, "Next", &month.replace("May", "June")),
        "STALE_REF context_changed"
    );
}

#[test]
fn a_question_is_the_same_with_more_text_around_it() {
    let becomes = |after: &str| resolves_either_way(DIALOG, "Yes", after);
    let title = DIALOG.replace("@t lasting", "@t lasting\n      statictext \"Users\" @u");
    assert_eq!(becomes(&title), "y", "before it");
    let hint = DIALOG.replace("@b lasting", "@b lasting\n      statictext \"Sure?\" @u");
    assert_eq!(becomes(&hint), "y", "nearer");
    let named = title.replace("group @b", "group \"Answers\" @b");
    assert_eq!(becomes(&named), "y", "by which a container has come to be called");
    let nested = "window @w lasting\n  group @g lasting\n    statictext \"Rent\" @t lasting\n    button \"Delete\" @d lasting\n    row @r lasting\n      statictext \"Food\" @f lasting\n";
    let into_row = "window @w lasting\n  group @g lasting\n    statictext \"Rent\" @t lasting\n    row @r lasting\n      statictext \"Food\" @f lasting\n      button \"Delete\" @d lasting\n";
    assert_eq!(resolves_either_way(nested, "Delete", nested), "d");
    assert_eq!(
        resolves_either_way(nested, "Delete", into_row),
        "STALE_REF context_changed",
        "the text is still there, and does not speak of the button any more"
    );
}

#[test]
fn a_lasting_element_outlives_what_is_put_around_it() {
    let plain = "window @w\n  scrollarea @g\n    button \"Next\" @n lasting\n";
    let page =
        "window @w\n  tabpanel \"P\" @p\n    scrollarea @g\n      button \"Next\" @n lasting\n";
    // It may as well have been moved to that page.
    assert_eq!(resolves_either_way(plain, "Next", page), "STALE_REF context_changed");
    let nameless = page.replace("\"P\" ", "");
    assert_eq!(resolves_either_way(plain, "Next", &nameless), "n", "one that says nothing");
    let told = plain.replace("scrollarea @g", "group @g\n    statictext \"Go on?\" @q");
    let untold = plain.replace("scrollarea", "group");
    assert_eq!(resolves_either_way(&untold, "Next", &told), "n", "a text has come");
    assert_eq!(resolves_either_way(page, "Next", plain), "STALE_REF saved_ref_absent");
    let other_page = page.replace("\"P\"", "\"Q\"");
    assert_eq!(resolves_either_way(page, "Next", &other_page), "STALE_REF saved_ref_absent");
    let renamed = page.replace("Next", "Previous");
    assert_eq!(resolves_either_way(page, "Next", &renamed), "STALE_REF saved_ref_absent");
    let row = "window @w\n  group @r\n    statictext \"A\" @t\n    group @b\n      button \"Go\" @n lasting\n";
    let page = "window @w\n  tabpanel \"P\" @p\n    group @r\n      statictext \"A\" @t\n      group @b\n        button \"Go\" @n lasting\n";
    assert_eq!(resolves_either_way(row, "Go", page), "n", "and what told it is still there");
}

/// Two rows of two columns, as GTK 3 lists them.
const CELLS: &str = r#"
window @w lasting
  table @t lasting
    column "Name" @h1 lasting
    column "State" @h2 lasting
    cell "Rent" @a1 lasting
    cell @a2 lasting
      cell @ai lasting
      cell "open" @a3 lasting
    cell "Food" @b1 lasting
    cell @b2 lasting
      cell @bi lasting
      cell "open" @b3 lasting
"#;

#[test]
fn a_cell_is_one_of_its_row_wherever_that_is() {
    let becomes = |name: &str, after: &str| resolves_either_way(CELLS, name, after);
    assert_eq!(becomes("open#1", CELLS), "b3");
    let other = CELLS.replace("Food", "Fees");
    assert_eq!(becomes("open#1", &other), "STALE_REF context_changed");
    assert_eq!(becomes("open", &other), "a3", "a cell of another row");
    assert_eq!(becomes("Rent", &CELLS.replacen("open", "paid", 1)), "STALE_REF context_changed");
    let lines: Vec<&str> = CELLS.lines().collect();
    let with_rows = |rows: &[&[&str]]| [&lines[..5], &rows.concat()].concat().join("\n");
    let (rent, food) = (&lines[5..9], &lines[9..]);
    assert_eq!(becomes("open#1", &with_rows(&[food, rent])), "b3", "sorted");
    let fuel = ["    cell \"Fuel\" @c1 lasting", "    cell \"open\" @c2 lasting"];
    assert_eq!(becomes("open#1", &with_rows(&[&fuel, rent, food])), "b3", "inserted");
    assert_eq!(becomes("open#1", &with_rows(&[rent])), "STALE_REF saved_ref_absent");
    let crossed = with_rows(&[&rent[..1], &food[1..], &food[..1], &rent[1..]]);
    assert_eq!(becomes("open#1", &crossed), "STALE_REF context_changed", "in another row");
    let torn = with_rows(&[&rent[..1], food]);
    assert_eq!(becomes("open#1", &torn), "STALE_REF context_changed", "in no row");
}

#[test]
fn another_desktop_process_or_window() {
    let desktop = Desktop::new(ROWS);
    let (map, number) = snapshot(&desktop, "Delete");
    assert_eq!(outcome(&desktop, &map, 99), "STALE_REF saved_ref_absent");
    desktop.process.set(Process { pid: 100, started: 6 });
    assert_eq!(outcome(&desktop, &map, number), "STALE_REF process_changed");
    desktop.open.set(false);
    assert_eq!(outcome(&desktop, &map, number), "WINDOW_NOT_FOUND source_window_absent");
    let other = Desktop { id: "guid-2", ..Desktop::new(ROWS) };
    assert_eq!(outcome(&other, &map, number), "STALE_REF desktop_changed");
}

#[test]
fn candidates_are_few_and_say_where_they_stand() {
    let desktop = Desktop::new(ROWS);
    let (map, number) = snapshot(&desktop, "Delete");
    let mut scene = ROWS.replace("Beta", "Alpha");
    for row in 3..9 {
        scene += &format!("    row\n      statictext \"Row {row}\"\n      button \"Delete\"\n");
    }
    desktop.becomes(&scene);
    let reference = Ref { snapshot: SnapshotId::parse("s1234").unwrap(), number };
    let error = resolve(&desktop, &map, &reference, Deadline::after_ms(1_000)).unwrap_err();
    assert_eq!(error.code, Code::AmbiguousTarget);
    let Some(Details::SavedRefAmbiguous { candidates, .. }) = error.details.as_deref() else {
        panic!("{error:?}");
    };
    let within: Vec<_> = candidates.iter().filter_map(|it| it.within.as_deref()).collect();
    assert_eq!(within, ["Alpha", "Alpha", "Row 3", "Row 4", "Row 5"]);
}
