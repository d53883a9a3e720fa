//! Every command of the program against one switch of each class of misbehaviour, judged as
//! `cargo xtask matrix` judges all of them.

use std::collections::HashSet;

use desktop_tests::matrix::{self, SWITCHES};

/// One of each class: the one that most can go wrong with.
const ONE_OF_EACH: [&str; 11] = [
    "well-behaved",
    "clique",
    "wide, in bulk",
    "hangs early",
    "reborn",
    "recycled rows",
    "sentinels",
    "hostile names",
    "wrong types",
    "cuts texts",
    "flood",
];

#[test]
fn nothing_that_an_application_does_breaks_a_promise() {
    let chosen: Vec<_> =
        SWITCHES.iter().filter(|switch| ONE_OF_EACH.contains(&switch.name)).collect();
    let class = |switch: &matrix::Switch| switch.class;
    let classes: HashSet<_> = SWITCHES.iter().map(class).collect();
    assert_eq!(chosen.iter().map(|switch| switch.class).collect::<HashSet<_>>(), classes);
    let faults = matrix::run(&chosen).faults();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
