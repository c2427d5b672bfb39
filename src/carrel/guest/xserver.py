"""The X server of a desk: which program, how it is started, and who may connect.

Xvfb is preferred because Debian keeps it patched. Its screen can only shrink, so it is started
with room to grow. Xtigervnc grows freely and is used when asked for or when it is all there is;
it never opens a VNC port here. See `DeskOptions.server`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from carrel.errors import InvalidInput, RunError, Unavailable
from carrel.geometry import Size
from carrel.guest import server_start
from carrel.guest.display import x_errors
from carrel.guest.server_start import SERVERS, find_program, write_cookies

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = [
    "ROOM",
    "SERVERS",
    "Authority",
    "ServerName",
    "Traces",
    "find_server",
    "fit_screen",
]

ServerName = Literal["auto", "Xvfb", "Xtigervnc"]

ROOM = Size(*server_start.ROOM)
"""The size Xvfb can grow to; costs four bytes of memory per pixel (16 MB)."""


@dataclass(slots=True)
class Authority:
    """An MIT-MAGIC-COOKIE-1 and the file that tells clients about it."""

    path: Path
    cookie: bytes
    _host: str = ""

    def write(self, cookies: Mapping[str, bytes]) -> None:
        """Replace the file: a cookie for each display number (`""` stands for any)."""
        self._host = os.uname().nodename
        write_cookies(str(self.path), cookies)

    def is_of_another_name(self) -> bool:
        """Whether the host had another name when it was written: some clients go by that."""
        return self._host not in ("", os.uname().nodename)


def find_server(wish: ServerName = "auto") -> str:
    """The X server program to use.

    Raises:
        Unavailable: It is not installed.
        InvalidInput: There is no such X server.
    """
    if wish != "auto" and wish not in SERVERS:
        raise InvalidInput(
            f"{wish!r} is not an X server", hint=f"one of auto, {', '.join(SERVERS)}"
        )
    names = list(SERVERS) if wish == "auto" else [wish]
    found = next((name for name in names if find_program(name)), None)
    if found is None:
        raise Unavailable(
            f"no X server is installed: there is no program {' or '.join(names)}",
            op="desk.start",
            hint=f"apt-get install {SERVERS[names[0]]}",
        )
    return found


def fit_screen(display: Display, size: Size) -> None:
    """Give the screen this size, within what the server was started with.

    Raises:
        RunError: The server did not do it.
    """
    from Xlib.ext import randr

    with x_errors():
        root = display.screen().root
        if _size(display) == size:
            return
        resources = randr.get_screen_resources(root)
        crtc, output = resources.crtcs[0], resources.outputs[0]
        mode = _add_mode(display, output, size)
        stamp = resources.config_timestamp
        # The picture must be off while the screen is smaller than it.
        randr.set_crtc_config(root, crtc, stamp, 0, 0, 0, 1, [])
        millimetres = [round(side * 25.4 / 96) for side in (size.width, size.height)]
        randr.set_screen_size(root, size.width, size.height, *millimetres)
        randr.set_crtc_config(root, crtc, stamp, 0, 0, mode, 1, [output])
        display.sync()
        if _size(display) != size:
            raise RunError(f"the X server did not take the size {size}", op="desk.start")


def _size(display: Display) -> Size:
    geometry = display.screen().root.get_geometry()
    return Size(geometry.width, geometry.height)


def _add_mode(display: Display, output: int, size: Size) -> int:
    from Xlib.ext import randr

    root, name = display.screen().root, f"carrel {size}"
    width, height = size.width, size.height
    timing = (0, width, height, 60 * width * height, width, width, width, 0)
    mode: int = randr.create_mode(root, (*timing, height, height, height, len(name), 0), name).mode
    randr.AddOutputMode(
        display=display.display,
        opcode=display.display.get_extension_major(randr.extname),
        output=output,
        mode=mode,
    )
    return mode


class Traces:
    """The socket and lock that a server leaves when it is killed and cannot clean up itself.

    Make it while the server runs: what somebody else has put in their place since is not touched.
    """

    def __init__(self, number: str) -> None:
        places = (f"/tmp/.X11-unix/X{number}", f"/tmp/.X{number}-lock")  # noqa: S108
        self._marks = {Path(place): _mark(Path(place)) for place in places}

    def remove(self) -> None:
        """Remove those that are still there."""
        for path, mark in self._marks.items():
            if mark is not None and _mark(path) == mark:
                path.unlink(missing_ok=True)


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_ctime_ns
