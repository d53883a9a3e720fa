//! Web browsers.

use desktop_tests::applications::web;

use super::compare;

#[test]
fn chromium() {
    compare(&web::CHROMIUM);
}

#[test]
fn firefox() {
    compare(&web::FIREFOX);
}
