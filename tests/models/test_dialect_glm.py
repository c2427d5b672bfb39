from __future__ import annotations

import pytest
from chats import (
    GIANTS,
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
)
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.actions import Action, Click, Drag, Key, Move, Screenshot, Scroll, Type, Wait
from carrel.geometry import Point, Size
from carrel.intents import CallTool, Done
from carrel.models.context import Outcome, Turn
from carrel.models.dialects.glm import GLMV

GLM = GLMV()


def boxed(call: str) -> str:
    return f"I act.\n<|begin_of_box|>{call}<|end_of_box|>\nMemory:\n[]"


GOLDEN: list[tuple[str, Action]] = [
    ("left_click(start_box='[376,465]')", Click(722, 502)),
    ("left_click(start_box='[376,465]', element_info='the user's \"box\"')", Click(722, 502)),
    ("right_click(start_box='[376,465]')", Click(722, 502, "right")),
    ("middle_click(start_box='[376,465]')", Click(722, 502, "middle")),
    ("left_double_click(start_box='[376,465]')", Click(722, 502, count=2)),
    ("hover(start_box='[0,999]')", Move(0, 1079)),
    (
        "left_drag(start_box='[0,0]', end_box='[999,999]', element_info='')",
        Drag((Point(0, 0), Point(1919, 1079))),
    ),
    ("left_click(start_box='[[370,460,382,470]]')", Click(722, 502)),
    ("key(keys='ctrl+c')", Key(("ctrl", "c"))),
    ("key(keys='Return')", Key(("enter",))),
    ("type(content='drip coffee maker black')", Type("drip coffee maker black")),
    ("type(content='it's \"quoted\", yes')", Type('it\'s "quoted", yes')),
    ("scroll(start_box='[376,465]', direction='down', step=3)", Scroll(722, 502, dy=3)),
    ("scroll(start_box='[376,465]', direction='up')", Scroll(722, 502, dy=-5)),
    ("WAIT()", Wait(seconds=5.0)),
    ("screenshot()", Screenshot()),
    ("DONE()", Done(text="I act.")),
    ("FAIL()", Done(success=False, text="I act.")),
]


@pytest.mark.parametrize(("call", "action"), GOLDEN, ids=[call for call, _ in GOLDEN])
def test_every_action_is_understood_with_and_without_box(call: str, action: Action) -> None:
    assert only(GLM.decode(answer(boxed(call)), context())) == (action,)
    bare = f"I act.\n{call}\nMemory:\n[]"
    assert only(GLM.decode(answer(bare), context())) == (action,)


def test_thinking_words_and_memory_are_told_apart() -> None:
    text = f"<think>deep</think><answer>{boxed('WAIT()')}</answer>"
    decision = GLM.decode(answer(text), context())
    assert decision.thought == "deep\nI act."


def test_plain_words_are_text() -> None:
    decision = GLM.decode(answer("Nothing to do here.\nMemory:\n[]"), context())
    assert (decision.calls, decision.text) == ((), "Nothing to do here.")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("left_click(start_box='[1000,5]')", "outside"),
        ("left_click()", "needs start_box"),
        ("left_click(start_box='[a,b]')", "not a point"),
        ("scroll(start_box='[1,1]', direction='down', step='x')", "step"),
        ("scroll(start_box='[1,1]', direction='around')", "not a direction"),
        ("key()", "not a key"),
        ("type()", "needs content"),
        ("jump()", "no action 'jump'"),
        ("", "nothing in the box"),
        ("left_click(start_box='[1,1]", "no end"),
        ("import os", "expected ( after import"),
    ],
)
def test_what_cannot_be_understood_is_told(call: str, words: str) -> None:
    assert words in problem_of(GLM.decode(answer(boxed(call)), context()))


def test_a_request_is_one_turn_with_the_newest_picture_first_and_history_in_words() -> None:
    decision = GLM.decode(
        answer('I see.\n<|begin_of_box|>WAIT()<|end_of_box|>\nMemory:\n[{"pin": "x"}]'), context()
    )
    older, newer = picture(), picture()
    turn = Turn(decision, (Outcome(decision.calls[0].id, "Waited.", picture=newer),), ("Go on.",))
    request = GLM.encode("glm-4.5v", context(turn, foreign(Click(960, 540)), first=older))
    (message,) = messages(GLM, context(turn, foreign(Click(960, 540)), first=older))
    words = said(message)
    assert "step 1: I see.\nWAIT()" in words
    assert "(result: Waited.)" in words
    assert "(the user says: Go on.)" in words
    assert "left_click(start_box='[500,500]')" in words
    assert '[{"pin": "x"}]' in words
    assert request.body["skip_special_tokens"] is False
    content = message["content"]
    assert isinstance(content, list)
    kinds = [part["type"] for part in content if isinstance(part, dict)]
    assert kinds == ["image_url", "image_url", "text"]
    full = GLM.grid.shown(SCREEN)
    assert list(newer._encoded) == [full]
    assert list(older._encoded) == [Size(full.width // 2, full.height // 2)]


def test_tools_are_told_and_called() -> None:
    given_ = context(tools=(TOOL,))
    assert "weather" in said(messages(GLM, given_)[0])
    text = boxed("tool(name='weather', arguments='{\"city\": \"Graz\"}')")
    assert only(GLM.decode(answer(text), given_)) == (CallTool("weather", {"city": "Graz"}),)


points = st.builds(Point, st.integers(0, 1919), st.integers(0, 1079))
texts = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=40)


@settings(deadline=None)
@given(point=points, end=points, text=texts, notches=st.integers(1, 1000))
def test_actions_of_other_models_are_written_and_read_back_exactly(
    point: Point, end: Point, text: str, notches: int
) -> None:
    space = GLM.grid.space(SCREEN)
    at, to = (space.to_screen(*space.to_model(p)) for p in (point, end))
    pairs: list[tuple[Action, Action]] = [
        (Click(point.x, point.y), Click(at.x, at.y)),
        (Click(point.x, point.y, "right"), Click(at.x, at.y, "right")),
        (Click(point.x, point.y, "middle"), Click(at.x, at.y, "middle")),
        (Click(point.x, point.y, count=2), Click(at.x, at.y, count=2)),
        (Move(point.x, point.y), Move(at.x, at.y)),
        (Drag((point, end)), Drag((at, to))),
        (Scroll(point.x, point.y, dy=notches), Scroll(at.x, at.y, dy=notches)),
        (Key(("ctrl", "+")), Key(("ctrl", "+"))),
        (Type(f"'{text}'\n"), Type(f"'{text}'\n")),
        (Wait(seconds=5.0), Wait(seconds=5.0)),
        (CallTool("weather", {"city": text}), CallTool("weather", {"city": text})),
    ]
    written = GLM.write("so", [before for before, _ in pairs], space)
    decision = GLM.decode(answer(written), context())
    assert list(only(decision)) == [after for _, after in pairs]


@settings(deadline=None)
@given(text=hostile)
def test_hostile_text_is_always_a_decision(text: str) -> None:
    check_survives(GLM, text)
    check_survives(GLM, f"<|begin_of_box|>{text}")


@pytest.mark.parametrize("text", GIANTS, ids=range(len(GIANTS)))
def test_giant_text_is_read_quickly(text: str) -> None:
    with quick():
        GLM.decode(answer(text), context())
