#!/usr/bin/python3
"""A window with one control of each kind: gallery.py gtk3|gtk4|qt5|qt6

Each line on standard input is a Python expression over `it`, the widgets by name, `log`, what was
chosen, followed or pressed, and `times`, when that was. Its value is answered as a line of JSON, so
that the toolkit itself says what became of them.
"""

import importlib
import json
import sys
import time

TOOLKIT = sys.argv[1]
FRUIT = ["Apple", "Banana", "Cherry"]
PLACES = {"Europe": ["Norway", "Spain"], "Asia": ["Japan", "Nepal"]}
GRAIN = [("Rice", "one"), ("Oats", "two")]
COLOURS = ["Red", "Green", "Blue"]
MEALS = ["Breakfast", "Lunch", "Dinner"]
COOKING = ["Boil", "Fry"]
MANUAL = "https://example.org/"
it = {}
log = []
times = []


def note(what):
    """Something to call that writes `what` into the log."""

    def write(*_):
        log.append(what)
        times.append(time.monotonic())
        return True

    return write


def answer(quit):
    line = sys.stdin.readline()
    if not line:
        return quit()
    try:
        value = eval(line, globals())
    except Exception as error:
        value = repr(error)
    print(json.dumps(value, default=repr), flush=True)
    return True


def gtk(version):
    import gi

    gi.require_version("Gtk", version)
    from gi.repository import GLib

    GLib.set_prgname("gallery")
    from gi.repository import Gio, Gtk

    old = version == "3.0"
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)

    def put(box, widget):
        box.add(widget) if old else box.append(widget)

    def add(name, widget):
        it[name] = widget
        if old:
            widget.get_accessible().set_name(name)
        else:
            widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
        put(column, widget)

    add("Copies", Gtk.SpinButton.new_with_range(0, 99, 1))
    fruit = Gtk.ComboBoxText()
    for name in FRUIT:
        fruit.append_text(name)
    fruit.set_active(0)
    add("Fruit", fruit)
    if not old:
        add("Drop", Gtk.DropDown.new_from_strings(["Oak", "Elm"]))
    add("Light", Gtk.Switch(halign=Gtk.Align.START))
    add("Volume", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1))
    add("Spicy", Gtk.CheckButton(label="Spicy"))
    add("Press", Gtk.Button(label="Press"))
    it["Press"].connect("clicked", note("Press"))
    if old:
        rare = Gtk.RadioButton(label="Rare")
        done = Gtk.RadioButton(label="Done", group=rare)
    else:
        rare = Gtk.CheckButton(label="Rare")
        done = Gtk.CheckButton(label="Done", group=rare)
    add("Rare", rare)
    add("Done", done)
    add("Name", Gtk.Entry())
    add("Secret", Gtk.Entry(visibility=False) if old else Gtk.PasswordEntry())
    add("Notes", Gtk.TextView())
    it["Spicy"].connect("toggled", lambda *_: times.append(time.monotonic()))
    it["Light"].connect("notify::active", lambda *_: times.append(time.monotonic()))
    manual = Gtk.LinkButton(uri=MANUAL, label="Manual")
    manual.connect("activate-link", lambda link: log.append(link.get_uri()) or True)
    add("Manual", manual)
    details = Gtk.Expander(label="Details")
    it["Details"] = details
    put(column, details)
    pages = Gtk.Notebook()
    for name in MEALS:
        pages.append_page(Gtk.Label(label=f"What is for {name}"), Gtk.Label(label=name))
    pages.connect("switch-page", lambda *_: times.append(time.monotonic()))
    add("Pages", pages)
    rows = Gtk.ListBox()
    for name in COLOURS:
        row = Gtk.ListBoxRow()
        label = Gtk.Label(label=name)
        row.add(label) if old else row.set_child(label)
        put(rows, row)
    add("Rows", rows)

    peel = Gtk.Button(label="Peel", visible=True)
    peel.connect("clicked", note("Peel"))
    popover = Gtk.Popover()
    popover.add(peel) if old else popover.set_child(peel)
    put(column, Gtk.MenuButton(label="Options", popover=popover))

    actions = Gio.SimpleActionGroup()
    it["wash"] = Gio.SimpleAction.new_stateful("wash", None, GLib.Variant("b", False))
    heat = GLib.Variant("s", "Low")
    it["heat"] = Gio.SimpleAction.new_stateful("heat", GLib.VariantType("s"), heat)
    for action in it["wash"], it["heat"]:
        action.connect("change-state", lambda action, state: action.set_state(state))
        actions.add_action(action)
    cook = Gio.Menu()
    for name in COOKING:
        action = Gio.SimpleAction.new(name, None)
        action.connect("activate", note(name))
        actions.add_action(action)
        cook.append(name, f"kitchen.{name}")
    kitchen = Gio.Menu()
    kitchen.append("Wash", "kitchen.wash")
    for name in ["Low", "High"]:
        kitchen.append(name, f"kitchen.heat::{name}")
    kitchen.append_submenu("Cook", cook)
    bar = Gio.Menu()
    bar.append_submenu("Kitchen", kitchen)
    bar = Gtk.MenuBar.new_from_model(bar) if old else Gtk.PopoverMenuBar(menu_model=bar)
    put(column, bar)
    put(column, Gtk.MenuButton(label="Tools", menu_model=kitchen))

    if old:
        grain = Gtk.ListStore(bool, str, str)
        for first, second in GRAIN:
            grain.append([False, first, second])
        table = Gtk.TreeView(model=grain)
        mark = Gtk.CellRendererToggle()
        mark.connect("toggled", lambda _, path: grain.set(grain.get_iter(path), 0, True))
        table.append_column(Gtk.TreeViewColumn("Whole", mark, active=0))
        table.append_column(Gtk.TreeViewColumn("Grain", Gtk.CellRendererText(), text=1))
        amount = Gtk.CellRendererText(editable=True)
        amount.connect("edited", lambda _, path, text: grain.set(grain.get_iter(path), 2, text))
        table.append_column(Gtk.TreeViewColumn("Amount", amount, text=2))
        it["grain"] = grain
        add("Table", table)
        places = Gtk.TreeStore(str)
        for name, below in PLACES.items():
            parent = places.append(None, [name])
            for one in below:
                places.append(parent, [one])
        tree = Gtk.TreeView(model=places)
        tree.append_column(Gtk.TreeViewColumn("Place", Gtk.CellRendererText(), text=0))
        add("Tree", tree)
    else:
        labels = factory(Gtk, Gtk.Label, lambda label, text, _: label.set_label(text))
        listed = Gtk.SingleSelection(model=Gtk.StringList.new(["Tea", "Milk", "Juice"]))
        add("List", Gtk.ListView(model=listed, factory=labels))
        grain = Gtk.SingleSelection(model=Gtk.StringList.new([first for first, _ in GRAIN]))
        table = Gtk.ColumnView(model=grain)
        table.append_column(Gtk.ColumnViewColumn(title="Grain", factory=labels))
        add("Table", table)

        def below(item):
            known = PLACES.get(item.get_string())
            return known and Gtk.StringList.new(known)

        def show(expander, _, row):
            expander.set_list_row(row)
            expander.get_child().set_label(row.get_item().get_string())

        it["places"] = Gtk.TreeListModel.new(Gtk.StringList.new(list(PLACES)), False, False, below)
        expanders = factory(Gtk, lambda: Gtk.TreeExpander(child=Gtk.Label()), show)
        selection = Gtk.SingleSelection(model=it["places"])
        add("Tree", Gtk.ListView(model=selection, factory=expanders))

    window = Gtk.Window(title="Gallery")
    window.set_default_size(400, 900)
    window.insert_action_group("kitchen", actions)
    window.add(column) if old else window.set_child(column)
    window.show_all() if old else window.present()
    loop = GLib.MainLoop()
    condition = GLib.IO_IN | GLib.IO_HUP
    GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, condition, lambda *_: answer(loop.quit))
    loop.run()


