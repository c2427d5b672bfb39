"""Programs deployed in machines: what is on record, and the process that sees to them."""

from __future__ import annotations

import fcntl
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from carrel import codec
from carrel.errors import AlreadyExists, CarrelError, NotFound, RunError, WrongState
from carrel.guest.restarts import Restart
from carrel.machines.paths import private_directory
from carrel.machines.spec import Machine

__all__ = [
    "APP_LOG",
    "ATTENDANT_LOCK",
    "PLACE",
    "RECORDS",
    "SURROUNDINGS",
    "App",
    "AppKind",
    "Apps",
    "attended",
    "see_to",
    "take",
    "taken",
    "tell_attendant",
]

AppKind = Literal["program", "mcp-stdio", "mcp-http"]

APP_LOG = "app.log"
"""In a machine's directory: what deployed programs wrote, one JSON object to a line."""

PLACE = "apps"
"""Directory of all apps, in the machine's home."""

PREFIX = "app:"
"""Stands before an app's name in the name of its process inside."""

SURROUNDINGS = (
    'PATH="$PWD/node_modules/.bin:$PATH" '
    'PYTHONPATH="$PWD/.packages:$PWD/src${PYTHONPATH:+:$PYTHONPATH}" '
    "PYTHONUNBUFFERED=1; export PATH PYTHONPATH PYTHONUNBUFFERED;"
)
"""For a shell, in an app's directory: where its own packages are; what it writes comes at once."""

RECORDS = "apps.json"
"""In a machine's directory: what is deployed in it."""

ATTENDANT_LOCK = "attendant.lock"
"""In a machine's directory: held by whoever sees to its apps."""

logger = logging.getLogger(__name__)

_ATTENDANT = "carrel.machines.attendant"
_KEPT = "apps-kept"
_NONE = b'{"apps": []}'
_PATIENCE = 0.5
_LOOK = 0.02


@dataclass(frozen=True, slots=True)
class App:
    """One deployed program.

    Attributes:
        name: Unique in its machine.
        argv: Its command.
        cwd: Where it runs, inside.
        env: Added to its environment.
        restart: What happens when it ends.
        kind: `mcp-stdio` is started once for each client's session, the others once.
        port: Where an MCP server listens that speaks HTTP, inside.
        path: And at which path.
        how: How its command was found.
        deployed_at: Seconds since the epoch.
        copy: Which copy of its files this computer has; see `carrel.machines.spares`.
    """

    name: str
    argv: tuple[str, ...]
    cwd: str
    deployed_at: float
    how: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    restart: Restart = "on-failure"
    kind: AppKind = "program"
    port: int = 0
    path: str = "/mcp"
    copy: str = ""

    @property
    def process(self) -> str:
        """What its process is called inside; no other has the name."""
        return PREFIX + self.name

    def start_args(self) -> dict[str, object]:
        """The arguments of `process.start`."""
        return {
            "argv": self.words(),
            "cwd": self.cwd,
            "env": dict(self.env),
            "name": self.process,
            "restart": self.restart,
        }

    def words(self) -> list[str]:
        """Its command, after what it brought along was made known to Python and Node."""
        return ["/bin/sh", "-c", f'{SURROUNDINGS} exec "$@"', "sh", *self.argv]

    @property
    def lasting(self) -> bool:
        """Whether it is one process, from its deployment on."""
        return self.kind != "mcp-stdio"


@dataclass(frozen=True, slots=True)
class _Records:
    apps: tuple[App, ...] = ()


