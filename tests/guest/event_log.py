"""A window that prints every input event it receives as a JSON line: an oracle for tests.

It is a plain Xlib program through ctypes, so keysyms come from libX11's own lookup, the one that
xterm and Tk use, and nothing of it is shared with the code under test.

    python event_log.py [WIDTHxHEIGHT+X+Y]

The first line is `{"event": "ready", "window": id}`. `SIGSTOP` makes it a client that does not
read; it answers no ping.
"""

from __future__ import annotations

import ctypes
import json
import re
import sys
from ctypes import POINTER, byref, c_char_p, c_int, c_long, c_uint, c_ulong, c_void_p

KINDS = {2: "press", 3: "release", 4: "button_press", 5: "button_release", 6: "motion"}
INPUT_MASK = 1 | 2 | 4 | 8 | 64
STRUCTURE_MASK = 1 << 15 | 1 << 17
MAP_NOTIFY, MAPPING_NOTIFY = 19, 34
POINTER_ROOT = 1


class InputEvent(ctypes.Structure):
    """XKeyEvent, XButtonEvent and XMotionEvent share this shape."""

    _fields_ = (
        ("type", c_int),
        ("serial", c_ulong),
        ("send_event", c_int),
        ("display", c_void_p),
        ("window", c_ulong),
        ("root", c_ulong),
        ("subwindow", c_ulong),
        ("time", c_ulong),
        ("x", c_int),
        ("y", c_int),
        ("x_root", c_int),
        ("y_root", c_int),
        ("state", c_uint),
        ("detail", c_uint),
        ("same_screen", c_int),
    )


class Event(ctypes.Union):
    _fields_ = (("type", c_int), ("input", InputEvent), ("pad", c_long * 24))


IGNORE = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)(lambda display, error: 0)


def load() -> ctypes.CDLL:
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = c_void_p
    x11.XDefaultRootWindow.argtypes = (c_void_p,)
    x11.XDefaultRootWindow.restype = c_ulong
    x11.XCreateSimpleWindow.argtypes = (c_void_p, c_ulong, *[c_int] * 4, c_uint, c_ulong, c_ulong)
    x11.XCreateSimpleWindow.restype = c_ulong
    x11.XSelectInput.argtypes = (c_void_p, c_ulong, c_long)
    x11.XMapRaised.argtypes = (c_void_p, c_ulong)
    x11.XStoreName.argtypes = (c_void_p, c_ulong, c_char_p)
    x11.XSetInputFocus.argtypes = (c_void_p, c_ulong, c_int, c_ulong)
    x11.XNextEvent.argtypes = (c_void_p, POINTER(Event))
    x11.XSync.argtypes = (c_void_p, c_int)
    x11.XRefreshKeyboardMapping.argtypes = (POINTER(Event),)
    x11.XLookupString.argtypes = (POINTER(InputEvent), c_char_p, c_int, POINTER(c_ulong), c_void_p)
    x11.XKeysymToString.argtypes = (c_ulong,)
    x11.XKeysymToString.restype = c_char_p
    x11.XSetErrorHandler.argtypes = (c_void_p,)
    return x11


def emit(**values: object) -> None:
    print(json.dumps(values), flush=True)


def describe(x11: ctypes.CDLL, event: InputEvent) -> dict[str, object]:
    seen: dict[str, object] = {
        "event": KINDS[event.type],
        "state": event.state,
        "time": event.time,
        "x": event.x_root,
        "y": event.y_root,
    }
    if event.type in (2, 3):
        keysym = c_ulong()
        x11.XLookupString(byref(event), None, 0, byref(keysym), None)
        name = x11.XKeysymToString(keysym.value)
        seen |= {"keycode": event.detail, "keysym": keysym.value}
        seen["name"] = name.decode() if name else None
    elif event.type != 6:
        seen["button"] = event.detail
    return seen


def main() -> None:
    x11 = load()
    # A window manager may not show the window yet when it is given the keyboard.
    x11.XSetErrorHandler(IGNORE)
    display = x11.XOpenDisplay(None)
    if not display:
        sys.exit("no display")
    shape = re.fullmatch(r"(\d+)x(\d+)\+(\d+)\+(\d+)", (*sys.argv[1:], "600x400+0+0")[0])
    assert shape is not None
    width, height, x, y = map(int, shape.groups())
    root = x11.XDefaultRootWindow(display)
    window = x11.XCreateSimpleWindow(display, root, x, y, width, height, 0, 0, 0xFFFFFF)
    x11.XStoreName(display, window, b"event log")
    x11.XSelectInput(display, window, INPUT_MASK | STRUCTURE_MASK)
    x11.XMapRaised(display, window)
    event = Event()
    while True:
        x11.XNextEvent(display, byref(event))
        if event.type == MAP_NOTIFY:
            x11.XSetInputFocus(display, window, POINTER_ROOT, 0)
            x11.XSync(display, 0)
            emit(event="ready", window=window)
        elif event.type == MAPPING_NOTIFY:
            x11.XRefreshKeyboardMapping(byref(event))
        elif event.type in KINDS:
            emit(**describe(x11, event.input))


if __name__ == "__main__":
    main()
