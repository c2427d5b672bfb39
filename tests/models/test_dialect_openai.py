from __future__ import annotations

import base64
import io
import json
from typing import cast

import pytest
from dialect_contexts import (
    BAD,
    CHORDS,
    LARGE,
    MODIFIERS,
    OK,
    SCREEN,
    TYPED,
    WEATHER,
    answered,
    context_of,
    contexts,
    foreign,
    picture,
    points,
    spoiled,
    validate,
    values_of,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openai.types.responses import (
    ComputerToolParam,
    ComputerUsePreviewToolParam,
    EasyInputMessageParam,
    FunctionToolParam,
    Response,
    ResponseComputerToolCallParam,
    ResponseFunctionToolCallParam,
    ResponseOutputMessageParam,
    ResponseReasoningItemParam,
)
from openai.types.responses.response_input_item_param import ComputerCallOutput, FunctionCallOutput
from PIL import Image

from carrel.actions import (
    Action,
    Click,
    Drag,
    Key,
    KeyDown,
    KeyUp,
    Move,
    Screenshot,
    Scroll,
    Shell,
    Type,
    Wait,
)
from carrel.codec import Json
from carrel.decisions import Call, Decision, SafetyCheck, Usage, decode_decision, encode_decision
from carrel.errors import ProtocolError
from carrel.geometry import Point, Size
from carrel.intents import CallTool, Done
from carrel.models.context import Context, Options, Outcome, Turn
from carrel.models.dialects.openai_computer import OpenAIComputer
from carrel.models.dialects.openai_preview import OpenAIPreview
from carrel.models.space import Space, fit_within
from carrel.results import Failure

GA = OpenAIComputer()
PREVIEW = OpenAIPreview()
BOTH = pytest.mark.parametrize("dialect", [GA, PREVIEW], ids=["computer", "preview"])
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def computer_call(*actions: Json, call_id: str = "call_1", **rest: Json) -> dict[str, Json]:
    return {
        "type": "computer_call",
        "id": f"cu_{call_id}",
        "call_id": call_id,
        "status": "completed",
        "pending_safety_checks": [],
        "actions": list(actions),
        **rest,
    }


def function_call(name: str, arguments: str, call_id: str = "call_2") -> dict[str, Json]:
    return {
        "type": "function_call",
        "id": f"fc_{call_id}",
        "call_id": call_id,
        "name": name,
        "arguments": arguments,
        "status": "completed",
    }


def reasoning(text: str = "") -> dict[str, Json]:
    summary: list[Json] = [{"type": "summary_text", "text": text}] if text else []
    return {"type": "reasoning", "id": "rs_1", "summary": summary, "encrypted_content": "gAAAA"}


def message(text: str, kind: str = "output_text") -> dict[str, Json]:
    part: dict[str, Json] = (
        {"type": kind, "text": text, "annotations": [], "logprobs": []}
        if kind == "output_text"
        else {"type": kind, "refusal": text}
    )
    return {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


def response(*items: Json, **rest: Json) -> dict[str, Json]:
    body: dict[str, Json] = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_770_000_000,
        "model": "gpt-5.4-2026-03-05",
        "status": "completed",
        "output": list(items),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 1000,
            "input_tokens_details": {"cached_tokens": 600, "cache_write_tokens": 100},
            "output_tokens": 80,
            "output_tokens_details": {"reasoning_tokens": 30},
            "total_tokens": 1080,
        },
    }
    return {**body, **rest}


def decode_one(*actions: Json, context: Context | None = None) -> Call:
    (call,) = GA.decode(response(computer_call(*actions)), context or context_of()).calls
    return call


def items_of(dialect: OpenAIComputer | OpenAIPreview, context: Context) -> list[dict[str, Json]]:
    return cast("list[dict[str, Json]]", dialect.encode("gpt-5.4", context).body["input"])


def test_a_response_as_the_sdk_types_it_is_understood() -> None:
    body = response(
        reasoning("The editor is at the left."),
        message("I open the editor."),
        computer_call(
            {"type": "click", "button": "left", "x": 10, "y": 20},
            {"type": "type", "text": "héllo\n"},
            {"type": "keypress", "keys": ["CTRL", "S"]},
        ),
        function_call("weather", '{"city": "Turin"}'),
    )
    Response.model_validate(body)
    decision = GA.decode(body, context_of(tools=(WEATHER,)))
    assert decision.text == "I open the editor."
    assert decision.thought == "The editor is at the left."
    assert decision.model == "gpt-5.4-2026-03-05"
    assert [call.actions for call in decision.calls] == [
        (Click(10, 20), Type("héllo\n"), Key(("ctrl", "s"))),
        (CallTool("weather", {"city": "Turin"}),),
    ]
    assert decision.usage == Usage(input=300, cached=600, cache_writes=100, output=80, reasoning=30)
    assert decision.usage.total == 1080


