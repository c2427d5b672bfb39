"""The file system of a sandbox.

Two steps, because a launcher that began as root can reach its sources (below a private home, say)
only before it becomes somebody else, and may mount what it likes only after:

1. `stage` binds every source below one private tmpfs.
2. `build` makes the new root from there, and `enter` moves into it and lets the old one go.
"""

from __future__ import annotations

import os
import stat

from carrel.machines.sandbox._libc import Mount, lock_mounts, mount, pivot_root, unmount
from carrel.machines.sandbox._places import AGENT_HOME, STAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from carrel.machines.sandbox.plan import SandboxPlan, Tmpfs

__all__ = ["build", "enter", "stage"]

_ROOT = f"{STAGE}/root"
_SAFE = Mount.NO_SUID | Mount.NO_DEV
_DEVICES = ("full", "null", "random", "tty", "urandom", "zero")
_DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "ptmx": "pts/ptmx",
    "stderr": "/proc/self/fd/2",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
}
# What the kernel tells about itself to anyone who can read; nothing inside needs it.
_PROC_FILES = (
    "cmdline",
    "kallsyms",
    "kcore",
    "keys",
    "key-users",
    "sched_debug",
    "timer_list",
    "sysrq-trigger",
)


def stage(plan: SandboxPlan) -> None:
    """Bind every source of the plan below a tmpfs that only this mount namespace sees."""
    mount(None, "/", None, Mount.RECURSIVE | Mount.PRIVATE)
    # What the stage covers stays reachable through these.
    sources = {name: os.open(path, os.O_PATH) for name, path, _ in _sources(plan)}
    mount("tmpfs", STAGE, "tmpfs", _SAFE, "mode=755,size=1m")
    os.mkdir(_ROOT)  # noqa: PTH102
    for name, path, writable in _sources(plan):
        place, source = f"{STAGE}/{name}", sources[name]
        _make_place(place, directory=stat.S_ISDIR(os.fstat(source).st_mode))
        try:
            mount(f"/proc/self/fd/{source}", place, None, Mount.BIND | Mount.RECURSIVE)
            lock_mounts(place, _SAFE if writable else _SAFE | Mount.READ_ONLY)
        except OSError as error:
            raise OSError(error.errno, error.strerror, f"{error.filename} ({path})") from error
        os.close(source)


def _sources(plan: SandboxPlan) -> Iterator[tuple[str, str, bool]]:
    yield "disk", plan.disk, True
    yield "home", plan.home, True
    if plan.lower is not None:
        yield "lower", plan.lower, False
    for index, bind in enumerate((*plan.binds, *plan.late_binds)):
        yield str(index), bind.source, bind.writable


def _make_place(path: str, *, directory: bool) -> None:
    if directory:
        os.mkdir(path)  # noqa: PTH102
    else:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))


def build(plan: SandboxPlan) -> None:
    """Make the new root; the caller is the first process of its process namespace."""
    if plan.lower is None:
        mount("tmpfs", _ROOT, "tmpfs", _SAFE, "mode=755,size=1m")
    else:
        disk = f"{STAGE}/disk"
        layers = f"lowerdir={STAGE}/lower,upperdir={disk}/upper,workdir={disk}/work,userxattr"
        mount("overlay", _ROOT, "overlay", _SAFE, layers)
    root = os.open(_ROOT, os.O_PATH | os.O_DIRECTORY)
    try:
        _fill(root, plan)
    finally:
        os.close(root)


def _fill(root: int, plan: SandboxPlan) -> None:
    for name, destination in plan.links:
        os.symlink(destination, name.lstrip("/"), dir_fd=root)
    for index, bind in enumerate(plan.binds):
        _show(root, bind.target, str(index))
    for tmpfs in plan.tmpfs:
        _mount_tmpfs(root, tmpfs)
    for path in plan.masks:
        _mask(root, path)
    with _Opened(root, "/proc", make=True) as proc:
        flags = _SAFE | Mount.NO_EXEC
        mount("proc", proc, "proc", flags)
    _make_devices(root, plan.shm_megabytes)
    _hide_proc_files(root)
    _show(root, AGENT_HOME, "home")
    for index, bind in enumerate(plan.late_binds, start=len(plan.binds)):
        _show(root, bind.target, str(index))


