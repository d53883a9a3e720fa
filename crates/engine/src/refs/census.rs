//! Who is the only one of its kind: equal evidence counted over everything that was read.
//!
//! The *chain* of an element is its own evidence and that of its ancestors, without the generic
//! containers that say nothing. Each node is hashed once and builds on its parent's chain, so that
//! 20,000 nodes cost the same whether they are one list or one deep nest.

use std::collections::HashSet;

use agent_desktop_model::{
    evidence::{Evidence, Label, text_hash},
    role::Role,
    text::stable_hash,
    tree::{Listing, NodeId, Tree},
};
use serde::{Deserialize, Serialize};

use super::context::{Place, Spot, places};

/// What is known of each node of a tree.
#[derive(Debug)]
pub struct Census {
    facts: Vec<Fact>,
    places: Vec<Place>,
    above: Label,
}

/// How an element stands among those that were read with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Nothing else has its evidence.
    Unique,
    /// Others have its evidence, but none of them stands in the same context.
    Told,
    /// Others have its evidence and perhaps its context.
    Twin,
    /// Not everything was read that could hold its twin.
    Unknown,
}

/// What lies above the root of a tree that is not a whole window.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Chain that the root's own evidence continues.
    pub(super) chain: Chain,
    /// What surrounds the root.
    pub(super) around: Label,
    /// Whether no element outside of the tree can have the chain of one inside.
    pub(super) sealed: bool,
}

/// A hash of evidence and that of the ancestors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Chain(u64);

#[derive(Clone, Copy, Debug)]
struct Fact {
    chain: Chain,
    standing: Standing,
}

impl Census {
    /// The census of a whole window.
    pub fn of_window(tree: &Tree) -> Self {
        Self::of(tree, &Surroundings::default())
    }

    /// The census of a region that lies in `surroundings`.
    pub fn of(tree: &Tree, surroundings: &Surroundings) -> Self {
        let above = if surroundings.around.is_none() { Spot::Nowhere } else { Spot::Above };
        let places = places(tree, above);
        let (chains, inner) = chains(tree, surroundings.chain);
        let clouded = clouded(tree, &inner, surroundings);

        let spots: Vec<_> = places
            .iter()
            .map(|place| match place.within {
                Spot::Nowhere => None,
                Spot::At(source) => text_hash(&tree[source].name),
                Spot::Above => surroundings.around.hash(),
            })
            .collect();
        let mut sorted = chains.clone();
        sorted.sort_unstable();
        let is_twin = |chain: &Chain| occurs_twice(&sorted, chain);
        let placed = chains.iter().zip(&spots);
        let mut told: Vec<_> = placed.clone().filter(|(chain, _)| is_twin(chain)).collect();
        told.sort_unstable();
        let facts = placed
            .zip(&clouded)
            .map(|(place @ (chain, spot), clouded)| {
                let standing = match (clouded, is_twin(chain)) {
                    (true, _) => Standing::Unknown,
                    (false, false) => Standing::Unique,
                    (false, true) if spot.is_some() && !occurs_twice(&told, &place) => {
                        Standing::Told
                    }
                    (false, true) => Standing::Twin,
                };
                Fact { chain: *chain, standing }
            })
            .collect();
        Self { facts, places, above: surroundings.around.clone() }
    }

    /// How `node` stands among the others.
    pub fn standing(&self, node: NodeId) -> Standing {
        self.facts[node.index()].standing
    }

    /// The text that tells `node` from its twins, if it has any and something tells it from them.
    pub fn within_of_twin(&self, tree: &Tree, node: NodeId) -> Option<String> {
        match self.standing(node) {
            Standing::Told => self.text_around(tree, node),
            Standing::Unique | Standing::Twin | Standing::Unknown => None,
        }
    }

    /// The text that says what `node` stands in, whether or not it has twins.
    pub fn text_around(&self, tree: &Tree, node: NodeId) -> Option<String> {
        self.within(tree, node).text().map(|text| text.trim().to_owned())
    }

    /// What `node` stands in.
    pub(super) fn within(&self, tree: &Tree, node: NodeId) -> Label {
        self.label(tree, self.places[node.index()].within)
    }

    /// Where the texts stand that tell what `node` stands in.
    pub(super) fn place(&self, node: NodeId) -> Place {
        self.places[node.index()]
    }

    /// The nodes with this chain, in document order of their addition.
    pub(super) fn equals(&self, tree: &Tree, chain: Chain) -> impl Iterator<Item = NodeId> {
        tree.ids().filter(move |id| self.facts[id.index()].chain == chain)
    }

    fn label(&self, tree: &Tree, spot: Spot) -> Label {
        match spot {
            Spot::Nowhere => Label::None,
            Spot::At(source) => Label::of(&tree[source].name),
            Spot::Above => self.above.clone(),
        }
    }
}

