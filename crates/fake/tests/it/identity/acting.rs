//! Whatever happens between a look and an action, or in the middle of one, the request reaches the
//! element that was looked at, or nobody.
//!
//! What strikes after the last question and before the request cannot be kept from doing harm, but
//! it is not passed over: the answer then says that another element may have been reached. That
//! the element itself still says the same, that it stands in the same parent, and that the text is
//! the same which tells where it stands, is asked along with the request.

use agent_desktop_fake::{Edit, HiddenId};
use proptest::{prelude::*, sample::Index};
use serde_json::Value;

use super::{
    Case, Change, Seen, Trouble, Verdict, case, config, judge, look, reason, survey,
    tally::Landings, telling, trouble,
};
use crate::stage::Stage;

/// What is hidden is waited for, here where nobody shows it again.
const PATIENCE_MS: u32 = 100;

/// When the window changes.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// Before the action begins.
    Before,
    /// While one of the refs is acted on, after so many calls.
    During(Index, usize),
}

#[test]
fn a_request_reaches_the_element_that_was_meant_or_nobody() {
    let moment = prop_oneof![
        Just(Moment::Before),
        (any::<Index>(), 0..12_usize).prop_map(|(which, calls)| Moment::During(which, calls)),
    ];
    let tally = std::cell::RefCell::new(Landings::default());
    let mut runner = proptest::test_runner::TestRunner::new(config(3_000));
    let result = runner.run(&(case(), moment), |(case, moment)| match moment {
        Moment::Before => before(&case, &mut tally.borrow_mut()),
        Moment::During(which, calls) => during(&case, which, calls, &mut tally.borrow_mut()),
    });
    match result {
        Ok(()) => tally.borrow().report(),
        Err(failure) => panic!("{failure}\n{runner}"),
    }
}

/// The window changes, and then every ref is acted on.
fn before(case: &Case, tally: &mut Landings) -> Result<(), TestCaseError> {
    let mut stage = Stage::new(&case.scene.text());
    let before = survey(&stage.desktop);
    let refs = actable(&mut stage, case, &before)?;
    for change in changes(case) {
        for edit in change.on(&stage.desktop, &before) {
            // What an application cannot do, it does not.
            let _ = stage.desktop.apply(&edit);
        }
    }
    let after = survey(&stage.desktop);
    stage.desktop.set_limits(trouble(&case.trouble, &after));
    tally.cases += 1;
    for (reference, meant, command) in &refs {
        let landing = act(&mut stage, reference, command)?;
        let told = format!("{case:?}\n{reference} of {meant} by {command}: {landing:?}");
        let verdict = judge(&landing.by, meant, &before, &after);
        if let Verdict::Wrong(why) = &verdict {
            return Err(TestCaseError::fail(format!("{why}\n{told}\nnow:\n{}", stage.desktop)));
        }
        prop_assert!(!landing.said_another, "nothing happened meanwhile: {}", told);
        tally.took(&verdict, matches!(case.trouble, Trouble::None));
    }
    Ok(())
}

/// One of the refs is acted on, and meanwhile the window changes.
fn during(
    case: &Case,
    which: Index,
    calls: usize,
    tally: &mut Landings,
) -> Result<(), TestCaseError> {
    let mut stage = Stage::new(&case.scene.text());
    let before = survey(&stage.desktop);
    let refs = actable(&mut stage, case, &before)?;
    if refs.is_empty() {
        return Ok(());
    }
    let (reference, meant, command) = which.get(&refs);
    stage.desktop.set_limits(telling());
    let edits: Vec<Edit> =
        changes(case).flat_map(|change| change.on(&stage.desktop, &before)).collect();
    stage.desktop.take_calls();
    for edit in edits {
        stage.desktop.apply_after(calls, edit);
    }
    let landing = act(&mut stage, reference, command)?;
    stage.desktop.take_back_edits();
    let after = survey(&stage.desktop);
    let verdict = judge(&landing.by, meant, &before, &after);
    let told = format!("{case:?}\n{reference} of {meant} by {command}: {landing:?}");
    tally.struck += 1;
    match (&verdict, landing.said_another) {
        (Verdict::Wrong(_), false) if nobody_tells(&landing, meant, &before, &after) => {
            tally.unnoticed += 1;
        }
        (Verdict::Wrong(why), false) => {
            return Err(TestCaseError::fail(format!("{why}\n{told}\nnow:\n{}", stage.desktop)));
        }
        (Verdict::Wrong(_), true) => tally.told_of_another += 1,
        (Verdict::Same, true) => tally.told_in_vain += 1,
        _ => tally.took(&verdict, false),
    }
    Ok(())
}

/// What happens to the window, but for what only makes an action wait.
fn changes(case: &Case) -> impl Iterator<Item = &Change> {
    case.changes.iter().filter(|change| !matches!(change, Change::Touch(..)))
}

/// Whether the element that was reached answers all that is asked along with a request as the one
/// that was meant would have: what changed is further away.
fn nobody_tells(landing: &Landing, meant: &HiddenId, before: &[Seen], after: &[Seen]) -> bool {
    let then = |identity: &HiddenId| before.iter().find(|seen| seen.identity == *identity);
    let answers = |was: &Seen| after.iter().any(|is| is.answers_as(was));
    let (was, reached) = (then(meant), landing.by.as_ref().ok());
    let is = reached.and_then(|by| after.iter().find(|seen| seen.identity == *by));
    was.zip(is).is_some_and(|(was, is)| {
        is.answers_as(was) && was.told_by.as_ref().and_then(then).is_none_or(answers)
    })
}

/// What became of one request.
#[derive(Debug)]
struct Landing {
    /// Whom it reached, or why it reached nobody.
    by: Result<HiddenId, String>,
    /// Whether the answer says that the element had become another.
    said_another: bool,
}

fn act(stage: &mut Stage, reference: &str, command: &str) -> Result<Landing, TestCaseError> {
    let received = stage.desktop.received().len();
    let answer = stage.answer(&format!("{command} {reference} --timeout-ms {PATIENCE_MS}"));
    let reached = stage.desktop.received().split_off(received);
    let error = &answer["error"];
    let delivery = match error {
        Value::Null => &answer["data"]["disposition"]["delivery"],
        error => &error["disposition"]["delivery"],
    };
    prop_assert_eq!(delivery != "not_delivered", !reached.is_empty(), "{}", answer);
    prop_assert!(reached.len() < 2, "sent twice: {:?}", reached);
    Ok(Landing {
        said_another: error["details"]["kind"] == "identity_changed",
        by: match reached.into_iter().next() {
            Some(one) => Ok(one.by),
            None => Err(reason(error)),
        },
    })
}

/// The refs of `case` on which something can be done, with whom they were handed out for.
fn actable(
    stage: &mut Stage,
    case: &Case,
    before: &[Seen],
) -> Result<Vec<(String, HiddenId, &'static str)>, TestCaseError> {
    let refs = look(stage, &case.look, before)?;
    let does = |identity: &HiddenId| {
        let can = &before.iter().find(|seen| seen.identity == *identity)?.can;
        [("Click", "click"), ("Toggle", "toggle"), ("SetValue", "set-value --stdin")]
            .into_iter()
            .find(|(capability, _)| can.iter().any(|one| one.token() == *capability))
            .map(|(_, command)| command)
    };
    let actable = refs.into_iter().filter_map(|(reference, meant)| {
        let command = does(&meant)?;
        Some((reference, meant, command))
    });
    Ok(actable.collect())
}
