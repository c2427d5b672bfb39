"""A computer that is connected only while something is asked of it.

Results are taken with `async for`, and people leave such loops with `break`. What a generator holds
open across its results is then closed by another task, whenever that comes about; a connection,
which has tasks of its own, must not be among it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from carrel.computer import Computer
from carrel.computer.link import VERSION, Connect, Link
from carrel.errors import Unsupported
from carrel.machines.lifecycle import Machines
from carrel.machines.provider import get_provider
from carrel.stream import Reply, Stream

__all__ = ["BriefComputer"]


class BriefComputer(Computer):
    """A machine by its name, with one connection for each request."""

    def __init__(self, name: str) -> None:
        machine = Machines().store.get(name)
        provider = get_provider(machine.spec.provider)
        super().__init__(lambda: provider.channel(machine), isolation=provider.isolation, name=name)
        self._link = _BriefLink(lambda: provider.channel(machine))


class _BriefLink(Link):
    def __init__(self, connect: Connect) -> None:
        super().__init__(connect)
        self._dial = connect

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    async def ask(
        self,
        op: str,
        args: Mapping[str, object],
        *,
        body: bytes | None = None,
        id: str | None = None,  # noqa: A002 (as its base calls it)
    ) -> Reply:
        async with Link(self._dial) as link:
            # As within one connection, a machine that started anew is not taken for the same.
            self._check_peer({"carrel": VERSION, "boot": link.boot})
            return await link.ask(op, args, body=body, id=id)

    async def open(self, op: str, args: Mapping[str, object], *, end: bool = False) -> Stream:
        raise Unsupported("a stream needs a connection that stays", hint="Machines.computer(name)")
