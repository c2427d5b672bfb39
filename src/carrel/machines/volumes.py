"""Volumes: directories of this computer that machines are lent, and that outlive them."""

from __future__ import annotations

import json
import os
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from carrel import codec
from carrel.errors import AlreadyExists, CarrelError, InvalidInput, NotFound, RunError, WrongState
from carrel.machines.lending import locked, user_of, volume_content, volumes_home
from carrel.machines.paths import private_directory
from carrel.machines.removal import remove_tree
from carrel.machines.spec import Machine, MachineSpec, check_name, parse_volume

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Machines, Standing
    from carrel.machines.store import Store

__all__ = ["Attachment", "Volume", "Volumes"]

_NAMED = "a name for a volume"
_GONE = ".deleted-"
_DRAFT = ".new-"
_DRAFT_BOUND = 60.0
"""Seconds; making one takes a moment."""


@dataclass(frozen=True, slots=True)
class _About:
    size_mb: int
    created_at: float


@dataclass(frozen=True, slots=True)
class Attachment:
    """A machine that has a volume, or will have it when it runs."""

    machine: str
    place: str


@dataclass(frozen=True, slots=True)
class Volume:
    """One volume.

    Attributes:
        path: What of it the machines see.
        size_mb: How large its owner means it to be; 0 is not said. Nothing enforces it: a
            directory has no bound of its own.
        attachments: Which machines it is attached to, running or not.
        user: The running machine that has it.
    """

    name: str
    path: Path
    size_mb: int
    created_at: float
    attachments: tuple[Attachment, ...] = ()
    user: str | None = None

    def used(self) -> int:
        """Bytes that its files take on disk."""
        total = 0
        for _, _, files, handle in os.fwalk(self.path, follow_symlinks=False):
            for file in files:
                try:
                    total += os.stat(file, dir_fd=handle, follow_symlinks=False).st_blocks * 512
                except FileNotFoundError:
                    continue  # a machine is at work in it
        return total


