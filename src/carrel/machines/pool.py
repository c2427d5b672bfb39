"""Machines made ahead: running, never used, and given a name when somebody asks for one like them.

A pool is a wish and a number. Its members are machines called `pool-NAME-…` that the store has on
record as its own; whoever brings up a new machine with that very wish is given one of them, and a
process of its own makes the next: as copies of a member where the engine copies what runs, by a
start elsewhere. See docs/adr/0023-a-pool-of-copies.md.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import anyio

from carrel import codec
from carrel.errors import CarrelError, NotFound, RunError, WrongState
from carrel.machines import interpreter
from carrel.machines.advice import MEMBER
from carrel.machines.auto import AUTO_ORDER
from carrel.machines.copies import Copies
from carrel.machines.descent import Descent, copies_alike
from carrel.machines.ground import Ground
from carrel.machines.making import have_running, make
from carrel.machines.naming import introduce
from carrel.machines.provider import get_provider, observe
from carrel.machines.spec import Machine, MachineSpec, check_name
from carrel.machines.state import State

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Machines
    from carrel.machines.provider import Progress

__all__ = ["Pool", "Pools", "main"]

MODULE = "carrel.machines.pool"

COPYING = 3.0
"""Seconds to wait for a member that is being copied: that takes less than a start."""

_LOOK_AGAIN = 0.02
_FURNISHED = 60.0
_MOST_OF_A_NAME = 30
"""Letters of a pool's name in its members', which may not be longer than a machine's."""

_ENDED = (State.ERROR, State.STOPPED, State.LOST)


@dataclass(frozen=True, slots=True)
class Pool:
    """What is kept ready.

    Attributes:
        name: Of the pool.
        spec: What each of its machines is; its provider is a certain one.
        size: How many.
    """

    name: str
    spec: MachineSpec
    size: int

    def suits(self, wish: MachineSpec) -> bool:
        """Whether a member is exactly what is wished."""
        if wish.provider == "auto" and self.spec.provider in AUTO_ORDER:
            wish = replace(wish, provider=self.spec.provider)
        return wish == self.spec


