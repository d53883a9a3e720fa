"""A window with flat coloured buttons, so that a picture of the screen tells where each of them is.

Usage: swatches.py TOOLKIT [headerbar] [maximized] [overlays] [title=TITLE] [windows=N]

TOOLKIT is gtk3, gtk4, qt5 or qt6. Each button is named after its colour, which is that of its whole
area, of its text too, and which nothing else on the screen has. With `overlays`, a key opens each
kind of overlay that the toolkit has, and Escape closes it: F2 a menu, F3 a popover (in Qt the list of
a combo box), F4 a modal dialog, F5 a message. The menu and the popover hold a coloured button or item.
"""

import sys

COLOURS = {"crimson": "#dc143c", "lime": "#32ff32", "royal": "#4169e1", "gold": "#ffd700"}
# The button in the popover.
INSIDE = {"inside": "#ee82ee"}
# Odd numbers, so that what is centred or halved has to round.
SIZE = {"crimson": (61, 33), "lime": (40, 40), "royal": (123, 21), "gold": (33, 57)}


def gtk(version, options):
    import gi

    gi.require_version("Gtk", version)
    gi.require_version("Gdk", version)
    from gi.repository import Gdk, GLib, Gtk

    GLib.set_prgname("swatches.py")
    style = Gtk.CssProvider()
    rules = "".join(
        f"#{name}, #{name}:hover, #{name}:backdrop {{ background: {colour}; color: {colour}; }}\n"
        for name, colour in (COLOURS | INSIDE).items()
    )
    reset = "{ border: none; box-shadow: none; text-shadow: none; outline: none; min-width: 0;" \
        " min-height: 0; padding: 0; border-radius: 0; transition: none; -gtk-icon-shadow: none; }\n"
    css = ", ".join(f"#{name}" for name in COLOURS | INSIDE) + reset + rules
    style.load_from_data(css.encode())
    old = version == "3.0"
    if old:
        Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), style, 900)
    else:
        Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), style, 900)
    for _ in range(options["windows"]):
        window = Gtk.Window(title=options["title"])
        if options["headerbar"]:
            bar = Gtk.HeaderBar()
            if old:
                bar.set_show_close_button(True)
                bar.set_title(options["title"])
            window.set_titlebar(bar)
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=7)
        column.set_size_request(300, 220)
        for name in COLOURS:
            button = Gtk.Button(label=name, name=name, halign=Gtk.Align.CENTER)
            button.set_size_request(*SIZE[name])
            label = button.get_child()
            label.set_name(name)
            # The width is the button's, not the text's.
            label.set_property("width-chars", 0)
            label.set_property("ellipsize", 3)
            column.add(button) if old else column.append(button)
        if options["maximized"]:
            window.maximize()
        if options["overlays"]:
            overlays(Gtk, Gdk, window, column, old)
        window.add(column) if old else window.set_child(column)
        window.show_all() if old else window.present()
    GLib.MainLoop().run()


def overlays(Gtk, Gdk, window, column, old):
    """The overlays of GTK, opened by keys."""
    from gi.repository import Gio

    model = Gio.Menu()
    for name in ("Open", "Save"):
        model.append(name, "win." + name.lower())
        group = Gio.SimpleActionGroup()
        window.insert_action_group("win", group)
    holder = column.get_last_child() if not old else column.get_children()[-1]

    def put(popover):
        popover.set_relative_to(holder) if old else popover.set_parent(holder)
        return popover

    menu = Gtk.Menu.new_from_model(model) if old else put(Gtk.PopoverMenu.new_from_model(model))
    if old:
        menu.attach_to_widget(window)
    popover = put(Gtk.Popover())
    button = Gtk.Button(label="inside", name="inside")
    popover.add(button) if old else popover.set_child(button)
    if old:
        button.show()

    def dialog(message):
        text = "A message" if message else None
        kind = Gtk.MessageDialog if message else Gtk.Dialog
        shown = kind(title="Question", transient_for=window, modal=True)
        if message:
            shown.set_property("text", text)
        shown.add_button("Answer", 1)
        shown.connect("response", lambda *_: shown.destroy())
        shown.show()

    def pressed(key):
        if key == Gdk.KEY_F2:
            corner = Gdk.Gravity.NORTH_WEST if old else None
            menu.popup_at_widget(holder, corner, corner, None) if old else menu.popup()
        elif key == Gdk.KEY_F3:
            popover.popup()
        elif key == Gdk.KEY_F4:
            dialog(False)
        elif key == Gdk.KEY_F5:
            dialog(True)

    if old:
        window.connect("key-press-event", lambda _, event: pressed(event.keyval))
    else:
        keys = Gtk.EventControllerKey()
        keys.connect("key-pressed", lambda _, key, *rest: pressed(key))
        window.add_controller(keys)


def qt(binding, options):
    gui = __import__(f"{binding}.QtGui", fromlist=["QtGui"])
    widgets = __import__(f"{binding}.QtWidgets", fromlist=["QtWidgets"])
    app = widgets.QApplication(sys.argv[:1])
    kept = []
    for _ in range(options["windows"]):
        window = widgets.QWidget()
        window.setWindowTitle(options["title"])
        column = widgets.QVBoxLayout(window)
        for name, colour in COLOURS.items():
            button = widgets.QPushButton(name)
            button.setStyleSheet(
                f"QPushButton {{ background: {colour}; color: {colour}; border: none; padding: 0; }}"
            )
            button.setFixedSize(*SIZE[name])
            column.addWidget(button)
        if options["overlays"]:
            menu = widgets.QMenu("Actions", window)
            for name in ("Open", "Save"):
                menu.addAction(name)
            combo = widgets.QComboBox()
            combo.addItems(["one", "two", "three"])
            column.addWidget(combo)
            dialog = widgets.QDialog(window)
            dialog.setWindowTitle("Question")
            widgets.QVBoxLayout(dialog).addWidget(widgets.QPushButton("Answer"))
            dialog.setModal(True)
            message = widgets.QMessageBox(window)
            message.setWindowTitle("Message")
            message.setText("A message")
            message.setModal(True)
            for key, action in {
                "F2": lambda: menu.popup(window.mapToGlobal(window.rect().center())),
                "F3": combo.showPopup,
                "F4": dialog.show,
                "F5": message.show,
            }.items():
                (gui if hasattr(gui, "QShortcut") else widgets).QShortcut(
                    gui.QKeySequence(key), window, activated=action
                )
        window.resize(300, 220)
        window.showMaximized() if options["maximized"] else window.show()
        kept.append(window)
    run = app.exec_ if hasattr(app, "exec_") else app.exec
    sys.exit(run())


options = {"headerbar": False, "overlays": False, "maximized": False, "title": "Swatches", "windows": 1}
for word in sys.argv[2:]:
    key, _, value = word.partition("=")
    options[key] = int(value) if value.isdigit() else value or True
toolkit = sys.argv[1]
if toolkit.startswith("gtk"):
    gtk(f"{toolkit[3:]}.0", options)
else:
    qt(f"PyQt{toolkit[2:]}", options)
