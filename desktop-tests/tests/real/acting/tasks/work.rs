//! What a task is written in: an application that is worked on by refs, and somebody else who says
//! what became of it.

use std::{
    cell::{Cell, RefCell},
    process::Stdio,
    time::{Duration, Instant},
};

use desktop_tests::{
    App, Desktop, Outcome, Process,
    applications::Application,
    reader::Said,
    sheet, tree, wait,
    web::{Browser, Kind},
};
use serde_json::Value;

use super::table::{self, Row};

/// One application that is worked on. Its tasks are done one after the other.
pub(super) struct Work {
    pub(super) desktop: Desktop,
    witness: RefCell<Witness>,
    /// What the table calls it.
    title: &'static str,
    toolkit: &'static str,
    /// What `--app` takes.
    name: &'static str,
    /// The id of the window that is worked on.
    window: RefCell<String>,
    rows: RefCell<Vec<(Row, u128)>>,
    /// The commands of the task under way.
    commands: RefCell<Vec<String>>,
    /// Whether something in the task under way could not be verified by the program itself.
    untold: Cell<bool>,
}

/// Who says what became of it, besides libatspi.
enum Witness {
    App(App),
    Browser(Browser),
}

/// Where the pointer is, which window is active, and which windows there are.
#[derive(Debug, PartialEq, Eq)]
struct Scene {
    pointer: String,
    active: String,
    windows: Vec<String>,
}

/// How long an effect may take to show to somebody else.
const SHOWS: Duration = Duration::from_secs(10);

impl Work {
    /// An application of the catalogue.
    #[track_caller]
    pub(super) fn on(application: &'static Application, toolkit: &'static str) -> Self {
        let desktop = Desktop::start();
        let app = desktop.open(application);
        let Application { title, name, .. } = application;
        Self::with(desktop, Witness::App(app), title, toolkit, name)
    }

    /// The window that has one control of each kind, in the toolkit of that name.
    #[track_caller]
    pub(super) fn on_gallery(kind: &str, title: &'static str, toolkit: &'static str) -> Self {
        let desktop = Desktop::start();
        let mut python = desktop.command("/usr/bin/python3");
        python
            .args(["-W", "ignore"])
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/programs/gallery.py"))
            .arg(kind)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // GTK 4.8.3 complains each time that somebody asks where something is.
            .stderr(Stdio::null());
        let process = Process::spawn(&mut python).expect("python3 runs");
        let app = desktop.await_window(kind, process);
        Self::with(desktop, Witness::App(app), title, toolkit, "gallery")
    }

    /// A browser on a page of `pages`.
    #[track_caller]
    pub(super) fn on_page(kind: Kind, page: &str, toolkit: &'static str) -> Self {
        let desktop = Desktop::start();
        let page = format!("file://{}/pages/{page}", env!("CARGO_MANIFEST_DIR"));
        let browser = Browser::start(&desktop, kind, &[], &page);
        let name = match kind {
            Kind::Chromium => "Chromium",
            Kind::Firefox => "Firefox",
        };
        Self::with(desktop, Witness::Browser(browser), name, toolkit, name)
    }

    fn with(
        desktop: Desktop,
        witness: Witness,
        title: &'static str,
        toolkit: &'static str,
        name: &'static str,
    ) -> Self {
        let window = match &witness {
            Witness::App(app) => app.window_id(),
            Witness::Browser(browser) => browser.app.window_id(),
        };
        Self {
            desktop,
            witness: RefCell::new(witness),
            title,
            toolkit,
            name,
            window: RefCell::new(window),
            rows: RefCell::default(),
            commands: RefCell::default(),
            untold: Cell::default(),
        }
    }

    /// A task that is done: its effect is seen by somebody else.
    #[track_caller]
    pub(super) fn task(&self, control: &'static str, task: &'static str, work: impl FnOnce(&Self)) {
        let result = || match self.untold.get() {
            true => "done; the application offers nothing to verify it by",
            false => "done",
        };
        self.doing(control, task, work, result);
    }

    /// A task that is refused before anything is sent, and why it has to be.
    #[track_caller]
    pub(super) fn impossible(
        &self,
        control: &'static str,
        task: &'static str,
        why: &'static str,
        work: impl FnOnce(&Self),
    ) {
        self.doing(control, task, work, || why);
    }

    #[track_caller]
    fn doing(
        &self,
        control: &'static str,
        task: &'static str,
        work: impl FnOnce(&Self),
        result: impl FnOnce() -> &'static str,
    ) {
        let named = Named(format!("{}: {task}", self.title));
        self.untold.set(false);
        let start = Instant::now();
        work(self);
        let elapsed = start.elapsed().as_millis();
        drop(named);
        let row = Row {
            application: self.title,
            toolkit: self.toolkit,
            control,
            task,
            result: result(),
            commands: self.commands.take().join(", "),
        };
        self.rows.borrow_mut().push((row, elapsed));
    }

