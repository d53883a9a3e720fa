//! What is asked of an application, and what that promises.

use std::ops::Range;

use agent_desktop_model::{
    capability::Capability,
    error::{Code, Details, Error},
    role::Role,
    state::State,
    text::{number, quoted, range},
    tree::Node,
};

use super::{
    Attempt,
    action::{Action, Promise, is_on, of_click},
};
use crate::{
    by_hand,
    observe::called,
    platform::{Content, Request},
};

/// A request that owns its texts.
pub(super) enum Prepared<'a> {
    Plain(Request<'static>),
    SetText(&'a str),
    AppendText(&'a str),
    ReplaceText { text: Box<str>, range: Range<usize>, with: &'a str },
}

impl Prepared<'_> {
    pub(super) fn as_request(&self) -> Request<'_> {
        match self {
            Self::Plain(request) => *request,
            Self::SetText(text) => Request::SetText(text),
            Self::AppendText(text) => Request::AppendText(text),
            Self::ReplaceText { text, range, with } => Request::ReplaceText { text, range, with },
        }
    }
}

impl Attempt<'_> {
    /// The request that does `action`, and what it promises of `node` as it is before.
    pub(super) fn request<'t>(
        &self,
        action: Action<'t>,
        node: &Node,
    ) -> Result<(Prepared<'t>, Promise), Error> {
        let plain = |request, promise| Ok((Prepared::Plain(request), promise));
        match action {
            // A tab or a row that has no action of its own is chosen by a click.
            Action::Click if !node.capabilities.has(Capability::Click) => {
                plain(Request::Choose, Promise::State(State::Selected, true))
            }
            Action::Click => plain(Request::Activate, of_click(node)),
            Action::Toggle => plain(Request::Activate, Promise::On(!is_on(node))),
            Action::Check => plain(Request::Activate, Promise::On(true)),
            Action::Uncheck => plain(Request::Activate, Promise::On(false)),
            Action::RightClick => plain(Request::OpenMenu, Promise::Opens),
            // Qt 5.15.8: the menu of a button is in no tree, and the button only goes down.
            Action::Expand
                if node.role == Role::Button
                    && node.capabilities.has(Capability::Expand)
                    && !node.capabilities.has(Capability::Collapse) =>
            {
                plain(Request::Expand, of_click(node))
            }
            Action::Expand | Action::Collapse => {
                let opens = action == Action::Expand;
                let (can, request) = match opens {
                    true => (Capability::Expand, Request::Expand),
                    false => (Capability::Collapse, Request::Collapse),
                };
                // The button in a combo box of GTK 4.8.3 has only one action for both.
                let request = if node.capabilities.has(can) { request } else { Request::Activate };
                plain(request, Promise::State(State::Expanded, opens))
            }
            Action::ScrollTo => {
                plain(Request::ScrollIntoView, Promise::State(State::Offscreen, false))
            }
            Action::Clear => self.writing("", node),
            Action::SetValue(text) => self.writing(text, node),
            Action::Type(text) => self.typing(text, node),
            Action::Focus => plain(Request::Focus, Promise::State(State::Focused, true)),
            // Refused by their gate, done by hand, or in steps of their own.
            Action::DoubleClick | Action::TripleClick | Action::Select(_) | Action::Scroll(..) => {
                Err(Error::new(
                    Code::ActionNotSupported,
                    "this action takes the focus or the pointer",
                )
                .suggest(by_hand::NOT_PERMITTED))
            }
        }
    }

    /// Replacing what `node` holds by `text`.
    fn writing<'t>(&self, text: &'t str, node: &Node) -> Result<(Prepared<'t>, Promise), Error> {
        match self.platform.content(node, self.deadline).map_err(|failure| self.about(failure))? {
            Content::Number { least, most, .. } => {
                let wanted: f64 =
                    text.trim().parse().ok().filter(|wanted: &f64| wanted.is_finite()).ok_or_else(
                        || {
                            Error::new(
                                Code::InvalidArgs,
                                format!(
                                    "{} takes a number, which {} is not",
                                    called(node.role, &node.name),
                                    quoted(text)
                                ),
                            )
                            .suggest(format!("Pass {}.", range(least, most)))
                        },
                    )?;
                if wanted < least || wanted > most {
                    return Err(Error::new(
                        Code::InvalidArgs,
                        format!(
                            "{} is outside of what {} takes",
                            number(wanted),
                            called(node.role, &node.name)
                        ),
                    )
                    .suggest(format!("Pass {}.", range(least, most)))
                    .details(Details::ValueOutOfRange { least, most, wanted }));
                }
                Ok((Prepared::Plain(Request::SetNumber(wanted)), Promise::Number(wanted)))
            }
            Content::Text { .. } | Content::Nothing => {
                Ok((Prepared::SetText(text), of_text(node, text.to_owned())))
            }
        }
    }

    /// Putting `text` where the caret is, in place of what is selected; at the end without a caret.
    fn typing<'t>(&self, text: &'t str, node: &Node) -> Result<(Prepared<'t>, Promise), Error> {
        if node.states.has(State::Secure) {
            return Ok((Prepared::AppendText(text), Promise::Nothing));
        }
        let content = self.platform.content(node, self.deadline);
        match content.map_err(|failure| self.about(failure))? {
            Content::Text { text: now, caret, selection } => {
                let (range, after) = inserted(&now, text, caret, selection);
                let promise = of_text(node, after);
                Ok((Prepared::ReplaceText { text: now, range, with: text }, promise))
            }
            Content::Number { .. } | Content::Nothing => Err(Error::new(
                Code::ActionNotSupported,
                format!("{} holds no text to type into", called(node.role, &node.name)),
            )
            .suggest("Use `set-value`.")),
        }
    }
}

/// Where `text` goes in what is there `now`, in characters, and what is there afterwards: it replaces
/// what is selected, else it comes where the caret is, at the end without one.
pub(super) fn inserted(
    now: &str,
    text: &str,
    caret: Option<usize>,
    selection: Option<Range<usize>>,
) -> (Range<usize>, String) {
    let length = now.chars().count();
    let at = caret.unwrap_or(length).min(length);
    let range = selection.filter(|range| !range.is_empty()).unwrap_or(at..at);
    let before: String = now.chars().take(range.start).collect();
    let after: String = now.chars().skip(range.end).collect();
    (range, format!("{before}{text}{after}"))
}

/// What writing promises: the text, unless it is a secret, which is neither read back nor repeated
/// in any answer.
fn of_text(node: &Node, text: String) -> Promise {
    if node.states.has(State::Secure) { Promise::Nothing } else { Promise::Text(text) }
}
