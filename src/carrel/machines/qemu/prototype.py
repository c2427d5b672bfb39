"""A machine as it is when it has just started, kept on disk: the next of its kind begin there.

Starting a kernel and a desktop takes an imitated processor ten seconds and more; reading what they
came to takes less than one. A prototype is good for machines that would start in the very same
way, on this system, until it is started anew: it need not outlive a crash half written.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from carrel.errors import MachineLost
from carrel.machines.images import Image
from carrel.machines.keep import boot_id
from carrel.machines.paths import data_home, private_directory
from carrel.machines.providers._guest import guest_argv
from carrel.machines.qemu.accelerator import find_accelerator, find_qemu
from carrel.machines.qemu.disks import base_disk, bundle_disk
from carrel.machines.qemu.kernel import Kernel
from carrel.machines.qemu.monitor import Monitor
from carrel.machines.qemu.waking import copy_memory, read_state, shared_memory, write_state
from carrel.machines.spec import Machine

__all__ = ["Prototype", "find_prototype", "keep_prototype", "likeness", "prune_prototypes"]

_MOST = 4
_SPARE = 2 << 30
_PROCESSOR = re.compile(r"^model name\s*:\s*(.*)$", re.MULTILINE)


class Prototype:
    """An opened one: it stays whole while it is used, also when it is removed meanwhile.

    Raises:
        FileNotFoundError: It is not there.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._files: list[int] = []
        try:
            for name in ("memory", "state", "disk.qcow2"):
                self._files.append(os.open(directory / name, os.O_RDONLY | os.O_CLOEXEC))
        except OSError:
            self.close()
            raise
        self._memory, self._state, self._disk = self._files

    def copy_disk(self, target: Path) -> None:
        """Give a machine the disk of this one."""
        shutil.copyfile(f"/proc/self/fd/{self._disk}", target)

    def wake(self, monitor: str, patience: float) -> None:
        """Have a machine, which was started and waits for it, go on from here."""
        with Monitor(monitor, patience) as qemu:
            target = shared_memory(qemu.pid, os.O_RDWR)
            if target is None:
                raise MachineLost("the machine's memory cannot be found", op="qemu.wake")
            try:
                copy_memory(self._memory, target)
            finally:
                os.close(target)
            read_state(qemu, self._state, memory=False)

    def discard(self) -> None:
        """Remove it: nobody can wake up in it."""
        shutil.rmtree(self.directory, ignore_errors=True)

    def close(self) -> None:
        """Let go of it."""
        for handle in self._files:
            os.close(handle)


def likeness(machine: Machine, image: Image, kernel: Kernel) -> str | None:
    """A word for everything that a machine's first start depends on.

    None for one that is told something of its own, such as a key: that is not for others.
    """
    spec = machine.spec
    if spec.env:
        return None
    files = (find_qemu(), kernel.image, kernel.initrd, base_disk(image), bundle_disk())
    facts = [
        boot_id(),
        find_accelerator(),
        _PROCESSOR.findall(Path("/proc/cpuinfo").read_text())[:1],
        [[str(file), Path(file).stat().st_mtime_ns] for file in files],
        list(guest_argv(image.python, spec)),
        [spec.kind, str(spec.size), spec.memory_mb, spec.disk_mb, spec.pids, spec.cpus],
    ]
    return hashlib.blake2b(json.dumps(facts).encode(), digest_size=12).hexdigest()


def find_prototype(kind: str) -> Prototype | None:
    """The machine that another of that likeness can begin as, if there is one."""
    directory = _home() / kind
    with suppress(FileNotFoundError):
        os.utime(directory)
        return Prototype(directory)
    return None


def keep_prototype(kind: str, monitor: str, disk: Path) -> bool:
    """Keep a machine that has just started; it is halted afterwards.

    Args:
        kind: Its likeness.
        monitor: The socket of its QEMU.
        disk: Its disk.

    Returns:
        Whether there was room for it.
    """
    home = _home()
    with Monitor(monitor) as qemu, _Draft(home) as draft:
        source = shared_memory(qemu.pid)
        if source is None or _needed(source, disk) + _SPARE > shutil.disk_usage(home).free:
            return False
        try:
            with (draft / "state").open("wb") as state:
                write_state(qemu, state.fileno(), memory=False)
            with (draft / "memory").open("wb") as memory:
                memory.truncate(os.fstat(source).st_size)
                copy_memory(source, memory.fileno())
        finally:
            os.close(source)
        shutil.copyfile(disk, draft / "disk.qcow2")
        with suppress(OSError):  # somebody has kept one in the meantime
            draft.rename(home / kind)
    prune_prototypes()
    return True


def prune_prototypes(most: int = _MOST) -> None:
    """Remove all but those used last."""
    kept = [path for path in _home().iterdir() if not path.name.startswith(".")]
    kept.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[most:]:
        shutil.rmtree(path, ignore_errors=True)


class _Draft:
    """A directory that is gone unless it was renamed."""

    def __init__(self, home: Path) -> None:
        self._path = Path(tempfile.mkdtemp(prefix=".draft-", dir=home))

    def __enter__(self) -> Path:
        return self._path

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._path, ignore_errors=True)


def _home() -> Path:
    return private_directory(data_home() / "prototypes")


def _needed(memory: int, disk: Path) -> int:
    return (os.fstat(memory).st_blocks + disk.stat().st_blocks) * 512
