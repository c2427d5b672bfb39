"""What is done to a file system, in the calling thread, with errors that say which path and why."""

from __future__ import annotations

import contextlib
import errno
import os
import pwd
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from carrel.codec import Json
from carrel.errors import ActionFailed, AlreadyExists, CarrelError, InvalidInput, NotFound
from carrel.guest import trees
from carrel.guest.tar import printable

__all__ = [
    "Appender",
    "Replacer",
    "decode_text",
    "delete",
    "describe",
    "list_directory",
    "make_directory",
    "move",
    "open_regular",
    "os_errors",
    "owner",
    "read_start",
    "survey",
]

MAX_ENTRIES = 50_000


@contextlib.contextmanager
def os_errors(path: str) -> Iterator[None]:
    """Turn what the system says about a path into an error with a reason."""
    try:
        yield
    except OSError as error:
        raise _explain(error, path) from error


def _explain(error: OSError, path: str) -> CarrelError:
    name = error.filename if isinstance(error.filename, str) else path
    shown = printable(name)
    reason = error.strerror or str(error)
    context = {"path": shown, "reason": reason}
    match error.errno:
        case errno.ENOENT:
            hint = "make its directory first" if not Path(name).parent.is_dir() else None
            return NotFound(f"there is no {shown}", hint=hint, context=context)
        case errno.EEXIST:
            return AlreadyExists(f"{shown} exists already", context=context)
        case errno.ENOTDIR | errno.EISDIR | errno.EINVAL | errno.ELOOP | errno.ENAMETOOLONG:
            return InvalidInput(f"{shown}: {reason}", context=context)
        case errno.ENOTEMPTY:
            return InvalidInput(
                f"{shown} is a directory that is not empty",
                hint="pass recursive to delete it with all it holds",
                context=context,
            )
    return ActionFailed(f"{shown}: {reason}", context=context)


def open_regular(path: str) -> tuple[int, os.stat_result]:
    """Open a file for reading, and nothing that is not a file."""
    # Not blocking: opening a named pipe would wait for its writer.
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    info = os.fstat(fd)
    if stat.S_ISREG(info.st_mode):
        return fd, info
    os.close(fd)
    raise _not_regular(path, info)


def _not_regular(path: str, info: os.stat_result) -> InvalidInput:
    kind = _kind(info.st_mode)
    hint = "list it, or get it as a tree" if kind == "directory" else None
    shown = printable(path)
    return InvalidInput(
        f"{shown} is a {kind if kind != 'other' else 'device, pipe or socket'}, not a file",
        hint=hint,
        context={"path": shown},
    )


class Appender:
    """Adds to the end of a file."""

    def __init__(self, path: str, mode: int | None) -> None:
        self._path = path
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
        self._fd = os.open(path, flags, 0o666)
        info = os.fstat(self._fd)
        if not stat.S_ISREG(info.st_mode):
            self.close()
            raise _not_regular(path, info)
        if mode is not None:
            os.fchmod(self._fd, mode)

    def write(self, data: bytes) -> None:
        """Write all of `data`."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._fd, rest) :]

    def commit(self) -> int:
        """Make it last; returns the size of the file."""
        os.fsync(self._fd)
        return os.fstat(self._fd).st_size

    def close(self) -> None:
        """Let go of it; without `commit` before, a replacement does not happen."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1


class Replacer(Appender):
    """Writes beside a file and takes its place at the end."""

    def __init__(self, path: str, mode: int | None) -> None:
        # Through links, so that a link to a file stays one.
        self._path = os.path.realpath(path)
        old = _old_file(self._path)
        parent, name = os.path.split(self._path)
        try:
            # Also a name of 255 bytes leaves room for the rest, whatever its characters.
            self._fd, self._temporary = tempfile.mkstemp(prefix=f".{name[:40]}.", dir=parent)
        except OSError as error:
            raise OSError(error.errno, error.strerror, self._path) from error
        try:
            if mode is None:
                mode = old.st_mode & 0o777 if old is not None else 0o666 & ~_umask()
            os.fchmod(self._fd, mode)
            if old is not None and os.geteuid() == 0:
                os.fchown(self._fd, old.st_uid, old.st_gid)
        except BaseException:
            self.close()
            raise

    def commit(self) -> int:
        """Put it in place, so that it survives a crash; returns its size."""
        size = super().commit()
        os.replace(self._temporary, self._path)  # noqa: PTH105
        self._temporary = ""
        directory = os.open(os.path.dirname(self._path), os.O_RDONLY | os.O_DIRECTORY)  # noqa: PTH120
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
        return size

    def close(self) -> None:
        """Drop what was not committed."""
        super().close()
        if self._temporary:
            Path(self._temporary).unlink(missing_ok=True)
            self._temporary = ""


