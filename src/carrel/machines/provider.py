"""What every engine must answer: the provider protocol and its registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, cast

from anyio.abc import ByteStream

from carrel.errors import CarrelError, NotFound, Unavailable, Unsupported
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "Capabilities",
    "Health",
    "Isolation",
    "Memory",
    "Metrics",
    "Progress",
    "Provider",
    "get_provider",
    "observe",
    "provider_names",
    "try_probe",
]


class Isolation(StrEnum):
    """What stands between the machine and its host, weakest first."""

    NONE = "none"
    PROCESS = "process"
    CONTAINER = "container"
    USER_KERNEL = "user-space kernel"
    VM = "virtual machine"


@dataclass(frozen=True, slots=True)
class Health:
    """The answer of a probe that ran something real."""

    usable: bool
    isolation: Isolation
    reason: str
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a provider can do beyond create, start, stop and delete.

    Attributes:
        owns: Whether it starts and stops the machine; `remote` only connects to one.
        contains: Whether it can promise `network=none`, limits and a private file system.
        images: Whether it makes machines from an image, with a screen as wished; others take what
            is there.
        disk_limit: Whether a machine's disk cannot grow beyond its `disk_mb`.
        default_disk_mb: How large such a disk is where nobody says; 0 where that depends.
        disk_grows: Whether a machine that does not run can be given a larger one.
        volumes: Whether a machine can be lent directories that outlive it.
        kinds: The kinds of computer it can imitate, where it knows several.
        card: Whether a machine can be given a network card, which leads nowhere.
        balloon: Whether a running machine can be left with less memory, and given it back.
        renames: Whether a running machine can be told that it is called something else.
        durable: Whether what a machine wrote outlives an end that nobody asked for.
    """

    snapshot: Literal["none", "disk", "memory"] = "none"
    fork: bool = False
    pause: bool = False
    owns: bool = True
    contains: bool = True
    images: bool = True
    disk_limit: bool = False
    default_disk_mb: int = 0
    disk_grows: bool = False
    volumes: bool = False
    kinds: tuple[str, ...] = ()
    card: bool = False
    balloon: bool = False
    renames: bool = False
    durable: bool = True

    def allow(self, operation: str) -> bool:
        """Whether a machine can be halted, kept or copied at all; all other operations are."""
        able = {
            "pause": self.pause,
            "resume": self.pause,
            "fork": self.fork,
            "snapshot": self.snapshot != "none",
        }
        return able.get(operation, True)


@dataclass(frozen=True, slots=True)
class Metrics:
    """Figures read from the engine at this moment; None is unknown, never 0.

    Attributes:
        disk_size_bytes: How large the machine's own disk is for it.
        disk_used_bytes: What that disk takes of this system's, snapshots in it included.
    """

    memory_bytes: int | None = None
    cpu_seconds: float | None = None
    processes: int | None = None
    disk_read_bytes: int | None = None
    disk_written_bytes: int | None = None
    network_received_bytes: int | None = None
    network_sent_bytes: int | None = None
    disk_size_bytes: int | None = None
    disk_used_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """What a running machine has of its memory.

    Attributes:
        now_mb: What it has at this moment, in megabytes.
        most_mb: What it started with.
    """

    now_mb: int
    most_mb: int


Progress = Callable[[str, float | None], None]
"""Called with a stage in words and the share done, where known."""


