#!/usr/bin/python3
"""A window that changes when it is told to.

    puppet.py rows      GTK 3: a tree view, and a question below it
    puppet.py pages     GTK 4: a menu button, and a stack of pages
    puppet.py list      GTK 4: a list view of names, each with a button beside it
    puppet.py twins     GTK 3: two windows, each with a text and a button
    puppet.py form      GTK 3: fields that know their labels, and one beside a text

Each line on standard input is a Python statement. `done` on standard output says that it was
carried out and that the main loop has nothing left to do.
"""

import sys

import gi

KIND = sys.argv[1]
gi.require_version("Gtk", "4.0" if KIND in ("pages", "list") else "3.0")
from gi.repository import GLib  # noqa: E402

GLib.set_prgname("puppet")
from gi.repository import Gtk  # noqa: E402


def rows():
    """Columns of a toggle, a text, an icon with a text, and another text."""
    global store, view, question
    store = Gtk.TreeStore(bool, str, str, str)
    fill()
    view = Gtk.TreeView(model=store)
    view.append_column(Gtk.TreeViewColumn("Paid", Gtk.CellRendererToggle(), active=0))
    view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=1))
    amount = Gtk.TreeViewColumn("Amount")
    amount.pack_start(Gtk.CellRendererPixbuf(icon_name="edit-copy"), False)
    text = Gtk.CellRendererText()
    amount.pack_start(text, True)
    amount.add_attribute(text, "text", 2)
    view.append_column(amount)
    view.append_column(Gtk.TreeViewColumn("State", Gtk.CellRendererText(), text=3))
    question = Gtk.Label(label="Delete carol?")
    answers = Gtk.ButtonBox()
    answers.add(Gtk.Button(label="No"))
    answers.add(Gtk.Button(label="Yes"))
    dialog = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    dialog.add(question)
    dialog.add(answers)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    box.add(view)
    box.add(dialog)
    window = Gtk.Window(title="Rows")
    window.add(box)
    window.show_all()


def fill():
    for name, amount in [("Rent", "500"), ("Food", "90"), ("Fuel", "70")]:
        store.append(None, [False, name, amount, "open"])


def row(name):
    return next(row.iter for row in store if row[1] == name)


def pages():
    global mode, stack, loop
    mode = Gtk.MenuButton(label="Basic")
    stack = Gtk.Stack()
    for name in ["Rent", "Food"]:
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for index in range(6):
            page.append(Gtk.Button(label=f"{name} {index}"))
        stack.add_titled(page, name, name)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    box.append(mode)
    box.append(Gtk.StackSwitcher(stack=stack))
    box.append(stack)
    window = Gtk.Window(title="Pages", child=box)
    window.present()


def list():
    """Says in `clicked` whose button did something, and calls `pressed` when one is pressed, which
    is a while before that."""
    global model, clicked, pressed
    model = Gtk.StringList.new(["Rent", "Food", "Fuel"])
    clicked, pressed = [], lambda: None

    def setup(_, item):
        row = Gtk.Box()
        row.append(Gtk.Label())
        row.append(button := Gtk.Button(label="Delete"))
        button.connect("clicked", lambda _: clicked.append(item.get_item().get_string()))
        button.connect("notify::css-classes", lambda *_: GLib.idle_add(lambda: pressed()))
        item.set_child(row)

    def bind(_, item):
        item.get_child().get_first_child().set_label(item.get_item().get_string())

    factory = Gtk.SignalListItemFactory()
    factory.connect("setup", setup)
    factory.connect("bind", bind)
    view = Gtk.ListView(model=Gtk.NoSelection(model=model), factory=factory)
    Gtk.Window(title="List", child=view).present()


def twins():
    global texts, windows, saved
    texts, windows, saved = [], [], []
    for name in ["one", "two"]:
        texts.append(text := Gtk.Entry(text=name))
        button = Gtk.Button(label="Save")
        button.connect("clicked", lambda _, text=text: saved.append(text.get_text()))
        box = Gtk.Box()
        box.add(text)
        box.add(button)
        windows.append(window := Gtk.Window(title=name))
        window.add(box)
        window.show_all()


def form():
    global find, replace, note, labels
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    replace = Gtk.ComboBoxText.new_with_entry()
    find = Gtk.Entry()
    note = Gtk.Entry()
    labels = [Gtk.Label(label=text) for text in ("_Find:", "_Replace with:")]
    for widget, label in [(find, labels[0]), (replace, labels[1])]:
        label.set_use_underline(True)
        label.set_mnemonic_widget(widget)
    plain = Gtk.Label(label="Note:")
    # In an order that tells nothing: only the relations do.
    for widget in [replace, find, *labels, Gtk.Button(label="Go"), plain, note]:
        box.add(widget)
    window = Gtk.Window(title="Form")
    window.add(box)
    window.show_all()


def obey(*_):
    statement = sys.stdin.readline()
    if not statement:
        sys.exit()
    exec(statement, globals())
    # After the redraw, which has the lowest priority of what GTK does by itself.
    GLib.idle_add(lambda: print("done", flush=True), priority=GLib.PRIORITY_LOW)
    return True


GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, obey)
globals()[KIND]()
GLib.MainLoop().run()
