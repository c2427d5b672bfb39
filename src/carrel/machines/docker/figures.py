"""What a container uses, as its engine tells it."""

from __future__ import annotations

from collections.abc import Mapping

from carrel.machines.provider import Metrics
from carrel.machines.sandbox.cgroups import Group

__all__ = ["limits_reached", "part", "read_stats"]


def read_stats(found: Mapping[str, object]) -> Metrics:
    """What the engine's statistics say; None is unknown."""
    memory, cpu, pids = (part(found, name) for name in ("memory_stats", "cpu_stats", "pids_stats"))
    spent = _number(part(cpu, "cpu_usage").get("total_usage"))
    moved = part(found, "blkio_stats").get("io_service_bytes_recursive")
    return Metrics(
        _number(memory.get("usage")),
        spent / 1e9 if spent is not None else None,
        _number(pids.get("current")),
        _moved(moved, "read"),
        _moved(moved, "write"),
    )


def _moved(moved: object, which: str) -> int | None:
    """Bytes read or written, on all disks; the engine says nothing where it cannot know."""
    if not isinstance(moved, list) or not moved:
        return None
    entries = [entry for entry in moved if isinstance(entry, dict)]
    return sum(
        _number(entry.get("value")) or 0
        for entry in entries
        if str(entry.get("op")).lower() == which
    )


def limits_reached(found: Mapping[str, object]) -> tuple[str, ...]:
    """Which limits a container has met since its start, by the kernel's own count, in words.

    Nothing where its processes are not of this system: Docker Desktop has them in another one.

    Args:
        found: What the engine tells of the container.
    """
    pid, identity = _number(part(found, "State").get("Pid")), found.get("Id")
    if not pid or not isinstance(identity, str) or not identity:
        return ()
    return Group.of(pid, identity).reached()


def part(found: Mapping[str, object], name: str) -> Mapping[str, object]:
    """An object within one that an engine told; empty where it is none."""
    part = found.get(name)
    return part if isinstance(part, dict) else {}


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None
