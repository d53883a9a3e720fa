//! What is neither GTK nor Qt: a window of Swing, published by Java's ATK wrapper, and one of
//! AccessKit, which toolkits without accessibility of their own use.

use std::{env, fs, path::Path, process::Command, sync::OnceLock};

use super::{Application, Ready, Turn, turns};

pub const ALL: &[&Application] = &[&SWING, &ACCESSKIT];

pub const SWING: Application = Application {
    title: "Java Swing window",
    // The wrapper calls an application as its window.
    name: "Swing window",
    packages: &["openjdk-17-jdk-headless", "openjdk-17-jre", "libatk-wrapper-java-jni"],
    program: "java",
    prepare: |directory| {
        let wrapper = [
            "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper",
            "-Xbootclasspath/a:/usr/share/java/java-atk-wrapper.jar",
        ];
        // So small that it collects its garbage before anybody takes that for a leak.
        let heap = ["-Xms24m", "-Xmx24m"];
        let flags = heap.iter().chain(&wrapper).map(|flag| (*flag).to_owned());
        flags.chain([swing(directory)]).collect()
    },
    toolkit: "J2SE-access-bridge",
    ready: Ready::Has("push button", "Press"),
    least: 40,
    limits: &["the ATK wrapper loses some 6 kB with every element that is read"],
    turns: &[Turn::to("another element", |desktop, app| {
        let added = ("Added before all others", "showing");
        turns::press(desktop, app, ("push button", "More"), added);
    })],
};

pub const ACCESSKIT: Application = Application {
    title: "AccessKit window",
    name: "accesskit-window",
    packages: &[],
    program: "env",
    prepare: |_| vec![accesskit()],
    toolkit: "window of the tests",
    ready: Ready::AtOnce,
    least: 11,
    limits: &[],
    turns: &[],
};

/// Writes the program of the Swing window; Java runs it from its source.
pub fn swing(directory: &Path) -> String {
    let source = directory.join("SwingWindow.java");
    fs::write(&source, include_str!("SwingWindow.java")).expect("a file");
    source.to_str().expect("a path in UTF-8").to_owned()
}

/// The program of the AccessKit window. It stands in a workspace of its own, so that what AccessKit
/// needs is no dependency of anything else here.
pub fn accesskit() -> String {
    static PATH: OnceLock<String> = OnceLock::new();
    let build = || {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("accesskit");
        let this = env::current_exe().expect("this program has a path");
        let target = this.ancestors().find(|path| path.join("debug").is_dir());
        let target = target.expect("a target directory").join("accesskit");
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--quiet", "--locked"]).current_dir(&here);
        cargo.arg("--target-dir").arg(&target);
        assert!(cargo.status().expect("cargo runs").success(), "the window does not build");
        target.join("debug/accesskit-window").to_str().expect("a path in UTF-8").to_owned()
    };
    PATH.get_or_init(build).clone()
}
