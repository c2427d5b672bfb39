from __future__ import annotations

import json

import pytest
from chats import (
    GIANTS,
    SCREEN,
    TOOL,
    actions_of,
    answer,
    check_survives,
    context,
    foreign,
    hostile,
    messages,
    native,
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
    MouseDown,
    MouseUp,
    Move,
    Screenshot,
    Scroll,
    Type,
    Wait,
)
from carrel.codec import Json
from carrel.errors import ActionFailed
from carrel.geometry import Point, Size
from carrel.intents import Ask, CallTool, Done
from carrel.models.context import Outcome, Turn
from carrel.models.dialects.qwen import Qwen3VL, Qwen25VL, Qwen35

OLD, VL, NEW = Qwen25VL(), Qwen3VL(), Qwen35()
ALL = [OLD, VL, NEW]


def as_json(**arguments: Json) -> str:
    call = json.dumps({"name": "computer_use", "arguments": arguments})
    return f"Action: Do it.\n<tool_call>\n{call}\n</tool_call>"


def as_tags(**arguments: Json) -> str:
    values = {k: v if isinstance(v, str) else json.dumps(v) for k, v in arguments.items()}
    inner = "".join(f"<parameter={k}>\n{v}\n</parameter>\n" for k, v in values.items())
    return f"Action: Do it.\n<tool_call>\n<function=computer_use>\n{inner}</function>\n</tool_call>"


GOLDEN: list[tuple[dict[str, Json], tuple[Action, ...]]] = [
    ({"action": "left_click", "coordinate": [500, 300]}, (Click(960, 324),)),
    ({"action": "right_click", "coordinate": [500, 300]}, (Click(960, 324, "right"),)),
    ({"action": "middle_click", "coordinate": [500, 300]}, (Click(960, 324, "middle"),)),
    ({"action": "double_click", "coordinate": [500, 300]}, (Click(960, 324, count=2),)),
    ({"action": "triple_click", "coordinate": [500, 300]}, (Click(960, 324, count=3),)),
    ({"action": "mouse_move", "coordinate": [500, 300]}, (Move(960, 324),)),
    (
        {"action": "left_click_drag", "coordinate": [500, 300]},
        (MouseDown(), Move(960, 324), MouseUp()),
    ),
    ({"action": "left_click"}, (MouseDown(), MouseUp())),
    ({"action": "key", "keys": ["ctrl", "c"]}, (Key(("ctrl", "c")),)),
    ({"action": "key", "keys": ["ctrl+c"]}, (Key(("ctrl", "c")),)),
    ({"action": "type", "text": 'it\'s "x"\n'}, (Type('it\'s "x"\n'),)),
    ({"action": "scroll", "pixels": 500}, (Scroll(960, 540, dy=-5),)),
    ({"action": "scroll", "pixels": -500}, (Scroll(960, 540, dy=5),)),
    ({"action": "scroll", "pixels": -5}, (Scroll(960, 540, dy=1),)),
    ({"action": "scroll", "pixels": -300, "coordinate": [500, 300]}, (Scroll(960, 324, dy=3),)),
    ({"action": "hscroll", "pixels": 200}, (Scroll(960, 540, dx=2),)),
    ({"action": "wait", "time": 2.5}, (Wait(seconds=2.5),)),
    ({"action": "screenshot"}, (Screenshot(),)),
    ({"action": "interact", "text": "Sign in, please."}, (Ask("Sign in, please."),)),
    ({"action": "answer", "text": "42"}, (Done(text="42"),)),
    ({"action": "terminate", "status": "success"}, (Done(),)),
    ({"action": "terminate", "status": "failure"}, (Done(success=False),)),
]
IDS = [json.dumps(arguments) for arguments, _ in GOLDEN]


@pytest.mark.parametrize(("arguments", "actions"), GOLDEN, ids=IDS)
def test_every_action_is_understood_in_every_form(
    arguments: dict[str, Json], actions: tuple[Action, ...]
) -> None:
    # Tags, JSON and native calls are the same to every version.
    for dialect in (VL, NEW):
        assert only(dialect.decode(answer(as_json(**arguments)), context())) == actions
        assert only(dialect.decode(answer(as_tags(**arguments)), context())) == actions
        body = answer("", calls=[native("computer_use", arguments)])
        assert only(dialect.decode(body, context())) == actions


