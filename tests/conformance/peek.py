"""Says what the X server holds: a line of JSON for each line it reads.

    {"x": 3, "y": 4, "buttons": [1], "keys": [37], "width": 1280, "height": 800}

A line that is not empty names a file that gets the picture, rows of BGRX. Plain Xlib through
ctypes: nothing of it is shared with the code under test.
"""

from __future__ import annotations

import ctypes
import json
import sys
from ctypes import POINTER, byref, c_char, c_int, c_long, c_uint, c_ulong, c_void_p
from pathlib import Path

BUTTONS = range(1, 6)
ALL_PLANES = 0xFFFFFFFF
Z_PIXMAP = 2


class Image(ctypes.Structure):
    """The beginning of XImage."""

    _fields_ = (
        ("width", c_int),
        ("height", c_int),
        ("offset", c_int),
        ("format", c_int),
        ("data", POINTER(c_char)),
        ("orders", c_int * 5),
        ("bytes_per_line", c_int),
    )


def main() -> None:
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = c_void_p
    x11.XDefaultRootWindow.restype = c_ulong
    x11.XGetImage.restype = POINTER(Image)
    display = c_void_p(x11.XOpenDisplay(None))
    if not display:
        sys.exit("no display")
    root = c_ulong(x11.XDefaultRootWindow(display))
    for line in sys.stdin:
        seen = look(x11, display, root)
        if target := line.strip():
            save(x11, display, root, seen, Path(target))
        print(json.dumps(seen), flush=True)


def look(x11: ctypes.CDLL, display: c_void_p, root: c_ulong) -> dict[str, object]:
    found, child = c_ulong(), c_ulong()
    x, y, inner_x, inner_y = c_int(), c_int(), c_int(), c_int()
    mask = c_uint()
    places = (byref(found), byref(child), byref(x), byref(y), byref(inner_x), byref(inner_y))
    x11.XQueryPointer(display, root, *places, byref(mask))
    width, height, border, depth = c_uint(), c_uint(), c_uint(), c_uint()
    sizes = (byref(width), byref(height), byref(border), byref(depth))
    x11.XGetGeometry(display, root, byref(found), byref(inner_x), byref(inner_y), *sizes)
    keys = (ctypes.c_ubyte * 32)()
    x11.XQueryKeymap(display, keys)
    return {
        "x": x.value,
        "y": y.value,
        "width": width.value,
        "height": height.value,
        "buttons": [number for number in BUTTONS if mask.value & 0x80 << number],
        "keys": [code for code in range(256) if keys[code // 8] & 1 << code % 8],
    }


def save(
    x11: ctypes.CDLL, display: c_void_p, root: c_ulong, seen: dict[str, object], target: Path
) -> None:
    size = (c_uint(seen["width"]), c_uint(seen["height"]))  # type: ignore[arg-type]
    image = x11.XGetImage(display, root, 0, 0, *size, c_long(ALL_PLANES), Z_PIXMAP)
    content = image.contents
    target.write_bytes(ctypes.string_at(content.data, content.bytes_per_line * content.height))
    x11.XFree(content.data)
    x11.XFree(image)


if __name__ == "__main__":
    main()