def test_the_request_declares_the_tool_and_functions_as_the_sdk_types_them() -> None:
    context = context_of(
        tools=(WEATHER,),
        instructions="Be quick.",
        options=Options(max_tokens=900, temperature=0.5, reasoning="low"),
    )
    request = GA.encode("gpt-5.4", context)
    body = dict(request.body)
    assert body["model"] == "gpt-5.4"
    assert body["store"] is False
    assert body["include"] == ["reasoning.encrypted_content"]
    assert body["truncation"] == "auto"
    assert body["max_output_tokens"] == 900
    assert body["reasoning"] == {"effort": "low"}
    assert "Be quick." in str(body["instructions"])
    computer, *functions = cast("list[dict[str, Json]]", body["tools"])
    assert computer == {"type": "computer"}
    validate(ComputerToolParam, computer)
    for function in functions:
        validate(FunctionToolParam, function)
    assert {"weather", "done"} <= {str(each["name"]) for each in functions}


def test_the_preview_tool_is_told_the_size_of_the_picture_it_sees() -> None:
    (tool, *_) = cast(
        "list[dict[str, Json]]", PREVIEW.encode("m", context_of(screen=LARGE)).body["tools"]
    )
    validate(ComputerUsePreviewToolParam, tool)
    (opening,) = items_of(PREVIEW, context_of(screen=LARGE))
    url = str(values_of(opening, "image_url")[0])
    image = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
    assert image.size == (tool["display_width"], tool["display_height"]) == (1366, 768)
    assert tool["environment"] == "linux"


def test_the_preview_tool_speaks_of_one_action() -> None:
    call = computer_call(call_id="c", action={"type": "wait"})
    del call["actions"]
    decision = PREVIEW.decode(response(call), context_of())
    assert decision.calls[0].actions == (Wait(seconds=2.0),)
    items = items_of(PREVIEW, context_of(foreign(Click(1, 2))))
    assert [item.get("action") for item in items if item.get("type") == "computer_call"] == [
        {"type": "click", "button": "left", "x": 1, "y": 2}
    ]


def test_every_action_of_a_batch_is_carried_out_in_order() -> None:
    call = decode_one(
        {"type": "move", "x": 1, "y": 2},
        {"type": "double_click", "x": 3, "y": 4, "keys": ["SHIFT"]},
        {"type": "drag", "path": [{"x": 0, "y": 0}, {"x": 9, "y": 9}, {"x": 20, "y": 5}]},
        {"type": "scroll", "x": 5, "y": 5, "scroll_x": 0, "scroll_y": 250},
        {"type": "wait"},
        {"type": "screenshot"},
    )
    assert call.problem is None
    assert call.actions == (
        Move(1, 2),
        Click(3, 4, count=2, modifiers=("shift",)),
        Drag((Point(0, 0), Point(9, 9), Point(20, 5))),
        Scroll(5, 5, 0, 3),
        Wait(seconds=2.0),
        Screenshot(),
    )


def test_one_bad_action_of_a_batch_stops_all_of_it() -> None:
    call = decode_one({"type": "click", "x": 1, "y": 1, "button": "left"}, {"type": "fly"})
    assert call.actions == ()
    assert call.problem is not None
    assert "fly" in call.problem.message


def test_held_keys_are_held() -> None:
    click: dict[str, Json] = {
        "type": "click",
        "button": "right",
        "x": 1,
        "y": 2,
        "keys": ["CTRL", "shift"],
    }
    assert decode_one(click).actions == (Click(1, 2, "right", modifiers=("ctrl", "shift")),)
    move = decode_one({"type": "move", "x": 1, "y": 2, "keys": ["ALT"]})
    assert move.actions == (KeyDown("alt"), Move(1, 2), KeyUp("alt"))
    scroll: dict[str, Json] = {
        "type": "scroll",
        "x": 1,
        "y": 2,
        "scroll_x": 0,
        "scroll_y": -100,
        "keys": ["CTRL"],
    }
    assert decode_one(scroll).actions == (Scroll(1, 2, 0, -1, ("ctrl",)),)
    assert decode_one({**click, "keys": ["a"]}).problem is not None