class Provider(Protocol):
    """One way to have a machine.

    `channel` is the only data path: a new duplex byte stream to the guest on every call.
    What a provider cannot do, it says in `capabilities`, and calling it raises `Unsupported`.
    """

    name: ClassVar[str]
    isolation: ClassVar[Isolation]
    capabilities: ClassVar[Capabilities]

    async def probe(self) -> Health:
        """Run something real and say whether this engine works here."""
        ...

    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse what this provider cannot promise, before anything is made."""
        ...

    async def prepare(self, spec: MachineSpec, progress: Progress) -> None:
        """Make sure the image is there; may take minutes."""
        ...

    async def create(self, machine: Machine) -> None:
        """Make what the machine needs on disk."""
        ...

    async def start(self, machine: Machine, progress: Progress) -> None:
        """Start it, and return when its guest has answered."""
        ...

    async def stop(self, machine: Machine, grace: float) -> None:
        """Let it end by itself for `grace` seconds, then end it."""
        ...

    async def kill(self, machine: Machine) -> None:
        """End it now."""
        ...

    async def delete(self, machine: Machine) -> None:
        """Remove everything the provider keeps for it. Works in every state, and twice."""
        ...

    async def pause(self, machine: Machine) -> None:
        """Freeze it."""
        ...

    async def resume(self, machine: Machine) -> None:
        """Thaw it."""
        ...

    async def snapshot(self, machine: Machine, label: str) -> None:
        """Keep its state under a label."""
        ...

    async def restore(self, machine: Machine, label: str) -> None:
        """Go back to a kept state."""
        ...

    async def snapshots(self, machine: Machine) -> tuple[str, ...]:
        """The labels of its kept states."""
        ...

    async def delete_snapshot(self, machine: Machine, label: str) -> None:
        """Remove a kept state, of a machine in any state; what runs, and every copy, goes on."""
        ...

    async def fork(self, machine: Machine, copies: Sequence[Machine]) -> None:
        """Make running copies of a running machine; `create` has made each of them."""
        ...

    async def rename(self, machine: Machine) -> None:
        """Have a running machine know by what name it is on record now."""
        ...

    async def balloon(self, machine: Machine, megabytes: int | None) -> Memory:
        """Leave a running machine with so much memory, seen to be so; None only looks."""
        ...

    async def disk_mb(self, machine: Machine) -> int | None:
        """How large its disk is, where that can grow; None while it has none."""
        ...

    async def vnc_url(self, machine: Machine) -> str:
        """Where a VNC viewer sees its own screen, with the password; a new one where it can be."""
        ...

    async def inspect(self, machine: Machine) -> Observed:
        """Look at it now. Never answers from memory."""
        ...

    async def recover(self, machine: Machine) -> None:
        """Clear what a dead machine left behind (cgroups, sockets, mounts); keep its disk."""
        ...

    async def channel(self, machine: Machine) -> ByteStream:
        """Connect to its guest."""
        ...

    async def metrics(self, machine: Machine) -> Metrics:
        """Figures of this moment."""
        ...

    async def console(self, machine: Machine) -> str:
        """What the engine and the guest wrote while starting and running."""
        ...

    async def collect(self, home: Path, known: frozenset[str]) -> tuple[str, ...]:
        """Remove what dead processes left that carries our label; say what it was.

        Args:
            home: The directory that holds the machines of this store.
            known: The machines of this store. What belongs to none of them may still be
                another store's, so only what nobody uses any more may go.
        """
        ...


def unable(provider: str, operation: str) -> Unsupported:
    """That a provider cannot do something with any machine."""
    return Unsupported(
        f"the {provider} provider cannot {operation} a machine",
        op=f"machine.{operation}",
        hint="carrel provider list shows what each provider can do",
    )


class RefusesTheRest:
    """The optional operations, each refused; providers override what they can do."""

    name: ClassVar[str]

    def _refuse(self, operation: str) -> Unsupported:
        return unable(self.name, operation)

    async def pause(self, machine: Machine) -> None:
        """Refused."""
        raise self._refuse("pause")

    async def resume(self, machine: Machine) -> None:
        """Refused."""
        raise self._refuse("resume")

    async def snapshot(self, machine: Machine, label: str) -> None:
        """Refused."""
        raise self._refuse("snapshot")

    async def restore(self, machine: Machine, label: str) -> None:
        """Refused."""
        raise self._refuse("restore")

    async def snapshots(self, machine: Machine) -> tuple[str, ...]:
        """There are none."""
        return ()

    async def delete_snapshot(self, machine: Machine, label: str) -> None:
        """Refused."""
        raise Unsupported(
            f"machines of the {self.name} provider have no snapshots to delete",
            op="machine.delete_snapshot",
            hint="carrel provider list shows what each provider can do",
        )

    async def fork(self, machine: Machine, copies: Sequence[Machine]) -> None:
        """Refused."""
        raise self._refuse("fork")

    async def rename(self, machine: Machine) -> None:
        """Refused."""
        raise self._refuse("rename")

    async def balloon(self, machine: Machine, megabytes: int | None) -> Memory:
        """Refused."""
        if megabytes is None:
            raise Unsupported(
                f"machines of the {self.name} provider have no balloon to show",
                op="machine.balloon",
                hint=f"carrel metrics {machine.name} tells what it uses",
            )
        raise Unsupported(
            f"the {self.name} provider cannot change the memory of a machine that runs",
            op="machine.balloon",
            hint=f"carrel stop {machine.name}, then carrel config set {machine.name} memory AMOUNT",
        )

    async def disk_mb(self, machine: Machine) -> int | None:
        """Refused."""
        raise self._refuse("measure the disk of")

    async def vnc_url(self, machine: Machine) -> str:
        """Refused."""
        raise Unsupported(
            f"machines of the {self.name} provider have no screen but their desk's",
            op="machine.vnc",
            hint=f"carrel do -m {machine.name} shot",
        )


_OPTIONAL = vars(RefusesTheRest)


@cache
def provider_names() -> tuple[str, ...]:
    """Every installed provider, through the `carrel.providers` entry points."""
    from importlib.metadata import entry_points

    return tuple(sorted({point.name for point in entry_points(group="carrel.providers")}))


@cache
def get_provider(name: str) -> Provider:
    """The provider of that name.

    Raises:
        NotFound: No installed package provides it.
        Unavailable: A package says it does, and cannot be loaded.
    """
    from importlib.metadata import entry_points

    points = entry_points(group="carrel.providers", name=name)
    # Nobody else's package takes the place of one of ours.
    for point in sorted(points, key=lambda each: not each.value.startswith("carrel.")):
        return _load(point)
    raise NotFound(
        f"there is no provider {name[:40]!r}",
        hint=f"known providers: {', '.join(provider_names())}",
    )


_MEMBERS = (
    *("name", "isolation", "capabilities"),
    *(each for each in vars(Provider) if not each.startswith("_") and each not in _OPTIONAL),
)


def _load(point: EntryPoint) -> Provider:
    package = point.dist.name if point.dist is not None else point.value
    try:
        provider = point.load()()
    except (Exception, SystemExit) as error:  # (another package's code: anything can happen)
        raise _not_loaded(point.name, package, f"{type(error).__name__}: {error}") from error
    if missing := [member for member in _MEMBERS if not hasattr(provider, member)]:
        raise _not_loaded(point.name, package, f"it has no {', '.join(missing)}")
    return cast("Provider", provider)


def _not_loaded(name: str, package: str, cause: str) -> Unavailable:
    return Unavailable(
        f"provider {name} of {package} cannot be loaded: {cause}",
        op="provider.load",
        hint=f"update or remove the package {package}",
    )


async def observe(machine: Machine) -> Observed:
    """Look at a machine now; that its provider cannot be asked is told, and stops nobody."""
    try:
        return await get_provider(machine.spec.provider).inspect(machine)
    except CarrelError as error:
        notes = (f"try: {error.hint}",) if error.hint else ()
        return Observed(State.UNREADABLE, error.message, notes=notes)
    except Exception as error:  # noqa: BLE001 (another package's code: anything can happen)
        cause = f"provider {machine.spec.provider} failed: {type(error).__name__}: {error}"
        return Observed(State.UNREADABLE, cause, notes=("try: carrel doctor",))


async def try_probe(provider: Provider) -> Health:
    """What a provider's probe says, or why it says nothing."""
    try:
        return await provider.probe()
    except CarrelError as error:
        return Health(False, provider.isolation, error.message, error.hint)
    except Exception as error:  # noqa: BLE001 (another package's code: anything can happen)
        reason = f"its probe failed: {type(error).__name__}: {error}"
        return Health(False, provider.isolation, reason)
