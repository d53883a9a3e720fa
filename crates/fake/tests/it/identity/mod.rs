//! Whatever happens between a look and a question, the answer is about the element that was
//! looked at, or it is refused.
//!
//! Random windows are looked at, change at random, and every ref is asked what it stands for now.
//! The desktop tells through bounds, which are never evidence, whose answer it was. One exception
//! is allowed and counted: nothing is left of the element as it was, neither its looks nor what
//! it had for an address, and the one that is taken for it is equal to it in everything that
//! could tell them apart.

mod acting;
mod changes;
mod scenes;
mod survey;
mod tally;

use std::fmt;

use agent_desktop_fake::{Edit, HiddenId, Limits};
use proptest::{
    prelude::*,
    sample::Index,
    test_runner::{RngSeed, TestRunner},
};
use serde_json::Value;

use self::{
    changes::Change,
    scenes::Scene,
    survey::{Seen, survey},
    tally::Tally,
};
use crate::stage::Stage;

#[derive(Clone)]
struct Case {
    scene: Scene,
    look: Look,
    changes: Vec<Change>,
    trouble: Trouble,
}

/// How the window is looked at.
#[derive(Clone, Debug)]
enum Look {
    Whole,
    Interactive,
    /// The outline, and one region of it.
    Drill(Index),
    /// A snapshot whose time ran out after so many nodes.
    Partial(usize),
    Find(&'static str),
    FindFirst(&'static str),
}

/// What goes wrong while the questions are answered.
#[derive(Clone, Debug)]
enum Trouble {
    None,
    NodesRead(usize),
    ProbesUnanswered,
    SilentElement(Index),
}

#[test]
fn an_answer_is_about_the_same_element_or_refused() {
    let tally = std::cell::RefCell::new(Tally::default());
    let mut runner = TestRunner::new(config(10_000));
    let result = runner.run(&case(), |case| play(&case, &mut tally.borrow_mut()));
    match result {
        Ok(()) => tally.borrow().report(),
        Err(failure) => panic!("{failure}\n{runner}"),
    }
}

/// The same cases every time, so that a failure is news. PROPTEST_RNG_SEED looks at others.
fn config(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

fn case() -> impl Strategy<Value = Case> {
    let look = prop_oneof![
        4 => Just(Look::Whole),
        2 => Just(Look::Interactive),
        3 => any::<Index>().prop_map(Look::Drill),
        1 => (1..20_usize).prop_map(Look::Partial),
        2 => prop_oneof![Just("button"), Just("tab"), Just("cell")].prop_map(Look::Find),
        1 => Just(Look::FindFirst("button")),
    ];
    let trouble = prop_oneof![
        16 => Just(Trouble::None),
        1 => (1..12_usize).prop_map(Trouble::NodesRead),
        1 => Just(Trouble::ProbesUnanswered),
        1 => any::<Index>().prop_map(Trouble::SilentElement),
    ];
    (scenes::scene(), look, changes::changes(), trouble)
        .prop_map(|(scene, look, changes, trouble)| Case { scene, look, changes, trouble })
}

fn play(case: &Case, tally: &mut Tally) -> Result<(), TestCaseError> {
    let mut stage = Stage::new(&case.scene.text());
    let before = survey(&stage.desktop);
    let drawing = stage.desktop.to_string();
    let refs = look(&mut stage, &case.look, &before)?;
    stage.desktop.set_limits(telling());

    let mut edits = Vec::new();
    for change in &case.changes {
        let possible = change
            .on(&stage.desktop, &before)
            .into_iter()
            .filter(|edit| stage.desktop.apply(edit).is_ok());
        edits.extend(possible);
    }
    let after = survey(&stage.desktop);
    stage.desktop.set_limits(trouble(&case.trouble, &after));

    tally.cases += 1;
    for (reference, meant) in &refs {
        let found = ask(&mut stage, reference)?;
        let verdict = judge(&found, meant, &before, &after);
        let story = || Story {
            look: &case.look,
            drawing: &drawing,
            edits: &edits,
            trouble: &case.trouble,
            reference,
            meant,
            now: stage.desktop.to_string(),
        };
        match verdict {
            Verdict::Wrong(why) => {
                return Err(TestCaseError::fail(format!("{why}\n{}", story())));
            }
            Verdict::Same => tally.same += 1,
            Verdict::Recreated => tally.recreated += 1,
            Verdict::Disguised => tally.disguised += 1,
            Verdict::Refused { reason, needless } => {
                let troubled = !matches!(case.trouble, Trouble::None);
                tally.refused(reason, needless && !troubled, || story().to_string());
            }
        }
    }
    drill_all(&mut stage, &refs, &before, &after, case, tally)
}

/// Looks at the focused window: each ref, and what it stood for when it was handed out.
fn look(
    stage: &mut Stage,
    look: &Look,
    before: &[Seen],
) -> Result<Vec<(String, HiddenId)>, TestCaseError> {
    stage.desktop.set_limits(telling());
    match look {
        Look::Whole => snapshot(stage, "snapshot --include-bounds"),
        Look::Interactive => snapshot(stage, "snapshot -i --compact --include-bounds"),
        Look::Partial(nodes) => {
            stage.desktop.set_limits(Limits { nodes: Some(*nodes), ..telling() });
            snapshot(stage, "snapshot --include-bounds")
        }
        Look::Drill(which) => {
            let mut refs = snapshot(stage, "snapshot --skeleton --include-bounds")?;
            if refs.is_empty() {
                return Ok(refs);
            }
            let (top, _) = which.get(&refs).clone();
            // A twin that nothing tells from the other is not drilled.
            if let Ok(drilled) = snapshot(stage, &format!("snapshot --root {top} --include-bounds"))
            {
                refs.retain(|(reference, _)| {
                    drilled.iter().all(|(other, _)| other != reference)
                        && still_listed(stage, reference)
                });
                refs.extend(drilled);
            }
            Ok(refs)
        }
        Look::Find(role) | Look::FindFirst(role) => {
            let (shown, hidden): (Vec<&Seen>, Vec<&Seen>) = before
                .iter()
                .filter(|seen| seen.role.token() == *role && seen.is_in_first_window())
                .partition(|seen| seen.shown);
            let meant: Vec<&HiddenId> =
                shown.iter().chain(&hidden).map(|seen| &seen.identity).collect();
            let first = matches!(look, Look::FindFirst(_));
            let selection = if first { "--first" } else { "--limit 0" };
            let answer = stage.answer(&format!("find --role {role} {selection}"));
            let data = &answer["data"];
            let matches: Vec<&Value> = match &data["match"] {
                Value::Null => data["matches"].as_array().into_iter().flatten().collect(),
                single => vec![single],
            };
            let expected = if first { meant.len().min(1) } else { meant.len() };
            prop_assert_eq!(matches.len(), expected, "{}", answer);
            Ok(matches
                .iter()
                .zip(meant)
                .map(|(found, meant)| (text(&found["ref_id"]), meant.clone()))
                .collect())
        }
    }
}

/// The refs of a printed tree, and whom they were printed for.
fn snapshot(stage: &mut Stage, line: &str) -> Result<Vec<(String, HiddenId)>, TestCaseError> {
    let answer = stage.answer(line);
    prop_assert_eq!(&answer["ok"], true, "{}: {}", line, answer);
    let mut refs = Vec::new();
    let mut nodes = vec![&answer["data"]["tree"]];
    while let Some(node) = nodes.pop() {
        if let Some(reference) = node["ref_id"].as_str() {
            refs.push((reference.to_owned(), told(stage, &node["bounds"])?));
        }
        nodes.extend(node["children"].as_array().into_iter().flatten());
    }
    Ok(refs)
}

/// Whether a drill has left `reference` in the snapshot.
fn still_listed(stage: &mut Stage, reference: &str) -> bool {
    let answer = stage.answer(&format!("get {reference} --property role"));
    answer["error"]["details"]["kind"] != "saved_ref_absent"
}

/// Whom `get` is about, or the reason for its refusal; `is` has to agree.
fn ask(stage: &mut Stage, reference: &str) -> Result<Result<HiddenId, String>, TestCaseError> {
    let answer = stage.answer(&format!("get {reference} --property bounds"));
    let other = stage.answer(&format!("is {reference} --property visible"));
    let found = match &answer["error"] {
        Value::Null => Ok(told(stage, &answer["data"]["value"])?),
        error => Err(reason(error)),
    };
    let agrees = match &other["error"] {
        Value::Null => found.is_ok(),
        error => found.as_ref().is_err_and(|why| *why == reason(error)),
    };
    prop_assert!(agrees, "get: {}\nis: {}", answer, other);
    Ok(found)
}

/// Drills every ref: a drill is about the same element as well, and what it hands out is, too.
fn drill_all(
    stage: &mut Stage,
    refs: &[(String, HiddenId)],
    before: &[Seen],
    after: &[Seen],
    case: &Case,
    tally: &mut Tally,
) -> Result<(), TestCaseError> {
    for (reference, meant) in refs.iter().take(6) {
        let line = format!("snapshot --root {reference} --include-bounds");
        let answer = stage.answer(&line);
        let found = match &answer["error"] {
            Value::Null => Ok(told(stage, &answer["data"]["tree"]["bounds"])?),
            error => Err(reason(error)),
        };
        if let Verdict::Wrong(why) = judge(&found, meant, before, after) {
            let after = stage.desktop.to_string();
            return Err(TestCaseError::fail(format!("{line}: {why}\n{case:?}\nafter:\n{after}")));
        }
        tally.drilled += usize::from(found.is_ok());
    }
    Ok(())
}

#[derive(Debug)]
enum Verdict {
    Same,
    /// The element is gone, and nothing tells the one that was taken for it from it.
    Recreated,
    /// The element has neither the looks nor the address that it had, and another one has its
    /// looks: nobody could know.
    Disguised,
    Refused {
        reason: String,
        needless: bool,
    },
    Wrong(String),
}

fn judge(
    found: &Result<HiddenId, String>,
    meant: &HiddenId,
    before: &[Seen],
    after: &[Seen],
) -> Verdict {
    let was = before.iter().find(|seen| seen.identity == *meant);
    let is = after.iter().find(|seen| seen.identity == *meant);
    match found {
        Ok(found) if found == meant => Verdict::Same,
        Ok(found) => {
            let taken = after.iter().find(|seen| seen.identity == *found);
            let equal = was.zip(taken).is_some_and(|(was, taken)| {
                let known = was.lasting && was.address == taken.address;
                taken.looks == was.looks || known && taken.looks.extends(&was.looks)
            });
            let same_address = was.zip(is).is_some_and(|(was, is)| was.address == is.address);
            // One that was there before is known to be another, unless it looked different and had
            // another address.
            let known = before.iter().find(|seen| seen.identity == *found).is_some_and(|then| {
                let kept = taken.is_some_and(|taken| taken.address == then.address);
                kept || was.is_some_and(|was| was.looks == then.looks)
            });
            match is {
                _ if known => Verdict::Wrong(format!(
                    "{found} was taken for {meant}, beside which it stood before"
                )),
                _ if !equal => Verdict::Wrong(format!(
                    "{found} was taken for {meant}, which looked different:\n  {}\n  {}",
                    looks(taken),
                    looks(was)
                )),
                None => Verdict::Recreated,
                Some(is) if !same_address && was.is_some_and(|was| was.looks != is.looks) => {
                    Verdict::Disguised
                }
                Some(_) => {
                    Verdict::Wrong(format!("{found} was taken for {meant}, which still exists"))
                }
            }
        }
        Err(reason) => {
            // Alone in all it is, or at least told from its twins by what it stands in.
            let alone = |all: &[Seen], was: &Seen| {
                let others = || all.iter().filter(|other| other.identity != *meant);
                others().all(|other| other.looks != was.looks)
                    && (was.looks.has_context()
                        || others().all(|other| !other.looks.same_evidence(&was.looks)))
            };
            let needless = was.zip(is).is_some_and(|(was, is)| {
                was.looks == is.looks && alone(before, was) && alone(after, was)
            });
            Verdict::Refused { reason: reason.clone(), needless }
        }
    }
}

fn looks(seen: Option<&Seen>) -> String {
    seen.map_or("nothing".into(), |seen| seen.looks.to_string())
}

fn told(stage: &Stage, bounds: &Value) -> Result<HiddenId, TestCaseError> {
    let identity =
        bounds["x"].as_i64().and_then(|x| stage.desktop.identity_numbered(i32::try_from(x).ok()?));
    identity.ok_or_else(|| TestCaseError::fail(format!("an answer about nothing: {bounds}")))
}

fn reason(error: &Value) -> String {
    let detail = |key: &str| error["details"][key].as_str().unwrap_or("-").to_owned();
    format!("{} {} {}", text(&error["code"]), detail("kind"), detail("reason"))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn telling() -> Limits {
    Limits { bounds_tell_identity: true, ..Limits::default() }
}

fn trouble(trouble: &Trouble, after: &[Seen]) -> Limits {
    match trouble {
        Trouble::None => telling(),
        Trouble::NodesRead(nodes) => Limits { nodes: Some(*nodes), ..telling() },
        Trouble::ProbesUnanswered => Limits { probes_unanswered: true, ..telling() },
        Trouble::SilentElement(_) if after.is_empty() => telling(),
        Trouble::SilentElement(which) => {
            let silent = vec![which.get(after).identity.as_str().to_owned()];
            Limits { silent, ..telling() }
        }
    }
}

/// Everything that a person needs to see what went wrong.
struct Story<'a> {
    look: &'a Look,
    drawing: &'a str,
    edits: &'a [Edit],
    trouble: &'a Trouble,
    reference: &'a str,
    meant: &'a HiddenId,
    now: String,
}

impl fmt::Display for Story<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { look, drawing, edits, trouble, reference, meant, now } = self;
        writeln!(f, "{look:?} of\n{drawing}gave {reference} to {meant}; then")?;
        for edit in *edits {
            writeln!(f, "  {edit:?}")?;
        }
        writeln!(f, "made it\n{now}with trouble: {trouble:?}")
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scene, look, changes, trouble } = self;
        write!(f, "{look:?} of\n{}then {changes:?} with {trouble:?}", scene.text())
    }
}
