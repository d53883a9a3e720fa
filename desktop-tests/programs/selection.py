"""A client of the clipboard that does by Xlib what usual programs do not.

As an owner, it prints "ready" once it owns the clipboard, and stays:
    silent      never answers
    stalls      begins to send a large text and does not go on
    endless     sends a text that does not end
    bitmap      has a picture, but not as PNG
    latin       has a text in Latin-1 alone, and does not say what it has
As a requestor, it prints one line of JSON:
    several T…  asks for several formats at once: for each its type and its content
    early T     asks at a time before there was an owner: whether anything came
    plain T     names no property, as old clients do: the content
    rests T     asks for a large content, takes its beginning and no more; prints "ready"
"""

import ctypes
import json
import sys
import time
from ctypes import byref, c_char_p, c_int, c_long, c_ubyte, c_uint, c_ulong, c_void_p, POINTER

X = ctypes.CDLL("libX11.so.6")
X.XOpenDisplay.restype = c_void_p
for name, kinds in {
    "XInternAtom": [c_void_p, c_char_p, c_int],
    "XDefaultRootWindow": [c_void_p],
    "XCreateSimpleWindow": [c_void_p, c_ulong, c_int, c_int, c_uint, c_uint, c_uint, c_ulong, c_ulong],
    "XSelectInput": [c_void_p, c_ulong, c_long],
    "XSetSelectionOwner": [c_void_p, c_ulong, c_ulong, c_ulong],
    "XGetSelectionOwner": [c_void_p, c_ulong],
    "XConvertSelection": [c_void_p] + [c_ulong] * 5,
    "XChangeProperty": [c_void_p, c_ulong, c_ulong, c_ulong, c_int, c_int, c_void_p, c_int],
    "XDeleteProperty": [c_void_p, c_ulong, c_ulong],
    "XGetWindowProperty": [c_void_p, c_ulong, c_ulong, c_long, c_long, c_int, c_ulong] + [c_void_p] * 5,
    "XGetAtomName": [c_void_p, c_ulong],
    "XNextEvent": [c_void_p, c_void_p],
    "XSendEvent": [c_void_p, c_ulong, c_int, c_long, c_void_p],
    "XFlush": [c_void_p],
    "XSync": [c_void_p, c_int],
}.items():
    getattr(X, name).argtypes = kinds
for name in ["XInternAtom", "XDefaultRootWindow", "XCreateSimpleWindow", "XGetSelectionOwner"]:
    getattr(X, name).restype = c_ulong
X.XGetAtomName.restype = c_char_p

PROPERTY_CHANGE, STRUCTURE = 1 << 22, 1 << 17
PROPERTY_NOTIFY, SELECTION_REQUEST, SELECTION_NOTIFY = 28, 30, 31
DELETED = 1


class Property(ctypes.Structure):
    _fields_ = [("type", c_int), ("serial", c_ulong), ("sent", c_int), ("display", c_void_p),
                ("window", c_ulong), ("atom", c_ulong), ("time", c_ulong), ("state", c_int)]


class Request(ctypes.Structure):
    _fields_ = [("type", c_int), ("serial", c_ulong), ("sent", c_int), ("display", c_void_p),
                ("owner", c_ulong), ("requestor", c_ulong), ("selection", c_ulong),
                ("target", c_ulong), ("property", c_ulong), ("time", c_ulong)]


class Notify(ctypes.Structure):
    _fields_ = [("type", c_int), ("serial", c_ulong), ("sent", c_int), ("display", c_void_p),
                ("requestor", c_ulong), ("selection", c_ulong), ("target", c_ulong),
                ("property", c_ulong), ("time", c_ulong)]


class Event(ctypes.Union):
    _fields_ = [("type", c_int), ("property", Property), ("request", Request), ("notify", Notify),
                ("room", c_long * 24)]


display = X.XOpenDisplay(None)
window = X.XCreateSimpleWindow(display, X.XDefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)
X.XSelectInput(display, window, PROPERTY_CHANGE)


def atom(name):
    return X.XInternAtom(display, name.encode(), 0)


