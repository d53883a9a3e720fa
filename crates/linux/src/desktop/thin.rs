//! Why a browser's tree lacks what a person sees, and what can be done about it. Judged from what
//! is missing in a tree that was wholly read and from how the process was started, never from a
//! reading that was cut short.

use agent_desktop_model::{
    state::State,
    text::{quoted, shell_word},
    tree::{Listing, NodeId, Tree},
};

use crate::{
    atspi::{interfaces::Facts, roles},
    proc,
};

/// What turns accessibility on from the start, in everything that is made of Chromium.
const FORCE: &str = "--force-renderer-accessibility";

/// What turns it off for good.
const FORBID: &str = "--disable-platform-accessibility-integration";

/// What a tree of Chromium lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    /// Everything in the window.
    Content,
    /// The pages in so many frames of a page, which are out of sight.
    Frames(usize),
    /// The page that shows, or what is in it.
    Page,
}

/// What the tree of a window lacks, if anything.
pub(super) fn lack(tree: &Tree) -> Option<Lack> {
    let root = tree.root();
    let number = |id: NodeId| Facts::unpack(tree[id].platform).role;
    let empty =
        |id: NodeId| tree[id].children == Listing::Whole && tree.children(id).next().is_none();
    if !tree.complete || tree.is_empty() {
        return None;
    }
    // Popups without a title are made in advance and stay empty until they are needed.
    if number(root) == roles::FRAME && empty(root) && !tree[root].name.is_empty() {
        return Some(Lack::Content);
    }
    let frames = tree
        .ids()
        .filter(|id| number(*id) == roles::INTERNAL_FRAME && empty(*id))
        .filter(|id| tree[*id].states.has(State::Offscreen))
        .count();
    (frames > 0).then_some(Lack::Frames(frames))
}

/// The cause and the remedy for a person, where the process tells them.
pub(super) fn advice(lack: Lack, pid: u32) -> Option<String> {
    let program = proc::name(pid).unwrap_or_else(|| "the program".to_owned());
    let arguments = proc::arguments(pid)?;
    let given = |flag: &str| {
        arguments.iter().any(|argument| {
            argument.strip_prefix(flag).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        })
    };
    let process = format!("{} (process {pid})", quoted(&program));
    Some(words(lack, &process, &shell_word(&program), given(FORCE), given(FORBID)))
}

fn words(lack: Lack, process: &str, program: &str, forced: bool, forbidden: bool) -> String {
    match lack {
        Lack::Content if forbidden => format!(
            "{process} shows nothing of what is in its window, because it was started with \
             {FORBID}. Close it and start it without that."
        ),
        Lack::Content if !forced => format!(
            "{process} shows nothing of what is in its window, because it was started without \
             {FORCE} and does not turn accessibility on when it is read. Close it and start it \
             with that: {program} {FORCE}"
        ),
        Lack::Content => format!(
            "{process} has not built what is in its window yet. Take the snapshot again in a few \
             seconds."
        ),
        Lack::Page => format!(
            "The page in {process} has not answered within 2 s: it is still being loaded, or its \
             own process hangs. Ask again; if that does not help, reload the page or close its tab."
        ),
        // Measured on Chromium 156: it draws a page of another origin only once it is in sight.
        Lack::Frames(count) => format!(
            "What is in {} of this page is missing: {process} builds a page within a page only \
             when it is on the screen. Scroll to it and take the snapshot again.",
            if count == 1 { "1 frame".to_owned() } else { format!("{count} frames") }
        ),
    }
}

#[cfg(test)]
mod tests {
    use agent_desktop_model::tree::Node;

    use super::*;

    fn node(number: u32, name: &str) -> Node {
        let mut node = Node::default();
        node.name = name.into();
        node.platform = Facts { states: 0, role: number, interfaces: None }.pack();
        node
    }

    #[test]
    fn a_window_that_was_not_wholly_read_lacks_nothing() {
        let mut tree = Tree::new(node(roles::FRAME, "Page - Chromium"));
        assert_eq!(lack(&tree), Some(Lack::Content));
        tree.complete = false;
        assert_eq!(lack(&tree), None);
    }

    #[test]
    fn a_page_that_is_there_lacks_nothing_but_the_pages_in_its_frames() {
        let mut tree = Tree::new(node(roles::FRAME, "Page - Chromium"));
        let page = tree.push(tree.root(), node(roles::DOCUMENT_WEB, "Page"));
        assert_eq!(lack(&tree), None);
        let frame = tree.push(page, node(roles::INTERNAL_FRAME, "Map"));
        assert_eq!(lack(&tree), None);
        tree[frame].states.insert(State::Offscreen);
        assert_eq!(lack(&tree), Some(Lack::Frames(1)));
        tree.push(frame, node(roles::DOCUMENT_WEB, "Map"));
        assert_eq!(lack(&tree), None);
    }

    #[test]
    fn the_remedy_fits_the_way_it_was_started() {
        let told = |lack, forced, forbidden| {
            words(lack, "electron (process 7)", "electron", forced, forbidden)
        };
        let start = told(Lack::Content, false, false);
        assert!(
            start.contains("process 7")
                && start.ends_with("electron --force-renderer-accessibility")
        );
        assert!(told(Lack::Content, true, true).contains("start it without"));
        assert!(told(Lack::Content, true, false).contains("again in a few seconds"));
        assert!(told(Lack::Frames(2), false, false).contains("2 frames"));
        assert!(told(Lack::Page, false, false).contains("process 7"));
    }
}
