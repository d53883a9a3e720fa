//! Random edits. They name elements by number, so that they still mean something when the scene
//! around them shrinks.

use agent_desktop_fake::{Desktop, Edit};
use agent_desktop_model::{role::Role, state::State};
use proptest::{collection::vec, prelude::*, sample::Index};

use super::{
    scenes::{self, Item},
    survey::{Seen, survey},
};

/// An edit whose elements are still to be chosen.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Insert(Index, Index, Item),
    Remove(Index),
    Reorder(Index, Index),
    Rename(Index, String),
    /// A text that tells what others are comes to say something else, and they stand for that.
    Reword(Index, String),
    /// An element takes the name of another of its kind, which goes away or takes its name.
    TakeName(Index, Index, bool),
    Describe(Index, String),
    Touch(Index, bool),
    Scroll(Index, usize, Vec<Item>),
    PassOn(Index, Index),
    Rebuild(Index, bool),
    /// Another of the pages that stand behind each other comes to show.
    Turn(Index),
    /// One of them is closed, and the first of those that are left shows.
    Close(Index),
    /// A page makes way for another one of the same shape.
    Navigate(Index),
    Renew(Index),
    SetOpen(Index, bool),
    Retitle(String),
    Restart(bool),
}

pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    vec(change(), 0..5)
}

fn change() -> impl Strategy<Value = Change> {
    let which = any::<Index>;
    prop_oneof![
        6 => (which(), which(), scenes::piece()).prop_map(|(a, b, item)| Change::Insert(a, b, item)),
        6 => which().prop_map(Change::Remove),
        4 => (which(), which()).prop_map(|(a, b)| Change::Reorder(a, b)),
        4 => (which(), scenes::name()).prop_map(|(a, name)| Change::Rename(a, name)),
        4 => (which(), scenes::name()).prop_map(|(a, name)| Change::Reword(a, name)),
        4 => (which(), which(), any::<bool>()).prop_map(|(a, b, swap)| Change::TakeName(a, b, swap)),
        1 => (which(), scenes::name()).prop_map(|(a, name)| Change::Describe(a, name)),
        1 => (which(), any::<bool>()).prop_map(|(a, on)| Change::Touch(a, on)),
        6 => (which(), 0..3_usize, scenes::rows()).prop_map(|(a, by, rows)| Change::Scroll(a, by, rows)),
        6 => (which(), which()).prop_map(|(a, b)| Change::PassOn(a, b)),
        3 => (which(), any::<bool>()).prop_map(|(a, same)| Change::Rebuild(a, same)),
        3 => which().prop_map(Change::Navigate),
        4 => which().prop_map(Change::Turn),
        4 => which().prop_map(Change::Close),
        3 => which().prop_map(Change::Renew),
        1 => (which(), any::<bool>()).prop_map(|(a, open)| Change::SetOpen(a, open)),
        1 => scenes::name().prop_map(Change::Retitle),
        1 => any::<bool>().prop_map(Change::Restart),
    ]
}

impl Change {
    /// The edits on the desktop as it is now; none if there is nothing that they could be about.
    /// `before` is what was seen when refs were handed out.
    pub(crate) fn on(&self, desktop: &Desktop, before: &[Seen]) -> Vec<Edit> {
        let seen = survey(desktop);
        match self {
            Self::Reword(target, name) => reword(&seen, before, target, name),
            Self::TakeName(target, other, swap) => take_name(&seen, target, other, *swap),
            Self::Turn(page) => turn(&seen, page, false),
            Self::Close(page) => turn(&seen, page, true),
            _ => self.one(&seen).into_iter().collect(),
        }
    }

