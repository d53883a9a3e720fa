//! Messages as bytes: the part of the D-Bus wire format that AT-SPI needs, little-endian.

use std::io::Read;

use super::Error;

/// What a message is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Call = 1,
    Return = 2,
    Error = 3,
    Signal = 4,
}

/// One message. Empty strings stand for absent header fields.
#[derive(Clone, Debug, Default)]
pub struct Message {
    pub kind: Kind,
    pub no_reply: bool,
    pub serial: u32,
    pub reply_to: u32,
    pub path: String,
    pub interface: String,
    pub member: String,
    pub error: String,
    pub destination: String,
    pub sender: String,
    pub body: Body,
}

/// Arguments under construction, or as they came.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub signature: String,
    pub bytes: Vec<u8>,
}

/// Reads arguments one after the other. The caller knows their types.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Message {
    /// The message as it goes over the wire.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Body::default();
        out.bytes.extend([b'l', self.kind as u8, u8::from(self.no_reply), 1]);
        out.put_u32(u32::try_from(self.body.bytes.len()).unwrap_or(u32::MAX));
        out.put_u32(self.serial);
        let fields = out.begin_array(8);
        for (code, signature, text) in [
            (1, "o", &self.path),
            (2, "s", &self.interface),
            (3, "s", &self.member),
            (4, "s", &self.error),
            (6, "s", &self.destination),
            (7, "s", &self.sender),
        ] {
            if !text.is_empty() {
                out.align(8);
                out.bytes.push(code);
                out.put_signature(signature);
                out.put_text(text);
            }
        }
        if self.reply_to != 0 {
            out.align(8);
            out.bytes.push(5);
            out.put_signature("u");
            out.put_u32(self.reply_to);
        }
        if !self.body.signature.is_empty() {
            out.align(8);
            out.bytes.push(8);
            out.put_signature("g");
            out.put_signature(&self.body.signature);
        }
        out.end_array(fields, 8);
        out.align(8);
        out.bytes.extend(&self.body.bytes);
        out.bytes
    }

    /// Reads the next message from `stream`.
    pub fn decode(stream: &mut impl Read) -> Result<Self, Error> {
        let mut bytes = vec![0; 16];
        stream.read_exact(&mut bytes)?;
        let mut head = Reader::new(&bytes);
        head.at = 4;
        let body_length = head.u32()? as usize;
        let serial = head.u32()?;
        let fields_length = head.u32()? as usize;
        let kind = match bytes[1] {
            1 => Kind::Call,
            2 => Kind::Return,
            3 => Kind::Error,
            4 => Kind::Signal,
            _ => return Err(Error::Shape("message type")),
        };
        let no_reply = bytes[2] & 1 != 0;
        let header_end = 16 + fields_length.next_multiple_of(8);
        bytes.resize(header_end + body_length, 0);
        stream.read_exact(&mut bytes[16..])?;

        let mut message = Self { kind, no_reply, serial, ..Self::default() };
        let mut fields = Reader { bytes: &bytes[..header_end], at: 16 };
        while fields.at < 16 + fields_length {
            fields.align(8);
            let code = fields.u8()?;
            let signature = fields.signature()?;
            match (code, signature.as_str()) {
                (1, _) => message.path = fields.text()?,
                (2, _) => message.interface = fields.text()?,
                (3, _) => message.member = fields.text()?,
                (4, _) => message.error = fields.text()?,
                (5, _) => message.reply_to = fields.u32()?,
                (6, _) => message.destination = fields.text()?,
                (7, _) => message.sender = fields.text()?,
                (8, _) => message.body.signature = fields.signature()?,
                (_, "u") => _ = fields.u32()?,
                _ => return Err(Error::Shape("header field")),
            }
        }
        message.body.bytes = bytes.split_off(header_end);
        Ok(message)
    }
}

