//! Browsers that answer late.
//!
//! Firefox 153 keeps of a page only what some reader has asked for, and the first one to ask gets
//! an empty answer at once: a button without its name, no extents, no attributes. What was asked
//! for then arrives from the page's own process, for all its elements together and in the order
//! in which it was asked for. Before that, while the page's process is busy, its frame has no page
//! in it, or one without elements.
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

/// How long a page with nothing in it is waited for, since it may be meant so.
const PATIENCE_WITH_BLANKS: Duration = Duration::from_millis(500);

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
            let mut pages =
                reader.nodes.iter().filter(|page| sample(page, &reader.nodes).is_some()).peekable();
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

/// What became of waiting for pages.
#[derive(Debug, Default)]
pub(super) struct Waited {
    /// Whether it took any time, so that what was read before is not to be trusted.
    pub(super) waited: bool,
    /// Pages that have not answered, and frames of the browser that show none.
    pub(super) missing: Vec<Address>,
}

/// Waits until the browser shows a page and every page that shows answers.
///
/// Names and states have been asked for by now. Extents and attributes, which later questions
/// depend on, are asked here, attributes last: once they are there, so is everything else.
pub(super) fn await_pages(nodes: &[Raw], talk: &mut Talk<'_>) -> Waited {
    let mut late = Late {
        answers: (0..).zip(nodes).filter_map(|(at, raw)| Some((at, sample(raw, nodes)?))).collect(),
        frames: below_no_page(nodes, roles::INTERNAL_FRAME),
        blanks: below_no_page(nodes, roles::DOCUMENT_WEB),
    };
    let start = Instant::now();
    let mut waited = false;
    loop {
        if late.ask(nodes, talk) || late.is_over(start.elapsed()) {
            break;
        }
        waited = true;
        std::thread::sleep(PAUSE);
    }
    let missing = late.answers.iter().map(|(page, _)| page).chain(&late.frames);
    let missing = missing.filter_map(|at| Some(nodes.get(*at as usize)?.address.clone()));
    Waited { waited, missing: missing.collect() }
}

/// What has not arrived yet.
struct Late {
    /// Pages with the elements that are asked.
    answers: Vec<(u32, Vec<u32>)>,
    /// Frames of the browser that show no page. Each shows one, be it blank, once the page's
    /// process has answered.
    frames: Vec<u32>,
    /// Pages without anything in them. Some stay so.
    blanks: Vec<u32>,
}

impl Late {
    fn is_over(&self, waited: Duration) -> bool {
        let patience = match (self.answers.is_empty(), self.frames.is_empty()) {
            (true, true) if self.blanks.is_empty() => Duration::ZERO,
            (true, true) => PATIENCE_WITH_BLANKS,
            _ => PATIENCE,
        };
        waited >= patience
    }

    /// Looks once more. Whether nobody answers any more.
    fn ask(&mut self, nodes: &[Raw], talk: &mut Talk<'_>) -> bool {
        let address = |at: u32| nodes.get(at as usize).map(|raw| &raw.address);
        let samples = self.answers.iter().flat_map(|(_, sample)| sample);
        let mut questions: Vec<_> = samples
            .filter_map(|at| Some((*at, address(*at)?)))
            .flat_map(|(at, address)| {
                [
                    (Step::Extents(at), calls::extents(address)),
                    (Step::Attributes(at), calls::attributes(address)),
                ]
            })
            .collect();
        for at in self.frames.iter().chain(&self.blanks) {
            questions.extend(address(*at).map(|it| (Step::Children(*at), calls::children(it))));
        }
        for at in &self.blanks {
            questions.extend(address(*at).map(|it| (Step::Nth(*at), calls::location(it))));
        }
        let mut placed = Vec::new();
        let mut styled = Vec::new();
        let mut filled = Vec::new();
        let mut silent = false;
        talk(questions, &mut |step, answer, _| match (step, answer) {
            (_, Err(CallError::Unanswered | CallError::Gone)) => silent = true,
            (Step::Extents(at), Ok(reply)) if calls::rectangle(&reply).is_some() => placed.push(at),
            // `tag` is always known.
            (Step::Attributes(at), Ok(reply)) => {
                let attributes = reply.decode::<page::Attributes<'_>>().unwrap_or_default();
                if attributes.contains_key("display") {
                    styled.push(at);
                }
            }
            // What has no place or no attributes at all need not be waited for.
            (Step::Extents(at), Err(_)) => placed.push(at),
            (Step::Attributes(at), Err(_)) => styled.push(at),
            (Step::Children(at), answer) => {
                let listed = answer.ok().and_then(|it| calls::references(&it, &"".into()));
                if listed.is_none_or(|listed| !listed.is_empty()) {
                    filled.push(at);
                }
            }
            (Step::Nth(at), answer) => {
                let stays = |url: &str| url.starts_with("about:") || url.starts_with("chrome:");
                let location = answer.ok();
                let location = location.as_ref().and_then(|reply| reply.decode::<&str>());
                if location.is_none_or(stays) {
                    filled.push(at);
                }
            }
            _ => {}
        });
        let answers = |at: &u32| placed.contains(at) && styled.contains(at);
        self.answers.retain(|(_, sample)| !sample.iter().any(answers));
        self.frames.retain(|at| !filled.contains(at));
        self.blanks.retain(|at| !filled.contains(at));
        silent
    }
}

/// What shows with the role number `role` and nothing in it, and does not stand in a page: a frame
/// there may stay without a page for good.
fn below_no_page(nodes: &[Raw], role: u32) -> Vec<u32> {
    let is_page = |raw: &Raw| raw.details.role == roles::DOCUMENT_WEB;
    let is_empty = |raw: &Raw| matches!(&raw.children, Children::Listed(all) if all.is_empty());
    (0..)
        .zip(nodes)
        .filter(|(_, raw)| raw.details.role == role && is_empty(raw) && shows(raw, nodes))
        .filter(|(_, raw)| {
            let mut around = std::iter::successors(above(raw, nodes), |at| above(at, nodes));
            !around.any(is_page)
        })
        .map(|(at, _)| at)
        .collect()
}

/// Whether an element shows, or is a page in a frame that does: a page that has not answered does
/// not know.
fn shows(raw: &Raw, nodes: &[Raw]) -> bool {
    let says = |raw: &Raw| raw.details.states & states::SHOWING != 0;
    let is_in_frame = |frame: &Raw| frame.details.role == roles::INTERNAL_FRAME && says(frame);
    says(raw) || above(raw, nodes).is_some_and(is_in_frame)
}

fn above<'a>(raw: &Raw, nodes: &'a [Raw]) -> Option<&'a Raw> {
    nodes.get(raw.parent? as usize)
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
fn sample(page: &Raw, nodes: &[Raw]) -> Option<Vec<u32>> {
    match &page.children {
        Children::Listed(children) | Children::Part(children)
            if page.details.role == roles::DOCUMENT_WEB
                && shows(page, nodes)
                && !children.is_empty() =>
        {
            Some(children.iter().copied().take(SAMPLE).collect())
        }
        _ => None,
    }
}
