#!/usr/bin/python3
"""Reads an application through libatspi, for comparison with the program under test.

    tree.py tree PID WINDOW               everything below the window with this path, as JSON
    tree.py has PID WINDOW TEXT STATE     whether something in it with that name or description has
                                          that state
    tree.py press PID WINDOW ROLE TEXT    does the first action of the first accessible in it with
                                          that role and that name or description
    tree.py say PID WINDOW ROLE           name, text, number and states of all such, as JSON

It shares nothing with the program: other language, other library, other way of reading (one
call at a time), and the name rules are written anew here.
"""

import json
import re
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

sys.setrecursionlimit(100_000)

# A node that manages its descendants and claims more children is not iterated: a spreadsheet
# claims 2,147,483,647.
MOST_MANAGED_CHILDREN = 1_000

# What GTK 4.8 puts in place of a name: the class of the widget (GtkButton, AdwGizmo, and
# HistoryView of the application itself): capitalised words without a space between.
CLASS_NAME = re.compile(r"([A-Z][a-z]+){2,}")

# What a person calls by the text inside; everything else merely holds other things together.
NAMED_BY_CONTENT = {
    "check box", "combo box", "link", "list item", "menu item", "page tab", "push button",
    "radio button", "table cell", "text", "toggle button",
}


# What is filled in, and called by its label where it has no name.
FIELDS = {"combo box", "entry", "password text", "slider", "spin button", "text"}

# What merely holds other things together, unless it has a name.
BOXES = {"filler", "panel", "section", "unknown"}


def window_of(pid, path):
    desktop = Atspi.get_desktop(0)
    for application in children_of(desktop):
        if application.get_process_id() == pid:
            for window in children_of(application):
                if window.path == path:
                    return window
    sys.exit(f"no window {path} of process {pid} on the bus")


def children_of(accessible):
    count = accessible.get_child_count()
    if count > MOST_MANAGED_CHILDREN and manages_descendants(accessible):
        return []
    # Qt 5.15 lists placeholders, which libatspi shows as None or as accessibles at a null path.
    found = (accessible.get_child_at_index(i) for i in range(count))
    return [child for child in found if child is not None and not child.path.endswith("/null")]


def manages_descendants(accessible):
    return accessible.get_state_set().contains(Atspi.StateType.MANAGES_DESCENDANTS)


def read(accessible, doubles_names, in_browser):
    states = accessible.get_state_set()
    children = read_all(children_of(accessible), doubles_names, in_browser)
    raw_name = accessible.get_name() or ""
    attributes = accessible.get_attributes() if in_browser else {}
    return {
        "path": accessible.path,
        "role_name": accessible.get_role_name(),
        "page_role": attributes.get("xml-roles") or attributes.get("text-input-type"),
        "raw_name": raw_name,
        "name": as_read(accessible, children) if doubles_names else raw_name,
        "label": None if raw_name or in_browser else label_of(accessible),
        "states": sorted(s.value_nick for s in states.get_states()),
        "bounds": bounds(accessible),
        "child_count": accessible.get_child_count(),
        "children": children,
    }


def read_all(accessibles, doubles_names, in_browser):
    read_ones = []
    for accessible in accessibles:
        try:
            read_ones.append(read(accessible, doubles_names, in_browser))
        except GLib.GError:
            # Gone since its parent listed it, as passing messages are.
            pass
    return read_ones


def bounds(accessible):
    if "Component" not in accessible.get_interfaces():
        return None
    rect = Atspi.Component.get_extents(accessible, Atspi.CoordType.SCREEN)
    return [rect.x, rect.y, rect.width, rect.height]


def as_read(accessible, children):
    """The name that a person sees, for the habits of GTK 4.8.

    A button's name holds its label's text twice, the first time with the mark of its mnemonic; a
    widget without a name has its class's, and a tab that of its role.
    """
    raw_name = accessible.get_name() or ""
    role = accessible.get_role_name()
    labels = [label for label in labels_below(children) if label]
    if role == "page tab" and len(labels) == 1:
        return labels[0]
    if CLASS_NAME.fullmatch(raw_name):
        return labels[0] if len(labels) == 1 and role in NAMED_BY_CONTENT else ""
    if labels and raw_name.endswith(f" {labels[0]}"):
        before = raw_name.removesuffix(f" {labels[0]}")
        if labels[0] in (before, re.sub("_(.)", r"\1", before)):
            return labels[0]
    return raw_name


