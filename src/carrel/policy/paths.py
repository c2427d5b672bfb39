"""Where a person's own settings are, and reading the ones that nobody else may touch."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from carrel.errors import Refused

__all__ = ["config_home", "read_private", "write_private"]


def config_home() -> Path:
    """The directory of policies, prices, secrets and grants: `$CARREL_HOME` or the platform's."""
    override = os.environ.get("CARREL_HOME")
    if override:
        return Path(override).expanduser().absolute()
    import platformdirs

    return platformdirs.user_config_path("carrel", appauthor=False)


def read_private(path: Path) -> str | None:
    """The text of a file that only its owner can read; None when there is none.

    Raises:
        Refused: Others can read or write it, or it belongs to somebody else.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    with os.fdopen(fd, encoding="utf-8") as file:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise Refused(f"{path} is not a plain file")
        if found.st_uid != os.geteuid():
            raise Refused(f"{path} belongs to somebody else", hint="keep a file of your own")
        if stat.S_IMODE(found.st_mode) & 0o077:
            raise Refused(f"{path} can be used by others", hint=f"chmod 600 {path}")
        return file.read()


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, in one step."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}")
    fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(fd, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(fd)
    new.replace(path)