    /// Prints what was done and holds it against the table in docs/tasks.md.
    #[track_caller]
    pub(super) fn finish(self) {
        let rows = self.rows.take();
        for (row, elapsed) in &rows {
            println!("{}{elapsed} ms |", row.line().trim_end());
        }
        let rows: Vec<Row> = rows.into_iter().map(|(row, _)| row).collect();
        table::expect(&rows);
    }

    /// Runs a command that is part of the task.
    pub(super) fn run(&self, arguments: &[&str]) -> Outcome {
        self.notes(arguments[0]);
        self.desktop.run(arguments)
    }

    /// Notes a command that is part of the task.
    pub(super) fn notes(&self, command: &str) {
        let mut commands = self.commands.borrow_mut();
        if commands.iter().all(|one| one != command) {
            commands.push(command.to_owned());
        }
    }

    /// The ref of the first element of that role and name.
    #[track_caller]
    pub(super) fn find(&self, role: &str, name: &str) -> String {
        self.find_by(&["--role", role, "--name", name, "--exact"])
    }

    /// The ref of the first element that is so, or of the one that `--nth` names.
    #[track_caller]
    pub(super) fn find_by(&self, filters: &[&str]) -> String {
        let window = self.window.borrow();
        let number = match filters.contains(&"--nth") {
            true => &[][..],
            false => &["--first"],
        };
        let arguments = [&["find", "--window-id", &window], filters, number].concat();
        let run = wait::until("an element", SHOWS, || {
            let run = self.run(&arguments);
            // A dialog that is still being built may be busy for longer than it is waited for.
            match run.status == Some(0) && run.data()["match"].is_object() {
                true => Ok(run),
                false => Err(run.to_string()),
            }
        });
        let data = run.data();
        data["match"]["ref_id"].as_str().unwrap_or_else(|| panic!("no ref: {run}")).to_owned()
    }

    /// The ref of the innermost element with one of these roles that the text stands in.
    #[track_caller]
    pub(super) fn around(&self, text: &str, roles: &[&str]) -> String {
        let whole = ["snapshot", "--window-id", &self.window.borrow(), "--max-depth", "50"];
        let data = self.run(&whole).data();
        let holds = |node: &&Value| {
            roles.iter().any(|role| node["role"] == *role)
                && node["ref_id"].is_string()
                && tree::all(node).any(|inner| inner["name"] == text)
        };
        let around = tree::all(&data["tree"]).filter(holds).last();
        let around = around.unwrap_or_else(|| panic!("nothing around {text:?}: {data:#}"));
        around["ref_id"].as_str().expect("a ref").to_owned()
    }

    /// The ref of an item of a menu that stays closed. What it holds is told by drilling into it;
    /// in Qt its title and what it holds are two elements.
    #[track_caller]
    pub(super) fn item_of(&self, menu: &str, item: &str) -> String {
        let inside = self.run(&["snapshot", "--root", menu, "--max-depth", "50"]).data();
        // Mousepad fills names up with blanks.
        let is_meant = |node: &&Value| node["name"].as_str().is_some_and(|it| it.trim() == item);
        if let Some(found) = tree::all(&inside["tree"]).skip(1).find(is_meant) {
            return found["ref_id"].as_str().expect("a ref").to_owned();
        }
        let below = tree::all(&inside["tree"]).skip(1).find(|node| node["role"] == "menu");
        let below = below.and_then(|menu| menu["ref_id"].as_str());
        self.item_of(below.unwrap_or_else(|| panic!("no {item}: {inside:#}")), item)
    }

    /// Acts on an element; its effect was seen by the program itself too.
    #[track_caller]
    pub(super) fn does(&self, arguments: &[&str]) -> Value {
        let data = self.acts(arguments);
        assert_eq!(data["disposition"]["delivery"], "delivered_verified", "{data:#}");
        data
    }

    /// Asks for what is so already, for which nothing is sent.
    #[track_caller]
    pub(super) fn leaves(&self, arguments: &[&str]) {
        let data = self.acts(arguments);
        assert_eq!(data["disposition"]["delivery"], "not_delivered", "{data:#}");
    }

    /// Whether the program says that of an element.
    #[track_caller]
    pub(super) fn is_so(&self, element: &str, property: &str, expected: bool) {
        let data = self.run(&["is", element, "--property", property]).data();
        assert_eq!(data["result"], expected, "{data:#}");
    }

