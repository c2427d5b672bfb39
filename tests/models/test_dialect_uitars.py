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
    written_again,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.actions import Action, Click, Drag, Key, KeyDown, KeyUp, Move, Scroll, Type, Wait
from carrel.errors import ActionFailed, ProtocolError
from carrel.geometry import Box, Point, Size
from carrel.intents import Ask, CallTool, Done
from carrel.models.context import Options, Outcome, Turn
from carrel.models.dialects.uitars import UITars, UITars15
from carrel.models.space import Space

ONE, ONE_FIVE = UITars(), UITars15()


def read(text: str, dialect: UITars = ONE) -> tuple[Action, ...]:
    return only(dialect.decode(answer(text), context()))


# Written by the models themselves, in the forms of bytedance/UI-TARS and its tests.
GOLDEN = [
    ("Thought: test\nAction: click(point='<point>200 300</point>')", Click(384, 324)),
    ("Thought: t\nAction: click(start_box='<|box_start|>(112,224)<|box_end|>')", Click(215, 241)),
    ("Action: click(start_box='(500,500)')", Click(960, 540)),
    ("Action: click(start_box='(100,100,300,300)')", Click(384, 216)),
    ("Action: click(start_box='[500, 500, 500, 500]')", Click(960, 540)),
    ("Action: left_double(start_box='(500,500)')", Click(960, 540, count=2)),
    ("Action: right_single(start_box='(500,500)')", Click(960, 540, "right")),
    (
        "Action: drag(start_box='(100,100)', end_box='(200,200)')",
        Drag((Point(192, 108), Point(384, 216))),
    ),
    (
        "Action: drag(start_point='<point>100 100</point>', end_point='<point>200 200</point>')",
        Drag((Point(192, 108), Point(384, 216))),
    ),
    ("Action: hotkey(key='ctrl c')", Key(("ctrl", "c"))),
    ("Action: hotkey(key='ctrl+shift+t')", Key(("ctrl", "shift", "t"))),
    ("Action: hotkey(key='page down')", Key(("pagedown",))),
    ("Action: hotkey(key='arrowleft')", Key(("left",))),
    ("Action: press(key='shift')", KeyDown("shift")),
    ("Action: release(key='shift')", KeyUp("shift")),
    ("Action: type(content='hello\\n')", Type("hello\n")),
    ("Action: scroll(start_box='(500,500)', direction='down')", Scroll(960, 540, dy=5)),
    ("Action: scroll(start_box='(500,500)', direction='up')", Scroll(960, 540, dy=-5)),
    ("Action: scroll(start_box='(500,500)', direction='left')", Scroll(960, 540, dx=-5)),
    ("Action: scroll(start_box='(500,500)', direction='right')", Scroll(960, 540, dx=5)),
    ("Action: wait()", Wait(seconds=5.0)),
    ("Action: finished(content='It is 42.')", Done(text="It is 42.")),
    ("Action: finished()", Done()),
    ("Action: call_user(content='Which one?')", Ask("Which one?")),
]


@pytest.mark.parametrize(("text", "action"), GOLDEN, ids=[text for text, _ in GOLDEN])
def test_published_forms_are_understood(text: str, action: Action) -> None:
    assert read(text) == (action,)


def test_thought_and_action_are_told_apart() -> None:
    decision = ONE.decode(answer("Thought: I see it.\nNow click.\nAction: wait()"), context())
    assert decision.thought == "I see it.\nNow click."
    assert decision.text == ""


def test_version_one_counts_in_thousandths_and_one_five_in_pixels_of_the_scaled_picture() -> None:
    text = "Action: click(start_box='(966,546)')"
    assert read(text, ONE) == (Click(1854, 589),)
    # 1920x1080 is shown as 1932x1092, so the middle of that is the middle of the screen.
    assert ONE_FIVE.grid.shown(SCREEN) == Size(1932, 1092)
    assert read(text, ONE_FIVE) == (Click(960, 540),)


