//! AT-SPI state bits and the canonical states that they stand for.

use agent_desktop_model::state::{State, StateSet};

use super::{dialect::Dialect, roles};

pub(crate) const ACTIVE: u64 = 1 << 1;
const ARMED: u64 = 1 << 2;
pub(crate) const BUSY: u64 = 1 << 3;
pub(crate) const CHECKED: u64 = 1 << 4;
const COLLAPSED: u64 = 1 << 5;
pub(crate) const EDITABLE: u64 = 1 << 7;
const ENABLED: u64 = 1 << 8;
const EXPANDABLE: u64 = 1 << 9;
const EXPANDED: u64 = 1 << 10;
pub(crate) const FOCUSABLE: u64 = 1 << 11;
const FOCUSED: u64 = 1 << 12;
const ICONIFIED: u64 = 1 << 15;
const MODAL: u64 = 1 << 16;
const MULTISELECTABLE: u64 = 1 << 18;
const PRESSED: u64 = 1 << 20;
pub(crate) const SELECTABLE: u64 = 1 << 22;
pub(crate) const SELECTED: u64 = 1 << 23;
const SENSITIVE: u64 = 1 << 24;
pub(crate) const SHOWING: u64 = 1 << 25;
pub(crate) const VISIBLE: u64 = 1 << 30;
pub(crate) const MANAGES_DESCENDANTS: u64 = 1 << 31;
/// Gone, though its object still answers: GTK 3.24.38 keeps removed tree cells for some 16 s.
pub(crate) const DEFUNCT: u64 = 1 << 6;
const INDETERMINATE: u64 = 1 << 32;
const REQUIRED: u64 = 1 << 33;
const INVALID_ENTRY: u64 = 1 << 36;
const HAS_POPUP: u64 = 1 << 42;
const READ_ONLY: u64 = 1 << 43;

/// How many bits the specification names.
pub(crate) const COUNT: u32 = 44;

/// The bits of a state array as it travels: two words, the lower one first.
pub(crate) fn bits(words: &[u32]) -> u64 {
    words.iter().take(2).rev().fold(0, |bits, word| bits << 32 | u64::from(*word))
        & ((1 << COUNT) - 1)
}

/// Whether everything that is shown carries SHOWING in a dialect. Where it does not, VISIBLE and
/// an extent have to do.
pub(crate) fn shown(bits: u64, dialect: &Dialect) -> bool {
    bits & VISIBLE != 0 && (!dialect.sets_showing || bits & SHOWING != 0)
}

/// The canonical states. `concealed` says that an ancestor is hidden: toolkits leave VISIBLE on
/// the contents of a closed popover or menu.
pub(crate) fn canonical(bits: u64, number: u32, dialect: &Dialect, concealed: bool) -> StateSet {
    let mut states = StateSet::EMPTY;
    for (bit, state) in DIRECT {
        if bits & bit != 0 {
            states.insert(*state);
        }
    }
    if number == roles::PASSWORD_TEXT {
        states.insert(State::Secure);
    }
    // GTK 3 marks a toggle button that is down as checked, GTK 4 as pressed.
    if number == roles::TOGGLE_BUTTON && bits & (CHECKED | PRESSED) != 0 {
        states.insert(State::Checked);
        states.insert(State::Pressed);
    }
    // Qt 5.15.8 and 6.4.2 give FOCUSED to the current tab, whatever has the focus.
    if number == roles::PAGE_TAB && dialect.tabs_focus_current && states.has(State::Focused) {
        states.remove(State::Focused);
        states.insert(State::Selected);
    }
    // An application's root has no states at all, which says nothing about it.
    if number == roles::APPLICATION {
        return states;
    }
    // Qt calls every label read-only, which is no news of a label.
    if matches!(number, roles::LABEL | roles::STATIC) {
        states.remove(State::ReadOnly);
    }
    let only_read = dialect.readonly_is_insensitive && bits & READ_ONLY != 0;
    if !(operable(bits) || only_read && bits & FOCUSABLE != 0) {
        states.insert(State::Disabled);
    }
    if matches!(number, roles::TEXT | roles::ENTRY | roles::PASSWORD_TEXT) && bits & EDITABLE == 0 {
        states.insert(State::ReadOnly);
    }
    if bits & VISIBLE == 0 || concealed {
        states.insert(State::Hidden);
    } else if !shown(bits, dialect) {
        states.insert(State::Offscreen);
    }
    states
}

