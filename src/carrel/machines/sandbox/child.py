"""Starting a guest: behind the walls of a plan, or as a plain process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from carrel.codec import encode
from carrel.machines.sandbox._libc import PR_SET_PDEATHSIG, prctl
from carrel.machines.sandbox.plan import SandboxPlan

__all__ = ["Child", "Failure", "read_failure", "start_plain", "start_sandbox"]


@dataclass(frozen=True, slots=True)
class Child:
    """A started guest, as its parent holds it.

    Attributes:
        process: The launcher, or the guest itself where there are no walls.
        console: Read end of what it writes.
        status: Read end that closes when the guest program runs, after a failure if there is one.
    """

    process: subprocess.Popen[bytes]
    console: int
    status: int


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
    told = json.loads(text)
    return Failure(told["step"], told["errno"], told["message"])


def start_sandbox(plan: SandboxPlan) -> Child:
    """Start the plan's program as a child of the calling thread, which it will not outlive."""
    plan = replace(plan, parent=os.getpid())
    read_plan, write_plan = os.pipe()
    read_status, write_status = os.pipe()
    # -P: the current directory is nobody's module path.
    module = "carrel.machines.sandbox.launch"
    command = [sys.executable, "-P", "-m", module, str(read_plan), str(write_status)]
    try:
        child = _start(command, _bare_env(), (read_plan, write_status, *plan.keep), read_status)
    finally:
        os.close(read_plan)
        os.close(write_status)
    # The plan may be larger than a pipe holds, so it is written while the other side reads.
    with os.fdopen(write_plan, "wb") as file:
        file.write(json.dumps(encode(plan)).encode())
    return child


def _bare_env() -> dict[str, str]:
    """What an interpreter needs to start, and not the caller's secrets.

    Process 1 of the machine is a copy of the launcher, memory and all.
    """
    needed = ("PATH", "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH")
    return {name: os.environ[name] for name in needed if name in os.environ}


def start_plain(argv: Sequence[str], env: Mapping[str, str], keep: Sequence[int]) -> Child:
    """Start a program without walls. Only for a process that has one thread."""
    read_status, write_status = os.pipe()
    parent = os.getpid()

    def die_with_parent() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    try:
        return _start(argv, env, keep, read_status, die_with_parent)
    finally:
        os.close(write_status)


def _start(
    command: Sequence[str],
    env: Mapping[str, str],
    keep: Sequence[int],
    status: int,
    first: Callable[[], None] | None = None,
) -> Child:
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
