//! Reading real applications: what is said of a window is what others see of it.

pub(crate) mod agreement;
mod bounds;
mod causes;
pub(crate) mod courtesy;
mod long;
mod observe;
mod secrets;
mod surfaces;
mod targets;
