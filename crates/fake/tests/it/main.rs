//! What the engine does on scripted desktops.

mod desktop;
mod listing;
mod stage;
