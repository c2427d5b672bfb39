from __future__ import annotations

from pathlib import Path

import pytest
from chats import (
    GIANTS,
    INJECTIONS,
    SCREEN,
    TOOL,
    answer,
    check_survives,
    context,
    foreign,
    hostile,
    messages,
    only,
    picture,
    problem_of,
    quick,
    said,
    written_again,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.actions import (
    Action,
    Click,
    Drag,
    Key,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Scroll,
    Type,
    Wait,
)
from carrel.errors import ActionFailed
from carrel.geometry import Point, Size
from carrel.intents import CallTool, Done
from carrel.models.dialects.opencua import OpenCUA, OpenCUARelative

CUA, UNIT = OpenCUA(), OpenCUARelative()


def fenced(code: str) -> str:
    return f"Thought:\nI see.\n\nAction:\nDo it.\n\nCode:\n```python\n{code}\n```"


# 966, 546 is the middle of 1932x1092, the size a full HD screen is shown in.
GOLDEN: list[tuple[str, tuple[Action, ...]]] = [
    ("pyautogui.click(x=966, y=546)", (Click(960, 540),)),
    ("pyautogui.click(966, 546)", (Click(960, 540),)),
    ("pyautogui.click(x=966, y=546, clicks=2, button='right')", (Click(960, 540, "right", 2),)),
    ("pyautogui.doubleClick(x=966, y=546)", (Click(960, 540, count=2),)),
    ("pyautogui.rightClick(x=966, y=546)", (Click(960, 540, "right"),)),
    ("pyautogui.middleClick(x=966, y=546)", (Click(960, 540, "middle"),)),
    ("computer.triple_click(x=966, y=546)", (Click(960, 540, count=3),)),
    ("pyautogui.moveTo(x=966, y=546, duration=0.5)", (Move(960, 540),)),
    (
        "pyautogui.moveTo(x=0, y=0)\npyautogui.dragTo(x=966, y=546, button='left')",
        (Move(0, 0), Drag((Point(0, 0), Point(960, 540)))),
    ),
    ("pyautogui.dragTo(966, 546)", (MouseDown(), Move(960, 540), MouseUp())),
    ("pyautogui.click()", (MouseDown(), MouseUp())),
    ("pyautogui.scroll(-5)", (Scroll(960, 540, dy=5),)),
    ("pyautogui.scroll(3, x=966, y=546)", (Scroll(960, 540, dy=-3),)),
    ("pyautogui.hscroll(2)", (Scroll(960, 540, dx=2),)),
    ("pyautogui.write(message='Hello \"World\"')", (Type('Hello "World"'),)),
    ("pyautogui.write('it\\'s')", (Type("it's"),)),
    ('pyautogui.typewrite("""two\nlines""")', (Type("two\nlines"),)),
    ("pyautogui.press('enter')", (Key(("enter",)),)),
    ("pyautogui.press(keys=['down', 'enter'])", (Key(("down",)), Key(("enter",)))),
    ("pyautogui.press('tab', presses=3)", (Key(("tab",), repeat=3),)),
    ("pyautogui.hotkey('ctrl', 'c')", (Key(("ctrl", "c")),)),
    ("pyautogui.hotkey(['ctrl', 'shift', 't'])", (Key(("ctrl", "shift", "t")),)),
    ("pyautogui.keyDown('shift')", (KeyDown("shift"),)),
    ("pyautogui.keyUp('shift')", (KeyUp("shift"),)),
    ("pyautogui.mouseDown(button='left')", (MouseDown(),)),
    ("import pyautogui\nimport time\ntime.sleep(2)", (Wait(seconds=2.0),)),
    ("computer.wait()", (Wait(seconds=5.0),)),
    ("computer.terminate(status='success')", (Done(),)),
    ("computer.terminate(status='failure', answer='no way')", (Done(False, "no way"),)),
    ("# a comment\npyautogui.click(966, 546)  # here", (Click(960, 540),)),
]


@pytest.mark.parametrize(("code", "actions"), GOLDEN, ids=[code for code, _ in GOLDEN])
def test_known_calls_are_understood(code: str, actions: tuple[Action, ...]) -> None:
    decision = CUA.decode(answer(fenced(code)), context())
    assert only(decision) == actions
    assert decision.thought == "I see.\n\n\nDo it."


def test_code_without_a_fence_and_in_one_line_is_understood() -> None:
    assert only(CUA.decode(answer("pyautogui.click(966, 546)"), context())) == (Click(960, 540),)
    inline = "```python pyautogui.click(966, 546)```"
    assert only(CUA.decode(answer(inline), context())) == (Click(960, 540),)


def test_the_first_release_counts_from_zero_to_one() -> None:
    text = fenced("pyautogui.click(x=0.5, y=0.5)")
    assert only(UNIT.decode(answer(text), context())) == (Click(960, 540),)
    assert CUA.grid.shown(SCREEN) == Size(1932, 1092)


@pytest.mark.parametrize("code", INJECTIONS)
def test_code_is_never_run(code: str) -> None:
    assert problem_of(CUA.decode(answer(fenced(code)), context()))
    assert not Path("/tmp/carrel-was-here").exists()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("pyautogui.screenshot()", "not understood"),
        ("os.system('ls')", "not understood"),
        ("pyautogui.click(x=5000, y=1)", "outside"),
        ("pyautogui.click(x='a', y=1)", "must be numbers"),
        ("pyautogui.click(x=1, y=2, z=3)", "no argument 'z'"),
        ("pyautogui.click(1, 2, x=3)", "given twice"),
        ("pyautogui.moveTo()", "needs x and y"),
        ("pyautogui.scroll('up')", "whole number"),
        ("pyautogui.scroll(0)", "needs dx or dy"),
        ("pyautogui.press('frob')", "no key"),
        ("pyautogui.click(1, 2", "comma or )"),
        ("x = 1", "expected ( after x"),
        ("for i in range(3): pyautogui.click()", "expected ( after for"),
        ("computer.terminate(status='perhaps')", "success or failure"),
        ("pyautogui.write(message=open('f'))", "a number or a quoted text"),
        ("# nothing", "does nothing"),
    ],
)
def test_everything_else_is_told(code: str, words: str) -> None:
    assert words in problem_of(CUA.decode(answer(fenced(code)), context()))