/// Whether an element says that it can be operated.
pub(crate) fn operable(bits: u64) -> bool {
    // GTK 4.8.3 sets only SENSITIVE, LibreOffice 7.4 only ENABLED on documents.
    bits & (ENABLED | SENSITIVE) != 0
}

/// Whether an element can be open or closed, and so whether it can be opened.
pub(crate) fn expandable(bits: u64) -> bool {
    bits & (EXPANDABLE | COLLAPSED | EXPANDED) != 0
}

/// Whether a window is minimised.
pub(crate) fn iconified(bits: u64) -> bool {
    bits & ICONIFIED != 0
}

const DIRECT: &[(u64, State)] = &[
    (ARMED | PRESSED, State::Pressed),
    (BUSY, State::Busy),
    (CHECKED, State::Checked),
    (EXPANDED, State::Expanded),
    (FOCUSED, State::Focused),
    (MODAL, State::Modal),
    (MULTISELECTABLE, State::MultiSelectable),
    (SELECTED, State::Selected),
    (INDETERMINATE, State::Indeterminate),
    (REQUIRED, State::Required),
    (INVALID_ENTRY, State::Invalid),
    (HAS_POPUP, State::HasPopup),
    (READ_ONLY, State::ReadOnly),
];

#[cfg(test)]
mod tests {
    use super::{super::dialect, *};

    const NORMAL: u64 = ENABLED | SENSITIVE | SHOWING | VISIBLE;

    fn of(bits: u64) -> Vec<State> {
        canonical(bits, 43, dialect::of("gtk", "3.24.38"), false).iter().collect()
    }

    #[test]
    fn every_bit_says_what_it_says_and_no_more() {
        assert_eq!(of(NORMAL), []);
        for bit in 0..64 {
            let said = of(NORMAL | 1 << bit);
            let expected: &[State] = match bit {
                2 | 20 => &[State::Pressed],
                3 => &[State::Busy],
                4 => &[State::Checked],
                10 => &[State::Expanded],
                12 => &[State::Focused],
                16 => &[State::Modal],
                18 => &[State::MultiSelectable],
                23 => &[State::Selected],
                32 => &[State::Indeterminate],
                33 => &[State::Required],
                36 => &[State::Invalid],
                42 => &[State::HasPopup],
                43 => &[State::ReadOnly],
                _ => &[],
            };
            assert_eq!(said, expected, "bit {bit}");
        }
    }

    #[test]
    fn gtk_4_8_sets_neither_showing_nor_enabled() {
        let gtk4 = dialect::of("GTK", "4.8.3");
        assert_eq!(canonical(SENSITIVE | VISIBLE, 43, gtk4, false), StateSet::EMPTY);
        assert_eq!(of(SENSITIVE | VISIBLE), [State::Offscreen]);
        let libreoffice = dialect::of("VCL", "7.4.7");
        assert_eq!(canonical(ENABLED | VISIBLE | SHOWING, 94, libreoffice, false), StateSet::EMPTY);
    }

    #[test]
    fn the_current_tab_of_qt_is_selected_and_has_no_focus() {
        let of =
            |number, toolkit| canonical(NORMAL | FOCUSED, number, dialect::of(toolkit, ""), false);
        let states = |set: StateSet| set.iter().collect::<Vec<_>>();
        assert_eq!(states(of(roles::PAGE_TAB, "Qt")), [State::Selected]);
        assert_eq!(states(of(43, "Qt")), [State::Focused]);
        assert_eq!(states(of(roles::PAGE_TAB, "gtk")), [State::Focused]);
    }

    #[test]
    fn the_contents_of_a_closed_popover_are_hidden() {
        let gtk3 = dialect::of("gtk", "3.24.38");
        let states = canonical(ENABLED | SENSITIVE | VISIBLE, 43, gtk3, true);
        assert_eq!(states.iter().collect::<Vec<_>>(), [State::Hidden]);
    }

    #[test]
    fn words_are_little_end_first_and_junk_is_dropped() {
        assert_eq!(bits(&[1 << 4, 1 << 1]), CHECKED | REQUIRED);
        assert_eq!(bits(&[0, u32::MAX, 7]), 0xFFF << 32);
        assert_eq!(bits(&[]), 0);
    }
}