@pytest.mark.parametrize(
    ("pixels", "notches"),
    [(1, 1), (-1, -1), (49, 1), (100, 1), (149, 1), (150, 2), (-420, -4), (1000, 10)],
)
def test_pixels_of_scrolling_become_notches_down_for_plus(pixels: int, notches: int) -> None:
    call = decode_one({"type": "scroll", "x": 0, "y": 0, "scroll_x": 0, "scroll_y": pixels})
    assert call.actions == (Scroll(0, 0, 0, notches),)
    call = decode_one({"type": "scroll", "x": 0, "y": 0, "scroll_x": pixels, "scroll_y": 0})
    assert call.actions == (Scroll(0, 0, notches, 0),)


@pytest.mark.parametrize(
    "wire",
    [
        {"type": "scroll", "x": 0, "y": 0, "scroll_x": 0, "scroll_y": 0},
        {"type": "scroll", "x": 0, "y": 0, "scroll_x": 0, "scroll_y": 10**9},
        {"type": "click", "button": "left", "x": 1280, "y": 0},
        {"type": "click", "button": "left", "x": -1, "y": 0},
        {"type": "click", "button": "left", "y": 0},
        {"type": "click", "button": "left", "x": "1", "y": 0},
        {"type": "click", "button": "fourth", "x": 1, "y": 0},
        {"type": "drag", "path": [{"x": 1, "y": 1}]},
        {"type": "drag", "path": []},
        {"type": "keypress", "keys": []},
        {"type": "keypress", "keys": ["NOSUCHKEY"]},
        {"type": "type"},
        {"type": "type", "text": "\x07"},
        {"type": None},
        None,
        [],
    ],
)
def test_what_cannot_be_meant_is_told_to_the_model_and_not_done(wire: Json) -> None:
    call = decode_one(wire)
    assert call.actions == ()
    assert call.problem is not None
    assert call.problem.code == "invalid_input"


def test_a_call_without_actions_is_a_problem() -> None:
    assert decode_one().problem is not None


def test_coordinates_are_of_the_smaller_picture_in_both_directions() -> None:
    context = context_of(screen=LARGE)
    last: dict[str, Json] = {"type": "click", "button": "left", "x": 1599, "y": 899}
    (click,) = decode_one(last, context=context).actions
    assert click == Click(1919, 1079)
    items = items_of(GA, context_of(foreign(Click(1919, 1079), screen=LARGE), screen=LARGE))
    assert values_of(items, "actions") == [[last]]


def test_history_that_the_tool_cannot_say_is_in_the_model_s_space_too() -> None:
    turn = foreign(Click(1919, 1079, count=3), screen=LARGE)
    items = items_of(GA, context_of(turn, screen=LARGE))
    (call,) = [item for item in items if item.get("type") == "function_call"]
    assert call["name"] == "click"
    arguments = json.loads(str(call["arguments"]))
    assert (arguments["x"], arguments["y"]) == (1599, 899)
    body = response(function_call("click", str(call["arguments"])))
    assert GA.decode(body, context_of(screen=LARGE)).calls[0].actions == (
        Click(1919, 1079, count=3),
    )


def test_the_keys_of_a_chord_are_not_torn() -> None:
    assert decode_one({"type": "keypress", "keys": ["CTRL", "-"]}).actions == (Key(("ctrl", "-")),)
    assert decode_one({"type": "keypress", "keys": ["ctrl+-"]}).actions == (Key(("ctrl", "-")),)
    assert decode_one({"type": "keypress", "keys": ["CTRL", "+"]}).actions == (Key(("ctrl", "+")),)
    assert decode_one({"type": "keypress", "keys": ["A"]}).actions == (Key(("A",)),)


def test_safety_checks_wait_for_a_person_and_are_answered() -> None:
    check: dict[str, Json] = {"id": "cu_sc_1", "code": "malicious_instructions", "message": "Hm."}
    body = response(
        reasoning(), computer_call({"type": "screenshot"}, pending_safety_checks=[check])
    )
    decision = GA.decode(body, context_of())
    expected = SafetyCheck("cu_sc_1", "malicious_instructions", "Hm.")
    assert decision.calls[0].checks == (expected,)
    confirmed = items_of(GA, context_of(answered(decision)))
    assert confirmed[-1]["acknowledged_safety_checks"] == [check]


