"""A machine as it is when it has just started, kept on disk: the next of its kind begin there.

Starting a kernel and a desktop takes an imitated processor ten seconds and more; reading what they
came to takes less than one. A prototype is good for machines that would start in the very same
way, on this system, until it is started anew: it need not outlive a crash half written.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path

from carrel.errors import MachineLost, RunError
from carrel.machines.images import Image
from carrel.machines.keep import boot_id
from carrel.machines.paths import data_home, private_directory
from carrel.machines.qemu.accelerator import find_accelerator, find_qemu
from carrel.machines.qemu.command import initrd
from carrel.machines.qemu.disks import base_disk, bundle_disk
from carrel.machines.qemu.kernel import Kernel
from carrel.machines.qemu.monitor import Monitor
from carrel.machines.qemu.waking import copy_memory, read_state, shared_memory, write_state
from carrel.machines.qemu.words import Introduction
from carrel.machines.spec import Machine

__all__ = ["Prototype", "find_prototype", "keep_prototype", "likeness", "prune_prototypes"]

_MOST = 4
_SPARE = 2 << 30
_PROCESSOR = re.compile(r"^model name\s*:\s*(.*)$", re.MULTILINE)
_DRAFT, _GONE = ".draft-", ".gone-"
_NOBODY = {"NAME": "", "IDENTITY": "", "NOW": ""}


class Prototype:
    """An opened one: it stays whole while it is used, also when it is removed meanwhile.

    Raises:
        FileNotFoundError: It is not there.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
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
        draft = target.with_name(f".{target.name}.begun")
        shutil.copyfile(f"/proc/self/fd/{self._disk}", draft)
        draft.replace(target)

    def wake(self, monitor: str, patience: float, introduction: Introduction) -> None:
        """Have a machine, which was started and waits for it, go on from here.

        Raises:
            RunError: Nobody can: it is no longer there.
        """
        with Monitor(monitor, patience) as qemu:
            target = shared_memory(qemu.pid, os.O_RDWR)
            if target is None:
                raise MachineLost("the machine's memory cannot be found", op="qemu.wake")
            try:
                copy_memory(self._memory, target)
            finally:
                os.close(target)
            introduction.send()
            try:
                read_state(qemu, self._state, memory=False)
            except RunError:
                self._discard()
                raise

    def _discard(self) -> None:
        """Remove it, unless there is another by now."""
        with suppress(FileNotFoundError):
            found = (self._directory / "state").stat()
            if os.path.samestat(found, os.fstat(self._state)):
                _remove(self._directory)

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
    used = (find_qemu(), kernel.image, base_disk(image), bundle_disk())
    facts = [
        find_accelerator(),
        _PROCESSOR.findall(Path("/proc/cpuinfo").read_text())[:1],
        [[str(file), Path(file).stat().st_mtime_ns] for file in used],
        [spec.kind, str(spec.size), spec.memory_mb, spec.disk_mb, spec.cpus],
    ]
    # What it is started with, and what it does then: both as this version writes them.
    written = (files("carrel.machines.qemu") / "command.py").read_bytes()
    digest = hashlib.blake2b(json.dumps(facts).encode() + written, digest_size=12)
    digest.update(initrd(machine, image, kernel, _NOBODY, {}))
    return f"{_this_boot()}-{digest.hexdigest()}"


def find_prototype(kind: str) -> Prototype | None:
    """The machine that another of that likeness can begin as, if there is one."""
    directory = _home() / kind
    with suppress(FileNotFoundError):
        found = Prototype(directory)
        os.utime(directory)
        return found
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
    with Monitor(monitor) as qemu, _draft(home) as draft:
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


def prune_prototypes(most: int = _MOST) -> tuple[str, ...]:
    """Remove all but those used last, those of earlier boots, and what dead processes began.

    Returns:
        What was removed.
    """
    home = _home()
    ours = [path for path in home.iterdir() if path.name.startswith(_this_boot())]
    ours.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    kept = frozenset(ours[:most])
    others = [path for path in home.iterdir() if path not in kept and not _is_held(path)]
    for path in others:
        _remove(path)
    return tuple(map(str, others))


def _this_boot() -> str:
    return boot_id().replace("-", "")[:12]


def _remove(path: Path) -> None:
    """Remove one: nobody finds half of it."""
    gone = path.with_name(f"{_GONE}{secrets.token_hex(4)}")
    with suppress(FileNotFoundError):  # somebody else has done so
        path.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def _is_held(path: Path) -> bool:
    """Whether somebody is still writing it."""
    if not path.name.startswith(_DRAFT):
        return False
    with suppress(FileNotFoundError):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(handle)
    return False


@contextmanager
def _draft(home: Path) -> Iterator[Path]:
    """A directory that is gone afterwards unless it was renamed, held while it is written."""
    path = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=home))
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield path
    finally:
        os.close(handle)
        shutil.rmtree(path, ignore_errors=True)


def _home() -> Path:
    return private_directory(data_home() / "prototypes")


def _needed(memory: int, disk: Path) -> int:
    return (os.fstat(memory).st_blocks + disk.stat().st_blocks) * 512