def enter() -> None:
    """Make the new root the only one."""
    os.chdir(_ROOT)
    # Stacks the old root on the new one, so that no directory is needed for it; then lets it go.
    pivot_root(".", ".")
    unmount(".")
    os.chdir("/")


class _Opened:
    """A name for `path` below `root` that follows no symbolic link on the way.

    The agent of an earlier start may have put links anywhere in its disk; followed from here they
    would lead out of it.
    """

    def __init__(
        self, root: int, path: str, *, make: bool = False, kind: int = os.O_DIRECTORY
    ) -> None:
        self._here = os.dup(root)
        try:
            self._walk(path.strip("/").split("/"), make, kind)
        except OSError:
            os.close(self._here)
            raise

    def _walk(self, parts: list[str], make: bool, kind: int) -> None:
        for index, part in enumerate(parts):
            last = index == len(parts) - 1
            if make:
                _mkdir(part, self._here)
            flags = os.O_PATH | os.O_NOFOLLOW | (kind if last else os.O_DIRECTORY)
            there = os.open(part, flags, dir_fd=self._here)
            os.close(self._here)
            self._here = there

    def __enter__(self) -> str:
        return f"/proc/self/fd/{self._here}"

    def __exit__(self, *_: object) -> None:
        os.close(self._here)


def _mkdir(name: str, parent: int) -> None:
    try:
        os.mkdir(name, 0o755, dir_fd=parent)
    except FileExistsError:
        return
    except OSError:
        # A read-only or foreign parent refuses before it looks whether the name exists.
        os.stat(name, dir_fd=parent, follow_symlinks=False)


def _show(root: int, name: str, staged: str) -> None:
    source = f"{STAGE}/{staged}"
    directory = os.path.isdir(source)  # noqa: PTH112
    kind = os.O_DIRECTORY if directory else 0
    try:
        with _Opened(root, name, make=directory, kind=kind) as target:
            mount(source, target, None, Mount.BIND | Mount.RECURSIVE)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"show {name}") from error


def _mount_tmpfs(root: int, tmpfs: Tmpfs) -> None:
    options = f"mode={tmpfs.mode},size={tmpfs.megabytes}m"
    with _Opened(root, tmpfs.target, make=True) as target:
        mount("tmpfs", target, "tmpfs", _SAFE, options)


def _mask(root: int, path: str) -> None:
    try:
        with _Opened(root, path) as target:
            mount("tmpfs", target, "tmpfs", _SAFE | Mount.READ_ONLY, "mode=555,size=4k")
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        # Not shown at all, or below a directory that the agent, too, cannot enter.
        return


def _make_devices(root: int, shm_megabytes: int) -> None:
    with _Opened(root, "/dev", make=True) as target:
        mount("tmpfs", target, "tmpfs", Mount.NO_SUID | Mount.NO_EXEC, "mode=755,size=64k")
    with _Opened(root, "/dev") as target:
        for name in _DEVICES:
            _make_place(f"{target}/{name}", directory=False)
            mount(f"/dev/{name}", f"{target}/{name}", None, Mount.BIND)
        for name, destination in _DEVICE_LINKS.items():
            os.symlink(destination, f"{target}/{name}")  # noqa: PTH211
        os.mkdir(f"{target}/pts")  # noqa: PTH102
        os.mkdir(f"{target}/shm")  # noqa: PTH102
        pts = "newinstance,ptmxmode=0666,mode=620"
        mount("devpts", f"{target}/pts", "devpts", Mount.NO_SUID | Mount.NO_EXEC, pts)
        mount("tmpfs", f"{target}/shm", "tmpfs", _SAFE, f"mode=1777,size={shm_megabytes}m")


def _hide_proc_files(root: int) -> None:
    for name in _PROC_FILES:
        try:
            with _Opened(root, f"/proc/{name}", kind=0) as target:
                mount("/dev/null", target, None, Mount.BIND)
        except FileNotFoundError:
            continue  # this kernel was built without it
