//! A synchronous face of a D-Bus connection: many calls in flight, one deadline for all of them.
//!
//! Only raw method calls are sent. There are no proxies, because they cache properties through
//! `Properties.GetAll`, and any `GetAll` makes Qt 5.15.8 and 6.4.2 applications leave the bus.
//! Reading subscribes to nothing, so it costs the desktop nothing; a [`Line`] hears what its user
//! subscribes it to, for as long as it lasts.

mod call;
mod line;
#[cfg(any(test, fuzzing))]
pub(crate) mod properties;
mod runtime;

use std::{
    collections::HashMap,
    future::poll_fn,
    marker::PhantomData,
    num::{NonZeroU32, NonZeroUsize},
    pin::Pin,
    task::Poll,
    time::{Duration, Instant},
};

use agent_desktop_engine::platform::Deadline;
use futures_core::Stream;
use zbus::{
    Connection, Message, MessageStream, Variant,
    connection::Builder,
    message::Type,
    names::{BusName, UniqueName},
};

use runtime::Runtime;

pub(crate) use call::{Args, Call, CallError, Reply};
pub(crate) use line::{Arrival, Line, Signal, Ticket, next as next_arrival};

/// A connection to a message bus, of the thread that made it.
#[derive(Debug)]
pub(crate) struct Bus {
    connection: Connection,
    runtime: Runtime,
    /// Two threads may not wait on one runtime at once.
    of_thread: PhantomData<*const ()>,
}

/// Why there is no connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConnectError {
    /// Nobody answered in time.
    Timeout,
    /// There is no bus, or it refuses us, in the system's words.
    Refused(String),
}

/// What a call's answer is good for: the caller's own mark of a call, the answer, and where
/// further calls go.
pub(crate) type Answer = Result<Reply, CallError>;

/// How many calls may be unanswered at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flight {
    /// As many as are answered in a tenth of a second, up to [`MOST`]: so that a slow application
    /// is not left with seconds of questions that nobody waits for any more.
    Paced,
    /// All of them: for an application that answers whatever has come, but only now and then.
    All,
}

/// GTK 3, Qt and Chromium gain nothing beyond this many calls in flight, and dbus-daemon then
/// spends more time on its queues; measured on Debian 12.
const MOST: usize = 256;

/// How many calls are sent before it is known how fast the answers come.
const FIRST: usize = 32;
const LEAST: usize = 4;

impl Flight {
    /// The limit after so many answers in so much time.
    fn limit(self, answered: usize, elapsed: Duration) -> usize {
        match self {
            Self::All => usize::MAX,
            Self::Paced if answered == 0 => FIRST,
            Self::Paced => {
                let in_time = answered as f64 * 0.1 / elapsed.as_secs_f64().max(1e-6);
                (in_time as usize).clamp(LEAST, MOST)
            }
        }
    }
}

impl Bus {
    /// Connects to the bus at `address`, which may list alternatives.
    pub(crate) fn connect(address: &str, deadline: Deadline) -> Result<Self, ConnectError> {
        Self::connect_as(address, |builder| builder, deadline)
    }

    /// Connects to an application itself, without a bus between.
    pub(crate) fn connect_peer(address: &str, deadline: Deadline) -> Result<Self, ConnectError> {
        Self::connect_as(address, Builder::p2p, deadline)
    }

    fn connect_as<'a>(
        address: &'a str,
        shape: impl Fn(Builder<'a>) -> Builder<'a>,
        deadline: Deadline,
    ) -> Result<Self, ConnectError> {
        let refused = |error: &dyn std::fmt::Display| ConnectError::Refused(error.to_string());
        let runtime = Runtime::here().map_err(|error| refused(&error))?;
        let mut last = ConnectError::Refused(format!("`{address}` is not a bus address"));
        for alternative in address.split(';').filter(|one| !one.is_empty()) {
            // Late answers of an application that hung must never stop the reader.
            let connecting = shape(Builder::address(alternative))
                .max_queued(NonZeroUsize::new(4 * MOST).unwrap_or(NonZeroUsize::MIN))
                .runtime(runtime.clone())
                .build();
            match runtime.block_on_until(deadline.at(), connecting) {
                Some(Ok(connection)) => {
                    return Ok(Self { connection, runtime, of_thread: PhantomData });
                }
                Some(Err(error)) => last = refused(&error),
                None => return Err(ConnectError::Timeout),
            }
        }
        Err(last)
    }

