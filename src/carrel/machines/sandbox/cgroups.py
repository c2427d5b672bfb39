"""Limits on what all processes of a machine use together: control groups, version 1 and 2.

A machine's group is named `carrel-` and its id. Root makes it at the top of each hierarchy. Anyone
else makes it in the part of the tree that systemd has given them, where there is one. What cannot
be limited is said in `Group.notes`, never passed over.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Group", "Limits", "stray_groups"]

PREFIX = "carrel-mac_"
_V1_CONTROLLERS = ("memory", "pids", "cpu", "cpuacct", "freezer")
_V2_CONTROLLERS = ("memory", "pids", "cpu")
_PERIOD_US = 100_000
_FIRST_TURN = 0.05
_LET_GO = 0.01
_DELEGATE = "systemd-run --user --scope -p Delegate=yes carrel …"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a machine may use; 0 cpus is no limit."""

    memory_mb: int
    pids: int
    cpus: int = 0


@dataclass(frozen=True, slots=True)
class _Hierarchy:
    """One mounted tree; version 2 has no names of its own in `controllers`."""

    mount: Path
    controllers: tuple[str, ...]


def _read_mounts() -> str:
    return Path("/proc/self/mountinfo").read_text()


def _own_group() -> str:
    """Our own place in the version 2 tree."""
    text = Path("/proc/self/cgroup").read_text()
    return next((line[3:] for line in text.splitlines() if line.startswith("0::")), "/")


