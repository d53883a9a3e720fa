//! Answers calls one at a time, as a toolkit's main loop does.

use std::thread;

use desktop_tests::bus::{Body, Connection, Error, Kind, Message, Reader};

use crate::{
    Manners,
    scene::{self, Child, Node, Scene},
};

pub(crate) const REGISTRY: &str = "org.a11y.atspi.Registry";

/// An error name and its text.
type Refusal = (&'static str, String);

/// Serves until it shall vanish, or the bus goes away. Calls of `registry` do not count.
pub(crate) fn serve(
    mut bus: Connection,
    registry: &str,
    scene: &mut Scene,
    manners: &Manners,
) -> Result<(), Error> {
    let mut calls = 0;
    loop {
        let message = bus.next(None)?;
        if message.kind != Kind::Call {
            continue;
        }
        if message.sender != registry {
            calls += 1;
            if manners.vanish_at.is_some_and(|at| calls >= at) {
                return Ok(());
            }
            if manners.hang_at.is_some_and(|at| calls >= at) {
                // Parking may end spuriously; a hung application never comes back.
                loop {
                    thread::park();
                }
            }
            thread::sleep(manners.delay);
        }
        if message.member == "DoAction" {
            match (manners.pressed.as_str(), scene.at(&message.path)) {
                ("vanish", _) => return Ok(()),
                ("hang", _) => loop {
                    thread::park();
                },
                ("rename", Some(index)) => scene.nodes[index].name += ", done",
                _ => {}
            }
        }
        let result = answer(scene, manners, &bus.name, &message);
        if !message.no_reply {
            bus.send(reply(&message, result))?;
        }
    }
}

fn reply(call: &Message, result: Result<Body, Refusal>) -> Message {
    let reply =
        Message { reply_to: call.serial, destination: call.sender.clone(), ..Message::default() };
    match result {
        Ok(body) => Message { kind: Kind::Return, body, ..reply },
        Err((name, text)) => Message {
            kind: Kind::Error,
            error: format!("org.freedesktop.DBus.Error.{name}"),
            body: Body::default().text(&text),
            ..reply
        },
    }
}

fn answer(scene: &Scene, manners: &Manners, me: &str, call: &Message) -> Result<Body, Refusal> {
    let mut arguments = Reader::new(&call.body.bytes);
    let bad = |error: Error| ("InvalidArgs", error.to_string());
    let unknown = || ("UnknownMethod", format!("no {}.{}", call.interface, call.member));
    if call.interface.ends_with(".Cache") {
        return if manners.cache && call.member == "GetItems" {
            Ok(items(scene, me))
        } else {
            Err(unknown())
        };
    }
    let index = scene.at(&call.path).ok_or(("UnknownObject", format!("no {}", call.path)))?;
    let node = &scene.nodes[index];
    let body = Body::default();
    let interface = call.interface.strip_prefix("org.a11y.atspi.").unwrap_or(&call.interface);
    Ok(match (interface, call.member.as_str()) {
        ("org.freedesktop.DBus.Properties", "Get") => {
            let interface = arguments.text().map_err(bad)?;
            let name = arguments.text().map_err(bad)?;
            body.variant(&property(node, manners, me, &interface, &name)?)
        }
        ("org.freedesktop.DBus.Properties", "Set") => body,
        ("Accessible", "GetChildren") if node.claims.is_some() => {
            // What LibreOffice 7.4 does with a sheet: it never comes back.
            loop {
                thread::park();
            }
        }
        ("Accessible", "GetChildren") => body.array("(so)", 8, &node.children, |body, child| {
            body.put_accessible(me, &child.path());
        }),
        ("Accessible", "GetChildAtIndex") => {
            let at = arguments.i32().map_err(bad)?;
            let child = usize::try_from(at).ok().and_then(|at| node.children.get(at));
            body.accessible(me, &child.copied().unwrap_or(Child::Null).path())
        }
        ("Accessible", "GetIndexInParent") => {
            let siblings = &scene.nodes[node.parent].children;
            let at = siblings.iter().position(|c| matches!(c, Child::Node(i) if *i == index));
            body.i32(at.map_or(-1, |at| i32::try_from(at).unwrap_or(-1)))
        }
        ("Accessible", "GetRole") => body.u32(node.role),
        ("Accessible", "GetRoleName" | "GetLocalizedRoleName") => body.text("thing"),
        ("Accessible", "GetState") => states(body, node),
        ("Accessible", "GetAttributes") => body.array("{ss}", 8, [(); 0], |_, ()| {}),
        ("Accessible", "GetRelationSet") => body.array("(ua(so))", 8, [(); 0], |_, ()| {}),
        ("Accessible", "GetApplication") => body.accessible(me, scene::ROOT),
        ("Accessible", "GetInterfaces") => {
            body.array("s", 4, interfaces(index, node), Body::put_text)
        }
        // ATK's way to say that there is none; asking wakes its cache.
        ("Application", "GetApplicationBusAddress") if manners.cache => body.text(""),
        ("Component", "GetExtents") => {
            let mut body = Body { signature: "(iiii)".into(), ..body };
            let y = u32::try_from(index).unwrap_or(0) % 1000;
            for number in [10, y, 80, 20] {
                body.put_u32(number);
            }
            body
        }
        ("Action", "GetName") if node.has_action() => body.text("click"),
        ("Action", "DoAction") if node.has_action() => body.boolean(manners.pressed != "refuse"),
        _ => return Err(unknown()),
    })
}

fn property(
    node: &Node,
    manners: &Manners,
    me: &str,
    interface: &str,
    name: &str,
) -> Result<Body, Refusal> {
    let body = Body::default();
    let interface = interface.strip_prefix("org.a11y.atspi.").unwrap_or(interface);
    Ok(match (interface, name) {
        ("Accessible", "Name") => body.text(&node.name),
        ("Accessible", "Description") => body.text(&node.description),
        ("Accessible", "Locale") => body.text("C"),
        ("Accessible", "AccessibleId" | "HelpText") => body.text(""),
        ("Accessible", "Parent") if node.role == scene::role::APPLICATION => {
            body.accessible(REGISTRY, scene::ROOT)
        }
        ("Accessible", "Parent") => body.accessible(me, &scene::path(node.parent)),
        ("Accessible", "ChildCount") => body.i32(node.child_count()),
        ("Application", "ToolkitName") => body.text(&manners.toolkit.0),
        ("Application", "Version") => body.text(&manners.toolkit.1),
        ("Application", "AtspiVersion") => body.text("2.1"),
        ("Application", "Id") => body.i32(1),
        ("Action", "NActions") if node.has_action() => body.i32(1),
        ("Table", "NRows" | "NColumns") if node.claims.is_some() => body.i32(46_340),
        _ => return Err(("UnknownProperty", format!("no {interface}.{name}"))),
    })
}

fn states(body: Body, node: &Node) -> Body {
    let halves = [node.states & u64::from(u32::MAX), node.states >> 32];
    body.array("u", 4, halves, |body, half| body.put_u32(u32::try_from(half).unwrap_or(0)))
}

fn interfaces(index: usize, node: &Node) -> Vec<&'static str> {
    let mut names = vec!["org.a11y.atspi.Accessible"];
    if index == 0 {
        names.push("org.a11y.atspi.Application");
    } else {
        names.push("org.a11y.atspi.Component");
    }
    if node.has_action() {
        names.push("org.a11y.atspi.Action");
    }
    if node.claims.is_some() {
        names.push("org.a11y.atspi.Table");
    }
    names
}

/// The bulk answer of ATK and GTK: object, application, parent, index, child count, interfaces,
/// name, role, description, states.
fn items(scene: &Scene, me: &str) -> Body {
    Body::default().array(
        "((so)(so)(so)iiassusau)",
        8,
        scene.nodes.iter().enumerate(),
        |body, (index, node)| {
            body.align(8);
            body.put_accessible(me, &scene::path(index));
            body.put_accessible(me, scene::ROOT);
            if index == 0 {
                body.put_accessible(REGISTRY, scene::ROOT);
            } else {
                body.put_accessible(me, &scene::path(node.parent));
            }
            body.put_u32(0);
            body.put_u32(node.child_count().cast_unsigned());
            let array = body.begin_array(4);
            for name in interfaces(index, node) {
                body.put_text(name);
            }
            body.end_array(array, 4);
            body.put_text(&node.name);
            body.put_u32(node.role);
            body.put_text(&node.description);
            let array = body.begin_array(4);
            body.put_u32((node.states & u64::from(u32::MAX)) as u32);
            body.put_u32((node.states >> 32) as u32);
            body.end_array(array, 4);
        },
    )
}
