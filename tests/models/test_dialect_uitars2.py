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
    Screenshot,
    Scroll,
    Type,
    Wait,
)
from carrel.geometry import Point
from carrel.intents import Ask, CallTool, Done
from carrel.models.dialects.uitars2 import UITars2

SEED = UITars2()


def call(name: str, **parameters: str) -> str:
    inner = "".join(f"<parameter={k}>{v}</parameter>" for k, v in parameters.items())
    return f"<seed:tool_call><function={name}>{inner}</function></seed:tool_call>"


MIDDLE = "<point>500 500</point>"
GOLDEN: list[tuple[str, tuple[Action, ...]]] = [
    (call("click", point=MIDDLE), (Click(960, 540),)),
    (call("click", point="500 500"), (Click(960, 540),)),
    (call("left_double", point=MIDDLE), (Click(960, 540, count=2),)),
    (call("right_single", point=MIDDLE), (Click(960, 540, "right"),)),
    (call("move_to", point=MIDDLE), (Move(960, 540),)),
    (
        call("drag", start_point="<point>100 100</point>", end_point=MIDDLE),
        (Drag((Point(192, 108), Point(960, 540))),),
    ),
    (call("scroll", direction="up", point=MIDDLE), (Scroll(960, 540, dy=-5),)),
    (call("scroll", direction="right"), (Scroll(960, 540, dx=5),)),
    (call("hotkey", key="ctrl shift t"), (Key(("ctrl", "shift", "t")),)),
    (call("press", key="shift"), (KeyDown("shift"),)),
    (call("release", key="shift"), (KeyUp("shift"),)),
    (call("mouse_down"), (MouseDown(),)),
    (call("mouse_down", point=MIDDLE, button="right"), (Move(960, 540), MouseDown("right"))),
    (call("mouse_up", point=MIDDLE), (Move(960, 540), MouseUp())),
    (call("type", content='it\'s </b> "x"\\n'), (Type('it\'s </b> "x"\n'),)),
    (call("wait", time="3"), (Wait(seconds=3.0),)),
    (call("wait"), (Wait(seconds=5.0),)),
    (call("take_screenshot"), (Screenshot(),)),
    (call("open_computer"), (Screenshot(),)),
    (call("call_user", content="Which?"), (Ask("Which?"),)),
    (call("finished", content="Done it."), (Done(text="Done it."),)),
]


@pytest.mark.parametrize(("text", "actions"), GOLDEN, ids=[text for text, _ in GOLDEN])
def test_every_function_is_understood(text: str, actions: tuple[Action, ...]) -> None:
    assert only(SEED.decode(answer(text), context())) == actions


@pytest.mark.parametrize(
    "tag", ["gui_think", "seed:think", "think_never_used_51bce0c785ca2f68081bfa7d91973934"]
)
def test_reasoning_of_every_version_becomes_the_thought(tag: str) -> None:
    decision = SEED.decode(answer(f"<{tag}> I see </{tag}>\n{call('wait')}"), context())
    assert decision.thought == "I see"
    assert only(decision) == (Wait(seconds=5.0),)


def test_several_functions_in_one_tool_call_are_one_batch() -> None:
    text = (
        "<seed:tool_call><function=press><parameter=key>ctrl</parameter></function>"
        f"<function=click><parameter=point>{MIDDLE}</parameter></function>"
        "<function=release><parameter=key>ctrl</parameter></function></seed:tool_call>"
    )
    decision = SEED.decode(answer(text), context())
    assert only(decision) == (KeyDown("ctrl"), Click(960, 540), KeyUp("ctrl"))


def test_a_cut_off_stop_tag_does_not_matter() -> None:
    text = call("wait").removesuffix("</seed:tool_call>")
    assert only(SEED.decode(answer(text), context())) == (Wait(seconds=5.0),)


def test_the_users_tools_are_declared_and_called_with_typed_arguments() -> None:
    given_ = context(tools=(TOOL,))
    assert '"weather"' in said(messages(SEED, given_)[0])
    decision = SEED.decode(answer(call("weather", city="12", days="3")), given_)
    assert only(decision) == (CallTool("weather", {"city": "12", "days": 3}),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (call("fly"), "no function 'fly'"),
        (call("click"), "'point' is missing"),
        (call("click", point="here"), "not a point"),
        (call("click", point="<point>1001 5</point>"), "outside"),
        (call("press", key="ctrl c"), "only one key"),
        (call("mouse_down", button="belly"), "no button"),
        (call("wait", time="soon"), "not valid JSON"),
        (call("wait", time="99999999"), "between 0 and 3600"),
        ("<seed:tool_call></seed:tool_call>", "no function"),
        ("<seed:tool_call><function=click><parameter=point>1 2", "no end"),
        ("<function=click", "no end"),
    ],
)
def test_what_cannot_be_understood_is_told_and_does_not_end_the_run(text: str, words: str) -> None:
    assert words in problem_of(SEED.decode(answer(text), context()))


points = st.builds(Point, st.integers(0, 1919), st.integers(0, 1079))
plain = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\\<"))


@settings(deadline=None)
@given(point=points, end=points, text=plain)
def test_actions_of_other_models_are_written_and_read_back_exactly(
    point: Point, end: Point, text: str
) -> None:
    space = SEED.grid.space(SCREEN)
    at, to = (space.to_screen(*space.to_model(p)) for p in (point, end))
    pairs: list[tuple[Action, Action]] = [
        (Click(point.x, point.y), Click(at.x, at.y)),
        (Click(point.x, point.y, count=2), Click(at.x, at.y, count=2)),
        (Click(point.x, point.y, "right"), Click(at.x, at.y, "right")),
        (Move(point.x, point.y), Move(at.x, at.y)),
        (Drag((point, end)), Drag((at, to))),
        (Scroll(point.x, point.y, dy=5), Scroll(at.x, at.y, dy=5)),
        (MouseDown("right"), MouseDown("right")),
        (MouseUp(), MouseUp()),
        (Key(("ctrl", "c")), Key(("ctrl", "c"))),
        (KeyDown("shift"), KeyDown("shift")),
        (KeyUp("shift"), KeyUp("shift")),
        (Type(f"{text}\n"), Type(f"{text}\n")),
        (Wait(seconds=2.5), Wait(seconds=2.5)),
        (Screenshot(), Screenshot()),
        (Ask(f"q{text}".strip()), Ask(f"q{text}".strip())),
        (Done(text=text.strip()), Done(text=text.strip())),
        (
            CallTool("weather", {"city": text, "days": 3}),
            CallTool("weather", {"city": text, "days": 3}),
        ),
    ]
    assert written_again(SEED, *(before for before, _ in pairs)) == [after for _, after in pairs]


def test_a_scroll_without_a_point_happens_where_the_pointer_was_put() -> None:
    decision = SEED.decode(answer(call("scroll", direction="down")), context(foreign(Move(7, 8))))
    assert only(decision) == (Scroll(7, 8, dy=5),)


@settings(deadline=None)
@given(text=hostile)
def test_hostile_text_is_always_a_decision(text: str) -> None:
    check_survives(SEED, text)
    check_survives(SEED, f"<seed:tool_call>{text}")
    check_survives(SEED, f"<seed:tool_call><function=type><parameter=content>{text}")


@pytest.mark.parametrize("text", GIANTS, ids=range(len(GIANTS)))
def test_giant_text_is_read_quickly(text: str) -> None:
    with quick():
        SEED.decode(answer(text), context())
