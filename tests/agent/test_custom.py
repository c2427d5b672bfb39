from __future__ import annotations

import base64
import io
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from boards import HEIGHT, WIDTH, Board
from PIL import Image

from carrel.actions import Click, Type
from carrel.agent.agent import Agent
from carrel.agent.custom import CustomHands
from carrel.errors import ActionFailed, InvalidInput, Unsupported
from carrel.geometry import Box, Size
from carrel.intents import Done
from carrel.models.scripted import ScriptedModel

pytestmark = pytest.mark.anyio


def test_a_computer_without_eyes_is_refused() -> None:
    with pytest.raises(InvalidInput, match="needs a screenshot"):
        CustomHands({"click": print})


async def test_the_size_is_that_of_the_picture_in_its_order() -> None:
    assert await CustomHands(Board().functions()).size() == Size(WIDTH, HEIGHT)


async def test_screenshots_may_be_bytes_base64_urls_or_images() -> None:
    data = Board().screenshot()
    text = base64.b64encode(data).decode()
    image = Image.open(io.BytesIO(data))
    jpeg = io.BytesIO()
    image.convert("RGB").save(jpeg, "jpeg")
    for given in (data, text, f"data:image/png;base64,{text}", image, jpeg.getvalue()):
        frame = await CustomHands({"screenshot": lambda given=given: given}).look()
        assert frame.size == Size(WIDTH, HEIGHT)
        assert frame.image.startswith(b"\x89PNG")


@pytest.mark.parametrize("given", [b"no image", "!!!", 7, None])
async def test_what_is_no_picture_is_an_error(given: object) -> None:
    with pytest.raises(ActionFailed, match="did not give an image"):
        await CustomHands({"screenshot": lambda: given}).look()


async def test_a_region_is_cut_out() -> None:
    frame = await CustomHands(Board().functions()).look(Box(300, 200, 100, 100))
    assert frame.region == Box(300, 200, 20, 40)
    with Image.open(io.BytesIO(frame.image)) as image:
        assert image.size == (20, 40)


async def test_an_object_with_methods_works_and_asynchronous_ones_too() -> None:
    class Async(Board):
        async def click(self, x: int, y: int) -> str:  # type: ignore[override]
            await anyio.lowlevel.checkpoint()
            self.clicks.append((x, y))
            return "clicked"

    board = Async()
    result = await CustomHands(board).act(Click(3, 4), "req_1")
    assert result.text == "clicked"
    assert board.clicks == [(3, 4)]


async def test_what_a_function_cannot_take_is_an_error_not_left_out() -> None:
    def click(x: int, y: int) -> None:
        raise AssertionError("must not be called")

    hands = CustomHands({**Board().functions(), "click": click})
    with pytest.raises(Unsupported, match="cannot take button='right'"):
        await hands.act(Click(1, 1, "right"), "req_1")


async def test_a_function_that_raises_or_says_no_is_a_failure(tmp_path: Path) -> None:
    def click(x: int, y: int) -> bool:
        return False

    def type_text(text: str) -> None:
        raise OSError("no keyboard")

    functions = {**Board().functions(), "click": click, "type": type_text}
    result = await CustomHands(functions).act(Click(1, 1), "req_1")
    assert not result.ok
    model = ScriptedModel([Type("x"), Done()])
    agent = Agent(model=model, home=tmp_path)
    running = agent.run("x", functions)
    told = [event.data async for event in running if event.kind == "result"]
    assert "no keyboard" in str(told[0])
    assert running.run.reason == "done"


async def test_only_actions_of_the_table_can_be_called() -> None:
    class Risky(Board):
        def close(self) -> None:
            raise AssertionError("must not be called")

        def __init__(self) -> None:
            super().__init__()

    hands = CustomHands(Risky())
    assert not {"close", "__init__", "functions"} & set(hands._functions)
