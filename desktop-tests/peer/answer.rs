//! What it answers to those who read, true or not.

use desktop_tests::bus::{Body, Error, Message, Reader};

use crate::{
    Manners,
    scene::{self, Child, Node, Scene, WINDOW},
    serve::{REGISTRY, Refusal},
};

/// The answer to `call`, while the window has its corner there; none if it never comes.
pub(crate) fn answer(
    scene: &Scene,
    manners: &Manners,
    corner: (i32, i32),
    me: &str,
    call: &Message,
) -> Option<Result<Body, Refusal>> {
    if call.interface.ends_with(".Cache") {
        let serves = manners.cache && call.member == "GetItems";
        return Some(if serves { Ok(items(scene, me)) } else { Err(unknown(call)) });
    }
    let Some(index) = scene.at(&call.path) else {
        return Some(Err(("UnknownObject", format!("no {}", call.path))));
    };
    // What LibreOffice 7.4 does with a sheet: it never comes back.
    let is_endless = scene.nodes[index].claims.is_some() && call.member == "GetChildren";
    (!is_endless).then(|| of_node(scene, manners, corner, me, call, index))
}

/// Puts values of another type into a body, or none at all, or no values.
pub(crate) fn spoil(body: &mut Body, how: &str) {
    let text = || Body::default().text("nonsense");
    *body = match (how, body.signature.as_str()) {
        ("types", "s" | "as") => Body::default().u32(7),
        // An empty array, too, could pass for one of another type.
        ("types", "v") => match Reader::new(&body.bytes).variant().as_deref() {
            Ok("s") => Body::default().variant(&Body::default().u32(7)),
            _ => Body::default().variant(&text()),
        },
        ("types", _) => text(),
        ("empty", _) => Body::default(),
        // The bus does not let this pass.
        ("paths", "a(so)") => Body::default().array("(so)", 8, [()], |body, ()| {
            body.put_accessible(":1.0", "no path at all");
        }),
        _ => return,
    }
}

pub(crate) fn unknown(call: &Message) -> Refusal {
    ("UnknownMethod", format!("no {}.{}", call.interface, call.member))
}

pub(crate) fn bad(error: Error) -> Refusal {
    ("InvalidArgs", error.to_string())
}

fn of_node(
    scene: &Scene,
    manners: &Manners,
    corner: (i32, i32),
    me: &str,
    call: &Message,
    index: usize,
) -> Result<Body, Refusal> {
    let mut arguments = Reader::new(&call.body.bytes);
    let node = &scene.nodes[index];
    let body = Body::default();
    let interface = call.interface.strip_prefix("org.a11y.atspi.").unwrap_or(&call.interface);
    let refer = |child: &Child| {
        let (app, path) = child.reference(me);
        Body::default().accessible(app, &path)
    };
    let nothing = Child::Stray(None, scene::NULL);
    Ok(match (interface, call.member.as_str()) {
        ("org.freedesktop.DBus.Properties", "Get") => {
            let interface = arguments.text().map_err(bad)?;
            let name = arguments.text().map_err(bad)?;
            body.variant(&property(node, manners, me, &interface, &name)?)
        }
        ("Accessible", "GetChildren") => body.array("(so)", 8, &node.children, |body, child| {
            let (app, path) = child.reference(me);
            body.put_accessible(app, &path);
        }),
        ("Accessible", "GetChildAtIndex") => {
            let at = arguments.i32().map_err(bad)?;
            let child = usize::try_from(at).ok().and_then(|at| node.children.get(at));
            refer(child.unwrap_or(&nothing))
        }
        ("Accessible", "GetIndexInParent") => {
            let siblings = &scene.nodes[node.parent].children;
            let at = siblings.iter().position(|c| matches!(c, Child::Node(i) if *i == index));
            body.i32(at.map_or(-1, |at| i32::try_from(at).unwrap_or(-1)))
        }
        ("Accessible", "GetRole") => body.u32(node.role),
        ("Accessible", "GetRoleName" | "GetLocalizedRoleName") => body.text("thing"),
        ("Accessible", "GetState") => {
            let halves = halves(node.states);
            body.array("u", 4, halves, Body::put_u32)
        }
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
            let on_screen = arguments.u32().map_err(bad)? == 0;
            let [left, top, width, height] = place(index, node);
            let (x, y) = if on_screen { corner } else { (0, 0) };
            let place = node.extents.unwrap_or([left + x, top + y, width, height]);
            place.into_iter().for_each(|number| body.put_u32(number.cast_unsigned()));
            body
        }
        ("Component", "Contains") => body.boolean(true),
        ("Component", "GetAccessibleAtPoint") => refer(&nothing),
        ("Action", "GetName") => {
            let at = usize::try_from(arguments.i32().map_err(bad)?).ok();
            let action = at.and_then(|at| node.actions.get(at)).ok_or_else(|| unknown(call))?;
            body.text(&action.0)
        }
        ("Text", "GetText") => {
            let text: Vec<char> = text(node, call)?.chars().collect();
            let from = usize::try_from(arguments.i32().map_err(bad)?).unwrap_or(0);
            let to = usize::try_from(arguments.i32().map_err(bad)?).unwrap_or(text.len());
            let to = to.min(text.len());
            body.text(&text[from.min(to)..to].iter().collect::<String>())
        }
        ("Text", "GetSelection") if node.text.is_some() => body.i32(0).i32(0),
        ("Selection", "GetSelectedChild") if node.chosen.is_some() => {
            let child = node.chosen.flatten().and_then(|at| node.children.get(at));
            refer(child.unwrap_or(&nothing))
        }
        _ => return Err(unknown(call)),
    })
}