impl Default for Surroundings {
    /// Those of a whole window: nothing.
    fn default() -> Self {
        Self { chain: Chain::default(), around: Label::None, sealed: true }
    }
}

impl Chain {
    /// The chain of an element whose evidence hashes to `own` and which stands below `self`.
    pub(super) fn of_child(self, own: u64) -> Self {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.0.to_le_bytes());
        bytes[8..].copy_from_slice(&own.to_le_bytes());
        Self(stable_hash(&bytes))
    }
}

fn occurs_twice<T: Ord>(sorted: &[T], one: &T) -> bool {
    let first = sorted.partition_point(|other| other < one);
    sorted.get(first + 1).is_some_and(|next| next == one)
}

/// Whether an element is a generic container that says nothing: it can come and go between two
/// others without changing what they are.
pub(super) fn says_nothing(role: Role, identifies: bool) -> bool {
    matches!(role, Role::Group | Role::Unknown) && !identifies
}

/// Each node's chain, and the chain that its children continue.
fn chains(tree: &Tree, above: Chain) -> (Vec<Chain>, Vec<Chain>) {
    let mut chains = Vec::with_capacity(tree.len());
    let mut inner: Vec<Chain> = Vec::with_capacity(tree.len());
    for id in tree.ids() {
        let outer = tree.parent(id).map_or(above, |parent| inner[parent.index()]);
        let node = &tree[id];
        let chain = outer.of_child(Evidence::hash_of(node));
        chains.push(chain);
        let transparent = says_nothing(node.role, Evidence::is_offered_by(node));
        inner.push(if transparent { outer } else { chain });
    }
    (chains, inner)
}

