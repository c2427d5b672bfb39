"""Several clients, repeated requests and clients that die: one effect each, never a mixture."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import pytest
from oracles import HERE
from proofs import bounded
from subjects import Subject

from carrel.computer import Computer
from carrel.errors import CarrelError
from carrel.ids import new_id
from carrel.stream import Connection, Reply, call, request

pytestmark = pytest.mark.desktop


@asynccontextmanager
async def connected(desk: Subject) -> AsyncIterator[Connection]:
    """A connection of our own."""
    async with Connection(await desk.connect(), initiator=True, hello={"side": "client"}) as link:
        await link.ready()
        yield link


def wish(action: str, **fields: object) -> dict[str, Any]:
    return {"action": {"type": action, **fields}}


@bounded
async def test_a_repeated_request_on_a_new_connection_acts_once(desk: Subject) -> None:
    async with desk.event_log() as log:
        x, y = await log.center()
        name = new_id("req")
        replies: list[Reply] = []
        for _ in range(3):
            async with connected(desk) as link:
                replies.append(await call(link, "act", wish("click", x=x, y=y), id=name))
        assert replies[0] == replies[1] == replies[2]
        assert await log.buttons() == [("press", 1), ("release", 1)]
        async with connected(desk) as link:
            await call(link, "act", wish("click", x=x, y=y), id=new_id("req"))
        assert await log.buttons() == [("press", 1), ("release", 1)]


@bounded
async def test_a_request_repeated_while_it_runs_acts_once(desk: Subject) -> None:
    async with desk.event_log() as log:
        x, y = await log.center()
        path = [{"x": x, "y": y}, {"x": x + 50, "y": y + 50}]
        name = new_id("req")
        replies: list[Reply] = []

        async def drag() -> None:
            async with connected(desk) as link:
                replies.append(
                    await call(link, "act", wish("drag", path=path, seconds=0.5), id=name)
                )

        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(drag)
        assert all(reply == replies[0] for reply in replies)
        assert await log.buttons() == [("press", 1), ("release", 1)]


CHORD = [
    ("press", "Control_L"),
    ("press", "Shift_L"),
    ("press", "A"),
    ("release", "A"),
    ("release", "Shift_L"),
    ("release", "Control_L"),
]
TEXT = [(kind, letter) for letter in "qwer" for kind in ("press", "release")]


@bounded
async def test_two_clients_do_not_interleave_strokes(desk: Subject) -> None:
    async with desk.event_log() as log, Computer(desk.connect) as other:

        async def chords() -> None:
            for _ in range(12):
                await desk.computer.key("ctrl+shift+a", hold=0.01)

        async def texts() -> None:
            for _ in range(12):
                await other.type("qwer")

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(chords)
            tasks.start_soon(texts)
        left = await log.keys()
        counts = {"chord": 0, "text": 0}
        while left:
            name, part = ("chord", CHORD) if left[0] == CHORD[0] else ("text", TEXT)
            assert left[: len(part)] == part, f"mixed after {counts}: {left[:12]}"
            counts[name] += 1
            left = left[len(part) :]
        assert counts == {"chord": 12, "text": 12}


@bounded
async def test_two_clients_do_not_interleave_drags_and_keys(desk: Subject) -> None:
    async with desk.event_log() as log, Computer(desk.connect) as other:
        x, y = await log.center()
        await log.take()

        async def drags() -> None:
            for _ in range(5):
                await desk.computer.drag([(x - 60, y), (x + 60, y)], seconds=0.1)

        async def strokes() -> None:
            for _ in range(10):
                await other.key("a")
                await other.move(x, y + 50)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(drags)
            tasks.start_soon(strokes)
        events = await log.take()
        dragging, drawn = False, 0
        for event in events:
            if event["event"] in ("button_press", "button_release"):
                dragging = event["event"] == "button_press"
                drawn += dragging
            elif dragging:
                assert event["event"] == "motion"
                assert event["y"] == y
        assert drawn == 5
        assert [e["event"] for e in events if e.get("name") == "a"] == ["press", "release"] * 10


@bounded
async def test_a_connection_cut_during_a_drag_leaves_nothing_down(desk: Subject) -> None:
    path = [{"x": 100, "y": 100}, {"x": 400, "y": 300}]
    drag = wish("drag", path=path, seconds=60, modifiers=["shift"])
    hold = wish("key", keys=["ctrl", "x"], hold=60)
    for args, buttons in ((drag, [1]), (hold, [])):
        async with desk.event_log():
            transport = await desk.connect()
            async with Connection(transport, initiator=True, hello={"side": "client"}) as link:
                await link.ready()
                await request(link, "act", args, end=True)
                await desk.until(partial(_are_down, desk, buttons), "it is under way")
                await transport.aclose()
            await desk.at_rest()
            await desk.computer.move(33, 44)


async def _are_down(desk: Subject, buttons: list[int]) -> bool:
    seen, keys = await desk.peek.held()
    return bool(keys) and seen == buttons


@bounded
async def test_a_request_given_up_leaves_nothing_down(desk: Subject) -> None:
    async with desk.event_log():
        with anyio.move_on_after(0.5):
            await desk.computer.drag([(100, 100), (400, 300)], seconds=60)
        await desk.at_rest()
        await desk.computer.move(33, 44)


@bounded
async def test_a_client_killed_during_a_drag_leaves_nothing_down(desk: Subject) -> None:
    if not desk.dial:
        pytest.skip("the client of this computer is this very process")
    async with desk.event_log():
        argv = [sys.executable, str(HERE / "killed_client.py"), desk.dial]
        async with await anyio.open_process(argv, stderr=None) as process:
            try:

                async def under_way() -> bool:
                    return all(await desk.peek.held())

                await desk.until(under_way, "it drags")
            finally:
                process.kill()
        await desk.at_rest()
        await desk.computer.move(33, 44)


@bounded
async def test_nonsense_ends_its_own_connection_only(desk: Subject) -> None:
    for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\0" * 200, b"\xff" * 5000, bytes(range(256)) * 40):
        transport = await desk.connect()
        async with transport:
            with anyio.move_on_after(10) as scope:
                try:
                    await transport.send(garbage)
                    while await transport.receive():
                        pass
                except (anyio.EndOfStream, anyio.BrokenResourceError, CarrelError):
                    pass
            assert not scope.cancelled_caught, "the guest keeps listening to nonsense"
        assert (await desk.computer.info())["phase"] == "ready"
