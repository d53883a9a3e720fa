//! What is wrong with a cell: promises that hold for every command whatever an application does,
//! and what the answer says against what others know.

use std::time::Duration;

use serde_json::Value;

use super::{
    Answer, Cell, TIMEOUT_MS,
    commands::{Command, Does},
    stage::Reached,
    switches::Switch,
};
use crate::{Outcome, tree};

/// How long a command may go on after its deadline.
const OVERRUN: Duration = Duration::from_secs(2);

/// Kilobytes that a command may have beyond what it has with a peer that behaves and the size of
/// what it was told.
const ALLOWED_BEYOND_DATA: u64 = 64 * 1024;

/// What a command without a timeout gives itself.
const UNTIMED: Duration = Duration::from_secs(5);

/// The codes of the contract but INTERNAL, which says that something else was meant to be said.
const CODES: [&str; 15] = [
    "PERM_DENIED",
    "ELEMENT_NOT_FOUND",
    "APP_NOT_FOUND",
    "ACTION_FAILED",
    "ACTION_NOT_SUPPORTED",
    "STALE_REF",
    "AMBIGUOUS_TARGET",
    "WINDOW_NOT_FOUND",
    "PLATFORM_NOT_SUPPORTED",
    "TIMEOUT",
    "INVALID_ARGS",
    "NOTIFICATION_NOT_FOUND",
    "SNAPSHOT_NOT_FOUND",
    "POLICY_DENIED",
    "APP_UNRESPONSIVE",
];

/// What is known of a cell besides its answer.
pub(super) struct Facts<'a> {
    pub(super) command: &'static Command,
    pub(super) switch: &'static Switch,
    pub(super) outcome: &'a Outcome,
    pub(super) log: &'a [Reached],
    /// Who may be acted on.
    pub(super) identities: &'a [&'static str],
    /// Whether the peer's process is there afterwards.
    pub(super) is_there: bool,
}

/// What the command answered, and what is wrong with it.
pub(super) fn judge(
    facts: &Facts<'_>,
    envelope: Result<Value, String>,
    cell: &Cell,
) -> (Answer, Vec<String>) {
    let mut faults = Vec::new();
    let mut fault = |is_so: bool, what: String| {
        if is_so {
            faults.push(what);
        }
    };
    let outcome = facts.outcome;
    let crashed = !matches!(outcome.status, Some(0..=2));
    fault(crashed || outcome.stderr.contains("panicked"), format!("panic: {}", outcome.stderr));
    let own = match facts.command.timeouts() {
        0 => UNTIMED,
        many => Duration::from_millis(TIMEOUT_MS) * many,
    };
    fault(outcome.elapsed > own + OVERRUN, format!("{:?}, past its deadline", outcome.elapsed));
    fault(cell.beyond > ALLOWED_BEYOND_DATA, format!("{} KB beyond the data", cell.beyond));
    for one in facts.log {
        fault(is_astray(facts, one), format!("{} reached {:?}", one.did, one.to));
    }
    let envelope = match envelope {
        Ok(envelope) => envelope,
        Err(why) => {
            fault(true, format!("no answer: {why}"));
            return (Answer::Garbled, faults);
        }
    };
    let part = if envelope["ok"] == true { "data" } else { "error" };
    let said = &envelope[part];
    let delivery = said["disposition"]["delivery"].as_str();
    let answer = match part {
        "data" => Answer::Ok(delivery.map(str::to_owned)),
        _ => Answer::Failed(
            said["code"].as_str().unwrap_or_default().to_owned(),
            delivery.unwrap_or_default().to_owned(),
        ),
    };
    faults.extend(untyped(&answer, said));
    faults.extend(untrue(facts, &answer, said, delivery));
    (answer, faults)
}

/// Whether a request reached somebody whom the command was not about.
fn is_astray(facts: &Facts<'_>, one: &Reached) -> bool {
    if one.did == "Harm" {
        return true;
    }
    match facts.command.does {
        // A dragged element is dropped on another one, which hears nothing of a button pressed.
        Does::ToAim => !facts.identities.contains(&one.to.as_str()),
        Does::ToWindow => !matches!(one.did.as_str(), "ButtonPress" | "KeyPress"),
        Does::Nothing | Does::Ends => true,
    }
}

/// What an answer lacks that every one has.
fn untyped(answer: &Answer, said: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let pair = (&said["disposition"]["delivery"], &said["disposition"]["retry"]);
    let pair = (pair.0.as_str(), pair.1.as_str());
    let is_pair = matches!(
        pair,
        (Some("not_delivered"), Some("safe"))
            | (
                Some("delivery_uncertain" | "delivered_unverified" | "delivered_verified"),
                Some("unsafe")
            )
            | (Some("unknown"), Some("unknown"))
    );
    match answer {
        Answer::Failed(code, _) => {
            if !CODES.contains(&code.as_str()) {
                faults.push(format!("the error {code}: {}", said["message"]));
            }
            let lacks = |key: &&str| said[*key].as_str().is_none_or(str::is_empty);
            faults.extend(
                ["message", "suggestion"]
                    .iter()
                    .filter(|key| lacks(key))
                    .map(|key| format!("no {key}")),
            );
            if !is_pair {
                faults.push(format!("the disposition {pair:?}"));
            }
        }
        Answer::Ok(Some(delivery)) => {
            if !is_pair || matches!(delivery.as_str(), "delivery_uncertain" | "unknown") {
                faults.push(format!("success with the disposition {pair:?}"));
            }
        }
        Answer::Ok(None) | Answer::NotShown | Answer::Garbled => {}
    }
    faults
}

