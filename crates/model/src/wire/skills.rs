//! Data of `skills`: the manuals that the program carries with it.

use serde::Serialize;

/// Data of `skills list`.
#[derive(Debug, Serialize)]
pub struct Skills {
    pub skills: Vec<Skill>,
}

/// One manual.
#[derive(Debug, Serialize)]
pub struct Skill {
    /// Other names that `skills get` accepts.
    pub aliases: Vec<&'static str>,
    pub name: &'static str,
    /// Names of longer texts, for `skills get NAME REFERENCE`.
    pub references: Vec<&'static str>,
    pub summary: &'static str,
}

/// Data of `skills get`.
#[derive(Debug, Serialize)]
pub struct SkillText {
    /// Markdown.
    pub content: String,
    pub name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<&'static str>,
}

/// Data of `skills path`.
#[derive(Debug, Serialize)]
pub struct SkillLocation {
    /// Always `embedded`: the manuals are part of the program.
    pub location: &'static str,
}