impl Body {
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.signature.push('s');
        self.put_text(text);
        self
    }

    #[must_use]
    pub fn u32(mut self, number: u32) -> Self {
        self.signature.push('u');
        self.put_u32(number);
        self
    }

    #[must_use]
    pub fn i32(mut self, number: i32) -> Self {
        self.signature.push('i');
        self.put_u32(number.cast_unsigned());
        self
    }

    #[must_use]
    pub fn f64(mut self, number: f64) -> Self {
        self.signature.push('d');
        self.align(8);
        self.bytes.extend(number.to_le_bytes());
        self
    }

    #[must_use]
    pub fn boolean(mut self, truth: bool) -> Self {
        self.signature.push('b');
        self.put_u32(u32::from(truth));
        self
    }

    /// An accessible as AT-SPI passes it: bus name and path.
    #[must_use]
    pub fn accessible(mut self, bus_name: &str, path: &str) -> Self {
        self.signature.push_str("(so)");
        self.put_accessible(bus_name, path);
        self
    }

    /// A variant that holds what `of` holds, which must be one value.
    #[must_use]
    pub fn variant(mut self, of: &Self) -> Self {
        self.signature.push('v');
        self.put_signature(&of.signature);
        // Everything that goes into a variant here needs an alignment of 8 at most, so padding to
        // 8 and shifting whole would be wrong; the value is encoded anew at its place instead.
        match of.signature.as_str() {
            "s" => self.put_text(&Reader::new(&of.bytes).text().unwrap_or_default()),
            "(so)" => {
                let (name, path) = Reader::new(&of.bytes).accessible().unwrap_or_default();
                self.put_accessible(&name, &path);
            }
            signature => {
                self.align(if signature == "d" { 8 } else { 4 });
                self.bytes.extend(&of.bytes);
            }
        }
        self
    }

    /// An array; `each` writes one element with the `put_` functions.
    #[must_use]
    pub fn array<T>(
        mut self,
        element: &str,
        alignment: usize,
        items: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Self, T),
    ) -> Self {
        self.signature.push('a');
        self.signature.push_str(element);
        let start = self.begin_array(alignment);
        for item in items {
            each(&mut self, item);
        }
        self.end_array(start, alignment);
        self
    }

    pub fn put_u32(&mut self, number: u32) {
        self.align(4);
        self.bytes.extend(number.to_le_bytes());
    }

    /// A number, aligned to its size.
    pub fn put<const SIZE: usize>(&mut self, number: [u8; SIZE]) {
        self.align(SIZE);
        self.bytes.extend(number);
    }

    pub fn put_text(&mut self, text: &str) {
        self.put_u32(u32::try_from(text.len()).unwrap_or(u32::MAX));
        self.bytes.extend(text.as_bytes());
        self.bytes.push(0);
    }

    pub fn put_accessible(&mut self, bus_name: &str, path: &str) {
        self.align(8);
        self.put_text(bus_name);
        self.put_text(path);
    }

    /// Starts an array inside an array; the result goes to [`Body::end_array`].
    pub fn begin_array(&mut self, alignment: usize) -> usize {
        self.put_u32(0);
        let length_at = self.bytes.len() - 4;
        self.align(alignment);
        length_at
    }

    pub fn end_array(&mut self, length_at: usize, alignment: usize) {
        let content = (length_at + 4).next_multiple_of(alignment);
        let length = u32::try_from(self.bytes.len() - content).unwrap_or(u32::MAX);
        self.bytes[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
    }

    pub fn align(&mut self, alignment: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(alignment), 0);
    }

    pub fn put_signature(&mut self, signature: &str) {
        self.bytes.push(u8::try_from(signature.len()).unwrap_or(u8::MAX));
        self.bytes.extend(signature.as_bytes());
        self.bytes.push(0);
    }
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub fn u8(&mut self) -> Result<u8, Error> {
        let byte = *self.bytes.get(self.at).ok_or(Error::Shape("message too short"))?;
        self.at += 1;
        Ok(byte)
    }

    pub fn u32(&mut self) -> Result<u32, Error> {
        self.fixed().map(u32::from_le_bytes)
    }

    /// The bytes of a number, aligned to its size.
    pub fn fixed<const SIZE: usize>(&mut self) -> Result<[u8; SIZE], Error> {
        self.align(SIZE);
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let number = rest.first_chunk().ok_or(Error::Shape("message too short"))?;
        self.at += SIZE;
        Ok(*number)
    }

    pub fn i32(&mut self) -> Result<i32, Error> {
        Ok(self.u32()?.cast_signed())
    }

    pub fn f64(&mut self) -> Result<f64, Error> {
        self.align(8);
        let eight =
            self.bytes.get(self.at..self.at + 8).ok_or(Error::Shape("message too short"))?;
        self.at += 8;
        Ok(f64::from_le_bytes(eight.try_into().map_err(|_| Error::Shape("message too short"))?))
    }

    pub fn text(&mut self) -> Result<String, Error> {
        let length = self.u32()? as usize;
        let bytes =
            self.bytes.get(self.at..self.at + length).ok_or(Error::Shape("message too short"))?;
        self.at += length + 1;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    pub fn signature(&mut self) -> Result<String, Error> {
        let length = usize::from(self.u8()?);
        let bytes =
            self.bytes.get(self.at..self.at + length).ok_or(Error::Shape("message too short"))?;
        self.at += length + 1;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// An accessible as AT-SPI passes it: bus name and path.
    pub fn accessible(&mut self) -> Result<(String, String), Error> {
        self.align(8);
        Ok((self.text()?, self.text()?))
    }

    /// Steps into a variant whose type the caller knows and returns that type's signature.
    pub fn variant(&mut self) -> Result<String, Error> {
        self.signature()
    }

    /// The elements of an array, each read by `each`.
    pub fn array<T>(
        &mut self,
        alignment: usize,
        mut each: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let length = self.u32()? as usize;
        self.align(alignment);
        let end = self.at + length;
        let mut items = Vec::new();
        while self.at < end {
            items.push(each(self)?);
        }
        Ok(items)
    }

    pub fn align(&mut self, alignment: usize) {
        self.at = self.at.next_multiple_of(alignment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_the_wire() {
        let message = Message {
            path: "/a".into(),
            member: "M".into(),
            serial: 7,
            body: Body::default()
                .u32(1)
                .array("(so)", 8, ["x", "y"], |body, name| body.put_accessible(name, "/p"))
                .variant(&Body::default().accessible(":1.2", "/q"))
                .text("ü")
                .variant(&Body::default().f64(0.5)),
            ..Message::default()
        };
        let back = Message::decode(&mut message.encode().as_slice()).unwrap();
        assert_eq!(back.body.signature, "ua(so)vsv");
        let mut args = Reader::new(&back.body.bytes);
        assert_eq!(args.u32().unwrap(), 1);
        let pairs = args.array(8, Reader::accessible).unwrap();
        assert_eq!(pairs, [("x".into(), "/p".into()), ("y".into(), "/p".into())]);
        assert_eq!(args.variant().unwrap(), "(so)");
        assert_eq!(args.accessible().unwrap(), (":1.2".into(), "/q".into()));
        assert_eq!(args.text().unwrap(), "ü");
        assert_eq!(args.variant().unwrap(), "d");
        assert_eq!(args.f64().unwrap(), 0.5);
    }
}
