//! docs/reports.md names tests that exist.

use std::{
    fs,
    path::{Path, PathBuf},
};

#[test]
fn every_report_has_its_test_or_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/reports.md")).expect("the page");
    let mut rows = 0;
    let mut wrong = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [report, answer, tests] = cells[..] else { panic!("not three cells: {line}") };
        if report == "reported" {
            continue;
        }
        rows += 1;
        let tests: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        if tests.is_empty() && !answer.starts_with("not shown: ") {
            wrong.push(format!("{report}: neither a test nor a reason"));
        }
        wrong.extend(tests.into_iter().filter(|test| !exists(&root, test)).map(str::to_owned));
    }
    assert!(rows > 50, "{rows} rows");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whether the file that the path of a test leads to holds a test of that name.
fn exists(root: &Path, test: &str) -> bool {
    let Some((kind, path)) = test.split_once(": ") else { return false };
    let directory = match kind {
        "real" => "desktop-tests/tests/real",
        "fake" => "crates/fake/tests/it",
        "sandbox" => "crates/cli/tests/sandbox",
        "cli" => "crates/cli/tests",
        "engine" => "crates/engine/src",
        "linux" => "crates/linux/src",
        _ => return false,
    };
    let Some((modules, name)) = path.rsplit_once("::") else { return false };
    let modules = modules.replace("::", "/");
    // Tests beside the code stand in a module of its file, or in a file of that module.
    let beside = modules.strip_suffix("/tests").unwrap_or(&modules);
    [modules.as_str(), beside]
        .iter()
        .flat_map(|at| [format!("{at}.rs"), format!("{at}/mod.rs")])
        .any(|file| {
            let text = fs::read_to_string(PathBuf::from(root).join(directory).join(file));
            text.is_ok_and(|text| {
                text.contains(&format!("#[test]\nfn {name}("))
                    || text.contains(&format!("#[test]\n    fn {name}("))
            })
        })
}