def _hierarchies(mountinfo: str) -> tuple[_Hierarchy, ...]:
    found = []
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        kind, *rest = after.split()
        mount = Path(before.split()[4])
        if kind == "cgroup2":
            found.append(_Hierarchy(mount, ()))
        elif kind == "cgroup":
            found.append(_Hierarchy(mount, tuple(rest[-1].split(","))))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Group:
    """The directories that make up one machine's group, and what they could not promise."""

    directories: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def make(cls, machine_id: str, limits: Limits) -> Group:
        """Make the group and set its limits. Never fails: what did not work becomes a note."""
        found = _hierarchies(_read_mounts())
        name = f"carrel-{machine_id}"
        made, why = _make_v1(found, name) if _has_v1(found) else _make_v2(found, name)
        group = cls(tuple(made))
        notes = group._set_limits(limits, why)
        return cls(group.directories, notes)

    @classmethod
    def of(cls, pid: int, name: str) -> Group:
        """The group with that word in its name which a process is in, made by whomever.

        It is of no directories where there is none, or none that can be seen from here.
        """
        try:
            text = Path(f"/proc/{pid}/cgroup").read_text()
        except OSError:
            return cls()
        places = _places(text, _hierarchies(_read_mounts()), name)
        return cls(tuple(path for path in places if path.is_dir()))

    def expect_member(self) -> None:
        """Let a process join soon without a wait.

        The first move of a process between groups takes the kernel 10 ms, the next at once none. So
        this moves ourselves to where we are, while the process that is to join still loads.
        """
        number = str(os.getpid())
        for directory in self.directories:
            if number in (directory.parent / "cgroup.procs").read_text().split():
                with suppress(OSError):  # then it takes its time
                    (directory.parent / "cgroup.procs").write_text(number)
                return

    def _set_limits(self, limits: Limits, why: str) -> tuple[str, ...]:
        size = str(limits.memory_mb << 20)
        set_memory = self._write(("memory.max", "memory.limit_in_bytes"), size)
        # Without these the rest would go to swap; not every kernel counts it.
        self._write(("memory.swap.max",), "0")
        self._write(("memory.memsw.limit_in_bytes",), size)
        self._write(("pids.max",), str(limits.pids))
        notes = [] if set_memory else [f"memory limit not enforced: {why}"]
        if limits.cpus:
            quota = limits.cpus * _PERIOD_US
            set_cpu = self._write(("cpu.max",), f"{quota} {_PERIOD_US}")
            set_cpu = self._write(("cpu.cfs_quota_us",), str(quota)) or set_cpu
            notes += [] if set_cpu else [f"processor limit not enforced: {why}"]
        return tuple(notes)

    def _find(self, *names: str) -> Path | None:
        for directory in self.directories:
            for name in names:
                if (directory / name).exists():
                    return directory / name
        return None

    def _write(self, names: tuple[str, ...], text: str) -> bool:
        path = self._find(*names)
        if path is None:
            return False
        try:
            path.write_text(text)
        except OSError:
            return False
        return True

    def _read(self, *names: str) -> str | None:
        path = self._find(*names)
        try:
            return None if path is None else path.read_text()
        except OSError:
            return None  # removed in between

    def _count(self, key: str, *names: str) -> int | None:
        for line in (self._read(*names) or "").splitlines():
            name, _, value = line.partition(" ")
            if name == key:
                return int(value)
        return None

    def memory_bytes(self) -> int | None:
        """What it uses now."""
        return _number(self._read("memory.current", "memory.usage_in_bytes"))

    def counts_processes(self) -> bool:
        """Whether it limits how many there are."""
        return (self._read("pids.max") or "max").strip() != "max"

    def processes(self) -> int | None:
        """How many processes and threads it has."""
        return _number(self._read("pids.current"))

    def cpu_seconds(self) -> float | None:
        """Processor time used since the start."""
        nanoseconds = _number(self._read("cpuacct.usage"))
        if nanoseconds is not None:
            return nanoseconds / 1e9
        microseconds = self._count("usage_usec", "cpu.stat")
        return None if microseconds is None else microseconds / 1e6

    def reached(self) -> tuple[str, ...]:
        """Which limits were met so far, in words."""
        killed = self._count("oom_kill", "memory.events", "memory.oom_control")
        refused = self._count("max", "pids.events")
        said = []
        if killed:
            said.append(f"memory limit reached: {killed} process(es) killed by the kernel")
        if refused:
            said.append(f"process limit reached: {refused} refused")
        return tuple(said)

    def freeze(self, frozen: bool) -> bool:
        """Stop or let go every process; False where this system cannot."""
        if self._find("freezer.state"):
            return self._write(("freezer.state",), "FROZEN" if frozen else "THAWED")
        return self._write(("cgroup.freeze",), str(int(frozen)))

    def can_freeze(self) -> bool:
        """Whether it has a freezer."""
        return self._find("freezer.state", "cgroup.freeze") is not None

    def frozen(self) -> bool:
        """Whether every process is stopped now."""
        state = self._read("freezer.state")
        if state is not None:
            return state.strip() == "FROZEN"
        return self._count("frozen", "cgroup.events") == 1

    def halt(self, patience: float = 30.0) -> bool:
        """Stop every process and wait until they have; whether they have.

        One that is waiting for a busy disk stops only when the disk has answered. And with version
        1 a process caught while it starts another (`vfork`) waits for a child that is halted
        already, for ever: both are let go for a moment, then halted again.
        """
        until = time.monotonic() + patience
        turn = _FIRST_TURN
        while time.monotonic() < until:
            if not self.freeze(True):
                return False
            if self._wait_frozen(min(time.monotonic() + turn, until)):
                return True
            self.freeze(False)
            time.sleep(_LET_GO)
            turn *= 2
        return False

    def _wait_frozen(self, until: float) -> bool:
        while not self.frozen():
            if time.monotonic() > until:
                return False
            time.sleep(0.002)
        return True

    def members(self) -> frozenset[int]:
        """The processes in it, as this process sees them."""
        found: set[int] = set()
        for directory in self.directories:
            try:
                found |= {int(pid) for pid in (directory / "cgroup.procs").read_text().split()}
            except OSError:
                continue  # removed in between
        return frozenset(found)

    def kill(self) -> None:
        """End every process in it."""
        if self._write(("cgroup.kill",), "1"):
            return
        self.freeze(True)
        for pid in self.members():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        # A frozen process of version 1 dies only when it is let go.
        self.freeze(False)

    def discard(self) -> bool:
        """Remove the directories if nobody is in them; whether they are gone."""
        left = [directory for directory in self.directories if not _remove(directory)]
        return not left

    def remove(self, patience: float = 2.0) -> bool:
        """Kill what is left and remove the directories; whether they are gone."""
        until = time.monotonic() + patience
        left = [directory for directory in self.directories if not _remove(directory)]
        while left and time.monotonic() < until:
            self.kill()
            time.sleep(0.005)
            left = [directory for directory in left if not _remove(directory)]
        return not left


