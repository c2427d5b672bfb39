"""Clients of a machine that has one line only: each gets a stream of it.

The machine's socket looks as if its guest listened there itself.
"""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import anyio
from anyio.abc import ByteStream

from carrel.errors import CarrelError, MachineLost, TimedOut
from carrel.guest.tasks import task_group
from carrel.guest.tunnels import splice
from carrel.stream import (
    Connection,
    FdStream,
    Line,
    Listener,
    connect_unix,
    listen_inherited,
    listen_unix,
)

__all__ = ["Switchboard", "quiet_line"]

_RINGS = 10.0
_PATIENCE = 20.0
_QUIET = b"quiet"
_LONGEST = 64

logger = logging.getLogger(__name__)


class Switchboard:
    """Holds the line to a guest, and connects whoever asks at the machine's socket.

    Args:
        transport: The line.
        listen: Descriptor of the machine's listening socket.
    """

    def __init__(self, transport: FdStream, listen: int) -> None:
        self._line = Line(transport)
        self._listener: Listener = listen_inherited(listen)
        self._connection: Connection | None = None
        self._connected = anyio.Event()
        self._answered = anyio.Event()
        self._askers = 0
        self._served = 0
        self._changed = anyio.Event()

    async def run(self, control: Path) -> None:
        """Serve until the line is cut.

        Args:
            control: Where to listen for whoever wants the line quiet; see `quiet_line`.

        Raises:
            MachineLost: It is.
        """
        control.unlink(missing_ok=True)
        async with task_group() as tasks, self._listener, listen_unix(control) as controls:
            tasks.start_soon(self._listener.serve, self._connect)
            tasks.start_soon(controls.serve, self._be_quiet)
            while True:
                # A guest may be halted for hours: after a call that nobody took comes the next.
                with suppress(TimedOut):
                    call = await self._line.ring(_RINGS)
                    if await self._let_be_quiet():
                        await self._hold(await self._line.begin(call, _RINGS))

    async def _let_be_quiet(self) -> bool:
        """Let the guest wait for as long as somebody wants the line quiet.

        Returns:
            Whether it still waits, as far as anybody knows.
        """
        answered = self._answered
        answered.set()
        while self._askers and answered is self._answered:
            await self._changed.wait()
        waits = answered is self._answered
        if waits:
            self._answered = anyio.Event()
        return waits

    def _doubt(self) -> None:
        """Have the guest called anew: its answer may have been lost since."""
        if self._answered.is_set():
            self._answered = anyio.Event()
            self._tell_change()

    def _tell_change(self) -> None:
        changed, self._changed = self._changed, anyio.Event()
        changed.set()

    async def _freed(self) -> None:
        while self._askers:
            await self._changed.wait()

    async def _hold(self, turn: ByteStream) -> None:
        async with Connection(turn, initiator=True) as connection:
            if self._askers:
                return  # somebody came while we said that we begin
            self._connection = connection
            self._connected.set()
            try:
                await connection.wait_closed()
            finally:
                self._connection = None
                self._connected = anyio.Event()

    async def _connect(self, client: FdStream) -> None:
        try:
            await self._freed()
            connection = await self._reached()
            self._served += client.peer_pid != os.getpid()
            async with await connection.open({"op": "dial"}) as stream:
                await splice(stream, client)
        except CarrelError as error:
            # The client sees its connection end; why, is told here only.
            logger.debug("a client's connection ended: %s", error)

    async def _reached(self) -> Connection:
        with anyio.move_on_after(_PATIENCE):
            await self._connected.wait()
        if self._connection is None:
            raise _no_answer()
        return self._connection

    async def _be_quiet(self, asker: FdStream) -> None:
        """Let nobody have the line until the asker is gone.

        Who is connected is not any more. The guest has answered a call that nobody goes on with:
        a copy of it has nothing to end before it hears its own keeper's. Each asker is told of an
        answer of its own: what the one before did to the machine may have cut the line.
        """
        self._askers += 1
        try:
            if self._connection is not None:
                await self._connection.aclose()
            else:
                self._doubt()
            with anyio.move_on_after(_PATIENCE):
                await self._answered.wait()
            if not self._answered.is_set():
                raise _no_answer()
            await asker.send(b"%s %d\n" % (_QUIET, self._served))
            with suppress(anyio.EndOfStream):
                await asker.receive()
        except (CarrelError, anyio.BrokenResourceError) as error:
            logger.debug("the line could not be kept quiet: %s", error)
        finally:
            self._askers -= 1
            self._tell_change()


def _no_answer() -> MachineLost:
    return MachineLost("the guest does not answer", op="connect")


@asynccontextmanager
async def quiet_line(control: Path) -> AsyncIterator[int]:
    """Have the line of a running machine to nobody's use, as a snapshot needs it.

    Yields:
        How many but its keeper were connected to the machine since its start.

    Raises:
        MachineLost: It has no keeper, or its guest does not answer.
    """
    async with await connect_unix(control) as asker:
        said = b""
        with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
            while not said.endswith(b"\n") and len(said) < _LONGEST:
                said += await asker.receive(_LONGEST - len(said))
        word, _, served = said.strip().partition(b" ")
        if word != _QUIET:
            raise MachineLost("the guest does not answer", op="machine.snapshot")
        # A keeper that was started by an earlier version does not say how many.
        yield int(served) if served else 1