def test_several_actions_in_one_answer_are_one_batch() -> None:
    text = "Thought: both\nAction: click(start_box='(500,500)')\n\ntype(content='a (b)')"
    assert read(text) == (Click(960, 540), Type("a (b)"))


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        (r"it\'s", "it's"),
        ("it's", "it's"),
        ("say 'hi', ok", "say 'hi', ok"),
        (r"a \"b\" c", 'a "b" c'),
        ('a "b" c', 'a "b" c'),
        (r"line\nnext", "line\nnext"),
        (r"C:\temp\x", "C:\temp\\x"),
        (r"back\\slash", "back\\slash"),
        ("f('x') and g()", "f('x') and g()"),
        ("ünï ✓ 日本", "ünï ✓ 日本"),
        ("Action: fake", "Action: fake"),
        ("first\nsecond", "first\nsecond"),
    ],
)
def test_typed_text_may_hold_quotes_escapes_and_newlines(written: str, typed: str) -> None:
    assert read(f"Action: type(content='{written}')") == (Type(typed),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Action: click(start_box='(1200,10)')", "x 1200.0 is outside the picture"),
        ("Action: click(start_box='(-1,10)')", "outside"),
        ("Action: click(start_box='(nan,10)')", "not a point"),
        ("Action: click(start_box='')", "not a point"),
        ("Action: click()", "needs start_box"),
        ("Action: scroll(start_box='(1,1)', direction='sideways')", "not a direction"),
        ("Action: scroll(start_box='(1,1)')", "not a direction"),
        ("Action: hotkey(key='frobnicate')", "there is no key"),
        ("Action: explode()", "there is no action 'explode'"),
        ("Action: type(content='unfinished", "no end"),
        ("Action: click(start_box='(1,1)'", "no end"),
        ("Action: ", "nothing after Action"),
        ("Action: click(start_box=__import__('os').getcwd())", "expected a number"),
        ("Action: type(content='bell\x07')", "control character"),
    ],
)
def test_what_cannot_be_understood_is_told_and_nothing_runs(text: str, words: str) -> None:
    assert words in problem_of(ONE.decode(answer(text), context()))


def test_plain_words_are_text_and_not_a_call() -> None:
    decision = ONE.decode(answer("Thought: I do not know."), context())
    assert decision.calls == ()
    assert decision.text == "I do not know."


def test_usage_refusal_and_truncation_are_reported() -> None:
    body = answer("Action: type(content='cut", finish_reason="length", reasoning_content="hm")
    decision = ONE.decode(body, context())
    assert decision.truncated
    assert "hm" in decision.thought
    usage = decision.usage
    assert (usage.input, usage.cached, usage.output, usage.reasoning) == (40, 60, 20, 5)
    assert decision.model == "served-model"
    assert ONE.decode(answer("", refusal="No."), context()).refusal == "No."
    filtered = ONE.decode(answer("", finish_reason="content_filter"), context())
    assert filtered.refusal is not None


@pytest.mark.parametrize("body", [{}, {"choices": []}, {"choices": [1]}, {"error": "x"}])
def test_a_body_that_is_no_answer_is_a_protocol_error(body: dict[str, object]) -> None:
    with pytest.raises(ProtocolError):
        ONE.decode(body, context())  # type: ignore[arg-type]


points = st.builds(Point, st.integers(0, 1919), st.integers(0, 1079))
texts = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=40)


def canon(dialect: UITars, point: Point) -> Point:
    space: Space = dialect.grid.space(SCREEN)
    return space.to_screen(*space.to_model(point))


@pytest.mark.parametrize("dialect", [ONE, ONE_FIVE], ids=lambda d: d.name)
@settings(deadline=None)
@given(point=points, end=points, text=texts)
def test_actions_of_other_models_are_written_and_read_back_exactly(
    dialect: UITars, point: Point, end: Point, text: str
) -> None:
    at, to = canon(dialect, point), canon(dialect, end)
    pairs: list[tuple[Action, Action]] = [
        (Click(point.x, point.y), Click(at.x, at.y)),
        (Click(point.x, point.y, count=2), Click(at.x, at.y, count=2)),
        (Click(point.x, point.y, "right"), Click(at.x, at.y, "right")),
        (Move(point.x, point.y), Move(at.x, at.y)),
        (Drag((point, end)), Drag((at, to))),
        (Scroll(point.x, point.y, dy=-5), Scroll(at.x, at.y, dy=-5)),
        (Scroll(point.x, point.y, dx=5), Scroll(at.x, at.y, dx=5)),
        (Key(("ctrl", "shift", "t")), Key(("ctrl", "shift", "t"))),
        (KeyDown("alt"), KeyDown("alt")),
        (KeyUp("alt"), KeyUp("alt")),
        (Type(f"a'{text}\"\n"), Type(f"a'{text}\"\n")),
        (Wait(seconds=5.0), Wait(seconds=5.0)),
        (Done(text=text), Done(text=text)),
        (Ask(f"q{text}"), Ask(f"q{text}")),
        (CallTool("weather", {"city": text}), CallTool("weather", {"city": text})),
    ]
    assert written_again(dialect, *(before for before, _ in pairs)) == [a for _, a in pairs]


