"""The programs of a desktop session: started, watched, started again, and all ended."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import anyio

from carrel.guest.family import carries, read_stat, signal_all
from carrel.guest.server_start import MARK

__all__ = ["MARK", "Part", "sweep"]

_LOOK_AGAIN = 0.02

GRACE = 0.5
"""Seconds a program has to end by itself; some ignore the first signal while they start."""


class Adopted:
    """A child that somebody else started, as far as `subprocess.Popen` is asked for."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def poll(self) -> int | None:
        """How it ended; None while it lives."""
        return self._reap(os.WNOHANG)

    def wait(self) -> int:
        """Wait for its end: the status, or the signal as a negative number."""
        code = self._reap(0)
        assert code is not None
        return code

    def _reap(self, options: int) -> int | None:
        if self._code is None:
            pid, status = os.waitpid(self.pid, options)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code

    def send_signal(self, number: int) -> None:
        """Signal it, unless it has ended: its number may be somebody else's then."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it now."""
        self.send_signal(signal.SIGKILL)


class Part:
    """One program; `start` it, as often as it dies."""

    def __init__(self, argv: list[str], env: Mapping[str, str], cwd: Path) -> None:
        self.name = argv[0]
        self.restarts = 0
        self._argv = argv
        self._env = dict(env)
        self._cwd = cwd
        self._popen: subprocess.Popen[bytes] | Adopted | None = None

    def adopt(self, pid: int) -> None:
        """Watch over one that runs already, a child of this process."""
        self._popen = Adopted(pid)

    def start(
        self,
        *,
        stdout: int = subprocess.DEVNULL,
    ) -> None:
        """Start it in a session of its own."""
        self._popen = subprocess.Popen(
            [*_tether(), *self._argv],
            env=self._env,
            cwd=self._cwd,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    async def wait(self) -> str:
        """Wait until it has ended; say how."""
        popen = self._popen
        assert popen is not None
        if popen.poll() is None:
            try:
                fd = os.pidfd_open(popen.pid)
            except OSError:  # some kernels lack it
                while popen.poll() is None:  # noqa: ASYNC110 - nobody else will tell
                    await anyio.sleep(_LOOK_AGAIN)
            else:
                try:
                    await anyio.wait_readable(fd)
                finally:
                    os.close(fd)
        code = popen.wait()
        if code < 0:
            return f"{self.name} was killed by signal {-code}"
        return f"{self.name} ended with exit status {code}"

    async def end(self) -> None:
        """Ask it to end, and kill it when it does not."""
        popen = self._popen
        if popen is None or popen.poll() is not None:
            return
        popen.terminate()
        # A stopped program cannot act on that.
        popen.send_signal(signal.SIGCONT)
        with anyio.move_on_after(GRACE):
            await self.wait()
        if popen.poll() is None:
            popen.kill()
            await self.wait()


def _tether() -> list[str]:
    """What ends a program when we are killed and cannot end it ourselves."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM"] if setpriv else []


def sweep(mark: str) -> None:
    """End every process of a desk, also those that left the family of whoever started them."""
    wanted = f"{MARK}={mark}".encode()
    # Again, because something may have forked between the look and the signal.
    for _ in range(10):
        victims: dict[int, int] = {}
        with os.scandir("/proc") as entries:
            pids = [int(entry.name) for entry in entries if entry.name.isdigit()]
        for pid in pids:
            row = read_stat(pid) if carries(pid, wanted) else None
            if row is not None:
                victims[pid] = row[3]
        if not signal_all(victims, signal.SIGKILL):
            return
