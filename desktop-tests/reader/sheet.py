#!/usr/bin/python3
"""Reads and changes the cells of a table through libatspi, and chooses among sheets.

    sheet.py cell PID WINDOW ROW COLUMN [NUMBER]
        the cell of the window's first table, counted from 1, as JSON; after that number was put
        into it
    sheet.py select PID WINDOW ROLE NAME
        selects the first such accessible in what it is in

Like the other reader, it shares nothing with the program under test.
"""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402


def children_of(accessible):
    found = (accessible.get_child_at_index(i) for i in range(accessible.get_child_count()))
    return [child for child in found if child is not None]


def window_of(pid, path):
    for application in children_of(Atspi.get_desktop(0)):
        if application.get_process_id() == pid:
            for window in children_of(application):
                if window.path == path:
                    return window
    sys.exit(f"no window {path} of process {pid} on the bus")


def first(accessible, is_it):
    """The first that is so. A sheet is not looked into: it has more cells than anybody can list."""
    if is_it(accessible):
        return accessible
    if accessible.get_role() in (Atspi.Role.TABLE, Atspi.Role.MENU):
        return None
    found = (first(child, is_it) for child in children_of(accessible))
    return next((one for one in found if one), None)


def cell(window, row, column, number):
    table = first(window, lambda it: it.get_role() == Atspi.Role.TABLE)
    found = Atspi.Table.get_accessible_at(table, row - 1, column - 1)
    if number is not None:
        Atspi.Value.set_current_value(found, number)
    text = Atspi.Text.get_text(found, 0, -1)
    return {
        "table": table.get_name(),
        "name": found.get_name(),
        "text": text,
        "selected": found.get_state_set().contains(Atspi.StateType.SELECTED),
    }


def select(window, role, name):
    found = first(window, lambda it: it.get_role_name() == role and it.get_name() == name)
    if not Atspi.Selection.select_child(found.get_parent(), found.get_index_in_parent()):
        sys.exit(f"no {role} {name!r} that can be selected")


match sys.argv[1:]:
    case ["cell", pid, path, row, column, *number]:
        number = float(number[0]) if number else None
        json.dump(cell(window_of(int(pid), path), int(row), int(column), number), sys.stdout)
    case ["select", pid, path, role, name]:
        select(window_of(int(pid), path), role, name)
    case _:
        sys.exit(__doc__)