    /// Identifies the running bus, and so the desktop.
    pub(crate) fn guid(&self) -> String {
        self.connection.server_guid().to_string()
    }

    /// One call and its answer.
    pub(crate) fn call(&self, call: Call, deadline: Deadline) -> Answer {
        self.call_many(vec![call], deadline).pop().unwrap_or(Err(CallError::Unanswered))
    }

    /// Sends `calls` together; the answers stand in the order of the calls.
    pub(crate) fn call_many(&self, calls: Vec<Call>, deadline: Deadline) -> Vec<Answer> {
        let mut answers: Vec<Answer> = calls.iter().map(|_| Err(CallError::Unanswered)).collect();
        let calls = calls.into_iter().enumerate().collect();
        self.pump(calls, Flight::All, deadline, |index, answer, _| {
            if let Some(slot) = answers.get_mut(index) {
                *slot = answer;
            }
        });
        answers
    }

    /// Sends `first` and whatever `take` adds to the list it is handed, until nothing is left or the deadline passes. `take` gets every
    /// answer as it arrives; a call without one by the deadline is [`CallError::Unanswered`].
    ///
    /// An answer leads to the next question at once, so that a whole tree is read without waiting
    /// for the slowest node of each level.
    pub(crate) fn pump<T>(
        &self,
        first: Vec<(T, Call)>,
        flight: Flight,
        deadline: Deadline,
        mut take: impl FnMut(T, Answer, &mut Vec<(T, Call)>),
    ) {
        let mut waiting = first;
        // Calls are taken from the end; the first ones shall go first.
        waiting.reverse();
        let mut flying: HashMap<NonZeroU32, T> = HashMap::new();
        let talk = async {
            let mut replies = MessageStream::from(&self.connection);
            let mut added = Vec::new();
            let mut burst = Vec::new();
            let start = Instant::now();
            let mut answered = 0;
            loop {
                while flying.len() < flight.limit(answered, start.elapsed())
                    && let Some((tag, call)) = waiting.pop()
                {
                    match self.message(&call) {
                        Ok(message) => {
                            flying.insert(message.primary_header().serial_num(), tag);
                            burst.push(message);
                        }
                        Err(error) => {
                            take(tag, Err(error), &mut added);
                            waiting.extend(added.drain(..).rev());
                        }
                    }
                }
                if flying.is_empty() {
                    return Ok(true);
                }
                self.connection.send_all(&burst).await?;
                burst.clear();
                // All that has arrived is taken before anything is sent again, so that questions
                // travel in few large writes.
                let mut message = next(&mut replies).await;
                if message.is_none() {
                    return Ok(false);
                }
                while let Some(received) = message {
                    let received = received?;
                    if let Some((tag, answer)) = matched(&received, &mut flying) {
                        answered += 1;
                        take(tag, answer, &mut added);
                    }
                    message = match ready(&mut replies).await {
                        Some(more) => more,
                        None => break,
                    };
                }
                waiting.extend(added.drain(..).rev());
            }
        };
        let outcome: Option<Result<bool, zbus::Error>> =
            self.runtime.block_on_until(deadline.at(), talk);
        if matches!(outcome, Some(Ok(true))) {
            return;
        }
        // Time ran out or the bus is lost. Whoever waits for an answer is told, and may not ask
        // again.
        let mut ignored = Vec::new();
        for tag in flying.into_values().chain(waiting.into_iter().rev().map(|(tag, _)| tag)) {
            take(tag, Err(CallError::Unanswered), &mut ignored);
        }
    }

    fn message(&self, call: &Call) -> Result<Message, CallError> {
        let refused = |error: zbus::Error| CallError::Refused(error.to_string());
        let mut builder = Message::method_call(&*call.path, call.member).interface(call.interface);
        if self.connection.is_bus() {
            // Whatever an application calls a bus name, nobody can be there.
            let destination = BusName::try_from(&*call.to).map_err(|_| CallError::Absent)?;
            builder = builder.destination(destination);
            if let Some(sender) = self.connection.unique_name() {
                builder = builder.sender(UniqueName::from(sender));
            }
        }
        match &call.args {
            Args::None => builder.build(&()),
            Args::Int(number) => builder.build(number),
            Args::Uint(number) => builder.build(number),
            Args::Ints(one, two) => builder.build(&(one, two)),
            Args::Point(x, y, of) => builder.build(&(x, y, of)),
            Args::Target(of, x, y) => builder.build(&(of, x, y)),
            Args::Text(text) => builder.build(&text.as_ref()),
            Args::Property(interface, name) => builder.build(&(interface, name)),
            Args::Switch(interface, name, on) => {
                builder.build(&(interface, name, Variant::from(*on)))
            }
            Args::SetNumber(interface, name, number) => {
                builder.build(&(interface, name, Variant::from(*number)))
            }
            Args::Insertion(at, text, length) => builder.build(&(at, text.as_ref(), length)),
            Args::Registration(event, app) => {
                builder.build(&(event, Vec::<&str>::new(), app.as_ref()))
            }
        }
        .map_err(refused)
    }
}

