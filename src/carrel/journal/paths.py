"""Where runs are kept.

`$CARREL_RUNS`, when set, is the directory; else `$CARREL_HOME`; else the platform's own place for
data. A run is the directory `runs/<id>` in it: `journal.jsonl`, `head`, `blobs/`, `mailbox/`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from carrel.errors import InvalidInput, NotFound

__all__ = [
    "BLOBS",
    "HEAD",
    "JOURNAL",
    "MAILBOX",
    "check_run_id",
    "existing_run",
    "run_directory",
    "runs_home",
    "sync_directory",
]

JOURNAL = "journal.jsonl"
HEAD = "head"
BLOBS = "blobs"
MAILBOX = "mailbox"

_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", re.ASCII)


def runs_home() -> Path:
    """The directory that holds `runs/` and the index."""
    for name in ("CARREL_RUNS", "CARREL_HOME"):
        override = os.environ.get(name)
        if override:
            return Path(override).expanduser().absolute()
    import platformdirs

    return platformdirs.user_data_path("carrel", appauthor=False)


def check_run_id(run: str) -> str:
    """The id itself, when it can be one.

    Raises:
        InvalidInput: It could not be the name of a directory of ours.
    """
    if _RUN_ID.fullmatch(run) is None:
        raise InvalidInput(
            f"{run[:80]!a} is not the id of a run", hint="carrel runs lists the runs there are"
        )
    return run


def run_directory(run: str, home: Path | None = None) -> Path:
    """Where a run is kept, whether it exists or not."""
    return (home or runs_home()) / "runs" / check_run_id(run)


def existing_run(run: str, home: Path | None = None) -> Path:
    """Where a run is kept.

    Raises:
        NotFound: There is no such run.
    """
    directory = run_directory(run, home)
    if not (directory / JOURNAL).is_file():
        raise NotFound(f"there is no run {run}", hint="carrel runs lists the runs there are")
    return directory


def sync_directory(path: Path) -> None:
    """Make the names in a directory as durable as the files they name."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
