//! Records what real applications say while their windows are read, for `desktop-tests/recordings`.
//! Each is opened on a private desktop of its own.

use std::{error::Error, fs, path::Path, time::Duration};

use desktop_tests::{
    App, Desktop,
    applications::{Application, Ready, gtk3, gtk4, libreoffice, qt, web},
    recording::{READINGS, record},
    wait,
    web::Kind,
};

/// One recording.
struct Subject {
    /// The name of its file.
    name: &'static str,
    application: &'static Application,
    /// Opens the window that is recorded, and says which one it is; else it is the first one.
    dialog: Option<fn(&Desktop, &App) -> String>,
}

const SUBJECTS: &[Subject] = &[
    Subject { name: "gtk3-zenity", application: &gtk3::ZENITY_FORMS, dialog: None },
    Subject { name: "gtk4-calculator", application: &gtk4::CALCULATOR, dialog: None },
    Subject { name: "qt5-kcalc", application: &qt::KCALC, dialog: None },
    Subject { name: "qt6-qt6ct", application: &qt::QT6CT, dialog: None },
    Subject { name: "chromium-page", application: &CHROMIUM, dialog: None },
    Subject { name: "firefox-page", application: &FIREFOX, dialog: None },
    Subject {
        name: "libreoffice-dialog",
        application: &libreoffice::LETTER,
        dialog: Some(find_and_replace),
    },
];

const CHROMIUM: Application = Application {
    prepare: |directory| show_form(Kind::Chromium, directory),
    ready: FORM_SHOWS,
    ..web::CHROMIUM
};

const FIREFOX: Application = Application {
    prepare: |directory| show_form(Kind::Firefox, directory),
    ready: FORM_SHOWS,
    ..web::FIREFOX
};

const FORM_SHOWS: Ready = Ready::Has("push button", "Twice");

/// A page that is small, so that its recording is.
#[expect(clippy::expect_used, reason = "a tool for people")]
fn show_form(kind: Kind, directory: &Path) -> Vec<String> {
    let page = directory.join("form.html");
    fs::write(&page, include_str!("../../desktop-tests/pages/form.html")).expect("a page");
    let mut arguments = kind.arguments(directory);
    arguments.push(format!("file://{}", page.display()));
    arguments
}

/// Writes those recordings into `directory` whose names are among `names`, or all of them.
pub(crate) fn run(directory: &Path, names: &[&str]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(directory)?;
    let meant = |subject: &&Subject| names.is_empty() || names.contains(&subject.name);
    for subject in SUBJECTS.iter().filter(meant) {
        let desktop = Desktop::start();
        let app = desktop.open(subject.application);
        let window = subject.dialog.map_or_else(|| app.window_id(), |open| open(&desktop, &app));
        let recording = record(&desktop, subject.application.title, &window, READINGS)?;
        let path = directory.join(format!("{}.jsonl", subject.name));
        fs::write(&path, recording.written())?;
        #[expect(clippy::print_stdout, reason = "a tool for people")]
        {
            println!("{}: {} bytes", path.display(), fs::metadata(&path)?.len());
        }
    }
    Ok(())
}

/// Opens Writer's dialog for finding and replacing.
fn find_and_replace(desktop: &Desktop, _: &App) -> String {
    let sent = desktop.command("xdotool").args(["key", "ctrl+h"]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the key was not sent");
    wait::until("the dialog", Duration::from_secs(60), || {
        let windows = desktop.run(&["list-windows", "--app", "soffice"]).data();
        let mut all = windows.as_array().into_iter().flatten();
        let found = all.find(|window| window["title"] == "Find and Replace");
        match found.and_then(|window| window["id"].as_str()) {
            Some(id) => Ok(id.to_owned()),
            None => Err(windows.to_string()),
        }
    })
}