    /// Acts on an element whose application offers nothing to verify it by.
    #[track_caller]
    pub(super) fn sends(&self, arguments: &[&str]) -> Value {
        let data = self.acts(arguments);
        assert_eq!(data["disposition"]["delivery"], "delivered_unverified", "{data:#}");
        self.untold.set(true);
        data
    }

    /// Acts on an element; whether its application offers something to verify it by may depend on
    /// how fast it is.
    #[track_caller]
    pub(super) fn acts_upon(&self, arguments: &[&str]) -> Value {
        let data = self.acts(arguments);
        let delivery = data["disposition"]["delivery"].as_str().unwrap_or_default();
        assert!(delivery.starts_with("delivered_"), "{data:#}");
        data
    }

    /// Acts on an element, and leaves the user alone.
    #[track_caller]
    fn acts(&self, arguments: &[&str]) -> Value {
        let before = self.scene();
        let data = self.run(arguments).data();
        self.is_undisturbed(&before, &data);
        data
    }

    /// An action that is refused with nothing sent, and with a way out.
    #[track_caller]
    pub(super) fn refuses(&self, arguments: &[&str], code: &str, way_out: &str) -> Value {
        let before = self.scene();
        let run = self.run(arguments);
        let error = run.error(code);
        assert_eq!(self.scene(), before, "{error:#}");
        assert!(error["suggestion"].as_str().unwrap().contains(way_out), "{error:#}");
        error
    }

    /// An action that the application takes and does not do; it is told, and the user left alone.
    #[track_caller]
    pub(super) fn is_found_out(&self, arguments: &[&str]) {
        let before = self.scene();
        let answer = self.run(arguments).envelope();
        assert_eq!(answer["error"]["code"], "ACTION_FAILED", "{answer:#}");
        assert_eq!(answer["error"]["disposition"]["retry"], "unsafe", "{answer:#}");
        assert_eq!(self.scene(), before, "{answer:#}");
    }

    /// Neither pointer nor focus moved, but for what the window manager does about windows that
    /// open and close.
    #[track_caller]
    fn is_undisturbed(&self, before: &Scene, data: &Value) {
        let after = self.scene();
        assert_eq!(after.pointer, before.pointer, "the pointer moved: {data:#}");
        let opened = !before.windows.contains(&after.active);
        let closed = !after.windows.contains(&before.active);
        assert!(
            after.active == before.active || opened || closed,
            "the focus went from {before:?} to {after:?}: {data:#}"
        );
    }

    fn scene(&self) -> Scene {
        let ask = |program: &str, arguments: &[&str]| {
            let output = self.desktop.command(program).args(arguments).output();
            String::from_utf8_lossy(&output.expect("it runs").stdout).into_owned()
        };
        let told = ask("xprop", &["-root", "_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST"]);
        let mut lines = told.lines().map(|line| line.split_once('#').unwrap_or_default().1.trim());
        // The window below it may have grown or gone.
        let pointer = ask("xdotool", &["getmouselocation"]);
        let place = pointer.split(" screen").next().unwrap_or_default();
        Scene {
            pointer: place.to_owned(),
            active: lines.next().unwrap_or_default().to_owned(),
            windows: lines.next().unwrap_or_default().split(", ").map(str::to_owned).collect(),
        }
    }

    /// Whether anybody could get the keyboard now, as no menu lets them while it holds it.
    pub(super) fn keyboard_is_free(&self) -> bool {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/keyboard.py");
        let output = self.desktop.command("/usr/bin/python3").arg(script).output();
        String::from_utf8_lossy(&output.expect("python3 runs").stdout).trim() == "free"
    }

    /// Waits until the keyboard can be had again.
    #[track_caller]
    pub(super) fn gives_keyboard_back(&self) {
        wait::until("the keyboard", SHOWS, || match self.keyboard_is_free() {
            true => Ok(()),
            false => Err("somebody has grabbed it".to_owned()),
        });
    }

    /// Waits until an expression has that value: in the page, or in the toolkit itself.
    #[track_caller]
    pub(super) fn sees(&self, expression: &str, expected: impl Into<Value>) {
        let expected = expected.into();
        wait::until(expression, SHOWS, || {
            let value = self.value(expression);
            if value == expected { Ok(()) } else { Err(value.to_string()) }
        });
    }

    /// What an expression is worth in the page, or in the toolkit itself.
    #[track_caller]
    pub(super) fn value(&self, expression: &str) -> Value {
        match &mut *self.witness.borrow_mut() {
            Witness::Browser(browser) => browser.evaluate(expression),
            Witness::App(app) => {
                let answer = app.process.ask(expression);
                serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
            }
        }
    }

