from __future__ import annotations

import json
from typing import cast

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
    ACTIONS,
    Action,
    Click,
    CloseWindow,
    Drag,
    Key,
    KeyDown,
    MouseDown,
    Move,
    MoveWindow,
    Open,
    ReadFile,
    Screenshot,
    Scroll,
    SetClipboard,
    Shell,
    Type,
    Wait,
    WriteFile,
)
from carrel.codec import Json
from carrel.decisions import Call, Decision
from carrel.geometry import Box, Point, Size
from carrel.intents import INTENTS, Ask, CallTool, Done, Note
from carrel.models.context import Options, Outcome, ToolSpec, Turn
from carrel.models.dialects.functions import Functions, FunctionsText, FunctionsThousand
from carrel.results import Effect, Result

PIXELS, THOUSAND, TEXT = Functions(), FunctionsThousand(), FunctionsText()
ALL = [PIXELS, THOUSAND, TEXT]


def declared(dialect: Functions, given_: object = None) -> dict[str, dict[str, Json]]:
    body = dialect.encode("m", given_ or context()).body  # type: ignore[arg-type]
    tools = cast("list[dict[str, dict[str, Json]]]", body["tools"])
    return {str(tool["function"]["name"]): tool["function"] for tool in tools}


def test_every_action_is_a_function_with_a_flat_closed_schema() -> None:
    functions = declared(PIXELS)
    hidden = {"tool", "screen", "cursor", "resize_screen", "stat_file"}
    assert set(functions) == {*ACTIONS, *INTENTS} - hidden
    for function in functions.values():
        parameters = cast("dict[str, Json]", function["parameters"])
        assert parameters["type"] == "object"
        assert parameters["additionalProperties"] is False
        properties = cast("dict[str, Json]", parameters["properties"])
        assert set(cast("list[str]", parameters["required"])) <= set(properties)
        assert "oneOf" not in json.dumps(parameters)
        assert function["description"]


def test_schemas_hold_types_enums_and_bounds() -> None:
    click = cast("dict[str, dict[str, Json]]", declared(PIXELS)["click"]["parameters"])[
        "properties"
    ]
    assert click["x"] == {"type": "integer", "minimum": 0, "maximum": 1279}
    assert click["y"] == {"type": "integer", "minimum": 0, "maximum": 719}
    assert cast("dict[str, Json]", click["button"])["enum"] == [
        "left",
        "middle",
        "right",
        "back",
        "forward",
    ]
    assert cast("dict[str, Json]", click["count"])["maximum"] == 10
    thousand = cast("dict[str, dict[str, Json]]", declared(THOUSAND)["click"]["parameters"])
    assert cast("dict[str, Json]", thousand["properties"]["x"])["maximum"] == 1000


def test_only_allowed_actions_are_declared_but_ending_is_always_possible() -> None:
    assert set(declared(PIXELS, context(actions=frozenset({"click", "ask"})))) == {
        "click",
        "ask",
        "done",
    }


def test_the_prompt_says_how_places_are_counted() -> None:
    system = said(messages(PIXELS, context(instructions="Be brief."))[0])
    assert "1280 x 720 pixels" in system
    assert "Be brief." in system
    assert "0 to 1000" in said(messages(THOUSAND, context())[0])


