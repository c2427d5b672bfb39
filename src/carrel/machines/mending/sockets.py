"""Sockets of engines that nobody listens on any more."""

from __future__ import annotations

import os
import socket
import stat
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from carrel.machines.mending.fault import Fault
from carrel.machines.paths import runtime_path

__all__ = ["socket_faults"]

_AGE = 60.0
"""Seconds; between being named and being listened on there is only a moment."""


def socket_faults() -> Iterator[Fault]:
    """What QEMU leaves when it is killed; machines of every store have theirs in one place."""
    home = runtime_path("qemu")
    if not home.is_dir() or home.is_symlink() or home.stat().st_uid != os.geteuid():
        return
    for path in sorted(home.iterdir()):
        if _is_deserted(path):
            yield Fault(
                "socket",
                str(path),
                "nobody listens on it any more",
                "remove it",
                remedy=partial(_remove, path),
            )


def _is_deserted(path: Path) -> bool:
    try:
        about = path.lstat()
    except FileNotFoundError:
        return False
    young = time.time() - about.st_mtime < _AGE
    if young or not stat.S_ISSOCK(about.st_mode) or about.st_uid != os.geteuid():
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
        except OSError:
            return False  # somebody does, and is busy
    return False


async def _remove(path: Path) -> str:
    if not _is_deserted(path):
        return "somebody listens on it again"
    path.unlink(missing_ok=True)
    return "it is removed"
