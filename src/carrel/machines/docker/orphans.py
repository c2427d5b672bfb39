"""What runs on in a container whose engine is gone: found and ended without that engine."""

from __future__ import annotations

import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["end_orphans"]

_PATIENCE = 10.0
_LOOK_AGAIN = 0.02


def end_orphans(machine_id: str) -> bool:
    """Kill every process of a machine's container that is ours to kill; whether all are gone.

    A container has the machine's identity mounted, in a mount namespace of its own, so this finds
    its processes and no others, whoever their parents are by now.
    """
    until = time.monotonic() + _PATIENCE
    while left := _members(machine_id):
        if time.monotonic() > until:
            return False
        for pid in left:
            # One that has ended, or another user's, where the engine is another user's.
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_LOOK_AGAIN)
    return True


def _members(machine_id: str) -> list[int]:
    pattern = rf"^\S+ \S+ \S+ \S*/{re.escape(machine_id)}/machine-id /etc/machine-id "
    inside = re.compile(pattern.encode(), re.MULTILINE)
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208
        # Not ours to read, or gone in between.
        with suppress(OSError):
            if name.isdecimal() and inside.search(Path(f"/proc/{name}/mountinfo").read_bytes()):
                found.append(int(name))
    return found
