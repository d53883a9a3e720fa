//! `get`: one property of one element, as it is now.

use agent_desktop_model::{
    error::Error,
    tree::{Field, FieldSet},
    wire::{self, PropertyValue},
};

use super::{Context, target};
use crate::{observe::cut_text, platform::Deadline, region};

/// Read one property of an element
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Ref of the element, as `snapshot` and `find` print it
    #[arg(value_name = "REF")]
    pub ref_id: String,

    /// Property to read
    #[arg(long, value_enum, default_value_t = Property::Text)]
    pub property: Property,

    /// Time for finding and reading the element
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// A property that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Property {
    /// What a person reads on it: the value if it has one, else the name
    Text,
    /// The value, such as the content of a text field
    Value,
    /// The name
    Title,
    /// The place, in screen pixels
    Bounds,
    /// The role
    Role,
    /// The states
    States,
}

/// The data of `get`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Get, Error> {
    let reference = target::reference(&args.ref_id)?;
    let deadline = Deadline::after_ms(args.timeout_ms);
    let map = context.store.load(&reference.snapshot)?;
    let (property, fields): (_, &[Field]) = match args.property {
        Property::Text => ("text", &[Field::Value]),
        Property::Value => ("value", &[Field::Value]),
        Property::Title => ("title", &[]),
        Property::Bounds => ("bounds", &[Field::Bounds]),
        Property::Role => ("role", &[]),
        Property::States => ("states", &[]),
    };
    let fields: FieldSet = fields.iter().copied().collect();
    let tree = region::element(context.platform, &map, &reference, fields, deadline)?.tree;
    let node = &tree[tree.root()];

    let mut cut_fields = Vec::new();
    let name = (!node.name.is_empty()).then_some(&*node.name);
    let value = node.shown_value();
    let mut text = |text: Option<&str>| {
        PropertyValue::Text(text.map(|text| cut_text(text, property, &mut cut_fields)))
    };
    let value = match args.property {
        Property::Text => text(value.filter(|value| !value.is_empty()).or(name)),
        Property::Value => text(value),
        Property::Title => text(name),
        Property::Bounds => PropertyValue::Bounds(node.bounds),
        Property::Role => PropertyValue::Role(node.role),
        Property::States => PropertyValue::States(node.states),
    };
    let coordinates = match args.property {
        Property::Bounds => context.platform.coordinates(),
        _ => wire::Coordinates::Screen,
    };
    let description = cut_text(&node.description, "description", &mut cut_fields);
    Ok(wire::Get { coordinates, cut_fields, description, property, reference, value })
}
