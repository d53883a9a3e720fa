//! AT-SPI interface names, and what is known of a node beyond its tree's fields.

const ACCESSIBLE_PREFIX: &str = "org.a11y.atspi.";

pub(crate) const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
pub(crate) const ACTION: &str = "org.a11y.atspi.Action";
pub(crate) const APPLICATION: &str = "org.a11y.atspi.Application";
pub(crate) const CACHE: &str = "org.a11y.atspi.Cache";
pub(crate) const COMPONENT: &str = "org.a11y.atspi.Component";
pub(crate) const DOCUMENT: &str = "org.a11y.atspi.Document";
pub(crate) const EDITABLE_TEXT: &str = "org.a11y.atspi.EditableText";
pub(crate) const REGISTRY: &str = "org.a11y.atspi.Registry";
pub(crate) const SELECTION: &str = "org.a11y.atspi.Selection";
pub(crate) const TABLE: &str = "org.a11y.atspi.Table";
pub(crate) const TEXT: &str = "org.a11y.atspi.Text";
pub(crate) const VALUE: &str = "org.a11y.atspi.Value";

/// The interfaces that decide what can be asked of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Interfaces(u16);

impl Interfaces {
    pub(crate) const ACTION: Self = Self(1);
    pub(crate) const COMPONENT: Self = Self(1 << 1);
    pub(crate) const EDITABLE_TEXT: Self = Self(1 << 2);
    pub(crate) const SELECTION: Self = Self(1 << 3);
    pub(crate) const TABLE: Self = Self(1 << 4);
    pub(crate) const TABLE_CELL: Self = Self(1 << 5);
    pub(crate) const TEXT: Self = Self(1 << 6);
    pub(crate) const VALUE: Self = Self(1 << 7);

    /// Those of `names` that matter here.
    pub(crate) fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        names.into_iter().fold(Self::default(), |set, name| {
            let one = match name.strip_prefix(ACCESSIBLE_PREFIX) {
                Some("Action") => Self::ACTION,
                Some("Component") => Self::COMPONENT,
                Some("EditableText") => Self::EDITABLE_TEXT,
                Some("Selection") => Self::SELECTION,
                Some("Table") => Self::TABLE,
                Some("TableCell") => Self::TABLE_CELL,
                Some("Text") => Self::TEXT,
                Some("Value") => Self::VALUE,
                _ => Self(0),
            };
            Self(set.0 | one.0)
        })
    }

    /// Whether all of `those` are offered.
    pub(crate) fn has(self, those: Self) -> bool {
        self.0 & those.0 == those.0
    }
}

/// What a node's `platform` field holds: AT-SPI's own words, which later reads depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// State bits.
    pub(crate) states: u64,
    /// Role number.
    pub(crate) role: u32,
    /// None where they have not been asked for.
    pub(crate) interfaces: Option<Interfaces>,
}

impl Facts {
    const ROLE_AT: u32 = super::states::COUNT;
    const INTERFACES_AT: u32 = Self::ROLE_AT + 8;
    const KNOWN_AT: u32 = Self::INTERFACES_AT + 8;

    pub(crate) fn pack(self) -> u64 {
        let role = u64::from(self.role.min(0xFF));
        let interfaces = u64::from(self.interfaces.unwrap_or_default().0 & 0xFF);
        self.states
            | role << Self::ROLE_AT
            | interfaces << Self::INTERFACES_AT
            | u64::from(self.interfaces.is_some()) << Self::KNOWN_AT
    }

    pub(crate) fn unpack(packed: u64) -> Self {
        let byte = |at: u32| (packed >> at) as u8;
        Self {
            states: packed & ((1 << Self::ROLE_AT) - 1),
            role: byte(Self::ROLE_AT).into(),
            interfaces: (packed >> Self::KNOWN_AT & 1 != 0)
                .then(|| Interfaces(byte(Self::INTERFACES_AT).into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_survive_packing() {
        for interfaces in [None, Some(Interfaces::default()), Some(Interfaces(0xFF))] {
            let facts = Facts { states: 1 << 43 | 1, role: 130, interfaces };
            assert_eq!(Facts::unpack(facts.pack()), facts);
        }
    }

    #[test]
    fn interfaces_are_known_by_their_whole_name() {
        let set = Interfaces::of(["org.a11y.atspi.Text", "org.a11y.atspi.Collection", "Value"]);
        assert!(set.has(Interfaces::TEXT));
        assert!(!set.has(Interfaces::VALUE) && !set.has(Interfaces::EDITABLE_TEXT));
    }
}
