mod floor;
pub(crate) fn probe() {
    let s = std::env::var("DBUS_SESSION_BUS_ADDRESS").unwrap();
    for _ in 0..4 {
        for (n, t) in [
            ("gnome-calculator", floor::Toolkit::Gtk4),
            ("gtk3-widget-factory", floor::Toolkit::Gtk3),
        ] {
            println!("{n} {:?}", floor::read(&s, n, t));
        }
    }
}
