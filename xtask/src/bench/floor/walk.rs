//! Toolkits that have to be asked element by element: whatever one answer makes possible is asked
//! at once.

use std::collections::{HashMap, HashSet};

use desktop_tests::bus::{Call, Error, Message, Reader};

use super::{ACCESSIBLE, Conversation, accessibles, details};

/// How many calls are unanswered at most: more of them make no application faster.
const WINDOW: usize = 256;

/// What Qt lists where there is nobody.
const NOBODY: &str = "/org/a11y/atspi/null";

#[derive(Clone, Copy)]
enum Question {
    Children,
    Role,
    States,
    Interfaces,
    Other,
}

/// What has been said of an element by which its details are decided.
#[derive(Default)]
struct Said {
    role: Option<u32>,
    showing: Option<bool>,
    interfaces: Option<Vec<String>>,
}

/// Reads the window; how many elements it has.
pub(super) fn read(talk: &mut Conversation, app: &str, window: &str) -> Result<usize, Error> {
    let mut known = HashSet::from([window.to_owned()]);
    let mut said: HashMap<String, Said> = HashMap::new();
    let first = about(app, window);
    talk.calls += talk.bus.converse(WINDOW, first, |(path, question), answer| {
        if let Question::Children = question {
            let children = accessibles(answer.as_ref()).unwrap_or_default();
            let fresh = children.into_iter().map(|(_, path)| path);
            let fresh = fresh.filter(|path| path != NOBODY && known.insert(path.clone()));
            return fresh.flat_map(|path| about(app, &path)).collect();
        }
        let of = said.entry(path.clone()).or_default();
        of.take(question, answer.as_ref());
        let Said { role: Some(role), showing: Some(showing), interfaces: Some(interfaces) } = of
        else {
            return Vec::new();
        };
        let closed = is_item(*role) && !*showing;
        let interfaces = std::mem::take(interfaces);
        of.role = None;
        let calls = if closed { Vec::new() } else { details(app, &path, &interfaces) };
        calls.into_iter().map(|call| ((path.clone(), Question::Other), call)).collect()
    })?;
    Ok(known.len())
}

impl Said {
    fn take(&mut self, question: Question, answer: Option<&Message>) {
        let Some(message) = answer else { return };
        let mut value = Reader::new(&message.body.bytes);
        match question {
            Question::Role => self.role = value.u32().ok(),
            Question::States => self.showing = super::is_showing(&mut value).ok(),
            Question::Interfaces => self.interfaces = value.array(4, Reader::text).ok(),
            Question::Children | Question::Other => {}
        }
    }
}

/// Whether the role is that of an item of a menu, which is not listed while the menu is closed.
fn is_item(role: u32) -> bool {
    matches!(role, 8 | 35 | 45)
}

fn about(app: &str, path: &str) -> Vec<((String, Question), Call)> {
    let method = |member| Call::new(app, path, ACCESSIBLE, member);
    let property = |name| Call::property(app, path, ACCESSIBLE, name);
    [
        (Question::Children, method("GetChildren")),
        (Question::Role, method("GetRole")),
        (Question::States, method("GetState")),
        (Question::Interfaces, method("GetInterfaces")),
        (Question::Other, property("Name")),
        (Question::Other, property("Description")),
    ]
    .into_iter()
    .map(|(question, call)| ((path.to_owned(), question), call))
    .collect()
}
