"""The fake computer shows what was done to it, and admits what it cannot do."""

from __future__ import annotations

import inspect
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from carrel import codec
from carrel.actions import (
    Action,
    Click,
    Drag,
    Key,
    Move,
    Screenshot,
    Scroll,
    Shell,
    Type,
    Wait,
    Windows,
)
from carrel.computer import Computer
from carrel.errors import ActionFailed, InvalidInput
from carrel.frames import Element, Frame, Window
from carrel.geometry import Box, Point, Size
from carrel.results import Effect, Result
from carrel.testing import FakeComputer

pytestmark = pytest.mark.anyio

INPUTS: list[Action] = [
    Click(10, 20),
    Move(30, 40),
    Type("hello"),
    Key(("ctrl", "l")),
    Scroll(5, 6, dy=3),
    Drag((Point(1, 2), Point(50, 60))),
]


@pytest.mark.parametrize("action", INPUTS)
async def test_every_input_changes_the_picture(action: Action) -> None:
    async with FakeComputer(Size(200, 100)) as computer:
        before = await computer.screenshot()
        assert (await computer.act(action)).ok
        after = await computer.screenshot()
        again = await computer.act(action)
        assert again.ok
        third = await computer.screenshot()
    assert len({before.id, after.id, third.id}) == 3
    assert before.change is None
    assert after.change is not None
    assert after.change.pixels > 0
    assert after.change.box is not None
    assert computer.done == [Screenshot(), action, Screenshot(), action, Screenshot()]


async def test_the_picture_is_a_real_one_and_stays_while_nothing_is_done() -> None:
    computer = FakeComputer(Size(320, 200))
    first, second = await computer.screenshot(), await computer.screenshot()
    assert first.id == second.id
    assert second.change is not None
    assert second.change.pixels == 0
    with Image.open(io.BytesIO(first.image)) as image:
        assert image.size == (320, 200)
    part = await computer.screenshot(Box(10, 10, 30, 20), "jpeg")
    with Image.open(io.BytesIO(part.image)) as image:
        assert image.size == (30, 20)
    assert (await computer.screenshot(unless=first.id)).image == b""


async def test_a_still_screen_shows_nothing() -> None:
    computer = FakeComputer(still=True)
    before = await computer.screenshot()
    assert (await computer.act(Click(1, 1))).ok
    assert (await computer.screenshot()).id == before.id


async def test_what_it_cannot_do_is_an_error() -> None:
    computer = FakeComputer()
    result = await computer.act(Shell("true"))
    assert not result.ok
    assert result.error is not None
    assert result.error.code == ActionFailed.code
    assert computer.done == []


async def test_points_outside_the_screen_are_refused() -> None:
    computer = FakeComputer(Size(100, 100))
    assert not (await computer.act(Click(100, 5))).ok
    with pytest.raises(InvalidInput):
        await computer.click(5, 100)
    assert (await computer.act(Click(99, 99))).ok


async def test_a_handler_can_do_more() -> None:
    def handler(action: Action) -> Result | None:
        if isinstance(action, Shell):
            return Result(True, Effect.CONFIRMED, data={"exit": 0, "stdout": "hi"})
        return None

    computer = FakeComputer(handler=handler)
    assert (await computer.act(Shell("echo hi"))).data["stdout"] == "hi"
    assert (await computer.act(Click(1, 2))).ok
    assert computer.done == [Shell("echo hi"), Click(1, 2)]


async def test_it_has_the_methods_that_agents_use() -> None:
    computer = FakeComputer(Size(100, 80))
    assert await computer.screen_size() == Size(100, 80)
    await computer.move(7, 8)
    assert await computer.cursor() == Point(7, 8)
    await computer.set_clipboard("ü")
    assert await computer.get_clipboard() == "ü"
    await computer.type("a")
    await computer.key("ctrl+l")
    await computer.scroll(1, 2, dy=1)
    assert await computer.windows() == ()
    assert (await computer.act(Wait(seconds=5))).ok
    assert (await computer.info())["phase"] == "ready"


async def test_a_screenshot_action_is_answered_as_the_guest_answers_it() -> None:
    computer = FakeComputer(Size(64, 64))
    result = await computer.act(Screenshot())
    frame = codec.decode(Frame, dict(result.data))
    assert frame.size == Size(64, 64)
    assert frame.id == result.frame == (await computer.screenshot()).id


@given(st.lists(st.sampled_from(INPUTS), max_size=6))
async def test_the_same_actions_make_the_same_picture(actions: list[Action]) -> None:
    pictures = set()
    for _ in range(2):
        computer = FakeComputer(Size(100, 100))
        for action in actions:
            await computer.act(action)
        pictures.add((await computer.screenshot()).id)
    assert len(pictures) == 1


async def test_a_watched_action_says_what_changed() -> None:
    moving, still = FakeComputer(Size(100, 100)), FakeComputer(still=True)
    found = await moving.act(Click(5, 6), settle=1.0)
    assert found.effect is Effect.CONFIRMED
    assert found.evidence["settled"] is True
    assert (await still.act(Click(5, 6), settle=1.0)).effect is Effect.SUSPECTED_NOOP
    assert (await moving.act(Click(5, 6))).effect is Effect.UNVERIFIABLE


async def test_a_request_is_done_once() -> None:
    computer = FakeComputer()
    first = await computer.act(Click(5, 6), request="req_1")
    assert await computer.act(Click(5, 6), request="req_1") is first
    await computer.act(Click(5, 6), request="req_2")
    assert computer.done == [Click(5, 6), Click(5, 6)]


async def test_it_has_what_it_was_given() -> None:
    button = Element("e1", "push button", "OK", box=Box(1, 2, 3, 4))
    window = Window(7, "Editor", Box(0, 0, 50, 50), focused=True)
    computer = FakeComputer(elements=(button,), windows=(window,), isolation="none")
    assert (await computer.elements()).elements == (button,)
    assert await computer.windows() == (window,)
    assert (await computer.act(Windows())).data["windows"]
    assert computer.isolation == "none"
    assert computer.boot == "fake"


def test_its_methods_are_those_of_a_computer() -> None:
    for name, method in inspect.getmembers(FakeComputer, inspect.iscoroutinefunction):
        if not name.startswith("_"):
            assert inspect.signature(method) == inspect.signature(getattr(Computer, name)), name
