"""What runs on in a container whose engine is gone: found and ended without that engine."""

from __future__ import annotations

import logging
import os
import re
import signal
import time
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from carrel.errors import RunError
from carrel.machines.spec import Machine

__all__ = ["Left", "end_orphans", "end_without_engine"]

_PATIENCE = 10.0
_LOOK_AGAIN = 0.02

logger = logging.getLogger(__name__)


class Left(StrEnum):
    """What is left of a container's processes."""

    NOTHING = "nothing"
    SOME = "some"
    UNSEEN = "unseen"
    """None that we can see; this system hides the processes of others from us."""


def end_without_engine(machine: Machine) -> None:
    """End what runs of a machine whose engine is gone; what cannot be seen is warned of.

    Raises:
        RunError: Something still runs.
    """
    left = end_orphans(machine.id)
    if left is Left.SOME:
        raise RunError(
            f"processes of {machine.name} still run, and its engine does not answer",
            op="machine.kill",
            hint="start the engine again, then repeat this",
        )
    if left is Left.UNSEEN:
        logger.warning(
            "whether %s still runs cannot be seen: its engine does not answer, and this system "
            "hides the processes of other users (hidepid)",
            machine.name,
        )


def end_orphans(machine_id: str) -> Left:
    """Kill every process of a machine's container that is ours to kill.

    A container has the machine's identity mounted, in a mount namespace of its own, so this finds
    its processes and no others, whoever their parents are by now.
    """
    pattern = rf"^\S+ \S+ \S+ \S*/{re.escape(machine_id)}/machine-id /etc/machine-id "
    inside = re.compile(pattern.encode(), re.MULTILINE)
    until = time.monotonic() + _PATIENCE
    while True:
        found, unseen = _members(inside)
        if not found:
            return Left.UNSEEN if unseen else Left.NOTHING
        if time.monotonic() > until:
            return Left.SOME
        for pid in found:
            _kill(pid, inside)
        time.sleep(_LOOK_AGAIN)


def _members(inside: re.Pattern[bytes]) -> tuple[list[int], bool]:
    """Its processes, and whether there are any that may not be looked at."""
    found = []
    pids = [int(name) for name in os.listdir("/proc") if name.isdecimal()]  # noqa: PTH208
    unseen = 1 not in pids  # there always is one
    for pid in pids:
        try:
            if _is_inside(pid, inside):
                found.append(pid)
        except PermissionError:
            unseen = True
    return found, unseen


def _is_inside(pid: int, inside: re.Pattern[bytes]) -> bool:
    """Whether a process is one of them.

    Raises:
        PermissionError: It is another user's, and hidden.
    """
    try:
        return inside.search(Path(f"/proc/{pid}/mountinfo").read_bytes()) is not None
    except PermissionError:
        raise
    except OSError:  # gone in between, or about to be
        return False


def _kill(pid: int, inside: re.Pattern[bytes]) -> None:
    # It has ended, or is another user's, where the engine is: then it is found again.
    with suppress(ProcessLookupError, PermissionError):
        handle = os.pidfd_open(pid)
        try:
            # Its number may be another's by now; the handle's is from here on.
            if _is_inside(pid, inside):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)
