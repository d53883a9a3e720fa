//! Where scenes are played: a desktop, a state root of its own, and command lines that are
//! understood, run and answered as the program does it.
//!
//! Answers are JSON; they are checked to be, and then drawn in the manner of scenes, so that a
//! test shows what was on the desktop and what was said about it in one language. Everything that
//! was answered is drawn except the envelope's constants and the wording of errors.

use std::{cell::RefCell, path::Path};

use agent_desktop_engine::{
    commands::{
        Context, afterwards, arrange, clipboard_clear, clipboard_get, clipboard_set, find, get,
        interact, is, list_apps, list_displays, list_surfaces, list_windows, pointer, press,
        screenshot, snapshot, status, wait,
    },
    store::Store,
};
use agent_desktop_fake::{Desktop, Edit};
use agent_desktop_model::{
    error::Error,
    wire::{Acted, Envelope},
};
use clap::{CommandFactory, FromArgMatches};
use serde::Serialize;
use serde_json::{Map, Value};

/// A desktop that is being worked on.
pub(crate) struct Stage {
    pub(crate) desktop: Desktop,
    /// Whether the pointer and the focus may be taken.
    pub(crate) headed: bool,
    store: Store,
    /// The snapshot ids that were answered, in order: they print as `s1`, `s2`, …
    snapshots: Vec<String>,
    _root: tempfile::TempDir,
}

#[derive(Debug, clap::Parser)]
#[command(name = "agent-desktop")]
struct Whole {
    #[command(flatten)]
    waits: afterwards::Args,
    #[command(subcommand)]
    line: Line,
}

#[derive(Debug, clap::Subcommand)]
enum Line {
    Snapshot(snapshot::Args),
    Find(find::Args),
    Get(get::Args),
    Is(is::Args),
    Click(interact::click::Args),
    RightClick(interact::right_click::Args),
    DoubleClick(interact::double_click::Args),
    Focus(interact::focus::Args),
    Type(interact::r#type::Args),
    SetValue(interact::set_value::Args),
    Clear(interact::clear::Args),
    Select(interact::select::Args),
    Toggle(interact::toggle::Args),
    Check(interact::check::Args),
    Uncheck(interact::uncheck::Args),
    Expand(interact::expand::Args),
    Collapse(interact::collapse::Args),
    Scroll(interact::scroll::Args),
    ScrollTo(interact::scroll_to::Args),
    CloseApp(agent_desktop_engine::commands::close_app::Args),
    Launch(agent_desktop_engine::commands::launch::Args),
    ListApps(list_apps::Args),
    ListWindows(list_windows::Args),
    ListDisplays(list_displays::Args),
    ListSurfaces(list_surfaces::Args),
    TripleClick(interact::triple_click::Args),
    Press(press::Args),
    Hover(pointer::hover::Args),
    Drag(pointer::drag::Args),
    MouseMove(pointer::mouse_move::Args),
    MouseClick(pointer::mouse_click::Args),
    MouseWheel(pointer::mouse_wheel::Args),
    FocusWindow(arrange::focus_window::Args),
    Maximize(arrange::maximize::Args),
    Minimize(arrange::minimize::Args),
    MoveWindow(arrange::move_window::Args),
    ResizeWindow(arrange::resize_window::Args),
    Restore(arrange::restore::Args),
    Screenshot(screenshot::Args),
    ClipboardGet(clipboard_get::Args),
    ClipboardSet(clipboard_set::Args),
    ClipboardClear(clipboard_clear::Args),
    Status(status::Args),
    Wait(wait::Args),
}

/// Plays one command on `scene` and compares the drawn answer.
pub(crate) fn check(scene: &str, line: &str, expected: expect_test::Expect) {
    Stage::new(scene).check(line, expected);
}

impl Stage {
    pub(crate) fn new(scene: &str) -> Self {
        let desktop = Desktop::parse(scene).unwrap_or_else(|bad| panic!("{bad}"));
        // In memory where there is such a place: most of a test's time goes into its files.
        let memory = Path::new("/dev/shm");
        let root = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let root = root.unwrap();
        let store = Store { root: root.path().to_owned(), namespace: None };
        Self { desktop, headed: false, store, snapshots: Vec::new(), _root: root }
    }

