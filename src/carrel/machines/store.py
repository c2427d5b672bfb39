"""What should be: the machines their owner asked for, in one SQLite file.

What *is* always comes from the provider. The store outlives every process and survives a crash at
any point; locks are advisory file locks, which the kernel drops with their holder.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import anyio

from carrel.errors import AlreadyExists, NotFound, TimedOut
from carrel.ids import new_id
from carrel.machines.paths import private_directory, state_home
from carrel.machines.records import Row, Unreadable, encode_wish, read_row
from carrel.machines.spec import Machine, MachineSpec, check_name

__all__ = ["FILE", "LOCKS", "MEMBERS", "SCHEMA", "Store"]

FILE = "carrel.db"
LOCKS = "locks"

SCHEMA = """
CREATE TABLE IF NOT EXISTS machines (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL,
    created_at REAL NOT NULL,
    complete INTEGER NOT NULL DEFAULT 0
) STRICT
"""

MEMBERS = """
CREATE TABLE IF NOT EXISTS members (
    id TEXT PRIMARY KEY,
    pool TEXT NOT NULL
) STRICT
"""
"""Which machines are kept ready by a pool: those that were made for it and given to nobody yet."""


class Store:
    """The machines on record.

    Args:
        home: Directory of the store; the user's own state directory by default.
    """

    def __init__(self, home: Path | None = None) -> None:
        # Keepers know the path of their machine, and are in no directory of ours.
        self.home = private_directory((home or state_home()).absolute())
        self.machines_home = self.home / "machines"
        self._path = self.home / FILE
        # What machines are given in their environment is nobody else's business, and the directory
        # may be one that was there before. SQLite's other files get the mode of this one.
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        self._path.chmod(0o600)
        with self._open() as database:
            database.execute(SCHEMA)
            database.execute(MEMBERS)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        # One short connection per call: nothing is held that a killed process could leave locked.
        with closing(sqlite3.connect(self._path, timeout=10)) as database:
            # Not WAL: that one needs room to be read, and a machine may have filled the disk.
            database.execute("PRAGMA journal_mode=DELETE")
            # One damaged text must not hide the others.
            database.text_factory = _decode
            database.execute("PRAGMA synchronous=FULL")
            with database:
                yield database

    def add(self, name: str, spec: MachineSpec, pool: str = "") -> Machine:
        """Record a new machine, not complete yet.

        Args:
            name: What to call it.
            spec: The wish.
            pool: The pool that it is made for, where it is for one.

        Raises:
            AlreadyExists: The name is taken.
        """
        check_name(name)
        identity = new_id("mac")
        machine = Machine(identity, name, spec, self._directory(identity), time.time())
        row = (identity, name, encode_wish(spec), machine.created_at)
        try:
            with self._open() as database:
                database.execute(
                    "INSERT INTO machines (id, name, spec, created_at) VALUES (?, ?, ?, ?)", row
                )
                if pool:
                    database.execute("INSERT INTO members VALUES (?, ?)", (identity, pool))
        except sqlite3.IntegrityError:
            raise AlreadyExists(
                f"there is already a machine named {name}", hint=f"carrel status {name}"
            ) from None
        return machine

    def put_back(self, row: Row) -> None:
        """Record a machine again whose record was lost; it is complete.

        Raises:
            AlreadyExists: It is on record, or its name is taken.
        """
        try:
            with self._open() as database:
                database.execute("INSERT INTO machines VALUES (?, ?, ?, ?, 1)", row)
        except sqlite3.IntegrityError:
            raise AlreadyExists(f"there is already a machine named {row[1]}") from None

    def complete(self, machine: Machine) -> None:
        """Record that the provider has made it."""
        with self._open() as database:
            database.execute("UPDATE machines SET complete = 1 WHERE id = ?", (machine.id,))

    def update(self, machine: Machine, spec: MachineSpec) -> Machine:
        """Replace what is wished of a machine; returns it as it is now.

        Raises:
            NotFound: It was deleted in the meantime.
        """
        with self._open() as database:
            changed = database.execute(
                "UPDATE machines SET spec = ? WHERE id = ?",
                (encode_wish(spec), machine.id),
            )
        if changed.rowcount == 0:
            raise NotFound(f"there is no machine named {machine.name}")
        return replace(machine, spec=spec)

    def rename(self, machine: Machine, name: str) -> Machine:
        """Call a machine something else; it is no pool's any more, and its old lock file goes.

        Raises:
            AlreadyExists: The name is taken.
        """
        check_name(name)
        try:
            with self._open() as database:
                database.execute("UPDATE machines SET name = ? WHERE id = ?", (name, machine.id))
                database.execute("DELETE FROM members WHERE id = ?", (machine.id,))
        except sqlite3.IntegrityError:
            raise AlreadyExists(f"there is already a machine named {name}") from None
        self._lock_path(machine.name).unlink(missing_ok=True)
        return replace(machine, name=name)

    def name_anew(self, damaged: Unreadable, name: str) -> None:
        """Give a record whose name is none one that can be typed.

        Raises:
            AlreadyExists: The name is taken.
        """
        check_name(name)
        try:
            with self._open() as database:
                values = (name, damaged.machine.id)
                database.execute("UPDATE machines SET name = ? WHERE id = ?", values)
        except sqlite3.IntegrityError:
            raise AlreadyExists(f"there is already a machine named {name}") from None

    def remove(self, machine: Machine) -> None:
        """Forget a machine; its lock file goes with it."""
        with self._open() as database:
            database.execute("DELETE FROM machines WHERE id = ?", (machine.id,))
            database.execute("DELETE FROM members WHERE id = ?", (machine.id,))
        self._lock_path(machine.name).unlink(missing_ok=True)

    def get(self, name: str) -> Machine:
        """The machine of that name.

        Raises:
            NotFound: There is none.
            RunError: Its record cannot be read.
        """
        check_name(name)
        for found, _ in self._select("WHERE name = ?", (name,)):
            if isinstance(found, Unreadable):
                raise found.error()
            return found
        known = ", ".join(self.names())
        hint = f"there is {known}" if known else f"make it with: carrel up {name}"
        raise NotFound(f"there is no machine named {name}", hint=hint)

    def find(self, name: str) -> Machine | None:
        """The complete machine of that name; None where there is none.

        Raises:
            RunError: Its record cannot be read.
        """
        for found, complete in self._select("WHERE name = ?", (name,)):
            if isinstance(found, Unreadable):
                raise found.error()
            return found if complete else None
        return None

    def all(self) -> tuple[Machine, ...]:
        """Every complete machine whose record can be read, oldest first."""
        return tuple(m for m, complete in self._select() if complete and isinstance(m, Machine))

    def incomplete(self) -> tuple[Machine, ...]:
        """Machines whose making was begun and not finished."""
        return tuple(m for m, complete in self._select() if not complete and isinstance(m, Machine))

    def unreadable(self) -> tuple[Unreadable, ...]:
        """Records that cannot be read, complete or not; they stay until they are deleted."""
        return tuple(found for found, _ in self._select() if isinstance(found, Unreadable))

    def members(self, pool: str) -> tuple[Machine, ...]:
        """Every complete machine that a pool keeps ready, oldest first."""
        with self._open() as database:
            query = "SELECT id FROM members WHERE pool = ?"
            known = {row[0] for row in database.execute(query, (pool,))}
        return tuple(machine for machine in self.all() if machine.id in known)

    def pool_of(self, machine: Machine) -> str | None:
        """The pool that keeps a machine ready; None where it is somebody's own."""
        with self._open() as database:
            query = "SELECT pool FROM members WHERE id = ?"
            row = database.execute(query, (machine.id,)).fetchone()
        return None if row is None else str(row[0])

    def ids(self) -> frozenset[str]:
        """Of every machine on record, in whatever state the record is."""
        with self._open() as database:
            return frozenset(row[0] for row in database.execute("SELECT id FROM machines"))

    def names(self) -> tuple[str, ...]:
        """Of every machine that is complete or whose record cannot be read, oldest first."""
        return tuple(
            found.machine.name if isinstance(found, Unreadable) else found.name
            for found, complete in self._select()
            if complete or isinstance(found, Unreadable)
        )

    def _select(
        self, where: str = "", values: tuple[str, ...] = ()
    ) -> Iterator[tuple[Machine | Unreadable, bool]]:
        query = f"SELECT id, name, spec, created_at, complete FROM machines {where} ORDER BY id"  # noqa: S608 (no outside text)
        with self._open() as database:
            rows = database.execute(query, values).fetchall()
        for *row, complete in rows:
            identity, name, spec, created_at = row
            yield read_row((identity, name, spec, created_at), self.machines_home), bool(complete)

    def _directory(self, identity: str) -> Path:
        return self.machines_home / identity

    def _lock_path(self, name: str) -> Path:
        return private_directory(self.home / LOCKS) / name

    def is_locked(self, name: str) -> bool:
        """Whether some process is changing this machine right now."""
        with self.lock_if_free(name) as free:
            return not free

    @contextmanager
    def lock_if_free(self, name: str) -> Iterator[bool]:
        """Hold the lock of a machine unless some process is changing it; whether it is held."""
        path = self._lock_path(check_name(name))
        handle = _try_lock(path)
        try:
            yield handle is not None
        finally:
            if handle is not None:
                self._let_go(handle, path)

    @asynccontextmanager
    async def lock(self, name: str, timeout: float = 60.0) -> AsyncIterator[None]:
        """Change one machine at a time, across all processes.

        Raises:
            TimedOut: Another process held the lock all the while.
        """
        path = self._lock_path(check_name(name))
        handle = await _wait_for_lock(path, name, timeout)
        try:
            yield
        finally:
            self._let_go(handle, path)

    @asynccontextmanager
    async def lock_room(self, timeout: float = 300.0) -> AsyncIterator[None]:
        """Take this computer's memory one start at a time, where it is counted.

        Whoever holds a machine's lock may wait for this one, and nobody the other way round.

        Raises:
            TimedOut: Another process held the lock all the while.
        """
        handle = await _wait_for_lock(self.home / "room.lock", "a large machine", timeout)
        try:
            yield
        finally:
            os.close(handle)

    @asynccontextmanager
    async def lock_pool(self, pool: str, timeout: float = 600.0) -> AsyncIterator[None]:
        """Fill a pool by one process at a time.

        Whoever holds this lock may wait for a machine's, and nobody the other way round.

        Raises:
            TimedOut: Another process held the lock all the while.
        """
        path = self.home / f"pool-{check_name(pool)}.lock"
        handle = await _wait_for_lock(path, f"the pool {pool}", timeout)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)  # whoever waits finds that it is another file by then
            os.close(handle)

    def _let_go(self, handle: int, path: Path) -> None:
        """Give up the lock of a name; where that is no machine's, its file goes."""
        try:
            # A store that cannot be read now must not hide what was done: doctor finds the file.
            with suppress(sqlite3.Error, OSError):
                if _is_at(handle, path) and not self._has(path.name):
                    path.unlink(missing_ok=True)
        finally:
            os.close(handle)

    def _has(self, name: str) -> bool:
        """Whether anything is on record by that name, complete and readable or not."""
        with self._open() as database:
            query = "SELECT 1 FROM machines WHERE name = ?"
            return database.execute(query, (name,)).fetchone() is not None


def _decode(data: bytes) -> str:
    return data.decode(errors="replace")


async def _wait_for_lock(path: Path, what: str, timeout: float) -> int:
    deadline = anyio.current_time() + timeout
    while (handle := _try_lock(path)) is None:
        if anyio.current_time() > deadline:
            raise TimedOut(
                f"another command has been working on {what} for {timeout:.0f} s",
                hint="wait for it, or end it; carrel events shows what has been done",
            )
        await anyio.sleep(0.05)
    return handle


def _try_lock(path: Path) -> int | None:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    # A machine deleted in between took the file away: what we hold locks nothing any more.
    if not _is_at(handle, path):
        os.close(handle)
        return None
    return handle


def _is_at(handle: int, path: Path) -> bool:
    """Whether an open file is the one that has this path now."""
    try:
        return path.stat().st_ino == os.fstat(handle).st_ino
    except FileNotFoundError:
        return False
