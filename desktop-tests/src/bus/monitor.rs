//! Watches everything that passes over a bus.

use std::{
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use super::{Body, Call, Connection, Error, Kind, Message, Reader};

/// A second pair of eyes on a bus: sees every message of everybody.
#[derive(Debug)]
pub struct Monitor {
    seen: Receiver<Message>,
    /// Another connection, whose call marks the end of what is looked at.
    marker: Connection,
    present: Vec<String>,
}

impl Monitor {
    /// Starts watching the bus at `address`.
    pub fn start(address: &str) -> Result<Self, Error> {
        let mut watcher = Connection::open(address)?;
        let mut marker = Connection::open(address)?;
        let names = marker.call(Call::bus("ListNames"))?;
        let present = Reader::new(&names.body.bytes).array(4, Reader::text)?;
        let become_monitor = Call {
            interface: "org.freedesktop.DBus.Monitoring",
            ..Call::bus("BecomeMonitor")
                .with(Body::default().array("s", 4, [""; 0], Body::put_text).u32(0))
        };
        watcher.call(become_monitor)?;
        let (send, seen) = channel();
        std::thread::spawn(move || {
            while let Ok(message) = watcher.next(None) {
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        Ok(Self { seen, marker, present })
    }

    /// Everything that connections sent and received that did not exist when watching began: the
    /// calls they made first, then how many messages there were, calls included.
    pub fn newcomers(self) -> Result<(Vec<Message>, usize), Error> {
        let present = self.present.clone();
        let mut messages = self.messages()?;
        let count = messages.len();
        let from = |name: &str| name.starts_with(':') && !present.iter().any(|it| it == name);
        messages.retain(|message| message.kind == Kind::Call && from(&message.sender));
        Ok((messages, count))
    }

    /// The same messages themselves, as they passed.
    pub fn messages(mut self) -> Result<Vec<Message>, Error> {
        // The daemon passes messages on in order, so once this call is seen, so is all before it.
        self.marker.call(Call::bus("GetId"))?;
        let mut messages = Vec::new();
        loop {
            let message = self
                .seen
                .recv_timeout(Duration::from_secs(10))
                .map_err(|_| Error::Shape("the monitor went blind"))?;
            if message.sender == self.marker.name && message.member == "GetId" {
                return Ok(messages);
            }
            let newcomer =
                |name: &str| name.starts_with(':') && !self.present.iter().any(|p| p == name);
            let from = newcomer(&message.sender) && message.sender != self.marker.name;
            if from || newcomer(&message.destination) {
                messages.push(message);
            }
        }
    }
}
