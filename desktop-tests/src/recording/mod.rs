//! Conversations of applications on the accessibility bus, recorded once and replayed without any
//! desktop: what was asked of which object, and what it answered each time.
//!
//! A file has a line of JSON for what was recorded, then one for each object: its address, and for
//! each question the answer: the bare value if it has the usual type, `{"is": [signature, value…]}`
//! if it has another, `{"no": [error, words]}` for a refusal, `{"then": [answer…]}` where it
//! changed meanwhile. `~` stands for the beginning that all of AT-SPI's interfaces share.
//! `cargo xtask record` makes them.

mod replay;
mod take;
mod value;

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Map, Value, json};

use crate::bus::{Body, Error, Kind, Message, Reader};

pub use replay::{Order, Replay};
pub use take::record;

/// The commands that a recording has answers for; `WINDOW` stands for its window.
pub const READINGS: &[&[&str]] = &[
    &[
        "snapshot",
        "--window-id",
        "WINDOW",
        "--max-depth",
        "50",
        "--include-bounds",
        "--timeout-ms",
        "20000",
    ],
    &["snapshot", "--window-id", "WINDOW", "-i", "--compact", "--timeout-ms", "20000"],
    &["find", "--window-id", "WINDOW", "--role", "button", "--timeout-ms", "20000"],
];

/// A conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// What was recorded, for people.
    pub title: String,
    /// The window, as the program under test spells it.
    pub window: String,
    /// By bus name and path, then by question.
    objects: BTreeMap<(String, String), BTreeMap<String, Vec<Answer>>>,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq)]
enum Answer {
    Values(String, Vec<Value>),
    Refusal { name: String, words: String },
}

impl Recording {
    /// Reads the file at `path`.
    pub fn load(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a recording");
        let mut lines = text.lines().map(|line| {
            serde_json::from_str::<Map<String, Value>>(line).expect("a line of a recording")
        });
        let head = lines.next().expect("a first line");
        let word = |line: &Map<String, Value>, key: &str| {
            line.get(key).and_then(Value::as_str).expect("a text").to_owned()
        };
        let objects = lines.map(|line| {
            let questions = line.iter().filter(|(key, _)| !matches!(key.as_str(), "to" | "at"));
            let questions = questions.map(|(question, answer)| {
                let answers = match answer.get("then").and_then(Value::as_array) {
                    Some(answers) => answers.iter().collect(),
                    None => vec![answer],
                };
                let answers = answers.into_iter().map(|answer| Answer::load(question, answer));
                (question.clone(), answers.collect())
            });
            ((word(&line, "to"), word(&line, "at")), questions.collect())
        });
        Self {
            title: word(&head, "title"),
            window: word(&head, "window"),
            objects: objects.collect(),
        }
    }

    /// The file's content.
    pub fn written(&self) -> String {
        let mut text = json!({ "title": self.title, "window": self.window }).to_string() + "\n";
        for ((to, at), questions) in &self.objects {
            let mut line = Map::from_iter([
                ("at".into(), at.as_str().into()),
                ("to".into(), to.as_str().into()),
            ]);
            for (question, answers) in questions {
                let mut answers: Vec<Value> =
                    answers.iter().map(|answer| answer.written(question)).collect();
                let answer = match answers.len() {
                    1 => answers.remove(0),
                    _ => json!({ "then": answers }),
                };
                line.insert(question.clone(), answer);
            }
            text += &Value::Object(line).to_string();
            text.push('\n');
        }
        text
    }
}

impl Answer {
    fn of(message: &Message) -> Result<Self, Error> {
        Ok(match message.kind {
            Kind::Error => Self::Refusal {
                name: message.error.clone(),
                words: Reader::new(&message.body.bytes).text().unwrap_or_default(),
            },
            _ => Self::Values(message.body.signature.clone(), value::read(&message.body)?),
        })
    }

    fn load(question: &str, value: &Value) -> Self {
        let part = |key: &str| value.get(key).and_then(Value::as_array);
        let word = |parts: &[Value], at: usize| {
            parts.get(at).and_then(Value::as_str).expect("a word").to_owned()
        };
        if let Some(parts) = part("no") {
            Self::Refusal { name: word(parts, 0), words: word(parts, 1) }
        } else if let Some(parts) = part("is") {
            Self::Values(word(parts, 0), parts[1..].iter().map(|it| mapped(it, &whole)).collect())
        } else {
            Self::Values(usual(question).to_owned(), vec![mapped(value, &whole)])
        }
    }

