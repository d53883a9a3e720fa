//! Values of messages as JSON and back, by their signature: recordings are read and compared by
//! people, and a name that is scrubbed is of another length.
//!
//! A variant is `[signature, value]`, a structure and an array are lists, a dictionary is a list of
//! pairs.

use serde_json::{Value, json};

use crate::bus::{Body, Error, Reader};

/// The values that `body` holds, one for each complete type of its signature.
pub(super) fn read(body: &Body) -> Result<Vec<Value>, Error> {
    let mut reader = Reader::new(&body.bytes);
    let mut rest = body.signature.as_str();
    let mut values = Vec::new();
    while !rest.is_empty() {
        let (one, more) = split(rest)?;
        values.push(read_one(&mut reader, one)?);
        rest = more;
    }
    Ok(values)
}

/// The body that holds `values`.
pub(super) fn write(signature: &str, values: &[Value]) -> Result<Body, Error> {
    let mut body = Body { signature: signature.to_owned(), bytes: Vec::new() };
    let mut rest = signature;
    for value in values {
        let (one, more) = split(rest)?;
        write_one(&mut body, one, value)?;
        rest = more;
    }
    if rest.is_empty() { Ok(body) } else { Err(Error::Shape("too few values")) }
}

fn read_one(reader: &mut Reader<'_>, signature: &str) -> Result<Value, Error> {
    Ok(match signature.as_bytes().first() {
        Some(b'y') => reader.u8()?.into(),
        Some(b'b') => (reader.u32()? != 0).into(),
        Some(b'n') => i16::from_le_bytes(reader.fixed()?).into(),
        Some(b'q') => u16::from_le_bytes(reader.fixed()?).into(),
        Some(b'i') => reader.i32()?.into(),
        Some(b'u') => reader.u32()?.into(),
        Some(b'x') => i64::from_le_bytes(reader.fixed()?).into(),
        Some(b't') => u64::from_le_bytes(reader.fixed()?).into(),
        Some(b'd') => f64::from_le_bytes(reader.fixed()?).into(),
        Some(b's' | b'o') => reader.text()?.into(),
        Some(b'g') => reader.signature()?.into(),
        Some(b'v') => {
            let inner = reader.variant()?;
            let value = read_one(reader, &inner)?;
            json!([inner, value])
        }
        Some(b'a') => {
            let element = &signature[1..];
            reader.array(alignment(element), |reader| read_one(reader, element))?.into()
        }
        Some(b'(' | b'{') => {
            reader.align(8);
            let mut fields = Vec::new();
            let mut rest = inside(signature);
            while !rest.is_empty() {
                let (one, more) = split(rest)?;
                fields.push(read_one(reader, one)?);
                rest = more;
            }
            fields.into()
        }
        _ => return Err(Error::Shape("a type that is not known")),
    })
}

fn write_one(body: &mut Body, signature: &str, value: &Value) -> Result<(), Error> {
    let wrong = || Error::Shape("a value of another type than its signature says");
    let number = || value.as_i64().ok_or_else(wrong);
    let list = || value.as_array().ok_or_else(wrong);
    match signature.as_bytes().first() {
        Some(b'y') => body.bytes.push(number()?.try_into().map_err(|_| wrong())?),
        Some(b'b') => body.put_u32(value.as_bool().ok_or_else(wrong)?.into()),
        Some(b'n') => body.put(i16::try_from(number()?).map_err(|_| wrong())?.to_le_bytes()),
        Some(b'q') => body.put(u16::try_from(number()?).map_err(|_| wrong())?.to_le_bytes()),
        Some(b'i') => body.put(i32::try_from(number()?).map_err(|_| wrong())?.to_le_bytes()),
        Some(b'u') => body.put(u32::try_from(number()?).map_err(|_| wrong())?.to_le_bytes()),
        Some(b'x') => body.put(number()?.to_le_bytes()),
        Some(b't') => body.put(value.as_u64().ok_or_else(wrong)?.to_le_bytes()),
        // JSON has no number for what is none.
        Some(b'd') => body.put(value.as_f64().unwrap_or(f64::NAN).to_le_bytes()),
        Some(b's' | b'o') => body.put_text(value.as_str().ok_or_else(wrong)?),
        Some(b'g') => body.put_signature(value.as_str().ok_or_else(wrong)?),
        Some(b'v') => match list()?.as_slice() {
            [Value::String(inner), value] => {
                body.put_signature(inner);
                write_one(body, inner, value)?;
            }
            _ => return Err(wrong()),
        },
        Some(b'a') => {
            let element = &signature[1..];
            let start = body.begin_array(alignment(element));
            for item in list()? {
                write_one(body, element, item)?;
            }
            body.end_array(start, alignment(element));
        }
        Some(b'(' | b'{') => {
            body.align(8);
            let mut rest = inside(signature);
            for field in list()? {
                let (one, more) = split(rest)?;
                write_one(body, one, field)?;
                rest = more;
            }
            if !rest.is_empty() {
                return Err(wrong());
            }
        }
        _ => return Err(Error::Shape("a type that is not known")),
    }
    Ok(())
}

/// The first complete type of a signature, and what follows.
fn split(signature: &str) -> Result<(&str, &str), Error> {
    let mut depth = 0;
    for (at, sign) in signature.bytes().enumerate() {
        match sign {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && sign != b'a' {
            return Ok(signature.split_at(at + 1));
        }
    }
    Err(Error::Shape("a signature that does not end"))
}

/// A structure's or an entry's signature without what encloses it.
fn inside(signature: &str) -> &str {
    signature.get(1..signature.len() - 1).unwrap_or_default()
}

fn alignment(signature: &str) -> usize {
    match signature.as_bytes().first() {
        Some(b'y' | b'g' | b'v') => 1,
        Some(b'n' | b'q') => 2,
        Some(b'x' | b't' | b'd' | b'(' | b'{') => 8,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_same_after_reading_and_writing() {
        let values = [
            json!([[":1.7", "/a"], [":1.8", "/b/c"]]),
            json!(["d", 0.5]),
            json!(["(so)", [":1.7", "/a"]]),
            json!([["id", ["s", "save"]], ["level", ["i", -3]]]),
            json!(true),
            json!([]),
            json!(["ax", [1, -1]]),
            json!(18_446_744_073_709_551_615_u64),
        ];
        let body = write("a(so)vva{sv}bauvt", &values).unwrap();
        assert_eq!(read(&body).unwrap(), values);
        assert!(write("as", &[json!([1])]).is_err());
        assert!(write("su", &[json!("a")]).is_err());
    }
}
