from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.actions import (
    Action,
    Click,
    Drag,
    Key,
    Move,
    Open,
    Screenshot,
    Scroll,
    Shell,
    Type,
    Wait,
)
from carrel.errors import CarrelError
from carrel.geometry import Point, Size
from carrel.intents import Ask, Done, Note
from carrel.models.context import Context
from carrel.models.human import HumanModel, parse_line

LINES: list[tuple[str, Action]] = [
    ("click 10 20", Click(10, 20)),
    ("click 10 20 right", Click(10, 20, "right")),
    ("click 1 2 3", Click(1, 2, count=3)),
    ("double 5 6", Click(5, 6, count=2)),
    ("right 5 6", Click(5, 6, "right")),
    ("move 7 8", Move(7, 8)),
    ("drag 0 0 5 5", Drag((Point(0, 0), Point(5, 5)))),
    ("drag 0 0 5 5 9 9", Drag((Point(0, 0), Point(5, 5), Point(9, 9)))),
    ("scroll 1 2 3", Scroll(1, 2, dy=3)),
    ("scroll 1 2 -3 1", Scroll(1, 2, dx=1, dy=-3)),
    ('type it\'s "quoted" über 漢字', Type('it\'s "quoted" über 漢字')),
    ("type a\\nb", Type("a\nb")),
    ("key ctrl+l", Key(("ctrl", "l"))),
    ("shot", Screenshot()),
    ("wait 2", Wait(seconds=2.0)),
    ("open xterm", Open("xterm")),
    ("shell echo 'a b' | cat", Shell("echo 'a b' | cat")),
    ("ask which one?", Ask("which one?")),
    ("note remember", Note("remember")),
    ("done", Done()),
    ("done all well", Done(True, "all well")),
    ("fail no way", Done(False, "no way")),
    ("click x=3 y=4 button=middle", Click(3, 4, "middle")),
]


@pytest.mark.parametrize(("line", "action"), LINES)
def test_a_line_is_the_action_it_looks_like(line: str, action: Action) -> None:
    assert parse_line(line) == action


def understood(line: str) -> Action | CarrelError:
    try:
        return parse_line(line)
    except CarrelError as error:
        return error


@given(st.text())
def test_any_line_is_an_action_or_a_clear_error(line: str) -> None:
    assert isinstance(understood(line), Action | CarrelError)


@given(
    st.sampled_from(["click", "drag", "scroll", "type", "wait", "key", "focus_window", "done"]),
    st.lists(st.sampled_from(["1", "-3", "x=1", "y=2", "button=left", "'", "9" * 40, "nan"])),
)
def test_nearly_right_lines_are_understood_or_refused(word: str, rest: list[str]) -> None:
    assert isinstance(understood(" ".join((word, *rest))), Action | CarrelError)


@pytest.mark.anyio
async def test_a_person_is_asked_again_until_it_is_an_action() -> None:
    lines = iter(["", "help", "dance", "click 1", "click 1 2"])
    said: list[str] = []

    async def read(prompt: str) -> str:
        return next(lines)

    async def show(context: Context) -> None:
        return None

    model = HumanModel(read, show)
    decision = await model.decide(Context("t", Size(9, 9)), said.append)
    assert decision.calls[0].actions == (Click(1, 2),)
    assert "no action 'dance'" in "".join(said)


@pytest.mark.anyio
async def test_a_person_who_leaves_ends_the_run() -> None:
    async def read(prompt: str) -> str:
        raise EOFError

    async def show(context: Context) -> None:
        return None

    decision = await HumanModel(read, show).decide(Context("t", Size(9, 9)), print)
    assert decision.calls[0].actions == (Done(False, "the person left"),)