def test_a_check_that_nobody_confirmed_is_not_acknowledged() -> None:
    check: dict[str, Json] = {"id": "sc", "code": "sensitive_domain", "message": ""}
    body = response(computer_call({"type": "wait"}, pending_safety_checks=[check]))
    decision = GA.decode(body, context_of())
    refused = Turn(
        decision, (Outcome("call_1", "The person did not allow it.", picture=picture()),)
    )
    items = items_of(GA, context_of(refused))
    assert values_of(items, "acknowledged_safety_checks") == []
    assert [item.get("type") for item in items[1:]] == ["function_call", "function_call_output"]
    assert "did not allow" in json.dumps(items[-1])


def test_a_problem_with_a_call_that_has_checks_keeps_them() -> None:
    check: dict[str, Json] = {"id": "sc", "code": "x", "message": ""}
    body = response(computer_call({"type": "fly"}, pending_safety_checks=[check]))
    (call,) = GA.decode(body, context_of()).calls
    assert call.problem is not None
    assert call.checks


def test_reasoning_and_calls_are_sent_back_as_they_came() -> None:
    body = response(reasoning("Hm."), computer_call({"type": "wait"}), function_call("note", "{}"))
    decision = decode_decision(encode_decision(GA.decode(body, context_of())))
    items = items_of(GA, context_of(answered(decision)))
    assert items[1:4] == body["output"]
    assert [(item["type"], item["call_id"]) for item in items[4:]] == [
        ("computer_call_output", "call_1"),
        ("function_call_output", "call_2"),
    ]


def test_a_call_whose_screenshot_is_gone_is_told_in_words_without_its_reasoning() -> None:
    body = response(reasoning("Hm."), computer_call({"type": "click", "x": 9, "y": 8}))
    decision = GA.decode(body, context_of())
    items = items_of(GA, context_of(answered(decision, kept=False)))
    assert [item.get("type") for item in items[1:]] == ["function_call", "function_call_output"]
    assert items[1]["name"] == "computer"
    # A model that takes this up is understood.
    again = function_call("computer", str(items[1]["arguments"]))
    assert GA.decode(response(again), context_of()).calls[0].actions == (Click(9, 8),)


def test_a_failure_is_told_next_to_the_screenshot() -> None:
    decision = GA.decode(response(computer_call({"type": "wait"})), context_of())
    turn = Turn(decision, (Outcome("call_1", "The screen is locked.", (BAD,), picture()),))
    items = items_of(GA, context_of(turn))
    assert [item.get("type") for item in items[2:]] == ["computer_call_output", None]
    assert "The screen is locked." in json.dumps(items[-1])


def test_what_the_person_says_comes_after_the_outputs() -> None:
    turn = foreign(Click(1, 2))
    turn = Turn(turn.decision, turn.outcomes, ("Stop.",))
    assert items_of(GA, context_of(turn))[-1] == {
        "role": "user",
        "content": [{"type": "input_text", "text": "Stop."}],
    }


def test_an_answer_without_calls_ends_the_task_and_leaves_no_orphan() -> None:
    decision = GA.decode(response(reasoning(), message("It is done.")), context_of())
    assert decision.calls[0].actions == (Done(True, "It is done."),)
    turn = Turn(decision, (Outcome("final", "Not yet."),), ())
    items = items_of(GA, context_of(turn))
    assert [item.get("type") for item in items[1:]] == ["reasoning", "message", None]
    assert items[-1]["role"] == "user"


def test_a_done_function_says_whether_it_worked() -> None:
    body = response(function_call("done", '{"success": false, "text": "No such file."}'))
    assert GA.decode(body, context_of()).calls[0].actions == (Done(False, "No such file."),)


def test_an_empty_answer_is_empty() -> None:
    decision = GA.decode(response(reasoning()), context_of())
    assert decision.is_empty
    assert len(items_of(GA, context_of(Turn(decision)))) == 1


