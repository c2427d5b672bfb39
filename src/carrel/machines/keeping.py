"""What a keeper does once its guest was started: says so, watches, clears up."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.errors import CarrelError
from carrel.machines.keep import Keep, KeeperRecord, Phase
from carrel.machines.keeper import LISTEN, LISTENS, LOCK, REPORT
from carrel.machines.linelog import note
from carrel.machines.sandbox.cgroups import Group
from carrel.machines.sandbox.child import AnyChild, Child, Forked, start_plain
from carrel.machines.sandbox.family import end_all

if TYPE_CHECKING:
    from carrel.machines.keeper import Orders

__all__ = ["Keeper", "keep"]


class Keeper:
    """A machine being kept."""

    def __init__(self, orders: Orders, stop_asked: Callable[[], bool]) -> None:
        self.keep = Keep(Path(orders["directory"]))
        self.plan = self.keep.read_plan()
        self.stop_asked = stop_asked
        self.hint: str | None = None
        self.line: socket.socket | None = None
        self.listen = LISTENS
        self._report_fd: int | None = REPORT
        self.state = replace(self._first_record(), pid=os.getpid())
        self.group = Group(tuple(map(Path, self.state.cgroups)))

    def _first_record(self) -> KeeperRecord:
        record = self.keep.read_record()
        assert record is not None  # written before we were started
        return record

    def tell(
        self,
        phase: Phase | None = None,
        *,
        cause: str | None = None,
        notes: tuple[str, ...] | None = None,
        guest_pid: int | None = None,
    ) -> None:
        """Write down what has changed."""
        now = self.state
        self.state = replace(
            now,
            phase=phase or now.phase,
            cause=cause or now.cause,
            notes=now.notes if notes is None else notes,
            guest_pid=guest_pid or now.guest_pid,
        )
        self.keep.write_record(self.state)
        if self.state.phase is not now.phase:
            self._note()

    def _note(self) -> None:
        cause = self.state.cause
        words = {
            Phase.READY: "the machine is running",
            Phase.STOPPING: "the machine is asked to stop",
            Phase.EXITED: f"the machine has ended: {cause}" if cause else "the machine has stopped",
        }
        note(self.keep.directory, "keeper", words[self.state.phase])

    def ready(self) -> None:
        """The guest has answered."""
        if self.state.phase is Phase.STARTING:
            self.tell(Phase.READY)
            self.report({})

    def report(self, message: dict[str, object]) -> None:
        """Answer whoever started this keeper, once."""
        if self._report_fd is None:
            return
        # The caller may have given up in the meantime; the machine does not depend on it.
        with suppress(BrokenPipeError):
            os.write(self._report_fd, json.dumps(message).encode() + b"\n")
        os.close(self._report_fd)
        self._report_fd = None

    def clean(self) -> None:
        """End everything that is left and remove what stood for the machine."""
        end_all(os.getpid())
        self.keep.socket.unlink(missing_ok=True)
        if not self.group.remove():
            left = ", ".join(map(str, self.group.directories))
            self.tell(notes=(*self.state.notes, f"control group not removed: {left}"))


def keep(
    orders: Orders,
    forked: tuple[int, int, int] | None,
    line: int | None,
    stop_asked: Callable[[], bool],
) -> int:
    """Keep a machine to its end.

    Args:
        orders: What the keeper was told.
        forked: The launcher or the engine with its console and status, where there is one.
        line: Our end of the engine's line.
        stop_asked: Whether somebody has asked for the end before we could listen.

    Returns:
        The keeper's exit status.
    """
    keeper = Keeper(orders, stop_asked)
    if line is not None:
        keeper.line = socket.socket(fileno=line)
    try:
        child = _adopt(forked) if forked else _start(keeper)
        keeper.tell(guest_pid=child.process.pid)
        from carrel.machines.watch import watch

        cause = watch(keeper, child)
    except (CarrelError, OSError, subprocess.SubprocessError) as error:
        cause = str(error)
    except Exception as error:  # noqa: BLE001 (the outermost boundary: the machine is cleared)
        traceback.print_exc()
        cause = f"its keeper failed: {type(error).__name__}: {error}"
    lived = keeper.state.phase is Phase.READY
    try:
        keeper.clean()
        keeper.tell(Phase.EXITED, cause=cause)
    finally:
        # Nothing of the machine is left, and whoever hears so may start it again.
        os.close(LOCK)
        keeper.report({"cause": cause or "it was stopped", "hint": keeper.hint})
    if cause is not None and lived:
        from carrel.machines.revival import leave_reviver

        leave_reviver(keeper.keep, time.time() - keeper.state.started_at)
    return 0 if cause is None else 1


def _adopt(forked: tuple[int, int, int]) -> Child[Forked]:
    pid, console, status = forked
    return Child(Forked(pid), console, status)


def _start(keeper: Keeper) -> AnyChild:
    """Start a guest without walls."""
    sandbox = keeper.plan.sandbox
    assert sandbox is not None  # a plan has it, or an engine
    argv = tuple(part.replace(LISTEN, str(LISTENS)) for part in sandbox.argv)
    try:
        return start_plain(argv, sandbox.env, (LISTENS,))
    finally:
        os.close(LISTENS)
