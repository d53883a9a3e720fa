//! What it does when it is asked to change something, and the log of whom that reached.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
    sync::Mutex,
};

use desktop_tests::bus::{Body, Message, Reader};
use serde_json::json;

use crate::{
    answer::{bad, text, unknown},
    scene::{Effect, Node, Scene, state},
    serve::{Refusal, Voice},
};

/// Requests that arrived, a line of JSON each.
#[derive(Debug, Default)]
pub(crate) struct Log(Option<Mutex<File>>);

/// What comes of a request.
pub(crate) enum Outcome {
    Answers(Result<Body, Refusal>),
    Hangs,
    Vanishes,
}

impl Log {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        Ok(Self(Some(Mutex::new(File::options().create(true).append(true).open(path)?))))
    }

    /// Writes that `did` was done to `node`, what was asked for, and what it holds since then.
    pub(crate) fn note(&self, did: &str, node: &Node, asked: &str) {
        let Some(file) = &self.0 else { return };
        let holds = match (&node.text, node.number) {
            (Some(text), _) => text.clone(),
            (None, Some(number)) => number.to_string(),
            (None, None) => String::new(),
        };
        let line = json!({ "did": did, "to": node.identity, "asked": asked, "holds": holds });
        if let Ok(mut file) = file.lock() {
            // One write a line, so that it is there even if it ends at once.
            _ = file.write_all(format!("{line}\n").as_bytes());
        }
    }
}

/// Carries out `call`, if it asks for a change.
pub(crate) fn carry_out(scene: &mut Scene, voice: &Voice<'_>, call: &Message) -> Option<Outcome> {
    let index = scene.at(&call.path)?;
    let mut arguments = Reader::new(&call.body.bytes);
    let interface = call.interface.strip_prefix("org.a11y.atspi.").unwrap_or(&call.interface);
    let result = match (interface, call.member.as_str()) {
        ("Action", "DoAction") => return Some(act(scene, voice, call, index)),
        ("EditableText", member) => write_text(scene, voice, call, index, member, &mut arguments),
        ("org.freedesktop.DBus.Properties", "Set") => {
            set_number(scene, voice, index, &mut arguments)
        }
        ("Selection", member @ ("SelectChild" | "ClearSelection")) => {
            choose(scene, voice, call, index, member, &mut arguments)
        }
        ("Component", "GrabFocus") => {
            voice.peer().log.note("GrabFocus", &scene.nodes[index], "");
            scene.nodes.iter_mut().for_each(|node| node.states &= !state::FOCUSED);
            scene.nodes[index].states |= state::FOCUSED;
            voice.tell(index, "StateChanged", "focused", true);
            Ok(Body::default().boolean(true))
        }
        _ => return None,
    };
    Some(Outcome::Answers(result))
}

fn act(scene: &mut Scene, voice: &Voice<'_>, call: &Message, index: usize) -> Outcome {
    let peer = voice.peer();
    let node = &mut scene.nodes[index];
    let which = Reader::new(&call.body.bytes).i32().ok().and_then(|at| usize::try_from(at).ok());
    let Some((name, effect)) = which.and_then(|at| node.actions.get(at)).cloned() else {
        return Outcome::Answers(Err(unknown(call)));
    };
    let did = if effect == Effect::Harm { "Harm" } else { "DoAction" };
    peer.log.note(did, node, &name);
    let pressed = peer.manners.pressed.as_str();
    match (pressed, effect) {
        ("vanish", _) => return Outcome::Vanishes,
        ("hang", _) => return Outcome::Hangs,
        ("refuse", _) => return Outcome::Answers(Ok(Body::default().boolean(false))),
        ("rename", _) => node.name += ", done",
        ("", Effect::Check) => {
            node.states ^= state::CHECKED;
            voice.tell(index, "StateChanged", "checked", node.states & state::CHECKED != 0);
        }
        ("", Effect::Expand) => {
            node.states ^= state::EXPANDED;
            voice.tell(index, "StateChanged", "expanded", node.states & state::EXPANDED != 0);
        }
        _ => {}
    }
    Outcome::Answers(Ok(Body::default().boolean(true)))
}

fn write_text(
    scene: &mut Scene,
    voice: &Voice<'_>,
    call: &Message,
    index: usize,
    member: &str,
    arguments: &mut Reader<'_>,
) -> Result<Body, Refusal> {
    let node = &mut scene.nodes[index];
    let old: Vec<char> = text(node, call)?.chars().collect();
    let clamp = |at: i32| usize::try_from(at).unwrap_or(0).min(old.len());
    let all = |chars: &[char]| chars.iter().collect::<String>();
    let (new, asked) = match member {
        "SetTextContents" => {
            let new = arguments.text().map_err(bad)?;
            (new.clone(), new)
        }
        "InsertText" => {
            let at = clamp(arguments.i32().map_err(bad)?);
            let new = arguments.text().map_err(bad)?;
            (all(&old[..at]) + &new + &all(&old[at..]), new)
        }
        "DeleteText" => {
            let from = clamp(arguments.i32().map_err(bad)?);
            let to = clamp(arguments.i32().map_err(bad)?).max(from);
            (all(&old[..from]) + &all(&old[to..]), String::new())
        }
        _ => return Err(unknown(call)),
    };
    let peer = voice.peer();
    match peer.manners.writes.as_str() {
        "cut" => node.text = Some(new.chars().take(3).collect()),
        "nothing" => {}
        _ => node.text = Some(new),
    }
    peer.log.note(member, node, &asked);
    voice.tell(index, "TextChanged", "insert", true);
    Ok(Body::default().boolean(true))
}

fn set_number(
    scene: &mut Scene,
    voice: &Voice<'_>,
    index: usize,
    arguments: &mut Reader<'_>,
) -> Result<Body, Refusal> {
    let node = &mut scene.nodes[index];
    let property = arguments.text().and_then(|_| arguments.text()).map_err(bad)?;
    let signature = arguments.variant().map_err(bad)?;
    if (property.as_str(), signature.as_str()) != ("CurrentValue", "d") || node.number.is_none() {
        return Err(("InvalidArgs", format!("cannot set {property}")));
    }
    let asked = arguments.f64().map_err(bad)?;
    let peer = voice.peer();
    match peer.manners.numbers.as_str() {
        "nothing" | "odd" => {}
        "other" => node.number = Some(asked / 2.0 + 1.0),
        _ => node.number = Some(asked),
    }
    peer.log.note("SetCurrentValue", node, &asked.to_string());
    voice.tell(index, "PropertyChange", "accessible-value", true);
    Ok(Body::default())
}

fn choose(
    scene: &mut Scene,
    voice: &Voice<'_>,
    call: &Message,
    index: usize,
    member: &str,
    arguments: &mut Reader<'_>,
) -> Result<Body, Refusal> {
    if scene.nodes[index].chosen.is_none() {
        return Err(unknown(call));
    }
    let chosen = match member {
        "SelectChild" => usize::try_from(arguments.i32().map_err(bad)?).ok(),
        _ => None,
    };
    let peer = voice.peer();
    let asked = chosen.map_or(String::new(), |at| at.to_string());
    peer.log.note(member, &scene.nodes[index], &asked);
    if !matches!(peer.manners.pressed.as_str(), "nothing" | "refuse") {
        scene.nodes[index].chosen = Some(chosen);
    }
    voice.tell(index, "SelectionChanged", "", true);
    Ok(Body::default().boolean(peer.manners.pressed != "refuse"))
}