def test_two_point_five_counts_in_pixels_of_the_scaled_picture() -> None:
    text = as_json(action="left_click", coordinate=[966, 546])
    assert OLD.grid.shown(SCREEN) == Size(1932, 1092)
    assert only(OLD.decode(answer(text), context())) == (Click(960, 540),)
    assert "1932x1092" in said(messages(OLD, context())[0])
    assert "1000x1000" in said(messages(VL, context())[0])


def test_the_middle_is_the_middle_of_the_screen_not_of_the_resized_picture() -> None:
    text = as_json(action="left_click", coordinate=[1000, 1000])
    assert only(VL.decode(answer(text), context())) == (Click(1919, 1079),)


def test_the_pointer_is_followed_from_call_to_call() -> None:
    text = as_json(action="mouse_move", coordinate=[100, 100]) + as_json(
        action="left_click_drag", coordinate=[500, 500]
    )
    decision = VL.decode(answer(text), context())
    assert actions_of(decision) == [Move(192, 108), Drag((Point(192, 108), Point(960, 540)))]
    later = VL.decode(answer(as_json(action="double_click")), context(foreign(Click(5, 6))))
    assert only(later) == (Click(5, 6, count=2),)


def test_parallel_calls_have_ids_of_their_own() -> None:
    text = as_json(action="wait", time=1) + as_json(action="wait", time=1)
    first, second = VL.decode(answer(text), context()).calls
    assert first.id != second.id


def test_thinking_and_words_become_the_thought() -> None:
    text = f"<think>\nhm\n</think>\n\n{as_json(action='wait')}"
    decision = NEW.decode(answer(text), context())
    assert decision.thought == "hm\nDo it."
    assert NEW.decode(answer("</think>All done."), context()).text == "All done."


def test_broken_calls_beside_good_ones_are_told_one_by_one() -> None:
    text = as_json(action="wait") + "<tool_call>\n{broken\n</tool_call>"
    good, bad = VL.decode(answer(text), context()).calls
    assert good.problem is None
    assert bad.problem is not None
    assert "not valid JSON" in bad.problem.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (as_json(action="left_click", coordinate=[1001, 3]), "outside"),
        (as_json(action="left_click", coordinate=["a", 3]), "not a point"),
        (as_json(action="left_click", coordinate=[1]), "not a point"),
        (as_json(action="mouse_move"), "needs a coordinate"),
        (as_json(action="fly"), "no action 'fly'"),
        (as_json(), "no action 'None'"),
        (as_json(action="scroll", pixels="many"), "must be a number"),
        (as_json(action="scroll", pixels=0), "must not be 0"),
        (as_json(action="scroll"), "must be a number"),
        (as_json(action="type"), "text is missing"),
        (as_json(action="type", text="x", colour="red"), "does not take colour"),
        (as_json(action="key", keys=["frobnicate"]), "no key"),
        (as_json(action="terminate", status="maybe"), "success or failure"),
        ('<tool_call>{"name": "rm", "arguments": {}}</tool_call>', "no function 'rm'"),
        ('<tool_call>{"name": 3, "arguments": {}}</tool_call>', "needs a name"),
        ("<tool_call></tool_call>", "no JSON object"),
        ('<tool_call>{"name": "computer_use", "arguments": {"a": NaN}}', "not valid JSON"),
        ('<tool_call>{"name": "computer_use", "arguments": {"a": ' + "9" * 5000, "not valid JSON"),
    ],
)
def test_what_cannot_be_understood_is_told(text: str, words: str) -> None:
    assert words in problem_of(VL.decode(answer(text), context()))


def test_native_calls_with_bad_json_are_told_and_not_raised() -> None:
    body = answer("", calls=[native("computer_use", "{not json")])
    assert "not valid JSON" in problem_of(NEW.decode(body, context()))
    body = answer("", calls=[{"id": "x"}])
    assert "no name" in problem_of(NEW.decode(body, context()))


def test_tools_of_the_user_are_declared_and_called() -> None:
    given_ = context(tools=(TOOL,))
    assert '"weather"' in said(messages(VL, given_)[0])
    text = (
        '<tool_call>\n{"name": "weather", "arguments": {"city": "Graz", "days": 2}}\n</tool_call>'
    )
    assert only(VL.decode(answer(text), given_)) == (
        CallTool("weather", {"city": "Graz", "days": 2}),
    )


