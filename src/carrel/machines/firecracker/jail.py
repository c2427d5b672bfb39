"""The directory that Firecracker runs in, and the command lines with the jailer and without.

As root it is jailed: in a directory that it sees as the root of all, as a user of its own for each
machine, without anything but the files laid there. Otherwise it runs there as whoever started it.
"""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from carrel.errors import RunError
from carrel.machines.firecracker.api import API_SOCKET
from carrel.machines.firecracker.programs import find_jailer
from carrel.machines.removal import remove_tree
from carrel.machines.spec import Machine

__all__ = ["FIRST_USER", "Jail", "command", "is_jailed", "jailed_command", "lay"]

FIRST_USER = 0x7000_0000
"""Behind all users that Debian and systemd give numbers to."""

_USERS = 1 << 24
_MOST_FILES = 2048
# Process 1 of the machine's own process namespace, so that with it all is gone: the jailer changes
# its user, and such a process does not die with its parent any more.
_APART = ("unshare", "--pid", "--fork", "--kill-child", "--", "sh", "-c", '"$@" & wait $!', "sh")


def is_jailed() -> bool:
    """Whether machines are, here: making a jail is for root."""
    return os.geteuid() == 0


@dataclass(frozen=True, slots=True)
class Jail:
    """Where one Firecracker runs.

    Attributes:
        id: What it calls its machine: letters, digits and hyphens.
        base: Below which the jailer makes its directories.
        program: Firecracker, of which the jailer takes the name for a directory.
        user: The user and the group it runs as there; None where it is not jailed.
    """

    id: str
    base: Path
    program: Path
    user: int | None

    @classmethod
    def of(cls, machine: Machine, program: Path, *, jailed: bool) -> Jail:
        """The jail of a machine."""
        number = FIRST_USER + zlib.crc32(machine.id.encode()) % _USERS
        name = machine.id.replace("_", "-")
        return cls(name, machine.directory / "jail", program, number if jailed else None)

    @property
    def root(self) -> Path:
        """Where the jailer has it run."""
        return self.base / self.program.name / self.id / "root"


def command(jail: Jail) -> tuple[str, ...]:
    """Firecracker, started in its directory, or its jailer.

    Raises:
        Unavailable: It is to be jailed, and there is no jailer.
    """
    if jail.user is not None:
        return jailed_command(jail, find_jailer(jail.program))
    return (str(jail.program), "--id", jail.id, "--api-sock", API_SOCKET)


def jailed_command(jail: Jail, jailer: Path) -> tuple[str, ...]:
    """The jailer, which goes to the directory itself and becomes Firecracker there.

    Without `--daemonize`: its console is ours to read. Without `--netns`: it has no network.
    """
    return (
        *_APART,
        str(jailer),
        *("--id", jail.id, "--exec-file", str(jail.program)),
        *("--uid", str(jail.user), "--gid", str(jail.user)),
        *("--chroot-base-dir", str(jail.base)),
        *("--resource-limit", f"no-file={_MOST_FILES}"),
        *("--", "--api-sock", API_SOCKET),
    )


def lay(root: Path, files: Mapping[str, str], own: frozenset[str], user: int | None) -> None:
    """Have nothing in a directory but these files.

    Args:
        root: The directory; what was in it is gone.
        files: Where each is, by its name there.
        own: The names of those that may be written to; there they belong to `user`.
        user: Whose jail it is; None where it is none.

    Raises:
        RunError: A file is not there.
    """
    remove_tree(root)
    root.mkdir(mode=0o700, parents=True)
    for name, path in files.items():
        source = Path(path)
        if not source.exists():
            raise RunError(f"{source.name} of the machine is gone", op="firecracker.start")
        if user is None:
            (root / name).symlink_to(source)
        else:
            _share(source, root / name)
            if name in own:
                os.chown(root / name, user, user)
    if user is not None:
        os.chown(root, user, user)


def _share(source: Path, target: Path) -> None:
    """The same file where it can be, else a copy: a jail does not see what links point to."""
    with suppress(OSError):
        target.hardlink_to(source)
        return
    shutil.copyfile(source, target)
