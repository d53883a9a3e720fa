//! `is`: one question about one element, as it is now.

use agent_desktop_model::{
    capability::Capability,
    error::Error,
    geometry::Rect,
    state::State,
    tree::{Field, FieldSet},
    wire,
};

use super::{Context, target};
use crate::{platform::Deadline, region};

/// Answer a yes-or-no question about an element
///
/// `applicable` says whether the question makes sense: a label is not checked, but neither is it
/// unchecked.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Ref of the element, as `snapshot` and `find` print it
    #[arg(value_name = "REF")]
    pub ref_id: String,

    /// Property to ask for
    #[arg(long, value_enum, default_value_t = Property::Visible)]
    pub property: Property,

    /// Time for finding and reading the element
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// A property that an element has or has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Property {
    /// Has an area and is neither hidden nor scrolled away
    Visible,
    /// Can be operated
    Enabled,
    /// Is on
    Checked,
    /// Has the keyboard focus
    Focused,
    /// Is open
    Expanded,
}

/// The data of `is`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Is, Error> {
    let reference = target::reference(&args.ref_id)?;
    let deadline = Deadline::after_ms(args.timeout_ms);
    let map = context.store.load(&reference.snapshot)?;
    let (property, fields): (_, &[Field]) = match args.property {
        Property::Visible => ("visible", &[Field::Bounds]),
        Property::Enabled => ("enabled", &[]),
        Property::Checked => ("checked", &[Field::Capabilities]),
        Property::Focused => ("focused", &[]),
        Property::Expanded => ("expanded", &[Field::Capabilities]),
    };
    let fields: FieldSet = fields.iter().copied().collect();
    let tree = region::element(context.platform, &map, &reference, fields, deadline)?.tree;
    let node = &tree[tree.root()];

    let has = |state| node.states.has(state);
    let can = |capabilities: &[Capability]| {
        capabilities.iter().any(|capability| node.capabilities.has(*capability))
    };
    let (applicable, result) = match args.property {
        Property::Visible => (
            true,
            node.bounds.is_some_and(Rect::has_area)
                && !has(State::Hidden)
                && !has(State::Offscreen),
        ),
        Property::Enabled => (true, !has(State::Disabled)),
        Property::Checked => (
            node.role.is_toggleable()
                || has(State::Checked)
                || can(&[Capability::Toggle, Capability::Check, Capability::Uncheck]),
            has(State::Checked),
        ),
        Property::Focused => (true, has(State::Focused)),
        Property::Expanded => (
            node.role.is_expandable()
                || has(State::Expanded)
                || can(&[Capability::Expand, Capability::Collapse]),
            has(State::Expanded),
        ),
    };
    Ok(wire::Is { applicable, property, reference, result })
}
