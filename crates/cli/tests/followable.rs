//! What is suggested can be followed: every command and every flag that a suggestion, a help text
//! or a manual names is one of this version, and one that does something.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod program;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use agent_desktop_cli::command;
use program::Program;

/// Flags of other programs, whose names stand with them.
const OF_OTHERS: &[&str] = &[
    // Chromium
    "--disable-platform-accessibility-integration",
    "--force-device-scale-factor",
    "--force-renderer-accessibility",
    "--no-sandbox",
    "--remote-debugging-address",
    "--remote-debugging-port",
    "--user-data-dir",
    // xtask, scripts/demo
    "--check",
    "--non-interactive",
    "--peers",
    "--rounds",
    "--starts",
    "--write",
    // xa11y, another program called agent-desktop
    "--pid",
    // systemctl
    "--user",
    // zenity
    "--equation",
    "--file-selection",
    "--forms",
    "--list",
    // A placeholder.
    "--flag",
];

/// Something written for a reader, and where it stands.
struct Text {
    place: String,
    text: String,
}

/// A command line or a part of one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mention {
    words: Vec<String>,
    place: String,
}

#[test]
fn what_is_suggested_can_be_followed() {
    let texts = texts();
    assert!(texts.len() > 1_000, "{} texts were found", texts.len());
    let flags = known_flags();
    let mut wrong = BTreeSet::new();
    let mut commands: BTreeMap<String, String> = BTreeMap::new();
    let mut lines = 0;
    for Text { place, text } in &texts {
        for flag in flags_in(text) {
            if !flags.contains(&flag) && !OF_OTHERS.contains(&flag.as_str()) {
                wrong.insert(format!("{place}: {flag} is no flag that does anything"));
            }
        }
        for Mention { words, .. } in mentions(text, place) {
            let (whole, words) = match words.split_first() {
                Some((first, rest)) if first == "agent-desktop" => (true, rest),
                _ => (false, &words[..]),
            };
            let Some(name) = words.iter().find(|word| !word.starts_with('-')) else { continue };
            if !whole && words.first() != Some(name) {
                continue;
            }
            commands.entry(name.clone()).or_insert_with(|| place.clone());
            if let Some(bad) = unknown_flag(words) {
                wrong.insert(format!("{place}: {} has no {bad}", words.join(" ")));
            }
            if whole {
                lines += 1;
                if let Some(why) = misparsed(words) {
                    wrong.insert(format!("{place}: {}: {why}", words.join(" ")));
                }
            }
        }
    }
    assert!(lines > 30, "{lines} command lines were found");
    let program = Program::new();
    for (name, place) in commands {
        if program.run(&[&name]).message().contains("is not built yet") {
            wrong.insert(format!("{place}: {name} is not built yet"));
        }
    }
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "cannot be followed:\n{}", wrong.join("\n"));
}

/// The suggestions of the program, and what is written about it.
fn texts() -> Vec<Text> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    for name in ["model", "engine", "linux", "cli"] {
        let sources = files(&root.join("crates").join(name).join("src"), "rs").into_iter();
        for file in sources.filter(|file| !file.ends_with("tests.rs")) {
            let source = fs::read_to_string(&file).unwrap();
            let tests = source.find("#[cfg(test)]\nmod ").unwrap_or(source.len());
            // A word alone is an argument for another program.
            let is_sentence = |text: &String| text.trim().contains(' ');
            let literals = literals(&source[..tests]).into_iter().filter(is_sentence);
            texts.extend(literals.map(|text| Text { place: shown(&file, &root), text }));
        }
    }
    let manuals = ["docs", "skills"].iter().flat_map(|folder| files(&root.join(folder), "md"));
    for file in manuals.chain([root.join("README.md")]) {
        for (line, text) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let place = format!("{}:{}", shown(&file, &root), line + 1);
            texts.push(Text { place, text: text.to_owned() });
        }
    }
    texts
}

fn shown(file: &Path, root: &Path) -> String {
    file.strip_prefix(root).unwrap().display().to_string()
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    found
}