    fn one(&self, seen: &[Seen]) -> Option<Edit> {
        let pick = |index: &Index, suits: &dyn Fn(Role) -> bool| {
            let suiting: Vec<&str> = seen
                .iter()
                .filter(|seen| seen.role != Role::Window && suits(seen.role))
                .map(|seen| seen.identity.as_str())
                .collect();
            (!suiting.is_empty()).then(|| (*index.get(&suiting)).to_owned())
        };
        let any = |_: Role| true;
        let holds_others = |role: Role| {
            matches!(
                role,
                Role::Group
                    | Role::Row
                    | Role::TreeItem
                    | Role::List
                    | Role::TabList
                    | Role::TabPanel
                    | Role::Toolbar
                    | Role::ScrollArea
                    | Role::WebArea
                    | Role::Table
            )
        };
        Some(match self {
            Self::Insert(parent, index, item) => Edit::Insert {
                parent: pick(parent, &holds_others)?,
                index: index.index(4),
                scene: scenes::text_of(std::slice::from_ref(item)),
            },
            Self::Remove(target) => Edit::Remove { target: pick(target, &any)? },
            Self::Reorder(target, index) => {
                Edit::Reorder { target: pick(target, &any)?, index: index.index(4) }
            }
            Self::Rename(target, name) => {
                Edit::Rename { target: pick(target, &any)?, name: name.clone() }
            }
            Self::Describe(target, description) => {
                Edit::Describe { target: pick(target, &any)?, description: description.clone() }
            }
            Self::Touch(target, on) => {
                Edit::SetState { target: pick(target, &any)?, state: State::Disabled, on: *on }
            }
            Self::Scroll(list, by, rows) => Edit::Scroll {
                list: pick(list, &|role| role == Role::List)?,
                by: *by,
                scene: scenes::text_of(rows),
            },
            Self::PassOn(target, parent) => Edit::PassOn {
                target: pick(target, &|role| !holds_others(role))?,
                parent: pick(parent, &holds_others)?,
            },
            Self::Rebuild(target, same_address) => {
                Edit::Rebuild { target: pick(target, &any)?, same_address: *same_address }
            }
            Self::Navigate(target) => Edit::Rebuild {
                target: pick(target, &|role| role == Role::WebArea)?,
                same_address: false,
            },
            Self::Renew(target) => Edit::Renew { target: pick(target, &any)? },
            Self::SetOpen(target, open) => {
                Edit::SetOpen { target: pick(target, &|role| role == Role::Menu)?, open: *open }
            }
            Self::Retitle(name) => {
                Edit::Rename { target: scenes::WINDOW.into(), name: name.clone() }
            }
            Self::Restart(same_bus) => Edit::Restart { app: "editor".into(), same_bus: *same_bus },
            Self::TakeName(..) | Self::Reword(..) | Self::Turn(_) | Self::Close(_) => return None,
        })
    }
}

/// Shows one of the pages that stand behind each other, or closes it and shows another.
fn turn(seen: &[Seen], page: &Index, close: bool) -> Vec<Edit> {
    let pages: Vec<&Seen> = seen.iter().filter(|seen| seen.role == Role::Region).collect();
    if pages.is_empty() {
        return Vec::new();
    }
    let page = *page.get(&pages);
    let others = pages.iter().filter(|other| other.is_beside(page));
    let others: Vec<&Seen> =
        others.copied().filter(|other| other.identity != page.identity).collect();
    let label = |seen: &Seen| seen.identity.as_str().to_owned();
    let set = |page: &Seen, on: bool| -> Vec<Edit> {
        let inside =
            seen.iter().filter(|inside| inside.identity == page.identity || inside.stands_in(page));
        let set = |it| Edit::SetState { target: label(it), state: State::Hidden, on };
        inside.map(set).collect()
    };
    let mut edits: Vec<Edit> = others.iter().flat_map(|other| set(other, true)).collect();
    if close {
        edits.extend(others.first().map(|other| set(other, false)).unwrap_or_default());
        edits.push(Edit::Remove { target: label(page) });
    } else {
        edits.extend(set(page, false));
    }
    edits
}

fn take_name(seen: &[Seen], target: &Index, other: &Index, swap: bool) -> Vec<Edit> {
    let target = target.get(seen);
    let others: Vec<&Seen> = seen
        .iter()
        .filter(|other| other.role == target.role && other.identity != target.identity)
        .collect();
    if others.is_empty() || target.role == Role::Window {
        return Vec::new();
    }
    let label = |seen: &Seen| seen.identity.as_str().to_owned();
    let other = *other.get(&others);
    let make_way = match swap {
        true => Edit::Rename { target: label(target), name: other.looks.name().to_owned() },
        false => Edit::Remove { target: label(target) },
    };
    vec![make_way, Edit::Rename { target: label(other), name: target.looks.name().to_owned() }]
}

fn reword(seen: &[Seen], before: &[Seen], target: &Index, name: &str) -> Vec<Edit> {
    let telling: Vec<&Seen> = seen
        .iter()
        .filter(|text| before.iter().any(|seen| seen.told_by.as_ref() == Some(&text.identity)))
        .filter(|text| text.looks.name() != name)
        .collect();
    if telling.is_empty() {
        return Vec::new();
    }
    let text = &target.get(&telling).identity;
    let told = before.iter().filter(|seen| seen.told_by.as_ref() == Some(text));
    let rename = Edit::Rename { target: text.as_str().to_owned(), name: name.to_owned() };
    let reuse = told.map(|seen| Edit::Reuse { target: seen.identity.as_str().to_owned() });
    std::iter::once(rename).chain(reuse).collect()
}
