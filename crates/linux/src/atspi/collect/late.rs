//! Browsers that answer late.
//!
//! Firefox 153 keeps of a page only what some reader has asked for, and the first one to ask gets
//! an empty answer at once: a button without its name, no extents, no attributes. What was asked
//! for then arrives from the page's own process, for all its elements together and in the order
//! in which it was asked for.
//!
//! Chromium 156 has, as long as nobody reads it, a window with one child that is nobody. Being
//! asked for attributes or relations is what makes it build the rest.

use std::time::{Duration, Instant};

use agent_desktop_model::tree::Address;

use super::{Children, Details, Raw, Reader, Step, Talk};
use crate::{
    atspi::{calls, dialect::Dialect, interfaces, page, roles, states},
    bus::CallError,
};

/// How long a page or a window is waited for. Of either browser 170 elements took a tenth of a
/// second, on a busy machine up to a second.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often it is asked meanwhile.
const PAUSE: Duration = Duration::from_millis(10);

/// How many elements are looked at for a page: what surrounds it in a browser are some 250.
const LOOK: usize = 1_000;

/// How many elements of a page are asked; one of them may have no place.
const SAMPLE: usize = 4;

/// Has a window built that nobody has read yet, and says whether the cache of its application may
/// be used. ATK's bridge makes it when the first client makes itself known, out of what there is
/// then, and adds nothing of a page that is built later. So it is not to be made while the page is
/// not there: what it lacks is walked ever after (14,000 elements: 81,000 questions, not 6,000).
pub(super) fn rouse(
    window: &Address,
    details: &Details,
    walked: &Dialect,
    talk: &mut Talk<'_>,
) -> bool {
    let start = Instant::now();
    let (has_cache, mut state) = look(window, talk);
    // Popups without a title may stay empty for good.
    let is_window =
        details.role == roles::FRAME && !details.name.is_empty() && details.child_count > 0;
    if !is_window || state == Listed::Silence {
        return has_cache;
    }
    let asleep = state == Listed::Nobody;
    if has_cache && !asleep {
        return true;
    }
    loop {
        if state == Listed::Somebody {
            let mut reader = Reader::new(window.clone(), details.clone(), walked);
            reader.limit = LOOK;
            reader.read(talk);
            let mut pages = reader.nodes.iter().filter(|page| sample(page).is_some()).peekable();
            if pages.peek().is_some() {
                return has_cache || pages.all(|page| page.details.states & states::BUSY == 0);
            }
        }
        if !asleep || start.elapsed() > PATIENCE {
            return has_cache;
        }
        let question = (Step::Attributes(0), calls::attributes(window));
        talk(vec![question], &mut |_, _, _| {});
        std::thread::sleep(PAUSE);
        (_, state) = look(window, talk);
        if state == Listed::Silence {
            return has_cache;
        }
    }
}

/// What a window says when it is asked for its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listed {
    Somebody,
    Nobody,
    Silence,
}

/// Whether there is a cache, and whether the window lists anybody.
fn look(window: &Address, talk: &mut Talk<'_>) -> (bool, Listed) {
    let (mut has_cache, mut listed) = (false, Listed::Silence);
    let questions = vec![
        (Step::Items, calls::cache_description(&window.app)),
        (Step::Children(0), calls::children(window)),
    ];
    talk(questions, &mut |step, answer, _| match (step, answer) {
        // A place where nothing is describes itself too, as one without interfaces.
        (Step::Items, Ok(reply)) => {
            has_cache = reply.decode::<&str>().is_some_and(|it| it.contains(interfaces::CACHE));
        }
        (Step::Children(_), Err(CallError::Unanswered | CallError::Gone)) => {}
        (Step::Children(_), answer) => {
            let references = answer.ok().and_then(|it| calls::references(&it, &window.app));
            let nobody = references.unwrap_or_default().is_empty();
            listed = if nobody { Listed::Nobody } else { Listed::Somebody };
        }
        _ => {}
    });
    (has_cache, listed)
}

/// Waits until every page that shows answers. Whether it was waited for, so that what was read
/// before is not to be trusted.
///
/// Names and states have been asked for by now. Extents and attributes, which later questions
/// depend on, are asked here, attributes last: once they are there, so is everything else.
pub(super) fn await_answers(nodes: &[Raw], talk: &mut Talk<'_>) -> bool {
    let mut pages: Vec<Vec<u32>> = nodes.iter().filter_map(sample).collect();
    let start = Instant::now();
    let mut waited = false;
    loop {
        let questions = pages
            .iter()
            .flatten()
            .filter_map(|at| Some((*at, &nodes.get(*at as usize)?.address)))
            .flat_map(|(at, address)| {
                [
                    (Step::Extents(at), calls::extents(address)),
                    (Step::Attributes(at), calls::attributes(address)),
                ]
            })
            .collect();
        let mut placed = Vec::new();
        let mut styled = Vec::new();
        let mut silent = false;
        talk(questions, &mut |step, answer, _| match (step, answer) {
            (Step::Extents(at), Ok(reply)) if calls::rectangle(&reply).is_some() => placed.push(at),
            // `tag` is always known.
            (Step::Attributes(at), Ok(reply)) => {
                let attributes = reply.decode::<page::Attributes<'_>>().unwrap_or_default();
                if attributes.contains_key("display") {
                    styled.push(at);
                }
            }
            (_, Err(CallError::Unanswered | CallError::Gone)) => silent = true,
            // What has no place or no attributes at all need not be waited for.
            (Step::Extents(at), Err(_)) => placed.push(at),
            (Step::Attributes(at), Err(_)) => styled.push(at),
            _ => {}
        });
        let late =
            |page: &Vec<u32>| !page.iter().any(|at| placed.contains(at) && styled.contains(at));
        pages.retain(late);
        if pages.is_empty() || silent || start.elapsed() > PATIENCE {
            return waited;
        }
        waited = true;
        std::thread::sleep(PAUSE);
    }
}

/// Reads pages that answered late until two readings tell the same: what only the second one meets
/// is asked for then, and late in its turn.
pub(super) fn read_again<'a>(
    first: Reader<'a>,
    begin: impl Fn() -> Reader<'a>,
    talk: &mut Talk<'_>,
) -> Reader<'a> {
    let told = |reader: &Reader<'_>| {
        let texts = |raw: &Raw| raw.details.name.len() + raw.details.description.len();
        (reader.nodes.len(), reader.nodes.iter().map(texts).sum::<usize>())
    };
    let start = Instant::now();
    let mut before = told(&first);
    loop {
        let mut reader = begin();
        reader.read(talk);
        let now = told(&reader);
        if now == before || start.elapsed() > PATIENCE {
            return reader;
        }
        before = now;
    }
}

/// The first elements of a page that shows.
fn sample(page: &Raw) -> Option<Vec<u32>> {
    let shows = page.details.states & states::SHOWING != 0;
    match &page.children {
        Children::Listed(children) | Children::Part(children)
            if page.details.role == roles::DOCUMENT_WEB && shows && !children.is_empty() =>
        {
            Some(children.iter().copied().take(SAMPLE).collect())
        }
        _ => None,
    }
}