class Apps:
    """What is deployed in one machine, kept in its directory."""

    def __init__(self, machine: Machine) -> None:
        self._path = machine.directory / RECORDS
        self._kept = machine.directory / _KEPT
        self._machine = machine.name

    def all(self) -> tuple[App, ...]:
        """Every one, in the order of their first deployment.

        Raises:
            RunError: The record is damaged.
        """
        return _read(self._path)

    def ever(self) -> tuple[App, ...]:
        """Every one, and those that were there when a snapshot was taken.

        Raises:
            RunError: A record is damaged.
        """
        kept = sorted(self._kept.glob("*.json")) if self._kept.is_dir() else []
        return tuple(app for path in (self._path, *kept) for app in _read(path))

    def find(self, name: str) -> App | None:
        """The one of that name, if there is one."""
        return next((app for app in self.all() if app.name == name), None)

    def get(self, name: str) -> App:
        """The one of that name.

        Raises:
            NotFound: There is none.
        """
        found = self.find(name)
        if found is None:
            known = ", ".join(app.name for app in self.all())
            raise NotFound(
                f"{self._machine} has no app {name[:40]!r}",
                op="deploy",
                hint=f"it has {known}" if known else "nothing is deployed in it",
            )
        return found

    def put(self, app: App, *, replacing: bool) -> None:
        """Record one, in place of another of its name where that is meant.

        Raises:
            AlreadyExists: There is one, and it is not to be replaced.
        """
        with self._changing():
            others = [each for each in self.all() if each.name != app.name]
            if len(others) != len(self.all()) and not replacing:
                raise taken(self._machine, app.name)
            self._write((*others, app))

    def remove(self, name: str) -> None:
        """Forget one."""
        with self._changing():
            self._write(tuple(app for app in self.all() if app.name != name))

    def keep(self, label: str) -> None:
        """Keep the record as it is, with a snapshot that was taken just now while none deployed."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            data = _NONE
        draft = private_directory(self._kept) / f".{label}"
        draft.write_bytes(data)
        draft.replace(self._kept / f"{label}.json")

    def go_back(self, label: str) -> None:
        """Have the record that was kept with a snapshot; the one there is, where none was."""
        with self._changing(), suppress(FileNotFoundError):
            draft = self._path.with_name(f".{RECORDS}.{os.getpid()}")
            shutil.copyfile(self._kept / f"{label}.json", draft)
            draft.chmod(0o600)
            draft.replace(self._path)

    def discard(self, label: str) -> None:
        """Remove what was kept with a snapshot that is gone."""
        (self._kept / f"{label}.json").unlink(missing_ok=True)

    @contextmanager
    def deploying(self) -> Iterator[None]:
        """Be the only one who deploys to this machine.

        Raises:
            WrongState: Another one does.
        """
        lock = self._path.with_name("deploy.lock")
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._take(handle)
            yield
        finally:
            os.close(handle)

    def _take(self, handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WrongState(
                f"another command is deploying to {self._machine}",
                op="deploy",
                hint="try again when it is done",
            ) from None

    @contextmanager
    def _changing(self) -> Iterator[None]:
        lock = self._path.with_name(f"{RECORDS}.lock")
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _write(self, apps: tuple[App, ...]) -> None:
        draft = self._path.with_name(f".{RECORDS}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(codec.encode(_Records(apps)), file, indent=1)
        draft.replace(self._path)


def _read(path: Path) -> tuple[App, ...]:
    try:
        return codec.decode(_Records, json.loads(path.read_text())).apps
    except FileNotFoundError:
        return ()
    except (ValueError, CarrelError) as error:
        raise RunError(
            f"{path} is damaged: {error}", hint="remove the file, and deploy again"
        ) from error


def taken(machine: str, name: str) -> AlreadyExists:
    """Why a second one of a name is refused."""
    return AlreadyExists(
        f"{machine} already has an app {name}",
        op="deploy",
        hint="--restart replaces it, --app gives this one another name",
    )


# Its attendant


@contextmanager
def attended(directory: Path) -> Iterator[bool]:
    """Be the one attendant of a machine; False where there is one already."""
    handle = os.open(directory / ATTENDANT_LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not take(handle, _PATIENCE):
            yield False
            return
        os.truncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        try:
            yield True
        finally:
            os.truncate(handle, 0)
    finally:
        os.close(handle)


def take(handle: int, patience: float) -> bool:
    """Lock an open file for us alone; whether that was possible within so many seconds."""
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # Somebody who only looks whether it is held has it for a moment.
            if time.monotonic() > until:
                return False
            time.sleep(_LOOK)
        else:
            return True


def tell_attendant(directory: Path) -> bool:
    """Have a machine's attendant look at the record again; whether there is one."""
    try:
        handle = os.open(directory / ATTENDANT_LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        text = os.read(handle, 20)
        # It has the lock and may not have said yet who it is; then it reads the record anyway.
        with suppress(ProcessLookupError):
            if text.isdigit() and _has_open(int(text), handle):
                os.kill(int(text), signal.SIGHUP)
        return True
    finally:
        os.close(handle)
    return False


def _has_open(pid: int, handle: int) -> bool:
    """Whether a process has a file of ours open: the number of one that was killed may be reused.

    Where that cannot be seen, it has not.
    """
    ours = os.fstat(handle)
    with suppress(OSError):
        for fd in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                if os.path.samestat(fd.stat(), ours):
                    return True
    return False


def see_to(machine: Machine) -> None:
    """Have the apps of a running machine run, and what they write kept: by a process of its own.

    It ends with the machine. Nothing is started where nothing is deployed.
    """
    try:
        deployed = Apps(machine).all()
    except RunError as error:  # the machine itself is none the worse for it
        logger.warning("%s: %s", machine.name, error)
        return
    if not deployed or tell_attendant(machine.directory):
        return
    home = machine.directory.parent.parent
    # Whoever revives a machine has no such path in its environment, and may be no installed one.
    ours = str(Path(__file__).parents[2])
    paths = (ours, *filter(None, [os.environ.get("PYTHONPATH")]))
    starter = subprocess.Popen(
        [sys.executable, "-P", "-m", _ATTENDANT, str(home), machine.id],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    # It leaves a child behind at once, which is nobody's to wait for.
    starter.wait()
