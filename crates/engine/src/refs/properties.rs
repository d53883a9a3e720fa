//! What holds of every file that is taken for a ref map. Tests and `fuzz/` call the same functions;
//! each panics where its property does not hold.

use agent_desktop_model::{
    evidence::Evidence,
    reference::{Ref, SnapshotId},
};

use super::{
    RefMap, Unreadable,
    map::sealed,
    resolve,
    testing::{Desktop, snapshot},
};
use crate::platform::Deadline;

const SCENE: &str = r#"
window "W" @w
  list "L" @l
    row @r1
      statictext "Alpha" @t1
      button "Delete" @d1 lasting
    row @r2
      statictext "Beta" @t2
      button "Delete" @d2 lasting
  group
    textfield "Name" @n
    checkbox "Rent" @c lasting
  button "Quit" @q
"#;

/// The map of a window, as the body of its file.
pub fn body() -> Vec<u8> {
    let (map, _) = snapshot(&Desktop::new(SCENE), "Delete");
    serde_json::to_vec(&map).unwrap_or_default()
}

/// What is read out of a file that a hostile writer has made of `body` is written as it was read,
/// can be used in every way, and leads to no element but such as it describes.
pub fn ref_map(body: &[u8]) {
    let Ok(map) = RefMap::decode(&sealed(body)) else { return };
    let written = map.encode();
    assert_eq!(written.and_then(|bytes| RefMap::decode(&bytes)), Ok(map.clone()));
    let desktop = Desktop::new(SCENE);
    for number in map.numbers() {
        leads_to_what_it_describes(&map, number, &desktop);
        map.place(number);
        map.called(number);
        map.surroundings(number, true);
        map.region(number);
        if let Some((only, _)) = map.only(number) {
            assert_eq!(only.check(), Ok(()));
        }
        let mut map = map.clone();
        if let Some(element) = map.entry(number).map(|entry| entry.element) {
            map.forget_below(element);
        }
        assert_eq!(map.check(), Ok(()));
    }
}

/// A file that is damaged is taken for nothing.
pub fn damage(bytes: &[u8]) {
    let whole = sealed(&body());
    let read = RefMap::decode(bytes);
    assert!(bytes == whole || matches!(read, Err(Unreadable::Damaged(_) | Unreadable::Version(_))));
}

fn leads_to_what_it_describes(map: &RefMap, number: u32, desktop: &Desktop) {
    let Some(snapshot) = SnapshotId::parse("s1234") else { return };
    let reference = Ref { snapshot, number };
    let Ok(found) = resolve(desktop, map, &reference, Deadline::after_ms(1_000)) else { return };
    let tree = desktop.tree();
    let described = map.entry(number).and_then(|entry| {
        let element = map.element(entry.element)?;
        entry.cell.is_none().then(|| (element.evidence.clone(), element.digest))
    });
    // Where addresses last, the digest alone is compared.
    let is_there = |(evidence, digest): &(Evidence, u64)| {
        let there = tree.ids().map(|id| &tree[id]).filter(|node| node.address == found.address);
        there.into_iter().any(|node| node.digest == *digest || Evidence::of(node) == *evidence)
    };
    assert!(described.as_ref().is_none_or(is_there), "{reference} leads to {:?}", found.address);
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::Index, test_runner::RngSeed};

    use super::*;

    #[derive(Clone, Debug)]
    enum Harm {
        Byte(Index, u8),
        Digit(Index, u8),
        Remove(Index, usize),
        Repeat(Index, usize),
        Cut(Index),
    }

    fn harm() -> impl Strategy<Value = Harm> {
        let sign = proptest::sample::select(&b"0123456789-[]{},:\"\\eflnrstu"[..]);
        prop_oneof![
            1 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Harm::Byte(at, byte)),
            6 => (any::<Index>(), sign).prop_map(|(at, byte)| Harm::Digit(at, byte)),
            2 => (any::<Index>(), 1..40_usize).prop_map(|(at, length)| Harm::Remove(at, length)),
            2 => (any::<Index>(), 1..80_usize).prop_map(|(at, length)| Harm::Repeat(at, length)),
            1 => any::<Index>().prop_map(Harm::Cut),
        ]
    }

    fn harmed(mut bytes: Vec<u8>, harms: &[Harm]) -> Vec<u8> {
        for harm in harms {
            if bytes.is_empty() {
                break;
            }
            let length = bytes.len();
            match harm {
                Harm::Byte(at, byte) | Harm::Digit(at, byte) => bytes[at.index(length)] = *byte,
                Harm::Remove(at, many) => {
                    let at = at.index(length);
                    bytes.drain(at..length.min(at + many));
                }
                Harm::Repeat(at, many) => {
                    let at = at.index(length);
                    let part = bytes[at..length.min(at + many)].to_vec();
                    bytes.splice(at..at, part);
                }
                Harm::Cut(at) => bytes.truncate(at.index(length)),
            }
        }
        bytes
    }

    fn config(cases: u32) -> ProptestConfig {
        ProptestConfig {
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(1),
            ..ProptestConfig::with_cases(cases)
        }
    }

    proptest! {
        #![proptest_config(config(20_000))]

        #[test]
        fn whatever_is_read_leads_only_to_what_it_describes(
            harms in proptest::collection::vec(harm(), 1..4)
        ) {
            ref_map(&harmed(body(), &harms));
        }

        #[test]
        fn a_damaged_map_is_no_map(harms in proptest::collection::vec(harm(), 1..4)) {
            damage(&harmed(sealed(&body()), &harms));
        }
    }

    #[test]
    fn bytes_of_any_kind_are_no_map() {
        proptest!(config(2_000), |(bytes: Vec<u8>)| {
            ref_map(&bytes);
            damage(&bytes);
        });
    }
}
