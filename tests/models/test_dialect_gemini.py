from __future__ import annotations

import itertools
import json
import warnings
from typing import cast

import pytest
from dialect_contexts import (
    BAD,
    CHORDS,
    LARGE,
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
    values_of,
)
from hypothesis import HealthCheck, given, settings
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
    Open,
    Screenshot,
    Scroll,
    Shell,
    Type,
    Wait,
)
from carrel.codec import Json
from carrel.decisions import Call, Decision, SafetyCheck, Usage, decode_decision, encode_decision
from carrel.errors import ProtocolError
from carrel.geometry import Box, Point, Size
from carrel.intents import CallTool, Done
from carrel.models.context import Context, Options, Outcome, Turn
from carrel.models.dialects.gemini import Gemini3, Gemini25
from carrel.models.space import Space

with warnings.catch_warnings():
    # Compiling the SDK's types warns of an escape sequence.
    warnings.simplefilter("ignore")
    from google.genai import types

OLD, NEW = Gemini25(), Gemini3()
OLD_MODEL, NEW_MODEL = "gemini-2.5-computer-use-preview-10-2025", "gemini-3.5-flash"
BOTH = pytest.mark.parametrize(
    ("dialect", "model"),
    [(OLD, OLD_MODEL), (NEW, NEW_MODEL), (NEW, "gemini-3-flash-preview")],
    ids=["2.5", "3.5", "3.0"],
)
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
_serial = itertools.count()


def call_part(name: str, args: Json = None, call_id: str | None = None, **rest: Json) -> Json:
    call: dict[str, Json] = {"name": name, "args": args or {}}
    if call_id:
        call["id"] = call_id
    return {"functionCall": call, **rest}


def answer(*parts: Json, reason: str = "STOP", **rest: Json) -> dict[str, Json]:
    candidate: dict[str, Json] = {
        "content": {"role": "model", "parts": list(parts)},
        "finishReason": reason,
        "index": 0,
    }
    body: dict[str, Json] = {
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": 1000,
            "cachedContentTokenCount": 400,
            "candidatesTokenCount": 50,
            "thoughtsTokenCount": 30,
            "totalTokenCount": 1080,
        },
        "modelVersion": "gemini-3.5-flash",
        "responseId": "r",
    }
    return {**body, **rest}


def read(name: str, args: Json = None, context: Context | None = None) -> Call:
    return NEW.decode(answer(call_part(name, args)), context or context_of()).calls[0]


def contents_of(dialect: Gemini25 | Gemini3, model: str, context: Context) -> list[dict[str, Json]]:
    return cast("list[dict[str, Json]]", dialect.encode(model, context).body["contents"])


def test_a_response_as_the_sdk_types_it_is_understood() -> None:
    body = answer(
        {"text": "The button is below.", "thought": True},
        {"text": "I press it."},
        call_part(
            "click", {"x": 500, "y": 500, "intent": "press it"}, "c1", thoughtSignature="AAAA"
        ),
        call_part("weather", {"city": "Rome"}, "c2"),
    )
    types.GenerateContentResponse.model_validate(body)
    decision = NEW.decode(body, context_of(tools=(WEATHER,)))
    assert decision.text == "I press it."
    assert decision.thought == "The button is below."
    assert decision.goal == "press it"
    assert decision.model == "gemini-3.5-flash"
    assert [call.actions for call in decision.calls] == [
        (Click(640, 400),),
        (CallTool("weather", {"city": "Rome"}),),
    ]
    assert decision.usage == Usage(input=600, cached=400, output=80, reasoning=30)
    assert decision.usage.total == 1080