pub(crate) fn text<'a>(node: &'a Node, call: &Message) -> Result<&'a str, Refusal> {
    node.text.as_deref().ok_or_else(|| unknown(call))
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
    let count = |number: usize| Body::default().i32(i32::try_from(number).unwrap_or(i32::MAX));
    let is_odd = manners.numbers == "odd";
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
        ("Action", "NActions") if !node.actions.is_empty() => count(node.actions.len()),
        ("Table", "NRows" | "NColumns") if node.role == scene::role::TABLE => body.i32(46_340),
        ("Text", "CharacterCount" | "CaretOffset") if node.text.is_some() => {
            count(node.text.as_deref().unwrap_or_default().chars().count())
        }
        ("Selection", "NSelectedChildren") if node.chosen.is_some() => {
            count(node.chosen.flatten().iter().count())
        }
        ("Value", name) if node.number.is_some() => body.f64(match name {
            "CurrentValue" | "MinimumIncrement" if is_odd => f64::NAN,
            "CurrentValue" => node.number.unwrap_or_default(),
            "MinimumIncrement" => 1.0,
            "MinimumValue" => {
                if is_odd {
                    f64::INFINITY
                } else {
                    0.0
                }
            }
            "MaximumValue" => {
                if is_odd {
                    f64::NEG_INFINITY
                } else {
                    100.0
                }
            }
            _ => return Err(("UnknownProperty", format!("no {interface}.{name}"))),
        }),
        _ => return Err(("UnknownProperty", format!("no {interface}.{name}"))),
    })
}

fn halves(states: u64) -> [u32; 2] {
    [states & u64::from(u32::MAX), states >> 32].map(|half| u32::try_from(half).unwrap_or(0))
}

/// Nodes that stand in the left column of the window; the others are on the right.
const FURNITURE: usize = 12;

/// Where it is in the window: one below the other, unless it says something else.
pub(crate) fn place(index: usize, node: &Node) -> [i32; 4] {
    let [_, _, width, height] = WINDOW;
    match index {
        0 | 1 => [0, 0, width, height],
        _ if node.extents.is_some() => [0; 4],
        _ => {
            let down = i32::try_from(index).unwrap_or(0).wrapping_mul(24) % (height - 40);
            // The first ones, which everybody acts on, are covered by none.
            let left = if index < FURNITURE { 10 } else { 200 };
            [left, 10 + down, 80, 20]
        }
    }
}

fn interfaces(index: usize, node: &Node) -> Vec<&'static str> {
    let mut names = vec!["org.a11y.atspi.Accessible"];
    names.push(match index {
        0 => "org.a11y.atspi.Application",
        _ => "org.a11y.atspi.Component",
    });
    let optional = [
        (!node.actions.is_empty(), &["org.a11y.atspi.Action"][..]),
        (node.text.is_some(), &["org.a11y.atspi.Text", "org.a11y.atspi.EditableText"]),
        (node.number.is_some(), &["org.a11y.atspi.Value"]),
        (node.chosen.is_some(), &["org.a11y.atspi.Selection"]),
        (node.role == scene::role::TABLE, &["org.a11y.atspi.Table"]),
    ];
    names.extend(optional.into_iter().filter(|(has, _)| *has).flat_map(|(_, names)| names));
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
            for half in halves(node.states) {
                body.put_u32(half);
            }
            body.end_array(array, 4);
        },
    )
}
