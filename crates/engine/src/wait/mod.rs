//! The one loop that waits for something to become so: asked again whenever the platform tells of
//! a change, and every now and then in case it does not.

use std::time::{Duration, Instant};

use agent_desktop_model::error::{Code, Error};

use crate::platform::{Deadline, Listener};

/// How often the question is asked although nothing was heard; less often if the answer takes its
/// application long.
const POLL: Duration = Duration::from_millis(200);

/// The most of an application's time that asking without having heard anything takes: one part of
/// so many.
const SHARE: u32 = 6;

/// How long changes may follow each other before the question is asked, and after how long without
/// one it is asked at once.
const BURST: Duration = Duration::from_millis(15);
const QUIET: Duration = Duration::from_millis(3);

/// How long nothing may happen before a chain of changes counts as over.
pub(crate) const CALM: Duration = Duration::from_millis(60);

/// How long one that goes on telling of changes is waited for before it is looked at.
const SETTLED: Duration = Duration::from_millis(200);

/// How a wait ended without what was waited for.
#[derive(Debug)]
pub(crate) enum Ended {
    /// Time ran out; what the last attempt failed with, if it did.
    Late(Option<Error>),
    /// Waiting longer would not help.
    Failed(Error),
}

/// Asks `question` until it has an answer.
pub(crate) fn until<T>(
    listener: Option<Box<dyn Listener + '_>>,
    deadline: Deadline,
    question: impl FnMut() -> Result<Option<T>, Error>,
) -> Result<T, Ended> {
    until_every(POLL, listener, deadline, question)
}

/// The same, asking every `poll` although nothing was heard.
pub(crate) fn until_every<T>(
    poll: Duration,
    mut listener: Option<Box<dyn Listener + '_>>,
    deadline: Deadline,
    mut question: impl FnMut() -> Result<Option<T>, Error>,
) -> Result<T, Ended> {
    let mut failed = None;
    let mut answered = false;
    loop {
        let asked = Instant::now();
        match question() {
            Ok(Some(answer)) => return Ok(answer),
            Ok(None) => (failed, answered) = (None, true),
            // That time ran out in the middle of the last attempt is no news, nor that somebody did
            // not answer in the rest of it, where more was known before.
            Err(error) if error.code == Code::Timeout && deadline.passed() => {}
            Err(error)
                if error.code == Code::AppUnresponsive
                    && (answered || failed.is_some())
                    && deadline.passed() => {}
            Err(error) if may_pass(error.code) => failed = Some(error),
            Err(error) => return Err(Ended::Failed(error)),
        }
        if deadline.passed() {
            return Err(Ended::Late(failed));
        }
        let pause = deadline.within(poll.max(asked.elapsed() * (SHARE - 1)));
        match &mut listener {
            Some(listener) => {
                if listener.next_change(pause).is_some() {
                    let burst = Deadline::after(BURST);
                    while listener.next_change(burst.within(QUIET)).is_some() && !burst.passed() {}
                }
            }
            None => std::thread::sleep(pause.remaining()),
        }
    }
}

/// Waits until the application tells of nothing more, such as what it opens in its next turn.
pub(crate) fn settle<L: Listener + ?Sized>(listener: &mut L, deadline: Deadline) {
    let until = deadline.within(SETTLED);
    while listener.next_change(until.within(CALM)).is_some() && !until.passed() {}
}

/// Whether a failure may be over a moment later.
fn may_pass(code: Code) -> bool {
    matches!(
        code,
        Code::Timeout
            | Code::AppUnresponsive
            | Code::AppNotFound
            | Code::WindowNotFound
            | Code::ElementNotFound
    )
}
