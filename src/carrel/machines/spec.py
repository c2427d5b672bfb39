"""What a machine should be: the part its owner writes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from carrel.errors import InvalidInput
from carrel.geometry import Size

__all__ = ["Machine", "MachineSpec", "NetworkMode", "check_name"]

NetworkMode = Literal["none", "allowlist", "nat"]

DEFAULT_SIZE = Size(1280, 800)

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")


def check_name(name: str) -> str:
    """Return a machine's name if it is one.

    Raises:
        InvalidInput: It has other characters than lower-case letters, digits and dashes.
    """
    if _NAME.fullmatch(name) is None:
        raise InvalidInput(
            f"{name[:60]!r} is not a machine name",
            hint="use 1 to 40 lower-case letters, digits and dashes, such as desk or web-1",
        )
    return name


def _between(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise InvalidInput(f"{name} must be between {low} and {high}, not {value}")


@dataclass(frozen=True, slots=True)
class MachineSpec:
    """The wish.

    Attributes:
        provider: Which engine makes it.
        image: What it starts from: `desktop`, `host`, …
        size: Its screen.
        memory_mb: Most memory all its processes may use together.
        pids: Most processes and threads it may have.
        cpus: Most processor time it may use, in whole processors; 0 is no limit.
        network: `none`, `allowlist` (the rules in `allow`) or `nat` (any public address).
        allow: Rules such as `example.org:443`.
        env: Added to the environment of everything started in it.
        url: Provider `remote` only: `tcp://HOST:PORT` of a listening guest.
        token_file: Provider `remote` only: file that holds the guest's token.
    """

    provider: str = "namespace"
    image: str = "desktop"
    size: Size = DEFAULT_SIZE
    memory_mb: int = 4096
    pids: int = 1024
    cpus: int = 0
    network: NetworkMode = "none"
    allow: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None
    token_file: str | None = None

    def __post_init__(self) -> None:
        _between("screen width", self.size.width, 64, 7680)
        _between("screen height", self.size.height, 64, 4320)
        _between("memory_mb", self.memory_mb, 64, 1 << 20)
        _between("pids", self.pids, 16, 1 << 22)
        _between("cpus", self.cpus, 0, 1024)
        if self.allow and self.network != "allowlist":
            raise InvalidInput(
                f"allow rules have no meaning with network={self.network}",
                hint="use --network allowlist",
            )
        if self.network == "allowlist" and not self.allow:
            raise InvalidInput(
                "network=allowlist without a rule is network=none",
                hint="add --allow HOST:PORT",
            )


@dataclass(frozen=True, slots=True)
class Machine:
    """One machine as the store knows it.

    Attributes:
        id: `mac_…`, never reused.
        name: What people call it; unique at any moment.
        directory: Its own place for everything a provider keeps.
        created_at: Seconds since the epoch.
    """

    id: str
    name: str
    spec: MachineSpec
    directory: Path
    created_at: float
