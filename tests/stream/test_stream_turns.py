"""Who reads: the connection's own task, or the one that waits for its answer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import anyio
import pytest

from carrel.errors import MachineLost, TimedOut
from carrel.stream import WINDOW, Connection, Stream, call, memory_pair, request

Pair = Callable[..., AbstractAsyncContextManager[tuple[Connection, Connection]]]
pytestmark = pytest.mark.anyio


async def answer(stream: Stream) -> None:
    op = stream.header["op"]
    if op == "quick":
        await stream.send_message({"result": {}}, end=True)
    elif op == "late":
        await anyio.sleep(0.15)
        await stream.send_message({"result": {"late": True}}, end=True)
    elif op == "large":
        await stream.send_json(b'{"result":{}}', body=bytes(3 * WINDOW), end=True)
    elif op == "count":
        size = sum([len(piece) async for piece in stream.body()])
        await stream.send_message({"result": {"size": size}}, end=True)
    elif op == "hang":
        await anyio.sleep_forever()


async def test_calls_one_after_the_other_are_all_answered(pair: Pair) -> None:
    with anyio.fail_after(10):
        async with pair(answer) as (client, _):
            for _ in range(200):
                assert (await call(client, "quick")).result == {}


async def test_calls_with_pauses_between_are_all_answered(pair: Pair) -> None:
    with anyio.fail_after(10):
        async with pair(answer) as (client, _):
            for turn in range(30):
                await call(client, "quick")
                await anyio.sleep(0.004 * turn)


async def test_a_task_that_reads_for_itself_reads_for_the_others_too(pair: Pair) -> None:
    with anyio.fail_after(10):
        async with pair(answer) as (client, _):
            await call(client, "quick")
            async with anyio.create_task_group() as group:
                group.start_soon(call, client, "late")
                for _ in range(50):
                    group.start_soon(call, client, "quick")


async def test_when_the_one_who_read_is_done_the_others_still_get_theirs(pair: Pair) -> None:
    found = []

    async def late() -> None:
        found.append((await call(client, "late")).result)

    with anyio.fail_after(10):
        async with pair(answer) as (client, _), anyio.create_task_group() as group:
            await call(client, "quick")
            for _ in range(3):
                group.start_soon(late)
            await call(client, "quick")
    assert found == [{"late": True}] * 3


async def test_a_stream_that_is_read_piece_by_piece_never_waits_in_vain(pair: Pair) -> None:
    with anyio.fail_after(10):
        async with pair(answer) as (client, _):
            for _ in range(20):
                await call(client, "quick")
                stream = await request(client, "large", end=True)
                async with stream:
                    await stream.receive_message()
                    assert sum([len(piece) async for piece in stream.body()]) == 3 * WINDOW


async def test_an_upload_gets_its_credit_while_nobody_else_reads(pair: Pair) -> None:
    with anyio.fail_after(10):
        async with pair(answer) as (client, _):
            await call(client, "quick")
            stream = await request(client, "count")
            async with stream:
                await stream.send(bytes(8 * WINDOW), end=True)
                assert await stream.receive_message() == {"result": {"size": 8 * WINDOW}}


async def test_a_call_given_up_while_it_read_leaves_reading_to_others(pair: Pair) -> None:
    with anyio.fail_after(10):
        async with pair(answer) as (client, _):
            await call(client, "quick")
            with pytest.raises(TimedOut):
                await call(client, "hang", timeout=0.05)
            with anyio.move_on_after(0.02):
                await call(client, "hang")
            assert (await call(client, "late")).result == {"late": True}


async def test_the_end_of_the_connection_wakes_the_one_who_reads(pair: Pair) -> None:
    with anyio.fail_after(10):
        async with pair(answer) as (client, server):
            await call(client, "quick")
            async with anyio.create_task_group() as group:
                group.start_soon(server.aclose)
                with pytest.raises(MachineLost):
                    await call(client, "hang")


async def test_closing_our_own_side_wakes_the_one_who_reads(pair: Pair) -> None:
    with anyio.fail_after(10):
        async with pair(answer) as (client, _):
            await call(client, "quick")
            async with anyio.create_task_group() as group:
                group.start_soon(client.aclose)
                with pytest.raises(MachineLost):
                    await call(client, "hang")


async def test_a_goodbye_is_heard_though_nobody_asks_anything() -> None:
    ours, theirs = memory_pair()
    with anyio.fail_after(10):
        async with Connection(ours, initiator=True) as client:
            async with Connection(theirs, initiator=False, handler=answer):
                await call(client, "quick")
            await client.wait_closed()
            assert client.error is None


async def test_requests_that_arrive_together_are_handled_side_by_side(pair: Pair) -> None:
    gate = anyio.Event()
    started: list[object] = []

    async def handle(stream: Stream) -> None:
        started.append(stream.header["n"])
        if len(started) == 40:
            gate.set()
        await gate.wait()
        await stream.send_message({"result": {}}, end=True)

    with anyio.fail_after(10):
        async with pair(handle) as (client, _):
            streams = [await client.open({"n": number}, end=True) for number in range(40)]
            for stream in streams:
                assert await stream.receive_message() == {"result": {}}
    assert started == list(range(40))


@pytest.mark.parametrize("size", [0, 1, 100_000, 256 << 10, (256 << 10) + 1, 3 * WINDOW])
async def test_a_body_follows_its_message_whatever_its_size(pair: Pair, size: int) -> None:
    body = bytes(range(256)) * (size // 256) + b"x" * (size % 256)

    async def handle(stream: Stream) -> None:
        await stream.send_json(b'{"result":{"n":1}}', body=body, end=True)

    with anyio.fail_after(10):
        async with pair(handle) as (client, _):
            reply = await call(client, "any")
    assert reply.result == {"n": 1}
    assert reply.body == body
