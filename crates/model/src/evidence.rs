//! What tells one element from another, under the stable-text policy: text that changes while the
//! element stays the same is no evidence.
//!
//! Evidence is judged by role, native id, name and description alone. It never depends on fields
//! that are read for some nodes only (a value, say): the same element would then have one evidence
//! when it is listed and another when it is looked for.

use std::{fmt, sync::Arc};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, Visitor},
};

use crate::{
    role::Role,
    state::State,
    text::{FIELD_LIMIT, cut, stable_hash},
    tree::{NativeId, Node},
};

/// The identifying properties of one element. Equality is what "the same evidence" means.
/// Serialised without keys, since a saved snapshot holds thousands.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct Evidence {
    pub role: Role,
    pub native_id: Option<NativeId>,
    pub name: Label,
    pub description: Label,
}

/// A stable text of an element. A text over the field limit keeps its head for people and a hash
/// of the whole for comparison. Serialised as one string, which is longer than the limit only for
/// a head with the hash behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Label {
    #[default]
    None,
    Whole(Arc<str>),
    Long {
        head: Arc<str>,
        hash: u64,
    },
}

impl Evidence {
    /// The evidence that `node` offers of itself. Titles and names that repeat a mutable value are
    /// left out; so is a password field's description.
    pub fn of(node: &Node) -> Self {
        Self {
            role: node.role,
            native_id: node.native_id.clone(),
            name: Label::of(stable_name(node)),
            description: Label::of(stable_description(node)),
        }
    }

    /// A hash that is equal for equal evidence, within one build of the program.
    pub fn hash(&self) -> u64 {
        combine(self.role, self.native_id.as_ref(), self.name.hash(), self.description.hash())
    }

    /// `Evidence::of(node).hash()`, without copying any text.
    pub fn hash_of(node: &Node) -> u64 {
        combine(
            node.role,
            node.native_id.as_ref(),
            text_hash(stable_name(node)),
            text_hash(stable_description(node)),
        )
    }

    /// Whether there is more than a role: something by which a person could name the element.
    pub fn identifies(&self) -> bool {
        self.native_id.is_some() || !self.name.is_none() || !self.description.is_none()
    }

    /// `Evidence::of(node).identifies()`, without copying any text.
    pub fn is_offered_by(node: &Node) -> bool {
        node.native_id.is_some()
            || !stable_name(node).trim().is_empty()
            || !stable_description(node).trim().is_empty()
    }
}

impl Label {
    /// The label made of `text`; blank text is none.
    pub fn of(text: &str) -> Self {
        if text.trim().is_empty() {
            Self::None
        } else if text.len() <= FIELD_LIMIT {
            Self::Whole(text.into())
        } else {
            Self::Long { head: cut(text).0.into(), hash: stable_hash(text.as_bytes()) }
        }
    }

    /// Whether there is no text.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// The text, or its head.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Whole(text) | Self::Long { head: text, .. } => Some(text),
        }
    }

    /// A hash of the whole text, however much of it is kept.
    pub fn hash(&self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::Whole(text) => Some(stable_hash(text.as_bytes())),
            Self::Long { hash, .. } => Some(*hash),
        }
    }
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.role, &self.native_id, &self.name, &self.description).serialize(serializer)
    }
}

