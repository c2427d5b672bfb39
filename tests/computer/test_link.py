"""A client that lost its connection asks again under the same id, and nothing happens twice."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import pytest
from anyio.abc import ByteStream

from carrel.computer.link import Link
from carrel.errors import Interrupted, MachineLost, NotFound, ProtocolError
from carrel.stream import Connection, Stream, memory_pair

pytestmark = pytest.mark.anyio


class Peer:
    """A guest's end of the stream whose connections the test can break."""

    def __init__(self, handle: Callable[[Stream], object]) -> None:
        self.handle = handle
        self.boot = "first"
        self.version = 1
        self.connections: list[Connection] = []
        self.reachable = True

    @asynccontextmanager
    async def link(self) -> AsyncIterator[Link]:
        async with anyio.create_task_group() as tasks:

            async def connect() -> ByteStream:
                if not self.reachable:
                    raise MachineLost("nobody listens")
                ours, theirs = memory_pair()
                await tasks.start(self._serve, theirs)
                return ours

            async with Link(connect) as link:
                yield link
            tasks.cancel_scope.cancel()

    async def _serve(
        self, transport: ByteStream, *, task_status: anyio.abc.TaskStatus[None]
    ) -> None:
        hello = {"carrel": self.version, "boot": self.boot}
        connection = Connection(transport, initiator=False, handler=self._answer, hello=hello)
        async with connection:
            self.connections.append(connection)
            task_status.started()
            await connection.wait_closed()

    async def _answer(self, stream: Stream) -> None:
        await self.handle(stream)  # type: ignore[misc]


async def test_a_request_cut_off_by_a_break_is_asked_again_under_its_own_id() -> None:
    seen: list[str] = []

    async def handle(stream: Stream) -> None:
        seen.append(str(stream.header["id"]))
        if len(seen) == 1:
            await peer.connections[-1].aclose()
            return
        await stream.send_message({"result": {"n": len(seen)}}, end=True)

    peer = Peer(handle)
    with anyio.fail_after(10):
        async with peer.link() as link:
            reply = await link.ask("act", {})
    assert reply.result == {"n": 2}
    assert len(seen) == 2
    assert seen[0] == seen[1]
    assert len(peer.connections) == 2


async def test_a_machine_that_started_anew_is_told_instead_of_asked_again() -> None:
    seen: list[str] = []

    async def handle(stream: Stream) -> None:
        seen.append(str(stream.header["id"]))
        peer.boot = "second"
        await peer.connections[-1].aclose()

    peer = Peer(handle)
    with anyio.fail_after(10):
        async with peer.link() as link:
            with pytest.raises(Interrupted, match="started anew"):
                await link.ask("act", {})
    assert len(seen) == 1


async def test_a_machine_that_is_gone_is_lost() -> None:
    async def handle(stream: Stream) -> None:
        peer.reachable = False
        await peer.connections[-1].aclose()

    peer = Peer(handle)
    with anyio.fail_after(10):
        async with peer.link() as link:
            with pytest.raises(MachineLost):
                await link.ask("act", {})
            peer.reachable = True
            peer.handle = _say_hello
            assert (await link.ask("info", {})).result == {"hello": True}


async def _say_hello(stream: Stream) -> None:
    await stream.send_message({"result": {"hello": True}}, end=True)


async def test_a_reconnection_may_happen_inside_another_scope() -> None:
    peer = Peer(_say_hello)
    with anyio.fail_after(10):
        async with peer.link() as link:
            async with anyio.create_task_group() as tasks:
                await peer.connections[-1].aclose()
                with anyio.move_on_after(5):
                    assert (await link.ask("info", {})).result == {"hello": True}
                tasks.cancel_scope.cancel()
            assert (await link.ask("info", {})).result == {"hello": True}


async def test_an_error_of_the_caller_comes_out_as_it_is() -> None:
    peer = Peer(_say_hello)
    with anyio.fail_after(10), pytest.raises(ZeroDivisionError):
        await _fail_inside(peer)


async def _fail_inside(peer: Peer) -> None:
    async with anyio.create_task_group() as tasks:
        transports: list[ByteStream] = []

        async def connect() -> ByteStream:
            ours, theirs = memory_pair()
            transports.append(theirs)
            await tasks.start(peer._serve, theirs)
            return ours

        try:
            async with Link(connect):
                raise ZeroDivisionError
        except ZeroDivisionError as error:
            tasks.cancel_scope.cancel()
            caught = error
    raise caught


async def test_the_guests_error_is_raised_as_itself() -> None:
    async def handle(stream: Stream) -> None:
        raise NotFound("nothing there", hint="look elsewhere")

    peer = Peer(handle)
    with anyio.fail_after(10):
        async with peer.link() as link:
            with pytest.raises(NotFound, match="nothing there") as caught:
                await link.ask("act", {})
    assert caught.value.hint == "look elsewhere"


async def test_a_guest_of_another_version_is_refused() -> None:
    peer = Peer(_say_hello)
    peer.version = 99

    async def enter() -> None:
        async with anyio.create_task_group() as tasks:
            try:
                ours, theirs = memory_pair()
                await tasks.start(peer._serve, theirs)

                async def connect() -> ByteStream:
                    return ours

                with pytest.raises(ProtocolError, match="version 99"):
                    async with Link(connect):
                        pass
            finally:
                tasks.cancel_scope.cancel()

    with anyio.fail_after(10):
        await enter()


async def test_many_tasks_share_one_connection() -> None:
    peer = Peer(_say_hello)
    with anyio.fail_after(10):
        async with peer.link() as link, anyio.create_task_group() as tasks:
            for _ in range(50):
                tasks.start_soon(link.ask, "info", {})
    assert len(peer.connections) == 1
