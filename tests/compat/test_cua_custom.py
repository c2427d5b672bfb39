"""Custom computers in cua's conventions: functions, handlers, plain values."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import anyio
import pytest
from cua_board import Board, items_of, make_agent, results_of, scripted
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from carrel.actions import Click, Drag, Key, KeyDown, MouseDown, MouseUp, Move, Scroll, Type, Wait
from carrel.compat.cua.custom import CustomComputer
from carrel.errors import InvalidInput
from carrel.geometry import Point
from carrel.intents import Done

pytestmark = pytest.mark.anyio


async def test_every_function_gets_what_its_documentation_says(tmp_path: Path) -> None:
    board = Board()
    names = ("click", "double_click", "move", "drag", "scroll", "type", "keypress", "wait")
    computer = board.functions(*names, "left_mouse_down", "left_mouse_up")
    script = scripted(
        [Move(1, 2), Click(3, 4, "right"), Click(5, 6, count=2), Scroll(7, 8, -1, 2)],
        [Type("ä\n"), Key(("ctrl", "l")), Key(("tab",), repeat=2), Wait(seconds=1.5)],
        [MouseDown(), MouseUp(), Drag((Point(0, 0), Point(9, 9)))],
        Done(),
    )
    results = await results_of(make_agent(script, [computer], tmp_path))
    assert [item.get("error") for item in items_of(results, "computer_call_output")] == [None] * 3
    assert board.done == [
        ("move", 1, 2),
        ("click", 3, 4, "right"),
        ("double_click", 5, 6),
        ("scroll", 7, 8, -1, -2),
        ("type", "ä\n"),
        ("keypress", ["ctrl", "l"]),
        ("keypress", ["tab"]),
        ("keypress", ["tab"]),
        ("wait", 1500),
        ("left_mouse_down", None, None),
        ("left_mouse_up", None, None),
        ("drag", [{"x": 0, "y": 0}, {"x": 9, "y": 9}]),
    ]


@pytest.mark.parametrize(
    "action",
    [
        Click(1, 1, modifiers=("ctrl",)),
        Click(1, 1, "right", 2),
        Drag((Point(0, 0), Point(1, 1)), "right"),
        Scroll(1, 1, 0, 1, ("shift",)),
        Key(("a",), hold=1.0),
        MouseDown("right"),
        KeyDown("shift"),
    ],
)
async def test_what_their_functions_cannot_say_is_an_error(action: object, tmp_path: Path) -> None:
    board = Board()
    names = ("click", "drag", "scroll", "keypress", "left_mouse_down")
    model = scripted(action, Done())  # type: ignore[arg-type]
    results = await results_of(make_agent(model, [board.functions(*names)], tmp_path))
    assert "cannot" in str(items_of(results, "computer_call_output")[0]["error"])
    assert board.done == []


def png(size: tuple[int, int]) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "red").save(out, "png")
    return out.getvalue()


def encoded(size: tuple[int, int]) -> str:
    return base64.b64encode(png(size)).decode()


@pytest.mark.parametrize(
    "picture",
    [
        png((40, 30)),
        encoded((40, 30)),
        f"data:image/png;base64,{encoded((40, 30))}",
        Image.new("RGBA", (40, 30)),
        bytearray(png((40, 30))),
    ],
    ids=["bytes", "base64", "data-url", "pillow", "bytearray"],
)
@pytest.mark.parametrize("is_async", [True, False])
async def test_a_screenshot_may_be_anything_with_pixels(picture: object, is_async: bool) -> None:
    async def later() -> object:
        return picture

    computer = CustomComputer({"screenshot": later if is_async else lambda: picture})
    assert (await computer.screenshot()).size == (40, 30)


@pytest.mark.parametrize("dimensions", [(80, 60), [80, 60], lambda: (80, 60)])
async def test_dimensions_may_be_a_value_or_a_function(dimensions: object) -> None:
    for key in ("dimensions", "get_dimensions"):
        computer = CustomComputer({"screenshot": lambda: png((40, 30)), key: dimensions})
        assert (await computer.screenshot()).size == (80, 60)


@pytest.mark.parametrize(
    "wrong",
    [
        {"dimensions": (80,)},
        {"dimensions": "80x60"},
        {"dimensions": (0, 60)},
        {"dimensions": (80.5, 60)},
        {"environment": "amiga"},
        {"positive_scroll": "sideways"},
    ],
)
async def test_facts_that_cannot_be_meant_are_refused(
    wrong: dict[str, object], tmp_path: Path
) -> None:
    agent = make_agent(scripted(Done()), [{"screenshot": lambda: png((40, 30)), **wrong}], tmp_path)
    with pytest.raises((InvalidInput, Exception), match=r"dimensions|environment|scroll"):
        await results_of(agent)


def test_a_computer_without_a_screenshot_is_none() -> None:
    with pytest.raises(InvalidInput, match="screenshot"):
        CustomComputer({"click": print})


async def test_a_handler_is_used_by_its_methods(tmp_path: Path) -> None:
    class Handler:
        def __init__(self) -> None:
            self.clicked: list[tuple[int, int, str]] = []

        async def get_environment(self) -> str:
            return "browser"

        async def get_dimensions(self) -> tuple[int, int]:
            return 64, 48

        async def screenshot(self) -> str:
            return encoded((64, 48))

        async def click(self, x: int, y: int, button: str = "left") -> None:
            self.clicked.append((x, y, button))

    handler = Handler()
    await results_of(make_agent(scripted(Click(5, 6), Done()), [handler], tmp_path))
    assert handler.clicked == [(5, 6, "left")]


async def test_a_function_that_raises_is_told_to_the_model(tmp_path: Path) -> None:
    def click(x: int, y: int, button: str) -> None:
        raise OSError("the mouse is unplugged")

    computer = {"screenshot": lambda: png((64, 48)), "click": click}
    results = await results_of(make_agent(scripted(Click(1, 1), Done()), [computer], tmp_path))
    assert "unplugged" in str(items_of(results, "computer_call_output")[0]["error"])


async def test_the_picture_is_taken_after_the_delay(tmp_path: Path) -> None:
    times: dict[str, float] = {}

    def click(x: int, y: int, button: str) -> None:
        times["click"] = times["shot"] = anyio.from_thread.run_sync(anyio.current_time)

    def screenshot() -> bytes:
        times["shot"] = anyio.from_thread.run_sync(anyio.current_time)
        return png((64, 48))

    computer = {"screenshot": screenshot, "click": click}
    agent = make_agent(scripted(Click(1, 1), Done()), [computer], tmp_path, screenshot_delay=0.3)
    await results_of(agent)
    assert times["shot"] - times["click"] >= 0.3


@given(
    size=st.tuples(st.integers(16, 200), st.integers(16, 200)),
    declared=st.tuples(st.integers(16, 200), st.integers(16, 200)),
)
def test_the_picture_always_has_the_declared_size(
    size: tuple[int, int], declared: tuple[int, int]
) -> None:
    async def look() -> tuple[int, int]:
        given = {"screenshot": lambda: Image.new("L", size), "dimensions": declared}
        return (await CustomComputer(given).screenshot()).size

    assert anyio.run(look) == declared
