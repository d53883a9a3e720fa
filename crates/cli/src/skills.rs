//! `skills`: the manuals for agents, compiled in, so that they fit the program that serves them.

use agent_desktop_model::{
    error::{Code, Error},
    wire,
};

/// Read the manuals that this program carries for agents
///
/// Without a subcommand the manuals are listed. Needs no desktop.
#[derive(Clone, Debug, clap::Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Verb {
    /// List the manuals
    List,
    /// Print one manual as Markdown in `data.content`
    Get {
        /// Name or alias of a manual; `platform` is that of the running system
        name: String,
        /// Name of one of its longer texts, to print that instead
        reference: Option<String>,
        /// The manual followed by all its longer texts
        #[arg(long, conflicts_with = "reference")]
        full: bool,
    },
    /// Show where the manuals are kept
    Path,
}

/// The data of `skills`, whichever verb was asked for.
#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
pub(crate) enum Data {
    List(wire::Skills),
    Text(wire::SkillText),
    Location(wire::SkillLocation),
}

struct Skill {
    name: &'static str,
    aliases: &'static [&'static str],
    summary: &'static str,
    text: &'static str,
    references: &'static [(&'static str, &'static str)],
}

const SKILLS: &[Skill] = &[
    Skill {
        name: "agent-desktop",
        aliases: &["desktop"],
        summary: "First steps: the loop, refs, errors, fields, keys and the pointer, private desktops",
        text: include_str!("../../../skills/desktop.md"),
        references: &[
            ("errors", include_str!("../../../skills/errors.md")),
            ("fields", include_str!("../../../skills/fields.md")),
            ("input", include_str!("../../../skills/input.md")),
            ("sandbox", include_str!("../../../skills/sandbox.md")),
        ],
    },
    Skill {
        name: "agent-desktop-linux",
        aliases: &[
            "linux",
            #[cfg(target_os = "linux")]
            "platform",
        ],
        summary: "Linux: what a session needs, toolkits, thin trees, troubleshooting",
        text: include_str!("../../../skills/linux.md"),
        references: &[],
    },
];

/// The data of `skills`.
pub(crate) fn run(args: &Args) -> Result<Data, Error> {
    match &args.verb {
        None | Some(Verb::List) => Ok(Data::List(list())),
        Some(Verb::Get { name, reference, full }) => {
            get(name, reference.as_deref(), *full).map(Data::Text)
        }
        Some(Verb::Path) => Ok(Data::Location(wire::SkillLocation { location: "embedded" })),
    }
}

fn list() -> wire::Skills {
    let skills = SKILLS.iter().map(|skill| wire::Skill {
        aliases: skill.aliases.to_vec(),
        name: skill.name,
        references: skill.references.iter().map(|(name, _)| *name).collect(),
        summary: skill.summary,
    });
    wire::Skills { skills: skills.collect() }
}

fn get(name: &str, reference: Option<&str>, full: bool) -> Result<wire::SkillText, Error> {
    let skill = SKILLS.iter().find(|skill| skill.name == name || skill.aliases.contains(&name));
    let skill = skill.ok_or_else(|| {
        let names: Vec<&str> = SKILLS.iter().flat_map(|skill| skill.aliases).copied().collect();
        Error::new(Code::InvalidArgs, format!("there is no manual {name:?}"))
            .suggest(format!("Manuals: {}. `skills list` describes them.", names.join(", ")))
    })?;
    let Some(reference) = reference else {
        let more = skill.references.iter().filter(|_| full).map(|(_, text)| *text);
        let texts: Vec<&str> = std::iter::once(skill.text).chain(more).collect();
        return Ok(wire::SkillText {
            content: texts.join("\n"),
            name: skill.name,
            reference: None,
        });
    };
    match skill.references.iter().find(|(name, _)| *name == reference) {
        Some((reference, text)) => Ok(wire::SkillText {
            content: (*text).to_owned(),
            name: skill.name,
            reference: Some(reference),
        }),
        None => {
            let names: Vec<&str> = skill.references.iter().map(|(name, _)| *name).collect();
            let suggestion = match names.is_empty() {
                true => format!("It has none: `skills get {name}` is all there is."),
                false => format!("It has: {}.", names.join(", ")),
            };
            let message = format!("the manual {name:?} has no text {reference:?}");
            Err(Error::new(Code::InvalidArgs, message).suggest(suggestion))
        }
    }
}