CALLS: list[tuple[str, dict[str, Json], Action]] = [
    ("click", {"x": 640, "y": 360}, Click(960, 540)),
    ("click", {"x": 640.0, "y": "360"}, Click(960, 540)),
    ("click", {"x": 640, "y": 360, "count": "2", "button": None}, Click(960, 540, count=2)),
    (
        "click",
        {"x": 640, "y": 360, "button": "right", "modifiers": ["ctrl"]},
        Click(960, 540, "right", modifiers=("ctrl",)),
    ),
    ("click", {"x": 640, "y": 360, "modifiers": "ctrl"}, Click(960, 540, modifiers=("ctrl",))),
    ("move", {"x": 0, "y": 0}, Move(0, 0)),
    ("move", {"x": 1279, "y": 719}, Move(1919, 1079)),
    (
        "drag",
        {"path": [{"x": 0, "y": 0}, {"x": 640, "y": 360}]},
        Drag((Point(0, 0), Point(960, 540))),
    ),
    ("scroll", {"x": 640, "y": 360, "dy": 3}, Scroll(960, 540, dy=3)),
    ("key", {"keys": ["ctrl", "l"]}, Key(("ctrl", "l"))),
    ("key", {"keys": "ctrl+l"}, Key(("ctrl", "l"))),
    ("type", {"text": "a'b\"c\n"}, Type("a'b\"c\n")),
    ("wait", {"seconds": 2}, Wait(seconds=2.0)),
    ("shell", {"command": "ls"}, Shell("ls")),
    ("screenshot", {}, Screenshot()),
    (
        "screenshot",
        {"region": {"left": 0, "top": 0, "right": 640, "bottom": 360}},
        Screenshot(region=Box(0, 0, 960, 540)),
    ),
    ("done", {"text": "42"}, Done(text="42")),
    ("done", {"success": "false"}, Done(success=False)),
    ("ask", {"question": "Which?", "choices": ["a", "b"]}, Ask("Which?", ("a", "b"))),
    ("note", {"text": "x"}, Note("x")),
    ("weather", {"city": "Graz"}, CallTool("weather", {"city": "Graz"})),
]


@pytest.mark.parametrize(("name", "arguments", "action"), CALLS, ids=[c[0] for c in CALLS])
def test_calls_are_understood_natively_and_in_fences(
    name: str, arguments: dict[str, Json], action: Action
) -> None:
    given_ = context(tools=(TOOL,))
    body = answer("", calls=[native(name, arguments)])
    assert only(PIXELS.decode(body, given_)) == (action,)
    call = json.dumps({"name": name, "arguments": arguments})
    for text in (f"I act.\n```json\n{call}\n```", call, f"```\n{call}\n```"):
        assert only(TEXT.decode(answer(text), given_)) == (action,)


def test_parallel_calls_keep_the_providers_ids_and_order() -> None:
    calls: list[Json] = [native("wait", {"seconds": 1}, "a"), native("done", {}, "b")]
    decision = PIXELS.decode(answer("", calls=calls), context())
    assert [call.id for call in decision.calls] == ["a", "b"]
    assert actions_of(decision) == [Wait(seconds=1.0), Done()]


def test_ids_that_are_missing_or_equal_are_replaced() -> None:
    calls: list[Json] = [native("done", {}, "call_0"), native("done", {}, "call_0")]
    first, second = PIXELS.decode(answer("", calls=calls), context()).calls
    assert first.id != second.id
    assert PIXELS.decode(answer("", calls=[native("done", {}, "")]), context()).calls[0].id


