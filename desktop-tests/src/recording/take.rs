//! Making a recording: the program under test reads a window of a real application while the bus is
//! watched, and what belongs to this machine alone is taken out of what was said.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::{Answer, Recording, question, replay};
use crate::{
    Desktop,
    bus::{Error, Kind, Message},
};

/// A process that does not exist anywhere.
const NOBODY: u32 = i32::MAX as u32 - 1;

/// What the program under test says and is told while it carries out `commands`, in which `WINDOW`
/// stands for `window`.
pub fn record(
    desktop: &Desktop,
    title: &str,
    window: &str,
    commands: &[&[&str]],
) -> Result<Recording, Error> {
    let monitor = desktop.monitor();
    for command in commands {
        let command: Vec<&str> =
            command.iter().map(|word| if *word == "WINDOW" { window } else { *word }).collect();
        let address = desktop.accessibility_bus_address();
        replay::run(&address, &desktop.state_root(), &command).data();
    }
    let messages = monitor.messages()?;
    let mut scrub = Scrub::of(desktop);
    let mut recording =
        Recording { title: title.to_owned(), window: String::new(), objects: BTreeMap::new() };
    let mut open = HashMap::new();
    for message in &messages {
        match message.kind {
            Kind::Call if message.member != "Hello" => {
                open.insert((message.sender.clone(), message.serial), message);
            }
            Kind::Return | Kind::Error => {
                let key = (message.destination.clone(), message.reply_to);
                let Some(call) = open.remove(&key) else { continue };
                let (object, question, answer) = scrub.pair(call, message)?;
                let answers =
                    recording.objects.entry(object).or_default().entry(question).or_default();
                if answers.last() != Some(&answer) {
                    answers.push(answer);
                }
            }
            _ => {}
        }
    }
    recording.window = scrub.window(window);
    Ok(recording)
}

/// Gives what is different on every desktop a name that says nothing.
struct Scrub {
    home: String,
    names: Vec<String>,
    identifiers: Vec<String>,
}

impl Scrub {
    fn of(desktop: &Desktop) -> Self {
        let home = desktop.home().display().to_string();
        Self { home, names: Vec::new(), identifiers: Vec::new() }
    }

    fn pair(
        &mut self,
        call: &Message,
        reply: &Message,
    ) -> Result<((String, String), String, Answer), Error> {
        let object = (self.text(&call.destination), self.text(&call.path));
        let mut answer = Answer::of(reply)?;
        let question = question(call)?;
        match &mut answer {
            Answer::Values(_, values) => values.iter_mut().for_each(|value| self.value(value)),
            Answer::Refusal { words, .. } => *words = self.text(words),
        }
        if let ("GetConnectionUnixProcessID", Answer::Values(_, values)) =
            (call.member.as_str(), &mut answer)
        {
            *values = vec![NOBODY.into()];
        }
        if let ("GetApplicationBusAddress", Answer::Values(_, values)) =
            (call.member.as_str(), &mut answer)
        {
            *values = vec!["unix:path=/nowhere".into()];
        }
        Ok((object, self.text(&question), answer))
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            _ => {}
        }
    }

    /// `text` with names of connections, identifiers and the desktop's directory replaced.
    fn text(&mut self, text: &str) -> String {
        let mut text = text.replace(&self.home, "/home/demo");
        while let Some(at) = identifier(&text) {
            let found = text[at..at + IDENTIFIER].to_owned();
            let number = number_of(&found, &mut self.identifiers);
            text.replace_range(at..at + IDENTIFIER, &format!("n{number}"));
        }
        if let Some(name) = unique_name(&text) {
            let number = number_of(name, &mut self.names);
            text = text.replace(name, &format!(":1.{number}"));
        }
        text
    }

    fn window(&mut self, id: &str) -> String {
        let rest = id.strip_prefix("w-").unwrap_or(id);
        let (app, path) = rest.split_once('-').unwrap_or((rest, ""));
        let app = self.text(&format!(":{app}"));
        format!("w-{}-{}", app.trim_start_matches(':'), self.text(path))
    }
}

/// Which of `known` it is, counted from 1; what is new joins them.
fn number_of(one: &str, known: &mut Vec<String>) -> usize {
    let at = known.iter().position(|it| it == one).unwrap_or_else(|| {
        known.push(one.to_owned());
        known.len() - 1
    });
    at + 1
}

const IDENTIFIER: usize = 36;

/// Where a universally unique identifier begins, as GTK 4 has them in paths.
fn identifier(text: &str) -> Option<usize> {
    let is_one = |part: &[u8]| {
        part.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => matches!(byte, b'_' | b'-'),
            _ => byte.is_ascii_hexdigit(),
        })
    };
    text.as_bytes().windows(IDENTIFIER).position(is_one)
}

/// The unique name of a connection in `text`, bare or in quotes.
fn unique_name(text: &str) -> Option<&str> {
    let start = text.find(":1.")?;
    let length = text[start + 3..].bytes().take_while(u8::is_ascii_digit).count();
    let before = text[..start].bytes().last();
    (length > 0 && before.is_none_or(|byte| matches!(byte, b'"' | b'(' | b' ')))
        .then(|| &text[start..start + 3 + length])
}