class Pools:
    """The pools of one store."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self._store = machines.store
        self._path = self._store.home / "pools.json"

    @cached_property
    def _ground(self) -> Ground:
        return Ground(self._store, self._machines.limits)

    def list(self) -> tuple[Pool, ...]:
        """Every pool, by name.

        Raises:
            RunError: Their file cannot be read.
        """
        try:
            told = json.loads(self._path.read_text())
            return tuple(codec.decode(Pool, each, where="pool") for each in told)
        except FileNotFoundError:
            return ()
        except (ValueError, CarrelError) as error:
            raise RunError(
                f"the pools cannot be read: {error}", hint=f"mend or remove {self._path}"
            ) from error

    def get(self, name: str) -> Pool:
        """The pool of that name.

        Raises:
            NotFound: There is none.
        """
        for pool in self.list():
            if pool.name == name:
                return pool
        known = ", ".join(pool.name for pool in self.list())
        raise NotFound(
            f"there is no pool {name[:60]!r}",
            hint=f"known pools: {known}" if known else "carrel pool set desktop --size 2 makes one",
        )

    def members(self, pool: Pool) -> tuple[Machine, ...]:
        """Its machines, ready or not, oldest first."""
        return self._store.members(pool.name)

    async def ready(self, pool: Pool) -> int:
        """How many of its machines can be given away at this moment."""
        return sum([await self._is_ready(member) for member in self.members(pool)])

    async def replace_dead(self, pool: Pool) -> int:
        """Have a process that nobody waits for replace its members that have ended.

        Returns:
            How many there are.
        """
        dead = [member for member in self.members(pool) if await self._is_dead(member)]
        if dead:
            self._leave_filler(pool)
        return len(dead)

    def put(self, pool: Pool) -> None:
        """Have a pool of that name, wish and size; `fill` makes it true. Size 0 forgets it."""
        check_name(pool.name, "a name for a pool")
        with self._alone("pools"):
            others = [other for other in self.list() if other.name != pool.name]
            kept = sorted([*others, pool] if pool.size else others, key=lambda each: each.name)
            draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
            draft.write_text(json.dumps([codec.encode(each) for each in kept]))
            draft.chmod(0o600)
            draft.replace(self._path)

    async def fill(self, pool: Pool, progress: Progress, *, sparing: bool = False) -> None:
        """Make what is missing, and delete what is too much, dead or of another wish.

        One at a time for all processes: what one of them makes, the next one counts.

        Args:
            pool: Which.
            progress: Told of every stage.
            sparing: Whether to leave the last one that is ready alone: nobody is given a member
                while it is copied.
        """
        async with self._store.lock_pool(pool.name):
            # Whoever waited may come when the owner has changed their mind.
            pool = self._as_it_is_now(pool)
            for member in await self._superfluous(pool):
                with suppress(NotFound):  # it was given away, and is its owner's
                    await self._machines.delete(member.name)
            while (missing := pool.size - len(self.members(pool))) > 0:
                names = self._free_names(pool, missing)
                origin = await self._origin(pool, sparing=sparing)
                if origin is None:
                    await self._start(names[0], pool, progress)
                else:
                    await self._copy(origin, pool, names, progress)

    def _free_names(self, pool: Pool, count: int) -> tuple[str, ...]:
        """Names that no machine has, a member or not."""
        taken = {*self._store.names(), *(machine.name for machine in self._store.incomplete())}
        names: set[str] = set()
        while len(names) < count:
            name = f"{MEMBER}{pool.name[:_MOST_OF_A_NAME]}-{secrets.token_hex(2)}"
            names |= {name} - taken
        return tuple(names)

    async def _start(self, name: str, pool: Pool, progress: Progress) -> None:
        progress(f"making {name}", None)
        await self._machines.reconcile()
        async with self._ground.changing(name):
            machine = await make(self._ground, name, pool.spec, progress, pool.name)
            await have_running(self._ground, machine, progress)
        if copies_alike(pool.spec):
            Descent.of(machine).write(machine)

    async def _origin(self, pool: Pool, *, sparing: bool) -> Machine | None:
        """A member to copy, where its engine can and a copy is as new as a start."""
        if not copies_alike(pool.spec):
            return None
        ready = [member for member in self.members(pool) if await self._is_ready(member)]
        found = [(member, Descent.read(member)) for member in ready]
        as_new = [each for each, descent in found if descent and descent.is_as_new(pool.spec)]
        # The newest: the others are given away first.
        return as_new[-1] if as_new and len(ready) > sparing else None

    async def _copy(
        self, origin: Machine, pool: Pool, names: Sequence[str], progress: Progress
    ) -> None:
        """Make all that is missing at once, by one fork of a member that nobody has used."""
        descent = Descent.read(origin)
        progress(f"copying {origin.name}", None)
        try:
            await self._have_furnished(origin)
            made = await Copies(self._ground).fork(origin.name, names, pool.name)
        except (NotFound, WrongState):
            if await self._is_ready(origin):
                raise
            return  # it was taken, or has ended: another one is copied
        for standing in made:
            if descent is not None:
                descent.write(standing.machine)

    async def _have_furnished(self, member: Machine) -> None:
        """Wait for the whole desk of a member: else each copy had to come to it by itself."""
        with anyio.move_on_after(_FURNISHED):
            async with self._machines.computer(member.name) as computer:
                while (await computer.info())["phase"] != "ready":  # noqa: ASYNC110 (not ours)
                    await anyio.sleep(_LOOK_AGAIN)

    def _as_it_is_now(self, pool: Pool) -> Pool:
        found = [each for each in self.list() if each.name == pool.name]
        return found[0] if found else replace(pool, size=0)

    async def _superfluous(self, pool: Pool) -> tuple[Machine, ...]:
        members = self.members(pool)
        dead = [member for member in members if await self._stays_dead(member)]
        others = [member for member in members if member.spec != pool.spec and member not in dead]
        right = [member for member in members if member.spec == pool.spec and member not in dead]
        return (*dead, *others, *right[pool.size :])

    async def take(self, name: str, wish: MachineSpec) -> Machine | None:
        """Give a ready machine of this wish that name; None where there is none.

        The caller holds the lock of the name.
        """
        for pool in self.list():
            if not pool.suits(wish):
                continue
            if (taken := await self._give_one(pool, name)) is not None:
                self._leave_filler(pool)
                return taken
            await self.replace_dead(pool)
        return None

    async def _give_one(self, pool: Pool, name: str) -> Machine | None:
        """Rename a member that is ready; one that is being copied is waited for."""
        until = anyio.current_time() + COPYING
        while True:
            busy = False
            for member in self.members(pool):
                if member.spec != pool.spec:
                    continue  # of the wish before, which nobody has cleared away yet
                with self._store.lock_if_free(member.name) as free:
                    is_ready = await self._is_ready(member)
                    if free and is_ready:
                        provider = get_provider(member.spec.provider)
                        await introduce(provider, replace(member, name=name))
                        return self._store.rename(member, name)
                    busy = busy or is_ready
            if not busy or anyio.current_time() > until:
                return None
            await anyio.sleep(_LOOK_AGAIN)

    async def _is_dead(self, member: Machine) -> bool:
        """Whether a member has ended, and nobody is at it."""
        with self._store.lock_if_free(member.name) as free:
            return free and (await observe(member)).state in _ENDED

    async def _stays_dead(self, member: Machine) -> bool:
        """Whether a member has ended, and whoever is at it, such as to tell that, leaves it so."""
        if (await observe(member)).state not in _ENDED:
            return False
        async with self._store.lock(member.name):
            return (await observe(member)).state in _ENDED

    async def _is_ready(self, member: Machine) -> bool:
        state = (await observe(member)).state
        return state is State.RUNNING and member in self._store.all()

    def _leave_filler(self, pool: Pool) -> None:
        """Have the next one made by a process that nobody waits for."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        log = os.open(self._store.home / "pools.log", flags, 0o600)
        try:
            filler = interpreter.command(MODULE, str(self._store.home), pool.name)
            # The shell ends at once, and what it leaves behind is nobody's to wait for.
            subprocess.run(
                ["/bin/sh", "-c", '"$@" &', "sh", *filler],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd="/",
                check=True,
            )
        finally:
            os.close(log)

    @contextmanager
    def _alone(self, what: str) -> Iterator[None]:
        handle = os.open(
            self._store.home / f"{what}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def main() -> NoReturn:
    """Fill one pool; what goes wrong is in `pools.log` of the store."""
    from carrel.machines.lifecycle import Machines
    from carrel.machines.store import Store

    home, name = sys.argv[-2:]
    pools = Pools(Machines(Store(Path(home))))
    try:
        anyio.run(partial(pools.fill, pools.get(name), _unheard, sparing=True))
    except CarrelError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)
    sys.exit(0)


def _unheard(stage: str, share: float | None) -> None:
    """Nobody wants to know."""
