"""Copies of deployed files on this computer, for machines that lose theirs when they die.

A machine whose disk outlives it needs none. Each copy has an identity of its own, which its app's
record names and which lies beside the files inside: so it is seen whether those are the right ones.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path

import anyio
from anyio import to_thread

from carrel.computer import Computer
from carrel.computer.link import Connect
from carrel.errors import CarrelError, InvalidInput, RunError, WrongState
from carrel.machines.apps import PLACE, RECORDS, App, Apps, see_to
from carrel.machines.linelog import note
from carrel.machines.paths import private_directory
from carrel.machines.provider import get_provider
from carrel.machines.removal import remove_tree
from carrel.machines.spec import Machine

__all__ = ["LARGEST", "MOVE", "inherit", "keep_copy", "mark", "prune", "put_back"]

LARGEST = 1 << 30
"""Bytes of what is deployed, beyond which no copy is kept."""

MOVE = 'rm -rf "$2" "$3" && mv "$1" "$2" && { [ -z "$4" ] || printf %s "$4" >"$3"; }'
"""For a shell: have a draft in an app's place, with its mark and the identity it is to say."""

_DIRECTORY = "deployed"
_LOOK = """
for name; do
    [ -d "$name" ] && printf '%s %s\\n' "$name" "$(head -c 64 "${name%/*}/.${name##*/}.id" 2>&-)"
done; true
"""
_MOST_SECONDS = 300.0
_QUICK = 60.0


def mark(name: str) -> str:
    """Where a machine has the identity of an app's files, in its home."""
    return f"{PLACE}/.{name}.id"


def _copy(machine: Machine, identity: str) -> Path:
    return machine.directory / _DIRECTORY / identity


async def keep_copy(computer: Computer, machine: Machine, place: str) -> str:
    """Copy what is to be deployed out of a machine that would lose it; says the copy's identity.

    Nothing, where the machine's disk outlives it.

    Raises:
        CarrelError: It cannot be copied, or is too large.
        OSError: There is no room for it.
    """
    if get_provider(machine.spec.provider).capabilities.durable:
        return ""

    def require_small(moved: int) -> None:
        if moved > LARGEST:
            raise InvalidInput(f"it is larger than {LARGEST >> 20} MB")

    identity = secrets.token_hex(8)
    private_directory(machine.directory / _DIRECTORY)
    target = _copy(machine, identity)
    try:
        with anyio.fail_after(_MOST_SECONDS):
            await computer.download(place, target, require_small)
    except BaseException:
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(remove_tree, target)
        raise
    return identity


def prune(machine: Machine) -> None:
    """Remove the copies that no record speaks of, as one who alone deploys to the machine."""
    directory = machine.directory / _DIRECTORY
    if not directory.is_dir():
        return
    try:
        known = {app.copy for app in Apps(machine).ever()}
    except RunError:  # of a damaged record nobody knows what it spoke of
        return
    for path in directory.iterdir():
        if path.name not in known:
            remove_tree(path)


def inherit(machine: Machine, copy: Machine) -> None:
    """See to the apps that run in a copy of a machine, because they ran in the machine."""
    try:
        shutil.copyfile(machine.directory / RECORDS, copy.directory / RECORDS)
    except FileNotFoundError:
        return
    _hand_down(machine, copy)
    see_to(copy)


def _hand_down(machine: Machine, copy: Machine) -> None:
    """Have the copies of files there, too, in no room of their own."""
    try:
        kept = {app.copy for app in Apps(copy).all() if app.copy}
    except RunError:  # told where the copy is looked at
        return
    for identity in kept:
        if _copy(machine, identity).is_dir():
            private_directory(copy.directory / _DIRECTORY)
            places = _copy(machine, identity), _copy(copy, identity)
            shutil.copytree(*places, symlinks=True, copy_function=os.link)


async def put_back(connect: Connect, machine: Machine) -> dict[str, str]:
    """Have the files of every deployed app in a machine that has started.

    Args:
        connect: Opens a stream to its guest.
        machine: Which.

    Returns:
        Why it cannot be, for each app of which that is so.

    Raises:
        CarrelError: The guest does not tell what is there.
    """
    apps = [app for app in Apps(machine).all() if app.cwd == f"~/{PLACE}/{app.name}"]
    if not apps:
        return {}
    async with Computer(connect) as computer:
        return await _put_all_back(computer, machine, apps)


async def _put_all_back(
    computer: Computer, machine: Machine, apps: Sequence[App]
) -> dict[str, str]:
    found = await _found(computer, apps)
    faults = {}
    for app in apps:
        if app.name in found and (not app.copy or found[app.name] == app.copy):
            continue
        try:
            await _put_back(computer, machine, app)
        except (CarrelError, OSError, TimeoutError) as error:
            faults[app.name] = error.message if isinstance(error, CarrelError) else str(error)
        else:
            note(machine.directory, "apps", f"the files of {app.name} are put back")
    return faults


async def _found(computer: Computer, apps: Sequence[App]) -> dict[str, str]:
    """The identities of the files that are there."""
    places = [f"{PLACE}/{app.name}" for app in apps]
    done = await computer.run("/bin/sh", "-c", _LOOK, "sh", *places, timeout=_QUICK)
    lines = [line.partition(" ") for line in done.stdout.decode(errors="replace").splitlines()]
    return {place.removeprefix(f"{PLACE}/"): identity for place, _, identity in lines}


async def _put_back(computer: Computer, machine: Machine, app: App) -> None:
    source = _copy(machine, app.copy)
    if not app.copy or not source.is_dir():
        raise RunError(f"there is no directory {app.cwd} in the machine: deploy it again")
    draft, place = f"{PLACE}/.{app.name}.back", f"{PLACE}/{app.name}"
    await computer.run("/bin/rm", "-rf", draft, timeout=_QUICK)
    await computer.make_directory(PLACE)
    with anyio.fail_after(_MOST_SECONDS):
        await computer.upload(source, draft)
    apps = Apps(machine)
    with apps.deploying():
        if apps.find(app.name) != app:
            raise WrongState("another one was deployed in its place meanwhile")
        words = (draft, place, mark(app.name), app.copy)
        done = await computer.run("/bin/sh", "-c", MOVE, "sh", *words, timeout=_QUICK)
    if done.exit.status:
        raise RunError(f"inside the machine: {done.stderr.decode(errors='replace')[-300:]}")
