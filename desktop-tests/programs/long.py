#!/usr/bin/python3
"""A window with ten thousand rows.

    long.py tree    GTK 3: a tree view of three columns
    long.py list    GTK 4: a list view
"""

import sys

import gi

KIND = sys.argv[1]
gi.require_version("Gtk", "3.0" if KIND == "tree" else "4.0")
from gi.repository import GLib  # noqa: E402

GLib.set_prgname("long")
from gi.repository import Gtk  # noqa: E402

ROWS = 10_000


def tree():
    store = Gtk.ListStore(int, str, bool)
    for number in range(1, ROWS + 1):
        store.append([number, f"row {number}", number % 2 == 0])
    view = Gtk.TreeView(model=store)
    view.append_column(Gtk.TreeViewColumn("Number", Gtk.CellRendererText(), text=0))
    view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=1))
    view.append_column(Gtk.TreeViewColumn("Even", Gtk.CellRendererToggle(), active=2))
    return view


def rows():
    factory = Gtk.SignalListItemFactory()
    factory.connect("setup", lambda _, item: item.set_child(Gtk.Label()))
    factory.connect(
        "bind", lambda _, item: item.get_child().set_label(item.get_item().get_string())
    )
    names = Gtk.StringList.new([f"row {number}" for number in range(1, ROWS + 1)])
    return Gtk.ListView(model=Gtk.SingleSelection(model=names), factory=factory)


def pane(child):
    pane = Gtk.ScrolledWindow()
    pane.add(child) if KIND == "tree" else pane.set_child(child)
    return pane


if KIND == "tree":
    window = Gtk.Window(title="Long")
    window.set_default_size(500, 400)
    window.add(pane(tree()))
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    Gtk.main()
else:
    application = Gtk.Application(application_id="org.example.long")

    def activate(application):
        window = Gtk.ApplicationWindow(application=application, title="Long")
        window.set_default_size(500, 400)
        window.set_child(pane(rows()))
        window.present()

    application.connect("activate", activate)
    application.run()
