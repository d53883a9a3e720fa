//! Cells of spreadsheets, the one exception to "position is never evidence": people and formulas
//! mean B7 by its place, whatever is written there. So a cell is proven by proving its sheet, and
//! then asked for by row and column. Its own object is no help: in LibreOffice 7.4.7 it is gone
//! some seconds after the question that made it.

use agent_desktop_model::{error::Error, reference::Ref, role::Role, tree::Position};

use super::{
    map::{Element, RefMap},
    refusal,
    resolve::Resolved,
};
use crate::platform::{Above, Deadline, Failure, Platform};

/// The part of a sheet's path that tells which sheet it is: its name and its document, as long as
/// both have their addresses. In LibreOffice 7.4.7 a sheet that is left and come back to has
/// another one, and the panes around a document claim to stand in others than list them.
pub(super) fn path_of_sheet<'a, 'b>(path: &'b [&'a Element]) -> &'b [&'a Element] {
    let document = path.iter().position(|element| element.evidence.role.has_volatile_title());
    document.and_then(|at| path.get(..=at)).unwrap_or(path)
}

/// The cell at a place of a sheet that was just found.
pub(super) fn of_sheet(
    platform: &dyn Platform,
    map: &RefMap,
    reference: &Ref,
    (sheet, place): (Resolved, Position),
    deadline: Deadline,
) -> Result<Resolved, Error> {
    let address = match platform.cell(&sheet.address, place, deadline) {
        Ok(address) => address,
        Err(Failure::Gone) => return Err(refusal::stale(reference, map)),
        Err(Failure::Timeout) => return Err(refusal::not_answered(reference, deadline)),
        Err(failure) => return Err(failure.about("the cell", deadline)),
    };
    let table = Above { address: sheet.address, role: Role::Table };
    let within = std::iter::once(table).chain(sheet.within).collect();
    Ok(Resolved {
        address,
        within,
        window: sheet.window,
        alone: false,
        reading: None,
        // What a cell says of itself is not what it is.
        witnesses: Vec::new(),
        fresh: true,
    })
}
