"""The file of the store, when SQLite cannot read it: backed up, and made anew of what is sound."""

from __future__ import annotations

import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from anyio import to_thread

from carrel.machines.mending.fault import Fault
from carrel.machines.paths import private_directory
from carrel.machines.removal import remove_tree
from carrel.machines.store import FILE, MEMBERS, SCHEMA

__all__ = ["WORK", "back_up", "check_database", "store_faults"]

WORK = ".mending-"
"""How the names of directories begin in which a file is made anew."""

_BESIDE = ("", "-journal", "-wal", "-shm")
_HARMLESS = ("no such table", "locked", "busy")
_COLUMNS = "id, name, spec, created_at, complete"

_Row = tuple[str, str, str, float, int]
_Member = tuple[str, str]


@contextmanager
def _open(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, timeout=10)) as database:
        # Damaged text is text all the same: it is told where it stands.
        database.text_factory = lambda data: data.decode(errors="replace")
        yield database


def check_database(path: Path) -> tuple[str, bool] | None:
    """What is wrong with a database file, and whether it is damaged; None where it is sound."""
    if not path.exists():
        return None
    try:
        with _open(path) as database:
            found = [str(row[0]) for row in database.execute("PRAGMA integrity_check(3)")]
    except sqlite3.OperationalError as error:
        harmless = any(word in str(error) for word in _HARMLESS)
        return None if harmless else (str(error), "unsupported file format" in str(error))
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return str(error), True
    return None if found == ["ok"] else ("; ".join(found), True)


def store_faults(home: Path) -> Iterator[Fault]:
    """A store that cannot be read, or was made by another version."""
    path = home / FILE
    wrong = check_database(path)
    if wrong is None and path.exists():
        wrong = _check_table(path)
    if wrong is None:
        return
    detail, damaged = wrong

    async def rebuild() -> str:
        return await to_thread.run_sync(_rebuild, home)

    yield Fault(
        "store",
        str(path),
        f"the store of machines is damaged: {detail}"
        if damaged
        else f"it cannot be used: {detail}",
        "back it up, and make it anew of all that can be read" if damaged else None,
        "carrel doctor --fix" if damaged else f"look at its permissions and its disk: ls -l {path}",
        rebuild if damaged else None,
    )


def _check_table(path: Path) -> tuple[str, bool] | None:
    try:
        with _open(path) as database:
            database.execute(f"SELECT {_COLUMNS} FROM machines").fetchall()  # noqa: S608 (ours)
    except sqlite3.OperationalError as error:
        harmless = any(word in str(error) for word in _HARMLESS)
        return None if harmless else (f"{error}; another version of Carrel may have made it", False)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return str(error), True
    return None


def back_up(path: Path) -> Path:
    """Copy a file, with what SQLite keeps beside it, to the backups of its directory."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    place = private_directory(
        path.parent / "backup" / f"{path.name}-{stamp}-{secrets.token_hex(2)}"
    )
    try:
        _copy(path, place)
    except OSError:
        remove_tree(place)
        raise
    return place


def _copy(path: Path, place: Path) -> None:
    for end in _BESIDE:
        if (beside := path.with_name(path.name + end)).exists():
            shutil.copy2(beside, place / beside.name)


def _rebuild(home: Path) -> str:
    path = home / FILE
    backup = back_up(path)
    work = private_directory(home / f"{WORK}{secrets.token_hex(4)}")
    try:
        # Reading may change it: what SQLite had begun is finished or undone.
        _copy(path, work)
        rows, members = _salvage(work / FILE), _salvage_members(work / FILE)
        fresh = work / "fresh.db"
        _write(fresh, rows, members)
        # A journal of the old file would be applied to the new one.
        for end in _BESIDE[1:]:
            path.with_name(path.name + end).unlink(missing_ok=True)
        fresh.replace(path)
    finally:
        remove_tree(work)
    return f"{len(rows)} records were saved; the damaged file is in {backup}"


def _write(path: Path, rows: list[_Row], members: list[_Member]) -> None:
    path.touch(0o600)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(SCHEMA)
        database.execute(MEMBERS)
        database.executemany("INSERT OR IGNORE INTO members VALUES (?, ?)", members)
        database.executemany(
            f"INSERT OR IGNORE INTO machines ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608 (ours)
            rows,
        )


def _salvage(path: Path) -> list[_Row]:
    """Every row that can be read, from the first up to the damage and from the last down to it."""
    found: dict[str, _Row] = {}
    for order in ("ASC", "DESC"):
        try:
            with _open(path) as database:
                query = f"SELECT {_COLUMNS} FROM machines ORDER BY rowid {order}"  # noqa: S608 (ours)
                for row in database.execute(query):
                    if _is_row(row):
                        found.setdefault(row[0], row)
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            continue  # so far, and no further
    return [found[identity] for identity in sorted(found)]


def _salvage_members(path: Path) -> list[_Member]:
    """Which machines are a pool's, where that can be read: the others are their owner's."""
    try:
        with _open(path) as database:
            rows = database.execute("SELECT id, pool FROM members").fetchall()
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return []
    return [(identity, pool) for identity, pool in rows if isinstance(pool, str)]


def _is_row(row: tuple[object, ...]) -> bool:
    identity, name, spec, created_at, complete = row
    texts = all(isinstance(each, str) for each in (identity, name, spec))
    return texts and isinstance(created_at, float) and isinstance(complete, int)
