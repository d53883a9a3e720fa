//! Qt 5 and Qt 6.

use desktop_tests::applications::qt;

use super::check;

#[test]
fn featherpad() {
    check(&qt::FEATHERPAD);
}

#[test]
fn kcalc() {
    check(&qt::KCALC);
}

#[test]
fn qt6ct() {
    check(&qt::QT6CT);
}
