//! The questions that are asked of applications, and the shapes of their answers.

use std::sync::Arc;

use agent_desktop_model::{geometry::Rect, tree::Address};
use serde::{Deserialize, Deserializer};
use zbus::{ObjectPath, Type, Variant};

use super::interfaces::{
    ACCESSIBLE, ACTION, APPLICATION, CACHE, COMPONENT, DOCUMENT, EDITABLE_TEXT, Interfaces,
    REGISTRY as REGISTRY_INTERFACE, SELECTION, TABLE, TEXT, VALUE,
};
use super::states;
use crate::bus::{Args, Call, Reply};

/// Where an application's root accessible is, in every toolkit.
pub(crate) const ROOT: &str = "/org/a11y/atspi/accessible/root";
const CACHE_PATH: &str = "/org/a11y/atspi/cache";
const REGISTRY: &str = "org.a11y.atspi.Registry";
const NULL: &str = "/org/a11y/atspi/null";

pub(crate) fn method(
    at: &Address,
    interface: &'static str,
    member: &'static str,
    args: Args,
) -> Call {
    Call { to: at.app.clone(), path: at.object.clone(), interface, member, args }
}

pub(crate) fn property(at: &Address, interface: &'static str, name: &'static str) -> Call {
    method(at, "org.freedesktop.DBus.Properties", "Get", Args::Property(interface, name))
}

pub(crate) fn role(at: &Address) -> Call {
    method(at, ACCESSIBLE, "GetRole", Args::None)
}

pub(crate) fn state(at: &Address) -> Call {
    method(at, ACCESSIBLE, "GetState", Args::None)
}

pub(crate) fn name(at: &Address) -> Call {
    property(at, ACCESSIBLE, "Name")
}

pub(crate) fn description(at: &Address) -> Call {
    property(at, ACCESSIBLE, "Description")
}

pub(crate) fn child_count(at: &Address) -> Call {
    property(at, ACCESSIBLE, "ChildCount")
}

pub(crate) fn parent(at: &Address) -> Call {
    property(at, ACCESSIBLE, "Parent")
}

pub(crate) fn children(at: &Address) -> Call {
    method(at, ACCESSIBLE, "GetChildren", Args::None)
}

pub(crate) fn interfaces(at: &Address) -> Call {
    method(at, ACCESSIBLE, "GetInterfaces", Args::None)
}

pub(crate) fn attributes(at: &Address) -> Call {
    method(at, ACCESSIBLE, "GetAttributes", Args::None)
}

pub(crate) fn relations(at: &Address) -> Call {
    method(at, ACCESSIBLE, "GetRelationSet", Args::None)
}

pub(crate) fn accessible_id(at: &Address) -> Call {
    property(at, ACCESSIBLE, "AccessibleId")
}

/// Where an element is on the screen, as far as its toolkit knows.
pub(crate) fn extents(at: &Address) -> Call {
    method(at, COMPONENT, "GetExtents", Args::Uint(0))
}

/// Gives an element the focus.
pub(crate) fn grab_focus(at: &Address) -> Call {
    method(at, COMPONENT, "GrabFocus", Args::None)
}

/// Whether a point of the window is in what shows of an element.
pub(crate) fn contains(at: &Address, (x, y): (i32, i32)) -> Call {
    method(at, COMPONENT, "Contains", Args::Point(x, y, 1))
}

/// What is at a point in the coordinates of [`extents`].
pub(crate) fn at_point(at: &Address, x: i32, y: i32) -> Call {
    method(at, COMPONENT, "GetAccessibleAtPoint", Args::Point(x, y, 0))
}

/// How many rows and columns a table has.
pub(crate) fn table_size(at: &Address) -> [Call; 2] {
    [property(at, TABLE, "NRows"), property(at, TABLE, "NColumns")]
}

/// The cell of a table at a place counted from 0.
pub(crate) fn cell_at(table: &Address, row: i32, column: i32) -> Call {
    method(table, TABLE, "GetAccessibleAt", Args::Ints(row, column))
}

