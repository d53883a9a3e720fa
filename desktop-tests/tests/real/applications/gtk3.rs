//! GTK 3.

use desktop_tests::applications::gtk3;

use super::check;

#[test]
fn widget_factory() {
    check(&gtk3::WIDGET_FACTORY);
}

#[test]
fn mousepad() {
    check(&gtk3::MOUSEPAD);
}

#[test]
fn gedit() {
    check(&gtk3::GEDIT);
}

#[test]
fn thunar() {
    check(&gtk3::THUNAR);
}

#[test]
fn zenity_list() {
    check(&gtk3::ZENITY_LIST);
}

#[test]
fn zenity_forms() {
    check(&gtk3::ZENITY_FORMS);
}

#[test]
fn zenity_files() {
    check(&gtk3::ZENITY_FILES);
}
