"""Programs that tests of the guest look through: each says itself what reached it."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio

T = TypeVar("T")
Seen = dict[str, Any]
HERE = Path(__file__).parent


def client_env(display: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("XAUTHORITY", "LC_ALL")}
    return {**kept, "DISPLAY": display, "LANG": "C.UTF-8", "NO_AT_BRIDGE": "1"}


def run(display: str, *command: str, data: bytes | None = None) -> str:
    done = subprocess.run(
        command, env=client_env(display), input=data, capture_output=True, timeout=30, check=True
    )
    return done.stdout.decode()


@contextmanager
def running(display: str, *command: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    options.setdefault("stderr", subprocess.DEVNULL)
    process = subprocess.Popen(command, env=client_env(display), **options)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


async def until(look: Callable[[], T | None], seconds: float = 15) -> T:
    """The first true answer of `look`, or its last one when time is up."""
    deadline = time.monotonic() + seconds
    while True:
        if seen := look():
            return seen
        assert time.monotonic() < deadline, "did not come about in time"
        await anyio.sleep(0.01)


class EventLog:
    """A window that logs the events it receives."""

    def __init__(self, display: str, path: Path) -> None:
        self._display = display
        self._path = path
        self._start = 0

    def all(self) -> list[Seen]:
        lines = self._path.read_text().split("\n")[:-1]
        return [json.loads(line) for line in lines]

    @property
    def window(self) -> int:
        return int(self.all()[0]["window"])

    async def take(self) -> list[Seen]:
        """Everything that came since the last call.

        A key pressed by another program marks the end: one client gets its events in order.
        """
        run(self._display, "xdotool", "key", "F12")
        before = self._start

        def marked() -> list[Seen] | None:
            seen = self.all()[before:]
            return seen if seen and _is_mark(seen[-1], "release") else None

        seen = await until(marked)
        self._start = before + len(seen)
        return [event for event in seen if not _is_mark(event) and event["event"] != "ready"]

    async def keys(self) -> list[tuple[str, str]]:
        return [
            (event["event"], event["name"])
            for event in await self.take()
            if event["event"] in ("press", "release")
        ]


def _is_mark(event: Seen, kind: str | None = None) -> bool:
    return event.get("name") == "F12" and kind in (None, event["event"])


@contextmanager
def event_log(display: str, shape: str = "600x400+0+0") -> Iterator[EventLog]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "events")
        with path.open("wb") as out:
            script = str(HERE / "event_log.py")
            with running(display, sys.executable, script, shape, stdout=out, stderr=None):
                deadline = time.monotonic() + 15
                while not path.read_bytes().endswith(b"\n"):
                    assert time.monotonic() < deadline, "the event log did not start"
                    time.sleep(0.01)
                yield EventLog(display, path)


def find_window(display: str, title: str) -> int | None:
    done = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", title],
        env=client_env(display),
        capture_output=True,
        timeout=30,
    )
    found = done.stdout.split()
    return int(found[0]) if found else None


async def focus(display: str, title: str) -> int:
    """Give the keyboard to a window as soon as it shows, without Carrel."""
    window = await until(lambda: find_window(display, title))
    run(display, "xdotool", "windowfocus", "--sync", str(window))
    return window


class Xkb:
    """Locks of the keyboard, set and read through libX11."""

    CAPS = 2
    _CORE = 0x100

    class State(ctypes.Structure):
        _fields_ = (
            ("group", ctypes.c_ubyte),
            ("locked_group", ctypes.c_ubyte),
            ("base_group", ctypes.c_ushort),
            ("latched_group", ctypes.c_ushort),
            ("mods", ctypes.c_ubyte),
            ("base_mods", ctypes.c_ubyte),
            ("latched_mods", ctypes.c_ubyte),
            ("locked_mods", ctypes.c_ubyte),
            ("rest", ctypes.c_ubyte * 16),
        )

    def __init__(self, display: str) -> None:
        self._x11 = ctypes.CDLL("libX11.so.6")
        self._x11.XOpenDisplay.restype = ctypes.c_void_p
        self._display = ctypes.c_void_p(self._x11.XOpenDisplay(display.encode()))

    def lock_mods(self, mask: int) -> None:
        self._x11.XkbLockModifiers(self._display, self._CORE, 0xFF, mask)
        self._x11.XSync(self._display, 0)

    def lock_group(self, group: int) -> None:
        self._x11.XkbLockGroup(self._display, self._CORE, group)
        self._x11.XSync(self._display, 0)

    def locked(self) -> tuple[int, int]:
        """Locked modifiers and group."""
        state = self.State()
        self._x11.XkbGetState(self._display, self._CORE, ctypes.byref(state))
        return state.locked_mods, state.locked_group

    def close(self) -> None:
        self._x11.XCloseDisplay(self._display)


def keysym_text(keysym: int) -> str:
    """The character of a keysym by libxkbcommon, which GTK and Qt use."""
    code = ctypes.CDLL("libxkbcommon.so.0").xkb_keysym_to_utf32(keysym)
    return chr(code).replace("\r", "\n") if code else ""