P = Point
FUNCTIONS: list[tuple[str, dict[str, Json], tuple[Action, ...]]] = [
    ("open_web_browser", {}, (Open("about:blank"),)),
    ("wait_5_seconds", {}, (Wait(seconds=5),)),
    ("go_back", {}, (Key(("alt", "left")),)),
    ("go_forward", {}, (Key(("alt", "right")),)),
    ("search", {}, (Open("https://www.google.com/"),)),
    ("navigate", {"url": "https://www.wikipedia.org"}, (Open("https://www.wikipedia.org"),)),
    ("navigate", {"url": "xterm"}, (Open("https://xterm"),)),
    ("navigate", {"url": "localhost:8080/a"}, (Open("https://localhost:8080/a"),)),
    ("click_at", {"x": 500, "y": 250}, (Click(640, 200),)),
    ("hover_at", {"x": 500, "y": 250}, (Move(640, 200),)),
    (
        "type_text_at",
        {"x": 500, "y": 250, "text": "hi", "press_enter": False, "clear_before_typing": False},
        (Click(640, 200), Type("hi")),
    ),
    (
        "type_text_at",
        {"x": 500, "y": 250, "text": "hi"},
        (Click(640, 200), Key(("ctrl", "a")), Key(("backspace",)), Type("hi"), Key(("enter",))),
    ),
    ("key_combination", {"keys": "Control+A"}, (Key(("ctrl", "a")),)),
    ("key_combination", {"keys": "Enter"}, (Key(("enter",)),)),
    ("scroll_document", {"direction": "down"}, (Scroll(640, 400, 0, 6),)),
    ("scroll_at", {"x": 0, "y": 0, "direction": "up"}, (Scroll(0, 0, 0, -6),)),
    ("scroll_at", {"x": 0, "y": 0, "direction": "left", "magnitude": 1}, (Scroll(0, 0, -1, 0),)),
    (
        "drag_and_drop",
        {"x": 0, "y": 0, "destination_x": 500, "destination_y": 500},
        (Drag((P(0, 0), P(640, 400))),),
    ),
    ("click", {"x": 1000, "y": 1000}, (Click(1279, 799),)),
    ("double_click", {"x": 0, "y": 0}, (Click(0, 0, count=2),)),
    ("triple_click", {"x": 0, "y": 0}, (Click(0, 0, count=3),)),
    ("middle_click", {"x": 0, "y": 0}, (Click(0, 0, "middle"),)),
    ("right_click", {"x": 0, "y": 0}, (Click(0, 0, "right"),)),
    ("mouse_down", {"x": 0, "y": 0}, (Move(0, 0), MouseDown())),
    ("mouse_up", {"x": 0, "y": 0}, (Move(0, 0), MouseUp())),
    ("move", {"x": 0, "y": 0}, (Move(0, 0),)),
    ("type", {"text": "a\nb"}, (Type("a\nb"),)),
    ("type", {"text": "a", "press_enter": True}, (Type("a"), Key(("enter",)))),
    ("type", {"text": "a", "x": 500, "y": 500}, (Click(640, 400), Type("a"))),
    (
        "drag_and_drop",
        {"start_x": 0, "start_y": 0, "end_x": 500, "end_y": 500},
        (Drag((P(0, 0), P(640, 400))),),
    ),
    ("wait", {}, (Wait(seconds=1),)),
    ("wait", {"seconds": 7}, (Wait(seconds=7),)),
    ("press_key", {"key": "ENTER"}, (Key(("enter",)),)),
    ("key_down", {"key": "SHIFT"}, (KeyDown("shift"),)),
    ("key_up", {"key": "SHIFT"}, (KeyUp("shift"),)),
    ("hotkey", {"keys": ["CTRL", "A"]}, (Key(("ctrl", "a")),)),
    ("hotkey", {"keys": ["CTRL", "-"]}, (Key(("ctrl", "-")),)),
    ("take_screenshot", {}, (Screenshot(),)),
    ("scroll", {"x": 0, "y": 0, "direction": "down"}, (Scroll(0, 0, 0, 3),)),
    (
        "scroll",
        {"x": 0, "y": 0, "direction": "right", "magnitude_in_pixels": 20},
        (Scroll(0, 0, 1, 0),),
    ),
    (
        "scroll",
        {"x": 0, "y": 0, "direction": "up", "magnitude_in_wheel_clicks": 5},
        (Scroll(0, 0, 0, -5),),
    ),
    (
        "long_press",
        {"x": 0, "y": 0, "seconds": 3},
        (Move(0, 0), MouseDown(), Wait(seconds=3), MouseUp()),
    ),
    ("open_app", {"app_name": "gedit"}, (Open("gedit"),)),
]


