//! One desktop entry, as the Desktop Entry Specification 1.5 has it: what of it matters for
//! starting its program. Whatever stands in such a file comes from others and may be wrong.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use rustix::fs::{FileType, Mode, OFlags};

/// An application's entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    /// The name in the user's language, where that is another.
    pub(super) local_name: Option<String>,
    /// The command, with the escapes of texts undone and those of commands not.
    pub(super) exec: Option<String>,
    pub(super) try_exec: Option<String>,
    pub(super) directory: Option<PathBuf>,
    pub(super) icon: Option<String>,
    /// The class that its windows give as theirs.
    pub(super) class: Option<String>,
    pub(super) terminal: bool,
    /// It was deleted by the user: there is no such application.
    pub(super) hidden: bool,
    /// No person is meant to choose it.
    pub(super) no_display: bool,
}

/// Why a command cannot be made out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadCommand {
    Absent,
    OpenQuote,
    /// `%` and this character mean nothing.
    Code(char),
    Nul,
}

/// Entries are a few kilobytes long, with all languages some 60; what is longer is none.
const LONGEST: u64 = 1 << 20;

impl Entry {
    /// The entry in the file at `path`; none if there is no such file or it is none of an
    /// application.
    pub(super) fn read(path: &Path, languages: &[String]) -> Option<Self> {
        // Without NONBLOCK, opening a pipe would wait for its writer.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = rustix::fs::open(path, flags, Mode::empty()).ok()?;
        let stat = rustix::fs::fstat(&file).ok()?;
        let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        if !is_file || u64::try_from(stat.st_size).ok()? > LONGEST {
            return None;
        }
        let mut text = Vec::new();
        File::from(file).take(LONGEST).read_to_end(&mut text).ok()?;
        Self::parse(&String::from_utf8_lossy(&text), languages)
    }

    pub(super) fn parse(text: &str, languages: &[String]) -> Option<Self> {
        let lines = text.lines().map(str::trim_start);
        let group = lines
            .skip_while(|line| line.trim_end() != "[Desktop Entry]")
            .skip(1)
            .take_while(|line| !line.starts_with('['));
        let mut entry = Self::default();
        let (mut kind, mut local) = (String::new(), None);
        for line in group.filter(|line| !line.starts_with('#')) {
            let Some((key, value)) = line.split_once('=') else { continue };
            let value = value.trim();
            let text = || unescaped(value);
            let is_true = value == "true";
            match key.trim_end() {
                "Type" => kind = text(),
                "Name" => entry.name = text(),
                "Exec" => entry.exec = Some(text()),
                "TryExec" => entry.try_exec = Some(text()).filter(|text| !text.is_empty()),
                "Path" => {
                    entry.directory = Some(text().into()).filter(|path| *path != Path::new(""))
                }
                "Icon" => entry.icon = Some(text()).filter(|text| !text.is_empty()),
                "StartupWMClass" => entry.class = Some(text()).filter(|text| !text.is_empty()),
                "Terminal" => entry.terminal = is_true,
                "Hidden" => entry.hidden = is_true,
                "NoDisplay" => entry.no_display = is_true,
                key => {
                    let language = key.strip_prefix("Name[").and_then(|key| key.strip_suffix(']'));
                    let rank = language
                        .and_then(|language| languages.iter().position(|one| one == language));
                    if let Some(rank) = rank
                        && local.as_ref().is_none_or(|(best, _)| rank < *best)
                    {
                        local = Some((rank, text()));
                    }
                }
            }
        }
        entry.local_name = local.map(|(_, name)| name).filter(|name| *name != entry.name);
        (kind == "Application").then_some(entry)
    }

    /// The program and its arguments, where no file is to be opened. `path` is that of the entry.
    pub(super) fn command(&self, path: &Path) -> Result<Vec<String>, BadCommand> {
        let line = self.exec.as_deref().unwrap_or_default();
        let mut command = Vec::new();
        for word in words(line)? {
            if word == "%i" {
                command
                    .extend(self.icon.iter().flat_map(|icon| ["--icon".to_owned(), icon.clone()]));
            } else if let Some(word) = self.expanded(&word, path)? {
                command.push(word);
            }
        }
        if command.first().is_none_or(String::is_empty) {
            return Err(BadCommand::Absent);
        }
        if command.iter().any(|word| word.contains('\0')) {
            return Err(BadCommand::Nul);
        }
        Ok(command)
    }

