//! Tokens that name things across commands: snapshot ids and refs.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

/// Names one saved snapshot: 3 to 64 characters of letters, digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct SnapshotId(Arc<str>);

/// Names one element of one snapshot, printed as `@<snapshot>:e<number>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ref {
    pub snapshot: SnapshotId,
    /// From 1; never used twice in one snapshot.
    pub number: u32,
}

/// Why a token is no ref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// `@e1`: names an element but not its snapshot.
    Bare,
    /// Anything else.
    Shape,
}

impl SnapshotId {
    /// Makes an id of 64 random bits: `s` and 13 digits of lower-case base 36.
    pub fn from_bits(mut bits: u64) -> Self {
        let mut id = [b's'; 14];
        for digit in id[1..].iter_mut().rev() {
            *digit = b"0123456789abcdefghijklmnopqrstuvwxyz"[(bits % 36) as usize];
            bits /= 36;
        }
        Self(String::from_utf8_lossy(&id).into())
    }

    /// Accepts `text` if it has the shape of an id. What passes is safe as a file name.
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        ((3..=64).contains(&text.len()) && text.bytes().all(allowed)).then(|| Self(text.into()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Ref {
    type Err = Malformed;

    fn from_str(token: &str) -> Result<Self, Malformed> {
        let body = token.strip_prefix('@').ok_or(Malformed::Shape)?;
        let Some((snapshot, element)) = body.rsplit_once(':') else {
            return Err(match number(body) {
                Some(_) => Malformed::Bare,
                None => Malformed::Shape,
            });
        };
        Ok(Self {
            snapshot: SnapshotId::parse(snapshot).ok_or(Malformed::Shape)?,
            number: number(element).ok_or(Malformed::Shape)?,
        })
    }
}

/// The number in `e<number>`: 1 to 2³²−1, at most ten digits, no sign, no leading zero.
fn number(element: &str) -> Option<u32> {
    let digits = element.strip_prefix('e')?;
    let plain = digits.len() <= 10 && digits.bytes().all(|byte| byte.is_ascii_digit());
    (plain && !digits.starts_with('0')).then(|| digits.parse().ok()).flatten()
}

impl fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}:e{}", self.snapshot, self.number)
    }
}

impl Serialize for Ref {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SnapshotId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not a snapshot id")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_round_trip() {
        let token = "@s2txcl95uvubmn:e4294967295";
        assert_eq!(token.parse::<Ref>().unwrap().to_string(), token);
    }

    #[test]
    fn hostile_refs_are_refused() {
        for (token, why) in [
            ("@e1", Malformed::Bare),
            ("e1", Malformed::Shape),
            ("", Malformed::Shape),
            ("@", Malformed::Shape),
            ("@s1:e1", Malformed::Shape),
            ("@../../etc:e1", Malformed::Shape),
            ("@s123:e0", Malformed::Shape),
            ("@s123:e01", Malformed::Shape),
            ("@s123:e-1", Malformed::Shape),
            ("@s123:e+1", Malformed::Shape),
            ("@s123:e4294967296", Malformed::Shape),
            ("@s123:e99999999999", Malformed::Shape),
            ("@s123:é1", Malformed::Shape),
            ("@s123:e1 ", Malformed::Shape),
        ] {
            assert_eq!(token.parse::<Ref>(), Err(why), "{token:?}");
        }
    }

    #[test]
    fn ids_are_lower_case_base_36() {
        assert_eq!(SnapshotId::from_bits(u64::MAX).as_str(), "s3w5e11264sgsf");
        assert!(SnapshotId::parse(SnapshotId::from_bits(1296).as_str()).is_some());
    }
}