@pytest.mark.parametrize(("name", "args", "actions"), FUNCTIONS)
def test_every_function_has_a_real_effect(
    name: str, args: dict[str, Json], actions: tuple[Action, ...]
) -> None:
    for dialect in (OLD, NEW):
        (call,) = dialect.decode(
            answer(call_part(name, {**args, "intent": "x"})), context_of()
        ).calls
        assert call.problem is None
        assert call.actions == actions


def test_no_function_is_left_without_a_test() -> None:
    from carrel.models.dialects._gemini_actions import FUNCTIONS as OURS

    assert {name for name, _, _ in FUNCTIONS} == set(OURS)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("click", {"x": 1001, "y": 0}),
        ("click", {"x": -1, "y": 0}),
        ("click", {"x": 1}),
        ("click", {"x": "1", "y": 2}),
        ("navigate", {"url": "javascript:alert(1)"}),
        ("navigate", {"url": ""}),
        ("navigate", {"url": "https://"}),
        ("scroll", {"x": 1, "y": 1, "direction": "down", "magnitude_in_pixels": 0}),
        ("scroll", {"x": 1, "y": 1, "direction": "down", "magnitude_in_pixels": -5}),
        ("scroll", {"x": 1, "y": 1, "direction": "in"}),
        ("scroll_at", {"x": 1, "y": 1, "direction": "down", "magnitude": 0}),
        ("type_text_at", {"text": "hi"}),
        ("type_text_at", {"x": 1, "y": 1, "text": "hi", "press_enter": "yes"}),
        ("drag_and_drop", {"x": 1, "y": 1}),
        ("key_combination", {"keys": "Hyperdrive+Q"}),
        ("hotkey", {"keys": []}),
        ("list_apps", {}),
        ("fly", {}),
    ],
)
def test_what_cannot_be_meant_is_told_to_the_model_and_not_done(name: str, args: Json) -> None:
    call = read(name, args)
    assert call.actions == ()
    assert call.problem is not None
    decision = NEW.decode(answer(call_part(name, args)), context_of())
    contents = contents_of(NEW, NEW_MODEL, context_of(Turn(decision, (Outcome(call.id),))))
    assert call.problem.message in json.dumps(values_of(contents[-1], "error"))


def test_text_typed_at_a_place_is_typed_there() -> None:
    first = read("type_text_at", {"x": 100, "y": 200, "text": "hello"}).actions[0]
    assert first == Click(128, 160)


def test_a_right_click_by_another_name_is_not_taken_for_a_left_one() -> None:
    assert read("click", {"x": 0, "y": 0, "button": "right"}).actions == (Click(0, 0, "right"),)
    assert read("click", {"x": 0, "y": 0, "sideways": True}).problem is not None


def test_the_desktop_is_declared_to_models_that_know_one() -> None:
    desktop = cast("list[dict[str, Json]]", NEW.encode(NEW_MODEL, context_of()).body["tools"])
    assert desktop[0] == {
        "computerUse": {
            "environment": "ENVIRONMENT_DESKTOP",
            "enablePromptInjectionDetection": True,
        }
    }
    for dialect, model in ((NEW, "gemini-3-pro-preview"), (OLD, OLD_MODEL)):
        browser = cast("list[dict[str, Json]]", dialect.encode(model, context_of()).body["tools"])
        assert browser[0] == {"computerUse": {"environment": "ENVIRONMENT_BROWSER"}}


def test_the_tools_of_the_person_are_declared() -> None:
    tools = NEW.encode(NEW_MODEL, context_of(tools=(WEATHER,))).body["tools"]
    checked = [types.Tool.model_validate(tool) for tool in cast("list[Json]", tools)]
    names = [each.name for each in checked[1].function_declarations or ()]
    assert names[0] == "weather"
    assert "done" in names


