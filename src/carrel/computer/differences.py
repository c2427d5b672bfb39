"""What has to be done to one tree to make it like another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from carrel.guest.digests import Entry

__all__ = ["Problem", "Step", "SyncPlan", "Synced", "plan"]

Doing = Literal["directory", "new", "changed", "link", "mode", "delete"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do.

    Attributes:
        do: `directory` (make one), `new` and `changed` (a file crosses, whole or in part), `link`,
            `mode` (content is the same, mode or time is not), `delete`.
        name: What it is done to, below the root; empty for a root that is a file itself.
        target: Where a link leads.
        basis: What is there already may serve to send less.
        quiet: It only makes room for other steps, or puts back what that changed.
    """

    do: Doing
    name: str
    size: int = 0
    mode: int = 0
    mtime_ns: int | None = None
    target: str = ""
    basis: bool = False
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that did not come about, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did, or would do.

    Attributes:
        steps: What was to be done, in this order.
        files: How many files crossed; the hash of each was checked where it arrived.
        bytes: What those files hold.
        crossed: How much of that had to cross.
        unchanged: How many files were the same already.
        refused: What does not cross: devices, pipes, sockets, links that leave the tree.
        failed: What could not be done.
        held_back: Deletions that were not done because something had failed.
    """

    steps: tuple[Step, ...] = ()
    files: int = 0
    bytes: int = 0
    crossed: int = 0
    unchanged: int = 0
    refused: tuple[Problem, ...] = ()
    failed: tuple[Problem, ...] = ()
    held_back: int = 0

    @property
    def complete(self) -> bool:
        """Whether the trees are alike now."""
        return not self.refused and not self.failed


@dataclass(slots=True)
class SyncPlan:
    """The steps, and what was found on the way to them.

    Attributes:
        before: What makes room for the files; with the links, and modes of other files.
        files: What crosses.
        after: Deletions, not to be done when something has failed, and modes of directories.
    """

    before: list[Step] = field(default_factory=list)
    files: list[Step] = field(default_factory=list)
    after: list[Step] = field(default_factory=list)
    unchanged: int = 0
    refused: list[Problem] = field(default_factory=list)
    failed: list[Problem] = field(default_factory=list)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All of them, in order."""
        return (*self.before, *self.files, *self.after)


Tree = Mapping[str, "Entry"]


def plan(source: Tree, target: Tree, *, delete: bool = False, checksum: bool = False) -> SyncPlan:
    """Compare two trees.

    Args:
        source: What it should be like.
        target: What is there.
        delete: What the source does not have goes.
        checksum: Files are the same when their hashes are, whatever their times say.
    """
    from carrel.guest.digests import partial_name

    found = SyncPlan()
    begun = {name for name, entry in target.items() if entry.kind == "partial"}
    for name in sorted(source, key=_parts):
        entry = source[name]
        if entry.kind == "partial":
            continue
        if entry.kind == "refused":
            found.refused.append(Problem(name, entry.target))
            continue
        folder, slash, leaf = name.rpartition("/")
        partial = f"{folder}{slash}{partial_name(leaf)}"
        _compare(found, entry, target, begun=partial in begun, delete=delete, checksum=checksum)
        if found.files and found.files[-1].name == name:
            begun.discard(partial)
    _finish(found, source, target, begun, delete=delete)
    return found


def _parts(name: str) -> tuple[str, ...]:
    return tuple(name.split("/"))


def _compare(
    found: SyncPlan, entry: Entry, target: Tree, *, begun: bool, delete: bool, checksum: bool
) -> None:
    there = target.get(entry.name)
    if there is not None and there.kind == "directory" and entry.kind != "directory":
        if not delete:
            found.failed.append(Problem(entry.name, "it is a directory there; --delete removes it"))
            return
        found.before += _removal(target, entry.name)
        there = None
    match entry.kind:
        case "directory":
            if there is None or there.kind != "directory":
                found.before.append(Step("directory", entry.name, mode=entry.mode | 0o700))
        case "link":
            if there is None or (there.kind, there.target) != ("link", entry.target):
                found.before.append(Step("link", entry.name, target=entry.target))
        case "file":
            _compare_file(found, entry, there, begun=begun, checksum=checksum)


def _compare_file(
    found: SyncPlan, entry: Entry, there: Entry | None, *, begun: bool, checksum: bool
) -> None:
    from carrel.guest.digests import BLOCK

    if there is not None and there.kind != "file":
        there = None
    large = entry.size > BLOCK and (begun or (there is not None and there.size >= BLOCK))
    if there is None:
        found.files.append(_file_step("new", entry, basis=large and begun))
    elif not _same(entry, there, checksum=checksum):
        found.files.append(_file_step("changed", entry, basis=large))
    else:
        found.unchanged += 1
        if (entry.mode, entry.mtime_ns) != (there.mode, there.mtime_ns):
            found.before.append(_file_step("mode", entry))


def _file_step(do: Doing, entry: Entry, *, basis: bool = False) -> Step:
    return Step(do, entry.name, entry.size, entry.mode, entry.mtime_ns, basis=basis)


def _same(entry: Entry, there: Entry, *, checksum: bool) -> bool:
    if entry.size != there.size:
        return False
    return entry.digest == there.digest if checksum else entry.mtime_ns == there.mtime_ns


def _removal(target: Tree, top: str) -> Iterator[Step]:
    """All of a directory, what is inside first."""
    below = [name for name in target if name == top or name.startswith(f"{top}/")]
    for name in sorted(below, key=_parts, reverse=True):
        yield Step("delete", name)


def _finish(found: SyncPlan, source: Tree, target: Tree, begun: set[str], *, delete: bool) -> None:
    gone = {step.name for step in found.steps if step.do == "delete"}
    found.after += [Step("delete", name, quiet=True) for name in sorted(begun - gone)]
    if delete:
        kept = {problem.name for problem in found.refused}
        extra = [name for name in target if name not in source and name not in gone | begun]
        extra = [name for name in extra if kept.isdisjoint(_folders(name))]
        found.after += [Step("delete", n) for n in sorted(extra, key=_parts, reverse=True)]
    before, after = _modes(found, source, target)
    found.before[:0] = before
    found.after += after


def _folders(name: str) -> set[str]:
    return {str(parent) for parent in PurePosixPath(name).parents}


def _modes(found: SyncPlan, source: Tree, target: Tree) -> tuple[list[Step], list[Step]]:
    """Directories are opened for the work in them, and get their own mode after it."""
    touched = {str(PurePosixPath(step.name).parent) for step in found.steps}
    made = {step.name for step in found.steps if step.do == "directory"}
    stood = {name: e.mode for name, e in target.items() if e.kind == "directory"}
    opened = [n for n in sorted(stood, key=_parts) if n in touched and _is_closed(stood[n])]
    before = [Step("mode", name, mode=stood[name] | 0o700, quiet=True) for name in opened]
    after = []
    for name, entry in source.items():
        if entry.kind != "directory":
            continue
        differs = name in stood and name not in made and stood[name] != entry.mode
        if differs or name in opened or (name in made and _is_closed(entry.mode)):
            after.append(Step("mode", name, mode=entry.mode, quiet=not differs))
    return before, sorted(after, key=lambda step: _parts(step.name), reverse=True)


def _is_closed(mode: int) -> bool:
    """Whether its owner may not work in a directory."""
    return mode & 0o700 != 0o700