def test_a_refusal_is_one_and_nothing_of_it_runs() -> None:
    body = response(message("I cannot.", "refusal"), computer_call({"type": "wait"}))
    decision = GA.decode(body, context_of())
    assert decision.refusal == "I cannot."
    assert decision.calls == ()
    filtered = response(status="incomplete", incomplete_details={"reason": "content_filter"})
    assert GA.decode(filtered, context_of()).refusal is not None


def test_an_answer_cut_off_is_truncated_and_its_open_call_does_not_run() -> None:
    cut = computer_call({"type": "type", "text": "rm -rf /tmp/"}, status="incomplete")
    details: dict[str, Json] = {"reason": "max_output_tokens"}
    decision = GA.decode(
        response(cut, status="incomplete", incomplete_details=details), context_of()
    )
    assert decision.truncated
    assert decision.calls[0].problem is not None
    assert decision.calls[0].actions == ()
    words = response(message("I wil"), status="incomplete", incomplete_details=details)
    assert GA.decode(words, context_of()).calls == ()


@pytest.mark.parametrize(
    "arguments",
    ["", "{", "[]", "3", '{"city": NaN}', "[" * 100_000, '{"city": ' + "9" * 5000 + "}"],
)
def test_arguments_that_are_not_an_object_are_a_problem(arguments: str) -> None:
    body = response(function_call("note", arguments))
    (call,) = GA.decode(body, context_of()).calls
    assert call.problem is not None


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"output": {}},
        {"output": [1]},
        {"output": [{"type": "computer_call", "actions": []}]},
        response(status="failed", error={"code": "server_error", "message": "Sorry."}),
        response(computer_call({"type": "wait"}), computer_call({"type": "wait"})),
    ],
)
def test_what_is_no_response_is_a_protocol_error(body: dict[str, Json]) -> None:
    with pytest.raises(ProtocolError):
        GA.decode(body, context_of())


BODIES = st.lists(
    st.sampled_from(
        [
            computer_call({"type": "click", "button": "left", "x": 3, "y": 4}, {"type": "wait"}),
            computer_call({"type": "screenshot"}),
            computer_call({"type": "move", "x": 99_999, "y": 4}),
            computer_call(
                {"type": "wait"}, pending_safety_checks=[{"id": "s", "code": "c", "message": "m"}]
            ),
            function_call("weather", '{"city": "Bern"}'),
            function_call("weather", "{"),
            message("Hello."),
            reasoning("Hm."),
        ]
    ),
    max_size=4,
).map(lambda items: response(*({**item, **_fresh(n, item)} for n, item in enumerate(items))))

_serial = iter(range(10**9))


def _fresh(_n: int, item: dict[str, Json]) -> dict[str, Json]:
    if "call_id" not in item:
        return {}
    name = f"call_native{next(_serial)}"
    return {"call_id": name, "id": f"cu_{name}"}


ITEM_TYPES: dict[object, object] = {
    "computer_call": ResponseComputerToolCallParam,
    "computer_call_output": ComputerCallOutput,
    "function_call": ResponseFunctionToolCallParam,
    "function_call_output": FunctionCallOutput,
    "reasoning": ResponseReasoningItemParam,
    "message": ResponseOutputMessageParam,
    None: EasyInputMessageParam,
}
OUTPUTS = {"computer_call": "computer_call_output", "function_call": "function_call_output"}


@BOTH
@SLOW
@given(data=st.data())
def test_every_call_has_exactly_one_output_and_the_sdk_accepts_the_request(
    dialect: OpenAIComputer | OpenAIPreview, data: st.DataObject
) -> None:
    context = data.draw(contexts(dialect, BODIES))
    items = items_of(dialect, context)
    open_calls: dict[object, str] = {}
    for item in items:
        kind = cast("str | None", item.get("type"))
        validate(ITEM_TYPES[kind], item)
        if kind in OUTPUTS:
            assert item["call_id"] not in open_calls
            open_calls[item["call_id"]] = OUTPUTS[kind]
        elif kind in OUTPUTS.values():
            assert open_calls.pop(item["call_id"]) == kind
    assert open_calls == {}
    last = items[-1]
    assert last.get("role") != "assistant"