/// What stands above a column of a table, counted from 0.
pub(crate) fn column_header(table: &Address, column: i32) -> Call {
    method(table, TABLE, "GetColumnHeader", Args::Int(column))
}

pub(crate) fn index_in_parent(at: &Address) -> Call {
    method(at, ACCESSIBLE, "GetIndexInParent", Args::None)
}

/// The row and the column, counted from 0, of a table's child.
pub(crate) fn place_of_index(table: &Address, index: i32) -> [Call; 2] {
    let place = |member| method(table, TABLE, member, Args::Int(index));
    [place("GetRowAtIndex"), place("GetColumnAtIndex")]
}

/// Where it is in its window, as far as its toolkit knows.
pub(crate) fn extents_in_window(at: &Address) -> Call {
    method(at, COMPONENT, "GetExtents", Args::Uint(1))
}

/// How many actions there are. Their list is never asked for: `GetActions` is translated, empty
/// or fatal, by toolkit.
pub(crate) fn action_count(at: &Address) -> Call {
    property(at, ACTION, "NActions")
}

pub(crate) fn action_name(at: &Address, index: i32) -> Call {
    method(at, ACTION, "GetName", Args::Int(index))
}

/// Where a document comes from, as an URL.
pub(crate) fn location(document: &Address) -> Call {
    method(document, DOCUMENT, "GetAttributeValue", Args::Text("DocURL".into()))
}

pub(crate) fn text(at: &Address, end: i32) -> Call {
    method(at, TEXT, "GetText", Args::Ints(0, end))
}

pub(crate) fn text_length(at: &Address) -> Call {
    property(at, TEXT, "CharacterCount")
}

pub(crate) fn caret(at: &Address) -> Call {
    property(at, TEXT, "CaretOffset")
}

/// The first selected range.
pub(crate) fn selected_range(at: &Address) -> Call {
    method(at, TEXT, "GetSelection", Args::Int(0))
}

/// The number that an element holds, with the least and the most that it takes and its step.
pub(crate) fn range(at: &Address) -> [Call; 4] {
    ["CurrentValue", "MinimumValue", "MaximumValue", "MinimumIncrement"]
        .map(|name| property(at, VALUE, name))
}

pub(crate) fn do_action(at: &Address, index: i32) -> Call {
    method(at, ACTION, "DoAction", Args::Int(index))
}

pub(crate) fn set_text(at: &Address, text: &str) -> Call {
    method(at, EDITABLE_TEXT, "SetTextContents", Args::Text(text.into()))
}

pub(crate) fn delete_text(at: &Address, from: i32, to: i32) -> Call {
    method(at, EDITABLE_TEXT, "DeleteText", Args::Ints(from, to))
}

pub(crate) fn insert_text(at: &Address, position: i32, text: &str, length: i32) -> Call {
    method(at, EDITABLE_TEXT, "InsertText", Args::Insertion(position, text.into(), length))
}

pub(crate) fn set_number(at: &Address, number: f64) -> Call {
    method(
        at,
        "org.freedesktop.DBus.Properties",
        "Set",
        Args::SetNumber(VALUE, "CurrentValue", number),
    )
}

/// How many children are chosen.
pub(crate) fn selected_count(at: &Address) -> Call {
    property(at, SELECTION, "NSelectedChildren")
}

/// Leaves nothing chosen.
pub(crate) fn clear_selection(at: &Address) -> Call {
    method(at, SELECTION, "ClearSelection", Args::None)
}

pub(crate) fn select_child(at: &Address, index: i32) -> Call {
    method(at, SELECTION, "SelectChild", Args::Int(index))
}

pub(crate) fn select_row(at: &Address, row: i32) -> Call {
    method(at, TABLE, "AddRowSelection", Args::Int(row))
}

/// Brings an element into view, wherever that is least movement.
pub(crate) fn scroll_into_view(at: &Address) -> Call {
    const ANYWHERE: u32 = 6;
    method(at, COMPONENT, "ScrollTo", Args::Uint(ANYWHERE))
}

