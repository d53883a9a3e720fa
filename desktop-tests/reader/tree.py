#!/usr/bin/python3
"""Reads an application through libatspi, for comparison with the program under test.

    tree.py tree PID               everything below the application's first window, as JSON
    tree.py press PID ROLE NAME    does the first action of the first such accessible

It shares nothing with the program: other language, other library, other way of reading (one
call at a time), and the name rules are written anew here.
"""

import json
import re
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

sys.setrecursionlimit(100_000)

# More children than any window of these tests has; a table that claims more is not iterated.
MOST_CHILDREN = 5_000

# What GTK 4.8 puts in place of a name: the class of the widget (GtkButton, AdwGizmo, and
# HistoryView of the application itself): capitalised words without a space between.
CLASS_NAME = re.compile(r"([A-Z][a-z]+){2,}")


def window_of(pid):
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        application = desktop.get_child_at_index(index)
        if application is not None and application.get_process_id() == pid:
            return application.get_child_at_index(0)
    sys.exit(f"no application with process id {pid} on the bus")


def read(accessible, doubles_names):
    count = accessible.get_child_count()
    children = []
    if count <= MOST_CHILDREN:
        found = (accessible.get_child_at_index(index) for index in range(count))
        children = [read(child, doubles_names) for child in found if child is not None]
    raw_name = accessible.get_name() or ""
    return {
        "role": int(accessible.get_role()),
        "raw_name": raw_name,
        "name": as_read(accessible, children) if doubles_names else raw_name,
        "states": sorted(s.value_nick for s in accessible.get_state_set().get_states()),
        "bounds": bounds(accessible),
        "children": children,
    }


def bounds(accessible):
    if "Component" not in accessible.get_interfaces():
        return None
    rect = Atspi.Component.get_extents(accessible, Atspi.CoordType.SCREEN)
    return [rect.x, rect.y, rect.width, rect.height]


def as_read(accessible, children):
    """The name that a person sees, for the habits of GTK 4.8.

    A button's name holds its label's text twice; a widget without a name has its class's. What
    merely holds others together has no name, whatever they say.
    """
    raw_name = accessible.get_name() or ""
    labels = list(labels_below(children))
    if CLASS_NAME.fullmatch(raw_name):
        container = accessible.get_role() in (Atspi.Role.FILLER, Atspi.Role.PANEL)
        return labels[0] if labels and not container else ""
    for label in labels:
        if raw_name == f"{label} {label}":
            return label
    return raw_name


def labels_below(children):
    for child in children:
        if child["role"] == int(Atspi.Role.LABEL):
            yield child["raw_name"]
        else:
            yield from labels_below(child["children"])


def press(accessible, role, name):
    if accessible.get_role_name() == role and accessible.get_name() == name:
        offers = "Action" in accessible.get_interfaces()
        if offers and Atspi.Action.get_n_actions(accessible) > 0:
            return Atspi.Action.do_action(accessible, 0)
    found = (accessible.get_child_at_index(i) for i in range(accessible.get_child_count()))
    return any(press(child, role, name) for child in found if child is not None)


def main():
    match sys.argv[1:]:
        case ["tree", pid]:
            window = window_of(int(pid))
            application = window.get_application()
            toolkit = application.get_toolkit_name(), application.get_toolkit_version()
            gtk_4_8 = toolkit[0] == "GTK" and toolkit[1].startswith("4.8.")
            json.dump(read(window, gtk_4_8), sys.stdout)
        case ["press", pid, role, name]:
            if not press(window_of(int(pid)), role, name):
                sys.exit(f"no {role} {name!r} that can be pressed")
        case _:
            sys.exit(__doc__)


main()
