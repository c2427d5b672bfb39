"""The floor: a bare program that does what a guest does, with nothing around it.

It runs beside the guest on the same desk, with the guest's own interpreter and encoders, and
answers lines on a unix socket one after the other: four bytes of length, then the answer.
`python floor.py SOCKET`, with `DISPLAY` set.
"""

from __future__ import annotations

import ctypes
import json
import os
import selectors
import socket
import struct
import sys
import time
from collections.abc import Callable

from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest

from carrel.geometry import Size
from carrel.guest._film import SharedFilm, load_film
from carrel.guest._native import libturbojpeg
from carrel.guest._pixels import Pixels
from carrel.guest.encode import encode

QUALITY = 85


class Floor:
    def __init__(self) -> None:
        self._display = Display()
        screen = self._display.screen()
        self._root = screen.root
        size = self._root.get_geometry()
        self._film = load_film(self._display, Size(size.width, size.height))
        if not isinstance(self._film, SharedFilm):
            raise SystemExit("no shared memory here")
        self._turbo = libturbojpeg().tjInitCompress()
        self._out = ctypes.create_string_buffer(1)
        self._last: dict[str, tuple[Pixels, bytes]] = {}
        self._box = (0, 0, size.width // 3, size.height // 3)
        self._window = self._root.create_window(*self._box, 0, 24, override_redirect=True)
        self._window.map()
        self._gc = self._window.create_gc()
        self._colour = 0
        self._turn = 0
        self.paint()

    def shot(self, image_format: str) -> bytes:
        """Capture and encode, always."""
        return self._encode(self._film.expose()(), image_format)

    def cached(self, image_format: str) -> bytes:
        """Capture and compare; encode only what is new."""
        pixels = self._film.expose()()
        last = self._last.get(image_format)
        if last is not None and pixels.same_bytes(last[0]):
            return last[1]
        data = self._encode(pixels, image_format)
        self._last[image_format] = (pixels, data)
        return data

    def _encode(self, pixels: Pixels, image_format: str) -> bytes:
        """A JPEG in one piece, by bare libjpeg-turbo; a PNG by the guest's own writer."""
        if image_format != "jpeg":
            return encode(pixels, image_format)
        turbo = libturbojpeg()
        room = turbo.tjBufSize(pixels.width, pixels.height, 2)
        if len(self._out) < room:
            self._out = ctypes.create_string_buffer(room)
        out, size = ctypes.c_void_p(ctypes.addressof(self._out)), ctypes.c_ulong(room)
        source = (pixels.address, pixels.width, pixels.stride, pixels.height, 3)
        turbo.tjCompress2(
            self._turbo, *source, ctypes.byref(out), ctypes.byref(size), 2, QUALITY, 1024
        )
        return ctypes.string_at(self._out, size.value)

    def paint(self) -> bytes:
        """Draw what was not there before, so that no capture can be spared."""
        self._colour += 7919
        self._gc.change(foreground=self._colour & 0xFFFFFF)
        self._window.fill_rectangle(self._gc, *self._box)
        self._display.sync()
        return b""

    def _motion(self, x: str, y: str) -> None:
        """Never twice to the same place."""
        self._turn += 1
        right, down = self._turn % 7 * 3, self._turn % 5 * 3
        xtest.fake_input(self._display, X.MotionNotify, x=int(x) + right, y=int(y) + down)

    def move(self, x: str, y: str) -> bytes:
        self._motion(x, y)
        self._display.sync()
        return b""

    def click(self, x: str, y: str) -> bytes:
        self._motion(x, y)
        xtest.fake_input(self._display, X.ButtonPress, 1)
        xtest.fake_input(self._display, X.ButtonRelease, 1)
        # A window manager that looks at the click first holds its release back.
        while self._root.query_pointer().mask & X.Button1Mask:
            pass
        return b""

    def type(self, text: str) -> bytes:
        """Strokes for a text that needs no modifier."""
        for character in text:
            code = self._display.keysym_to_keycode(XK.string_to_keysym(character))
            xtest.fake_input(self._display, X.KeyPress, code)
            xtest.fake_input(self._display, X.KeyRelease, code)
        self._display.sync()
        return b""

    def watch(self) -> bytes:
        """From now on note the clicks that reach the window: on a connection of its own."""
        self._watcher = Display()
        window = self._watcher.create_resource_object("window", self._window.id)
        window.change_attributes(event_mask=X.ButtonPressMask)
        self._watcher.sync()
        return b""

    def told(self) -> bytes:
        """Where they were since; no more are noted."""
        self._watcher.sync()
        events = [self._watcher.next_event() for _ in range(self._watcher.pending_events())]
        self._watcher.close()
        return json.dumps([(event.root_x, event.root_y) for event in events]).encode()

    def timed(self, count: str, name: str, *args: str) -> bytes:
        """Seconds of each of `count` calls, taken here: no socket in between."""
        method: Callable[..., bytes] = getattr(self, name)
        seconds = []
        for _ in range(int(count)):
            started = time.perf_counter()
            method(*args)
            seconds.append(time.perf_counter() - started)
        return json.dumps(seconds).encode()

    def answer(self, line: str) -> bytes:
        name, *args = line.split()
        data: bytes = getattr(self, name)(*args)
        return struct.pack(">I", len(data)) + data


def main() -> None:
    floor = Floor()
    path = sys.argv[1]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path + ".new")
    listener.listen(64)
    os.rename(path + ".new", path)  # noqa: PTH104 - whoever sees the name can connect
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                client = listener.accept()[0]
                client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
                selector.register(client, selectors.EVENT_READ)
                continue
            client = key.fileobj
            line = client.recv(4096).decode()
            if line:
                client.sendall(floor.answer(line))
            else:
                selector.unregister(client)
                client.close()


if __name__ == "__main__":
    main()
