//! What holds of every file that is taken for a desktop entry. Tests and `fuzz/` call the same
//! function; it panics where a property does not hold.

use std::path::Path;

use super::entry::{Entry, words};

/// A command is one that a process can be started with and is no longer than what stands in the
/// file, and its words are the same once they are quoted.
pub fn entry(text: &str) {
    let path = Path::new("/usr/share/applications/demo.desktop");
    let languages = ["de_AT".to_owned(), "de".to_owned()];
    let file = format!("[Desktop Entry]\nType=Application\n{text}");
    for text in [text, &file] {
        let Some(entry) = Entry::parse(text, &languages) else { continue };
        let Ok(command) = entry.command(path) else { continue };
        assert!(command.first().is_some_and(|program| !program.is_empty()));
        assert!(command.iter().all(|word| !word.contains('\0')));
        // `%c` and `%k` stand for what is longer than they are.
        let codes = text.matches('%').count() + 1;
        let longest = text.len() + codes * (text.len() + path.as_os_str().len());
        assert!(command.iter().map(String::len).sum::<usize>() <= longest);
        let line: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        assert_eq!(words(&line.join(" ")), Ok(command));
    }
}

/// `word` as the specification has a word quoted.
fn quoted(word: &str) -> String {
    let mut text = String::from('"');
    for character in word.chars() {
        if matches!(character, '"' | '`' | '$' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, test_runner::RngSeed};

    use super::*;

    const PIECES: [&str; 32] = [
        "[Desktop Entry]\n",
        "[Desktop Action new]\n",
        "Type=Application\n",
        "Name=",
        "Name[de]=",
        "Name[",
        "Exec=",
        "TryExec=",
        "Path=",
        "Icon=",
        "Terminal=true\n",
        "Hidden=",
        "\n",
        "=",
        "\"",
        "'",
        "\\",
        "\\\\",
        "\\s",
        "\\n",
        "%f",
        "%U",
        "%i",
        "%c",
        "%k",
        "%%",
        "%",
        "demo",
        " ",
        "#",
        "\0",
        "é",
    ];

    proptest! {
           #![proptest_config(ProptestConfig {
               failure_persistence: None,
    rng_seed: RngSeed::Fixed(1),
               ..ProptestConfig::with_cases(5_000)
           })]

           #[test]
           fn whatever_is_in_an_entry_is_a_command_or_none(
               pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..24),
               noise in any::<String>(),
           ) {
               entry(&pieces.concat());
               entry(&format!("Exec={}", pieces.concat().replace('\n', "")));
               entry(&noise);
           }
       }
}
