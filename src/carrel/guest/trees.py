"""Whole directory trees as tar streams, in constant memory and safe against hostile archives.

Used on both sides of the stream, so neither trusts the other: what is unpacked stays below its
root whatever the archive says. Every directory on the way is opened without following links; a
link may only climb before it descends, so it cannot leave through another link.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from carrel.errors import ActionFailed, InvalidInput
from carrel.guest.tar import BLOCK, Read, Source, members, printable

__all__ = ["Survey", "Unpacked", "pack", "survey", "unpack"]

CHUNK = 256 * 1024
MAX_NAMED = 20
MAX_PATH = 4096
LATEST = 2**33
"""Later times than this do not fit every file system."""

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

Write = Callable[[bytes], object]


@dataclass(slots=True)
class Survey:
    """What packing a tree will send.

    Attributes:
        skipped: How many entries are left out: sockets, devices, links that leave the tree.
        skipped_names: The first few of them.
    """

    entries: int = 0
    bytes: int = 0
    skipped: int = 0
    skipped_names: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Unpacked:
    """What unpacking made."""

    entries: int = 0
    bytes: int = 0


# Packing


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    path: str
    info: os.stat_result
    link: str | None

    @property
    def kind(self) -> bytes | None:
        """Its tar type; None when it is not sent."""
        if stat.S_ISREG(self.info.st_mode):
            return tarfile.REGTYPE
        if stat.S_ISDIR(self.info.st_mode):
            return tarfile.DIRTYPE
        if self.link is not None and stays_inside(self.name, self.link):
            return tarfile.SYMTYPE
        return None


def survey(root: str) -> Survey:
    """Walk a tree without reading it."""
    found = Survey()
    for entry in _walk(root):
        if entry.kind is None:
            found.skipped += 1
            if len(found.skipped_names) < MAX_NAMED:
                found.skipped_names.append(printable(entry.name))
            continue
        found.entries += 1
        found.bytes += entry.info.st_size if entry.kind == tarfile.REGTYPE else 0
    return found


def pack(root: str, write: Write) -> None:
    """Write the tree below `root` as a tar archive.

    Raises:
        ActionFailed: A file became shorter while it was read.
        OSError: A file cannot be read.
    """
    first_names: dict[tuple[int, int], str] = {}
    for entry in _walk(root):
        if entry.kind is not None:
            _pack_entry(entry, first_names, write)
    write(bytes(2 * BLOCK))


def _walk(root: str) -> Iterator[_Entry]:
    """Everything below; what is deleted meanwhile is not there.

    All that a directory holds follows it directly: others that unpack close a directory, and
    perhaps forbid themselves to write into it, when something else follows.
    """
    pending: list[_Entry] = []
    yield from _listed(root, "", pending)
    while pending:
        directory = pending.pop()
        yield directory
        with contextlib.suppress(FileNotFoundError):
            yield from _listed(directory.path, f"{directory.name}/", pending)


def _listed(path: str, prefix: str, directories: list[_Entry]) -> Iterator[_Entry]:
    """What a directory holds; its own directories go to a list instead."""
    with os.scandir(path) as listing:
        for item in listing:
            try:
                info = item.stat(follow_symlinks=False)
                is_link = stat.S_ISLNK(info.st_mode)
                # As it is: Path would tidy it up.
                link = os.readlink(item.path) if is_link else None  # noqa: PTH115
            except FileNotFoundError:
                continue
            entry = _Entry(prefix + item.name, item.path, info, link)
            if stat.S_ISDIR(info.st_mode):
                directories.append(entry)
            else:
                yield entry


def _pack_entry(entry: _Entry, first_names: dict[tuple[int, int], str], write: Write) -> None:
    head = tarfile.TarInfo(entry.name)
    head.type = entry.kind or tarfile.REGTYPE
    head.mode = entry.info.st_mode & 0o777
    head.mtime = int(entry.info.st_mtime)
    head.linkname = entry.link or ""
    if head.type == tarfile.REGTYPE:
        inode = (entry.info.st_dev, entry.info.st_ino)
        first = first_names.get(inode)
        if first is None:
            if entry.info.st_nlink > 1:
                first_names[inode] = entry.name
            _pack_file(head, entry.path, write)
            return
        head.type, head.linkname = tarfile.LNKTYPE, first
    write(head.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape"))


def _pack_file(head: tarfile.TarInfo, path: str, write: Write) -> None:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # deleted while we walked
    with os.fdopen(fd, "rb", buffering=0) as file:
        left = head.size = os.fstat(fd).st_size
        write(head.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape"))
        while left:
            data = file.read(min(CHUNK, left))
            if not data:
                raise ActionFailed(
                    f"{printable(path)} became shorter while it was read",
                    context={"path": printable(path)},
                    retryable=True,
                )
            write(data)
            left -= len(data)
    if head.size % BLOCK:
        write(bytes(BLOCK - head.size % BLOCK))


def stays_inside(name: str, target: str) -> bool:
    """Whether a link called `name` in a tree leads nowhere but into the tree."""
    parts = target.split("/")
    if not target or target.startswith("/") or "\0" in target or len(target) > MAX_PATH:
        return False
    climbs = 0
    while climbs < len(parts) and parts[climbs] == "..":
        climbs += 1
    # Climbing after a descent would start from wherever that descent's links lead.
    return ".." not in parts[climbs:] and climbs <= name.count("/")


# Unpacking


def unpack(root: str, read: Read) -> Unpacked:
    """Unpack a tar archive below `root`, an existing directory; what is there is replaced.

    Raises:
        InvalidInput: The archive is damaged, or holds something that does not belong into a
            tree: a path or link that leaves it, a device, a sparse file.
        OSError: A file cannot be written.
    """
    done = Unpacked()
    source = Source(read)
    with _Target(root) as target:
        for head in members(source):
            _unpack_member(target, head, source)
            done.entries += 1
            done.bytes += head.size
    return done


def _unpack_member(target: _Target, head: tarfile.TarInfo, source: Source) -> None:
    parts = _safe_parts(head.name)
    name = printable(head.name)
    if head.isdir():
        target.make_directory(parts, head)
    elif not parts:
        raise InvalidInput(f"{name!r} in the archive is no name for a file")
    elif head.issym():
        if not stays_inside("/".join(parts), head.linkname):
            raise InvalidInput(
                f"link {name!r} in the archive leaves the tree: {printable(head.linkname)!r}"
            )
        target.make_link(parts, head.linkname)
    elif head.islnk():
        target.make_hard_link(parts, _safe_parts(head.linkname))
    elif head.type in (tarfile.REGTYPE, tarfile.AREGTYPE):
        target.make_file(parts, head, source)
    else:
        raise InvalidInput(f"{name!r} in the archive is not a file, folder or link")


def _safe_parts(name: str) -> tuple[str, ...]:
    """The parts of a member's name below the root."""
    parts = name.split("/")
    too_long = len(name) > MAX_PATH
    if not name or too_long or name.startswith("/") or ".." in parts or "\0" in name:
        raise InvalidInput(f"{printable(name[:200])!r} in the archive leaves the tree")
    return tuple(part for part in parts if part not in ("", "."))


