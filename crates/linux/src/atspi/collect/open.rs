//! What is open, where the element that opens does not say so itself but what is in it does.

use agent_desktop_model::{role::Role, tree::Address};

use super::{
    super::dialect::Lists, Children, Collected, Details, Dialect, Reader, Step, Talk, calls, roles,
    states,
};

/// Reads what is still missing of an element whose details are known, and what it lists, but
/// nothing below that.
pub(crate) fn near(
    element: Address,
    details: Details,
    dialect: &Dialect,
    talk: &mut Talk<'_>,
) -> Collected {
    let walked = dialect.walked();
    let mut reader = Reader::new(element, details, &walked);
    reader.is_shallow = true;
    reader.read(talk);
    reader.look_for_open_lists(talk);
    reader.identify(talk);
    Collected { nodes: reader.nodes, lacks_a_page: false }
}

/// Whether what an element lists may tell that it is open, which it does not say itself.
pub(crate) fn is_told_inside(details: &Details, dialect: &Dialect) -> bool {
    let has = |bit| details.states & bit != 0;
    let may_be_open = match roles::canonical(details.role, details.states) {
        Role::Menu => !(dialect.open_menus_selected && is_closed(details)),
        Role::MenuItem => dialect.shows_open_menus,
        Role::ComboBox => dialect.lists == Lists::Placed,
        _ => false,
    };
    details.child_count != 0 && may_be_open && dialect.shows_open_menus && !has(states::DEFUNCT)
}

/// Whether it is certain that a menu is closed. What opens can be selected, and is as long as
/// it is open; what is opened by it cannot.
fn is_closed(details: &Details) -> bool {
    details.states & states::SELECTABLE != 0 && details.states & states::SELECTED == 0
}

impl Reader<'_> {
    /// Marks combo boxes whose list has an extent, where only that tells.
    pub(super) fn look_for_open_lists(&mut self, talk: &mut Talk<'_>) {
        if self.dialect.lists != Lists::Placed {
            return;
        }
        let mut questions = Vec::new();
        for (node, at) in self.nodes.iter().zip(0..) {
            if let Children::Listed(inside) = &node.children
                && node.is_whole()
                && node.details.role == roles::COMBO_BOX
            {
                let lists = inside.iter().filter_map(|inner| self.nodes.get(*inner as usize));
                let lists = lists.filter(|inner| inner.details.role == roles::LIST);
                questions.extend(lists.map(|list| (Step::Nth(at), calls::extents(&list.address))));
            }
        }
        if questions.is_empty() {
            return;
        }
        talk(questions, &mut |step, answer, _| {
            let place = answer.ok().and_then(|reply| calls::rectangle(&reply));
            if place.is_some_and(|place| place.width > 0 && place.height > 0)
                && let Some(combo) = self.nodes.get_mut(step.node())
            {
                combo.is_open = true;
            }
        });
    }
}