/// The texts in double quotes of a Rust source, without the escapes that matter here.
fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in source.split_inclusive('\n') {
        // Help texts are read in docs/commands.md, where they are put together.
        let code = if line.trim_start().starts_with("//") { "" } else { line };
        found.push(code);
    }
    let code: String = found.concat();
    let mut texts = Vec::new();
    let mut rest = code.as_str();
    while let Some(start) = rest.find('"') {
        let is_character = rest[..start].ends_with('\'') && rest[start + 1..].starts_with('\'');
        rest = &rest[start + 1..];
        if is_character {
            continue;
        }
        let mut text = String::new();
        let mut characters = rest.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    rest = &rest[at + 1..];
                    break;
                }
                '\\' => match characters.next() {
                    Some((at, '\n')) => {
                        let next = rest[at + 1..].trim_start();
                        let skipped = rest.len() - at - 1 - next.len();
                        for _ in 0..skipped {
                            characters.next();
                        }
                    }
                    Some((_, escaped)) => text.push(escaped),
                    None => {}
                },
                other => text.push(other),
            }
        }
        texts.push(text);
    }
    texts
}

/// Every `--flag` in `text`.
fn flags_in(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.match_indices("--")
        .filter(|(at, _)| !text[..*at].ends_with(|c: char| is_part(c) || c == '_'))
        .filter_map(|(at, _)| {
            let name = &text[at + 2..];
            let name = &name[..name.find(|c| !is_part(c)).unwrap_or(name.len())];
            let name = name.trim_end_matches('-');
            name.starts_with(|c: char| c.is_ascii_lowercase()).then(|| format!("--{name}"))
        })
        .collect()
}

/// What stands in `text` as code and may be a command: between backticks, or on a line of its own.
fn mentions(text: &str, place: &str) -> Vec<Mention> {
    let line = text.trim_start();
    let indented = text.len() - line.len() >= 4;
    let mut pieces: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    if indented && line.starts_with("agent-desktop ") {
        pieces.push(line);
    }
    let is_name = |word: &String| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
    };
    let words = pieces.into_iter().map(words);
    let words = words.filter(|words| words.first().is_some_and(is_name));
    words.map(|words| Mention { words, place: place.to_owned() }).collect()
}

/// The words of a command line, as a shell takes them; what goes to a file or the background is
/// left out, and what is left open stands for something.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quote = None;
    for character in line.chars() {
        match character {
            _ if quote == Some(character) => quote = None,
            '"' | '\'' if quote.is_none() => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            ' ' if quote.is_none() => words.extend(word.take()),
            '#' | '&' | '|' | '<' | '>' if quote.is_none() && word.is_none() => break,
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

/// The first flag of `words` that its command does not take.
fn unknown_flag(words: &[String]) -> Option<&str> {
    let whole = command();
    let mut takes: BTreeSet<String> = flags(&whole);
    let mut at = &whole;
    for word in words.iter().take_while(|word| *word != "--") {
        if let Some(inner) = at.find_subcommand(word) {
            takes.extend(flags(inner));
            at = inner;
        }
    }
    let is_built = at.get_name() != whole.get_name();
    let given = words.iter().take_while(|word| *word != "--");
    given
        .map(|word| word.split('=').next().unwrap_or_default())
        .filter(|word| is_built && word.starts_with('-') && word.len() > 1)
        .find(|flag| !takes.contains(*flag))
}

/// Why a whole command line could not be understood. What is left open in it is taken for a value,
/// and one that is only begun is right as far as it goes.
fn misparsed(words: &[String]) -> Option<String> {
    if words.iter().any(|word| word.contains('…') || word == "COMMAND" || word == "--help") {
        return None;
    }
    let argv = ["agent-desktop"].into_iter().chain(words.iter().map(String::as_str));
    let error = command().try_get_matches_from(argv).err()?;
    let is_begun = error.kind() == clap::error::ErrorKind::MissingRequiredArgument;
    (!is_begun).then(|| error.to_string().lines().next().unwrap_or_default().to_owned())
}

/// The flags of all commands.
fn known_flags() -> BTreeSet<String> {
    let whole = command();
    let mut all = flags(&whole);
    let mut left: Vec<&clap::Command> = whole.get_subcommands().collect();
    while let Some(command) = left.pop() {
        all.extend(flags(command));
        left.extend(command.get_subcommands());
    }
    all
}

/// The flags of one command that are shown, each in its forms.
fn flags(command: &clap::Command) -> BTreeSet<String> {
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let forms = shown.flat_map(|arg| {
        let long = arg.get_long().map(|long| format!("--{long}"));
        long.into_iter().chain(arg.get_short().map(|short| format!("-{short}")))
    });
    forms.chain(["--help", "-h", "--version", "-V"].map(str::to_owned)).collect()
}
