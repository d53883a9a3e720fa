#!/usr/bin/python3
"""Measures when what a request does begins to happen: effects.py gtk3|gtk4|qt5|qt6

A window of its own (gallery.py) notes when its handlers run; each request is made through libatspi.
Printed are the least and the greatest of ten times, in milliseconds after the request was made.
"""

import json
import pathlib
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

ROUNDS = 10
# Role, and names of which one after the other is acted on.
CONTROLS = [
    ("push button", ["Press"]),
    ("check box", ["Spicy"]),
    ("check box", ["Light"]),
    ("toggle button", ["Light"]),
    ("menu item", ["Fry"]),
    ("page tab", ["Lunch", "Dinner"]),
]

kind = sys.argv[1]
gallery = pathlib.Path(__file__).with_name("gallery.py")
command = ["/usr/bin/python3", "-W", "ignore", str(gallery), kind]
window = subprocess.Popen(
    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
)


def ask(expression):
    print(expression, file=window.stdin, flush=True)
    return json.loads(window.stdout.readline())


def everything(accessible):
    yield accessible
    for at in range(accessible.get_child_count()):
        child = accessible.get_child_at_index(at)
        if child is not None:
            yield from everything(child)


def application():
    for _ in range(100):
        desktop = Atspi.get_desktop(0)
        for at in range(desktop.get_child_count()):
            one = desktop.get_child_at_index(at)
            if one is not None and one.get_process_id() == window.pid and one.get_child_count():
                return one
        time.sleep(0.1)
    sys.exit("it does not show")


def act(element):
    offers = "Action" in element.get_interfaces() and Atspi.Action.get_n_actions(element) > 0
    if offers:
        return Atspi.Action.do_action(element, 0)
    bar = element.get_parent()
    if "Selection" in bar.get_interfaces():
        return Atspi.Selection.select_child(bar, element.get_index_in_parent())
    return False


def named(element):
    words = element.get_name().split()
    for child in everything(element):
        words += child.get_name().split()
    return words


top = application()
time.sleep(1)
for role, names in CONTROLS:
    elements = [
        next((it for it in everything(top) if it.get_role_name() == role and name in named(it)), None)
        for name in names
    ]
    if None in elements:
        continue
    taken = []
    for at in range(ROUNDS):
        before = len(ask("times"))
        start = time.monotonic()
        if not act(elements[at % len(elements)]):
            break
        deadline = start + 2
        while len(times := ask("times")) == before and time.monotonic() < deadline:
            time.sleep(0.005)
        if len(times) > before:
            taken.append(1000 * (times[before] - start))
        time.sleep(0.4)
    if taken:
        print(f"{kind}: {role} {'/'.join(names)}: {min(taken):.0f} to {max(taken):.0f} ms")
window.kill()