def test_tools_with_names_of_actions_or_odd_names_can_be_called() -> None:
    odd = tuple(
        ToolSpec(name, "x", {"type": "object"}) for name in ("click", "srv.do it", "a.b", "a_b")
    )
    given_ = context(tools=odd)
    names = list(declared(PIXELS, given_))[-4:]
    assert names[:3] == ["tool_click", "srv_do_it", "a_b"]
    assert len(set(names)) == 4
    for name, tool in zip(names, odd, strict=True):
        decision = PIXELS.decode(answer("", calls=[native(name, {"q": 1})]), given_)
        assert only(decision) == (CallTool(tool.name, {"q": 1}),)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (native("click", {"x": 5}), "y must be a number"),
        (native("click", {"x": 1280, "y": 1}), "outside"),
        (native("click", {"x": True, "y": 1}), "must be a number"),
        (native("click", {"x": 1, "y": 1, "speed": 3}), "no argument 'speed'"),
        (native("click", {"x": 1, "y": 1, "button": "belly"}), "not one of"),
        (native("click", {"x": 1, "y": 1, "count": 99}), "between 1 and 10"),
        (native("drag", {"path": [{"x": 1, "y": 1}]}), "2 to 10000"),
        (native("drag", {"path": "here"}), "list of places"),
        (native("key", {"keys": ["frob"]}), "no key"),
        (native("type", {}), "'text' is missing"),
        (native("screenshot", {"region": {"left": 5, "top": 5, "right": 5, "bottom": 9}}), "empty"),
        (native("screenshot", {"unless": "x"}), "no argument 'unless'"),
        (native("tool", {"name": "rm"}), "no function 'tool'"),
        (native("__init__", {}), "no function"),
        (native("click", "{broken"), "not valid JSON"),
        (native("click", "[1]"), "not a JSON object"),
        (native("click", '{"x": NaN, "y": 1}'), "not valid JSON"),
        ({"id": "x", "type": "function"}, "no function name"),
        ({"id": "x", "function": {"name": "click", "arguments": 3}}, "not a JSON object"),
    ],
)
def test_what_cannot_be_understood_is_told(call: dict[str, Json], words: str) -> None:
    assert words in problem_of(PIXELS.decode(answer("", calls=[call]), context()))


def test_broken_json_in_a_fence_is_told_and_other_fences_are_text() -> None:
    assert "not valid JSON" in problem_of(TEXT.decode(answer("```json\n{broken\n```"), context()))
    listing = "Here:\n```python\nprint(1)\n```"
    decision = TEXT.decode(answer(listing), context())
    assert (decision.calls, decision.text) == ((), listing)
    data = 'The file holds:\n```json\n{"a": 1}\n```'
    assert TEXT.decode(answer(data), context()).text == data


def test_servers_without_tools_are_told_the_functions_in_words() -> None:
    body = TEXT.encode("m", context(tools=(TOOL,))).body
    assert "tools" not in body
    assert "- weather: Tells the weather." in said(messages(TEXT, context(tools=(TOOL,)))[0])


points = st.builds(Point, st.integers(0, 1919), st.integers(0, 1079))
texts = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=40)


@pytest.mark.parametrize("dialect", ALL, ids=lambda d: d.name)
@settings(deadline=None)
@given(point=points, end=points, text=texts, notches=st.integers(1, 1000))
def test_actions_of_other_models_are_written_and_read_back_exactly(
    dialect: Functions, point: Point, end: Point, text: str, notches: int
) -> None:
    space = dialect.grid.space(SCREEN)
    at, to = (space.to_screen(*space.to_model(p)) for p in (point, end))
    pairs: list[tuple[Action, Action]] = [
        (Click(point.x, point.y, "back", 3), Click(at.x, at.y, "back", 3)),
        (
            Click(point.x, point.y, modifiers=("ctrl", "shift")),
            Click(at.x, at.y, modifiers=("ctrl", "shift")),
        ),
        (Move(point.x, point.y), Move(at.x, at.y)),
        (Drag((point, end, point), "right"), Drag((at, to, at), "right")),
        (Scroll(point.x, point.y, -notches, notches), Scroll(at.x, at.y, -notches, notches)),
        (MouseDown("middle"), MouseDown("middle")),
        (Key(("ctrl", "+"), 2, 0.5), Key(("ctrl", "+"), 2, 0.5)),
        (KeyDown("alt"), KeyDown("alt")),
        (Type(text), Type(text)),
        (Wait(stable=1.0), Wait(stable=1.0)),
        (SetClipboard(text), SetClipboard(text)),
        (Open("firefox", ("a",)), Open("firefox", ("a",))),
        (MoveWindow(7, point.x, point.y), MoveWindow(7, at.x, at.y)),
        (CloseWindow(7), CloseWindow(7)),
        (Shell(f"echo {text}", timeout=3.0), Shell(f"echo {text}", timeout=3.0)),
        (ReadFile("/a"), ReadFile("/a")),
        (WriteFile("/a", text), WriteFile("/a", text)),
        (Done(False, text), Done(False, text)),
        (Ask(f"q{text}", ("a",)), Ask(f"q{text}", ("a",))),
        (Note(text), Note(text)),
        (CallTool("weather", {"city": text}), CallTool("weather", {"city": text})),
    ]
    assert written_again(dialect, *(before for before, _ in pairs)) == [a for _, a in pairs]