    fn written(&self, question: &str) -> Value {
        match self {
            Self::Values(signature, values) if signature == usual(question) => {
                mapped(&values[0], &short)
            }
            Self::Values(signature, values) => {
                let values = values.iter().map(|value| mapped(value, &short));
                let parts: Vec<Value> = std::iter::once(json!(signature)).chain(values).collect();
                json!({ "is": parts })
            }
            Self::Refusal { name, words } => json!({ "no": [name, words] }),
        }
    }

    /// The message that says so in answer to `call`.
    fn message(&self, call: &Message) -> Result<Message, Error> {
        let answer = Message {
            reply_to: call.serial,
            sender: sender(&call.destination),
            destination: call.sender.clone(),
            ..Message::default()
        };
        Ok(match self {
            Self::Values(signature, values) => {
                Message { kind: Kind::Return, body: value::write(signature, values)?, ..answer }
            }
            Self::Refusal { name, words } => Message {
                kind: Kind::Error,
                error: name.clone(),
                body: Body::default().text(words),
                ..answer
            },
        })
    }
}

/// Who answers what is sent to `name`: a bus puts the unique name of the owner in its place.
fn sender(name: &str) -> String {
    let is_unique = name.starts_with(':') || name == "org.freedesktop.DBus";
    if is_unique { name.to_owned() } else { ":1.0".to_owned() }
}

/// A call as a question: what is called, or the property that is asked for, and with which arguments.
fn question(call: &Message) -> Result<String, Error> {
    let arguments = value::read(&call.body)?;
    let short = |interface: &str| interface.rsplit('.').next().unwrap_or_default().to_owned();
    Ok(match (call.member.as_str(), arguments.as_slice()) {
        ("Get", [Value::String(interface), Value::String(name)]) => {
            format!("{}.{name}", short(interface))
        }
        (member, []) => member.to_owned(),
        (member, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(Value::to_string).collect();
            format!("{member}({})", arguments.join(","))
        }
    })
}

const SHARED: &str = "org.a11y.atspi.";

/// A text as it stands in a file.
fn short(text: &str) -> String {
    match text.strip_prefix(SHARED) {
        Some(rest) => format!("~{rest}"),
        None if text.starts_with('~') => format!("~~{}", &text[1..]),
        None => text.to_owned(),
    }
}

/// The text that stands in a file as `text`.
fn whole(text: &str) -> String {
    match (text.strip_prefix("~~"), text.strip_prefix('~')) {
        (Some(rest), _) => format!("~{rest}"),
        (None, Some(rest)) => format!("{SHARED}{rest}"),
        (None, None) => text.to_owned(),
    }
}

/// `value` with every text in it changed.
fn mapped(value: &Value, change: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => change(text).into(),
        Value::Array(items) => items.iter().map(|item| mapped(item, change)).collect(),
        other => other.clone(),
    }
}

/// The type of which an answer is as a rule.
fn usual(question: &str) -> &'static str {
    match kind(question) {
        "GetRole" | "GetConnectionUnixProcessID" => "u",
        "GetState" => "au",
        "GetChildren" => "a(so)",
        "GetInterfaces" => "as",
        "GetAttributes" => "a{ss}",
        "GetExtents" => "(iiii)",
        "GetItems" => "a((so)(so)(so)iiassusau)",
        "GetName" | "GetText" => "s",
        _ => "v",
    }
}

/// A question without its arguments.
fn kind(question: &str) -> &str {
    question.split('(').next().unwrap_or(question)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_the_same_after_writing_and_reading() {
        let values = |signature: &str, value| Answer::Values(signature.to_owned(), vec![value]);
        let refusal = Answer::Refusal { name: "a.B".to_owned(), words: "no".to_owned() };
        let questions = BTreeMap::from([
            ("GetRole".to_owned(), vec![values("u", json!(43))]),
            ("Accessible.Name".to_owned(), vec![values("v", json!(["s", "OK"]))]),
            ("GetName(0)".to_owned(), vec![values("s", json!("click")), refusal]),
            ("GetText(0,-1)".to_owned(), vec![values("i", json!(3))]),
            ("GetInterfaces".to_owned(), vec![values("as", json!(["org.a11y.atspi.Text", "~x"]))]),
        ]);
        let recording = Recording {
            title: "A window".to_owned(),
            window: "w-1.1-a".to_owned(),
            objects: BTreeMap::from([((":1.1".to_owned(), "/a".to_owned()), questions)]),
        };
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.jsonl");
        fs::write(&path, recording.written()).unwrap();
        assert_eq!(Recording::load(&path), recording);
    }
}