/// For each node, whether a twin of it may have stayed unread. Where children were left out on
/// purpose, only elements with the same ancestry can be equal to one of them.
fn clouded(tree: &Tree, inner: &[Chain], surroundings: &Surroundings) -> Vec<bool> {
    if !tree.complete || !surroundings.sealed {
        return vec![true; tree.len()];
    }
    let holes: HashSet<Chain> = tree
        .ids()
        .filter(|id| match tree[*id].children {
            Listing::Whole => false,
            Listing::Cut | Listing::Counted(_) => true,
            Listing::Closed(count) => (tree.children(*id).count() as u64) < count,
        })
        .map(|id| inner[id.index()])
        .collect();
    let mut clouded: Vec<bool> = Vec::with_capacity(tree.len());
    for id in tree.ids() {
        clouded.push(tree.parent(id).is_some_and(|parent| {
            clouded[parent.index()] || holes.contains(&inner[parent.index()])
        }));
    }
    clouded
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use agent_desktop_model::tree::Node;

    use super::*;
    use crate::refs::testing::{named, tree};

    const INBOX: &str = r#"
window "Inbox (3)"
  toolbar
    button "New"
  list
    row
      cell
        statictext "Alpha"
      group
        button "Delete"
          statictext "x"
        button "Open"
    row
      cell
        statictext "Beta"
      group
        button "Delete"
          statictext "y"
        button "Open"
    row
      group
        button "Delete"
"#;

    fn of(text: &str, name: &str) -> (Standing, Option<String>) {
        let tree = tree(text);
        let census = Census::of_window(&tree);
        let node = named(&tree, name);
        (census.standing(node), census.within(&tree, node).text().map(str::to_owned))
    }

    #[test]
    fn rows_tell_equal_buttons_apart() {
        assert_eq!(of(INBOX, "New"), (Standing::Unique, None));
        assert_eq!(of(INBOX, "Delete"), (Standing::Told, Some("Alpha".into())));
        assert_eq!(of(INBOX, "Delete#1"), (Standing::Told, Some("Beta".into())));
        assert_eq!(of(INBOX, "Delete#2"), (Standing::Twin, None), "a row without a text");
    }

    #[test]
    fn the_first_text_of_a_row_may_stand_after_the_button() {
        let text = r#"
window
  row
    group
      button "Delete"
        statictext "x"
      statictext "Alpha"
    statictext "Beta"
"#;
        assert_eq!(of(text, "Delete").1, Some("Alpha".into()));
        assert_eq!(of(text, "Alpha").1, Some("Beta".into()));
    }

    #[test]
    fn the_name_of_a_container_comes_before_its_texts_and_a_window_has_none() {
        let text = r#"
window "Title"
  group "Colours"
    statictext "Red"
    checkbox "On"
  group
    checkbox "Off"
"#;
        assert_eq!(of(text, "On").1, Some("Colours".into()));
        assert_eq!(of(text, "Off").1, None);
    }

    #[test]
    fn cells_without_rows_stand_in_the_row_that_their_headers_make() {
        let text = r#"
window
  table
    column "Done"
    column "Name"
    column "State"
    cell
    cell "Rent"
    cell "open"
    cell
      image "i"
      cell "x"
    cell "Food"
    cell "open"
"#;
        assert_eq!(of(text, "open"), (Standing::Told, Some("Rent".into())));
        assert_eq!(of(text, "open#1"), (Standing::Told, Some("x".into())));
        assert_eq!(of(text, "x").1, Some("Food".into()), "what is in a cell");
        assert_eq!(of(text, "Rent").1, Some("open".into()));
        assert_eq!(of(text, "Name").1, None, "a header");
        let one_is_missing = text.replacen("    cell\n", "", 1);
        assert_eq!(of(&one_is_missing, "open"), (Standing::Twin, None));
        let no_headers = text.replace("column", "cell");
        assert_eq!(of(&no_headers, "open"), (Standing::Twin, None));
        let cut = text.replace("  table", "  table counted=9");
        assert_eq!(of(&cut, "open").1, None, "some are not there");
    }

    #[test]
    fn half_a_window_is_no_context() {
        let mut text =
            "window\n  group\n    statictext \"Result\"\n    button \"Key\"\n".to_owned();
        assert_eq!(of(&text, "Key").1, Some("Result".into()));
        for _ in 0..40 {
            text.push_str("    button \"Other\"\n");
        }
        assert_eq!(of(&text, "Key").1, None);
    }

    #[test]
    fn ancestors_are_evidence_but_silent_containers_and_titles_are_not() {
        let twins = "window\n  group\n    button \"Close\"\n  button \"Close\"\n";
        assert_eq!(of(twins, "Close").0, Standing::Twin);
        let in_a_toolbar = "window\n  toolbar\n    button \"Close\"\n  button \"Close\"\n";
        assert_eq!(of(in_a_toolbar, "Close").0, Standing::Unique);
        let [one, other] = ["*a", "b"].map(|title| {
            let tree = tree(&format!("window \"{title}\"\n  group\n    button \"Close\"\n"));
            Census::of_window(&tree).facts[named(&tree, "Close").index()].chain
        });
        assert_eq!(one, other);
    }

    #[test]
    fn what_was_not_read_may_hold_a_twin() {
        let text = "window\n  list cut\n    button \"A\"\n  button \"B\"\n";
        assert_eq!(of(text, "B").0, Standing::Unknown, "time ran out");
        let text = "window\n  table counted=2147483647\n    cell \"A\"\n  button \"B\"\n";
        assert_eq!(of(text, "A").0, Standing::Unknown, "in an endless table");
        assert_eq!(of(text, "B").0, Standing::Unique, "outside of it");
        let text = "window\n  group counted=9\n    cell \"A\"\n  button \"B\"\n";
        assert_eq!(of(text, "B").0, Standing::Unknown, "beside something that says nothing");
        let text = "window\n  menu \"File\" closed=1\n    menuitem \"New\"\n";
        assert_eq!(of(text, "New").0, Standing::Unique, "a closed menu that was read");
        let text = "window\n  menu \"File\" closed=2\n    menuitem \"New\"\n";
        assert_eq!(of(text, "New").0, Standing::Unknown, "a closed menu that was not");
    }

    #[test]
    fn a_region_agrees_with_its_window() {
        let whole = tree(INBOX);
        let census = Census::of_window(&whole);
        let row = whole.parent(whole.parent(named(&whole, "Alpha")).unwrap()).unwrap();
        let region =
            tree("row\n  cell\n    statictext \"Alpha\"\n  group\n    button \"Delete\"\n");
        let above = Surroundings {
            chain: {
                let (_, inner) = chains(&whole, Chain::default());
                inner[whole.parent(row).unwrap().index()]
            },
            around: census.label(&whole, census.place(row).around),
            sealed: false,
        };
        let part = Census::of(&region, &above);
        for name in ["Alpha", "Delete"] {
            let (here, there) = (named(&region, name), named(&whole, name));
            assert_eq!(part.facts[here.index()].chain, census.facts[there.index()].chain);
            assert_eq!(part.within(&region, here), census.within(&whole, there));
            assert_eq!(part.standing(here), Standing::Unknown);
        }
    }

    /// Quadratic work over this many nodes would take minutes, on whatever machine.
    #[test]
    fn any_shape_of_window_is_linear() {
        let shapes: [fn(usize) -> usize; 3] = [|index| index - 1, |_| 0, |index| index / 2];
        for shape in shapes {
            let mut tree = Tree::new(Node::default());
            let mut ids = vec![tree.root()];
            for index in 1..300_000 {
                let mut node = Node::default();
                node.role = [Role::Row, Role::StaticText, Role::Group, Role::Cell][index % 4];
                node.name = if index % 3 == 0 { "same".into() } else { "".into() };
                ids.push(tree.push(ids[shape(index)], node));
            }
            let start = Instant::now();
            Census::of_window(&tree);
            assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
        }
    }
}