def test_functions_that_are_not_allowed_are_excluded() -> None:
    context = context_of(actions=frozenset({"click", "type", "key", "screenshot"}))
    excluded = values_of(dict(NEW.encode(NEW_MODEL, context).body), "excludedPredefinedFunctions")[
        0
    ]
    assert set(cast("list[str]", excluded)) == {
        "mouse_down",
        "mouse_up",
        "move",
        "drag_and_drop",
        "wait",
        "key_down",
        "key_up",
        "scroll",
    }


def test_options_are_passed_on() -> None:
    options = Options(max_tokens=500, temperature=0.2, reasoning="low")
    new = NEW.encode(NEW_MODEL, context_of(options=options)).body["generationConfig"]
    assert new == {
        "maxOutputTokens": 500,
        "temperature": 0.2,
        "thinkingConfig": {"includeThoughts": True, "thinkingLevel": "LOW"},
    }
    types.GenerationConfig.model_validate(new)
    old = OLD.encode(OLD_MODEL, context_of(options=options)).body["generationConfig"]
    assert values_of(old, "thinkingBudget") == [1024]


def test_a_decision_that_wants_a_person_waits_for_one() -> None:
    safety: Json = {"decision": "require_confirmation", "explanation": "This buys something."}
    body = answer(call_part("click", {"x": 1, "y": 1, "safety_decision": safety}, "c1"))
    decision = NEW.decode(body, context_of())
    (check,) = decision.calls[0].checks
    assert (check.code, check.message) == ("require_confirmation", "This buys something.")
    confirmed = contents_of(NEW, NEW_MODEL, context_of(answered(decision)))
    assert values_of(confirmed[-1], "safety_acknowledgement") == [True]
    older = OLD.decode(body, context_of())
    assert values_of(
        contents_of(OLD, OLD_MODEL, context_of(answered(older)))[-1], "safety_acknowledgement"
    ) == ["true"]
    refused = Turn(decision, (Outcome("c1", "The person did not allow it."),))
    contents = contents_of(NEW, NEW_MODEL, context_of(refused))
    assert values_of(contents[-1], "safety_acknowledgement") == []
    assert values_of(contents[-1], "error") == ["The person did not allow it."]


def test_a_decision_that_allows_is_no_check_and_an_unknown_one_is() -> None:
    allowed: Json = {"x": 1, "y": 1, "safety_decision": {"decision": "regular"}}
    assert read("click", allowed).checks == ()
    unknown: Json = {"x": 1, "y": 1, "safety_decision": {"decision": "hmm"}}
    call = read("click", unknown)
    assert call.checks == (SafetyCheck(f"{call.id}-safety", "hmm"),)


def test_signatures_and_thoughts_are_sent_back_as_they_came() -> None:
    parts: list[Json] = [
        {"text": "Hm.", "thought": True},
        call_part("click", {"x": 1, "y": 1}, "c1", thoughtSignature="c2lnbmVk"),
        call_part("take_screenshot", {}),
    ]
    decision = decode_decision(encode_decision(NEW.decode(answer(*parts), context_of())))
    contents = contents_of(NEW, NEW_MODEL, context_of(answered(decision)))
    assert contents[1] == {"role": "model", "parts": parts}
    first, second = cast("list[dict[str, Json]]", contents[2]["parts"])
    assert values_of(first, "id") == ["c1"]
    assert values_of(second, "id") == []


def test_calls_of_others_are_marked_as_such_for_models_that_ask_for_signatures() -> None:
    turn = foreign(Click(1, 1), Click(2, 2))
    new = contents_of(NEW, NEW_MODEL, context_of(turn))[1]
    assert values_of(new, "thoughtSignature") == ["skip_thought_signature_validator"]
    old = contents_of(OLD, OLD_MODEL, context_of(turn))[1]
    assert values_of(old, "thoughtSignature") == []


