//! A connection to a bus daemon, with calls one by one or pipelined.

use std::{
    collections::{HashMap, VecDeque},
    io::{BufReader, Write},
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixStream},
    },
    time::Duration,
};

use super::{Body, Error, Kind, Message, Reader};

const BUS: (&str, &str, &str) =
    ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus");

/// A connection to a bus.
#[derive(Debug)]
pub struct Connection {
    write: UnixStream,
    read: BufReader<UnixStream>,
    serial: u32,
    /// Our name on the bus, such as `:1.7`.
    pub name: String,
}

/// A method call.
#[derive(Clone, Debug)]
pub struct Call {
    pub destination: String,
    pub path: String,
    pub interface: &'static str,
    pub member: &'static str,
    pub body: Body,
}

impl Connection {
    /// Connects to the bus at `address`; every call fails once no byte came for 20 s.
    pub fn open(address: &str) -> Result<Self, Error> {
        Self::open_and_call(address, Vec::new()).map(|(connection, _)| connection)
    }

    /// Connects and makes `calls` with the same first write, so that the greeting costs no round
    /// trip of its own.
    pub fn open_and_call(
        address: &str,
        calls: Vec<Call>,
    ) -> Result<(Self, Vec<Result<Message, Error>>), Error> {
        let write = UnixStream::connect_addr(&socket_address(address)?)?;
        write.set_read_timeout(Some(Duration::from_secs(20)))?;
        let read = BufReader::with_capacity(1 << 16, write.try_clone()?);
        let mut bus = Self { write, read, serial: 0, name: String::new() };

        let user = rustix::process::getuid().as_raw().to_string();
        let hex: String = user.bytes().map(|byte| format!("{byte:02x}")).collect();
        let mut greeting = format!("\0AUTH EXTERNAL {hex}\r\nBEGIN\r\n").into_bytes();
        let mut all = vec![Call::new(BUS.0, BUS.1, BUS.2, "Hello")];
        all.extend(calls);
        let first = bus.encode(&all, &mut greeting);
        bus.write.write_all(&greeting)?;
        let mut line = Vec::new();
        std::io::BufRead::read_until(&mut bus.read, b'\n', &mut line)?;
        if !line.starts_with(b"OK ") {
            return Err(Error::Shape("the bus refuses authentication"));
        }
        let mut answers = bus.collect(first, all.len())?.into_iter();
        let hello = answers.next().ok_or(Error::Shape("no greeting"))??;
        bus.name = Reader::new(&hello.body.bytes).text()?;
        Ok((bus, answers.collect()))
    }

    /// Makes one call and waits for its answer.
    pub fn call(&mut self, call: Call) -> Result<Message, Error> {
        self.call_all(std::slice::from_ref(&call))?.pop().ok_or(Error::Shape("no answer")).flatten()
    }

    /// Makes all calls at once and returns their answers in order.
    pub fn call_all(&mut self, calls: &[Call]) -> Result<Vec<Result<Message, Error>>, Error> {
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        let mut bytes = Vec::with_capacity(calls.len() * 160);
        let first = self.encode(calls, &mut bytes);
        self.write.write_all(&bytes)?;
        self.collect(first, calls.len())
    }

    /// Makes calls, of which at most `window` are unanswered at any time; what `take` gives for an
    /// answer is asked, too. Returns how many calls were made.
    pub fn converse<T>(
        &mut self,
        window: usize,
        first: Vec<(T, Call)>,
        mut take: impl FnMut(T, Option<Message>) -> Vec<(T, Call)>,
    ) -> Result<usize, Error> {
        let mut queue = VecDeque::from(first);
        let mut asked = HashMap::new();
        let mut made = 0;
        while !queue.is_empty() || !asked.is_empty() {
            let mut bytes = Vec::new();
            while asked.len() < window
                && let Some((tag, call)) = queue.pop_front()
            {
                asked.insert(self.encode(std::slice::from_ref(&call), &mut bytes), tag);
                made += 1;
            }
            self.write.write_all(&bytes)?;
            let message = Message::decode(&mut self.read)?;
            if matches!(message.kind, Kind::Return | Kind::Error)
                && let Some(tag) = asked.remove(&message.reply_to)
            {
                queue.extend(take(tag, refused(message).ok()));
            }
        }
        Ok(made)
    }

