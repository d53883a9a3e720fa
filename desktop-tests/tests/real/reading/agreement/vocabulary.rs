//! What libatspi's role names are called in our vocabulary, written from the meaning of the roles
//! and not from the program's own table.

use desktop_tests::reader::Node;

/// The canonical role of an accessible.
pub(super) fn canonical(node: &Node) -> &'static str {
    match (&*node.role_name, node.page_role.as_deref().unwrap_or_default()) {
        ("alert", "alert") => return "alert",
        ("date editor" | "panel", "time") => return "timefield",
        ("dialog", "alertdialog") => return "alertdialog",
        ("landmark", "banner") => return "banner",
        ("landmark", "complementary") => return "complementary",
        ("landmark", "contentinfo") => return "contentinfo",
        ("landmark", "form") => return "form",
        ("landmark", "main") => return "main",
        ("landmark", "navigation") => return "navigation",
        ("landmark", "search") => return "search",
        ("scroll pane", "tabpanel") => return "tabpanel",
        ("section", _) if node.is("editable") && node.is("focusable") => return "textfield",
        ("table", "grid") => return "grid",
        ("toggle button", "switch") => return "switch",
        _ => {}
    }
    match &*node.role_name {
        "alert" => "alertdialog",
        "application" => "application",
        "article" => "article",
        "audio" | "block quote" | "content deletion" | "content insertion" | "desktop frame"
        | "embedded" | "filler" | "focus traversable" | "glass pane" | "grouping"
        | "internal frame" | "layered pane" | "mark" | "page" | "panel" | "redundant object"
        | "root pane" | "section" | "suggestion" | "title bar" | "video" | "viewport" => "group",
        "calendar" | "date editor" => "datefield",
        "caption" | "accelerator label" | "label" | "static" | "subscript" | "superscript" => {
            "statictext"
        }
        "chart" | "canvas" | "drawing area" | "icon" | "image" | "image map" | "arrow"
        | "animation" => "image",
        "check box" => "checkbox",
        "check menu item" | "menu item" | "radio menu item" | "tear off menu item" => "menuitem",
        "color chooser" => "colorwell",
        "column header" | "table column header" => "column",
        "combo box" | "autocomplete" => "combobox",
        "comment" | "footnote" => "note",
        "definition" | "description value" => "definition",
        "description list" | "directory pane" | "list" => "list",
        "description term" => "term",
        "dial" | "slider" => "slider",
        "dialog" | "file chooser" | "font chooser" | "option pane" => "dialog",
        "document email"
        | "document frame"
        | "document presentation"
        | "document spreadsheet"
        | "document text" => "document",
        "document web" | "html container" => "webarea",
        "edit bar" | "entry" | "password text" | "terminal" | "text" => "textfield",
        "footer" => "contentinfo",
        "form" => "form",
        "frame" | "input method window" | "window" => "window",
        "header" => "banner",
        // What the caret can be put in is a field, whatever it looks like.
        "heading" | "paragraph" if node.is("editable") && node.is("focusable") => "textfield",
        "heading" => "heading",
        "info bar" | "notification" => "alert",
        "landmark" => "region",
        "level bar" | "rating" => "levelindicator",
        "link" => "link",
        "list box" => "listbox",
        "list item" if node.is("selectable") => "option",
        "desktop icon" | "list item" => "layoutitem",
        "log" => "log",
        "marquee" => "marquee",
        "math" | "math fraction" | "math root" => "math",
        "menu" | "menu bar" | "popup menu" => "menu",
        "page tab" => "tab",
        "page tab list" => "tablist",
        "paragraph" => "paragraph",
        "progress bar" => "progressbar",
        "push button" | "toggle button" => "button",
        "push button menu" => "menubutton",
        "radio button" => "radiobutton",
        "row header" | "table cell" | "table row header" => "cell",
        "ruler" => "ruler",
        "scroll bar" => "scrollbar",
        "scroll pane" => "scrollarea",
        "separator" => "separator",
        "spin button" => "incrementor",
        "split pane" => "splitter",
        "status bar" => "status",
        "switch" => "switch",
        "table" => "table",
        "table row" => "row",
        "timer" => "timer",
        "tool bar" => "toolbar",
        "tool tip" => "tooltip",
        "tree" | "tree table" => "outline",
        "tree item" => "treeitem",
        _ => "unknown",
    }
}
