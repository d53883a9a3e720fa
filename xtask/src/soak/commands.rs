//! Commands of chance: what reads, what acts without taking the focus, and what arranges windows.

use serde_json::Value;

/// Numbers of chance that are the same for the same seed.
pub(super) struct Chance(u64);

/// One that makes commands, and what it has seen.
pub(super) struct Hand {
    chance: Chance,
    refs: Vec<String>,
    windows: Vec<String>,
}

pub(super) struct Command {
    pub(super) words: Vec<String>,
    /// By when it has to be over.
    pub(super) limit_ms: u64,
}

/// How many refs and windows are kept in mind.
const KEPT: usize = 200;

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    pub(super) fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}

impl Hand {
    pub(super) fn new(chance: Chance) -> Self {
        Self { chance, refs: Vec::new(), windows: Vec::new() }
    }

    /// The next command; `apps` are the names of what runs, or should.
    pub(super) fn choose(&mut self, apps: &[&str]) -> Command {
        const LIMITS: [u64; 4] = [300, 1_000, 2_000, 3_000];
        let limit_ms = LIMITS[self.chance.below(LIMITS.len())];
        let app = self.chance.one(apps).map_or("nobody", |app| *app).to_owned();
        let window = self.chance.one(&self.windows).cloned().unwrap_or_else(|| "w-1.1-a".into());
        let element =
            self.chance.one(&self.refs).cloned().unwrap_or_else(|| "@snone:e1".to_owned());
        let number = self.chance.below(100).to_string();
        let (line, takes_limit) = match self.chance.below(100) {
            0..18 => (format!("snapshot --app {app} -i --compact"), true),
            18..24 => (format!("snapshot --window-id {window} --max-depth 20"), true),
            24..28 => (format!("snapshot --root {element}"), true),
            28..36 => (format!("find --app {app} --role button"), true),
            36..39 => (format!("find --app {app} --text a --first"), true),
            39..43 => ("list-windows".to_owned(), false),
            43..46 => ("list-apps".to_owned(), false),
            46..48 => (format!("list-surfaces --app {app}"), false),
            48..52 => (format!("get {element} --property value"), false),
            52..55 => (format!("is {element} --property visible"), false),
            55..66 => (format!("click {element}"), true),
            66..72 => (format!("set-value {element} {number}"), true),
            72..75 => (format!("type {element} a{number}"), true),
            75..77 => (format!("toggle {element}"), true),
            77..79 => (format!("select {element} Item"), true),
            79..81 => (format!("expand {element}"), true),
            81..83 => (format!("scroll {element} --direction down"), true),
            83..85 => (format!("scroll-to {element}"), true),
            85..88 => (format!("wait --element {element}"), true),
            88..89 => (format!("wait --window {app}"), true),
            89..91 => (format!("focus-window --window-id {window}"), false),
            91..93 => {
                (format!("resize-window --window-id {window} --width 700 --height 500"), false)
            }
            93..94 => ("press tab".to_owned(), false),
            94..95 => ("press escape".to_owned(), false),
            95..96 => (format!("clipboard-set soak-{number}"), false),
            96..97 => ("clipboard-get".to_owned(), false),
            97..98 => ("list-displays".to_owned(), false),
            98..99 => ("status".to_owned(), false),
            _ => ("screenshot".to_owned(), false),
        };
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if takes_limit {
            words.extend(["--timeout-ms".to_owned(), limit_ms.to_string()]);
        }
        // What has no time limit of its own has that of the contract.
        Command { words, limit_ms: if takes_limit { limit_ms } else { 5_000 } }
    }

    /// Keeps in mind which refs and windows an answer names.
    pub(super) fn learn(&mut self, envelope: &Value) {
        let data = &envelope["data"];
        let snapshot = data["snapshot_id"].as_str().unwrap_or_default();
        let mut open = vec![data];
        let mut refs = Vec::new();
        while let Some(value) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items),
                Value::Object(fields) => {
                    for (key, value) in fields {
                        match (key.as_str(), value.as_str()) {
                            ("ref" | "ref_id", Some(name)) if name.starts_with('@') => {
                                refs.push(name.to_owned());
                            }
                            ("ref" | "ref_id", Some(name)) => {
                                refs.push(format!("@{snapshot}:{}", name.trim_start_matches('@')));
                            }
                            ("id" | "window_id", Some(name)) if name.starts_with("w-") => {
                                self.windows.push(name.to_owned());
                            }
                            _ => open.push(value),
                        }
                    }
                }
                _ => {}
            }
        }
        self.refs.extend(refs);
        for kept in [&mut self.refs, &mut self.windows] {
            let surplus = kept.len().saturating_sub(KEPT);
            kept.drain(..surplus);
        }
    }
}