/// Brings the corner of an element to a point of the screen.
pub(crate) fn scroll_to_point(at: &Address, x: i32, y: i32) -> Call {
    method(at, COMPONENT, "ScrollToPoint", Args::Target(0, x, y))
}

/// Has `app` tell of `event` for as long as the connection lasts that asks for it.
pub(crate) fn register(event: &'static str, app: &Arc<str>) -> Call {
    let registry = Address { app: REGISTRY.into(), object: "/org/a11y/atspi/registry".into() };
    method(&registry, REGISTRY_INTERFACE, "RegisterEvent", Args::Registration(event, app.clone()))
}

/// Has the bus hand over what matches `rule`.
pub(crate) fn listen(rule: &str) -> Call {
    let bus =
        Address { app: "org.freedesktop.DBus".into(), object: "/org/freedesktop/DBus".into() };
    method(&bus, "org.freedesktop.DBus", "AddMatch", Args::Text(rule.into()))
}

/// The root accessible of the application `app`.
pub(crate) fn root(app: &Arc<str>) -> Address {
    Address { app: app.clone(), object: ROOT.into() }
}

/// The root of the desktop, whose children are the applications.
pub(crate) fn registry() -> Address {
    Address { app: REGISTRY.into(), object: ROOT.into() }
}

/// A question to the message bus itself.
pub(crate) fn daemon(member: &'static str, args: Args) -> Call {
    let bus =
        Address { app: "org.freedesktop.DBus".into(), object: "/org/freedesktop/DBus".into() };
    method(&bus, "org.freedesktop.DBus", member, args)
}

/// Which process a name on the bus belongs to.
pub(crate) fn process_of(name: &str) -> Call {
    daemon("GetConnectionUnixProcessID", Args::Text(name.into()))
}

pub(crate) fn toolkit(app: &Arc<str>) -> [Call; 2] {
    let root = root(app);
    [property(&root, APPLICATION, "ToolkitName"), property(&root, APPLICATION, "Version")]
}

/// Makes an application that uses ATK's bridge serve its cache. What it answers, the address of
/// its own bus, is not needed for that.
pub(crate) fn wake(app: &Arc<str>) -> Call {
    method(&root(app), APPLICATION, "GetApplicationBusAddress", Args::None)
}

pub(crate) fn items(app: &Arc<str>) -> Call {
    method(&cache(app), CACHE, "GetItems", Args::None)
}

/// What there is where an application's cache would be: a text that names its interface, if any.
pub(crate) fn cache_description(app: &Arc<str>) -> Call {
    method(&cache(app), "org.freedesktop.DBus.Introspectable", "Introspect", Args::None)
}

fn cache(app: &Arc<str>) -> Address {
    Address { app: app.clone(), object: CACHE_PATH.into() }
}

/// A reference to an accessible, as it travels.
#[derive(Debug, Deserialize, Type)]
pub(crate) struct Reference<'a>(
    #[serde(borrow)] pub(crate) &'a str,
    #[serde(borrow)] pub(crate) ObjectPath<'a>,
);

/// One item of a cache, small: of a large window there are a hundred thousand at once.
#[derive(Debug, Deserialize, Type)]
pub(crate) struct Item<'a> {
    #[serde(borrow)]
    pub(crate) this: Place<'a>,
    _application: Skipped,
    pub(crate) parent: Place<'a>,
    pub(crate) index: i32,
    pub(crate) child_count: i32,
    pub(crate) interfaces: Offered,
    pub(crate) name: &'a str,
    pub(crate) role: u32,
    pub(crate) description: &'a str,
    pub(crate) states: StateBits,
}

/// A [`Reference`] whose path nobody has looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Type)]
#[zvariant(signature = "(so)")]
pub(crate) struct Place<'a>(pub(crate) &'a str, pub(crate) &'a str);

/// A reference that is of no interest.
#[derive(Debug, Type)]
#[zvariant(signature = "(so)")]
struct Skipped;

impl<'de> Deserialize<'de> for Skipped {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Place::deserialize(deserializer).map(|_| Self)
    }
}

