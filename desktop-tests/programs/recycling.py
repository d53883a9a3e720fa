#!/usr/bin/python3
"""A GTK 4 list of five hundred rows, each with a label and a button that says the same in all.

SIGUSR1 scrolls it to its end, where its widgets are given the content of other rows. The file that
an argument names, if any, gets a line with the label of each row whose button is pressed.
"""

import signal
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib  # noqa: E402

GLib.set_prgname("recycling")
from gi.repository import Gtk  # noqa: E402

ROWS = 500


def setup(_, item):
    row = Gtk.Box()
    row.append(Gtk.Label())
    button = Gtk.Button(label="Delete")
    button.connect("clicked", lambda _: write(item.get_item().get_string()))
    row.append(button)
    item.set_child(row)


def write(label):
    for name in sys.argv[1:]:
        with open(name, "a") as file:
            print(label, file=file)


def bind(_, item):
    item.get_child().get_first_child().set_label(item.get_item().get_string())


def activate(application):
    factory = Gtk.SignalListItemFactory()
    factory.connect("setup", setup)
    factory.connect("bind", bind)
    names = Gtk.StringList.new([f"row {number}" for number in range(1, ROWS + 1)])
    view = Gtk.ListView(model=Gtk.NoSelection(model=names), factory=factory)
    pane = Gtk.ScrolledWindow()
    pane.set_child(view)
    window = Gtk.ApplicationWindow(application=application, title="Recycling")
    window.set_default_size(300, 400)
    window.set_child(pane)
    window.present()

    def scroll():
        view.activate_action("list.scroll-to-item", GLib.Variant("u", ROWS - 1))
        return GLib.SOURCE_CONTINUE

    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, scroll)


application = Gtk.Application(application_id="org.example.recycling")
application.connect("activate", activate)
application.run([])
