//! In which formats each kind of content is handed out, and how it is understood.

use std::{borrow::Cow, rc::Rc};

use agent_desktop_engine::platform::{Clip, ClipKind};

/// Text in the one encoding that there should be.
pub(super) const UTF8: &str = "UTF8_STRING";
/// Latin-1, by the book.
pub(super) const LATIN: &str = "STRING";
const PNG: &str = "image/png";
const URIS: &str = "text/uri-list";
/// What nautilus and its like copy: the verb `copy` or `cut`, then the URLs, a line each.
const GNOME_FILES: &str = "x-special/gnome-copied-files";

/// The formats in which a kind is asked for, the best first.
pub(in crate::x11) fn wanted(kind: ClipKind) -> &'static [&'static str] {
    match kind {
        ClipKind::Text => {
            &[UTF8, "text/plain;charset=utf-8", "text/plain;charset=UTF-8", "text/plain", LATIN]
        }
        ClipKind::Image => &[PNG],
        ClipKind::FileUrls => &[URIS, GNOME_FILES],
    }
}

/// The format by which a content is verified, and its bytes in that.
pub(in crate::x11) fn main(clip: &Clip) -> (&'static str, Cow<'_, [u8]>) {
    match clip {
        Clip::Text(text) => (UTF8, Cow::Borrowed(text.as_bytes())),
        Clip::Image(bytes) => (PNG, Cow::Borrowed(bytes)),
        Clip::FileUrls(urls) => {
            let lines = urls.iter().flat_map(|url| [url.as_str(), "\r\n"]).collect::<String>();
            (URIS, Cow::Owned(lines.into_bytes()))
        }
    }
}

/// The formats of a content with its bytes in each.
pub(super) fn of(clip: &Clip) -> Vec<(&'static str, Rc<[u8]>)> {
    let texts = |text: &str| {
        let bytes: Rc<[u8]> = text.as_bytes().into();
        let names = wanted(ClipKind::Text).iter().filter(|name| **name != LATIN);
        let mut formats: Vec<(&'static str, Rc<[u8]>)> =
            names.chain(&["TEXT"]).map(|name| (*name, bytes.clone())).collect();
        // What it cannot hold is not promised in it.
        if let Ok(latin) = text.chars().map(u8::try_from).collect::<Result<Vec<u8>, _>>() {
            formats.push((LATIN, latin.into()));
        }
        formats
    };
    let (main, bytes) = main(clip);
    match clip {
        Clip::Text(text) => texts(text),
        Clip::Image(_) => vec![(main, bytes.into())],
        Clip::FileUrls(urls) => {
            let copied = format!("copy\n{}", urls.join("\n"));
            let mut formats = vec![(main, bytes.into()), (GNOME_FILES, copied.as_bytes().into())];
            // As file managers do, so that a text field can take the names.
            formats.extend(texts(&urls.join("\n")));
            formats
        }
    }
}

/// The content that `bytes` are in the format `target`, and whether some of it was no text. None if
/// it has nothing of the kind, such as addresses of the web alone.
pub(in crate::x11) fn understood(
    target: &str,
    is_latin: bool,
    kind: ClipKind,
    bytes: Vec<u8>,
) -> Option<(Clip, bool)> {
    match kind {
        ClipKind::Image => Some((Clip::Image(bytes), false)),
        ClipKind::Text => {
            if is_latin {
                return Some((Clip::Text(bytes.into_iter().map(char::from).collect()), false));
            }
            let (text, lossy) = match String::from_utf8(bytes) {
                Ok(text) => (text, false),
                Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
            };
            Some((Clip::Text(text), lossy))
        }
        ClipKind::FileUrls => {
            let text = String::from_utf8_lossy(&bytes);
            let lines = text.split(['\r', '\n', '\0']).map(str::trim);
            let lines = lines.skip(usize::from(target == GNOME_FILES));
            let is_file = |line: &&str| {
                line.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
            };
            let urls: Vec<String> = lines.filter(is_file).map(str::to_owned).collect();
            (!urls.is_empty()).then_some((Clip::FileUrls(urls), false))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(clip: &Clip) -> Vec<&'static str> {
        of(clip).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn latin_is_promised_only_where_it_holds_the_text() {
        assert!(names(&Clip::Text("é".into())).contains(&LATIN));
        assert!(!names(&Clip::Text("😀".into())).contains(&LATIN));
        let latin = of(&Clip::Text("é".into())).into_iter().find(|(name, _)| *name == LATIN);
        assert_eq!(*latin.unwrap().1, [0xe9]);
    }

    #[test]
    fn what_is_handed_out_is_understood_again() {
        let urls = vec!["file:///a%20b".to_owned(), "file:///%C3%BC".to_owned()];
        for (clip, kind) in [
            (Clip::Text("a\0b\n😀".into()), ClipKind::Text),
            (Clip::Text(String::new()), ClipKind::Text),
            (Clip::Image(vec![0x89, 0, 1]), ClipKind::Image),
            (Clip::FileUrls(urls), ClipKind::FileUrls),
        ] {
            for (name, bytes) in
                of(&clip).into_iter().filter(|(name, _)| wanted(kind).contains(name))
            {
                let back = understood(name, name == LATIN, kind, bytes.to_vec());
                assert_eq!(back, Some((clip.clone(), false)), "{name}");
            }
        }
    }

    #[test]
    fn of_a_list_of_uris_the_files_are_taken() {
        let list = b"# a comment\r\nhttp://a/b\r\nfile:///a\r\n\0".to_vec();
        let urls = vec!["file:///a".to_owned()];
        let found = understood(URIS, false, ClipKind::FileUrls, list);
        assert_eq!(found, Some((Clip::FileUrls(urls), false)));
        assert_eq!(understood(URIS, false, ClipKind::FileUrls, b"http://a".to_vec()), None);
    }

    #[test]
    fn what_is_no_text_is_replaced_and_told() {
        let found = understood(UTF8, false, ClipKind::Text, vec![b'a', 0xff]);
        assert_eq!(found, Some((Clip::Text("a\u{fffd}".into()), true)));
    }
}