/// The names of interfaces, as the set that they make.
#[derive(Clone, Copy, Debug, Type)]
#[zvariant(signature = "as")]
pub(crate) struct Offered(pub(crate) Interfaces);

impl<'de> Deserialize<'de> for Offered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Vec::<&str>::deserialize(deserializer)?;
        Ok(Self(Interfaces::of(names)))
    }
}

/// The words of a state, as its bits.
#[derive(Clone, Copy, Debug, Type)]
#[zvariant(signature = "au")]
pub(crate) struct StateBits(pub(crate) u64);

impl<'de> Deserialize<'de> for StateBits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = Vec::<u32>::deserialize(deserializer)?;
        Ok(Self(states::bits(&words)))
    }
}

impl Place<'_> {
    /// The address, sharing the application's name where it is `near`.
    pub(crate) fn address(self, near: &Arc<str>) -> Address {
        let app = if self.0 == &**near { near.clone() } else { self.0.into() };
        Address { app, object: self.1.into() }
    }
}

impl Reference<'_> {
    /// Whether it refers to nothing: Qt lists such children, and a vanished application leaves
    /// one in the registry's list.
    pub(crate) fn is_null(&self) -> bool {
        self.0.is_empty() || self.1.as_str() == NULL
    }

    /// The address, sharing the application's name where it is `near`.
    pub(crate) fn address(&self, near: &Arc<str>) -> Address {
        let app = if self.0 == &**near { near.clone() } else { self.0.into() };
        Address { app, object: self.1.as_str().into() }
    }
}

/// The references in a reply that lists them; none if it has another shape.
pub(crate) fn references(reply: &Reply, near: &Arc<str>) -> Option<Vec<Address>> {
    let list = reply.decode::<Vec<Reference<'_>>>()?;
    Some(list.iter().filter(|one| !one.is_null()).map(|one| one.address(near)).collect())
}

/// Numbers of relations.
pub(crate) const LABELLED_BY: u32 = 2;
pub(crate) const FLOWS_TO: u32 = 10;
pub(crate) const FLOWS_FROM: u32 = 11;

/// To whom an element stands in a relation, in a reply that holds its relations.
pub(crate) fn related(reply: &Reply, relation: u32, near: &Arc<str>) -> Vec<Address> {
    let relations = reply.decode::<Vec<(u32, Vec<Reference<'_>>)>>().unwrap_or_default();
    let targets = relations.iter().find(|(kind, _)| *kind == relation).map(|(_, targets)| targets);
    let targets = targets.into_iter().flatten().filter(|one| !one.is_null());
    targets.map(|one| one.address(near)).collect()
}

/// The reference in a reply that holds one, bare or as a property.
pub(crate) fn reference(reply: &Reply, near: &Arc<str>) -> Option<Address> {
    let found = match reply.decode::<Reference<'_>>() {
        Some(bare) => (!bare.is_null()).then(|| bare.address(near))?,
        None => {
            let Variant::Structure(fields) = reply.decode()? else { return None };
            let [Variant::Str(app), Variant::ObjectPath(path)] = fields.fields() else {
                return None;
            };
            let inner = Reference(app.as_str(), path.as_ref());
            (!inner.is_null()).then(|| inner.address(near))?
        }
    };
    Some(found)
}

/// The rectangle in a reply, unless it is one of the ways to say that there is none: GTK 3 puts
/// what is not on screen at the smallest integer, Firefox and others give a size of -1.
pub(crate) fn rectangle(reply: &Reply) -> Option<Rect> {
    let (x, y, width, height) = reply.decode::<(i32, i32, i32, i32)>()?;
    let nowhere = x == i32::MIN || y == i32::MIN || width < 0 || height < 0;
    (!nowhere).then_some(Rect { height, width, x, y })
}

/// The value of one object attribute.
pub(crate) fn attribute(reply: &Reply, names: &[&str]) -> Option<Box<str>> {
    let attributes = reply.decode::<std::collections::HashMap<&str, &str>>()?;
    names
        .iter()
        .find_map(|name| attributes.get(name))
        .filter(|value| !value.is_empty())
        .map(|value| (*value).into())
}
