"""What Firecracker is asked for, as its API describes it: one function for each wish.

Every path in a wish is meant as seen from the directory that Firecracker runs in. So a machine
restored from a snapshot finds its files again by the same names, in a jail and without one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from carrel.codec import Json

__all__ = [
    "MOST_PROCESSORS",
    "Wish",
    "balloon",
    "boot_source",
    "drive",
    "entropy",
    "flush_metrics",
    "load_snapshot",
    "logger",
    "machine_config",
    "metrics",
    "pause",
    "resume",
    "snapshot",
    "start",
    "vsock",
]

MOST_PROCESSORS = 32
"""That a machine can have."""

GUEST_CID = 3
"""The first that is nobody else's. Each Firecracker has its own: they do not share a number."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One request that changes something."""

    method: Literal["PUT", "PATCH"]
    path: str
    body: Mapping[str, Json]


def logger(path: str) -> Wish:
    """Where Firecracker itself writes what it does."""
    return Wish("PUT", "/logger", {"log_path": path, "level": "Warning", "show_level": True})


def metrics(path: str) -> Wish:
    """Where it writes its figures."""
    return Wish("PUT", "/metrics", {"metrics_path": path})


def machine_config(processors: int, memory_mb: int) -> Wish:
    """How large the machine is."""
    return Wish("PUT", "/machine-config", {"vcpu_count": processors, "mem_size_mib": memory_mb})


def boot_source(kernel: str, words: str, initrd: str | None = None) -> Wish:
    """What it starts."""
    body: dict[str, Json] = {"kernel_image_path": kernel, "boot_args": words}
    if initrd is not None:
        body["initrd_path"] = initrd
    return Wish("PUT", "/boot-source", body)


def drive(name: str, path: str, *, read_only: bool) -> Wish:
    """One of its disks, in the order in which it sees them. None is its root: an initrd is."""
    body: dict[str, Json] = {
        "drive_id": name,
        "path_on_host": path,
        "is_root_device": False,
        "is_read_only": read_only,
        # What the guest asks to be written out is; the default of Firecracker's is not.
        "cache_type": "Unsafe" if read_only else "Writeback",
    }
    return Wish("PUT", f"/drives/{name}", body)


def vsock(path: str) -> Wish:
    """The socket on this side that leads to sockets of the guest's."""
    return Wish("PUT", "/vsock", {"guest_cid": GUEST_CID, "uds_path": path})


def balloon(*, reporting: bool) -> Wish:
    """What takes memory from the guest, none at first, and gives back what it does not use.

    Args:
        reporting: Whether the guest tells which pages are free; newer versions only.
    """
    body: dict[str, Json] = {"amount_mib": 0, "deflate_on_oom": True}
    if reporting:
        body["free_page_reporting"] = True
    return Wish("PUT", "/balloon", body)


def entropy() -> Wish:
    """A source of chance."""
    return Wish("PUT", "/entropy", {})


def start() -> Wish:
    """Begin."""
    return Wish("PUT", "/actions", {"action_type": "InstanceStart"})


def flush_metrics() -> Wish:
    """Write the figures now."""
    return Wish("PUT", "/actions", {"action_type": "FlushMetrics"})


def pause() -> Wish:
    """Halt its processors."""
    return Wish("PATCH", "/vm", {"state": "Paused"})


def resume() -> Wish:
    """Let them go on."""
    return Wish("PATCH", "/vm", {"state": "Resumed"})


def snapshot(state: str, memory: str) -> Wish:
    """Write a halted machine down, without its disks."""
    body: dict[str, Json] = {
        "snapshot_type": "Full",
        "snapshot_path": state,
        "mem_file_path": memory,
    }
    return Wish("PUT", "/snapshot/create", body)


def load_snapshot(state: str, memory: str) -> Wish:
    """Have a Firecracker that is nothing yet be that machine, and go on."""
    body: dict[str, Json] = {
        "snapshot_path": state,
        "mem_backend": {"backend_type": "File", "backend_path": memory},
        "resume_vm": True,
    }
    return Wish("PUT", "/snapshot/load", body)
