"""The whole task in the words of providers with a computer tool of their own.

Every answer is written as these models write it; places come from the picture that was sent.
"""

from __future__ import annotations

import io

from PIL import Image
from task_desk import FIELD, GOAL, LIST, PIECE, button
from wired import Talk, View

from carrel.codec import Json
from carrel.decisions import SafetyCheck
from carrel.geometry import Point
from carrel.testing import Answer, anthropic, gemini, openai

TEXT = 'Grüße "世界", it\'s 5 €'
MIDDLE = Point(320, 300)
CHECK = SafetyCheck("cu_sc_1", "malicious_instructions", "Is this what you want?")
NOTCHES = 3


def _xy(view: View, point: Point) -> dict[str, Json]:
    x, y = view.pixel(point)
    return {"x": x, "y": y}


def gpt() -> Talk:
    """OpenAI's computer tool: batches, held keys, a check that a person confirms."""
    see = yield None
    assert len(see.pictures) <= 1
    see = yield openai.reasoning("Look.") + openai.computer_call([{"type": "screenshot"}])
    see = yield openai.computer_call(
        [
            {"type": "click", "button": "left", **_xy(see, button(3))},
            {"type": "click", "button": "left", "keys": ["SHIFT"], **_xy(see, button(4))},
            {"type": "double_click", "keys": None, **_xy(see, button(5))},
            {"type": "click", "button": "right", **_xy(see, button(6))},
        ]
    )
    path: list[Json] = [_xy(see, point) for point in (PIECE, MIDDLE, GOAL)]
    see = yield openai.computer_call([{"type": "drag", "path": path}], checks=[CHECK])
    assert CHECK.id in see.words
    see = yield openai.computer_call(
        [
            {"type": "click", "button": "left", **_xy(see, FIELD)},
            {"type": "type", "text": TEXT},
            {"type": "keypress", "keys": ["ENTER"]},
        ]
    )
    see = yield openai.reasoning("Further down.") + openai.computer_call(
        [
            {"type": "scroll", "scroll_x": 0, "scroll_y": 100 * NOTCHES, **_xy(see, LIST)},
            {"type": "wait"},
        ]
    )
    see = yield openai.function_call("measure", '{"width": 21, "label": "büro"}')
    assert "büro measures 42" in see.words
    yield openai.text("All is done.")


def preview() -> Talk:
    """`computer-use-preview`: one action at a time, no held keys."""
    see = yield None

    def act(kind: str, **fields: Json) -> Answer:
        return openai.computer_call([{"type": kind, **fields}], preview=True)

    see = yield act("screenshot")
    see = yield act("click", button="left", **_xy(see, button(3)))
    see = yield act("double_click", **_xy(see, button(5)))
    see = yield act("click", button="right", **_xy(see, button(6)))
    see = yield act("drag", path=[_xy(see, PIECE), _xy(see, GOAL)])
    see = yield act("click", button="left", **_xy(see, FIELD))
    see = yield act("type", text=f"{TEXT}\n")
    see = yield act("scroll", scroll_x=0, scroll_y=100 * NOTCHES, **_xy(see, LIST))
    see = yield act("wait")
    see = yield openai.function_call("measure", {"width": 21, "label": "büro"})
    assert "büro measures 42" in see.words
    yield openai.text("All is done.")


def is_zoomed_goal(picture: bytes) -> bool:
    """Whether a picture shows the goal and nothing else, with the blue piece in its middle."""
    with Image.open(io.BytesIO(picture)) as image:
        small = image.convert("RGB").resize((60, 60), Image.Resampling.BOX)
        blue = [small.getpixel((x, 30)) == (0x33, 0x66, 0xCC) for x in range(60)]
    inside = all(blue[13:47])
    outside = not any(blue[:8]) and not any(blue[52:])
    return image.width >= 300 and inside and outside


