//! Web browsers: how they are started, and what a page says of itself. That comes through the
//! browsers' own debugging protocols, which know nothing of accessibility, so that a page judges
//! what is read of it.

mod devtools;
mod marionette;
pub mod server;

use std::{fs, path::Path, process::Stdio, time::Duration};

use serde_json::Value;

pub use self::server::Server;
use self::{devtools::DevTools, marionette::Marionette};
use crate::{App, Desktop, Process, StoppedServer, process, wait};

/// Which browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Chromium,
    Firefox,
}

/// A browser that shows a page; it ends when this is dropped.
#[derive(Debug)]
pub struct Browser {
    pub app: App,
    page: Page,
}

#[derive(Debug)]
enum Page {
    Chromium(DevTools),
    Firefox(Marionette),
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Chromium, Self::Firefox];

    /// The command that starts it.
    pub fn program(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox-esr",
        }
    }

    /// Arguments with which it shows nothing but what it is told to, and keeps all that it writes
    /// in `directory`. Nothing here concerns accessibility.
    pub fn arguments(self, directory: &Path) -> Vec<String> {
        let profile = directory.join("profile");
        fs::create_dir_all(&profile).expect("a directory");
        let profile = profile.display();
        match self {
            Self::Chromium => [
                // Its sandbox does not work for root and in containers.
                "--no-sandbox",
                "--no-first-run",
                "--no-default-browser-check",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-session-crashed-bubble",
                "--disable-search-engine-choice-screen",
                "--disable-features=Translate",
                "--password-store=basic",
            ]
            .map(str::to_owned)
            .into_iter()
            .chain([format!("--user-data-dir={profile}")])
            .collect(),
            Self::Firefox => {
                fs::write(directory.join("profile/user.js"), PREFERENCES).expect("a file");
                vec!["--profile".to_owned(), profile.to_string()]
            }
        }
    }
}

/// What would open pages and bars of its own.
const PREFERENCES: &str = r#"
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.newtabpage.enabled", false);
user_pref("browser.newtab.preload", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("browser.tabs.firefox-view", false);
user_pref("browser.translations.automaticallyPopup", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("dom.ipc.processPrelaunch.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("termsofuse.bypassNotification", true);
user_pref("toolkit.cosmeticAnimations.enabled", false);
"#;

impl Browser {
    /// Starts a browser on `url` and waits until the page is there. Nothing has then been read of
    /// it by anybody.
    #[track_caller]
    pub fn start(desktop: &Desktop, kind: Kind, more: &[&str], url: &str) -> Self {
        let directory = desktop.directory(kind.program());
        let mut arguments = kind.arguments(&directory);
        arguments.extend(more.iter().map(|one| (*one).to_owned()));
        let log = fs::File::create(directory.join("application.log")).expect("a log");
        let (app, page) = match kind {
            Kind::Chromium => {
                // The protocol is spoken on the descriptors 3 and 4.
                let mut command = desktop.command("sh");
                command
                    .args(["-c", r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null"#, "sh"])
                    .args([kind.program(), "--remote-debugging-pipe"])
                    .args(arguments)
                    .arg(url)
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(log);
                let mut process = Process::spawn(&mut command).expect("sh runs");
                let page = DevTools::new(process.pipes());
                (desktop.await_window(kind.program(), process), Page::Chromium(page))
            }
            Kind::Firefox => {
                let port = marionette::free_port();
                let preferences = directory.join("profile/user.js");
                let port_line = format!("user_pref(\"marionette.port\", {port});\n");
                fs::write(preferences, PREFERENCES.to_owned() + &port_line).expect("a file");
                let mut command = desktop.command(kind.program());
                command.arg("--marionette").args(arguments).arg(url);
                command.stdout(Stdio::null()).stderr(log);
                let process = Process::spawn(&mut command).expect("the browser starts");
                let app = desktop.await_window(kind.program(), process);
                (app, Page::Firefox(Marionette::connect(port)))
            }
        };
        let mut browser = Self { app, page };
        browser.await_page(url);
        browser.app.settle();
        browser
    }

    /// Which browser it is.
    pub fn kind(&self) -> Kind {
        match self.page {
            Page::Chromium(_) => Kind::Chromium,
            Page::Firefox(_) => Kind::Firefox,
        }
    }

    /// Stops the process that draws Firefox's only page, until the result is dropped.
    #[track_caller]
    pub fn stop_page(&self) -> StoppedServer {
        StoppedServer::stop(process::descendant(self.app.pid, "Isolated Web Co"))
    }

    /// The value of a JavaScript expression in the page.
    #[track_caller]
    pub fn evaluate(&mut self, expression: &str) -> Value {
        self.ask(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Goes to another page and waits until it is there.
    #[track_caller]
    pub fn navigate(&mut self, url: &str) {
        self.evaluate(&format!("void (location.href = {url:?})"));
        self.await_page(url);
        self.app.settle();
    }

    /// Reloads the page and waits until it is there again.
    #[track_caller]
    pub fn reload(&mut self) {
        self.evaluate("void (document.documentElement.dataset.old = 'yes', location.reload())");
        wait::until("a new document", Duration::from_secs(60), || {
            let old = self.ask("document.documentElement.dataset.old || document.readyState");
            if old.as_ref().is_ok_and(|state| state == "complete") {
                Ok(())
            } else {
                Err(format!("{old:?}"))
            }
        });
        self.app.settle();
    }

    #[track_caller]
    fn await_page(&mut self, url: &str) {
        let what = format!("the page {url}");
        wait::until(&what, Duration::from_secs(60), || {
            let state = self.ask("[location.href, document.readyState]")?;
            if state[0] == url && state[1] == "complete" { Ok(()) } else { Err(state.to_string()) }
        });
    }

    fn ask(&mut self, expression: &str) -> Result<Value, String> {
        match &mut self.page {
            Page::Chromium(page) => page.evaluate(expression),
            Page::Firefox(page) => page.evaluate(expression),
        }
    }
}
