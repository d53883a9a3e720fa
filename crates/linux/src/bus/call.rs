//! What is asked and what is answered, as plain values, so that a conversation can be replayed.

use std::sync::Arc;

use serde::Deserialize;
use zbus::{Message, Variant, message::Body, wire::Type};

/// One method call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) to: Arc<str>,
    pub(crate) path: Arc<str>,
    pub(crate) interface: &'static str,
    pub(crate) member: &'static str,
    pub(crate) args: Args,
}

/// The arguments of a call, one variant for each signature that is ever sent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Args {
    None,
    Int(i32),
    Uint(u32),
    Ints(i32, i32),
    /// A point, and which coordinates it is in.
    Point(i32, i32, u32),
    /// Which coordinates a point is in, and the point.
    Target(u32, i32, i32),
    Text(Box<str>),
    /// Interface and name of a property.
    Property(&'static str, &'static str),
    /// Interface and name of a property to set, and its value.
    Switch(&'static str, &'static str, bool),
    /// Interface and name of a property to set, and its value.
    SetNumber(&'static str, &'static str, f64),
    /// Where to insert, what, and how long it is, all in the application's own unit.
    Insertion(i32, Box<str>, i32),
    /// An event to be told of, by the application of that bus name.
    Registration(&'static str, Arc<str>),
}

/// An answer as it came. Whoever asked decodes it.
#[derive(Clone, Debug)]
pub(crate) struct Reply(Body);

/// Why a call has no answer to decode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallError {
    /// The application says that there is no such object, interface, method or property. Asking
    /// again would give the same answer.
    Absent,
    /// Nobody owns the bus name any more.
    Gone,
    /// No answer came in time: nothing is known.
    Unanswered,
    /// The application refuses for another reason, in its words.
    Refused(String),
}

impl Reply {
    /// The reply that consists of `message`.
    pub(crate) fn new(message: &Message) -> Self {
        Self(message.body())
    }

    /// The body, if it has the expected shape.
    pub(crate) fn decode<'a, T: Deserialize<'a> + Type>(&'a self) -> Option<T> {
        self.0.deserialize().ok()
    }

    /// The value of a property that is a text.
    pub(crate) fn text(&self) -> Option<Box<str>> {
        match self.decode()? {
            Variant::Str(text) => Some(text.as_str().into()),
            _ => None,
        }
    }

    /// The value of a property that is an integer of any width.
    pub(crate) fn integer(&self) -> Option<i64> {
        match self.decode()? {
            Variant::I32(number) => Some(number.into()),
            Variant::U32(number) => Some(number.into()),
            Variant::I64(number) => Some(number),
            _ => None,
        }
    }

    /// The value of a property that is true or false.
    pub(crate) fn switch(&self) -> Option<bool> {
        match self.decode()? {
            Variant::Bool(on) => Some(on),
            _ => None,
        }
    }

    /// The value of a property that is a number.
    pub(crate) fn number(&self) -> Option<f64> {
        match self.decode()? {
            Variant::F64(number) => Some(number),
            _ => None,
        }
    }
}

impl CallError {
    /// The meaning of an error message.
    pub(crate) fn of(message: &Message) -> Self {
        let header = message.header();
        let name = header.error_name().map_or("", |name| name.as_str());
        let body = message.body();
        let words = body.deserialize::<&str>().unwrap_or(name);
        match name.rsplit_once('.').map_or(name, |(_, last)| last) {
            // GTK 4.8.3 says InvalidArgs for a property that it does not have, and UnknownMethod
            // for an object that is gone.
            "UnknownObject" | "UnknownMethod" | "UnknownInterface" | "UnknownProperty"
            | "InvalidArgs" | "NotSupported" => Self::Absent,
            "ServiceUnknown" | "NameHasNoOwner" | "Disconnected" => Self::Gone,
            // The daemon says NoReply both when an application leaves in the middle of a call and
            // when it gives up waiting for it; only its words tell which (dbus-daemon 1.14).
            "NoReply" if words.contains("disconnected from message bus") => Self::Gone,
            "NoReply" | "Timeout" | "TimedOut" => Self::Unanswered,
            _ if words.contains("does not exist at path") => Self::Absent,
            _ => Self::Refused(words.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(name: &'static str, words: &str) -> CallError {
        let call = Message::method_call("/", "Ping").build(&()).unwrap();
        let answer = Message::error(&call.header(), name).build(&words).unwrap();
        CallError::of(&answer)
    }

    #[test]
    fn a_definitive_refusal_is_absence_and_silence_is_not() {
        let of = |last| error(last, "words");
        for absent in ["UnknownObject", "UnknownMethod", "UnknownInterface", "UnknownProperty"] {
            let name = format!("org.freedesktop.DBus.Error.{absent}");
            assert_eq!(of(Box::leak(name.into_boxed_str())), CallError::Absent, "{absent}");
        }
        assert_eq!(of("org.freedesktop.DBus.Error.ServiceUnknown"), CallError::Gone);
        assert_eq!(of("org.freedesktop.DBus.Error.NoReply"), CallError::Unanswered);
        let left = "Message recipient disconnected from message bus without replying";
        assert_eq!(error("org.freedesktop.DBus.Error.NoReply", left), CallError::Gone);
        assert_eq!(of("org.freedesktop.DBus.Error.Failed"), CallError::Refused("words".to_owned()));
        assert_eq!(
            error("org.freedesktop.DBus.Error.Failed", "Object does not exist at path “/a”"),
            CallError::Absent
        );
    }
}
