"""What a machine should be: the part its owner writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from carrel.errors import InvalidInput
from carrel.geometry import Size
from carrel.machines.amounts import amount_words

__all__ = [
    "AUTO_MAC",
    "LEAST_MEMORY_MB",
    "Machine",
    "MachineSpec",
    "NetworkMode",
    "Restart",
    "check_name",
    "parse_mac",
    "parse_port",
    "parse_screen",
    "parse_volume",
]

NetworkMode = Literal["none", "allowlist", "nat"]
Restart = Literal["never", "on-failure", "always"]

DEFAULT_SIZE = Size(1280, 800)
LEAST_SIZE = Size(64, 64)
MOST_SIZE = Size(7680, 4320)

LEAST_MEMORY_MB = 64

AUTO_MAC = "auto"
"""The wish for an address of a machine's own, whichever."""

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")
_PORT = re.compile(r"(\d{1,5}):(\d{1,5})", re.ASCII)
_MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}")
_VOLUME = re.compile(r"([a-z0-9][a-z0-9-]*):(/[^:\0]*)")


def check_name(name: str, what: str = "a machine name") -> str:
    """Return a machine's name if it is one.

    Args:
        name: As somebody wrote it.
        what: What it is to be, where that is something else that is named like a machine.

    Raises:
        InvalidInput: It has other characters than lower-case letters, digits and dashes.
    """
    if _NAME.fullmatch(name) is None:
        raise InvalidInput(
            f"{name[:60]!r} is not {what}",
            hint="use 1 to 40 lower-case letters, digits and dashes, such as desk or web-1",
        )
    return name


def parse_port(text: str) -> tuple[int, int]:
    """Read `HOST:GUEST`: a port of this computer's loopback, and the machine's port behind it.

    Raises:
        InvalidInput: It is not two ports.
    """
    match = _PORT.fullmatch(text)
    numbers = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(1 <= number <= 65535 for number in numbers):
        raise InvalidInput(
            f"{text[:40]!a} is not a published port",
            hint="write HOST:GUEST, such as 8080:80 for port 80 of the machine on 8080 here",
        )
    return numbers


def parse_mac(text: str) -> str:
    """Read the address of a network card, `auto`, or nothing for no card.

    Returns:
        It, in lower case.

    Raises:
        InvalidInput: It is not the address of one card.
    """
    address = text.lower()
    if address in ("", AUTO_MAC):
        return address
    hint = "write six octets such as 02:00:5e:10:00:01, auto for one of its own, or none"
    if _MAC.fullmatch(address) is None:
        raise InvalidInput(f"{text[:40]!a} is not the address of a network card", hint=hint)
    if int(address[:2], 16) & 1:
        raise InvalidInput(
            f"{address} is the address of a group: its first octet is odd", hint=hint
        )
    if not address.strip("0:"):
        raise InvalidInput(f"{address} is nobody's address", hint=hint)
    return address


def parse_volume(text: str) -> tuple[str, str]:
    """Read `NAME:/path`: a volume, and where the machine has it.

    Raises:
        InvalidInput: It is not a name and an absolute path.
    """
    match = _VOLUME.fullmatch(text)
    steps = match[2].split("/")[1:] if match else [""]
    if match is None or any(step in ("", ".", "..") for step in steps):
        raise InvalidInput(
            f"{text[:60]!a} is not a volume and its place",
            hint="write NAME:/path, such as data:/srv/data",
        )
    return check_name(match[1], "a name for a volume"), match[2]


def _require_distinct(what: str, values: list[object]) -> None:
    for value in values:
        if values.count(value) > 1:
            raise InvalidInput(f"{what} {value} is given twice")


def parse_screen(text: str) -> Size:
    """Read the size of a machine's screen, such as `1280x800`.

    Raises:
        InvalidInput: It is not the size of one.
    """
    try:
        size = Size.parse(text)
    except InvalidInput as error:
        raise _no_screen(f"{text[:40]!a}") from error
    return _check_screen(size)


def _check_screen(size: Size) -> Size:
    fits = LEAST_SIZE.width <= size.width <= MOST_SIZE.width
    if not (fits and LEAST_SIZE.height <= size.height <= MOST_SIZE.height):
        raise _no_screen(str(size))
    return size


def _no_screen(words: str) -> InvalidInput:
    return InvalidInput(
        f"{words} is not the size of a screen: from {LEAST_SIZE} to {MOST_SIZE}",
        hint=f"such as {DEFAULT_SIZE}",
    )


class _Bound(NamedTuple):
    """How little and how much of something a machine may have.

    Attributes:
        name: What its option and its setting are called.
        hint: An amount that can be.
        words: How an amount is written.
    """

    name: str
    least: int
    most: int
    hint: str
    words: Callable[[int], str] = str

    def check(self, value: int) -> None:
        if not self.least <= value <= self.most:
            raise InvalidInput(
                f"{self.name} must be between {self.words(self.least)} and "
                f"{self.words(self.most)}, not {self.words(value)}",
                hint=self.hint,
            )


_MEMORY = _Bound("memory", LEAST_MEMORY_MB, 1 << 20, "such as --memory 4GB", amount_words)
_DISK = _Bound("disk", 0, 1 << 26, "such as --disk 50GB; 0 is no limit", amount_words)
_PIDS = _Bound("pids", 16, 1 << 22, "such as --pids 1024")
_CPUS = _Bound("cpus", 0, 1024, "such as --cpus 2; 0 is no limit")


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
        network: `none`, `allowlist` (the rules in `allow`) or `nat` (any public address, and what
            the rules in `allow` name beside that).
        allow: Rules such as `example.org:443`.
        env: Added to the environment of everything started in it.
        url: Provider `remote` only: `tcp://HOST:PORT` of a listening guest.
        token_file: Provider `remote` only: file that holds the guest's token.
        disk_mb: Most room its disk may take; 0 leaves that to the provider.
        template: What it was made from, by name; nothing where no template was used.
        ports: `HOST:GUEST`, each a port of the machine that this computer's loopback has.
        restart: What to do when it ends by itself.
        volumes: `NAME:/path`, each a volume and where the machine has it.
        preset: The security preset that bounds it, by name; nothing where none does.
        kind: What kind of computer, of those its provider can imitate; nothing: its first.
        mac: Address of a network card that leads nowhere, for programs that want to see one; `auto`
            for one of the machine's own. Nothing: it has no card.
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
    disk_mb: int = 0
    template: str = ""
    ports: tuple[str, ...] = ()
    restart: Restart = "never"
    volumes: tuple[str, ...] = ()
    preset: str = ""
    kind: str = ""
    mac: str = ""

    def __post_init__(self) -> None:
        _check_screen(self.size)
        _MEMORY.check(self.memory_mb)
        _PIDS.check(self.pids)
        _CPUS.check(self.cpus)
        _DISK.check(self.disk_mb)
        object.__setattr__(self, "mac", parse_mac(self.mac))
        _require_distinct("port", [parse_port(text)[0] for text in self.ports])
        _require_distinct("place", [parse_volume(text)[1] for text in self.volumes])
        if self.allow and self.network == "none":
            raise InvalidInput(
                "allow rules have no meaning with network=none", hint="use --network allowlist"
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