    /// Sends `message`, numbering it if it has no number.
    pub fn send(&mut self, mut message: Message) -> Result<(), Error> {
        if message.serial == 0 {
            self.serial += 1;
            message.serial = self.serial;
        }
        Ok(self.write.write_all(&message.encode())?)
    }

    /// Another way to write to the connection, for who answers and tells of events at once. Whole
    /// messages must go in one after the other.
    pub fn writer(&self) -> Result<UnixStream, Error> {
        Ok(self.write.try_clone()?)
    }

    /// The next message, whatever it is. With `patience`, an error once that has passed.
    pub fn next(&mut self, patience: Option<Duration>) -> Result<Message, Error> {
        self.write.set_read_timeout(patience)?;
        Message::decode(&mut self.read)
    }

    fn encode(&mut self, calls: &[Call], bytes: &mut Vec<u8>) -> u32 {
        let first = self.serial + 1;
        for call in calls {
            self.serial += 1;
            let message = Message {
                serial: self.serial,
                destination: call.destination.clone(),
                path: call.path.clone(),
                interface: call.interface.into(),
                member: call.member.into(),
                body: call.body.clone(),
                ..Message::default()
            };
            bytes.extend(message.encode());
        }
        first
    }

    fn collect(&mut self, first: u32, count: usize) -> Result<Vec<Result<Message, Error>>, Error> {
        let mut answers = HashMap::with_capacity(count);
        while answers.len() < count {
            let message = Message::decode(&mut self.read)?;
            if matches!(message.kind, Kind::Return | Kind::Error) && message.reply_to >= first {
                answers.insert(message.reply_to, message);
            }
        }
        Ok((first..).map_while(|serial| answers.remove(&serial)).map(refused).collect())
    }
}

impl Call {
    pub fn new(
        destination: &str,
        path: &str,
        interface: &'static str,
        member: &'static str,
    ) -> Self {
        Self {
            destination: destination.into(),
            path: path.into(),
            interface,
            member,
            body: Body::default(),
        }
    }

    #[must_use]
    pub fn with(mut self, body: Body) -> Self {
        self.body = body;
        self
    }

    /// A call of the bus daemon itself.
    pub fn bus(member: &'static str) -> Self {
        Self::new(BUS.0, BUS.1, BUS.2, member)
    }

    /// Reads one property.
    pub fn property(destination: &str, path: &str, interface: &str, name: &str) -> Self {
        Self::new(destination, path, "org.freedesktop.DBus.Properties", "Get")
            .with(Body::default().text(interface).text(name))
    }
}

/// The address of the accessibility bus, asked for on the session bus at `session`, and a
/// connection to it.
pub fn accessibility_bus(session: &str) -> Result<(Connection, String), Error> {
    let ask = Call::new("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress");
    let (_, mut answers) = Connection::open_and_call(session, vec![ask])?;
    let answer = answers.pop().ok_or(Error::Shape("no answer"))??;
    let address = Reader::new(&answer.body.bytes).text()?;
    Ok((Connection::open(&address)?, address))
}

fn refused(message: Message) -> Result<Message, Error> {
    match message.kind {
        Kind::Error => Err(Error::Refused {
            text: Reader::new(&message.body.bytes).text().unwrap_or_default(),
            name: message.error,
        }),
        _ => Ok(message),
    }
}

fn socket_address(address: &str) -> Result<SocketAddr, Error> {
    let entries = address.split(';').filter_map(|entry| entry.strip_prefix("unix:"));
    for part in entries.flat_map(|entry| entry.split(',')) {
        match part.split_once('=') {
            Some(("path", path)) => return Ok(SocketAddr::from_pathname(unescape(path))?),
            Some(("abstract", name)) => return Ok(SocketAddr::from_abstract_name(unescape(name))?),
            _ => {}
        }
    }
    Err(Error::Shape("not the address of a local bus"))
}

/// Undoes the `%xx` of bus addresses.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let code = after.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(code.map_or('%', char::from));
        rest = after.get(2..).unwrap_or_default();
    }
    out + rest
}
