#!/usr/bin/python3
"""A window with rows that can be deleted, a password, and a question that blocks it.

    errands.py 3    made with GTK 3
    errands.py 4    made with GTK 4

What the password field holds is the title of the window, for those who check.
"""

import sys

import gi

VERSION = sys.argv[1]
gi.require_version("Gtk", f"{VERSION}.0")
from gi.repository import GLib  # noqa: E402

GLib.set_prgname("errands")
from gi.repository import Gtk  # noqa: E402

ROWS = 40


def put(box, child):
    box.add(child) if VERSION == "3" else box.append(child)


def rows():
    listed = Gtk.ListBox(selection_mode=Gtk.SelectionMode.NONE)
    for number in range(1, ROWS + 1):
        row = Gtk.Box()
        put(row, Gtk.Label(label=f"errand {number}"))
        button = Gtk.Button(label="Delete")
        button.connect("clicked", lambda _, row=row: listed.remove(row.get_parent()))
        put(row, button)
        put(listed, row)
    pane = Gtk.ScrolledWindow(min_content_height=200)
    pane.add(listed) if VERSION == "3" else pane.set_child(listed)
    return pane


def ask(window):
    question = Gtk.Dialog(title="Really?", transient_for=window, modal=True)
    question.add_button("No", Gtk.ResponseType.NO)
    question.connect("response", lambda dialog, _: dialog.destroy())
    question.show()


def activate(application):
    window = Gtk.ApplicationWindow(application=application, title="Errands")
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    put(box, rows())
    password = Gtk.Entry(visibility=False) if VERSION == "3" else Gtk.PasswordEntry()
    password.set_text("abc")
    password.connect("changed", lambda entry: window.set_title(entry.get_text()))
    put(box, password)
    button = Gtk.Button(label="Ask")
    button.connect("clicked", lambda _: ask(window))
    put(box, button)
    if VERSION == "3":
        window.add(box)
        window.show_all()
    else:
        window.set_child(box)
        window.present()


application = Gtk.Application(application_id=f"org.example.errands{VERSION}")
application.connect("activate", activate)
application.run()
