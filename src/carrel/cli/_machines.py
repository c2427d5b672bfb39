"""What every command needs of the machines."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

from carrel.errors import CarrelError, NotFound, UsageError

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Standing
    from carrel.machines.provider import Capabilities
    from carrel.machines.spec import MachineSpec
    from carrel.machines.store import Store

__all__ = [
    "card",
    "choose_machine",
    "describe",
    "is_machine",
    "is_made",
    "local_time",
    "port_words",
    "run",
    "since",
    "telling",
]

T = TypeVar("T")

DEFAULT_NAME = "desk"


def run(function: Callable[..., Awaitable[T]], *args: object) -> T:
    """Run async code to its end; an error comes out as itself, not in a group."""
    import anyio

    try:
        return anyio.run(function, *args)
    except BaseExceptionGroup as group:
        raise telling(group) from None


def telling(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error of a group that tells most: an interrupt, else ours, else the first."""
    leaves = list(_leaves(group))
    for kind in (KeyboardInterrupt, CarrelError):
        for leaf in leaves:
            if isinstance(leaf, kind):
                return leaf
    return leaves[0]


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error


def choose_machine(name: str | None, store: Store) -> str:
    """The machine that is meant: the one named, the only one, or `desk`.

    Raises:
        NotFound: There is none at all.
        UsageError: There are several, none of them `desk`.
    """
    if name is not None:
        return name
    names = list(store.names())
    if not names:
        raise NotFound("there is no machine yet", hint="carrel up")
    if len(names) == 1:
        return names[0]
    if DEFAULT_NAME in names:
        return DEFAULT_NAME
    raise UsageError(
        f"which machine? there are {', '.join(names)}",
        hint=f"-m {names[0]}, or set CARREL_MACHINE",
        context={"machines": names},
    )


def is_machine(word: str) -> bool:
    """Whether a word that may also mean a run is the name of a machine."""
    from carrel.machines.store import Store

    if word == "latest" or word.startswith("run_"):
        return False
    return word in Store().names()


def is_made(standing: Standing) -> bool:
    """Whether its provider gives it the image and the screen that were asked for."""
    abilities = _abilities(standing)
    return abilities is not None and abilities.images


def _abilities(standing: Standing) -> Capabilities | None:
    from carrel.machines.provider import get_provider

    if standing.observed.state == "unreadable":
        return None
    return get_provider(standing.machine.spec.provider).capabilities


def describe(standing: Standing) -> dict[str, object]:
    """One machine as JSON: every field, null where nothing is known or promised."""
    machine, observed = standing.machine, standing.observed
    spec = machine.spec
    abilities = _abilities(standing)
    return {
        "id": machine.id,
        "name": machine.name,
        "state": str(observed.state),
        "cause": observed.cause,
        "notes": list(observed.notes),
        "pid": observed.pid,
        "created_at": machine.created_at,
        "started_at": observed.started_at,
        "directory": str(machine.directory),
        **_describe_wish(
            spec,
            standing.disk_mb,
            made=abilities is not None and abilities.images,
            bounded=abilities is not None and abilities.contains,
            known=standing.readable,
        ),
        "mac_address": card(standing),
    }


def card(standing: Standing) -> str | None:
    """The address of a machine's network card, also where it was to be any; None without one."""
    from carrel.machines.qemu.card import card_address

    return card_address(standing.machine) if standing.readable else None


def _describe_wish(
    spec: MachineSpec, disk_mb: int, *, made: bool, bounded: bool, known: bool
) -> dict[str, object]:
    wish: dict[str, object] = {
        "provider": spec.provider,
        "image": spec.image if made else None,
        "size": str(spec.size) if made else None,
        "memory_mb": spec.memory_mb if bounded else None,
        "pids": spec.pids if bounded else None,
        "cpus": spec.cpus if bounded else None,
        "network": spec.network,
        "allow": list(spec.allow),
        "env": dict(spec.env),
        "url": spec.url,
        "disk_mb": disk_mb if bounded else None,
        "template": spec.template or None,
        "ports": list(spec.ports),
        "restart": spec.restart,
        "volumes": list(spec.volumes),
        "preset": spec.preset or None,
        "kind": spec.kind or None,
        "mac": spec.mac or None,
    }
    return wish if known else dict.fromkeys(wish)


def port_words(standing: Standing) -> list[str]:
    """The ports that a machine has on this computer now."""
    if standing.observed.state not in ("running", "paused"):
        return []
    pairs = (text.split(":") for text in standing.machine.spec.ports)
    return [f"127.0.0.1:{here} -> {standing.machine.name}:{there}" for here, there in pairs]


def local_time(at: float | None) -> str:
    """A moment in this computer's time zone."""
    if at is None:
        return ""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))


def since(at: float | None) -> str:
    """A moment in few characters, and how long ago it was."""
    if at is None:
        return ""
    seconds = max(0, int(time.time() - at))
    form = "%H:%M" if seconds < 43200 else "%Y-%m-%d %H:%M"
    moment = time.strftime(form, time.localtime(at))
    for length, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= length:
            return f"{moment} ({seconds // length} {unit})"
    return f"{moment} ({seconds} s)"