    /// Runs `line`, in which `@s1:e2` stands for a ref of the first snapshot that was answered.
    pub(crate) fn check(&mut self, line: &str, expected: expect_test::Expect) {
        expected.assert_eq(&self.draw(line));
    }

    pub(crate) fn edit(&self, edit: Edit) {
        self.desktop.apply(&edit).unwrap_or_else(|refused| panic!("{edit:?}: {refused}"));
    }

    /// Has the lines from now on run in this session.
    pub(crate) fn enter(&mut self, session: &str) {
        self.store.namespace = Some(session.to_owned());
    }

    /// The answer to `line` as it is drawn.
    pub(crate) fn draw(&mut self, line: &str) -> String {
        let answer = self.answer(line);
        draw(&answer)
    }

    /// The answer to `line` as JSON, with short snapshot ids.
    pub(crate) fn answer(&mut self, line: &str) -> Value {
        let mut line = line.to_owned();
        for (index, id) in self.snapshots.iter().enumerate() {
            line = line.replace(&format!("@s{}:", index + 1), &format!("@{id}:"));
        }
        let mut printed = self.run(&words(&line));
        let whole: Value = serde_json::from_str(&printed).unwrap();
        let ids = [&whole["data"]["snapshot_id"], &whole["error"]["details"]["snapshot_id"]];
        if let Some(id) = ids.into_iter().find_map(Value::as_str)
            && !self.snapshots.iter().any(|known| known == id)
        {
            self.snapshots.push(id.to_owned());
        }
        for (index, id) in self.snapshots.iter().enumerate() {
            printed = printed.replace(id.as_str(), &format!("s{}", index + 1));
        }
        let mut answer = serde_json::from_str(&printed).unwrap();
        forget_times(&mut answer);
        answer
    }

