//! GTK 4.

use desktop_tests::applications::gtk4;

use super::check;

#[test]
fn calculator() {
    check(&gtk4::CALCULATOR);
}

#[test]
fn text_editor() {
    check(&gtk4::TEXT_EDITOR);
}

#[test]
fn widget_factory() {
    check(&gtk4::WIDGET_FACTORY);
}

#[test]
fn nautilus() {
    check(&gtk4::NAUTILUS);
}

#[test]
fn adwaita_demo() {
    check(&gtk4::ADWAITA_DEMO);
}