def test_a_screenshot_that_is_gone_is_told_in_words() -> None:
    decision = NEW.decode(answer(call_part("take_screenshot", {}, "c")), context_of())
    response = contents_of(NEW, NEW_MODEL, context_of(answered(decision, kept=False)))[-1]
    assert values_of(response, "inlineData") == []
    assert "older screenshot" in str(values_of(response, "output"))


def test_models_of_browsers_are_told_an_address() -> None:
    decision = OLD.decode(answer(call_part("click_at", {"x": 1, "y": 1})), context_of())
    response = contents_of(OLD, OLD_MODEL, context_of(answered(decision)))[-1]
    assert values_of(response, "url") == ["about:blank"]


def test_a_failure_is_an_error_with_the_picture() -> None:
    decision = NEW.decode(answer(call_part("click", {"x": 1, "y": 1}, "c")), context_of())
    turn = Turn(decision, (Outcome("c", "The window is gone.", (BAD,), picture()),))
    response = contents_of(NEW, NEW_MODEL, context_of(turn))[-1]
    assert values_of(response, "error") == ["The window is gone."]
    assert len(values_of(response, "inlineData")) == 1


def test_history_is_in_thousandths() -> None:
    turn = foreign(Click(960, 540), Click(1919, 1079, count=5), screen=LARGE)
    for dialect, model in ((OLD, OLD_MODEL), (NEW, NEW_MODEL)):
        contents = contents_of(dialect, model, context_of(turn, screen=LARGE))
        first, second = cast("list[dict[str, Json]]", values_of(contents[1], "args"))
        assert (first["x"], first["y"]) == (500, 500)
        assert cast("int", second["x"]) <= 1000


def test_an_answer_without_calls_ends_the_task_and_leaves_no_orphan() -> None:
    decision = NEW.decode(answer({"text": "It is done."}), context_of())
    assert decision.calls[0].actions == (Done(True, "It is done."),)
    turn = Turn(decision, (Outcome("final", "Not yet."),))
    contents = contents_of(NEW, NEW_MODEL, context_of(turn))
    assert [content["role"] for content in contents] == ["user", "model", "user"]
    assert contents[-1]["parts"] == [{"text": "Not yet."}]


def test_a_blocked_prompt_is_a_refusal() -> None:
    body: dict[str, Json] = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
    decision = NEW.decode(body, context_of())
    assert decision.refusal is not None
    assert "PROHIBITED_CONTENT" in decision.refusal


@pytest.mark.parametrize("reason", ["SAFETY", "RECITATION", "SPII", "BLOCKLIST"])
def test_an_answer_that_was_stopped_is_a_refusal_and_does_not_run(reason: str) -> None:
    decision = NEW.decode(answer(call_part("take_screenshot"), reason=reason), context_of())
    assert decision.refusal is not None
    assert decision.calls == ()
    assert len(contents_of(NEW, NEW_MODEL, context_of(Turn(decision)))) == 1


def test_an_answer_cut_off_is_truncated_and_its_open_call_does_not_run() -> None:
    body = answer(call_part("type", {"text": "rm -"}), reason="MAX_TOKENS")
    decision = NEW.decode(body, context_of())
    assert decision.truncated
    assert decision.calls[0].problem is not None
    assert NEW.decode(answer({"text": "I w"}, reason="MAX_TOKENS"), context_of()).calls == ()


def test_a_call_the_provider_could_not_read_is_told_to_the_model() -> None:
    body = answer(reason="MALFORMED_FUNCTION_CALL")
    cast("list[dict[str, Json]]", body["candidates"])[0]["finishMessage"] = "print(click(1"
    decision = NEW.decode(body, context_of())
    (call,) = decision.calls
    assert call.problem is not None
    contents = contents_of(NEW, NEW_MODEL, context_of(Turn(decision, (Outcome(call.id),))))
    assert values_of(contents, "functionResponse") == []
    assert "print(click(1" in json.dumps(contents[-1])