def factory(Gtk, make, show):
    """What makes the widgets of a list of GTK 4."""
    made = Gtk.SignalListItemFactory()
    made.connect("setup", lambda _, item: item.set_child(make()))

    def bind(_, item):
        row = item.get_item()
        text = getattr(row, "get_string", lambda: "")()
        show(item.get_child(), text, row)

    made.connect("bind", bind)
    return made


def qt(binding):
    core, gui, widgets = (
        importlib.import_module(f"{binding}.{name}") for name in ("QtCore", "QtGui", "QtWidgets")
    )
    app = widgets.QApplication(["gallery"])
    window = widgets.QMainWindow()
    window.setWindowTitle("Gallery")
    middle = widgets.QWidget()
    column = widgets.QVBoxLayout(middle)
    column.setSpacing(1)
    window.setCentralWidget(middle)

    def add(name, widget):
        it[name] = widget
        widget.setAccessibleName(name)
        column.addWidget(widget)

    add("Copies", widgets.QSpinBox())
    add("Fruit", widgets.QComboBox())
    it["Fruit"].addItems(FRUIT)
    add("Volume", widgets.QSlider(core.Qt.Orientation.Horizontal))
    add("Spicy", widgets.QCheckBox("Spicy"))
    it["Spicy"].toggled.connect(lambda *_: times.append(time.monotonic()))
    add("Press", widgets.QPushButton("Press"))
    it["Press"].clicked.connect(note("Press"))
    add("Rare", widgets.QRadioButton("Rare"))
    add("Done", widgets.QRadioButton("Done"))
    add("Bold", widgets.QPushButton("Bold", checkable=True))
    add("Name", widgets.QLineEdit())
    add("Secret", widgets.QLineEdit(echoMode=widgets.QLineEdit.EchoMode.Password))
    add("Notes", widgets.QPlainTextEdit())
    manual = widgets.QLabel(f'<a href="{MANUAL}">Manual</a>')
    manual.linkActivated.connect(log.append)
    add("Manual", manual)
    pages = widgets.QTabWidget()
    for name in MEALS:
        pages.addTab(widgets.QLabel(f"What is for {name}"), name)
    pages.currentChanged.connect(lambda *_: times.append(time.monotonic()))
    add("Pages", pages)
    rows = widgets.QListWidget()
    rows.addItems(COLOURS)
    add("Rows", rows)
    tree = widgets.QTreeWidget()
    tree.setHeaderLabels(["Place"])
    for name, below in PLACES.items():
        parent = widgets.QTreeWidgetItem(tree, [name])
        for one in below:
            widgets.QTreeWidgetItem(parent, [one])
    add("Tree", tree)
    table = widgets.QTableWidget(len(GRAIN), 2)
    for row, texts in enumerate(GRAIN):
        for at, text in enumerate(texts):
            table.setItem(row, at, widgets.QTableWidgetItem(text))
    add("Table", table)

    kitchen = window.menuBar().addMenu("Kitchen")
    it["wash"] = kitchen.addAction("Wash")
    it["wash"].setCheckable(True)
    cook = kitchen.addMenu("Cook")
    it["kitchen"], it["cook"] = kitchen, cook

    def build():
        cook.clear()
        for name in COOKING:
            cook.addAction(name, note(name))

    cook.aboutToShow.connect(build)
    question = lambda: widgets.QMessageBox.question(window, "Really?", "Is it really done?")
    kitchen.addAction("Ask", lambda: log.append(question() is not None))
    options = widgets.QPushButton("Options")
    menu = widgets.QMenu(options)
    menu.addAction("Peel", note("Peel"))
    options.setMenu(menu)
    add("Options", options)

    reader = core.QSocketNotifier(0, core.QSocketNotifier.Type.Read)
    reader.activated.connect(lambda *_: answer(app.quit))
    window.resize(400, 950)
    window.show()
    (app.exec_ if hasattr(app, "exec_") else app.exec)()


if TOOLKIT.startswith("gtk"):
    gtk(f"{TOOLKIT[3:]}.0")
else:
    qt(f"PyQt{TOOLKIT[2:]}")
