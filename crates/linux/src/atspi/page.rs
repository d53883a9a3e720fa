//! What browsers say of an element in its object attributes: the page's own identifier, and which
//! of several canonical roles a role number stands for. AT-SPI has one number for all landmarks,
//! for example, and none for a switch; `xml-roles` then holds what the page's author wrote, or
//! what the kind of HTML element implies. Measured on Chromium 156 and Firefox 153.

use std::collections::HashMap;

use agent_desktop_model::role::Role;

use super::{collect::Details, roles, states};

/// Attributes as they travel.
pub(crate) type Attributes<'a> = HashMap<&'a str, &'a str>;

/// Whether the attributes of an element tell something. They cost a question each, so that what
/// merely holds others or shows a text is left alone.
pub(crate) fn is_worth_asking(details: &Details) -> bool {
    let vague = match details.role {
        roles::ALERT
        | roles::DATE_EDITOR
        | roles::DIALOG
        | roles::LANDMARK
        | roles::SCROLL_PANE
        | roles::TABLE => true,
        // Fieldsets, groups of radio buttons and Firefox's time fields have a name.
        roles::PANEL => !details.name.is_empty(),
        _ => false,
    };
    vague || roles::canonical(details.role, details.states).is_interactive()
}

/// Takes down what the attributes of an element tell.
pub(crate) fn take(details: &mut Details, attributes: &Attributes<'_>) {
    let id = attributes.get("id").filter(|id| !id.is_empty());
    details.native_id = id.map(|id| (*id).into());
    details.page_role = role(details.role, attributes);
}

fn role(number: u32, attributes: &Attributes<'_>) -> Option<Role> {
    if matches!(number, roles::DATE_EDITOR | roles::PANEL)
        && let Some(&kind) = attributes.get("text-input-type")
    {
        return match kind {
            "time" => Some(Role::TimeField),
            "date" | "datetime-local" | "month" | "week" => Some(Role::DateField),
            _ => None,
        };
    }
    let written = attributes.get("xml-roles")?;
    written.split_ascii_whitespace().find_map(|word| match (number, word) {
        (roles::LANDMARK, "banner") => Some(Role::Banner),
        (roles::LANDMARK, "complementary") => Some(Role::Complementary),
        (roles::LANDMARK, "contentinfo") => Some(Role::ContentInfo),
        (roles::LANDMARK, "form") => Some(Role::Form),
        (roles::LANDMARK, "main") => Some(Role::Main),
        (roles::LANDMARK, "navigation") => Some(Role::Navigation),
        (roles::LANDMARK, "search") => Some(Role::Search),
        (roles::ALERT, "alert") => Some(Role::Alert),
        // Firefox's number for it is that of any dialog.
        (roles::DIALOG, "alertdialog") => Some(Role::AlertDialog),
        // Firefox's own questions, such as those that pages have it ask.
        (roles::PANEL, "dialog") => Some(Role::Dialog),
        (roles::PANEL, "radiogroup") => Some(Role::RadioGroup),
        (roles::SCROLL_PANE, "tabpanel") => Some(Role::TabPanel),
        (roles::TABLE, "grid") => Some(Role::Grid),
        (roles::TOGGLE_BUTTON, "switch") => Some(Role::Switch),
        _ => None,
    })
}

/// Whether an element is text that a person can write in, whatever its role: the host of
/// `contenteditable` is a section to both browsers.
pub(crate) fn is_editor(number: u32, bits: u64) -> bool {
    const EDITOR: u64 = states::EDITABLE | states::FOCUSABLE;
    matches!(number, roles::SECTION | roles::PARAGRAPH | roles::HEADING) && bits & EDITOR == EDITOR
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(number: u32, attributes: &[(&'static str, &'static str)]) -> Option<Role> {
        role(number, &attributes.iter().copied().collect())
    }

    #[test]
    fn a_landmark_is_what_its_author_calls_it() {
        assert_eq!(told(roles::LANDMARK, &[("xml-roles", "navigation")]), Some(Role::Navigation));
        assert_eq!(told(roles::LANDMARK, &[("xml-roles", "doc-toc banner")]), Some(Role::Banner));
        assert_eq!(told(roles::LANDMARK, &[("xml-roles", "region")]), None);
        assert_eq!(told(roles::LANDMARK, &[]), None);
    }

    #[test]
    fn what_an_author_writes_changes_no_number_that_is_clear() {
        assert_eq!(told(43, &[("xml-roles", "switch")]), None);
        assert_eq!(told(roles::LANDMARK, &[("xml-roles", "switch")]), None);
        assert_eq!(told(roles::TOGGLE_BUTTON, &[("xml-roles", "switch")]), Some(Role::Switch));
    }

    #[test]
    fn a_time_field_is_a_panel_to_firefox_and_a_date_editor_to_chromium() {
        for number in [roles::PANEL, roles::DATE_EDITOR] {
            assert_eq!(told(number, &[("text-input-type", "time")]), Some(Role::TimeField));
            assert_eq!(told(number, &[("text-input-type", "date")]), Some(Role::DateField));
        }
    }

    #[test]
    fn an_editor_can_be_written_in_and_focused() {
        let both = states::EDITABLE | states::FOCUSABLE;
        assert!(is_editor(roles::SECTION, both));
        // A paragraph within one.
        assert!(!is_editor(roles::PARAGRAPH, states::EDITABLE));
        assert!(!is_editor(43, both));
    }
}
