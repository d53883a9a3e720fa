//! Files named by URLs (`file:///home/a%20b`), as programs exchange them.

use std::{
    ffi::OsString,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// The URL of the file at an absolute path: every byte that has a meaning in URLs, or none, is
/// escaped.
pub(crate) fn of(path: &Path) -> String {
    use std::fmt::Write;
    let mut url = String::from("file://");
    for byte in path.as_os_str().as_bytes() {
        // What RFC 3986 leaves unreserved, and what it permits in a path and no program minds.
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,=:@".contains(byte) {
            url.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

/// Whether it names a file at all, on whatever machine.
pub(crate) fn is_file_url(url: &str) -> bool {
    scheme_less(url).is_some()
}

/// The path of a file on this machine; none if the URL is of something else, or damaged.
pub(crate) fn path(url: &str) -> Option<PathBuf> {
    let rest = scheme_less(url)?;
    let escaped = match rest.strip_prefix("//") {
        // RFC 8089 also has the form without a host.
        None => rest,
        Some(rest) => {
            let (host, _) = rest.split_once('/')?;
            let is_here = host.is_empty() || host.eq_ignore_ascii_case("localhost");
            is_here.then(|| &rest[host.len()..])?
        }
    };
    // A file has no query and no fragment: programs that escape too little mean the character.
    let path = unescaped(escaped)?;
    (path.first() == Some(&b'/') && !path.contains(&0))
        .then(|| PathBuf::from(OsString::from_vec(path)))
}

fn scheme_less(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once(':')?;
    (scheme.eq_ignore_ascii_case("file") && rest.starts_with('/')).then_some(rest)
}

fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let [high, low] = digits else { return None };
        bytes.push(u8::try_from(digit(high)? * 16 + digit(low)?).ok()?);
        rest = after;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_comes_back() {
        let raw = Path::new(std::ffi::OsStr::from_bytes(b"/raw \xff\xfe%41"));
        for path in ["/a b/ü 😀.txt", "/100%", "/%41", "/a#b?c;d", "/", "/a\nb", "/שלום"]
            .map(Path::new)
            .into_iter()
            .chain([raw])
        {
            let url = of(path);
            assert!(url.is_ascii() && !url.contains(['#', '?', ' ', '\n']), "{url}");
            assert_eq!(super::path(&url).as_deref(), Some(path), "{url}");
        }
        assert_eq!(of(Path::new("/a b/ü%")), "file:///a%20b/%C3%BC%25");
    }

    #[test]
    fn what_others_write_is_understood() {
        let is = |url, wanted: &str| assert_eq!(path(url).as_deref(), Some(Path::new(wanted)));
        is("FILE:///a%2fb", "/a/b");
        is("file://localhost/a", "/a");
        is("file:/a", "/a");
        is("file:///not escaped ü", "/not escaped ü");
    }

    #[test]
    fn what_is_no_file_here_has_no_path() {
        for url in [
            "",
            "a",
            "/a",
            "http://a/b",
            "file:",
            "file://",
            "file:a",
            "file://elsewhere/a",
            "file:///%",
            "file:///%4",
            "file:///%zz",
            "file:///a%00b",
        ] {
            assert_eq!(path(url), None, "{url}");
        }
        assert!(is_file_url("file://elsewhere/a") && !is_file_url("http://a/b"));
    }
}