class Volumes:
    """Every volume of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._home = volumes_home(store.home)

    def create(self, name: str, size_mb: int = 0) -> Volume:
        """Make a volume, empty.

        Args:
            name: What to call it.
            size_mb: How large it is meant to be; told, and not enforced.

        Raises:
            AlreadyExists: The name is taken.
        """
        check_name(name, _NAMED)
        if not 0 <= size_mb <= 1 << 26:
            raise InvalidInput(f"a volume has 0 to {1 << 26} MB, not {size_mb}")
        draft = private_directory(self._home) / f"{_DRAFT}{secrets.token_hex(8)}"
        self._sweep_drafts()
        private_directory(draft)
        # Whoever gets here got past the directory above, which is for us alone.
        (draft / "content").mkdir()
        (draft / "content").chmod(0o777)
        about = codec.encode(_About(size_mb, time.time()))
        (draft / "about.json").write_text(json.dumps(about))
        try:
            draft.rename(self._home / name)
        except OSError:
            remove_tree(draft)
            if not (self._home / name).is_dir():
                raise
            raise AlreadyExists(
                f"there is already a volume {name}", hint="carrel volume list"
            ) from None
        return self.get(name)

    def get(self, name: str) -> Volume:
        """The volume of that name.

        Raises:
            NotFound: There is none.
        """
        check_name(name, _NAMED)
        path = self._home / name
        try:
            about = codec.decode(_About, json.loads((path / "about.json").read_text()))
        except FileNotFoundError:
            if path.is_dir():
                raise RunError(
                    f"the volume {name} is damaged: {path} has no about.json",
                    hint=f"its files are in {path / 'content'}; save them, and remove {path}",
                ) from None
            known = ", ".join(self.names())
            hint = f"there is {known}" if known else f"carrel volume create {name}"
            raise NotFound(f"there is no volume {name}", hint=hint) from None
        except (ValueError, CarrelError) as error:
            raise RunError(
                f"the volume {name} cannot be read: {error}", hint="carrel doctor --fix"
            ) from error
        machines = {machine.id: machine.name for machine in self._machines()}
        user = user_of(self._store.home, name)
        return Volume(
            name,
            volume_content(self._store.home, name),
            about.size_mb,
            about.created_at,
            self._attachments(name),
            machines.get(user or ""),
        )

    def describe_anew(self, name: str) -> None:
        """Write the description of a volume again that cannot be read; the old one is kept beside.

        Raises:
            NotFound: There is no such volume.
        """
        with locked(self._store.home, check_name(name, _NAMED)):
            path = self._home / name / "about.json"
            if path.exists():
                path.replace(path.with_name(f"about.json.damaged-{secrets.token_hex(4)}"))
            about = codec.encode(_About(0, path.parent.stat().st_mtime))
            path.write_text(json.dumps(about))

    def list(self) -> tuple[Volume, ...]:
        """Every volume, by name."""
        return tuple(self.get(name) for name in self.names())

    def names(self) -> tuple[str, ...]:
        """Of every volume, damaged ones too."""
        if not self._home.is_dir():
            return ()
        names = (path.name for path in self._home.iterdir())
        return tuple(sorted(name for name in names if not name.startswith(".")))

    def _machines(self) -> tuple[Machine, ...]:
        damaged = (each.machine for each in self._store.unreadable())
        return (*self._store.all(), *self._store.incomplete(), *damaged)

    def _attachments(self, name: str) -> tuple[Attachment, ...]:
        found = [
            Attachment(machine.name, place)
            for machine in self._machines()
            for volume, place in map(parse_volume, machine.spec.volumes)
            if volume == name
        ]
        # Where the places cannot be read, its name in the record is enough to keep it.
        known = {each.machine for each in found}
        found += [
            Attachment(damaged.machine.name, "")
            for damaged in self._store.unreadable()
            if damaged.machine.name not in known and damaged.mentions(name)
        ]
        return tuple(found)

    def delete(self, name: str) -> None:
        """Delete a volume with all it holds.

        Raises:
            WrongState: It is attached to a machine, running or not.
        """
        self.get(name)
        with locked(self._store.home, name):
            if users := [item.machine for item in self._attachments(name)]:
                raise WrongState(
                    f"the volume {name} is attached to {', '.join(users)}",
                    op="volume.delete",
                    hint=f"carrel volume detach {name} {users[0]}",
                )
            if (user := self.get(name).user) is not None:
                raise WrongState(
                    f"the volume {name} is in use by {user} until that is restarted",
                    op="volume.delete",
                    hint=f"carrel restart {user}",
                )
            (self._home / name).rename(self._home / f"{_GONE}{name}-{secrets.token_hex(8)}")
        self._sweep_drafts()
        self._sweep()

    def _sweep_drafts(self) -> None:
        """Remove what a command that was killed meanwhile did not finish."""
        for path in self._home.glob(f"{_DRAFT}*"):
            # Another command may have removed it, or finished it, this moment.
            with suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime > _DRAFT_BOUND:
                    remove_tree(path)

    def _sweep(self) -> None:
        """Remove what was deleted, also by a command that was killed meanwhile."""
        for path in self._home.glob(f"{_GONE}*"):
            try:
                remove_tree(path)
            except PermissionError as error:
                raise RunError(
                    f"files of a deleted volume belong to another user: {error.filename}",
                    op="volume.delete",
                    hint=f"a container engine wrote them: sudo rm -r '{path}'",
                ) from error

    async def attach(self, machines: Machines, name: str, machine: str, place: str) -> Standing:
        """Have a machine see a volume at a place, from its next start on.

        Another machine may have it meanwhile: that start is refused while the other one runs.

        Raises:
            AlreadyExists: The machine has this volume, or another one there.
        """
        wish = f"{name}:{place.rstrip('/') or place}"
        parse_volume(wish)

        def attached(spec: MachineSpec) -> MachineSpec:
            taken = [text for text in spec.volumes if name == parse_volume(text)[0]]
            if taken:
                raise AlreadyExists(
                    f"{machine} has the volume {name} already, at {parse_volume(taken[0])[1]}",
                    op="volume.attach",
                    hint=f"carrel volume detach {name} {machine}",
                )
            return replace(spec, volumes=(*spec.volumes, wish))

        with locked(self._store.home, check_name(name, _NAMED)):
            self.get(name)
            return await machines.configure(machine, attached)

    def require_free(self, name: str, machine: str) -> None:
        """Refuse that a machine be started with a volume that another one has.

        Raises:
            WrongState: Another machine that runs has it.
        """
        if (user := self.get(name).user) not in (None, machine):
            raise WrongState(
                f"the volume {name} is attached to {user}, which runs",
                op="volume.attach",
                hint=f"carrel stop {user}",
            )

    async def detach(self, machines: Machines, name: str, machine: str) -> Standing:
        """Have a machine see a volume no more, from its next start on.

        Raises:
            NotFound: It is not attached to this machine.
        """
        check_name(name, _NAMED)

        def detached(spec: MachineSpec) -> MachineSpec:
            left = tuple(text for text in spec.volumes if parse_volume(text)[0] != name)
            if left == spec.volumes:
                raise NotFound(
                    f"the volume {name} is not attached to {machine}", hint="carrel volume list"
                )
            return replace(spec, volumes=left)

        return await machines.configure(machine, detached)
