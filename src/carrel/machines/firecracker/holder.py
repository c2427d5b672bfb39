"""The process that holds a machine: starts its Firecracker and carries its line.

Started by the machine's keeper, with the line on standard input and output. Firecracker ends with
it, and it with its keeper. The machine's end of the line is a socket of the guest's, which is lost
with every snapshot: then it is dialled again. What Firecracker counts and says is read here, too.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import NoReturn

from carrel.errors import CarrelError
from carrel.machines.firecracker.figures import PIPE, follow
from carrel.machines.firecracker.hybrid import LINE_PORT, dial
from carrel.machines.firecracker.log import Log
from carrel.machines.firecracker.orders import read_orders
from carrel.machines.firecracker.process import launch, lay_out
from carrel.stream.frames import HEADER_SIZE, MAX_MESSAGE

__all__ = ["MODULE", "main"]

MODULE = "carrel.machines.firecracker.holder"

_PIECE = 1 << 16
_DIAL_SECONDS = 5.0
_AGAIN = 0.05
# Longer than any frame, and no frame itself: whoever has a connection on the line learns that it
# is cut, and calls anew.
_HANG_UP = bytes(MAX_MESSAGE + 2 * HEADER_SIZE)


def main() -> NoReturn:
    """Run a machine to its end; its status is ours."""
    path = Path(sys.argv[-1])
    orders = read_orders(path)
    log: Log | None = None
    # Asked to end before there is anything to end: Firecracker dies with us.
    try:
        lay_out(orders)
        log = Log(Path(orders.root))
        # Both of its ends: Firecracker finds a reader, and whoever reads no end.
        pipe = os.open(Path(orders.root) / PIPE, os.O_RDWR | os.O_CLOEXEC)
        process = launch(orders, 2, tied=True)
    except (CarrelError, OSError) as error:
        if log is not None:
            log.finish()
        sys.stderr.write(json.dumps({"cause": str(error)}) + "\n")
        sys.stderr.flush()
        os._exit(1)

    def stop(_: int, __: FrameType | None) -> None:
        process.kill()

    signal.signal(signal.SIGTERM, stop)
    line = _Line(Path(orders.root), process)
    for task in (line.feed, line.drain, log.follow, partial(follow, pipe, path.parent)):
        threading.Thread(target=task, daemon=True).start()
    status = process.wait()
    log.finish()
    os._exit(status if 0 <= status < 256 else 1)


class _Line:
    """The keeper's line, and the guest's socket at its other end."""

    def __init__(self, root: Path, process: subprocess.Popen[bytes]) -> None:
        self._root = root
        self._process = process
        self._guest: socket.socket | None = None

    def feed(self) -> None:
        """Pass on what the keeper says; its end is the machine's, too."""
        while data := os.read(0, _PIECE):
            # Said to nobody: whoever calls on the line calls again.
            with suppress(OSError):
                if self._guest is not None:
                    self._guest.sendall(data)
        self._process.kill()

    def drain(self) -> None:
        """Pass on what the guest says, by one socket after the other."""
        while True:
            with self._dialled() as guest:
                self._guest = guest
                with suppress(OSError):
                    while data := guest.recv(_PIECE):
                        _write(1, data)
                self._guest = None
            _write(1, _HANG_UP)

    def _dialled(self) -> socket.socket:
        while True:
            try:
                return dial(self._root, LINE_PORT, _DIAL_SECONDS)
            except CarrelError:  # it has just begun, or is halted
                time.sleep(_AGAIN)


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(target, view) :]
