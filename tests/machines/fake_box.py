"""A system to run commands in, for the fakes of programs that keep systems: real processes.

Process 1 of it has namespaces of its own; when that is killed, so is all within, as when a
computer's power is cut. It has this system's programs and a private `/var/lib/carrel`, or a root
of its own.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

VM = """
set -e
mount -t tmpfs -o mode=755 lib /var/lib
mkdir -p /var/lib/carrel
{disk}
mount -t overlay -o lowerdir=/etc,upperdir={here}/etc,workdir={here}/etc-work etc /etc
mount --bind {here}/home /home
mount -t proc proc /proc
# Whatever else is written would be written to the real system.
mount -o remount,bind,ro /
exec sleep infinity
"""
ROOTED = """
set -e
mount --bind {root} {root}
mount -t proc proc {root}/proc
mount -t tmpfs -o mode=755 dev {root}/dev
for node in null:3 zero:5 urandom:9; do
    mknod -m 666 {root}/dev/${{node%:*}} c 1 ${{node#*:}}
done
mkdir -p {root}/mnt/wsl
mount -t tmpfs wsl {root}/mnt/wsl
touch {root}/mnt/wsl/shared-by-all
exec chroot {root} /bin/sleep infinity
"""

# Those of a fake that is a thread of the tests' are waited for by nobody, and meant to be.
_holders: list[subprocess.Popen[bytes]] = []


class Box:
    """One system.

    Args:
        directory: Where its disk is, and what says that it runs.
        root: Its own root, where it has one.
    """

    def __init__(self, directory: Path, root: Path | None = None) -> None:
        self._directory = directory
        self._root = root
        self._mark = directory / "box.pid"

    def make(self, lower: Path | None = None) -> None:
        """Make its disk, over another one where that is given."""
        for name in ("disk", "work", "etc", "etc-work", "home"):
            (self._directory / name).mkdir(parents=True)
        if lower is not None:
            (self._directory / "lower").write_text(str(lower))

    def copy_to(self, other: Path, *, layered: bool = True) -> None:
        """Give another system what this one has; layered over it, where it stays as it is."""
        lower = self._directory / "lower"
        names = ["etc", "home"]
        if lower.exists():
            Box(other).make(Path(lower.read_text()))
        else:
            Box(other).make(self._directory / "disk" if layered else None)
        if lower.exists() or not layered:
            names.append("disk")
        for name in names:
            words = ["cp", "-a", f"{self._directory}/{name}/.", f"{other}/{name}/"]
            subprocess.run(words, check=True, timeout=60)

    def _script(self) -> str:
        if self._root is not None:
            return ROOTED.format(root=self._root)
        disk, lower = self._directory / "disk", self._directory / "lower"
        mount = f"mount --bind {disk} /var/lib/carrel"
        if lower.exists():
            layers = f"lowerdir={lower.read_text()},upperdir={disk},workdir={self._directory}/work"
            mount = f"mount -t overlay -o {layers} overlay /var/lib/carrel"
        return VM.format(disk=mount, here=self._directory)

    def start(self) -> None:
        """Start process 1, and return when it is that."""
        apart = ["--mount", "--pid", "--ipc", "--uts", "--propagation", "private"]
        if self._root is None:
            apart.append("--net")
        with (self._directory / "serial.log").open("ab") as log:
            holder = subprocess.Popen(
                ["unshare", *apart, "--fork", "--kill-child", "/bin/sh", "-c", self._script()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        _holders.append(holder)
        until = time.monotonic() + 60
        while (pid := self._first(holder.pid)) is None:
            if holder.poll() is not None or time.monotonic() > until:
                raise RuntimeError((self._directory / "serial.log").read_text()[-300:])
            time.sleep(0.01)
        self._mark.write_text(f"{pid} {_started(pid)}")

    def _first(self, holder: int) -> int | None:
        """Process 1, once it has become what it stays."""
        try:
            children = Path(f"/proc/{holder}/task/{holder}/children").read_text().split()
            for child in map(int, children):
                if b"sleep" in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")[0]:
                    return child
        except (FileNotFoundError, ProcessLookupError):
            return None
        return None

    @property
    def pid(self) -> int | None:
        """Process 1 as this system numbers it; None while it is off."""
        try:
            pid, started = self._mark.read_text().split()
            return int(pid) if _started(int(pid)) == started else None
        except (FileNotFoundError, ProcessLookupError, ValueError):
            return None

    def stop(self) -> None:
        """Cut the power."""
        pid = self.pid
        if pid is not None:
            handle = os.pidfd_open(pid)
            try:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                _wait(handle)
            finally:
                os.close(handle)
        self._mark.unlink(missing_ok=True)

    def within(self, *argv: str) -> list[str]:
        """The command that runs a program in it as root."""
        spaces = ["--mount", "--pid", "--ipc", "--uts"]
        spaces += ["--net"] if self._root is None else ["--root", "--wd=/"]
        return ["nsenter", "--target", str(self.pid), *spaces, "--", *argv]

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._directory, ignore_errors=True)


def _wait(handle: int) -> None:
    import select

    poller = select.poll()
    poller.register(handle, select.POLLIN)
    if not poller.poll(30_000):
        raise RuntimeError("it does not end")


def _started(pid: int) -> str:
    """When a process began: with its number, who it is."""
    text = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    if text[0] in ("Z", "X"):
        raise ProcessLookupError
    return text[19]