    /// The line that the program would print.
    fn run(&self, words: &[String]) -> String {
        let argv = ["agent-desktop".to_owned()].into_iter().chain(words.iter().cloned());
        let whole = parse(argv).unwrap_or_else(|error| panic!("{error}"));
        let context = Context {
            platform: &self.desktop,
            store: &self.store,
            headed: self.headed,
            input: || Ok("from standard input".to_owned()),
        };
        let name = words[0].as_str();
        let acts = |element: &interact::Element,
                    run: &dyn Fn(&Context<'_>) -> Result<Acted, Error>| {
            match whole.waits.asked() {
                Some(_) => {
                    let token = Some(&*element.ref_id);
                    print(name, afterwards::action(&whole.waits, token, &context, run))
                }
                None => print(name, run(&context)),
            }
        };
        match &whole.line {
            Line::Snapshot(args) if whole.waits.asked().is_some() => {
                print(name, afterwards::snapshot(args, &whole.waits, &context))
            }
            Line::Snapshot(args) => print(name, snapshot::run(args, &context)),
            Line::Find(args) => print(name, find::run(args, &context)),
            Line::Get(args) => print(name, get::run(args, &context)),
            Line::Is(args) => print(name, is::run(args, &context)),
            Line::Click(args) => {
                acts(&args.element, &|context| interact::click::run(args, context))
            }
            Line::RightClick(args) => {
                acts(&args.element, &|context| interact::right_click::run(args, context))
            }
            Line::DoubleClick(args) => {
                acts(&args.element, &|context| interact::double_click::run(args, context))
            }
            Line::Focus(args) => {
                acts(&args.element, &|context| interact::focus::run(args, context))
            }
            Line::Type(args) => {
                acts(&args.element, &|context| interact::r#type::run(args, context))
            }
            Line::SetValue(args) => {
                acts(&args.element, &|context| interact::set_value::run(args, context))
            }
            Line::Clear(args) => {
                acts(&args.element, &|context| interact::clear::run(args, context))
            }
            Line::Select(args) => {
                acts(&args.element, &|context| interact::select::run(args, context))
            }
            Line::Toggle(args) => {
                acts(&args.element, &|context| interact::toggle::run(args, context))
            }
            Line::Check(args) => {
                acts(&args.element, &|context| interact::check::run(args, context))
            }
            Line::Uncheck(args) => {
                acts(&args.element, &|context| interact::uncheck::run(args, context))
            }
            Line::Expand(args) => {
                acts(&args.element, &|context| interact::expand::run(args, context))
            }
            Line::Collapse(args) => {
                acts(&args.element, &|context| interact::collapse::run(args, context))
            }
            Line::Scroll(args) => {
                acts(&args.element, &|context| interact::scroll::run(args, context))
            }
            Line::ScrollTo(args) => {
                acts(&args.element, &|context| interact::scroll_to::run(args, context))
            }
            Line::CloseApp(args) => {
                print(name, agent_desktop_engine::commands::close_app::run(args, &context))
            }
            Line::Launch(args) => {
                print(name, agent_desktop_engine::commands::launch::run(args, &context))
            }
            Line::ListApps(args) => print(name, list_apps::run(args, &context)),
            Line::ListWindows(args) => print(name, list_windows::run(args, &context)),
            Line::ListDisplays(args) => print(name, list_displays::run(args, &context)),
            Line::ListSurfaces(args) => print(name, list_surfaces::run(args, &context)),
            Line::TripleClick(args) => {
                acts(&args.element, &|context| interact::triple_click::run(args, context))
            }
            Line::Press(args) => print(name, press::run(args, &context)),
            Line::Hover(args) if whole.waits.asked().is_some() => {
                let act = |context: &Context<'_>| pointer::hover::run(args, context);
                let token = args.ref_id.as_deref();
                print(name, afterwards::action(&whole.waits, token, &context, act))
            }
            Line::Hover(args) => print(name, pointer::hover::run(args, &context)),
            Line::Drag(args) if whole.waits.asked().is_some() => {
                let act = |context: &Context<'_>| pointer::drag::run(args, context);
                print(name, afterwards::action(&whole.waits, args.acted_on(), &context, act))
            }
            Line::Drag(args) => print(name, pointer::drag::run(args, &context)),
            Line::MouseMove(args) => print(name, pointer::mouse_move::run(args, &context)),
            Line::MouseClick(args) => print(name, pointer::mouse_click::run(args, &context)),
            Line::MouseWheel(args) => print(name, pointer::mouse_wheel::run(args, &context)),
            Line::FocusWindow(args) => print(name, arrange::focus_window::run(args, &context)),
            Line::Maximize(args) => print(name, arrange::maximize::run(args, &context)),
            Line::Minimize(args) => print(name, arrange::minimize::run(args, &context)),
            Line::MoveWindow(args) => print(name, arrange::move_window::run(args, &context)),
            Line::ResizeWindow(args) => print(name, arrange::resize_window::run(args, &context)),
            Line::Restore(args) => print(name, arrange::restore::run(args, &context)),
            Line::Screenshot(args) => print(name, screenshot::run(args, &context)),
            Line::ClipboardGet(args) => print(name, clipboard_get::run(args, &context)),
            Line::ClipboardSet(args) => print(name, clipboard_set::run(args, &context)),
            Line::ClipboardClear(args) => print(name, clipboard_clear::run(args, &context)),
            Line::Status(args) => print(name, status::run(args, &context)),
            Line::Wait(args) => print(name, wait::run(args, &context)),
        }
    }
}

/// Takes out how long something took, which is never the same.
fn forget_times(answer: &mut Value) {
    if let Some(held) = answer.pointer_mut("/data/details/auto_wait/lease_hold_ms") {
        *held = 0.into();
    }
}

/// Understands `argv`. The parser is built once: a property test asks it 100,000 times.
fn parse(argv: impl Iterator<Item = String>) -> Result<Whole, clap::Error> {
    thread_local! {
        static PARSER: RefCell<clap::Command> = RefCell::new(Whole::command());
    }
    PARSER.with_borrow_mut(|parser| {
        let mut matches = parser.try_get_matches_from_mut(argv)?;
        Whole::from_arg_matches_mut(&mut matches)
    })
}

fn print<T: Serialize>(name: &str, result: Result<T, Error>) -> String {
    serde_json::to_string(&Envelope::new(name, &result)).unwrap()
}

/// Splits a command line at spaces; quotes of either kind hold words together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quote = None;
    for character in line.chars() {
        match character {
            ' ' if quote.is_none() => words.extend(word.take()),
            _ if quote == Some(character) => quote = None,
            '"' | '\'' if quote.is_none() => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// The answer as it is drawn.
pub(crate) fn draw(answer: &Value) -> String {
    assert_eq!(answer["version"], "2.5", "{answer}");
    assert_eq!(answer["ok"], answer.get("data").is_some(), "{answer}");
    let mut drawing = String::new();
    match (&answer["data"], &answer["error"]) {
        (Value::Object(data), _) => draw_fields(&mut drawing, data),
        (Value::Array(items), _) => {
            for item in items {
                drawing.push_str(&format!("{item}\n"));
            }
        }
        (_, Value::Object(error)) => draw_error(&mut drawing, error),
        _ => panic!("neither data nor an error: {answer}"),
    }
    drawing
}

fn draw_fields(drawing: &mut String, data: &Map<String, Value>) {
    for (key, value) in data {
        match value {
            Value::Object(tree) if key == "tree" => draw_node(drawing, tree, 0),
            Value::Array(items) if items.iter().any(Value::is_object) => {
                drawing.push_str(&format!("{key}:\n"));
                for item in items {
                    drawing.push_str(&format!("  {item}\n"));
                }
            }
            _ => drawing.push_str(&format!("{key}: {value}\n")),
        }
    }
}

/// One node of a printed tree and those below it: every key that is there is drawn.
fn draw_node(drawing: &mut String, node: &Map<String, Value>, depth: usize) {
    drawing.push_str(&"  ".repeat(depth));
    drawing.push_str(node["role"].as_str().unwrap());
    if let Some(name) = node.get("name") {
        drawing.push_str(&format!(" {name}"));
    }
    if let Some(reference) = node.get("ref_id").and_then(Value::as_str) {
        drawing.push_str(&format!(" {}", reference.rsplit(':').next().unwrap()));
    }
    for (key, value) in node {
        match (key.as_str(), value) {
            ("role" | "name" | "ref_id" | "children", _) => {}
            ("states" | "available_actions", Value::Array(tokens)) => {
                let tokens: Vec<&str> = tokens.iter().filter_map(Value::as_str).collect();
                let tokens = tokens.join(" ");
                drawing.push_str(&match key.as_str() {
                    "states" => format!(" {tokens}"),
                    _ => format!(" [{tokens}]"),
                });
            }
            ("bounds", bounds) => drawing.push_str(&format!(
                " @{},{},{}x{}",
                bounds["x"], bounds["y"], bounds["width"], bounds["height"]
            )),
            ("native_id", id) if id["kind"] == "ax_identifier" => {
                drawing.push_str(&format!(" id={}", id["value"]));
            }
            _ => drawing.push_str(&format!(" {key}={value}")),
        }
    }
    drawing.push('\n');
    for child in node.get("children").and_then(Value::as_array).into_iter().flatten() {
        draw_node(drawing, child.as_object().unwrap(), depth + 1);
    }
}

/// What callers branch on. The wording is free, but there has to be one, with a way out.
fn draw_error(drawing: &mut String, error: &Map<String, Value>) {
    for wording in ["message", "suggestion"] {
        assert!(error.get(wording).and_then(Value::as_str).is_some_and(|text| text.len() > 10));
    }
    let disposition = &error["disposition"];
    drawing.push_str(&format!(
        "error: {} {}/{}\n",
        error["code"].as_str().unwrap(),
        disposition["delivery"].as_str().unwrap(),
        disposition["retry"].as_str().unwrap()
    ));
    let mut rest = error.clone();
    for known in ["code", "disposition", "message", "suggestion"] {
        rest.remove(known);
    }
    draw_fields(drawing, &rest);
}
