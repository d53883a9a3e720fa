//! What is said when a ref does not lead to its element.

use agent_desktop_model::{
    error::{Candidate, Code, Details, Error, Uniqueness},
    evidence::Label,
    reference::Ref,
    text::{brief, quoted, shell_word},
    tree::{NodeId, Tree},
};

use super::{
    census::{Census, Standing},
    map::RefMap,
};
use crate::{by_hand, platform::Deadline};

/// How many elements are named when several could be meant.
const CANDIDATES: usize = 5;

/// The snapshot does not list the ref: it never did, or a later drill took it away.
pub fn absent(reference: &Ref) -> Error {
    Error::new(
        Code::StaleRef,
        format!("{reference} is not in the current RefMap of snapshot {}", reference.snapshot),
    )
    .suggest(
        "A drill replaces the refs below the element that it reads again. Use the refs that the \
         latest answer printed, or take a new snapshot.",
    )
    .details(Details::SavedRefAbsent { r#ref: reference.to_string() })
}

pub(super) fn desktop_changed(reference: &Ref) -> Error {
    Error::new(Code::StaleRef, format!("{reference} was made on another desktop"))
        .suggest(
            "Run the command on the desktop where the snapshot was taken (`sandbox list` shows the \
             private ones; select one with --sandbox NAME), or take a new snapshot on this one.",
        )
        .details(Details::DesktopChanged { r#ref: reference.to_string(), sandbox: None })
}

pub(super) fn process_changed(reference: &Ref, map: &RefMap) -> Error {
    let app = &map.window.app_name;
    Error::new(
        Code::StaleRef,
        format!("{} is not the process any more in which {reference} was made", quoted(app)),
    )
    .suggest(format!("Take a new snapshot: `snapshot --app {}`.", shell_word(app)))
    .details(Details::ProcessChanged { r#ref: reference.to_string() })
}

pub(super) fn window_absent(reference: &Ref, map: &RefMap) -> Error {
    let window = &map.window;
    Error::new(
        Code::WindowNotFound,
        format!(
            "the window of {reference} ({} of {}) is gone",
            window.id,
            quoted(&window.app_name)
        ),
    )
    .suggest("`list-windows` shows which windows there are; take a new snapshot of one of them.")
    .details(Details::SourceWindowAbsent {
        r#ref: reference.to_string(),
        window_id: window.id.clone(),
    })
}

pub(super) fn not_answered(reference: &Ref, deadline: Deadline) -> Error {
    Error::new(
        Code::Timeout,
        format!("the window of {reference} was not read in time to say which element it means"),
    )
    .suggest("Nothing was sent. Repeat the command, with a larger --timeout-ms if it fails again.")
    .details(Details::ResolutionIdentityUnknown {
        elapsed_ms: deadline.elapsed_ms(),
        r#ref: reference.to_string(),
        timeout_ms: deadline.limit_ms(),
    })
}

pub(super) fn stale(reference: &Ref, map: &RefMap) -> Error {
    Error::new(
        Code::StaleRef,
        format!("no element of the window is the one of {reference} any more"),
    )
    .suggest(retake(map))
    .details(Details::SavedRefAbsent { r#ref: reference.to_string() })
}

pub(super) fn context_changed(reference: &Ref, map: &RefMap, was: &Label, now: &Label) -> Error {
    let text = |label: &Label| label.text().map(|text| brief(text.trim()));
    Error::new(
        Code::StaleRef,
        format!("the element at the place of {reference} now stands in something else"),
    )
    .suggest(retake(map))
    .details(Details::ContextChanged {
        now: text(now),
        r#ref: reference.to_string(),
        was: text(was),
    })
}

pub(super) fn ambiguous(
    reference: &Ref,
    map: &RefMap,
    tree: &Tree,
    census: &Census,
    equals: &[NodeId],
) -> Error {
    Error::new(
        Code::AmbiguousTarget,
        format!("{} elements are now equal to the one of {reference}", equals.len()),
    )
    .suggest(format!("{} Compare what each candidate stands `within`.", retake(map)))
    .details(Details::SavedRefAmbiguous {
        candidates: candidates(tree, census, equals),
        r#ref: reference.to_string(),
    })
}

pub(super) fn not_unique(
    reference: &Ref,
    map: &RefMap,
    reason: Uniqueness,
    tree: &Tree,
    census: &Census,
    equals: &[NodeId],
) -> Error {
    let stands_alone =
        |node: &NodeId| matches!(census.standing(*node), Standing::Unique | Standing::Told);
    let (message, suggestion) = match reason {
        Uniqueness::TwinsAtCapture if equals.iter().any(stands_alone) => (
            format!("{reference} stood for one of several equal elements, and not all are left"),
            format!("{} Compare what each candidate stands `within`.", retake(map)),
        ),
        Uniqueness::TwinsAtCapture => (
            format!(
                "{reference} stands for one of several equal elements that nothing tells apart"
            ),
            by_hand::TWINS.to_owned(),
        ),
        Uniqueness::WindowNotWhollyRead => (
            format!(
                "{reference} was made when its window was not wholly read, so that nothing tells \
                 which element it means"
            ),
            format!(
                "Take the snapshot again with a larger --timeout-ms: `snapshot --window-id {} \
                 --timeout-ms 10000`.",
                map.window.id
            ),
        ),
    };
    Error::new(Code::AmbiguousTarget, message).suggest(suggestion).details(
        Details::IdentityNotUnique {
            candidates: candidates(tree, census, equals),
            reason,
            r#ref: reference.to_string(),
        },
    )
}

fn retake(map: &RefMap) -> String {
    format!("Take a new snapshot: `snapshot --window-id {}`.", map.window.id)
}

fn candidates(tree: &Tree, census: &Census, equals: &[NodeId]) -> Vec<Candidate> {
    equals
        .iter()
        .take(CANDIDATES)
        .map(|id| {
            let node = &tree[*id];
            let name = Label::of(&node.name);
            Candidate {
                bounds: node.bounds,
                name: name.text().map(brief),
                role: node.role,
                within: census.within(tree, *id).text().map(|text| brief(text.trim())),
            }
        })
        .collect()
}