def _places(groups: str, mounted: Iterable[_Hierarchy], name: str) -> Iterator[Path]:
    """Where the groups with a word in their names are that a process is in, or below."""
    for line in groups.splitlines():
        _, kinds, place = line.split(":", 2)
        before, found, rest = place.partition(name)
        own = f"{before}{found}{rest.partition('/')[0]}".lstrip("/")
        for each in mounted if found else ():
            if set(kinds.split(",")) & set(each.controllers or ("",)):
                yield each.mount / own


def _number(text: str | None) -> int | None:
    return int(text) if text and text.strip().isdecimal() else None


def _remove(directory: Path) -> bool:
    try:
        directory.rmdir()
    except FileNotFoundError:
        return True
    except OSError as error:
        if error.errno not in (errno.EBUSY, errno.EACCES, errno.EPERM):
            raise
        return False
    return True


def _has_v1(found: Iterable[_Hierarchy]) -> bool:
    return any("memory" in hierarchy.controllers for hierarchy in found)


def _make_v1(found: Iterable[_Hierarchy], name: str) -> tuple[list[Path], str]:
    made: list[Path] = []
    why = "the kernel offers no memory control group"
    for hierarchy in found:
        if not set(_V1_CONTROLLERS) & set(hierarchy.controllers):
            continue
        directory = hierarchy.mount / name
        try:
            directory.mkdir(exist_ok=True)
            made.append(directory)
        except OSError as error:
            why = f"{error.strerror} on {hierarchy.mount} (control groups version 1 need root)"
    return made, why


def _make_v2(found: Iterable[_Hierarchy], name: str) -> tuple[list[Path], str]:
    why = "no control groups are mounted"
    for hierarchy in found:
        for parent in _parents(hierarchy.mount):
            try:
                return [_make_below(parent, name)], "the kernel offers no such controller here"
            except OSError as error:
                why = f"{error.strerror} on {parent}; try: {_DELEGATE}"
    return [], why


def _parents(mount: Path) -> Iterator[Path]:
    """Where a version 2 group may go, best first."""
    if os.geteuid() == 0:
        yield mount
    here = mount / _own_group().lstrip("/")
    yield from (path for path in (here, *here.parents) if path.is_relative_to(mount))


def _make_below(parent: Path, name: str) -> Path:
    # To move a process needs this right on the nearest common parent, which is this directory:
    # it lies on the way to our own group.
    if not os.access(parent / "cgroup.procs", os.W_OK):
        raise PermissionError(errno.EACCES, "not delegated to you", str(parent))
    offered = (parent / "cgroup.controllers").read_text().split()
    enabled = (parent / "cgroup.subtree_control").read_text().split()
    missing = [c for c in _V2_CONTROLLERS if c in offered and c not in enabled]
    if missing:
        (parent / "cgroup.subtree_control").write_text(" ".join(f"+{c}" for c in missing))
    directory = parent / name
    directory.mkdir(exist_ok=True)
    return directory


def stray_groups(known: frozenset[str], age: float = 60.0) -> tuple[Group, ...]:
    """Groups with our name that belong to no machine in `known`, each in one hierarchy.

    They may belong to another store's machine: so only old ones are told, and whoever removes them
    must not do so while somebody is in them.
    """
    found = _hierarchies(_read_mounts())
    places = [h.mount for h in found if set(_V1_CONTROLLERS) & set(h.controllers)]
    places += [parent for h in found if not h.controllers for parent in _parents(h.mount)]
    return tuple(
        Group((directory,))
        for place in dict.fromkeys(places)
        if os.access(place, os.W_OK)
        for directory in sorted(place.glob(f"{PREFIX}*"))
        if directory.name.removeprefix("carrel-") not in known and _is_older(directory, age)
    )


def _is_older(directory: Path, age: float) -> bool:
    try:
        return time.time() - directory.stat().st_mtime >= age
    except FileNotFoundError:
        return False  # its own store has removed it meanwhile
