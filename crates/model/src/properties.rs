//! What holds of every text that is taken for a ref, a selector or a chord. The same functions are
//! called by tests and by `fuzz/`; each panics where its property does not hold.

use crate::{
    chord::{Chord, Modifiers},
    reference::{Ref, SnapshotId},
    role::Role,
    selector::{Pattern, Predicate, StateTest},
    state::State,
    text::fold,
};

/// What is accepted as a ref or as the name of a snapshot prints as it was written, and names one
/// file and no other.
pub fn reference(text: &str) {
    if let Ok(reference) = text.parse::<Ref>() {
        assert_eq!(reference.to_string(), text);
        assert_ne!(reference.number, 0);
        assert!(SnapshotId::parse(reference.snapshot.as_str()).is_some());
    }
    if let Some(id) = SnapshotId::parse(text) {
        assert_eq!(id.as_str(), text);
        assert!(!id.as_str().contains(['/', '\0', '.']), "{id} is no plain file name");
        let reference = Ref { snapshot: id, number: u32::MAX };
        assert_eq!(reference.to_string().parse(), Ok(reference));
    }
}

/// Roles and states are known by the tokens that they print as; a text is found in itself, however
/// often it is folded.
pub fn selector(text: &str) {
    if let Some(role) = Role::parse(text) {
        assert_eq!(Role::parse(role.token()), Some(role));
    }
    if let Some(state) = State::parse(text) {
        assert_eq!(State::parse(state.token()), Some(state));
    }
    if let Some(test) = StateTest::parse(text) {
        let token = match test.predicate {
            Predicate::Has(state) => state.token(),
            Predicate::Enabled => "enabled",
            Predicate::Visible => "visible",
        };
        assert_eq!(StateTest::parse(&format!("{token}={}", test.wanted)), Some(test));
    }
    let folded = fold(text);
    assert_eq!(fold(&folded), folded, "folding once more changes {text:?}");
    for exact in [true, false] {
        assert!(Pattern::new(text, exact).matches(text));
        assert!(Pattern::new(&folded, exact).matches(text));
    }
}

/// What is accepted as a chord prints as one that means the same.
pub fn chord(text: &str) {
    if let Ok(chord) = text.parse::<Chord>() {
        assert_eq!(chord.to_string().parse(), Ok(chord), "{text:?} is {chord}");
    }
    if let Ok(modifiers) = Modifiers::parse(text) {
        assert!(modifiers.any());
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, test_runner::RngSeed};

    use super::*;

    /// Anything, or pieces of what is understood, put together in any order.
    fn texts(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            8 => proptest::sample::select(pieces).prop_map(str::to_owned),
            1 => any::<char>().prop_map(String::from),
        ];
        prop_oneof![
            4 => proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat()),
            1 => any::<String>(),
        ]
    }

    const REFS: &[&str] =
        &["@", "s2txcl95uvubmn", "abc", ":", "e", "0", "1", "4294967295", "-", "_", "/", ".", "é"];
    const SELECTORS: &[&str] = &[
        "Button", "checkbox", "gridcell", "disabled", "visible", "=", "true", "false", " ", "\t",
        "\u{200e}", "\u{301}", "a", "İ", "ﬁ", "Σ", "\u{1e9e}", "\u{345}", "\u{3d3}", "Å",
    ];
    const CHORDS: &[&str] = &[
        "ctrl", "Shift", "cmd", "+", "a", "A", "F1", "f12", "f012", "enter", "space", " ", "İ",
        "ß", "ǅ", "page-up",
    ];

    proptest! {
           #![proptest_config(ProptestConfig {
               failure_persistence: None,
    rng_seed: RngSeed::Fixed(1),
               ..ProptestConfig::with_cases(4_000)
           })]

           #[test]
           fn refs_print_as_they_were_written(text in texts(REFS)) {
               reference(&text);
           }

           #[test]
           fn selectors_are_known_by_what_they_print_as(text in texts(SELECTORS)) {
               selector(&text);
           }

           #[test]
           fn chords_print_as_what_means_the_same(text in texts(CHORDS)) {
               chord(&text);
           }
       }
}
