//! What holds of every property of a window, whoever has set it. Tests and `fuzz/` call the same
//! functions; each panics where its property does not hold.

use agent_desktop_engine::platform::{Clip, ClipKind};
use agent_desktop_model::geometry::Rect;
use x11rb::protocol::xproto::{AtomEnum, GetPropertyReply};

use super::{input::journal::Journal, selection::formats, windows};

/// Texts are no longer than what was set, and frames move a window by no more than a frame is wide.
pub fn property(bytes: &[u8]) {
    let [format, latin, value @ ..] = bytes else { return };
    let reply = GetPropertyReply {
        format: [0, 8, 16, 32][usize::from(*format) % 4],
        sequence: 1,
        length: 0,
        type_: if latin & 1 == 0 { AtomEnum::STRING.into() } else { 400 },
        bytes_after: 0,
        value_len: u32::from(*latin),
        value: value.to_vec(),
    };
    let text = windows::old_style_text(&reply);
    assert!(text.len() <= 3 * value.len());
    assert!(windows::names(&text).iter().all(|name| !name.is_empty() && !name.contains('\0')));
    let corner = Rect { x: -32_768, y: -32_768, width: 65_535, height: 65_535 };
    for outwards in [1, -1] {
        let moved = windows::moved(corner, &reply, outwards);
        assert!((moved.x - corner.x).abs() < 1_000 && (moved.y - corner.y).abs() < 1_000);
        assert!((moved.width - corner.width).abs() < 2_000);
    }
}

/// What is understood of a journal is written as it was understood, and nothing else is.
pub fn journal(entries: &[u32]) {
    let journal = Journal::of(entries);
    let written = journal.entries();
    assert_eq!(Journal::of(&written), journal);
    assert!(written.iter().all(|entry| {
        let lock = 4 << 16;
        entries.contains(entry) || entry & !0xffff == lock
    }));
}

/// Of the content of a clipboard nothing is understood that is not in it; what is, is handed out as
/// what is understood again.
pub fn selection(bytes: &[u8]) {
    let [latin, bytes @ ..] = bytes else { return };
    for kind in [ClipKind::Text, ClipKind::Image, ClipKind::FileUrls] {
        for target in formats::wanted(kind) {
            let is_latin = latin & 1 == 0;
            let Some((clip, lossy)) = formats::understood(target, is_latin, kind, bytes.to_vec())
            else {
                continue;
            };
            match &clip {
                Clip::Text(text) => assert!(text.len() <= 3 * bytes.len()),
                Clip::Image(image) => assert_eq!(image, bytes),
                Clip::FileUrls(urls) => {
                    assert!(!urls.is_empty());
                    assert!(urls.iter().all(|url| !url.contains(['\r', '\n', '\0'])));
                    assert!(urls.iter().map(String::len).sum::<usize>() <= 3 * bytes.len());
                }
            }
            let (main, held) = formats::main(&clip);
            let again = formats::understood(main, false, kind, held.into_owned());
            assert_eq!(again, Some((clip, false)), "{target}, lossy: {lossy}");
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, test_runner::RngSeed};

    use super::*;

    const PIECES: [&str; 12] = [
        "file:",
        "FILE:///a",
        "http://a",
        "\r\n",
        "\n",
        "\0",
        "#",
        " ",
        "copy",
        "cut",
        "%20",
        "\u{a0}é",
    ];

    proptest! {
           #![proptest_config(ProptestConfig {
               failure_persistence: None,
    rng_seed: RngSeed::Fixed(1),
               ..ProptestConfig::with_cases(3_000)
           })]

           #[test]
           fn properties_of_any_form_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
               property(&bytes);
               selection(&bytes);
           }

           #[test]
           fn frames_of_four_numbers_are_read(sides in any::<[u32; 4]>(), small in any::<[u8; 4]>()) {
               for sides in [sides, small.map(u32::from)] {
                   let value = sides.iter().flat_map(|side| side.to_ne_bytes());
                   property(&[3, 4].into_iter().chain(value).collect::<Vec<_>>());
               }
           }

           #[test]
           fn journals_are_written_as_they_were_understood(
               entries in proptest::collection::vec((0..6_u32, any::<u16>()), 0..20)
           ) {
               let entries: Vec<u32> =
                   entries.iter().map(|(kind, low)| kind << 16 | u32::from(*low)).collect();
               journal(&entries);
           }

           #[test]
           fn lists_of_files_are_understood(
               pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..12)
           ) {
               selection(&[&[1], pieces.concat().as_bytes()].concat());
           }
       }
}
