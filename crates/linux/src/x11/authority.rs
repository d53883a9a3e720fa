//! Files of X access cookies (Xauthority): big-endian records of family, address, display number,
//! protocol and data, each but the first with its length in front.

use std::{fs, path::Path};

/// The one protocol in use: the client shows a secret that both sides read from the file.
pub(crate) const COOKIE: &[u8] = b"MIT-MAGIC-COOKIE-1";

const FAMILY_LOCAL: u16 = 256;
const FAMILY_ANY: u16 = 65535;

/// The cookie for a display, if the file has one. A record for any machine counts; so does a local
/// record with another machine's name when the display is local, since a machine may have been
/// renamed after its session began.
pub(crate) fn cookie(file: &Path, host: &str, display: u16) -> Option<Vec<u8>> {
    let bytes = fs::read(file).ok()?;
    let number = display.to_string();
    let machine = machine();
    let local =
        matches!(host, "" | "unix" | "localhost") || host.starts_with('/') || host == machine;
    let mut best: Option<(u8, Vec<u8>)> = None;
    let mut rest = bytes.as_slice();
    while let Some(record) = Record::take(&mut rest) {
        if record.protocol != COOKIE
            || !(record.number.is_empty() || record.number == number.as_bytes())
        {
            continue;
        }
        let rank = match record.family {
            FAMILY_LOCAL if local && record.address == machine.as_bytes() => 4,
            FAMILY_LOCAL if record.address == host.as_bytes() => 3,
            FAMILY_ANY => 2,
            FAMILY_LOCAL if local => 1,
            // Records of network addresses are for servers that take connections over the network
            // unencrypted; those are reached without a cookie or not at all.
            _ => continue,
        };
        if best.as_ref().is_none_or(|(other, _)| rank > *other) {
            best = Some((rank, record.data.to_vec()));
        }
    }
    best.map(|(_, data)| data)
}

/// The contents of a file that lets everybody who can read it use `display`, whatever the machine
/// comes to be called. Without a display the cookie fits any, which is what a server reads when it
/// has yet to choose its number.
pub(crate) fn file_for(display: Option<u16>, cookie: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut record = |family: u16, address: &str, number: &str| {
        file.extend(family.to_be_bytes());
        for field in [address.as_bytes(), number.as_bytes(), COOKIE, cookie] {
            file.extend(u16::try_from(field.len()).unwrap_or(u16::MAX).to_be_bytes());
            file.extend(field);
        }
    };
    match display {
        None => record(FAMILY_ANY, "", ""),
        Some(number) => {
            let number = number.to_string();
            // Some libraries know only this form, which is what `xauth` writes.
            record(FAMILY_LOCAL, &machine(), &number);
            record(FAMILY_ANY, "", &number);
        }
    }
    file
}

/// The name of this machine, as local records hold it.
fn machine() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim_end().to_owned()
}

struct Record<'a> {
    family: u16,
    address: &'a [u8],
    number: &'a [u8],
    protocol: &'a [u8],
    data: &'a [u8],
}

impl<'a> Record<'a> {
    fn take(rest: &mut &'a [u8]) -> Option<Self> {
        Some(Self {
            family: take_number(rest)?,
            address: take_field(rest)?,
            number: take_field(rest)?,
            protocol: take_field(rest)?,
            data: take_field(rest)?,
        })
    }
}

fn take_number(rest: &mut &[u8]) -> Option<u16> {
    let (number, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u16::from_be_bytes(*number))
}

fn take_field<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::from(take_number(rest)?);
    let (field, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie_in(bytes: &[u8], host: &str, display: u16) -> Option<Vec<u8>> {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("Xauthority");
        fs::write(&file, bytes).unwrap();
        cookie(&file, host, display)
    }

    #[test]
    fn the_cookie_of_the_display_is_found_among_others() {
        let mut file = file_for(Some(3), b"three");
        file.extend(file_for(Some(4), b"four"));
        assert_eq!(cookie_in(&file, "", 4).as_deref(), Some(b"four".as_slice()));
        assert_eq!(cookie_in(&file, "", 5), None);
        file.extend(file_for(None, b"any"));
        assert_eq!(cookie_in(&file, "", 5).as_deref(), Some(b"any".as_slice()));
    }

    #[test]
    fn a_cut_or_foreign_file_holds_no_cookie() {
        let file = file_for(None, b"any");
        for length in 0..file.len() {
            assert_eq!(cookie_in(&file[..length], "", 3), None);
        }
        assert_eq!(cookie_in(b"not an authority file at all", "", 3), None);
    }
}
