"""Who descends from a process, and how to reach all of them."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path

__all__ = ["carries", "family", "read_stat", "signal_all"]

logger = logging.getLogger(__name__)


def family(leader: int, started: int | None, mark: bytes) -> dict[int, int]:
    """Every process that a leader started, pid to start time.

    These are itself, its session and group, what descends from it, and daemons that left all of
    these but still carry its mark. The start time tells a process from a later one that got the
    same number.

    Args:
        leader: Its process number.
        started: When it started.
        mark: A variable, `NAME=VALUE`, that only its environment and its children's hold.
    """
    table = _processes()
    reused = leader in table and table[leader][3] != started
    found = {
        pid: row[3]
        for pid, row in table.items()
        if (leader in (pid, row[1], row[2]) and not reused) or carries(pid, mark)
    }
    grown = True
    while grown:
        more = {p: row[3] for p, row in table.items() if row[0] in found and p not in found}
        found.update(more)
        grown = bool(more)
    return found


def carries(pid: int, mark: bytes) -> bool:
    """Whether a process has a variable, `NAME=VALUE`, in its environment."""
    try:
        return mark in Path("/proc", str(pid), "environ").read_bytes().split(b"\0")
    except OSError:  # gone, or another user's
        return False


def _processes() -> dict[int, tuple[int, int, int, int]]:
    """Parent, group, session and start time of every process that is not a zombie."""
    table = {}
    with os.scandir("/proc") as entries:
        for entry in entries:
            if entry.name.isdigit() and (row := read_stat(int(entry.name))):
                table[int(entry.name)] = row
    return table


def read_stat(pid: int) -> tuple[int, int, int, int] | None:
    """Parent, group, session and start time; None for one that is gone."""
    try:
        text = Path("/proc", str(pid), "stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name in brackets may itself hold spaces and brackets.
    state, *numbers = text.rpartition(b")")[2].split()
    if state in (b"Z", b"X"):
        return None
    return int(numbers[0]), int(numbers[1]), int(numbers[2]), int(numbers[18])


def signal_all(victims: Mapping[int, int], number: int) -> bool:
    """Signal those still the same process; say whether any was left."""
    any_left = False
    for pid, start in victims.items():
        row = read_stat(pid)
        if row is None or row[3] != start:
            continue
        try:
            os.kill(pid, number)
            any_left = True
        except ProcessLookupError:
            continue
        except PermissionError:
            logger.warning("process %d belongs to another user and cannot be ended", pid)
    return any_left