/// What the answer says that is not so.
fn untrue(facts: &Facts<'_>, answer: &Answer, said: &Value, delivery: Option<&str>) -> Vec<String> {
    let truth = &facts.switch.truth;
    let mut faults = Vec::new();
    if facts.command.does == Does::ToAim {
        let kept = facts.log.last().is_none_or(keeps);
        // Taking the focus is what `--headed` permits before anything is delivered.
        let delivered = facts.log.iter().any(|one| one.did != "GrabFocus");
        if delivery == Some("not_delivered") && delivered {
            faults.push("says that nothing was delivered, but something was".to_owned());
        }
        if delivery == Some("delivered_verified")
            && (facts.log.is_empty() || !kept)
            && facts.is_there
        {
            faults.push("says that it is verified, but it is not so".to_owned());
        }
    }
    let code = match answer {
        Answer::Failed(code, _) => code.as_str(),
        _ => "",
    };
    if facts.command.does != Does::Ends && facts.is_there && truth.stays {
        if matches!(code, "APP_NOT_FOUND" | "WINDOW_NOT_FOUND") {
            faults.push(format!("{code}, but it is there: {}", said["message"]));
        }
        if code == "PLATFORM_NOT_SUPPORTED" {
            faults.push(format!("{code}, but all is there: {}", said["message"]));
        }
        if code == "APP_UNRESPONSIVE" && truth.readable && truth.steady {
            faults.push(format!("{code}, but it answers: {}", said["message"]));
        }
        if code == "ELEMENT_NOT_FOUND" && facts.command.does == Does::ToAim {
            faults.push(format!("{code}, but it is there: {}", said["message"]));
        }
        if truth.steady && matches!(code, "STALE_REF" | "AMBIGUOUS_TARGET") {
            faults.push(format!("{code}, but nothing has changed: {}", said["message"]));
        }
    }
    if facts.command.title == "list-windows" && facts.is_there && truth.stays {
        let is_it = |window: &Value| window["title"] == "Misbehaving";
        if !said.as_array().is_some_and(|windows| windows.iter().any(is_it)) {
            faults.push("its window is not listed".to_owned());
        }
    }
    let is_count = matches!(facts.command.title, "find --count" | "find, absent");
    if is_count && truth.unreadable && matches!(answer, Answer::Ok(_)) {
        faults.push("says how many there are, but cannot know".to_owned());
    }
    if said["complete"] == true {
        let seen = |name: &str| tree::all(&said["tree"]).any(|node| node["name"] == name);
        if truth.unreadable {
            faults.push("says that it is complete, but it cannot be".to_owned());
        } else if facts.command.title.starts_with("snapshot")
            && said["window"].is_object()
            && !seen("Press me")
            && !seen("Over there")
        {
            faults.push("says that it is complete, but the first button is missing".to_owned());
        }
    }
    faults
}