    /// `word` with its field codes replaced; none if it consisted of one for which there is
    /// nothing.
    fn expanded(&self, word: &str, path: &Path) -> Result<Option<String>, BadCommand> {
        let mut text = String::with_capacity(word.len());
        let mut vanished = false;
        let mut characters = word.chars();
        while let Some(character) = characters.next() {
            if character != '%' {
                text.push(character);
                continue;
            }
            match characters.next() {
                Some('%') => text.push('%'),
                Some('c') => text.push_str(self.local_name.as_deref().unwrap_or(&self.name)),
                Some('k') => text.push_str(&path.to_string_lossy()),
                // Files to open, of which there are none, and what the specification gave up.
                Some('f' | 'F' | 'u' | 'U' | 'i' | 'd' | 'D' | 'n' | 'N' | 'v' | 'm') => {
                    vanished = true;
                }
                Some(other) => return Err(BadCommand::Code(other)),
                None => return Err(BadCommand::Code(' ')),
            }
        }
        Ok((!(vanished && text.is_empty())).then_some(text))
    }
}

/// The languages of which a text is wanted, best first, as `LC_MESSAGES` names them.
pub(super) fn languages(locale: &str) -> Vec<String> {
    let (base, modifier) = match locale.split_once('@') {
        Some((base, modifier)) => (base, Some(modifier)),
        None => (locale, None),
    };
    let base = base.split('.').next().unwrap_or_default();
    let language = base.split('_').next().unwrap_or_default();
    let mut all = Vec::new();
    for base in [base, language] {
        all.extend(modifier.map(|modifier| format!("{base}@{modifier}")));
        all.push(base.to_owned());
    }
    all.retain(|one| !one.is_empty() && one != "C" && one != "POSIX");
    all.dedup();
    all
}

/// A value with the escapes of the specification's texts undone.
fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('s') => text.push(' '),
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('\\') => text.push('\\'),
            // The specification knows no other; GLib leaves them as they are, too.
            Some(other) => text.extend(['\\', other]),
            None => text.push('\\'),
        }
    }
    text
}

