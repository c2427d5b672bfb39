from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

import anyio
import pytest
from anyio import lowlevel

from carrel.errors import InvalidInput, NotFound, ProtocolError, RunError, TimedOut
from carrel.stream import WINDOW, Connection, Lane, Reply, Stream, call, request

Pair = Callable[..., AbstractAsyncContextManager[tuple[Connection, Connection]]]
pytestmark = pytest.mark.anyio


async def answer(stream: Stream) -> None:
    """What a machine would answer, for each kind of request there is."""
    op = stream.header["op"]
    if op == "header":
        await stream.send_message({"result": stream.header})
    elif op == "body":
        await stream.send_message({"result": {}})
        await stream.send(b"ab")
        await stream.send(b"c" * (2 * WINDOW))
    elif op == "count":
        size = 0
        async for piece in stream.body():
            size += len(piece)
        await stream.send_message({"result": {"size": size}})
    elif op == "hasty":
        await stream.send_message({"result": {"read": 0}})
    elif op == "fail":
        raise NotFound("nothing there")
    elif op == "no result":
        await stream.send_message({"reply": {}})
    elif op == "two messages":
        await stream.send_message({"result": {}})
        await stream.send_message({"exit": 0})
    elif op == "stderr":
        await stream.send_message({"result": {}})
        await stream.send(b"x", Lane.ERRORS)
    elif op == "hang":
        await anyio.sleep_forever()


async def test_a_call_sends_op_args_and_a_new_id(pair: Pair) -> None:
    with anyio.fail_after(5):
        async with pair(answer) as (client, _):
            one = (await call(client, "header", {"a": 1})).result
            two = (await call(client, "header", id="req_mine")).result
    assert one["op"] == "header"
    assert one["args"] == {"a": 1}
    assert str(one["id"]).startswith("req_")
    assert two["id"] == "req_mine"
    assert two["args"] == {}


async def test_the_bytes_of_the_answer_are_collected(pair: Pair) -> None:
    with anyio.fail_after(10):
        async with pair(answer) as (client, _):
            reply = await call(client, "body")
    assert reply == Reply({}, b"ab" + b"c" * (2 * WINDOW))


async def test_an_answer_longer_than_allowed_is_refused(pair: Pair) -> None:
    with anyio.fail_after(10):
        async with pair(answer) as (client, _):
            with pytest.raises(RunError, match="longer than 100 bytes"):
                await call(client, "body", max_body=100)
            assert not client._streams


@pytest.mark.parametrize("size", [0, 5, 5 * WINDOW])
async def test_a_body_of_bytes_is_sent(pair: Pair, size: int) -> None:
    with anyio.fail_after(10):
        async with pair(answer) as (client, _):
            assert (await call(client, "count", body=bytes(size))).result == {"size": size}


async def test_a_body_made_on_the_way_is_sent(pair: Pair) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for size in (0, 1, 1000, WINDOW):
            yield bytes(size)

    with anyio.fail_after(10):
        async with pair(answer) as (client, _):
            reply = await call(client, "count", body=pieces())
    assert reply.result == {"size": 1001 + WINDOW}


async def test_an_early_answer_stops_an_endless_body(pair: Pair) -> None:
    closed = anyio.Event()

    async def endless() -> AsyncIterator[bytes]:
        try:
            while True:
                yield bytes(1000)
                await lowlevel.checkpoint()
        finally:
            closed.set()

    with anyio.fail_after(5):
        async with pair(answer) as (client, server):
            body = endless()
            assert (await call(client, "hasty", body=body)).result == {"read": 0}
            await body.aclose()
            await closed.wait()
            # The other side was told: nothing is left open.
            assert (await call(client, "header")).result["op"] == "header"
            assert not server._streams


async def test_an_error_while_making_the_body_is_the_error_of_the_call(pair: Pair) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield b"x"
        raise InvalidInput("the file went away")

    with anyio.fail_after(5):
        async with pair(answer) as (client, _):
            with pytest.raises(InvalidInput, match="went away"):
                await call(client, "count", body=broken())
            assert not client._streams


@pytest.mark.parametrize("body", [None, b"", bytes(4 * WINDOW)])
async def test_the_error_of_the_other_side_is_raised(pair: Pair, body: bytes | None) -> None:
    with anyio.fail_after(5):
        async with pair(answer) as (client, _):
            with pytest.raises(NotFound, match="nothing there"):
                await call(client, "fail", body=body)


@pytest.mark.parametrize("op", ["no result", "two messages", "stderr", "unknown"])
async def test_an_answer_that_is_no_plain_answer_is_a_protocol_error(pair: Pair, op: str) -> None:
    with anyio.fail_after(5):
        async with pair(answer) as (client, _):
            with pytest.raises(ProtocolError):
                await call(client, op)
            assert not client.closed


async def test_a_call_that_takes_too_long_is_given_up_on_both_sides(pair: Pair) -> None:
    with anyio.fail_after(5):
        async with pair(answer) as (client, server):
            with pytest.raises(TimedOut, match="hang did not answer within"):
                await call(client, "hang", timeout=0.05)
            await call(client, "header", timeout=5)
            assert not server._streams


async def test_a_request_leaves_the_stream_to_the_caller(pair: Pair) -> None:
    with anyio.fail_after(5):
        async with pair(answer) as (client, _), await request(client, "two messages") as stream:
            await stream.end()
            assert await stream.receive_message() == {"result": {}}
            assert await stream.receive_message() == {"exit": 0}
            assert await stream.receive() is None
