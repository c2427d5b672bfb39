"""Starting a guest: behind the walls of a plan, or as a plain process."""

from __future__ import annotations

import marshal
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Generic, TypeVar

from carrel.machines import interpreter
from carrel.machines.sandbox.launch import die_with
from carrel.machines.sandbox.plan import SandboxPlan

__all__ = [
    "AnyChild",
    "Child",
    "Failure",
    "Forked",
    "Started",
    "read_failure",
    "start_plain",
    "start_sandbox",
]


class Forked:
    """A child that was forked, as far as `subprocess.Popen` is asked for."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """How it ended; None while it lives."""
        return self._reap(os.WNOHANG)

    def wait(self) -> int:
        """Wait for its end: the status, or the signal as a negative number."""
        status = self._reap(0)
        assert status is not None
        return status

    def _reap(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Signal it, unless it has ended: its number may be somebody else's then."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it now."""
        self.send_signal(signal.SIGKILL)


Process = TypeVar("Process", subprocess.Popen[bytes], Forked)


@dataclass(frozen=True, slots=True)
class Child(Generic[Process]):
    """A started guest, as its parent holds it.

    Attributes:
        process: The launcher, or the guest itself where there are no walls.
        console: Read end of what it writes.
        status: Read end that closes when the guest program runs, after a failure if there is one.
    """

    process: Process
    console: int
    status: int


Started = Child[subprocess.Popen[bytes]]
AnyChild = Started | Child[Forked]


@dataclass(frozen=True, slots=True)
class Failure:
    """The step of a launch that did not work."""

    step: str
    errno: int | None
    message: str


def read_failure(text: bytes) -> Failure | None:
    """What came out of `Child.status`; nothing is good."""
    if not text:
        return None
    step, number, message = text.decode(errors="replace").split("\n", 2)
    return Failure(step, int(number) if number else None, message)


def start_sandbox(plan: SandboxPlan) -> Started:
    """Start the plan's program as a child of the calling thread, which it will not outlive."""
    plan = replace(plan, parent=os.getpid())
    read_plan, write_plan = os.pipe()
    read_status, write_status = os.pipe()
    module = "carrel.machines.sandbox.launch"
    command = interpreter.command(module, str(read_plan), str(write_status))
    given = (read_plan, write_status, *plan.keep)
    try:
        child = _start(command, interpreter.environment(), given, read_status)
    finally:
        os.close(read_plan)
        os.close(write_status)
    # The plan may be larger than a pipe holds, so it is written while the other side reads.
    with os.fdopen(write_plan, "wb") as file:
        file.write(marshal.dumps(asdict(plan)))
    return child


def start_plain(argv: Sequence[str], env: Mapping[str, str], keep: Sequence[int]) -> Started:
    """Start a program without walls. Only for a process that has one thread."""
    read_status, write_status = os.pipe()
    try:
        return _start(argv, env, keep, read_status, partial(die_with, os.getpid()))
    finally:
        os.close(write_status)


def _start(
    command: Sequence[str],
    env: Mapping[str, str],
    keep: Sequence[int],
    status: int,
    first: Callable[[], None] | None = None,
) -> Started:
    read_console, write_console = os.pipe()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=write_console,
            stderr=write_console,
            env=dict(env),
            pass_fds=tuple(keep),
            start_new_session=True,
            preexec_fn=first,  # noqa: PLW1509 - see start_plain
        )
    finally:
        os.close(write_console)
    return Child(process, read_console, status)