/// The words of a command. The specification has double quotes only; single ones are taken as
/// shells and GLib take them, since entries use them all the same.
pub(super) fn words(line: &str) -> Result<Vec<String>, BadCommand> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('"'), '\\') => {
                let escaped = characters.next().ok_or(BadCommand::OpenQuote)?;
                let word = word.get_or_insert_default();
                if !matches!(escaped, '"' | '`' | '$' | '\\') {
                    word.push('\\');
                }
                word.push(escaped);
            }
            (Some(_), other) => word.get_or_insert_default().push(other),
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, '\\') => word.get_or_insert_default().extend(characters.next()),
            (None, ' ' | '\t' | '\n' | '\r') => words.extend(word.take()),
            (None, other) => word.get_or_insert_default().push(other),
        }
    }
    if quote.is_some() {
        return Err(BadCommand::OpenQuote);
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "/usr/share/applications/demo.desktop";

    fn entry(lines: &str) -> Entry {
        let text = format!("[Desktop Entry]\nType=Application\nName=Demo\n{lines}");
        Entry::parse(&text, &languages("de_AT.UTF-8@euro")).expect("an application")
    }

    fn command(exec: &str) -> Result<Vec<String>, BadCommand> {
        entry(&format!("Icon=demo-icon\nName[de]=Vorführung\nExec={exec}\n"))
            .command(Path::new(PATH))
    }

    #[track_caller]
    fn gives(exec: &str, words: &[&str]) {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(command(exec), Ok(words), "{exec}");
    }

    #[test]
    fn field_codes_vanish_or_say_what_there_is() {
        gives("demo %U", &["demo"]);
        gives("demo %f %F %u --open=%U end", &["demo", "--open=", "end"]);
        gives("demo %i %c", &["demo", "--icon", "demo-icon", "Vorführung"]);
        gives("demo %k 100%%", &["demo", PATH, "100%"]);
        gives("demo %d%D%n%N%v%m", &["demo"]);
        assert_eq!(command("demo %x"), Err(BadCommand::Code('x')));
        assert_eq!(command("demo %"), Err(BadCommand::Code(' ')));
        assert_eq!(entry("Exec=demo %i\n").command(Path::new(PATH)), Ok(vec!["demo".to_owned()]));
    }

    #[test]
    fn quotes_hold_words_together() {
        gives(r#""my demo" "a b"  c"#, &["my demo", "a b", "c"]);
        gives(r#"demo "" '' x"#, &["demo", "", "", "x"]);
        gives(r#"sh -c 'echo "$HOME"'"#, &["sh", "-c", r#"echo "$HOME""#]);
        // The text's escapes come first, then those within quotes.
        gives(r#"demo "C:\\\\dir" "say \\"hi\\" \\$x""#, &["demo", r"C:\dir", r#"say "hi" $x"#]);
        gives(r"demo a\sb", &["demo", "a", "b"]);
        gives(r#"demo "a\\qb""#, &["demo", r"a\qb"]);
        assert_eq!(command(r#"demo "open"#), Err(BadCommand::OpenQuote));
        assert_eq!(command("demo 'open"), Err(BadCommand::OpenQuote));
        assert_eq!(command(r#"demo "open\\"#), Err(BadCommand::OpenQuote));
    }

    #[test]
    fn without_a_command_there_is_nothing_to_start() {
        assert_eq!(entry("").command(Path::new(PATH)), Err(BadCommand::Absent));
        for exec in ["", "   ", "%U", "\"\"", "'' x"] {
            assert_eq!(command(exec), Err(BadCommand::Absent), "{exec:?}");
        }
        assert_eq!(command("demo a\0b"), Err(BadCommand::Nul));
    }

    #[test]
    fn only_the_group_of_the_entry_counts() {
        let text = "junk\n[Other]\nExec=wrong\n# note\n[Desktop Entry]\n#Exec=wrong\nType = Application \n\
                    Name = Demo\nExec= demo \nnonsense\nName[fr]=Démo\nTerminal=true\nNoDisplay=1\n\
                    Path=\n[Desktop Action new]\nExec=wrong\nHidden=true\n";
        let entry = Entry::parse(text, &[]).unwrap();
        assert_eq!(entry.exec.as_deref(), Some("demo"));
        assert_eq!((entry.name.as_str(), entry.local_name), ("Demo", None));
        assert!(entry.terminal && !entry.hidden && !entry.no_display);
        assert_eq!(entry.directory, None);
        for other in ["", "[Desktop Entry]\nType=Link\nURL=x\n", "[Desktop Entry]\nExec=x\n", "\0"]
        {
            assert_eq!(Entry::parse(other, &[]), None, "{other:?}");
        }
    }

    #[test]
    fn the_nearest_language_wins() {
        assert_eq!(languages("sr_RS.UTF-8@latin"), ["sr_RS@latin", "sr_RS", "sr@latin", "sr"]);
        assert_eq!(languages("de"), ["de"]);
        assert!(languages("C.UTF-8").is_empty() && languages("").is_empty());
        let names = "Name[de]=Eins\nName[de_AT]=Zwei\nName[fr]=Drei\n";
        assert_eq!(entry(names).local_name.as_deref(), Some("Zwei"));
        assert_eq!(entry("Name[de]=Demo\n").local_name, None);
    }

    #[test]
    fn what_is_no_file_of_an_entry_is_none() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("large.desktop");
        let head = "[Desktop Entry]\nType=Application\nName=Large\nExec=demo\n";
        std::fs::write(&path, head.to_owned() + &"#".repeat(1 << 20)).unwrap();
        assert_eq!(Entry::read(&path, &[]), None, "more than a megabyte");
        std::fs::write(&path, head.to_owned() + &"#".repeat(1 << 19)).unwrap();
        assert_eq!(Entry::read(&path, &[]).unwrap().name, "Large");
        assert_eq!(Entry::read(directory.path(), &[]), None, "a directory");
        let pipe = directory.path().join("pipe.desktop");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, FileType::Fifo, Mode::RUSR, 0).unwrap();
        assert_eq!(Entry::read(&pipe, &[]), None, "a pipe without a writer");
        assert_eq!(Entry::read(&directory.path().join("none"), &[]), None);
    }
}