impl Serialize for Label {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => serializer.serialize_str(""),
            Self::Whole(text) => serializer.serialize_str(text),
            Self::Long { head, hash } => serializer.collect_str(&format_args!("{head}{hash:016x}")),
        }
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Label;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Label, E> {
                if text.len() <= FIELD_LIMIT {
                    return Ok(Label::of(text));
                }
                text.split_at_checked(text.len() - HASH_DIGITS)
                    .filter(|(head, _)| head.len() <= FIELD_LIMIT)
                    .and_then(|(head, hash)| {
                        let hash = u64::from_str_radix(hash, 16).ok()?;
                        Some(Label::Long { head: head.into(), hash })
                    })
                    .ok_or_else(|| E::custom("a long text ends in its hash"))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// How many hexadecimal digits of hash follow the head of a long text.
const HASH_DIGITS: usize = 16;

/// `Label::of(text).hash()`, without copying the text.
pub fn text_hash(text: &str) -> Option<u64> {
    (!text.trim().is_empty()).then(|| stable_hash(text.as_bytes()))
}

/// The hash that [`Node::digest`] holds: over raw properties, exactly as an application gave them.
pub fn digest(role: u32, native_id: &str, name: &str, description: &str) -> u64 {
    let mut bytes = Vec::with_capacity(native_id.len() + name.len() + description.len() + 28);
    bytes.extend(role.to_le_bytes());
    for text in [native_id, name, description] {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    stable_hash(&bytes)
}

fn stable_name(node: &Node) -> &str {
    if node.role.has_volatile_title() || node.volatile_name { "" } else { &node.name }
}

fn stable_description(node: &Node) -> &str {
    if node.role.has_volatile_title() || node.states.has(State::Secure) {
        ""
    } else {
        &node.description
    }
}

fn combine(
    role: Role,
    native_id: Option<&NativeId>,
    name: Option<u64>,
    description: Option<u64>,
) -> u64 {
    let mut bytes = [0; 48];
    let id = native_id.map(|id| (id.kind as u8, stable_hash(id.value.as_bytes())));
    let parts = [
        role as u64,
        id.map_or(0, |(kind, _)| u64::from(kind) + 1),
        id.map_or(0, |(_, hash)| hash),
        u64::from(name.is_some()) | u64::from(description.is_some()) << 1,
        name.unwrap_or(0),
        description.unwrap_or(0),
    ];
    for (slot, part) in bytes.chunks_exact_mut(8).zip(parts) {
        slot.copy_from_slice(&part.to_le_bytes());
    }
    stable_hash(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(role: Role, name: &str, description: &str) -> Node {
        let mut node = Node::default();
        node.role = role;
        node.name = name.into();
        node.description = description.into();
        node
    }

    #[test]
    fn titles_and_repeated_values_are_no_evidence() {
        for (role, name, counts) in [
            (Role::Window, "*report - Editor", false),
            (Role::WebArea, "Inbox (3)", false),
            (Role::Checkbox, "Show hidden files", true),
            (Role::ComboBox, "Unit", true),
            (Role::Button, "7", true),
            (Role::Button, " \n", false),
        ] {
            assert_eq!(
                !Evidence::of(&node(role, name, "")).name.is_none(),
                counts,
                "{role} {name}"
            );
        }
        let mut red = node(Role::ComboBox, "Red", "");
        red.volatile_name = true;
        assert!(!Evidence::of(&red).identifies());
    }

    #[test]
    fn evidence_does_not_depend_on_the_fields_that_were_filled() {
        let bare = node(Role::TextField, "Search", "");
        let mut filled = node(Role::TextField, "Search", "");
        filled.value = Some("Search".into());
        assert_eq!(Evidence::of(&bare), Evidence::of(&filled));
    }

    #[test]
    fn a_hash_without_copies_equals_the_hash_of_the_copy() {
        let long = "x".repeat(FIELD_LIMIT + 1);
        for node in [
            node(Role::Button, "Save", ""),
            node(Role::Button, "", "Save"),
            node(Role::Button, &long, "Save"),
            node(Role::ComboBox, "Red", &long),
            Node::default(),
        ] {
            let evidence = Evidence::of(&node);
            assert_eq!(evidence.hash(), Evidence::hash_of(&node));
            assert_eq!(evidence.identifies(), Evidence::is_offered_by(&node));
        }
        let swapped = [node(Role::Button, "Save", ""), node(Role::Button, "", "Save")];
        assert_ne!(Evidence::hash_of(&swapped[0]), Evidence::hash_of(&swapped[1]));
    }

    #[test]
    fn evidence_is_the_same_after_writing_and_reading() {
        let long = "é".repeat(FIELD_LIMIT);
        for node in [
            node(Role::Button, "Save", ""),
            node(Role::Unknown, "\"q\"\u{202E}", &long),
            node(Role::Button, &long, &long[..FIELD_LIMIT]),
        ] {
            let evidence = Evidence::of(&node);
            let text = serde_json::to_string(&evidence).unwrap();
            assert_eq!(serde_json::from_str::<Evidence>(&text).unwrap(), evidence);
        }
        let unhashed = serde_json::to_string(&"x".repeat(FIELD_LIMIT + 20)).unwrap();
        assert!(serde_json::from_str::<Label>(&unhashed).is_err());
    }

    #[test]
    fn long_texts_that_differ_late_differ() {
        let long = "x".repeat(FIELD_LIMIT);
        assert_ne!(Label::of(&format!("{long}a")), Label::of(&format!("{long}b")));
    }
}