/// Whether what was written is what is held since then.
fn keeps(last: &Reached) -> bool {
    match last.did.as_str() {
        "SetTextContents" => last.holds == last.asked,
        "SetCurrentValue" => last.holds == last.asked,
        "InsertText" => last.holds.contains(&last.asked),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{
        super::{COMMANDS, SWITCHES},
        *,
    };

    /// A cell of the command with that title, while nothing is wrong.
    struct Case {
        title: &'static str,
        switch: &'static str,
        envelope: Value,
        stderr: &'static str,
        status: i32,
        elapsed: Duration,
        beyond: u64,
        log: Vec<Reached>,
    }

    fn case(title: &'static str, data: Value) -> Case {
        let envelope = json!({ "version": "2.5", "ok": true, "command": "x", "data": data });
        let (switch, log) = ("well-behaved", Vec::new());
        let elapsed = Duration::from_millis(20);
        Case { title, switch, envelope, stderr: "", status: 0, elapsed, beyond: 0, log }
    }

    fn failed(title: &'static str, code: &str, delivery: &str) -> Case {
        let retry = if delivery == "not_delivered" { "safe" } else { "unsafe" };
        let error = json!({
            "code": code, "message": "m", "suggestion": "s",
            "disposition": { "delivery": delivery, "retry": retry },
        });
        let envelope = json!({ "version": "2.5", "ok": false, "command": "x", "error": error });
        Case { envelope, status: 1, ..case(title, Value::Null) }
    }

    fn acted(delivery: &str) -> Value {
        let retry = if delivery == "not_delivered" { "safe" } else { "unsafe" };
        json!({ "disposition": { "delivery": delivery, "retry": retry } })
    }

    fn reached(did: &str, to: &str, asked: &str, holds: &str) -> Vec<Reached> {
        let [did, to, asked, holds] = [did, to, asked, holds].map(str::to_owned);
        vec![Reached { did, to, asked, holds }]
    }

    /// The faults of `case`, which acts on the elements of `identities`.
    fn faults(case: Case, identities: &[&'static str]) -> Vec<String> {
        let find = |title: &str| COMMANDS.iter().find(|one| one.title == title).unwrap();
        let outcome = Outcome {
            arguments: Vec::new(),
            status: Some(case.status),
            stdout: format!("{}\n", case.envelope).into_bytes(),
            stderr: case.stderr.to_owned(),
            elapsed: case.elapsed,
        };
        let cell = Cell {
            command: case.title,
            switch: case.switch,
            answer: Answer::NotShown,
            elapsed: case.elapsed,
            peak: 0,
            beyond: case.beyond,
            reached: Vec::new(),
            faults: Vec::new(),
        };
        let facts = Facts {
            command: find(case.title),
            switch: SWITCHES.iter().find(|one| one.name == case.switch).unwrap(),
            outcome: &outcome,
            log: &case.log,
            identities,
            is_there: true,
        };
        judge(&facts, outcome.read(), &cell).1
    }

    #[test]
    fn what_keeps_every_promise_has_no_fault() {
        let log = reached("SetTextContents", "Surname", "abc", "abc");
        let verified = Case { log, ..case("set-value", acted("delivered_verified")) };
        assert_eq!(faults(verified, &["Surname"]), [""; 0]);
        assert_eq!(faults(failed("get", "TIMEOUT", "not_delivered"), &["OK"]), [""; 0]);
        let tree = json!({ "complete": true, "window": {}, "tree": { "name": "Press me" } });
        assert_eq!(faults(case("snapshot", tree), &[]), [""; 0]);
    }

    #[test]
    fn each_broken_promise_is_a_fault() {
        let verified = || case("set-value", acted("delivered_verified"));
        let whole = json!({ "complete": true, "window": {}, "tree": { "name": "Press me" } });
        for (case, fault) in [
            (Case { status: 134, ..failed("get", "TIMEOUT", "not_delivered") }, "panic"),
            (Case { stderr: "thread panicked", ..case("get", json!({})) }, "panic"),
            (Case { status: 1, ..case("get", json!({})) }, "no answer"),
            (Case { envelope: json!([]), ..case("get", json!({})) }, "no answer"),
            (Case { elapsed: Duration::from_millis(2_400), ..case("get", json!({})) }, "deadline"),
            (Case { elapsed: Duration::from_secs(8), ..case("list-apps", json!({})) }, "deadline"),
            (Case { beyond: 65 * 1024, ..case("get", json!({})) }, "beyond the data"),
            (failed("get", "INTERNAL", "not_delivered"), "INTERNAL"),
            (failed("get", "OOPS", "not_delivered"), "OOPS"),
            (case("set-value", acted("delivery_uncertain")), "success with"),
            (Case { log: reached("DoAction", "Other", "", ""), ..verified() }, "reached \"Other\""),
            (Case { log: reached("Harm", "Surname", "", ""), ..verified() }, "Harm"),
            (
                Case { log: reached("DoAction", "Surname", "", ""), ..case("get", json!({})) },
                "reached",
            ),
            (verified(), "it is not so"),
            (
                Case { log: reached("SetTextContents", "Surname", "abcd", "abc"), ..verified() },
                "it is not so",
            ),
            (
                Case {
                    log: reached("DoAction", "Surname", "", ""),
                    ..failed("click", "TIMEOUT", "not_delivered")
                },
                "nothing was delivered",
            ),
            (failed("get", "WINDOW_NOT_FOUND", "not_delivered"), "it is there"),
            (failed("get", "STALE_REF", "not_delivered"), "nothing has changed"),
            (failed("get", "APP_UNRESPONSIVE", "not_delivered"), "it answers"),
            (failed("press", "PLATFORM_NOT_SUPPORTED", "not_delivered"), "all is there"),
            (failed("select", "ELEMENT_NOT_FOUND", "not_delivered"), "it is there"),
            (Case { switch: "wrong types", ..case("snapshot", whole) }, "cannot be"),
            (
                case("snapshot", json!({ "complete": true, "window": {}, "tree": {} })),
                "first button is missing",
            ),
            (case("list-windows", json!([])), "not listed"),
            (
                Case { switch: "hangs", ..case("find --count", json!({ "count": 0 })) },
                "cannot know",
            ),
        ] {
            let title = case.title;
            let found = faults(case, &["Surname"]);
            assert!(found.iter().any(|one| one.contains(fault)), "{title}, {fault}: {found:?}");
        }
    }
}