class _Target:
    """The tree being made: nothing outside it can be touched through it."""

    def __init__(self, root: str) -> None:
        self._root = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._modes: dict[tuple[str, ...], int] = {}
        self._at: tuple[str, ...] = ()
        self._fd = os.dup(self._root)

    def __enter__(self) -> _Target:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            for parts in sorted(self._modes, key=len, reverse=True) if kind is None else ():
                os.fchmod(self._open(parts), self._modes[parts])
        finally:
            os.close(self._fd)
            os.close(self._root)

    def _open(self, parts: tuple[str, ...], *, make: bool = False) -> int:
        """A descriptor of a directory, kept until another is asked for."""
        if parts == self._at:
            return self._fd
        fd = os.dup(self._root)
        try:
            for depth, part in enumerate(parts):
                if make:
                    _make_directory(fd, part)
                below = _open_below(fd, part, "/".join(parts[: depth + 1]))
                os.close(fd)
                fd = below
        except BaseException:
            os.close(fd)
            raise
        os.close(self._fd)
        self._fd, self._at = fd, parts
        return fd

    def make_directory(self, parts: tuple[str, ...], head: tarfile.TarInfo) -> None:
        if not parts:
            return
        parent = self._open(parts[:-1], make=True)
        info = _status(parent, parts[-1])
        if info is not None and not stat.S_ISDIR(info.st_mode):
            os.unlink(parts[-1], dir_fd=parent)
        mode = head.mode & 0o777
        fd = self._open(parts, make=True)
        os.fchmod(fd, mode | 0o700)
        if mode & 0o700 != 0o700:
            # Last, and children first: this one forbids its owner what we still have to do.
            self._modes[parts] = mode

    def make_file(self, parts: tuple[str, ...], head: tarfile.TarInfo, source: Source) -> None:
        parent = self._clear(parts)
        fd = os.open(parts[-1], _CREATE, 0o600, dir_fd=parent)
        with os.fdopen(fd, "wb", buffering=0) as file:
            left = head.size
            while left:
                data = source.some(min(left, CHUNK))
                left -= len(data)
                while data:
                    data = data[file.write(data) :]
            os.fchmod(fd, head.mode & 0o777)
            os.utime(fd, (_time(head), _time(head)))
        source.skip_padding(head.size)

    def make_link(self, parts: tuple[str, ...], target: str) -> None:
        os.symlink(target, parts[-1], dir_fd=self._clear(parts))

    def make_hard_link(self, parts: tuple[str, ...], existing: tuple[str, ...]) -> None:
        if not existing or existing == parts:
            raise InvalidInput("a hard link in the archive names nothing")
        source = os.dup(self._open(existing[:-1]))
        try:
            info = _status(source, existing[-1])
            if info is None or not stat.S_ISREG(info.st_mode):
                name = printable("/".join(parts))
                raise InvalidInput(f"hard link {name!r} in the archive names no earlier file")
            parent = self._clear(parts)
            os.link(
                existing[-1],
                parts[-1],
                src_dir_fd=source,
                dst_dir_fd=parent,
                follow_symlinks=False,
            )
        finally:
            os.close(source)

    def _clear(self, parts: tuple[str, ...]) -> int:
        """The parent directory, in which the name is free."""
        parent = self._open(parts[:-1], make=True)
        info = _status(parent, parts[-1])
        if info is not None and stat.S_ISDIR(info.st_mode):
            name = printable("/".join(parts))
            raise InvalidInput(f"{name!r} is a directory here and not in the archive")
        if info is not None:
            os.unlink(parts[-1], dir_fd=parent)
        return parent


def _time(head: tarfile.TarInfo) -> float:
    return min(max(float(head.mtime), 0.0), LATEST)


def _status(parent: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _make_directory(parent: int, name: str) -> None:
    if _status(parent, name) is None:
        os.mkdir(name, dir_fd=parent)


def _open_below(parent: int, name: str, path: str) -> int:
    try:
        return os.open(name, _DIRECTORY, dir_fd=parent)
    except (NotADirectoryError, FileNotFoundError) as error:
        raise InvalidInput(
            f"{printable(path)!r} in the archive goes through something that is no directory"
        ) from error
