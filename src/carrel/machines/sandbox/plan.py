"""What one sandbox is to be, as data: the launcher does what it says and decides nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from carrel.machines.sandbox._places import (
    AGENT_GID,
    AGENT_HOME,
    AGENT_UID,
    GUEST_BUNDLE,
    STAGE,
    STAGED_HOME,
)

__all__ = [
    "AGENT_GID",
    "AGENT_HOME",
    "AGENT_UID",
    "GUEST_BUNDLE",
    "STAGE",
    "STAGED_HOME",
    "Bind",
    "SandboxPlan",
    "Tmpfs",
]


@dataclass(frozen=True, slots=True)
class Bind:
    """Something of the host shown inside, with all that is mounted below it."""

    source: str
    target: str
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Tmpfs:
    """An empty file system in memory."""

    target: str
    megabytes: int
    mode: str = "755"


@dataclass(frozen=True, slots=True)
class SandboxPlan:
    """One sandbox.

    Attributes:
        name: Its host name.
        uid: Who its agent is on the host; not root.
        gid: The same for its group.
        drop: Whether the launcher starts as root and has to become `uid`.
        parent: Process that must stay alive for the sandbox to live.
        disk: Directory that holds `upper` and `work` of the overlay.
        home: Directory that is the agent's home.
        lower: The image's tree; None builds the root from `binds` alone.
        links: Symbolic links of a root without image, as (name, destination).
        tmpfs: Empty file systems, made in this order after the binds.
        masks: Directories of the host that must look empty, wherever they show.
        late_binds: Shown over everything else.
        cgroups: Directories of the control groups to join.
        processes: Most processes its user may have, counted by the kernel per user namespace; 0
            leaves it to the control group.
        argv: The one program that is started.
        desk: Whether that is a guest, whose X server is started ahead of it.
        keep: File descriptors it inherits beside the standard ones.
    """

    name: str
    uid: int
    gid: int
    drop: bool
    parent: int
    disk: str
    home: str
    argv: tuple[str, ...]
    env: Mapping[str, str]
    lower: str | None = None
    links: tuple[tuple[str, str], ...] = ()
    binds: tuple[Bind, ...] = ()
    tmpfs: tuple[Tmpfs, ...] = ()
    masks: tuple[str, ...] = ()
    late_binds: tuple[Bind, ...] = ()
    cgroups: tuple[str, ...] = ()
    processes: int = 1024
    shm_megabytes: int = 256
    desk: bool = False
    keep: tuple[int, ...] = field(default=())
