//! The programs by which a session lives. Ending one of them would end everything else with it.

/// Names of processes, exactly as the kernel has them, and what these are.
const PROTECTED: &[(&str, &[&str])] = &[
    (
        "the display server",
        &["X", "Xorg", "Xorg.bin", "Xvfb", "Xephyr", "Xwayland", "Xvnc", "Xnest"],
    ),
    (
        "the window manager",
        &[
            "openbox",
            "mutter",
            "gnome-shell",
            "kwin",
            "kwin_x11",
            "kwin_wayland",
            "xfwm4",
            "marco",
            "metacity",
            "muffin",
            "cinnamon",
            "compiz",
            "fluxbox",
            "blackbox",
            "icewm",
            "i3",
            "bspwm",
            "awesome",
            "herbstluftwm",
            "dwm",
            "xmonad",
            "sway",
            "labwc",
            "weston",
            "wayfire",
            "river",
            "Hyprland",
            "hyprland",
            "niri",
            "twm",
            "matchbox-window-manager",
            "budgie-wm",
            "gala",
        ],
    ),
    (
        "the session",
        &[
            "systemd",
            "init",
            "systemd-logind",
            "elogind",
            "gdm",
            "gdm3",
            "gdm-session-worker",
            "gdm-x-session",
            "gdm-wayland-session",
            "lightdm",
            "sddm",
            "sddm-helper",
            "xinit",
            "startx",
            "gnome-session",
            "gnome-session-binary",
            "gnome-session-ctl",
            "plasmashell",
            "plasma_session",
            "startplasma-x11",
            "startplasma-wayland",
            "ksmserver",
            "xfce4-session",
            "mate-session",
            "cinnamon-session",
            "cinnamon-session-binary",
            "lxsession",
            "lxqt-session",
            "budgie-panel",
            "budgie-desktop",
            "xfdesktop",
        ],
    ),
    (
        "a part of the session's buses",
        &[
            "dbus-daemon",
            "dbus-broker",
            "dbus-broker-launch",
            "dbus-broker-lau",
            "at-spi-bus-launcher",
            "at-spi-bus-laun",
            "at-spi2-registryd",
            "at-spi2-registr",
        ],
    ),
    ("this program", &["agent-desktop"]),
];

/// What the program `name` is, if a session lives by it.
pub(crate) fn part_of_session(name: &str) -> Option<&'static str> {
    PROTECTED.iter().find(|(_, names)| names.contains(&name)).map(|(what, _)| *what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_name_is_protected() {
        assert_eq!(part_of_session("Xvfb"), Some("the display server"));
        assert_eq!(part_of_session("openbox"), Some("the window manager"));
        assert_eq!(part_of_session("dbus-daemon"), Some("a part of the session's buses"));
        for other in
            ["xvfb", "openbox-settings", "Xvfb2", "i3lock", "", "gnome-shell-extension-prefs"]
        {
            assert_eq!(part_of_session(other), None, "{other}");
        }
    }
}