points = st.builds(Point, st.integers(0, 1919), st.integers(0, 1079))
texts = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="`"))


@pytest.mark.parametrize("dialect", [CUA, UNIT], ids=lambda d: d.name)
@settings(deadline=None)
@given(point=points, end=points, text=texts, notches=st.integers(-100, -1))
def test_actions_of_other_models_are_written_and_read_back_exactly(
    dialect: OpenCUA, point: Point, end: Point, text: str, notches: int
) -> None:
    space = dialect.grid.space(SCREEN)
    at, to = (space.to_screen(*space.to_model(p)) for p in (point, end))
    pairs: list[tuple[Action, list[Action]]] = [
        (Click(point.x, point.y), [Click(at.x, at.y)]),
        (Click(point.x, point.y, count=2), [Click(at.x, at.y, count=2)]),
        (Click(point.x, point.y, count=3), [Click(at.x, at.y, count=3)]),
        (Click(point.x, point.y, "right", 2), [Click(at.x, at.y, "right", 2)]),
        (Move(point.x, point.y), [Move(at.x, at.y)]),
        (Drag((point, end), "right"), [Move(at.x, at.y), Drag((at, to), "right")]),
        (Scroll(point.x, point.y, dy=notches), [Scroll(at.x, at.y, dy=notches)]),
        (Scroll(point.x, point.y, dx=notches), [Scroll(at.x, at.y, dx=notches)]),
        (MouseDown("middle"), [MouseDown("middle")]),
        (MouseUp(), [MouseUp()]),
        (Key(("tab",), repeat=4), [Key(("tab",), repeat=4)]),
        (Key(("ctrl", "'")), [Key(("ctrl", "'"))]),
        (KeyDown("alt"), [KeyDown("alt")]),
        (KeyUp("alt"), [KeyUp("alt")]),
        (Type(f"'{text}\"\n"), [Type(f"'{text}\"\n")]),
        (Done(text=text), [Done(text=text)]),
        (CallTool("weather", {"city": text}), [CallTool("weather", {"city": text})]),
    ]
    expected = [action for _, after in pairs for action in after]
    assert written_again(dialect, *(before for before, _ in pairs)) == expected


def test_history_and_prompt_reach_the_model() -> None:
    history = messages(CUA, context(foreign(Click(960, 540)), tools=(TOOL,), first=picture()))
    assert "weather" in said(history[0])
    assert "pyautogui.click(x=966, y=546)" in said(history[1])
    assert "It worked." in said(history[2])


def test_it_points_for_others_in_the_same_space_as_it_acts() -> None:
    assert CUA.decode_locate(answer(fenced("pyautogui.click(x=966, y=546)")), picture()) == Point(
        960, 540
    )
    assert "the OK" in str(CUA.encode_locate("m", picture(), "the OK").body)
    for text in ("", "no", fenced("pyautogui.press('a')"), fenced("pyautogui.click()")):
        with pytest.raises(ActionFailed):
            CUA.decode_locate(answer(text), picture())


@settings(deadline=None)
@given(text=hostile)
def test_hostile_text_is_always_a_decision(text: str) -> None:
    check_survives(CUA, text)
    check_survives(CUA, f"```python\n{text}")


@pytest.mark.parametrize("text", GIANTS, ids=range(len(GIANTS)))
def test_giant_text_is_read_quickly(text: str) -> None:
    with quick():
        CUA.decode(answer(text), context())