def _old_file(path: str) -> os.stat_result | None:
    try:
        info = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(info.st_mode):
        raise _not_regular(path, info)
    return info


_USUAL_UMASK = 0o022


def _umask() -> int:
    # The only way to ask without changing it for other threads.
    status = Path("/proc/self/status").read_text()
    line = next((line for line in status.splitlines() if line.startswith("Umask:")), None)
    if line is None:  # not every kernel tells
        return _USUAL_UMASK
    return int(line.split()[1], 8)


def read_start(path: str, limit: int) -> tuple[bytes, int]:
    """The first bytes of a file, and its size."""
    fd, info = open_regular(path)
    with os.fdopen(fd, "rb") as file:
        data = file.read(limit)
        return data, max(info.st_size, len(data))


def decode_text(data: bytes, path: str) -> tuple[str, bool]:
    """The text, and whether its last character was cut."""
    try:
        return data.decode(), False
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.start > 0:
            return data[: error.start].decode(), True
        raise InvalidInput(
            f"{printable(path)} is not UTF-8 text (byte {error.start})",
            hint="read its bytes instead",
            context={"path": printable(path)},
        ) from None


_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "link"}


def _kind(mode: int) -> str:
    return _KINDS.get(stat.S_IFMT(mode), "other")


def describe(name: str, path: str, info: os.stat_result) -> dict[str, Json]:
    """A file as `list_files` and `stat_file` show it."""
    about: dict[str, Json] = {
        "name": printable(name),
        "kind": _kind(info.st_mode),
        "size": info.st_size,
        "mode": f"{stat.S_IMODE(info.st_mode):04o}",
        "modified": info.st_mtime,
    }
    if stat.S_ISLNK(info.st_mode):
        about["target"] = printable(os.readlink(path))  # noqa: PTH115
    return about


def owner(uid: int) -> str:
    """The name of a user, or the number where it has none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def list_directory(path: str) -> tuple[list[Json], bool]:
    """The entries by name, and whether there are more."""
    found: list[Json] = []
    with os.scandir(path) as entries:
        for entry in sorted(entries, key=lambda item: item.name):
            if len(found) == MAX_ENTRIES:
                return found, True
            with contextlib.suppress(FileNotFoundError):  # deleted while we looked
                info = entry.stat(follow_symlinks=False)
                found.append(describe(entry.name, entry.path, info))
    return found, False


def survey(path: str) -> trees.Survey:
    """What a directory holds.

    Raises:
        InvalidInput: It is not a directory.
    """
    if not stat.S_ISDIR(os.stat(path).st_mode):  # noqa: PTH116
        raise InvalidInput(
            f"{printable(path)} is not a directory",
            hint="read it as a file",
            context={"path": printable(path)},
        )
    return trees.survey(path)


def make_directory(path: str) -> bool:
    """Make a directory and its parents; whether it was not there before."""
    if os.path.isdir(path):  # noqa: PTH112
        return False
    os.makedirs(path, exist_ok=True)  # noqa: PTH103
    return True


def move(path: str, to: str) -> None:
    """Rename, by copying where it must be.

    Raises:
        AlreadyExists: Something has the new name.
    """
    os.lstat(path)
    if os.path.lexists(to):
        raise AlreadyExists(
            f"{printable(to)} exists already",
            hint="delete it first, or choose another name",
            context={"path": printable(to)},
        )
    try:
        os.rename(path, to)  # noqa: PTH104
    except OSError as error:
        if error.errno != errno.EXDEV:
            # The system names the first path; for a missing directory it is the second.
            bad = to if not os.path.isdir(os.path.dirname(to)) else path  # noqa: PTH112, PTH120
            raise _explain(OSError(error.errno, error.strerror, bad), bad) from error
        shutil.move(path, to)


def delete(path: str, recursive: bool) -> None:
    """Delete; never the root directory."""
    # The last part stays as it is, so that a link is deleted and not what it leads to.
    plain = path.rstrip("/") or "/"
    parent, name = os.path.split(plain)
    real = os.path.realpath(plain) if name in ("", ".", "..") else None
    target = real or os.path.join(os.path.realpath(parent), name)  # noqa: PTH118
    if target == "/":
        raise InvalidInput("the root directory cannot be deleted", context={"path": "/"})
    info = os.lstat(target)
    if not stat.S_ISDIR(info.st_mode):
        os.unlink(target)  # noqa: PTH108
    elif recursive:
        shutil.rmtree(target)
    else:
        os.rmdir(target)  # noqa: PTH106