def next_event(kind):
    event = Event()
    while True:
        X.XNextEvent(display, byref(event))
        if event.type == kind:
            return event


def put(where, what, kind, data, size=8):
    count = len(data) if size == 8 else len(data)
    data = bytes(data) if size == 8 else (c_ulong * len(data))(*data)
    X.XChangeProperty(display, where, atom(what) if isinstance(what, str) else what,
                      atom(kind), size, 0, data, count)


def now():
    put(window, "CLOCK", "STRING", b"")
    while True:
        event = next_event(PROPERTY_NOTIFY).property
        if event.atom == atom("CLOCK"):
            return event.time


def get(what, delete=True):
    kind, size, count, after, data = c_ulong(), c_int(), c_ulong(), c_ulong(), POINTER(c_ubyte)()
    X.XGetWindowProperty(display, window, what, 0, 1 << 24, int(delete), 0, byref(kind),
                         byref(size), byref(count), byref(after), byref(data))
    if not kind.value:
        return None, []
    if size.value == 32:
        numbers = ctypes.cast(data, POINTER(c_ulong))
        return X.XGetAtomName(display, kind).decode(), [numbers[i] for i in range(count.value)]
    return X.XGetAtomName(display, kind).decode(), bytes(data[:count.value])


def ask(target, what, when):
    X.XConvertSelection(display, atom("CLIPBOARD"), target, what, window, when)
    return next_event(SELECTION_NOTIFY).notify.property


def say(value):
    print(value if isinstance(value, str) else json.dumps(value), flush=True)


def shown(kind, data):
    return [kind, data.decode() if isinstance(data, bytes) else data]


def own(manner):
    X.XSetSelectionOwner(display, atom("CLIPBOARD"), window, now())
    X.XSync(display, 0)
    assert X.XGetSelectionOwner(display, atom("CLIPBOARD")) == window
    say("ready")
    offers = {"stalls": ["UTF8_STRING"], "endless": ["UTF8_STRING"], "bitmap": ["image/bmp"]}
    while True:
        event = Event()
        X.XNextEvent(display, byref(event))
        if manner == "endless" and event.type == PROPERTY_NOTIFY:
            told = event.property
            if told.window != window and told.state == DELETED:
                put(told.window, told.atom, "UTF8_STRING", b"a" * (1 << 20))
        if event.type != SELECTION_REQUEST or manner == "silent":
            continue
        request = event.request
        answer = request.property
        if request.target == atom("TARGETS") and manner in offers:
            put(request.requestor, answer, "ATOM", [atom(it) for it in offers[manner]], 32)
        elif request.target == atom("STRING") and manner == "latin":
            put(request.requestor, answer, "STRING", "é".encode("latin-1"))
        elif manner in ("stalls", "endless"):
            if manner == "endless":
                X.XSelectInput(display, request.requestor, PROPERTY_CHANGE)
            put(request.requestor, answer, "INCR", [1 << 20], 32)
        else:
            answer = 0
        note = Event()
        note.notify = Notify(SELECTION_NOTIFY, 0, 1, display, request.requestor, request.selection,
                             request.target, answer, request.time)
        X.XSendEvent(display, request.requestor, 0, 0, byref(note))
        X.XFlush(display)


def several(targets):
    pairs = []
    for number, target in enumerate(targets):
        pairs += [atom(target), atom(f"PART_{number}")]
    put(window, "PAIRS", "ATOM_PAIR", pairs, 32)
    assert ask(atom("MULTIPLE"), atom("PAIRS"), now()) == atom("PAIRS")
    _, pairs = get(atom("PAIRS"))
    say([shown(*get(what)) if what else None for what in pairs[1::2]])


manner, targets = sys.argv[1], sys.argv[2:]
if manner == "several":
    several(targets)
elif manner == "early":
    say(bool(ask(atom(targets[0]), atom("PART"), 1)))
elif manner == "plain":
    say(shown(*get(ask(atom(targets[0]), 0, now()))))
elif manner == "rests":
    assert get(ask(atom(targets[0]), atom("PART"), now()))[0] == "INCR"
    X.XFlush(display)
    say("ready")
    time.sleep(600)
else:
    own(manner)
