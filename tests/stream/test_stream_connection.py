from __future__ import annotations

import gc
import logging
import resource
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import anyio
import pytest

from carrel import errors
from carrel.errors import (
    Interrupted,
    InvalidInput,
    MachineLost,
    NotFound,
    ProtocolError,
    Refused,
    RunError,
    Unsupported,
    WrongState,
)
from carrel.stream import (
    MAX_CHUNK,
    MAX_MESSAGE,
    WINDOW,
    Chunk,
    Connection,
    Lane,
    Message,
    Stream,
    memory_pair,
)

Pair = Callable[..., AbstractAsyncContextManager[tuple[Connection, Connection]]]
pytestmark = pytest.mark.anyio


async def echo(stream: Stream) -> None:
    """Send everything back as it came."""
    while (item := await stream.receive()) is not None:
        if isinstance(item, Message):
            await stream.send_message(item.data)
        else:
            await stream.send(item.data, item.lane)


async def collect(stream: Stream, lane: Lane = Lane.DATA) -> bytes:
    pieces = []
    while (item := await stream.receive()) is not None:
        assert isinstance(item, Chunk)
        assert item.lane is lane
        pieces.append(item.data)
    return b"".join(pieces)


async def test_the_two_sides_greet_each_other() -> None:
    ours, theirs = memory_pair()
    with anyio.fail_after(5):
        async with (
            Connection(ours, initiator=True, hello={"who": "keeper"}) as client,
            Connection(theirs, initiator=False, hello={"who": "guest", "pid": 1}) as server,
        ):
            assert await client.ready() == {"who": "guest", "pid": 1}
            assert await server.ready() == client_hello(server) == {"who": "keeper"}


def client_hello(connection: Connection) -> object:
    return connection.peer


async def test_messages_and_bytes_keep_their_order_and_lane(pair: Pair) -> None:
    with anyio.fail_after(5):
        async with pair(echo) as (client, _), await client.open({"op": "echo"}) as stream:
            await stream.send_message({"n": 1})
            await stream.send(b"out")
            await stream.send(b"err", Lane.ERRORS)
            await stream.send_message({"n": 2, "text": "漢字 😀"})
            await stream.end()
            assert await stream.receive() == Message(Lane.MESSAGE, {"n": 1})
            assert await stream.receive() == Chunk(Lane.DATA, b"out")
            assert await stream.receive() == Chunk(Lane.ERRORS, b"err")
            assert await stream.receive() == Message(Lane.MESSAGE, {"n": 2, "text": "漢字 😀"})
            assert await stream.receive() is None
            assert await stream.receive() is None
            assert stream.closed


async def test_the_header_reaches_the_handler(pair: Pair) -> None:
    seen: list[object] = []

    async def handler(stream: Stream) -> None:
        seen.append(stream.header)

    with anyio.fail_after(5):
        header = {"op": "x", "args": {"a": [1, None]}}
        async with pair(handler) as (client, _), await client.open(header, end=True) as stream:
            assert await stream.receive() is None
    assert seen == [{"op": "x", "args": {"a": [1, None]}}]


async def test_both_sides_can_open_streams_at_once() -> None:
    ours, theirs = memory_pair()
    with anyio.fail_after(5):
        async with (
            Connection(ours, initiator=True, handler=echo) as one,
            Connection(theirs, initiator=False, handler=echo) as other,
        ):
            for number in range(50):
                for side in (one, other):
                    async with await side.open({}) as stream:
                        await stream.send_message({"n": number}, end=True)
                        assert await stream.receive_message() == {"n": number}
                        assert await stream.receive() is None


