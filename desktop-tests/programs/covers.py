#!/usr/bin/python3
"""Buttons with something laid over them in the same window: covers.py gtk3|gtk4|qt5|qt6

Plain has nothing over it, Under a button, Behind a bare panel, Noted a text, Seen something that
lets clicks through, and Late what comes by and by; of Second, what it can be scrolled in shows the
edge only. Each line on standard input is answered by all that was told of a click, as a line of
JSON; "late" brings what covers Late.
"""

import importlib
import json
import sys

TOOLKIT = sys.argv[1]
NAMES = ["Plain", "Under", "Behind", "Noted", "Seen", "Late"]
PLACES = {name: 10 + 70 * at for at, name in enumerate(NAMES)}
WIDTH, HEIGHT = 160, 50
SCROLLED = ["First", "Second"]
got = []


def note(name):
    return lambda *_: got.append(name)


def answer(quit):
    line = sys.stdin.readline()
    if not line:
        return quit()
    if line == "late\n":
        late.show()
    # Once that is drawn.
    later(lambda: print(json.dumps(got), flush=True))
    return True


def gtk(version):
    import gi

    gi.require_version("Gtk", version)
    from gi.repository import GLib

    GLib.set_prgname("covers")
    from gi.repository import Gtk

    old = version == "3.0"
    ground = Gtk.Fixed()
    for name, top in PLACES.items():
        button = Gtk.Button(label=name)
        button.connect("clicked", note(name))
        button.set_size_request(WIDTH, HEIGHT)
        ground.put(button, 10, top)
    overlay = Gtk.Overlay()
    overlay.add(ground) if old else overlay.set_child(ground)

    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for name in SCROLLED:
        button = Gtk.Button(label=name)
        button.connect("clicked", note(name))
        button.set_size_request(80, HEIGHT)
        column.add(button) if old else column.append(button)
    scrolled = Gtk.ScrolledWindow(hscrollbar_policy=Gtk.PolicyType.NEVER)
    scrolled.set_size_request(100, HEIGHT + 10)
    scrolled.add(column) if old else scrolled.set_child(column)
    ground.put(scrolled, 190, 10)

    def lay(widget, name, through=False):
        widget.set_size_request(WIDTH - 20, HEIGHT - 10)
        widget.set_halign(Gtk.Align.START)
        widget.set_valign(Gtk.Align.START)
        widget.set_margin_start(20)
        widget.set_margin_top(PLACES[name] + 5)
        overlay.add_overlay(widget)
        if through:
            overlay.set_overlay_pass_through(widget, True) if old else widget.set_can_target(False)
        return widget

    over = Gtk.Button(label="Over")
    over.connect("clicked", note("Over"))
    lay(over, "Under")
    panel = Gtk.EventBox() if old else Gtk.Box()
    lay(panel, "Behind")
    lay(Gtk.Label(label="A note"), "Noted")
    lay(Gtk.Label(label="Shine"), "Seen", True)
    late = lay(Gtk.Button(label="Latecomer"), "Late")
    late.connect("clicked", note("Latecomer"))
    globals()["late"] = late
    globals()["later"] = lambda tell: GLib.timeout_add(100, tell)
    window = Gtk.Window(title="Covers")
    window.set_default_size(300, 450)
    window.add(overlay) if old else window.set_child(overlay)
    loop = GLib.MainLoop()
    if old:
        window.show_all()
    else:
        window.present()
    late.hide() if old else late.set_visible(False)

    def heard(*_):
        answer(loop.quit)
        return True

    GLib.io_add_watch(0, GLib.IOCondition.IN | GLib.IOCondition.HUP, heard)
    loop.run()


def qt(binding):
    core, widgets = (importlib.import_module(f"{binding}.{name}") for name in ("QtCore", "QtWidgets"))
    app = widgets.QApplication(["covers"])
    window = widgets.QWidget()
    window.setWindowTitle("Covers")

    def lay(widget, name, inset=10):
        widget.setParent(window)
        widget.setGeometry(10 + inset, PLACES[name] + inset // 2, WIDTH - 2 * inset, HEIGHT - inset)
        return widget

    # Made first, so that only their being raised tells that they are in front.
    over = lay(widgets.QPushButton("Over"), "Under")
    over.clicked.connect(note("Over"))
    covers = [over, lay(widgets.QWidget(), "Behind"), lay(widgets.QLabel("A note"), "Noted")]
    for cover in covers:
        cover.setAutoFillBackground(True)
    shine = lay(widgets.QLabel("Shine"), "Seen")
    shine.setAttribute(core.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    late = lay(widgets.QPushButton("Latecomer"), "Late")
    late.clicked.connect(note("Latecomer"))
    for name in PLACES:
        button = lay(widgets.QPushButton(name), name, 0)
        button.clicked.connect(note(name))
    for cover in [*covers, shine, late]:
        cover.raise_()
    late.hide()
    globals()["late"] = late
    globals()["later"] = lambda tell: core.QTimer.singleShot(100, tell)
    scrolled = lay(widgets.QScrollArea(), "Plain")
    scrolled.setGeometry(190, 10, 100, HEIGHT + 10)
    inner = widgets.QWidget()
    inner.resize(80, 2 * HEIGHT)
    scrolled.setWidget(inner)
    for at, name in enumerate(SCROLLED):
        button = widgets.QPushButton(name, inner)
        button.setGeometry(0, at * HEIGHT, 80, HEIGHT)
        button.clicked.connect(note(name))
    window.resize(300, 450)
    window.show()
    notifier = core.QSocketNotifier(0, core.QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda *_: answer(app.quit))
    app.exec() if hasattr(app, "exec") else app.exec_()


gtk({"gtk3": "3.0", "gtk4": "4.0"}[TOOLKIT]) if TOOLKIT.startswith("gtk") else qt(f"PyQt{TOOLKIT[2:]}")