def roles(history: list[dict[str, Json]]) -> list[str]:
    return [str(message["role"]) for message in history]


def check_pairs(history: list[dict[str, Json]]) -> None:
    """Every tool call has exactly one result right after it, and no result is without a call."""
    open_calls: list[str] = []
    for message in history:
        if message["role"] == "tool":
            open_calls.remove(str(message["tool_call_id"]))
            continue
        assert open_calls == []
        calls = cast("list[dict[str, Json]]", message.get("tool_calls") or [])
        open_calls += [str(call["id"]) for call in calls]
    assert open_calls == []


def test_own_turns_are_replayed_with_their_ids_and_pictures_after_the_results() -> None:
    calls: list[Json] = [native("wait", {"seconds": 1}, "a"), native("type", {"text": "x"}, "b")]
    decision = PIXELS.decode(answer("Thinking.", calls=calls), context())
    turn = Turn(decision, (Outcome("a", "waited"), Outcome("b", picture=picture())), ("Go on.",))
    history = messages(PIXELS, context(turn, first=picture()))
    assert roles(history) == ["system", "user", "assistant", "tool", "tool", "user"]
    assert history[2]["tool_calls"] == calls
    assert [said(item) for item in history[3:5]] == ["waited", "Done."]
    check_pairs(history)


def test_calls_with_broken_arguments_are_sent_back_as_json_every_server_takes() -> None:
    decision = PIXELS.decode(answer("", calls=[native("click", "{broken", "a")]), context())
    history = messages(PIXELS, context(Turn(decision, (Outcome("a", "not understood"),))))
    (call,) = cast("list[dict[str, dict[str, str]]]", history[2]["tool_calls"])
    assert json.loads(call["function"]["arguments"]) == {}
    check_pairs(history)


@pytest.mark.parametrize("words", ['{"a": 1}', "3", "null", "[]", "{broken"])
def test_what_a_tool_answered_reaches_the_model_word_for_word(words: str) -> None:
    given_ = context(tools=(TOOL,))
    decision = PIXELS.decode(answer("", calls=[native("weather", {}, "a")]), given_)
    history = messages(PIXELS, context(Turn(decision, (Outcome("a", words),)), tools=(TOOL,)))
    assert history[3] == {"role": "tool", "tool_call_id": "a", "content": words}


def test_the_limit_of_tokens_has_the_name_the_model_knows() -> None:
    given_ = context(options=Options(max_tokens=9))
    assert "max_completion_tokens" in PIXELS.encode("o3", given_).body
    assert "max_completion_tokens" in PIXELS.encode("gpt-5.1", given_).body
    assert "max_tokens" in PIXELS.encode("gpt-4.1", given_).body
    assert "max_tokens" in PIXELS.encode("llama", given_).body


def test_a_call_without_an_outcome_is_not_left_an_orphan() -> None:
    decision = PIXELS.decode(answer("", calls=[native("done", {}, "a")]), context())
    history = messages(PIXELS, context(Turn(decision)))
    assert said(history[3]) == "No result was recorded."
    check_pairs(history)


def test_batches_of_other_dialects_become_one_call_for_each_action() -> None:
    call = Call("toolu", "computer", (Click(1, 1), Type("x"), Key(("enter",))))
    failed = Result(False, Effect.REFUSED, "no field")
    ok = Result(True, Effect.CONFIRMED, "clicked")
    turn = Turn(Decision(calls=(call,), thought="so"), (Outcome("toolu", "stopped", (ok, failed)),))
    history = messages(PIXELS, context(turn))
    assert [said(item) for item in history if item["role"] == "tool"] == [
        "clicked",
        "no field",
        "stopped",
    ]
    check_pairs(history)
    check_pairs(messages(TEXT, context(turn)))


