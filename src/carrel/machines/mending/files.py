"""Files of ours: who may read them, and which of them a killed process left."""

from __future__ import annotations

import fcntl
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from carrel.machines.mending.fault import Fault
from carrel.machines.paths import USER_FILE, config_home
from carrel.machines.store import LOCKS, Store

__all__ = ["draft_faults", "home_faults", "is_usable", "lock_faults", "mode_faults"]

_PRIVATE = (
    *("carrel.db*", "events.jsonl*", "pools.json", "pools.log", "locks"),
    *("volumes", "machines/mac_*", "machines/mac_*/mcp.token", "machines/mac_*/plan.json"),
    *("machines/mac_*/surroundings.json", "machines/mac_*/apps.json"),
    *("machines/mac_*/apps-kept", "machines/mac_*/deployed"),
)
"""In the store's directory: what holds tokens, variables and files of machines."""

_DRAFTS = (
    *(
        "apps-faults.json",
        "apps.json",
        "bundle.json",
        "config.toml",
        "keeper.json",
        "mcp.json",
        "mcp.token",
    ),
    *("origins.json", "plan.json", "pools.json", "proven.json"),
)
_DRAFT = re.compile(rf"\.(?:{'|'.join(map(re.escape, _DRAFTS))})\.(\d+)(?:\.\d+)?")
_DRAFT_AGE = 3600.0


def mode_faults(home: Path) -> Iterator[Fault]:
    """What others may read or change, and must not; what belongs to somebody else."""
    found = (path for pattern in _PRIVATE for path in sorted(home.glob(pattern)))
    # A directory that was named by its user may hold other things: nobody may write to it, and
    # who may look is theirs to say.
    bits = 0o022 if os.environ.get("CARREL_HOME") else 0o077
    yield from _mode_fault(home, bits)
    for path in (*found, config_home() / USER_FILE):
        yield from _mode_fault(path, 0o077)


def is_usable(home: Path) -> bool:
    """Whether we may look, enter and write there."""
    return os.access(home, os.R_OK | os.W_OK | os.X_OK)


def home_faults(home: Path) -> Iterator[Fault]:
    """A directory of ours that we may not use ourselves."""
    about = home.stat()
    if about.st_uid != os.geteuid():
        yield from _mode_fault(home, 0)
        return
    right = stat.S_IMODE(about.st_mode) | 0o700
    yield Fault(
        "permissions",
        str(home),
        f"you may not use it yourself: its mode is {stat.S_IMODE(about.st_mode):03o}",
        f"make it {right:03o}",
        f"chmod {right:03o} '{home}'",
        partial(_open_up, home, right),
    )


async def _open_up(home: Path, mode: int) -> str:
    home.chmod(mode)
    return f"its mode is {mode:03o}"


def _mode_fault(path: Path, bits: int) -> Iterator[Fault]:
    try:
        about = path.lstat()
    except OSError:
        return
    mode = stat.S_IMODE(about.st_mode)
    if stat.S_ISLNK(about.st_mode):
        return
    if about.st_uid != os.geteuid():
        owner = f"it belongs to user {about.st_uid}, not to you"
        yield Fault("owner", str(path), owner, hint=f"sudo chown -R {os.geteuid()} '{path}'")
    elif mode & bits:
        right = mode & ~bits
        yield Fault(
            "permissions",
            str(path),
            f"others may use it: its mode is {mode:03o}",
            f"make it {right:03o}",
            f"chmod {right:03o} '{path}'",
            partial(_chmod, path, right),
        )


async def _chmod(path: Path, mode: int) -> str:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        os.fchmod(handle, mode)
    finally:
        os.close(handle)
    return f"its mode is {mode:03o}"


def lock_faults(store: Store) -> Iterator[Fault]:
    """Lock files of machines that are not there, held by nobody."""
    home = store.home / LOCKS
    left = sorted(home.iterdir()) if home.is_dir() else []
    known = {*store.names(), *(machine.name for machine in store.incomplete())}
    for path in left:
        if path.name not in known and _is_free(path):
            yield Fault(
                "lock",
                str(path),
                f"a lock of {path.name}, which is no machine",
                "remove it",
                remedy=partial(_remove_lock, path),
            )


def _is_free(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True


async def _remove_lock(path: Path) -> str:
    handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        # Whoever waits for it finds that it is another file by then.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()
    except BlockingIOError:
        return "somebody uses it now"
    finally:
        os.close(handle)
    return "it is removed"


def draft_faults(*homes: Path) -> Iterator[Fault]:
    """Half-written files whose writer is gone."""
    for home in dict.fromkeys(homes):
        for path in sorted((*home.glob(".*"), *home.glob("machines/mac_*/.*"))):
            if _is_abandoned(path):
                yield Fault(
                    "draft",
                    str(path),
                    "a file that a killed process had half written",
                    "remove it",
                    remedy=partial(_remove, path),
                )


def _is_abandoned(path: Path) -> bool:
    found = _DRAFT.fullmatch(path.name)
    if found is None or Path("/proc", found[1]).exists():
        return False
    with suppress(OSError):
        about = path.lstat()
        # A process elsewhere that shares the directory has a number we do not see.
        old = time.time() - about.st_mtime > _DRAFT_AGE
        return old and stat.S_ISREG(about.st_mode) and about.st_uid == os.geteuid()
    return False


async def _remove(path: Path) -> str:
    path.unlink(missing_ok=True)
    return "it is removed"
