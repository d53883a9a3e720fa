//! A blocking D-Bus client of our own over std alone, for what observes and provokes the product:
//! the misbehaving peer, the monitor and the benchmark's floor. It shares no code with the
//! product, so a fault in the product's client cannot hide itself here.

mod connection;
mod monitor;
mod wire;

pub use connection::{Call, Connection, accessibility_bus};
pub use monitor::Monitor;
pub use wire::{Body, Kind, Message, Reader};

/// What went wrong on a bus.
#[derive(Debug)]
pub enum Error {
    /// The other side answered with this error name and text.
    Refused {
        name: String,
        text: String,
    },
    Io(std::io::Error),
    /// The answer does not have the shape that was expected.
    Shape(&'static str),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused { name, text } => write!(f, "{name}: {text}"),
            Self::Io(error) => error.fmt(f),
            Self::Shape(what) => write!(f, "unexpected shape: {what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
