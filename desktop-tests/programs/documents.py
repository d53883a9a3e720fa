#!/usr/bin/python3
"""An editor whose documents are pages with equal controls: documents.py qt5|qt6

Each line on standard input is a Python statement over `window`, `pages`, `add` and `close`. The
texts of the documents, by the name of their pages, are answered as a line of JSON.
"""

import importlib
import json
import sys

BINDING = f"PyQt{sys.argv[1][2:]}"
core, widgets = (importlib.import_module(f"{BINDING}.{name}") for name in ("QtCore", "QtWidgets"))


def add(name):
    page = widgets.QWidget()
    column = widgets.QVBoxLayout(page)
    page.text = widgets.QPlainTextEdit()
    column.addWidget(page.text)
    find = widgets.QPushButton("Clear")
    find.clicked.connect(page.text.clear)
    column.addWidget(find)
    pages.addTab(page, name)


def close(index):
    page = pages.widget(index)
    pages.removeTab(index)
    page.deleteLater()


def obey():
    statement = sys.stdin.readline()
    if not statement:
        return app.quit()
    exec(statement, globals())
    answer.start(0)


def tell():
    shown = range(pages.count())
    texts = [[pages.tabText(at), pages.widget(at).text.toPlainText()] for at in shown]
    print(json.dumps(texts), flush=True)


app = widgets.QApplication(["documents"])
window = widgets.QMainWindow()
window.setWindowTitle("Documents")
pages = widgets.QTabWidget()
window.setCentralWidget(pages)
for name in ("Untitled", "Untitled", "Notes"):
    add(name)
window.resize(400, 300)
window.show()
answer = core.QTimer()
answer.setSingleShot(True)
answer.timeout.connect(tell)
notifier = core.QSocketNotifier(0, core.QSocketNotifier.Type.Read)
notifier.activated.connect(lambda *_: obey())
app.exec() if hasattr(app, "exec") else app.exec_()
