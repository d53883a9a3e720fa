//! Every application of the catalogue, each started once for all its checks: its window is the one
//! that libatspi reads, whatever was done to it before; everything that is asked of it fits
//! together; no question is one that hurts; and it lives on, no larger than before. What comes
//! out is the table of applications in docs/linux.md.

mod asking;
mod gtk3;
mod gtk4;
mod harm;
mod libreoffice;
mod others;
mod qt;
mod table;
mod web;

use std::{collections::BTreeSet, time::Duration};

use desktop_tests::{
    App, Desktop,
    applications::{self, Application},
    wait,
};

use crate::reading::agreement;

/// Starts an application and makes all checks that hold for every one, at the start and after
/// each of its turns.
#[track_caller]
pub(crate) fn check(application: &Application) {
    visit(application, Asked::Everything);
}

/// The same for what has tests of its own for all but the comparison.
#[track_caller]
pub(crate) fn compare(application: &Application) {
    visit(application, Asked::Snapshots);
}

/// What is asked of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Everything,
    Snapshots,
    /// As `Snapshots`, but often only for what is no cell of a sheet.
    FewCells,
}

#[track_caller]
fn visit(application: &Application, asked: Asked) {
    let desktop = Desktop::start();
    let app = desktop.open(application);
    visit_open(&desktop, &app, application, asked);
}

/// The same of one that was just opened.
#[track_caller]
fn visit_open(desktop: &Desktop, app: &App, application: &Application, asked: Asked) {
    says_its_toolkit(desktop, app, application);
    // The first reading of all is one that is compared.
    agreement::compare(desktop, app, application, "start");
    app.settle();
    agreement::compare_with_a_walk(desktop, app, application, "start");
    let compare = |after: &str| {
        agreement::compare_with_a_walk(desktop, app, application, after);
        agreement::compare(desktop, app, application, after);
    };
    let ask = || match asked {
        Asked::Everything => asking::ask_everything(desktop, app, application),
        Asked::Snapshots | Asked::FewCells => BTreeSet::new(),
    };
    let read_often = || {
        let commands = match asked {
            Asked::FewCells => harm::WITHOUT_CELLS,
            Asked::Everything | Asked::Snapshots => harm::ALL,
        };
        harm::read_often(desktop, app, application, commands);
    };
    let at_rest = ask();

    let mut compared = vec!["start".to_owned()];
    let mut opened = BTreeSet::new();
    let mut reads_are_due = true;
    for turn in application.turns {
        (turn.make)(desktop, app);
        if let Some(undo) = turn.undo {
            let open = format!("{} opened", turn.after);
            compare(&open);
            compared.push(open);
            opened.extend(ask().difference(&at_rest).cloned());
            if std::mem::take(&mut reads_are_due) {
                read_often();
            }
            undo(desktop, app);
        }
        compare(turn.after);
        compared.push(turn.after.to_owned());
    }
    if reads_are_due {
        read_often();
    }
    table::expect(application, asked, &compared, &opened);
}

#[track_caller]
fn says_its_toolkit(desktop: &Desktop, app: &App, application: &Application) {
    // A busy machine may keep it from answering in the time that one of many has.
    let listed = wait::until("an application that answers", Duration::from_secs(30), || {
        let data = desktop.run(&["list-apps"]).data();
        let mut apps = data["apps"].as_array().unwrap().iter();
        let it = apps.find(|one| one["pid"] == app.pid && one["responding"] == true);
        it.cloned().ok_or_else(|| data.to_string())
    });
    assert_eq!(listed["name"], application.name);
    let toolkit = listed["toolkit"].as_str().unwrap_or_default();
    assert!(toolkit.starts_with(application.toolkit), "{listed}");
}

#[test]
fn the_script_installs_every_package() {
    let script = include_str!("../../../../scripts/test");
    for application in applications::all() {
        for package in application.packages {
            assert!(script.split_whitespace().any(|word| word == *package), "{package}");
        }
    }
}