/// The next message; none once the connection has ended.
async fn next(stream: &mut MessageStream) -> Option<Result<Message, zbus::Error>> {
    poll_fn(|context| Pin::new(&mut *stream).poll_next(context)).await
}

/// What [`next`] would give without waiting, if anything.
async fn ready(stream: &mut MessageStream) -> Option<Option<Result<Message, zbus::Error>>> {
    poll_fn(|context| {
        Poll::Ready(match Pin::new(&mut *stream).poll_next(context) {
            Poll::Ready(message) => Some(message),
            Poll::Pending => None,
        })
    })
    .await
}

/// The question that `message` answers, if it answers one of those in flight.
fn matched<T>(message: &Message, flying: &mut HashMap<NonZeroU32, T>) -> Option<(T, Answer)> {
    let error = match message.message_type() {
        Type::MethodReturn => false,
        Type::Error => true,
        _ => return None,
    };
    let tag = flying.remove(&message.header().reply_serial()?)?;
    let answer = if error { Err(CallError::of(message)) } else { Ok(Reply::new(message)) };
    Some((tag, answer))
}

#[cfg(test)]
mod tests {
    use std::{io::Write, os::unix::net::UnixListener};

    use super::*;

    #[test]
    fn a_slow_application_is_asked_no_faster_than_it_answers() {
        let after = |answers, ms| Flight::Paced.limit(answers, Duration::from_millis(ms));
        assert_eq!(after(0, 0), FIRST);
        assert_eq!(after(50, 1_000), 5);
        assert_eq!(after(1, 1_000), LEAST);
        assert_eq!(after(1_000, 100), MOST);
        assert_eq!(Flight::All.limit(1, Duration::from_secs(1)), usize::MAX);
    }

    #[test]
    fn a_socket_that_never_speaks_holds_nobody_up() {
        let directory = tempfile::tempdir().unwrap();
        let socket = directory.path().join("bus");
        let _silent = UnixListener::bind(&socket).unwrap();
        let address = format!("unix:path={}", socket.display());
        let start = Instant::now();
        let outcome = Bus::connect(&address, Deadline::after_ms(100)).map(drop);
        assert_eq!(outcome, Err(ConnectError::Timeout));
        assert!(start.elapsed() < Duration::from_secs(2));
    }

    #[test]
    fn a_bus_that_talks_nonsense_holds_nobody_up_however_often_it_is_asked() {
        let directory = tempfile::tempdir().unwrap();
        let socket = directory.path().join("bus");
        let listener = UnixListener::bind(&socket).unwrap();
        let (done, end) = std::sync::mpsc::channel();
        let bus = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            properties::greet(&mut stream).unwrap();
            stream.write_all(&[b'?'; 64]).unwrap();
            // The socket stays open: what is written to it arrives.
            end.recv().unwrap();
        });
        let address = format!("unix:path={}", socket.display());
        let bus_of_ours = Bus::connect_peer(&address, Deadline::after_ms(5_000)).unwrap();
        let start = Instant::now();
        for _ in 0..3 {
            let answer = bus_of_ours.call(properties::question(), Deadline::after_ms(300));
            assert!(matches!(answer, Err(CallError::Unanswered)), "{answer:?}");
        }
        assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
        done.send(()).unwrap();
        bus.join().unwrap();
    }

    #[test]
    fn the_first_alternative_that_answers_would_do_and_none_is_said_to_be_refused() {
        for address in ["", ";", "unix:path=/nonexistent/a;unix:path=/nonexistent/b", "nonsense"] {
            let outcome = Bus::connect(address, Deadline::after_ms(1_000)).map(drop);
            assert!(matches!(outcome, Err(ConnectError::Refused(_))), "{address}: {outcome:?}");
        }
    }
}
