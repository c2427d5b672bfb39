"""The files by which a machine's keeper and everybody else know of each other."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

from carrel.codec import decode, encode
from carrel.errors import CarrelError, WrongState
from carrel.machines.sandbox.plan import SandboxPlan
from carrel.machines.spec import MachineSpec

__all__ = ["GIVEN", "LINE", "EnginePlan", "Keep", "KeeperPlan", "KeeperRecord", "Phase", "boot_id"]

LINE = "{line}"
"""Stands in an engine's command line for the number of the descriptor of the guest's line."""

GIVEN = "{given}"
"""Stands there for the number of a descriptor that the engine is given by whoever starts it."""

_BACKLOG = 128
_LOCK_PATIENCE = 2.0


class Phase(StrEnum):
    """Where a keeper is."""

    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"
    EXITED = "exited"


@dataclass(frozen=True, slots=True)
class EnginePlan:
    """A program that is the machine, or holds it, for as long as it runs.

    It ends on SIGTERM, and with its line. Its standard error is the machine's console.

    Attributes:
        argv: Its command line; `LINE` and `GIVEN` in it stand for numbers of descriptors.
        env: All of its environment.
        line: Where it carries the guest's line: on its own standard input and output, or on the
            descriptor that `LINE` stands for, a connected socket.
        grouped: Whether the machine's limits are those of a control group that it joins.
        pids: Most processes of this system's, where the machine's own do not count one to one.
        tree: The image's tree that the machine stands on, where it does.
        by_guest: Whether the guest is asked to end first, because SIGTERM would only cut the
            machine off from its power.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    line: Literal["stdio", "socket"] = "stdio"
    grouped: bool = False
    pids: int | None = None
    tree: str | None = None
    by_guest: bool = False


@dataclass(frozen=True, slots=True)
class KeeperPlan:
    """What a keeper is asked to do: make walls and run a guest behind them, or run an engine.

    Attributes:
        sandbox: The walls, and the guest's command line and environment.
        walls: Whether to build them, or only to run the command.
        engine: What makes the machine instead.
    """

    machine_id: str
    spec: MachineSpec
    sandbox: SandboxPlan | None = None
    walls: bool = True
    engine: EnginePlan | None = None

    @property
    def tree(self) -> str | None:
        """The image's tree that the machine stands on; None where it has none of its own."""
        if self.engine is not None:
            return self.engine.tree
        return self.sandbox.lower if self.sandbox is not None else None

    @property
    def contains(self) -> bool:
        """Whether the machine reaches nothing but what it is given."""
        return self.engine is not None or self.walls

    @property
    def grouped(self) -> bool:
        """Whether its processes are in a control group of their own."""
        return self.engine.grouped if self.engine is not None else self.walls


@dataclass(frozen=True, slots=True)
class KeeperRecord:
    """What a keeper says of itself; true only while it holds its lock.

    Attributes:
        pid: The keeper; 0 before it has said so.
        cause: Why it ended; None after a stop that was asked for.
        notes: Promises that could not be kept.
        guest_pid: The launcher or plain process below the keeper.
        cgroups: Directories of its control groups.
        boot: Which run of this system it belongs to.
    """

    pid: int
    phase: Phase
    started_at: float
    cause: str | None = None
    notes: tuple[str, ...] = ()
    guest_pid: int | None = None
    cgroups: tuple[str, ...] = ()
    boot: str = field(default="")


def boot_id() -> str:
    """Changes whenever this system is restarted."""
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


class Keep:
    """The directory of one machine."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.plan = directory / "plan.json"
        self.record = directory / "keeper.json"
        self.socket = directory / "guest.sock"
        self.control = directory / "keeper.sock"
        self.console = directory / "console.log"
        self.decisions = directory / "egress.jsonl"
        self.traffic = directory / "traffic"
        self.disk = directory / "disk"
        self.home = directory / "home"
        self.etc = directory / "etc"
        self.lock_file = directory / "keeper.lock"

    @contextmanager
    def lock(self) -> Iterator[int]:
        """Be the keeper, or start one: the lock lasts as long as any copy of the descriptor.

        Raises:
            WrongState: Another one is.
        """
        handle = os.open(self.lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._take(handle)
            yield handle
        finally:
            os.close(handle)

    def _take(self, handle: int) -> None:
        until = time.monotonic() + _LOCK_PATIENCE
        while True:
            try:
                return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                # A passer-by who looks whether it is held holds it for an instant.
                if time.monotonic() > until:
                    raise WrongState(
                        "this machine is already running", op="machine.start"
                    ) from None
                time.sleep(0.005)

    def is_held(self) -> bool:
        """Whether a keeper lives."""
        try:
            handle = os.open(self.lock_file, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            # Shared, so that two who look do not take each other for a keeper.
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(handle)
        return False

    def listen(self) -> socket.socket:
        """Make the socket that everybody will reach the guest by."""
        draft = self.socket.with_name(f".{self.socket.name}")
        draft.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # The path may be longer than a socket address.
        directory = os.open(self.directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            listener.bind(f"/proc/self/fd/{directory}/{draft.name}")
            draft.chmod(0o600)
            listener.listen(_BACKLOG)
            # Whoever sees it can connect to it.
            draft.replace(self.socket)
        except BaseException:
            listener.close()
            raise
        finally:
            os.close(directory)
        return listener

    def read_plan(self) -> KeeperPlan:
        """What the keeper was asked to do."""
        return decode(KeeperPlan, json.loads(self.plan.read_text()))

    def write_plan(self, plan: KeeperPlan) -> None:
        """Say what the next keeper is to do."""
        _replace(self.plan, json.dumps(encode(plan), indent=1))

    def read_record(self) -> KeeperRecord | None:
        """What the last keeper said; None where none ever did. Damage is told as its cause."""
        try:
            return decode(KeeperRecord, json.loads(self.record.read_text()))
        except FileNotFoundError:
            return None
        except (ValueError, CarrelError) as error:
            cause = f"{self.record.name} is damaged: {error}"
            return KeeperRecord(pid=0, phase=Phase.EXITED, started_at=0.0, cause=cause)

    def write_record(self, record: KeeperRecord) -> None:
        """Replace the record in one step; on a full disk, write over what it said before."""
        text = json.dumps(encode(record))
        try:
            _replace(self.record, text)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT) or not self.record.exists():
                raise
            # Its room is taken already, and a machine that filled the disk must still be told of.
            with self.record.open("r+") as file:
                file.write(text)
                file.truncate()


def _replace(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(text)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
