//! Toolkits that have to be asked element by element: whatever one answer makes possible is asked
//! at once.

use std::collections::{HashMap, HashSet};

use desktop_tests::bus::{Call, Error, Message, Reader};

use super::{ACCESSIBLE, Conversation, accessibles, details, sheet};

/// How many calls are unanswered at most: more of them make no application faster.
const WINDOW: usize = 256;

/// What Qt lists where there is nobody.
const NOBODY: &str = "/org/a11y/atspi/null";

const MENU: u32 = 33;
const TABLE: u32 = 55;

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
    states: Option<u32>,
    interfaces: Option<Vec<String>>,
}

/// Reads the window; how many elements it has.
pub(super) fn read(talk: &mut Conversation, app: &str, window: &str) -> Result<usize, Error> {
    let mut walk = Walk { app, is_office: false, known: HashSet::new(), tables: Vec::new() };
    walk.below(talk, vec![window.to_owned()])?;
    Ok(walk.known.len())
}

/// The same of LibreOffice, whose closed menus are left alone and whose tables are read by places.
pub(super) fn read_office(
    talk: &mut Conversation,
    app: &str,
    window: &str,
) -> Result<usize, Error> {
    let mut walk = Walk { app, is_office: true, known: HashSet::new(), tables: Vec::new() };
    walk.below(talk, vec![window.to_owned()])?;
    let mut of_sheets = 0;
    for table in std::mem::take(&mut walk.tables) {
        match sheet::cells(talk, app, &table)? {
            sheet::Cells::All(cells) => walk.below(talk, cells)?,
            sheet::Cells::Filled(count) => of_sheets += count,
        }
    }
    Ok(walk.known.len() + of_sheets)
}

struct Walk<'a> {
    app: &'a str,
    is_office: bool,
    known: HashSet<String>,
    tables: Vec<String>,
}

impl Walk<'_> {
    /// Reads elements and what is below them.
    fn below(&mut self, talk: &mut Conversation, tops: Vec<String>) -> Result<(), Error> {
        let mut said: HashMap<String, Said> = HashMap::new();
        let first = self.all_about(tops);
        talk.calls += talk.bus.converse(WINDOW, first, |(path, question), answer| {
            if let Question::Children = question {
                let children = accessibles(answer.as_ref()).unwrap_or_default();
                return self.all_about(children.into_iter().map(|(_, path)| path).collect());
            }
            let of = said.entry(path.clone()).or_default();
            of.take(question, answer.as_ref());
            let Said { role: Some(role), states: Some(states), interfaces: Some(interfaces) } = of
            else {
                return Vec::new();
            };
            let (role, states) = (*role, *states);
            let interfaces = std::mem::take(interfaces);
            of.role = None;
            let closed = is_item(role) && states & super::SHOWING == 0;
            let calls = if closed { Vec::new() } else { details(self.app, &path, &interfaces) };
            let mut next: Vec<_> =
                calls.into_iter().map(|call| ((path.clone(), Question::Other), call)).collect();
            if self.is_office && role == TABLE {
                self.tables.push(path);
            } else if self.is_office && (role != MENU || states & SELECTED != 0) {
                next.push(children(self.app, path));
            }
            next
        })?;
        Ok(())
    }

    /// What is asked of those that are not known yet.
    fn all_about(&mut self, paths: Vec<String>) -> Vec<((String, Question), Call)> {
        let mut questions = Vec::new();
        for path in paths {
            if path == NOBODY || !self.known.insert(path.clone()) {
                continue;
            }
            questions.extend(about(self.app, &path));
            // Where what an element is decides whether it is asked for its children, that comes first.
            if !self.is_office {
                questions.push(children(self.app, path));
            }
        }
        questions
    }
}

const SELECTED: u32 = 1 << 23;

impl Said {
    fn take(&mut self, question: Question, answer: Option<&Message>) {
        let Some(message) = answer else { return };
        let mut value = Reader::new(&message.body.bytes);
        match question {
            Question::Role => self.role = value.u32().ok(),
            Question::States => self.states = super::low_states(&mut value).ok(),
            Question::Interfaces => self.interfaces = value.array(4, Reader::text).ok(),
            Question::Children | Question::Other => {}
        }
    }
}

/// Whether the role is that of an item of a menu, which is not listed while the menu is closed.
fn is_item(role: u32) -> bool {
    matches!(role, 8 | 35 | 45)
}

fn children(app: &str, path: String) -> ((String, Question), Call) {
    let call = Call::new(app, &path, ACCESSIBLE, "GetChildren");
    ((path, Question::Children), call)
}

fn about(app: &str, path: &str) -> Vec<((String, Question), Call)> {
    let method = |member| Call::new(app, path, ACCESSIBLE, member);
    let property = |name| Call::property(app, path, ACCESSIBLE, name);
    [
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