def _claude(tool: str | None, *, zoom: bool) -> Talk:
    def use(action: str, **fields: Json) -> Answer:
        if tool is None:
            return anthropic.tool_use(action, fields)
        return anthropic.tool_use(tool, {"action": action, **fields})

    def at(view: View, point: Point) -> list[Json]:
        return list(view.pixel(point))

    see = yield None
    see = yield anthropic.text("I look first.") + use("screenshot")
    see = yield use("left_click", coordinate=at(see, button(3)))
    # Several calls in one answer, each of which gets its own result.
    see = yield (
        use("left_click", coordinate=at(see, button(4)), text="shift")
        + use("double_click", coordinate=at(see, button(5)))
        + use("right_click", coordinate=at(see, button(6)))
    )
    see = yield use("left_click_drag", start_coordinate=at(see, PIECE), coordinate=at(see, GOAL))
    if zoom:
        corners = [*at(see, Point(500, 290)), *at(see, Point(560, 350))]
        see = yield use("zoom", region=corners)
        assert is_zoomed_goal(see.pictures[-1])
    see = yield use("left_click", coordinate=at(see, FIELD))
    see = yield use("type", text=TEXT) + use("key", text="Return")
    see = yield use(
        "scroll", coordinate=at(see, LIST), scroll_direction="down", scroll_amount=NOTCHES
    )
    see = yield use("wait", duration=1)
    see = yield anthropic.tool_use("measure", {"width": 21, "label": "büro"})
    assert "büro measures 42" in see.words
    yield anthropic.text("All is done.")


def claude_toolset() -> Talk:
    """The computer toolset: each action a tool, after a thought."""
    talk = _claude(None, zoom=True)
    answer = next(talk)
    while True:
        view = yield answer
        found = talk.send(view)
        assert isinstance(found, Answer)
        answer = anthropic.thinking("What is next?") + found


def claude_zooming() -> Talk:
    """The tool of 2025-11-24."""
    return _claude("computer", zoom=True)


def claude_plain() -> Talk:
    """The tool of 2025-01-24, which cannot zoom."""
    return _claude("computer", zoom=False)


def _k(view: View, point: Point, x: str = "x", y: str = "y") -> dict[str, Json]:
    across, down = view.parts(point)
    return {x: across, y: down}


def gemini_browser() -> Talk:
    """The functions of Gemini 2.5's browser."""
    see = yield None
    assert see.pictures
    see = yield gemini.function_call("click_at", _k(see, button(3)))
    ends = {**_k(see, PIECE), **_k(see, GOAL, "destination_x", "destination_y")}
    see = yield gemini.function_call("drag_and_drop", ends)
    typed: dict[str, Json] = {**_k(see, FIELD), "text": TEXT, "press_enter": True}
    see = yield gemini.function_call("type_text_at", typed)
    # 391 thousandths of 768 pixels are 300.
    scroll: dict[str, Json] = {**_k(see, LIST), "direction": "down", "magnitude": 391}
    see = yield gemini.function_call("scroll_at", scroll)
    see = yield gemini.function_call("hover_at", _k(see, button(9)))
    see = yield gemini.function_call("wait_5_seconds", {})
    see = yield (
        gemini.function_call("click_at", _k(see, button(8)))
        + gemini.function_call("measure", {"width": 21, "label": "büro"})
    )
    assert "büro measures 42" in see.words
    yield gemini.text("All is done.")


def gemini_desktop() -> Talk:
    """The functions of a desktop; keys are held between two calls."""
    call = gemini.function_call
    see = yield None
    see = yield gemini.thought("Look first.") + call("take_screenshot", {})
    see = yield call("click", {**_k(see, button(3)), "intent": "press the third"})
    see = yield (
        call("key_down", {"key": "shift"})
        + call("click", _k(see, button(4)))
        + call("key_up", {"key": "shift"})
    )
    see = yield call("double_click", _k(see, button(5)))
    see = yield call("right_click", _k(see, button(6)), checks=[CHECK])
    assert "safety_acknowledgement" in str(see.seen.body)
    ends = {**_k(see, PIECE, "start_x", "start_y"), **_k(see, GOAL, "end_x", "end_y")}
    see = yield call("drag_and_drop", ends)
    see = yield call("click", _k(see, FIELD))
    see = yield call("type", {"text": TEXT, "press_enter": True})
    scroll: dict[str, Json] = {"direction": "down", "magnitude_in_pixels": 100 * NOTCHES}
    see = yield call("scroll", {**_k(see, LIST), **scroll})
    see = yield call("wait", {"seconds": 1})
    see = yield call("measure", {"width": 21, "label": "büro"})
    assert "büro measures 42" in see.words
    yield gemini.text("All is done.")