def label_of(accessible):
    """The path of what is related to a field as its label."""
    if accessible.get_role_name() not in FIELDS:
        return None
    for relation in accessible.get_relation_set():
        if relation.get_relation_type() == Atspi.RelationType.LABELLED_BY:
            return relation.get_target(0).path
    return None


def all_below(node):
    yield node
    for child in node["children"]:
        yield from all_below(child)


def call_fields(node, above, nodes):
    """Calls fields that show and have no name by their labels: what is related, else that of the
    combo box around, else a text with a colon just before."""
    if "visible" not in node["states"]:
        return
    if node["role_name"] in FIELDS and not node["name"]:
        around = above[0]["label"] if above else None
        node["label"] = node["label"] or around or text_before(node, above)
        node["name"] = nodes[node["label"]]["name"] if node["label"] in nodes else ""
    for child in node["children"]:
        call_fields(child, [node, *above], nodes)


def text_before(node, above):
    def shown(nodes):
        return [one for one in nodes if "visible" in one["states"]]

    for parent in above[:4]:
        at = next(i for i, child in enumerate(parent["children"]) if child is node)
        before = shown(parent["children"][:at])
        if before:
            last = before[-1]
            while last["role_name"] in BOXES and not last["name"] and shown(last["children"]):
                last = shown(last["children"])[-1]
            is_label = last["role_name"] == "label" and last["name"].rstrip().endswith(":")
            return last["path"] if is_label else None
        if parent["role_name"] not in BOXES or parent["name"]:
            return None
        node = parent
    return None


def labels_below(children):
    for child in children:
        if child["role_name"] == "label":
            yield child["raw_name"]
        else:
            yield from labels_below(child["children"])


def says(accessible, text):
    return text in (accessible.get_name(), accessible.get_description())


def is_so(accessible, state):
    return any(s.value_nick == state for s in accessible.get_state_set().get_states())


def offers_action(accessible):
    return "Action" in accessible.get_interfaces() and Atspi.Action.get_n_actions(accessible) > 0


def each(accessible, ask):
    """What it answers, and everything below it; what is gone since its parent listed it, as what
    a window builds while it is read, is passed over."""
    try:
        answer = ask(accessible)
        children = children_of(accessible)
    except GLib.GError:
        return
    yield answer
    for child in children:
        yield from each(child, ask)


def said(accessible):
    text = accessible.get_text_iface()
    number = accessible.get_value_iface()
    states = accessible.get_state_set().get_states()
    return {
        "name": accessible.get_name() or "",
        "text": text and Atspi.Text.get_text(text, 0, Atspi.Text.get_character_count(text)),
        "number": number and Atspi.Value.get_current_value(number),
        "states": sorted(s.value_nick for s in states),
    }


def main():
    match sys.argv[1:]:
        case ["tree", pid, path]:
            window = window_of(int(pid), path)
            application = window.get_application()
            toolkit = application.get_toolkit_name(), application.get_toolkit_version()
            gtk_4_8 = toolkit[0] == "GTK" and toolkit[1].startswith("4.8.")
            in_browser = toolkit[0] in ("Chromium", "Gecko")
            tree = read(window, gtk_4_8, in_browser)
            call_fields(tree, [], {node["path"]: node for node in all_below(tree)})
            json.dump(tree, sys.stdout)
        case ["has", pid, path, text, state]:
            # Names come with libatspi's own cache: one question more for those only that match.
            answers = each(window_of(int(pid), path), lambda one: says(one, text) and is_so(one, state))
            json.dump(any(answers), sys.stdout)
        case ["press", pid, path, role, text]:
            def suits(one):
                is_it = says(one, text) and one.get_role_name() == role and offers_action(one)
                return one if is_it else None

            found = next(filter(None, each(window_of(int(pid), path), suits)), None)
            if found is None or not Atspi.Action.do_action(found, 0):
                sys.exit(f"no {role} {text!r} that can be pressed")
        case ["say", pid, path, role]:
            answers = each(
                window_of(int(pid), path),
                lambda one: said(one) if one.get_role_name() == role else None,
            )
            print(json.dumps([answer for answer in answers if answer]))
        case _:
            sys.exit(__doc__)


main()
