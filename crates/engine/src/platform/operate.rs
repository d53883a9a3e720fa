//! Acting on the elements of one application, and hearing what comes of it.

use std::{ops::Range, time::Duration};

use agent_desktop_model::tree::{Address, Node};

use super::{Deadline, Failure};

/// Hears what changes. Listening ends when it is dropped, and leaves nothing behind.
pub trait Listener {
    /// The next change since it began to listen; none by `until`.
    fn next_change(&mut self, until: Deadline) -> Option<Change>;
}

/// A way into one application, over which it is acted on and tells what changes in it. It is of
/// its own for every command: an application may go deaf on it while a modal dialog runs.
pub trait Operator: Listener {
    /// Sends `request` to the element of `node`, exactly once, and has it and `witnesses` asked
    /// just before what they are. An error means that nothing was sent.
    fn send(
        &mut self,
        node: &Node,
        witnesses: &[Witness],
        request: &Request<'_>,
        deadline: Deadline,
    ) -> Result<Sent, Failure>;

    /// Whether the element and the witnesses of the last request still are what they were, asked
    /// once more; none if that was not told before the request may have changed them.
    fn is_still_same(&mut self, deadline: Deadline) -> Option<bool>;

    /// What the application has said to the last request by now.
    fn answer(&self) -> Answered;

    /// When the first effect of a request shows in applications of this toolkit.
    fn first_effect(&self) -> FirstEffect;
}

/// One thing to do. Which of a toolkit's mechanisms does it is the platform's business.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Request<'a> {
    /// What a click does.
    Activate,
    /// What a click with the secondary button does.
    OpenMenu,
    Expand,
    Collapse,
    /// Makes an item the chosen one of its container.
    Choose,
    /// Has a container make its child of this number, counted from 0, the chosen one.
    ChooseChild(usize),
    /// Replaces all text.
    SetText(&'a str),
    /// Replaces the characters `range` of the present `text`.
    ReplaceText {
        text: &'a str,
        range: &'a Range<usize>,
        with: &'a str,
    },
    SetNumber(f64),
    /// Adds to the end of a text that nobody may read.
    AppendText(&'a str),
    /// Moves an element by so many pixels, with all that is scrolled along with it.
    ScrollBy {
        x: i32,
        y: i32,
    },
    /// Brings an element into the visible part of what scrolls it.
    ScrollIntoView,
    /// Gives an element the focus of its window.
    Focus,
}

/// Something by which it was told which element is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub address: Address,
    /// What it said of itself then (see [`agent_desktop_model::evidence::digest`]).
    pub digest: u64,
    /// What it said then that it stands in; none where that does not matter.
    pub parent: Option<Address>,
}

/// What is known once a request was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The mechanism that was used, in the platform's own words, such as `Action click`.
    pub mechanism: String,
    /// Whether the element and all witnesses still were what they had been when the request
    /// arrived; none if that was not told.
    pub same: Option<bool>,
}

/// What an application said to a request. That it accepts proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    Accepted,
    /// It refuses, in its own words.
    Refused(String),
    /// It has not answered yet: some do only when the dialog ends that the request opened.
    NotYet,
}

/// A change that an application told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub address: Address,
    pub kind: ChangeKind,
}

/// What changed, as far as it matters to somebody who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// A window came, went or was activated.
    Window,
    /// Children came or went.
    Children,
    /// Something is shown or hidden, or became modal.
    Shown,
    /// Any other state, a value, a text, a name or a selection.
    Content,
    /// Anything else, such as a place.
    Other,
}

impl ChangeKind {
    /// Whether something may have opened or closed with it.
    pub fn may_open(self) -> bool {
        matches!(self, Self::Window | Self::Children | Self::Shown)
    }
}

/// When the first effect of a request shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstEffect {
    /// What changes before is not the effect (a button that is drawn pressed, say).
    pub earliest: Duration,
    /// Nothing that has not begun by then is an effect.
    pub latest: Duration,
    /// How long a state or a value that was promised is waited for.
    pub patience: Duration,
    /// Whether what is not so by then will not be: browsers hand requests on to the page, and
    /// nobody knows when it gets to them.
    pub is_final: bool,
    /// When it is worth asking whether the request still reaches whom it was sent to, where it takes
    /// so long to do anything that another may have come in that place meanwhile.
    pub unchanged_until: Option<Duration>,
}

/// What an element holds that can be written.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Neither a text nor a number.
    Nothing,
    Text {
        text: Box<str>,
        /// In characters; none where the application does not tell.
        caret: Option<usize>,
        /// The selected characters; empty if there are none.
        selection: Option<Range<usize>>,
    },
    Number {
        now: f64,
        least: f64,
        most: f64,
        /// By how much it changes at least, where the application tells.
        step: Option<f64>,
    },
}
