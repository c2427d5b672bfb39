"""A GTK window with a text entry; Enter adds its text to a file and empties it.

python3 gtk_entry.py FILE
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import c_char_p, c_int, c_ulong, c_void_p
from pathlib import Path

ACTIVATED = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)


def main() -> None:
    gtk, gobject = ctypes.CDLL("libgtk-3.so.0"), ctypes.CDLL("libgobject-2.0.so.0")
    for name in ("gtk_window_new", "gtk_entry_new"):
        getattr(gtk, name).restype = c_void_p
    gtk.gtk_entry_get_text.restype = c_char_p
    gtk.gtk_entry_get_text.argtypes = (c_void_p,)
    gtk.gtk_entry_set_text.argtypes = (c_void_p, c_char_p)
    gobject.g_signal_connect_data.restype = c_ulong
    target = Path(sys.argv[1])

    def save(entry: int, _: object) -> None:
        with target.open("ab") as file:
            file.write(gtk.gtk_entry_get_text(entry) + b"\n")
        gtk.gtk_entry_set_text(entry, b"")

    gtk.gtk_init(None, None)
    window, entry = c_void_p(gtk.gtk_window_new(c_int(0))), c_void_p(gtk.gtk_entry_new())
    gtk.gtk_window_set_title(window, b"gtk entry")
    gtk.gtk_window_set_default_size(window, 500, 60)
    gtk.gtk_container_add(window, entry)
    handler = ACTIVATED(save)
    gobject.g_signal_connect_data(entry, b"activate", handler, None, None, c_int(0))
    gtk.gtk_widget_show_all(window)
    target.touch()
    gtk.gtk_main()


if __name__ == "__main__":
    main()