def test_calls_without_ids_get_ids_that_differ_between_turns() -> None:
    first = NEW.decode(answer(call_part("wait"), call_part("wait")), context_of())
    context = context_of(answered(first), decided=7)
    second = NEW.decode(answer(call_part("wait")), context)
    ids = [call.id for call in (*first.calls, *second.calls)]
    assert len(set(ids)) == 3


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"candidates": []},
        {"candidates": "x"},
        answer(call_part("")),
        answer(call_part("wait", {}, "a"), call_part("wait", {}, "a")),
    ],
)
def test_what_is_no_response_is_a_protocol_error(body: dict[str, Json]) -> None:
    with pytest.raises(ProtocolError):
        NEW.decode(body, context_of())


def _fresh(part: Json) -> Json:
    call = part.get("functionCall") if isinstance(part, dict) else None
    if not isinstance(part, dict) or not isinstance(call, dict) or "id" not in call:
        return part
    return {**part, "functionCall": {**call, "id": f"c{next(_serial)}"}}


SAFETY: Json = {"decision": "require_confirmation", "explanation": "?"}
THOUGHT: Json = {"text": "Hm.", "thought": True}
BODIES = st.builds(
    lambda parts, reason: answer(*map(_fresh, parts), reason=reason),
    st.lists(
        st.sampled_from(
            [
                call_part("click", {"x": 3, "y": 4}, "c", thoughtSignature="c2ln"),
                call_part("click", {"x": 3, "y": 4, "safety_decision": SAFETY}, "c"),
                call_part("take_screenshot"),
                call_part("click", {"x": 3333, "y": 4}),
                call_part("weather", {"city": "Bern"}, "c"),
                {"text": "Hello."},
                THOUGHT,
            ]
        ),
        max_size=4,
    ),
    st.sampled_from(["STOP", "STOP", "MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL"]),
)


@BOTH
@SLOW
@given(data=st.data())
def test_every_call_has_exactly_one_response_and_the_sdk_accepts_the_request(
    dialect: Gemini25 | Gemini3, model: str, data: st.DataObject
) -> None:
    contents = contents_of(dialect, model, data.draw(contexts(dialect, BODIES)))
    roles = [content["role"] for content in contents]
    assert roles == ["model" if n % 2 else "user" for n in range(len(roles))]
    assert roles[-1] == "user"
    pending: list[tuple[object, object]] = []
    for content in contents:
        checked = types.Content.model_validate(content)
        responses = [part.function_response for part in checked.parts or ()]
        found = [(each.name, each.id) for each in responses if each is not None]
        # Responses come first, as many as calls and in their order.
        assert found == pending
        assert all(each is not None for each in responses[: len(found)])
        calls = [part.function_call for part in checked.parts or ()]
        pending = [(each.name, each.id) for each in calls if each is not None]
    assert pending == []


@pytest.mark.parametrize("dialect", [OLD, NEW], ids=["2.5", "3"])
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_hostile_json_is_a_decision_or_a_protocol_error(
    dialect: Gemini25 | Gemini3, data: st.DataObject
) -> None:
    body = answer(
        {"text": "a", "thought": True},
        call_part("drag_and_drop", {"x": 1, "y": 2, "destination_x": 3, "destination_y": 4}, "a"),
        call_part("scroll", {"x": 1, "y": 2, "direction": "up", "safety_decision": SAFETY}, "b"),
        call_part("hotkey", {"keys": ["ctrl", "a"]}, "c"),
        call_part("navigate", {"url": "https://a.example"}, "d"),
        promptFeedback={"blockReason": ""},
    )
    hostile = cast("dict[str, Json]", data.draw(spoiled(body)))
    try:
        decision = dialect.decode(hostile, context_of(first=False))
    except ProtocolError:
        return
    assert decode_decision(encode_decision(decision)) == decision


