"""Walks a window through libatspi, as scripts do: role, name, description, states, place and
actions of each element, a line each.

    walk.py PID WINDOW    the window with this path of that process
"""

import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

MOST_CHILDREN = 1_000


def children_of(accessible):
    count = accessible.get_child_count()
    found = (accessible.get_child_at_index(i) for i in range(min(count, MOST_CHILDREN)))
    return [child for child in found if child is not None and not child.path.endswith("/null")]


def line(accessible, depth):
    interfaces = accessible.get_interfaces()
    words = [
        accessible.get_role_name(),
        repr(accessible.get_name()),
        repr(accessible.get_description()),
        ",".join(state.value_nick for state in accessible.get_state_set().get_states()),
    ]
    if "Component" in interfaces:
        place = accessible.get_extents(Atspi.CoordType.SCREEN)
        words.append(f"{place.x},{place.y},{place.width},{place.height}")
    if "Action" in interfaces:
        words += (accessible.get_action_name(i) for i in range(accessible.get_n_actions()))
    return "  " * depth + " ".join(words)


def main():
    pid, path = int(sys.argv[1]), sys.argv[2]
    apps = children_of(Atspi.get_desktop(0))
    windows = (window for app in apps if app.get_process_id() == pid for window in children_of(app))
    left = [(window, 0) for window in windows if window.path == path]
    while left:
        accessible, depth = left.pop()
        print(line(accessible, depth))
        left += ((child, depth + 1) for child in reversed(children_of(accessible)))


main()
