#!/usr/bin/python3
"""Says whether the keyboard of the X server could be had: `free`, or `grabbed` by somebody.

It is given back at once, as the connection ends.
"""

import ctypes

GRAB_SUCCESS, ASYNC = 0, 1

x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XDefaultRootWindow.restype = ctypes.c_ulong
display = ctypes.c_void_p(x11.XOpenDisplay(None))
root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
grab = x11.XGrabKeyboard(display, root, True, ASYNC, ASYNC, 0)
print("free" if grab == GRAB_SUCCESS else "grabbed")
