//! Documents of which only what shows is in the tree: the paragraphs of Writer 7.4.7 are those on
//! the screen, and the first and the last of them tell by their relations that the text goes on.

use super::{Children, Reader, Step, Talk, calls, roles};

impl Reader<'_> {
    /// Marks documents whose text goes on above or below what is listed.
    pub(super) fn look_beyond_documents(&mut self, talk: &mut Talk<'_>) {
        if !self.dialect.documents_list_shown {
            return;
        }
        let mut ends = Vec::new();
        for (node, at) in self.nodes.iter().zip(0..) {
            let Children::Listed(children) = &node.children else { continue };
            if node.details.role != roles::DOCUMENT_TEXT {
                continue;
            }
            let is_paragraph = |child: &&u32| {
                let child = self.nodes.get(**child as usize);
                child.is_some_and(|child| child.details.role == roles::PARAGRAPH)
            };
            let mut paragraphs = children.iter().filter(is_paragraph);
            let first = paragraphs.next();
            let last = paragraphs.next_back().or(first);
            ends.extend(first.map(|first| (at, *first, calls::FLOWS_FROM)));
            ends.extend(last.map(|last| (at, *last, calls::FLOWS_TO)));
        }
        let address = |(_, end, _): &(u32, u32, u32)| Some(&self.nodes.get(*end as usize)?.address);
        let questions = (0..)
            .zip(&ends)
            .filter_map(|(index, end)| Some((Step::Nth(index), calls::relations(address(end)?))));
        let mut beyond = Vec::new();
        talk(questions.collect(), &mut |step, answer, _| {
            let (Ok(reply), Some((document, _, relation))) = (answer, ends.get(step.node())) else {
                return;
            };
            let targets = calls::related(&reply, *relation, &self.app);
            if targets.iter().any(|target| !self.index.contains_key(target)) {
                beyond.push(*document);
            }
        });
        for document in beyond {
            if let Some(node) = self.nodes.get_mut(document as usize) {
                node.may_have_more = true;
            }
        }
    }
}