def test_own_turns_are_replayed_word_for_word() -> None:
    text = "Thought: odd  spacing\nAction:  click( start_box = '(1,2)' )"
    decision = ONE.decode(answer(text), context())
    turn = Turn(decision, (Outcome(decision.calls[0].id, "", picture=picture()),))
    history = messages(ONE, context(turn, first=picture()))
    assert [item["role"] for item in history] == ["user", "assistant", "user"]
    assert history[1] == {"role": "assistant", "content": text}


def test_foreign_coordinates_are_in_the_models_own_space_not_in_screen_pixels() -> None:
    history = messages(ONE, context(foreign(Click(960, 540))))
    assert "click(start_box='(500,500)')" in said(history[1])


def test_a_picture_that_is_no_longer_kept_is_replaced_by_words() -> None:
    decision = ONE.decode(answer("Action: wait()"), context())
    turn = Turn(decision, (Outcome(decision.calls[0].id),))
    assert "no longer kept" in said(messages(ONE, context(turn))[2])


def test_what_the_person_says_and_silent_turns_reach_the_model() -> None:
    silent = ONE.decode(answer("I wonder."), context())
    history = messages(ONE, context(Turn(silent), Turn(None, said=("Use the menu.",))))
    assert [item["role"] for item in history] == ["user", "assistant", "user"]
    assert "Use the menu." in said(history[2])
    assert messages(ONE, context(Turn(silent)))[-1]["role"] == "user"


def test_the_prompt_holds_task_instructions_summary_tools_and_only_allowed_actions() -> None:
    given_ = context(
        instructions="Be brief.",
        summary="The door was opened.",
        tools=(TOOL,),
        actions=frozenset({"click"}),
    )
    words = said(messages(ONE, given_)[0])
    for piece in ("Open the editor.", "Be brief.", "The door was opened.", "weather", "finished("):
        assert piece in words
    assert "left_double" in words
    assert "hotkey(" not in words
    assert "call_user" not in words


def test_options_are_passed_on() -> None:
    asked = context(options=Options(max_tokens=99, temperature=0.2))
    body = ONE.encode("ui-tars", asked).body
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("ui-tars", 99, 0.2)


def test_pictures_are_sent_in_the_size_coordinates_refer_to() -> None:
    first = picture()
    messages(ONE_FIVE, context(first=first))
    assert list(first._encoded) == [Size(1932, 1092)]


def test_call_ids_are_the_same_for_the_same_answer_and_differ_otherwise() -> None:
    one, again = (ONE.decode(answer("Action: wait()"), context()) for _ in range(2))
    other = ONE.decode(answer("Action: finished()"), context())
    assert one.calls[0].id == again.calls[0].id != other.calls[0].id


def test_it_points_for_others() -> None:
    request = ONE_FIVE.encode_locate("m", picture(), "the OK button")
    assert "the OK button" in str(request.body["messages"])
    body = answer("Action: click(start_box='(966,546)')")
    assert ONE_FIVE.decode_locate(body, picture()) == Point(960, 540)
    assert ONE.decode_locate(answer("click(start_box='(500,500)')"), picture()) == Point(960, 540)
    part = picture(region=Box(100, 200, 400, 300))
    assert ONE.decode_locate(answer("click(start_box='(500,500)')"), part) == Point(300, 350)


@pytest.mark.parametrize(
    "text", ["", "I see nothing.", "Action: wait()", "click(start_box='(1,x)')"]
)
def test_pointing_at_nothing_fails_and_is_never_the_corner(text: str) -> None:
    with pytest.raises(ActionFailed):
        ONE.decode_locate(answer(text), picture())


@pytest.mark.parametrize("dialect", [ONE, ONE_FIVE], ids=lambda d: d.name)
@settings(deadline=None)
@given(text=hostile)
def test_hostile_text_is_always_a_decision(dialect: UITars, text: str) -> None:
    check_survives(dialect, text)
    check_survives(dialect, f"Thought: x\nAction: {text}")


@pytest.mark.parametrize("text", GIANTS, ids=range(len(GIANTS)))
def test_giant_text_is_read_quickly(text: str) -> None:
    with quick():
        ONE.decode(answer(text), context())