@BOTH
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_hostile_json_is_a_decision_or_a_protocol_error(
    dialect: OpenAIComputer | OpenAIPreview, data: st.DataObject
) -> None:
    body = response(
        reasoning("a"),
        message("b"),
        computer_call(
            {"type": "click", "button": "left", "x": 1, "y": 2, "keys": ["ctrl"]},
            {"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]},
            {"type": "scroll", "x": 1, "y": 1, "scroll_x": 0, "scroll_y": 3},
            pending_safety_checks=[{"id": "x", "code": "y", "message": "z"}],
        ),
        function_call("shell", '{"command": "ls"}'),
    )
    hostile = cast("dict[str, Json]", data.draw(spoiled(body)))
    try:
        decision = dialect.decode(hostile, context_of())
    except ProtocolError:
        return
    assert decode_decision(encode_decision(decision)) == decision


def expressible(screen: Size) -> st.SearchStrategy[Action]:
    """Actions at places that the model can name."""
    space = Space(screen, fit_within(screen, 1600, 1600 * 900))
    at = points(space.shown).map(lambda point: space.to_screen(point.x, point.y))
    return st.one_of(
        st.builds(
            lambda p, button, held: Click(p.x, p.y, button, 1, held),
            at,
            st.sampled_from(["left", "right", "middle", "back", "forward"]),
            MODIFIERS,
        ),
        st.builds(lambda p, held: Click(p.x, p.y, count=2, modifiers=held), at, MODIFIERS),
        st.builds(
            lambda path, held: Drag(tuple(path), modifiers=held),
            st.lists(at, min_size=2, max_size=5),
            MODIFIERS,
        ),
        st.builds(lambda p: Move(p.x, p.y), at),
        st.builds(
            lambda p, dx, dy, held: Scroll(p.x, p.y, dx, dy, held),
            at,
            st.integers(-1000, 1000),
            st.integers(1, 1000),
            MODIFIERS,
        ),
        st.builds(Key, CHORDS),
        st.builds(Type, TYPED),
        st.sampled_from([Screenshot(), Wait(seconds=2)]),
    )


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([SCREEN, LARGE, Size(3840, 2160)]), st.data())
def test_what_is_told_as_history_means_the_same_when_the_model_says_it(
    screen: Size, data: st.DataObject
) -> None:
    actions = tuple(data.draw(st.lists(expressible(screen), min_size=1, max_size=4)))
    decision = Decision((Call("x", "act", actions),), raw={"dialect": "other"})
    outcome = Outcome("x", results=(OK,) * len(actions), picture=picture(SCREEN))
    items = items_of(GA, context_of(Turn(decision, (outcome,)), screen=screen, first=False))
    call = items[1]
    assert call["type"] == "computer_call"
    assert (
        GA.decode(response(call), context_of(screen=screen, first=False)).calls[0].actions
        == actions
    )


def test_what_the_tool_cannot_say_is_told_as_functions_that_mean_the_same() -> None:
    others: list[Action] = [
        Shell("ls", timeout=5),
        Click(5, 6, count=3),
        Key(("a",), repeat=4),
        Wait(seconds=7),
        Screenshot(quality=50),
    ]
    for action in others:
        call = items_of(GA, context_of(foreign(action)))[1]
        again = function_call(str(call["name"]), str(call["arguments"]))
        assert GA.decode(response(again), context_of()).calls[0].actions == (action,)


def test_a_problem_of_another_dialect_is_retold() -> None:
    call = Call("x", "käse", (), {"a": 1}, Failure("invalid_input", "what?", hint="say it again"))
    turn = Turn(Decision((call,), raw={"dialect": "other"}), (Outcome("x"),))
    items = items_of(GA, context_of(turn))
    assert items[1]["name"] == "call"
    assert "what? (say it again)" in json.dumps(items[2])


@pytest.mark.parametrize(
    "result", ['{"image_url": "data:,x", "type": "computer_screenshot"}', "3", "null"]
)
def test_whatever_a_function_returned_stays_the_output_of_a_function(result: str) -> None:
    body = response(function_call("weather", '{"city": "Bern"}'))
    decision = GA.decode(body, context_of(tools=(WEATHER,)))
    turn = Turn(decision, (Outcome("call_2", result, (OK,)),))
    output = items_of(GA, context_of(turn, tools=(WEATHER,)))[-1]
    assert output["type"] == "function_call_output"
    assert output["output"] == [{"type": "input_text", "text": result}]


def test_a_call_that_was_never_answered_is_told_to_be_unknown() -> None:
    decision = GA.decode(response(computer_call({"type": "wait"})), context_of())
    items = items_of(GA, context_of(Turn(decision)))
    assert "not known whether" in json.dumps(items[-1])