def test_calls_other_dialects_could_not_understand_are_told_in_words() -> None:
    bad = PIXELS.decode(answer("", calls=[native("fly", {}, "a")]), context()).calls
    turn = Turn(Decision(calls=bad, raw={"dialect": "x"}), (Outcome("a", "no such thing"),))
    history = messages(PIXELS, context(turn))
    assert "no such thing" in said(history[2])
    assert "tool_calls" not in history[2]
    check_pairs(history)


def test_the_conversation_ends_with_the_person() -> None:
    silent = PIXELS.decode(answer("Hm."), context())
    assert roles(messages(PIXELS, context(Turn(silent)))) == ["system", "user", "assistant", "user"]
    history = messages(PIXELS, context(foreign(Click(1, 1)), Turn(None, said=("Hurry.",))))
    assert roles(history)[-1] == "user"
    assert "Hurry." in said(history[-1])


def test_shown_pictures_are_small_enough_that_nobody_scales_them() -> None:
    first = picture(Size(3840, 2160))
    given_ = context(first=first, screen=Size(3840, 2160))
    messages(PIXELS, given_)
    assert list(first._encoded) == [Size(1280, 720)]
    decision = PIXELS.decode(answer("", calls=[native("click", {"x": 1279, "y": 0})]), given_)
    (click,) = only(decision)
    assert isinstance(click, Click)
    assert click.x >= 3837


def test_a_picture_of_a_part_says_which_part_in_the_models_numbers() -> None:
    part = picture(region=Box(0, 0, 960, 540))
    turn = Turn(None, (Outcome("a", picture=part),))
    assert "0, 0, 640, 360" in said(messages(PIXELS, context(turn))[-1])


def test_a_picture_of_a_small_part_is_as_large_as_a_screenshot() -> None:
    part = picture(region=Box(100, 100, 60, 60))
    messages(PIXELS, context(Turn(None, (Outcome("a", picture=part),))))
    assert list(part._encoded) == [Size(720, 720)]


@pytest.mark.parametrize("dialect", ALL, ids=lambda d: d.name)
@settings(deadline=None)
@given(text=hostile, name=st.one_of(st.sampled_from([*ACTIONS, *INTENTS]), st.text(max_size=8)))
def test_hostile_text_is_always_a_decision(dialect: Functions, text: str, name: str) -> None:
    check_survives(dialect, text)
    check_survives(dialect, f"```json\n{text}")
    calls: list[Json] = [native(name, text, text), native(text, {"x": text}, name)]
    calls.append({"id": text, "function": {"name": name, "arguments": {"text": text}}})
    decision = dialect.decode(answer(text, calls=calls), context())
    turn = Turn(decision, tuple(Outcome(call.id, "told") for call in decision.calls))
    body = dialect.encode("m", context(turn)).body
    json.dumps(dict(body), ensure_ascii=False, allow_nan=False).encode()
    check_pairs(messages(dialect, context(turn)))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = ["x", "y", "path", "keys", "text", "region", "count", "dy", "seconds", "mark", "window"]


@settings(deadline=None)
@given(
    name=st.sampled_from([*ACTIONS, *INTENTS]),
    arguments=st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=5),
)
def test_any_arguments_are_an_action_or_a_problem(name: str, arguments: dict[str, Json]) -> None:
    decision = PIXELS.decode(answer("", calls=[native(name, arguments)]), context())
    (call,) = decision.calls
    assert bool(call.actions) == (call.problem is None)


@pytest.mark.parametrize("text", GIANTS, ids=range(len(GIANTS)))
def test_giant_text_is_read_quickly(text: str) -> None:
    with quick():
        TEXT.decode(answer(text), context())
        PIXELS.decode(answer("", calls=[native("type", text)]), context())
