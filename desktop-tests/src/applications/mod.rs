//! The applications that the tests are made on: how each is started so that it is the same every
//! time, when it is ready, and what is done to it between two looks.

pub mod dense;
pub mod gtk3;
pub mod gtk4;
pub mod libreoffice;
pub mod others;
pub mod qt;
pub mod turns;
pub mod web;

use std::{fs, path::Path};

use crate::{App, Desktop};

/// One application with the file or profile that it opens.
#[derive(Debug)]
pub struct Application {
    /// What the documentation calls it.
    pub title: &'static str,
    /// Its name on the accessibility bus, as `--app` takes it.
    pub name: &'static str,
    /// The Debian packages that it consists of; `scripts/test` installs them.
    pub packages: &'static [&'static str],
    pub program: &'static str,
    /// Writes what it opens into a private, empty directory, and says which arguments it gets.
    pub prepare: fn(&Path) -> Vec<String>,
    /// Name and beginning of the version of the toolkit, as the application says them itself.
    pub toolkit: &'static str,
    /// How it is known that it is ready, after its window shows.
    pub ready: Ready,
    /// What is known not to work in it, for the documentation.
    pub limits: &'static [&'static str],
    /// Its window has at least so many elements.
    pub least: usize,
    /// What is done to it, each after a comparison and before the next.
    pub turns: &'static [Turn],
}

/// When an application is ready.
#[derive(Clone, Copy, Debug)]
pub enum Ready {
    /// As soon as its window shows. Nothing has then been read of what is in it.
    AtOnce,
    /// Once the X server has a window whose title begins so, and the program under test has then
    /// read as much of it as there is at least.
    Titled(&'static str),
    /// Once libatspi reads an element of that role name and raw name.
    Has(&'static str, &'static str),
    /// Once nothing in it says that, as a passing message does.
    Lacks(&'static str),
}

/// Something that changes an application, done without the program under test.
#[derive(Debug)]
pub struct Turn {
    /// After what the comparison is made, such as `a menu`.
    pub after: &'static str,
    pub make: fn(&Desktop, &App),
    /// Closes what was opened, after a comparison while it is open and before one when it is not.
    pub undo: Option<fn(&Desktop, &App)>,
}

impl Turn {
    /// Something that stays, such as another page.
    pub const fn to(after: &'static str, make: fn(&Desktop, &App)) -> Self {
        Self { after, make, undo: None }
    }

    /// Something that is opened and closed again, such as a menu.
    pub const fn passing(
        after: &'static str,
        make: fn(&Desktop, &App),
        undo: fn(&Desktop, &App),
    ) -> Self {
        Self { after, make, undo: Some(undo) }
    }
}

/// Everything in the catalogue.
pub fn all() -> impl Iterator<Item = &'static Application> {
    let all = [gtk3::ALL, gtk4::ALL, qt::ALL, libreoffice::ALL, web::ALL, others::ALL];
    all.into_iter().flatten().copied()
}

/// For what opens nothing.
pub(crate) fn nothing(_: &Path) -> Vec<String> {
    Vec::new()
}

/// For what opens a text of two lines.
pub(crate) fn note(directory: &Path) -> Vec<String> {
    let file = directory.join("note.txt");
    fs::write(&file, "one\ntwo\n").expect("a file");
    vec![file.display().to_string()]
}

/// For what opens a directory: one with three files.
pub(crate) fn three_files(directory: &Path) -> Vec<String> {
    let files = directory.join("files");
    fs::create_dir(&files).expect("a directory");
    for name in ["one.txt", "two.txt", "three.txt"] {
        fs::write(files.join(name), name).expect("a file");
    }
    vec![files.display().to_string()]
}
