"""One process per running machine: starts its guest, holds its way out, sees to its end.

`python -m carrel.machines.keeper MACHINE_DIRECTORY REPORT_FD`. It leaves its caller's session,
starts the guest before it loads what it needs itself, and writes one line to `REPORT_FD`: `{}` when
the guest has answered, or why it never did.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from carrel.errors import CarrelError
from carrel.machines.keep import Keep, KeeperPlan, KeeperRecord, Phase, boot_id
from carrel.machines.sandbox._libc import prctl
from carrel.machines.sandbox.cgroups import Group, Limits
from carrel.machines.sandbox.child import Child, start_plain, start_sandbox
from carrel.machines.sandbox.family import end_all

__all__ = ["LISTEN", "main"]

LISTEN = "{listen}"
"""Stands in a guest's command line for the number of the descriptor it listens on."""

_BACKLOG = 128
_PR_SET_CHILD_SUBREAPER = 36


class Keeper:
    """A machine being kept, up to the moment its guest has been started."""

    def __init__(self, keep: Keep, plan: KeeperPlan, report_fd: int) -> None:
        self.keep = keep
        self.plan = plan
        self.group = Group()
        self.stop_asked = False
        self.hint: str | None = None
        self._report_fd: int | None = report_fd
        self.state = KeeperRecord(
            pid=os.getpid(), phase=Phase.STARTING, started_at=time.time(), boot=boot_id()
        )

    def launch(self) -> Child:
        """Start the guest with the socket everybody will reach it by."""
        self.tell()
        sandbox = self.plan.sandbox
        with _listen(self.keep.socket) as listener:
            number = listener.fileno()
            argv = tuple(part.replace(LISTEN, str(number)) for part in sandbox.argv)
            if self.plan.walls:
                self._make_group()
                cgroups = tuple(map(str, self.group.directories))
                changed = replace(sandbox, argv=argv, keep=(number,), cgroups=cgroups)
                if self.group.counts_processes():
                    # Two equal limits: only the group's tells when it is reached.
                    changed = replace(changed, processes=0)
                child = start_sandbox(changed)
            else:
                child = start_plain(argv, sandbox.env, (number,))
        self.tell(guest_pid=child.process.pid)
        return child

    def _make_group(self) -> None:
        spec = self.plan.spec
        limits = Limits(memory_mb=spec.memory_mb, pids=spec.pids, cpus=spec.cpus)
        self.group = Group.make(self.plan.machine_id, limits)
        self.tell(
            cgroups=tuple(map(str, self.group.directories)),
            notes=self.state.notes + self.group.notes,
        )

    def tell(
        self,
        phase: Phase | None = None,
        *,
        cause: str | None = None,
        notes: tuple[str, ...] | None = None,
        guest_pid: int | None = None,
        cgroups: tuple[str, ...] | None = None,
    ) -> None:
        """Write down what has changed."""
        now = self.state
        self.state = replace(
            now,
            phase=phase or now.phase,
            cause=cause or now.cause,
            notes=now.notes if notes is None else notes,
            guest_pid=guest_pid or now.guest_pid,
            cgroups=now.cgroups if cgroups is None else cgroups,
        )
        self.keep.write_record(self.state)

    def remember_stop(self, *_: object) -> None:
        """Handle a SIGTERM."""
        self.stop_asked = True

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


def _listen(path: Path) -> socket.socket:
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # The path may be longer than a socket address; our directory is not.
    os.chdir(path.parent)
    listener.bind(path.name)
    path.chmod(0o600)
    listener.listen(_BACKLOG)
    return listener


def _detach() -> None:
    """Become nobody's child, so that no long-lived caller has to reap us."""
    if os.fork():
        os._exit(0)
    os.umask(0o077)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _keep(keep: Keep, report_fd: int) -> int:
    keeper = Keeper(keep, keep.read_plan(), report_fd)
    # A stop that comes before anybody can act on it is remembered.
    signal.signal(signal.SIGTERM, keeper.remember_stop)
    try:
        child = keeper.launch()
        from carrel.machines.watch import watch  # loads while the guest starts

        cause = watch(keeper, child)
    except (CarrelError, OSError, subprocess.SubprocessError) as error:
        cause = str(error)
    except Exception as error:  # noqa: BLE001 (the outermost boundary: the machine is cleared)
        traceback.print_exc()
        cause = f"its keeper failed: {type(error).__name__}: {error}"
    try:
        keeper.clean()
        keeper.tell(Phase.EXITED, cause=cause)
    finally:
        keeper.report({"cause": cause or "it was stopped", "hint": keeper.hint})
    return 0 if cause is None else 1


def main() -> NoReturn:
    """Keep one machine until it ends."""
    keep, report_fd = Keep(Path(sys.argv[1])), int(sys.argv[2])
    os.set_inheritable(report_fd, False)
    _detach()
    try:
        with keep.lock():
            status = _keep(keep, report_fd)
    except CarrelError as error:
        os.write(report_fd, json.dumps({"cause": error.message}).encode() + b"\n")
        status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