points = st.builds(Point, st.integers(0, 1919), st.integers(0, 1079))
texts = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="<"))


@pytest.mark.parametrize("dialect", ALL, ids=lambda d: d.name)
@settings(deadline=None)
@given(point=points, end=points, text=texts, notches=st.integers(1, 100))
def test_actions_of_other_models_are_written_and_read_back_exactly(
    dialect: Qwen3VL, point: Point, end: Point, text: str, notches: int
) -> None:
    space = dialect.grid.space(SCREEN)
    at, to = (space.to_screen(*space.to_model(p)) for p in (point, end))
    pairs: list[tuple[Action, list[Action]]] = [
        (Click(point.x, point.y), [Click(at.x, at.y)]),
        (Click(point.x, point.y, "right"), [Click(at.x, at.y, "right")]),
        (Click(point.x, point.y, "middle"), [Click(at.x, at.y, "middle")]),
        (Click(point.x, point.y, count=2), [Click(at.x, at.y, count=2)]),
        (Click(point.x, point.y, count=3), [Click(at.x, at.y, count=3)]),
        (Move(point.x, point.y), [Move(at.x, at.y)]),
        (Drag((point, end)), [Move(at.x, at.y), Drag((at, to))]),
        (Scroll(point.x, point.y, dy=notches), [Scroll(at.x, at.y, dy=notches)]),
        (Scroll(point.x, point.y, dy=-notches), [Scroll(at.x, at.y, dy=-notches)]),
        (Scroll(point.x, point.y, dx=notches), [Scroll(at.x, at.y, dx=notches)]),
        (Key(("ctrl", "+")), [Key(("ctrl", "+"))]),
        (Type(f"{text}\n"), [Type(f"{text}\n")]),
        (Wait(seconds=1.5), [Wait(seconds=1.5)]),
        (Ask(f"q{text}"), [Ask(f"q{text}")]),
        (Done(text=text), [Done(text=text)]),
        (Done(success=False), [Done(success=False)]),
        (CallTool("weather", {"days": 3}), [CallTool("weather", {"days": 3})]),
    ]
    expected = [action for _, after in pairs for action in after]
    assert written_again(dialect, *(before for before, _ in pairs)) == expected


def test_own_native_turns_are_written_back_as_text_the_model_knows() -> None:
    body = answer("Click it.", calls=[native("computer_use", {"action": "wait", "time": 1})])
    decision = VL.decode(body, context())
    turn = Turn(decision, (Outcome(decision.calls[0].id, "ok"),))
    history = messages(VL, context(turn))
    assert "<tool_call>" in said(history[1])
    assert "Click it." in said(history[1])


@pytest.mark.parametrize("dialect", ALL, ids=lambda d: d.name)
def test_it_points_for_others_with_width_and_height_in_their_order(dialect: Qwen3VL) -> None:
    middle = [966, 546] if dialect is OLD else [500, 500]
    body = answer(as_json(action="left_click", coordinate=middle))
    assert dialect.decode_locate(body, picture()) == Point(960, 540)
    called = answer("", calls=[native("computer_use", {"action": "click", "coordinate": middle})])
    assert dialect.decode_locate(called, picture()) == Point(960, 540)
    request = dialect.encode_locate("m", picture(), "the red one")
    assert "the red one" in str(request.body)
    for text in (
        "",
        "nowhere",
        as_json(action="wait"),
        as_json(action="left_click", coordinate=[0]),
    ):
        with pytest.raises(ActionFailed):
            dialect.decode_locate(answer(text), picture())


@pytest.mark.parametrize("dialect", ALL, ids=lambda d: d.name)
@settings(deadline=None)
@given(text=hostile)
def test_hostile_text_is_always_a_decision(dialect: Qwen3VL, text: str) -> None:
    check_survives(dialect, text)
    check_survives(dialect, f"<tool_call>{text}")
    dialect.decode(answer(None, calls=[native("computer_use", text)]), context())


@pytest.mark.parametrize("text", GIANTS, ids=range(len(GIANTS)))
def test_giant_text_is_read_quickly(text: str) -> None:
    with quick():
        NEW.decode(answer(text), context())