@pytest.mark.parametrize("size", [1, MAX_CHUNK, MAX_CHUNK + 1, 3 * WINDOW + 17])
@pytest.mark.parametrize("make", [bytes, bytearray, lambda data: memoryview(bytearray(data))])
async def test_any_size_and_kind_of_buffer_comes_back(
    pair: Pair, size: int, make: Callable[[bytes], bytes | bytearray | memoryview]
) -> None:
    data = (bytes(range(251)) * (size // 251 + 1))[:size]
    with anyio.fail_after(10):
        async with (
            pair(echo) as (client, _),
            await client.open({}) as stream,
            anyio.create_task_group() as group,
        ):
            buffer = make(data)

            async def upload() -> None:
                await stream.send(buffer, end=True)
                if not isinstance(buffer, bytes):
                    buffer[:] = bytes(len(buffer))  # it is ours again once send has returned

            group.start_soon(upload)
            assert await collect(stream) == data


async def test_a_message_of_the_largest_size_passes_and_a_larger_one_is_refused(pair: Pair) -> None:
    largest = {"t": "x" * (MAX_MESSAGE - len('{"t":""}'))}
    with anyio.fail_after(10):
        async with pair(echo) as (client, _), await client.open({}) as stream:
            for _ in range(3):
                await stream.send_message(largest)
                assert await stream.receive_message() == largest
            with pytest.raises(InvalidInput, match="is the most"):
                await stream.send_message({"t": largest["t"] + "y"})


async def test_half_close_lets_the_answer_come_after_the_question(pair: Pair) -> None:
    async def count(stream: Stream) -> None:
        size = len(await collect(stream))
        await stream.send_message({"size": size})

    with anyio.fail_after(5):
        async with pair(count) as (client, _), await client.open({}) as stream:
            await stream.send(b"abc")
            await stream.end()
            await stream.end()
            with pytest.raises(WrongState):
                await stream.send(b"more")
            assert await stream.receive_message() == {"size": 3}
            assert await stream.receive() is None


async def test_an_answer_can_end_before_the_question_does(pair: Pair) -> None:
    async def impatient(stream: Stream) -> None:
        await stream.send_message({"enough": True})

    with anyio.fail_after(10):
        async with pair(impatient) as (client, _), await client.open({}) as stream:
            assert await stream.receive_message() == {"enough": True}
            assert await stream.receive() is None
            # Nobody reads this, yet it never gets stuck for want of credit.
            await stream.send(bytes(4 * WINDOW), end=True)
            assert stream.closed


async def test_an_error_of_the_handler_is_raised_at_the_caller(pair: Pair) -> None:
    async def handler(_: Stream) -> None:
        raise NotFound("no such window", op="act", hint="list them", context={"id": 3})

    with anyio.fail_after(5):
        async with pair(handler) as (client, _), await client.open({}) as stream:
            with pytest.raises(NotFound, match="no such window") as caught:
                await stream.receive()
            assert caught.value.hint == "list them"
            assert caught.value.context == {"id": 3}
            with pytest.raises(NotFound):
                await stream.send(b"x")
            with pytest.raises(NotFound):
                await stream.receive_message()


async def test_a_bug_in_a_handler_is_logged_and_answered(
    pair: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    async def handler(stream: Stream) -> None:
        if stream.header.get("bug"):
            raise ZeroDivisionError("oops")
        await stream.send_message({"fine": True})

    with anyio.fail_after(5), caplog.at_level(logging.ERROR, "carrel.stream"):
        async with pair(handler) as (client, _):
            async with await client.open({"bug": True}) as stream:
                with pytest.raises(RunError, match="internal error: ZeroDivisionError: oops"):
                    await stream.receive()
            async with await client.open({}) as stream:
                assert await stream.receive_message() == {"fine": True}
    assert "ZeroDivisionError" in caplog.text


async def test_leaving_an_open_stream_cancels_its_handler(pair: Pair) -> None:
    cancelled = anyio.Event()

    async def handler(stream: Stream) -> None:
        await stream.send_message({"started": True})
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    with anyio.fail_after(5):
        async with pair(handler) as (client, server):
            async with await client.open({}) as stream:
                await stream.receive_message()
            await cancelled.wait()
            with pytest.raises(Interrupted):
                await stream.receive()
            assert not client._streams
            assert not server._streams


async def test_cancelling_the_caller_cancels_the_handler(pair: Pair) -> None:
    started, cancelled = anyio.Event(), anyio.Event()

    async def handler(_: Stream) -> None:
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    with anyio.fail_after(5):
        async with pair(handler) as (client, _), anyio.create_task_group() as group:

            async def ask() -> None:
                async with await client.open({}) as stream:
                    await stream.receive()

            group.start_soon(ask)
            await started.wait()
            group.cancel_scope.cancel()
        await cancelled.wait()


async def test_a_handler_that_is_waiting_to_send_is_cancelled_too(pair: Pair) -> None:
    stopped = anyio.Event()

    async def handler(stream: Stream) -> None:
        try:
            while True:
                await stream.send(bytes(MAX_CHUNK))
        finally:
            stopped.set()

    with anyio.fail_after(5):
        async with pair(handler) as (client, _):
            async with await client.open({}) as stream:
                await stream.receive()
            await stopped.wait()


async def test_a_reset_by_the_handler_wakes_a_sender(pair: Pair) -> None:
    async def handler(stream: Stream) -> None:
        await stream.receive()
        await stream.reset(Refused("no more of this"))

    with anyio.fail_after(5):
        async with pair(handler) as (client, _), await client.open({}) as stream:
            with pytest.raises(Refused, match="no more"):
                await stream.send(bytes(8 * WINDOW))


async def test_a_slow_reader_does_not_block_the_others(pair: Pair) -> None:
    async def flood(stream: Stream) -> None:
        if stream.header["op"] == "echo":
            await echo(stream)
        while True:
            await stream.send(bytes(MAX_CHUNK))

    with anyio.fail_after(10):
        async with pair(flood) as (client, _):
            slow = [await client.open({"op": "flood"}) for _ in range(5)]
            for number in range(100):
                async with await client.open({"op": "echo"}) as stream:
                    await stream.send_message({"n": number}, end=True)
                    assert await stream.receive_message() == {"n": number}
            for stream in slow:
                held = sum(len(payload) for _, payload, _ in stream._queue)
                assert held <= WINDOW + MAX_CHUNK
                await stream.reset(Interrupted("enough"))


async def test_a_thousand_streams_at_once(pair: Pair) -> None:
    done = 0

    with anyio.fail_after(30):
        async with pair(echo) as (client, server), anyio.create_task_group() as group:
            gate = anyio.Event()

            async def one(number: int) -> None:
                nonlocal done
                async with await client.open({"n": number}) as stream:
                    await stream.send_message({"n": number})
                    await gate.wait()
                    await stream.send(b"%d" % number * 100, end=True)
                    assert await stream.receive_message() == {"n": number}
                    assert await collect(stream) == b"%d" % number * 100
                    done += 1

            for number in range(1000):
                group.start_soon(one, number)
            while len(server._streams) < 1000:  # noqa: ASYNC110 - a bounded poll
                await anyio.sleep(0.01)
            gate.set()
    assert done == 1000
    assert not client._streams
    assert server._incoming == 0


async def test_too_many_streams_are_refused_and_the_rest_go_on(pair: Pair) -> None:
    with anyio.fail_after(5):
        async with pair(echo, max_streams=3) as (client, server):
            first = [await client.open({}) for _ in range(3)]
            async with await client.open({}) as stream:
                with pytest.raises(Refused, match="3 streams"):
                    await stream.receive()
            for stream in first:
                await stream.end()
                assert await stream.receive() is None
            async with await client.open({}, end=True) as stream:
                assert await stream.receive() is None
            assert server._incoming == 0


async def test_a_side_without_a_handler_says_so(pair: Pair) -> None:
    with anyio.fail_after(5):
        async with pair() as (client, _), await client.open({}) as stream:
            with pytest.raises(Unsupported):
                await stream.receive()


async def test_several_tasks_may_send_on_one_stream(pair: Pair) -> None:
    async def two_voices(stream: Stream) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(stream.send, b"o" * (3 * WINDOW), Lane.DATA)
            group.start_soon(stream.send, b"e" * (3 * WINDOW), Lane.ERRORS)

    totals = {Lane.DATA: 0, Lane.ERRORS: 0}
    with anyio.fail_after(10):
        async with pair(two_voices) as (client, _), await client.open({}, end=True) as stream:
            while (item := await stream.receive()) is not None:
                assert isinstance(item, Chunk)
                assert item.data.strip(b"o" if item.lane is Lane.DATA else b"e") == b""
                totals[item.lane] += len(item.data)
    assert totals == {Lane.DATA: 3 * WINDOW, Lane.ERRORS: 3 * WINDOW}


async def test_a_cancelled_sender_leaves_the_frames_whole(pair: Pair) -> None:
    """Cancellation in the middle of a write must not cut a frame in two."""

    async def slow(stream: Stream) -> None:
        if stream.header.get("op") == "echo":
            await echo(stream)
            return
        await anyio.sleep_forever()

    with anyio.fail_after(20):
        async with pair(slow) as (client, _):
            for number in range(50):
                stream = await client.open({})
                with anyio.move_on_after(0.0005 * (number % 5)):
                    while True:
                        await stream.send(bytearray(b"z" * MAX_CHUNK))
                await stream.reset(Interrupted("enough"))
                async with await client.open({"op": "echo"}) as check:
                    await check.send_message({"n": number}, end=True)
                    assert await check.receive_message() == {"n": number}
            assert client.error is None


async def test_a_large_transfer_keeps_memory_flat(pair: Pair) -> None:
    total = 512 << 20

    async def count(stream: Stream) -> None:
        size = 0
        async for piece in stream.body():
            size += len(piece)
        await stream.send_message({"size": size})

    with anyio.fail_after(60):
        async with pair(count) as (client, _), await client.open({}) as stream:
            chunk = bytes(MAX_CHUNK)
            await stream.send(chunk)
            gc.collect()
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            for _ in range(total // MAX_CHUNK - 1):
                await stream.send(chunk)
            await stream.end()
            assert await stream.receive_message() == {"size": total}
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 16 << 10  # KiB


async def test_closing_one_side_ends_the_other_without_an_error(pair: Pair) -> None:
    with anyio.fail_after(5):
        async with pair(echo) as (client, server):
            stream = await client.open({})
            await server.ready()
            await server.aclose()
            await client.wait_closed()
            assert client.closed
            assert client.error is None
            assert server.error is None
            with pytest.raises(MachineLost):
                await stream.receive()
            with pytest.raises(MachineLost):
                await stream.send(b"x")
            with pytest.raises(MachineLost):
                await client.open({})
            with pytest.raises(MachineLost):
                await client.ready()
            await client.aclose()


async def test_a_handler_may_close_its_own_connection(pair: Pair) -> None:
    connections: list[Connection] = []

    async def shutdown(stream: Stream) -> None:
        await stream.send_message({"result": {}}, end=True)
        await connections[0].aclose()

    with anyio.fail_after(5):
        async with pair(shutdown) as (client, server):
            connections.append(server)
            async with await client.open({}, end=True) as stream:
                assert await stream.receive_message() == {"result": {}}
            await client.wait_closed()
            assert client.error is None


async def test_handlers_are_cancelled_when_the_connection_ends(pair: Pair) -> None:
    started, stopped = anyio.Event(), anyio.Event()

    async def handler(_: Stream) -> None:
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            stopped.set()

    with anyio.fail_after(5):
        async with pair(handler) as (client, _):
            await client.open({})
            await started.wait()
            await client.aclose()
            await stopped.wait()


async def test_an_error_in_the_block_leaves_it_as_it_is(pair: Pair) -> None:
    with anyio.fail_after(5):
        with pytest.raises(ValueError, match="mine"):
            async with pair(echo):
                raise ValueError("mine")
        with pytest.raises(NotFound):
            async with pair(echo) as (client, _), await client.open({}):
                raise NotFound("mine")


async def test_a_connection_inside_a_cancelled_scope_closes_at_once(pair: Pair) -> None:
    with anyio.fail_after(5):
        with anyio.CancelScope() as scope:
            async with pair(echo) as (client, _):
                await client.open({})
                scope.cancel()
                await anyio.sleep_forever()
        assert scope.cancelled_caught
        assert client.closed


async def test_a_connection_that_is_not_entered_opens_nothing_and_closes() -> None:
    ours, theirs = memory_pair()
    connection = Connection(ours, initiator=True)
    with anyio.fail_after(5):
        with pytest.raises(WrongState):
            await connection.open({})
        await connection.aclose()
        await connection.wait_closed()
        with pytest.raises(anyio.EndOfStream):
            await theirs.receive()
        await theirs.aclose()


async def test_receive_message_wants_a_message(pair: Pair) -> None:
    async def bytes_only(stream: Stream) -> None:
        if stream.header.get("send"):
            await stream.send(b"bytes")

    with anyio.fail_after(5):
        async with pair(bytes_only) as (client, _):
            async with await client.open({"send": True}) as stream:
                with pytest.raises(ProtocolError, match="5 bytes"):
                    await stream.receive_message()
            async with await client.open({}) as stream:
                with pytest.raises(ProtocolError, match="the end"):
                    await stream.receive_message()
            assert not client.closed


async def test_bytes_do_not_go_on_the_lane_of_messages(pair: Pair) -> None:
    with anyio.fail_after(5):
        async with pair(echo) as (client, _), await client.open({}) as stream:
            with pytest.raises(InvalidInput, match="lane of messages"):
                await stream.send(b"x", Lane.MESSAGE)


async def test_a_header_without_json_form_opens_nothing(pair: Pair) -> None:
    with anyio.fail_after(5):
        async with pair(echo) as (client, _):
            with pytest.raises(InvalidInput, match="header"):
                await client.open({"x": object()})
            assert not client._streams
            async with await client.open({}, end=True) as stream:
                assert await stream.receive() is None


def test_every_error_class_survives_the_crossing() -> None:
    async def main() -> None:
        async def handler(stream: Stream) -> None:
            raise by_code[str(stream.header["code"])]("told")

        public = [getattr(errors, name) for name in errors.__all__]
        by_code = {cls.code: cls for cls in public if isinstance(cls, type)}
        ours, theirs = memory_pair()
        async with (
            Connection(theirs, initiator=False, handler=handler),
            Connection(ours, initiator=True) as client,
        ):
            for code, cls in by_code.items():
                async with await client.open({"code": code}) as stream:
                    with anyio.fail_after(5), pytest.raises(cls, match="told") as caught:
                        await stream.receive()
                    assert type(caught.value) is cls

    anyio.run(main)
