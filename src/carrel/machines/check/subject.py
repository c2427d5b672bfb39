"""What the checks are about, and how a check is written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import anyio

from carrel.computer import Computer
from carrel.errors import CarrelError
from carrel.machines.lifecycle import Machines, quiet
from carrel.machines.provider import Provider
from carrel.machines.spec import Machine, MachineSpec

__all__ = [
    "CHECKS",
    "Check",
    "Failed",
    "Skipped",
    "Subject",
    "check",
    "eventually",
    "expect",
    "expect_error",
]

MAIN = "check-main"


class Failed(Exception):
    """The provider does not do what the check says."""


class Skipped(Exception):
    """The check does not apply here; the message says why."""


@dataclass
class Subject:
    """One provider under test, with a store of its own.

    Attributes:
        provider: What is checked.
        machines: The life cycle over a private, temporary store.
        spec: The wish every machine of the suite starts from.
    """

    provider: Provider
    machines: Machines
    spec: MachineSpec
    started: set[str] = field(default_factory=set)

    async def up(self, name: str, **changes: object) -> Machine:
        """Have a machine running."""
        spec = replace(self.spec, **changes)  # type: ignore[arg-type]
        self.started.add(name)
        return (await self.machines.up(name, spec, quiet)).machine

    async def main(self) -> Machine:
        """The machine that all checks without special wishes share."""
        return await self.up(MAIN)

    @asynccontextmanager
    async def computer(self, name: str = MAIN) -> AsyncIterator[Computer]:
        """See and act on a running machine."""
        if name == MAIN:
            await self.main()
        async with self.machines.computer(name) as computer:
            yield computer

    async def python(self, code: str, *arguments: str, name: str = MAIN) -> str:
        """Run Python code inside a machine and return what it printed."""
        async with self.computer(name) as computer:
            interpreter = str((await computer.info())["python"])
            done = await computer.run(interpreter, "-c", code, *arguments, timeout=30)
        expect(done.exit.code == 0, f"python inside: {done.exit} {done.stderr.decode()[-300:]}")
        return done.stdout.decode().strip()

    def needs_ownership(self) -> None:
        """Skip where the provider only connects to machines."""
        if not self.provider.capabilities.owns:
            raise Skipped(f"{self.provider.name} does not start or stop machines")

    def needs_walls(self) -> None:
        """Skip where the provider promises no isolation."""
        if not self.provider.capabilities.contains:
            raise Skipped(f"{self.provider.name} promises no isolation")

    def needs(self, can: bool, what: str) -> None:
        """Skip where the provider does not say that it can do something."""
        if not can:
            raise Skipped(f"{self.provider.name} cannot {what}")


@dataclass(frozen=True, slots=True)
class Check:
    """One behaviour."""

    id: str
    title: str
    run: Callable[[Subject], Awaitable[None]]


CHECKS: list[Check] = []


def check(run: Callable[[Subject], Awaitable[None]]) -> Callable[[Subject], Awaitable[None]]:
    """Add a function to the suite; the first line of its docstring is what it proves."""
    title = (run.__doc__ or "").partition("\n")[0].rstrip(".")
    CHECKS.append(Check(run.__name__, title, run))
    return run


def expect(condition: bool, message: str) -> None:
    """Fail the check unless the condition holds."""
    if not condition:
        raise Failed(message)


async def expect_error(code: str, awaitable: Awaitable[object]) -> CarrelError:
    """Fail the check unless awaiting raises a Carrel error with that code."""
    try:
        value = await awaitable
    except CarrelError as error:
        expect(error.code == code, f"expected {code}, got {error.code}: {error}")
        return error
    raise Failed(f"expected {code}, but it went through with {value!r}")


async def eventually(
    what: str, condition: Callable[[], Awaitable[bool]], seconds: float = 15.0
) -> None:
    """Fail the check unless the condition comes true in time."""
    with anyio.move_on_after(seconds):
        while not await condition():  # noqa: ASYNC110 (it happens in another machine)
            await anyio.sleep(0.03)
        return
    raise Failed(f"after {seconds:.0f} seconds still not: {what}")
