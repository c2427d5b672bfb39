"""Whether a running machine's apps are seen to, and what keeps one of them from running."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import anyio

from carrel.errors import RunError
from carrel.machines.apps import ATTENDANT_LOCK, Apps, take
from carrel.machines.spec import Machine

__all__ = [
    "faults_of",
    "is_abandoned",
    "is_published",
    "notes_of",
    "publishing",
    "tell_faults",
    "wait_until_published",
]

_FAULTS = "apps-faults.json"
_GATEWAY_LOCK = "gateway.lock"
_PATIENCE = 5.0
_LOOK = 0.05
_BOUND = 10.0


def tell_faults(directory: Path, faults: Mapping[str, str]) -> None:
    """Write down why apps could not be started in this life of a machine."""
    path = directory / _FAULTS
    # Words must not cost what they tell of: a full disk, or a machine deleted meanwhile.
    with suppress(OSError):
        if not faults:
            path.unlink(missing_ok=True)
            return
        draft = path.with_name(f".{_FAULTS}.{os.getpid()}")
        draft.write_text(json.dumps(dict(faults)))
        draft.replace(path)


def faults_of(machine: Machine) -> dict[str, str]:
    """Why apps of a running machine could not be started, by their names."""
    with suppress(OSError, ValueError, AttributeError):
        told = json.loads((machine.directory / _FAULTS).read_text())
        return {str(name): str(cause) for name, cause in told.items()}
    return {}


def notes_of(machine: Machine) -> tuple[str, ...]:
    """What there is to say of the apps of a running machine."""
    try:
        apps = Apps(machine).all()
    except RunError as error:
        return (f"its apps: {error.message}",)
    if not apps:
        return ()
    faults = faults_of(machine)
    notes = [
        f"its app {app.name} could not be started: {faults[app.name]}"
        for app in apps
        if app.name in faults
    ]
    if any(app.kind != "program" for app in apps) and not is_published(machine.directory):
        notes.append("its MCP servers are not published at this moment")
    return tuple(notes)


def is_abandoned(machine: Machine) -> bool:
    """Whether a machine had an attendant, and has none now."""
    lock = machine.directory / ATTENDANT_LOCK
    return lock.exists() and not _is_held(lock)


# MCP servers


@contextmanager
def publishing(directory: Path) -> Iterator[None]:
    """Be seen as the one who publishes a machine's servers, who listens by now."""
    handle = os.open(directory / _GATEWAY_LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        # The one before may take a second to end its last answers.
        take(handle, _PATIENCE)
        yield
    finally:
        os.close(handle)


def is_published(directory: Path) -> bool:
    """Whether somebody listens for a machine's MCP clients."""
    return _is_held(directory / _GATEWAY_LOCK)


async def wait_until_published(machine: Machine) -> None:
    """Give the servers of a machine that has just started the time to be published, bounded."""
    try:
        publishes = any(app.kind != "program" for app in Apps(machine).all())
    except RunError:  # told where the machine is looked at
        return
    with anyio.move_on_after(_BOUND):
        while publishes and not is_published(machine.directory):  # noqa: ASYNC110 (not ours)
            await anyio.sleep(_LOOK)


def _is_held(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