    /// What all accessibles of that role say in the first window, as libatspi has it.
    #[track_caller]
    pub(super) fn said(&self, role: &str) -> Vec<Said> {
        match &*self.witness.borrow() {
            Witness::App(app) => self.desktop.said(app, role),
            Witness::Browser(browser) => self.desktop.said(&browser.app, role),
        }
    }

    /// Waits until libatspi has one accessible of that role that is so.
    #[track_caller]
    pub(super) fn hears(&self, role: &str, is_so: impl Fn(&Said) -> bool) {
        wait::until(&format!("a {role}"), SHOWS, || {
            let said = self.said(role);
            if said.iter().any(&is_so) { Ok(()) } else { Err(format!("{said:?}")) }
        });
    }

    /// Waits until something with that name or description has that state, as libatspi has it.
    #[track_caller]
    pub(super) fn shows(&self, text: &str, state: &str) {
        wait::until(&format!("{text:?} to be {state}"), SHOWS, || {
            let there = match &*self.witness.borrow() {
                Witness::App(app) => self.desktop.has(app, text, state),
                Witness::Browser(browser) => self.desktop.has(&browser.app, text, state),
            };
            if there { Ok(()) } else { Err("not yet".to_owned()) }
        });
    }

    /// Waits until nothing with that name or description shows, as libatspi has it.
    #[track_caller]
    pub(super) fn hides(&self, text: &str) {
        wait::until(&format!("{text:?} to be hidden"), SHOWS, || {
            let there = match &*self.witness.borrow() {
                Witness::App(app) => self.desktop.has(app, text, "showing"),
                Witness::Browser(browser) => self.desktop.has(&browser.app, text, "showing"),
            };
            if there { Err("it shows".to_owned()) } else { Ok(()) }
        });
    }

    /// A cell of the first sheet, as libatspi has it; counted from 1.
    #[track_caller]
    pub(super) fn cell(&self, row: u32, column: u32) -> sheet::Cell {
        match &*self.witness.borrow() {
            Witness::App(app) => self.desktop.cell(app, (row, column)),
            Witness::Browser(_) => panic!("a page has no sheet"),
        }
    }

    /// Goes on in the window with that title, once it is there.
    #[track_caller]
    pub(super) fn turn_to(&self, title: &str) {
        let id = wait::until(title, SHOWS, || {
            let windows = self.desktop.run(&["list-windows", "--app", self.name]).envelope();
            let mut windows = windows["data"].as_array().into_iter().flatten();
            let found = windows.find(|window| {
                window["title"].as_str().is_some_and(|found| found.starts_with(title))
            });
            let id = found.and_then(|window| window["id"].as_str());
            id.map(str::to_owned).ok_or_else(|| "none".to_owned())
        });
        *self.window.borrow_mut() = id;
    }

    /// Goes on in the window in which it began.
    pub(super) fn turn_back(&self) {
        let window = match &*self.witness.borrow() {
            Witness::App(app) => app.window_id(),
            Witness::Browser(browser) => browser.app.window_id(),
        };
        *self.window.borrow_mut() = window;
    }

    /// Waits until no window has that title.
    #[track_caller]
    pub(super) fn lacks_window(&self, title: &str) {
        wait::until(&format!("{title} to close"), SHOWS, || {
            let windows = self.desktop.run(&["list-windows", "--app", self.name]).envelope();
            let mut windows = windows["data"].as_array().into_iter().flatten();
            if windows.all(|one| one["title"] != title) { Ok(()) } else { Err("there".into()) }
        });
    }
}

/// Whether `said` has that state.
pub(super) fn is(said: &Said, state: &str) -> bool {
    said.states.iter().any(|one| one == state)
}

/// How many surfaces of that kind `data` of an action lists.
pub(super) fn count(data: &Value, kind: &str) -> usize {
    let surfaces = data["surfaces"].as_array().into_iter().flatten();
    surfaces.filter(|surface| surface["type"] == kind).count()
}

/// Whether `data` of an action lists such a surface.
pub(super) fn lists(data: &Value, kind: &str, title: Option<&str>) -> bool {
    let surfaces = data["surfaces"].as_array().into_iter().flatten();
    surfaces
        .filter(|surface| surface["type"] == kind)
        .any(|surface| title.is_none_or(|title| surface["title"] == title))
}

/// Whether `data` of an action says of a surface of that kind that it holds the keyboard.
pub(super) fn grabs(data: &Value, kind: &str) -> bool {
    let mut surfaces = data["surfaces"].as_array().into_iter().flatten();
    surfaces.any(|surface| surface["type"] == kind && surface["grabs_input"] == true)
}

/// Says which task it was when it panics.
struct Named(String);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the task was: {}", self.0);
        }
    }
}
