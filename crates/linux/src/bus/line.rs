//! A connection over which something is done: requests are sent without waiting for their answers,
//! and whatever arrives is taken as it comes, answers and signals alike.

use std::{future::poll_fn, num::NonZeroU32, pin::Pin, sync::Arc, task::Poll};

use agent_desktop_engine::platform::Deadline;
use futures_core::Stream;
use zbus::{Message, MessageStream, message::Type};

use super::{Answer, Bus, Call, CallError, Reply};

/// A connection and what has arrived on it since it became a line.
#[derive(Debug)]
pub(crate) struct Line {
    bus: Bus,
    arriving: MessageStream,
}

/// By which an answer is known.
pub(crate) type Ticket = NonZeroU32;

/// Something that arrived.
#[derive(Debug)]
pub(crate) enum Arrival {
    Answer(Ticket, Answer),
    Signal(Signal),
}

/// A signal, as far as the accessibility bus' own are concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signal {
    pub(crate) sender: Arc<str>,
    pub(crate) path: Arc<str>,
    pub(crate) interface: Box<str>,
    pub(crate) member: Box<str>,
    /// The first text that it carries, which of accessibility events says what the matter is.
    pub(crate) detail: Box<str>,
}

impl Line {
    /// A line over `bus`. Whatever arrives from now on is kept for [`next`].
    pub(crate) fn over(bus: Bus) -> Self {
        let arriving = MessageStream::from(&bus.connection);
        Self { bus, arriving }
    }

    /// The answers to `calls`, in their order. What else arrives meanwhile is of no interest: an
    /// application may begin with thousands of signals, and a connection whose signals nobody takes
    /// stops to read answers, too.
    pub(crate) fn ask(&mut self, calls: &[Call], deadline: Deadline) -> Vec<Answer> {
        let unanswered = || Err(CallError::Unanswered);
        let tickets = match self.post(calls, deadline) {
            Ok(tickets) => tickets,
            Err(error) => return calls.iter().map(|_| Err(error.clone())).collect(),
        };
        let mut answers: Vec<Answer> = tickets.iter().map(|_| unanswered()).collect();
        let mut missing = tickets.len();
        while missing > 0
            && let Some((_, arrival)) = next(&mut [self], deadline)
        {
            if let Arrival::Answer(ticket, answer) = arrival
                && let Some(index) = tickets.iter().position(|one| *one == ticket)
                && let Some(slot) = answers.get_mut(index)
            {
                *slot = answer;
                missing -= 1;
            }
        }
        answers
    }

    /// Writes `calls` in this order. An error means that it is not known how many were written,
    /// except that [`CallError::Refused`] stands for none.
    pub(crate) fn post(
        &self,
        calls: &[Call],
        deadline: Deadline,
    ) -> Result<Vec<Ticket>, CallError> {
        let messages =
            calls.iter().map(|call| self.bus.message(call)).collect::<Result<Vec<_>, _>>()?;
        let tickets = messages.iter().map(|one| one.primary_header().serial_num()).collect();
        let sending = self.bus.connection.send_all(&messages);
        match self.bus.runtime.block_on_until(deadline.at(), sending) {
            Some(Ok(())) => Ok(tickets),
            Some(Err(_)) => Err(CallError::Gone),
            None => Err(CallError::Unanswered),
        }
    }
}

/// What arrives next on any of `lines`, and on which; none by `deadline`.
pub(crate) fn next(lines: &mut [&mut Line], deadline: Deadline) -> Option<(usize, Arrival)> {
    let runtime = lines.first()?.bus.runtime.clone();
    let arrival = poll_fn(|context| {
        let mut all_ended = true;
        for (index, line) in lines.iter_mut().enumerate() {
            loop {
                match Pin::new(&mut line.arriving).poll_next(context) {
                    Poll::Ready(Some(Ok(message))) => {
                        if let Some(arrival) = arrival(&message) {
                            return Poll::Ready(Some((index, arrival)));
                        }
                    }
                    Poll::Ready(Some(Err(_))) => {}
                    Poll::Ready(None) => break,
                    Poll::Pending => {
                        all_ended = false;
                        break;
                    }
                }
            }
        }
        if all_ended { Poll::Ready(None) } else { Poll::Pending }
    });
    runtime.block_on_until(deadline.at(), arrival).flatten()
}

/// The text that the body of `message` begins with, whatever comes after it.
fn first_text(message: &Message) -> Option<Box<str>> {
    let body = message.body();
    let (text, _) = body.data().deserialize::<&str>().ok()?;
    Some(text.into())
}

fn arrival(message: &Message) -> Option<Arrival> {
    let header = message.header();
    match message.message_type() {
        Type::MethodReturn => {
            Some(Arrival::Answer(header.reply_serial()?, Ok(Reply::new(message))))
        }
        Type::Error => Some(Arrival::Answer(header.reply_serial()?, Err(CallError::of(message)))),
        Type::Signal => Some(Arrival::Signal(Signal {
            sender: header.sender().map_or("", |sender| sender.as_str()).into(),
            path: header.path().map_or("", |path| path.as_str()).into(),
            interface: header.interface().map_or("", |one| one.as_str()).into(),
            member: header.member().map_or("", |one| one.as_str()).into(),
            detail: first_text(message).unwrap_or_default(),
        })),
        _ => None,
    }
}
