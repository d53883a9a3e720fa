//! Rows that are made but scrolled out of sight, where states do not tell: GTK 4.8.3 keeps some two
//! hundred rows of a list, sets SHOWING on none, and gives those that do not show no extent.

use super::{Children, Reader, Step, Talk, calls, roles};

/// A list of fewer rows than this is not worth asking all of them.
const FEW: usize = 16;

/// What GTK 4.8.3 calls lists whose rows it makes only near those that show, and how many rows
/// it makes of each at least, if there are so many.
const MADE_AS_NEEDED: [&str; 3] = ["GtkListView", "GtkGridView", "GtkColumnListView"];
const MADE_AT_LEAST: usize = 200;

impl Reader<'_> {
    /// Marks the rows of long lists that do not show.
    pub(super) fn look_for_scrolled_rows(&mut self, talk: &mut Talk<'_>) {
        if self.dialect.sets_showing {
            return;
        }
        let mut questions = Vec::new();
        for (node, at) in self.nodes.iter().zip(0..) {
            if let Children::Listed(rows) = &node.children
                && node.is_whole()
                && rows.len() >= FEW
                && matches!(node.details.role, roles::LIST | roles::TABLE | roles::LIST_BOX)
            {
                questions.push((Step::Extents(at), calls::extents(&node.address)));
                let address = |row: &u32| Some(&self.nodes.get(*row as usize)?.address);
                let of_row = |row: &u32| Some((Step::Extents(*row), calls::extents(address(row)?)));
                questions.extend(rows.iter().filter_map(of_row));
            }
        }
        if questions.is_empty() {
            return;
        }
        for node in &mut self.nodes {
            node.may_have_more = MADE_AS_NEEDED.contains(&&*node.details.name)
                && matches!(&node.children, Children::Listed(rows) if rows.len() >= MADE_AT_LEAST);
        }
        let mut rects = std::collections::HashMap::new();
        talk(questions, &mut |step, answer, _| {
            if let Ok(reply) = answer {
                rects.insert(step.node() as u32, calls::rectangle(&reply));
            }
        });
        for (row, rect) in &rects {
            let Some(node) = self.nodes.get_mut(*row as usize) else { continue };
            // What did not answer stays as it is: nothing is known of it.
            let Some(Some(list)) = node.parent.and_then(|list| rects.get(&list)) else { continue };
            node.is_scrolled_away = !rect.is_some_and(|rect| rect.overlaps(*list));
        }
    }
}