def common(screen: Size) -> list[st.SearchStrategy[Action]]:
    space = Space(screen, screen, "thousand")
    at = points(Size(1000, 1000)).map(lambda point: space.to_screen(point.x, point.y))
    return [
        st.builds(lambda p: Click(p.x, p.y), at),
        st.builds(lambda p: Move(p.x, p.y), at),
        st.builds(lambda a, b: Drag((a, b)), at, at),
        st.builds(
            lambda p, n, flat: Scroll(p.x, p.y, n * flat, n * (1 - flat)),
            at,
            st.integers(-7, 7).filter(bool),
            st.integers(0, 1),
        ),
        st.builds(Key, CHORDS),
        st.just(Wait(seconds=5)),
    ]


def desktop(screen: Size) -> list[st.SearchStrategy[Action]]:
    space = Space(screen, screen, "thousand")
    at = points(Size(1000, 1000)).map(lambda point: space.to_screen(point.x, point.y))
    return [
        *common(screen),
        st.builds(
            lambda p, kind: Click(p.x, p.y, kind[0], kind[1]),
            at,
            st.sampled_from([("left", 2), ("left", 3), ("middle", 1), ("right", 1)]),
        ),
        st.builds(Type, TYPED),
        st.builds(lambda n: Wait(seconds=n), st.integers(0, 100)),
        st.sampled_from([Screenshot(), KeyDown("shift"), KeyUp("ctrl")]),
    ]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([SCREEN, LARGE, Size(3840, 2160), Size(640, 480)]), st.data())
def test_what_is_told_as_history_means_the_same_when_the_model_says_it(
    screen: Size, data: st.DataObject
) -> None:
    from carrel.models.dialects._gemini_actions import FUNCTIONS as OURS

    for dialect, model, choices in (
        (OLD, OLD_MODEL, [*common(screen), st.just(Open("https://a.example/b"))]),
        (NEW, NEW_MODEL, desktop(screen)),
    ):
        action = data.draw(st.one_of(choices))
        decision = Decision((Call("x", "act", (action,)),), raw={"dialect": "other"})
        turn = Turn(decision, (Outcome("x", results=(OK,)),))
        context = context_of(turn, screen=screen, first=False)
        contents = contents_of(dialect, model, context)
        parts = cast("list[Json]", contents[1]["parts"])
        names = values_of(parts, "name")
        assert set(names) <= set(OURS) or isinstance(action, Scroll)
        read_back = dialect.decode(answer(*parts), context_of(screen=screen, first=False))
        assert read_back.calls[0].actions == (action,)


def test_what_the_functions_cannot_say_is_told_as_ours_that_mean_the_same() -> None:
    others: list[Action] = [
        Shell("ls", timeout=5),
        Click(0, 0, "back"),
        Click(0, 0, modifiers=("ctrl",)),
        Wait(stable=0.5),
        Screenshot(quality=50),
        MouseDown("right"),
        MouseDown(),
        Scroll(0, 0, 3, 4),
        Scroll(0, 0, 0, 50),
        Key(("a",), 3),
        Drag((P(0, 0), P(640, 400), P(0, 400))),
        Type("x"),
    ]
    for dialect, model in ((OLD, OLD_MODEL), (NEW, NEW_MODEL)):
        for action in others:
            contents = contents_of(dialect, model, context_of(foreign(action)))
            parts = cast("list[Json]", contents[1]["parts"])
            assert dialect.decode(answer(*parts), context_of()).calls[0].actions == (action,), (
                action
            )


def test_a_zoom_of_another_dialect_is_shown_as_it_was() -> None:
    region = Box(0, 0, 128, 80)
    call = Call("z", "zoom", (Screenshot(region),))
    turn = Turn(
        Decision((call,), raw={"dialect": "other"}),
        (Outcome("z", results=(OK,), picture=picture(SCREEN, region)),),
    )
    contents = contents_of(NEW, NEW_MODEL, context_of(turn))
    assert values_of(contents[1], "region") == [{"x": 0, "y": 0, "width": 100, "height": 100}]
    assert len(values_of(contents[2], "inlineData")) == 1
