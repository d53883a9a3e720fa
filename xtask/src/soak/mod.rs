//! Soaks the program: several processes of it at once, with commands of chance, on applications that
//! are used, stopped, killed and started again meanwhile. Every answer is one line on time, no defect
//! shows, and what is left behind does not grow.

#![expect(clippy::print_stdout, reason = "the tables are what this is for")]

mod commands;
mod crowd;
mod level;

use std::{
    collections::BTreeMap,
    error::Error,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use desktop_tests::Desktop;
use serde_json::Value;

use commands::{Chance, Hand};
use crowd::Crowd;
use level::Watch;

/// What a soak consists of.
pub(crate) struct Options {
    /// How long it takes, unless it ends by `commands`.
    minutes: f64,
    /// How many commands there are, whatever time they take.
    commands: Option<u64>,
    seed: u64,
    /// How many processes of the program there are at a time.
    hands: u64,
}

/// What came of the commands.
#[derive(Default)]
struct Tally {
    /// By command and code, `ok` included.
    answers: BTreeMap<(String, String), u64>,
    /// The longest that each command took beyond its deadline, in milliseconds.
    late: BTreeMap<String, i64>,
    /// What must not be, with the command and what it printed.
    defects: Vec<String>,
}

/// How much later than its deadline a command may end.
const GRACE: Duration = Duration::from_secs(2);

impl Options {
    pub(crate) fn parse(words: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut options = Self { minutes: 10.0, commands: None, seed: 1, hands: 3 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let next = words.next().ok_or(format!("{word} what?"))?;
            match *word {
                "--minutes" => options.minutes = next.parse()?,
                "--commands" => options.commands = Some(next.parse()?),
                "--seed" => options.seed = next.parse()?,
                "--hands" => options.hands = next.parse()?,
                other => return Err(format!("unknown: {other}").into()),
            }
        }
        Ok(options)
    }
}

/// Soaks, prints what came of it, and fails if anything is not as it must be.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let desktop = Desktop::start();
    let tally = Mutex::new(Tally::default());
    let over = AtomicBool::new(false);
    let made = AtomicU64::new(0);
    let start = Instant::now();
    let lasts = Duration::from_secs_f64(60.0 * options.minutes);
    let crowd = Crowd::gather(&desktop, options.seed);
    let watch = Watch::begin(&desktop);
    let goes_on = || match options.commands {
        Some(limit) => made.fetch_add(1, Ordering::Relaxed) < limit,
        None => start.elapsed() < lasts,
    };
    let samples = thread::scope(|scope| {
        let hands: Vec<_> = (0..options.hands)
            .map(|hand| {
                let (desktop, tally, goes_on) = (&desktop, &tally, &goes_on);
                let crowd = &crowd;
                scope.spawn(move || {
                    let mut hand = Hand::new(Chance::new(options.seed ^ (hand + 1) << 32));
                    while goes_on() {
                        work(desktop, &mut hand, crowd, tally);
                    }
                })
            })
            .collect();
        scope.spawn(|| crowd.trouble(&desktop, options.commands.is_none(), &over));
        let sampler = scope.spawn(|| watch.samples(&crowd, &over));
        // What a thread panics with ends all of it.
        while hands.iter().any(|hand| !hand.is_finished()) {
            thread::sleep(Duration::from_millis(20));
        }
        over.store(true, Ordering::Relaxed);
        sampler.join().unwrap_or_default()
    });
    let events = crowd.events();
    drop(crowd);
    let mut verdict = watch.judge(&samples, options.commands.is_none());
    verdict.extend(watch.left_over(&desktop));
    let tally = tally.into_inner().unwrap_or_default();
    report(&tally, &events, start.elapsed());
    for line in &verdict {
        println!("{line}");
    }
    let bad = verdict.iter().filter(|line| !line.is_level).count();
    match (tally.defects.len(), bad) {
        (0, 0) => Ok(()),
        (defects, bad) => Err(format!(
            "{defects} defects, and {bad} of {} figures not level:\n{}",
            verdict.len(),
            tally.defects.join("\n")
        )
        .into()),
    }
}

/// Makes one command and judges its answer.
fn work(desktop: &Desktop, hand: &mut Hand, crowd: &Crowd, tally: &Mutex<Tally>) {
    let command = hand.choose(crowd.names());
    let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    let outcome = desktop.run(&words);
    let limit = Duration::from_millis(command.limit_ms);
    let mut tally = locked(tally);
    let late = outcome.elapsed.as_millis() as i64 - limit.as_millis() as i64;
    let worst = tally.late.entry(words[0].to_owned()).or_insert(i64::MIN);
    *worst = late.max(*worst);
    let line = std::str::from_utf8(&outcome.stdout).unwrap_or_default();
    let envelope: Option<Value> = serde_json::from_str(line).ok();
    let is_one_line = line.ends_with('\n') && line.matches('\n').count() == 1;
    let code = match &envelope {
        Some(envelope) if is_one_line && envelope["ok"] == true => "ok".to_owned(),
        Some(envelope) if is_one_line => {
            envelope["error"]["code"].as_str().unwrap_or("no code").to_owned()
        }
        _ => "no answer".to_owned(),
    };
    let is_defect = matches!(code.as_str(), "no answer" | "no code" | "INTERNAL")
        // Its words were not understood.
        || outcome.status == Some(2)
        || outcome.stderr.contains("panicked")
        || outcome.elapsed > limit + GRACE;
    if is_defect {
        tally
            .defects
            .push(format!("{:.1} s of {limit:?}: {outcome}", outcome.elapsed.as_secs_f64()));
    }
    *tally.answers.entry((words[0].to_owned(), code)).or_default() += 1;
    drop(tally);
    if let Some(envelope) = &envelope {
        hand.learn(envelope);
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn report(tally: &Tally, events: &BTreeMap<String, u64>, elapsed: Duration) {
    let total: u64 = tally.answers.values().sum();
    println!("{total} commands in {:.1} minutes\n", elapsed.as_secs_f64() / 60.0);
    println!("| command | answers | latest, ms after its deadline |\n|---|---|---|");
    let commands: Vec<&String> = tally.late.keys().collect();
    for command in commands {
        let answers = tally.answers.iter().filter(|((of, _), _)| of == command);
        let answers: Vec<String> =
            answers.map(|((_, code), count)| format!("{code} {count}")).collect();
        println!("| {command} | {} | {} |", answers.join(", "), tally.late[command]);
    }
    println!("\n| what was done to applications | times |\n|---|---|");
    for (event, count) in events {
        println!("| {event} | {count} |");
    }
    println!("\n| figure | first third | last third | judgement |\n|---|---|---|---|");
}
