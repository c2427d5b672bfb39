from __future__ import annotations

import base64
import io
import itertools
import json
from typing import cast

import pytest
from anthropic.types import (
    ComputerToolset20260801Param,
    ComputerToolUseBlock,
    ImageBlockParam,
    Message,
    RedactedThinkingBlockParam,
    TextBlockParam,
    ThinkingBlockParam,
    ToolParam,
    ToolResultBlockParam,
    ToolUseBlockParam,
)
from anthropic.types.beta import BetaToolComputerUse20250124Param, BetaToolComputerUse20251124Param
from dialect_contexts import (
    BAD,
    CHORDS,
    LARGE,
    MODIFIERS,
    OK,
    SCREEN,
    TYPED,
    WEATHER,
    adapter,
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
from PIL import Image

from carrel.actions import (
    Action,
    Click,
    Cursor,
    Drag,
    Key,
    MouseDown,
    MouseUp,
    Move,
    Screenshot,
    Scroll,
    Shell,
    Type,
    Wait,
)
from carrel.codec import Json
from carrel.decisions import Call, Decision, Usage, decode_decision, encode_decision
from carrel.errors import ProtocolError
from carrel.geometry import Box, Point, Size
from carrel.intents import CallTool, Done
from carrel.models.context import Context, Options, Outcome, Turn
from carrel.models.dialects.anthropic_computer import (
    Anthropic20250124,
    Anthropic20251124,
)
from carrel.models.dialects.anthropic_toolset import AnthropicToolset
from carrel.models.space import Space, fit_within
from carrel.results import Effect, Result

TOOLSET, NEW, OLD = AnthropicToolset(), Anthropic20251124(), Anthropic20250124()
Any_ = AnthropicToolset | Anthropic20251124 | Anthropic20250124
ALL = pytest.mark.parametrize("dialect", [TOOLSET, NEW, OLD], ids=["toolset", "2025-11", "2025-01"])
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
_serial = itertools.count()


def use(name: str, given: Json = None, call_id: str = "toolu_1") -> dict[str, Json]:
    """A call of a member, as the toolset's models write it."""
    return {
        "type": "tool_use",
        "id": call_id,
        "name": name,
        "input": given or {},
        "toolset_name": "computer",
        "caller": {"type": "direct"},
    }


def old_use(name: str, given: dict[str, Json] | None = None, call_id: str = "toolu_1") -> Json:
    action: dict[str, Json] = {"action": name, **(given or {})}
    return {"type": "tool_use", "id": call_id, "name": "computer", "input": action}


def function(name: str, given: Json, call_id: str = "toolu_f") -> dict[str, Json]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def thinking(text: str = "Hm.") -> dict[str, Json]:
    return {"type": "thinking", "thinking": text, "signature": "EqQBCkYIAR"}


def text(words: str) -> dict[str, Json]:
    return {"type": "text", "text": words, "citations": None}


def answer(*blocks: Json, reason: str = "tool_use", **rest: Json) -> dict[str, Json]:
    body: dict[str, Json] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5",
        "content": list(blocks),
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 10,
            "cache_read_input_tokens": 900,
            "cache_creation_input_tokens": 90,
            "output_tokens": 50,
            "output_tokens_details": {"thinking_tokens": 20},
        },
    }
    return {**body, **rest}


def read(name: str, given: Json = None, context: Context | None = None) -> Call:
    return TOOLSET.decode(answer(use(name, given)), context or context_of()).calls[0]


def messages_of(
    dialect: Any_, context: Context, model: str = "claude-opus-5-5"
) -> list[dict[str, Json]]:
    body = dialect.encode(model, context).body
    return cast("list[dict[str, Json]]", body["messages"])


def blocks_of(dialect: Any_, context: Context, index: int = -1) -> list[dict[str, Json]]:
    return cast("list[dict[str, Json]]", messages_of(dialect, context)[index]["content"])


def image_size(block: object) -> tuple[int, int]:
    (data,) = values_of(block, "data")
    return Image.open(io.BytesIO(base64.b64decode(str(data)))).size


MEMBERS: list[tuple[str, dict[str, Json], Action]] = [
    ("key", {"text": "Return"}, Key(("enter",))),
    ("key", {"text": "ctrl+shift+Escape", "repeat": 3}, Key(("ctrl", "shift", "esc"), 3)),
    ("key", {"text": "ctrl+S"}, Key(("ctrl", "s"))),
    ("hold_key", {"text": "shift", "duration": 2}, Key(("shift",), hold=2.0)),
    ("type", {"text": 'it\'s "fine"\n'}, Type('it\'s "fine"\n')),
    ("cursor_position", {}, Cursor()),
    ("mouse_move", {"coordinate": [3, 4]}, Move(3, 4)),
    ("left_mouse_down", {}, MouseDown()),
    ("left_mouse_up", {}, MouseUp()),
    ("left_click", {"coordinate": [1279, 799]}, Click(1279, 799)),
    ("right_click", {"coordinate": [1, 2]}, Click(1, 2, "right")),
    ("middle_click", {"coordinate": [1, 2]}, Click(1, 2, "middle")),
    ("double_click", {"coordinate": [1, 2]}, Click(1, 2, count=2)),
    ("triple_click", {"coordinate": [1, 2], "text": "shift"}, Click(1, 2, "left", 3, ("shift",))),
    (
        "left_click_drag",
        {"start_coordinate": [5, 6], "coordinate": [70, 80], "text": "ctrl+alt"},
        Drag((Point(5, 6), Point(70, 80)), modifiers=("ctrl", "alt")),
    ),
    (
        "scroll",
        {"coordinate": [9, 9], "scroll_direction": "down", "scroll_amount": 5},
        Scroll(9, 9, 0, 5),
    ),
    ("wait", {"duration": 3}, Wait(seconds=3)),
    ("screenshot", {}, Screenshot()),
    ("zoom", {"region": [10, 20, 110, 70]}, Screenshot(Box(10, 20, 100, 50))),
]


@pytest.mark.parametrize(("name", "given", "action"), MEMBERS)
def test_every_member_means_what_its_documentation_says(
    name: str, given: dict[str, Json], action: Action
) -> None:
    adapter(ComputerToolUseBlock).validate_python(use(name, given))
    call = read(name, given)
    assert call.problem is None
    assert call.actions == (action,)
    assert call.name == name
    for dialect in (NEW, OLD):
        assert dialect.decode(answer(old_use(name, given)), context_of()).calls[0].actions == (
            action,
        )


def test_every_member_of_the_sdk_is_known() -> None:
    from anthropic.lib.tools._toolsets._computer_registry import COMPUTER_MEMBERS

    from carrel.models.dialects._anthropic_actions import MEMBERS as OURS

    assert set(COMPUTER_MEMBERS) == set(OURS) == {name for name, _, _ in MEMBERS}


def test_a_message_as_the_sdk_types_it_is_understood() -> None:
    body = answer(
        thinking("The editor is at the left."),
        text("I open it."),
        use("left_click", {"coordinate": [10, 20]}, "toolu_1"),
        use("type", {"text": "hi"}, "toolu_2"),
        function("weather", {"city": "Oslo"}, "toolu_3"),
    )
    Message.model_validate(body)
    decision = TOOLSET.decode(body, context_of(tools=(WEATHER,)))
    assert decision.thought == "The editor is at the left."
    assert decision.text == "I open it."
    assert [call.actions for call in decision.calls] == [
        (Click(10, 20),),
        (Type("hi"),),
        (CallTool("weather", {"city": "Oslo"}),),
    ]
    assert decision.usage == Usage(10, 900, 90, 50, 20)
    assert decision.usage.total == 1050
    assert decision.model == "claude-sonnet-5"


def test_a_custom_tool_with_the_name_of_a_member_is_the_person_s() -> None:
    mine = type(WEATHER)("screenshot", "Mine.", {"type": "object"})
    context = context_of(tools=(mine,))
    (call,) = TOOLSET.decode(answer(function("screenshot", {"a": 1})), context).calls
    assert call.actions == (CallTool("screenshot", {"a": 1}),)
    assert TOOLSET.decode(answer(use("screenshot")), context).calls[0].actions == (Screenshot(),)


def test_a_member_without_the_name_of_its_toolset_is_understood() -> None:
    (call,) = TOOLSET.decode(answer(function("key", {"text": "Tab"})), context_of()).calls
    assert call.actions == (Key(("tab",)),)


def test_the_toolset_is_declared_without_name_size_or_beta() -> None:
    request = TOOLSET.encode("claude-sonnet-5", context_of(tools=(WEATHER,)))
    assert request.betas == ()
    tools = cast("list[dict[str, Json]]", request.body["tools"])
    assert tools[0] == {"type": "computer_toolset_20260801"}
    validate(ComputerToolset20260801Param, tools[0])
    for tool in tools[1:]:
        validate(ToolParam, tool)
    assert tools[1]["name"] == "weather"


def test_members_that_are_not_allowed_are_withheld() -> None:
    context = context_of(actions=frozenset({"screenshot", "click", "type"}))
    (entry, *rest) = cast("list[dict[str, Json]]", TOOLSET.encode("m", context).body["tools"])
    validate(ComputerToolset20260801Param, entry)
    configs = cast("dict[str, Json]", entry["configs"])
    assert {"key", "hold_key", "scroll", "wait", "left_click_drag"} <= set(configs)
    assert not {"screenshot", "zoom", "left_click", "type"} & set(configs)
    assert [tool["name"] for tool in rest] == ["done"]


def test_the_earlier_tools_are_declared_with_size_and_beta() -> None:
    context = context_of(screen=LARGE)
    new, old = NEW.encode("m", context), OLD.encode("m", context)
    assert new.betas == ("computer-use-2025-11-24",)
    assert old.betas == ("computer-use-2025-01-24",)
    new_tool = cast("list[dict[str, Json]]", new.body["tools"])[0]
    old_tool = cast("list[dict[str, Json]]", old.body["tools"])[0]
    validate(BetaToolComputerUse20251124Param, new_tool)
    validate(BetaToolComputerUse20250124Param, old_tool)
    assert new_tool["enable_zoom"] is True
    size = (new_tool["display_width_px"], new_tool["display_height_px"])
    assert size == image_size(blocks_of(NEW, context, 0)) == (1430, 804)


def test_pictures_fit_what_models_take_unscaled() -> None:
    for size in ("640x480", "1366x768", "1920x1200", "3840x2160", "2160x3840", "3440x1440"):
        screen = Size.parse(size)
        width, height = image_size(blocks_of(TOOLSET, context_of(screen=screen), 0))
        assert max(width, height) <= 1568
        assert -(-width // 28) * -(-height // 28) <= 1568


def test_reasoning_is_asked_for_as_each_model_takes_it() -> None:
    context = context_of(options=Options(reasoning="low", max_tokens=2000, temperature=1.0))
    toolset, old = TOOLSET.encode("m", context).body, OLD.encode("m", context).body
    assert toolset["output_config"] == {"effort": "low"}
    assert toolset["thinking"] == {"type": "adaptive", "display": "summarized"}
    assert NEW.encode("m", context).body["output_config"] == {"effort": "low"}
    assert old["thinking"] == {"type": "enabled", "budget_tokens": 1024}
    assert old["max_tokens"] == 3024
    assert toolset["max_tokens"] == 2000
    assert "thinking" not in TOOLSET.encode("m", context_of()).body


# What other runtimes got wrong


def test_a_drag_ends_where_the_model_says() -> None:
    given: Json = {"start_coordinate": [100, 100], "coordinate": [400, 300]}
    (drag,) = read("left_click_drag", given).actions
    assert isinstance(drag, Drag)
    assert drag.path == (Point(100, 100), Point(400, 300))
    assert read("left_click_drag", {"coordinate": [400, 300]}).problem is not None


def test_zoom_is_answered_with_the_part_enlarged() -> None:
    decision = TOOLSET.decode(answer(use("zoom", {"region": [0, 0, 320, 200]})), context_of())
    region = Box(0, 0, 320, 200)
    assert decision.calls[0].actions == (Screenshot(region),)
    turn = Turn(decision, (Outcome("toolu_1", results=(OK,), picture=picture(SCREEN, region)),))
    (result,) = blocks_of(TOOLSET, context_of(turn))
    assert result["tool_use_id"] == "toolu_1"
    assert image_size(result) == (1280, 800)


def test_held_keys_of_a_click_are_held() -> None:
    given: Json = {"coordinate": [1, 2], "text": "ctrl+shift"}
    assert read("left_click", given).actions == (Click(1, 2, modifiers=("ctrl", "shift")),)
    down: Json = {
        "coordinate": [1, 2],
        "text": "ctrl",
        "scroll_direction": "up",
        "scroll_amount": 2,
    }
    assert read("scroll", down).actions == (Scroll(1, 2, 0, -2, ("ctrl",)),)
    assert read("left_click", {"coordinate": [1, 2], "text": "x"}).problem is not None


def test_chords_with_plus_and_minus_are_not_torn() -> None:
    assert read("key", {"text": "ctrl+-"}).actions == (Key(("ctrl", "-")),)
    assert read("key", {"text": "ctrl++"}).actions == (Key(("ctrl", "+")),)
    assert read("key", {"text": "ctrl+plus"}).actions == (Key(("ctrl", "+")),)
    assert read("key", {"text": "Down Down Return"}).actions == (
        Key(("down",)),
        Key(("down",)),
        Key(("enter",)),
    )


@pytest.mark.parametrize(
    ("direction", "dx", "dy"), [("up", 0, -4), ("down", 0, 4), ("left", -4, 0), ("right", 4, 0)]
)
def test_scrolling_has_one_sign(direction: str, dx: int, dy: int) -> None:
    given: dict[str, Json] = {
        "coordinate": [5, 5],
        "scroll_direction": direction,
        "scroll_amount": 4,
    }
    assert read("scroll", given).actions == (Scroll(5, 5, dx, dy),)
    history = blocks_of(TOOLSET, context_of(foreign(Scroll(5, 5, dx, dy))), 1)
    assert history[0]["input"] == given


def test_history_is_in_the_space_of_the_picture() -> None:
    turn = foreign(Click(1919, 1079), Click(0, 0, count=5), screen=LARGE)
    click, odd = blocks_of(TOOLSET, context_of(turn, screen=LARGE), 1)
    assert click["input"] == {"coordinate": [1429, 803]}
    assert odd["name"] == "click"
    assert cast("dict[str, Json]", odd["input"])["x"] == 0
    far = foreign(Click(1919, 1079, count=5), screen=LARGE)
    (odd,) = blocks_of(TOOLSET, context_of(far, screen=LARGE), 1)
    assert cast("dict[str, Json]", odd["input"])["x"] == 1429
    again = TOOLSET.decode(answer(function("click", odd["input"])), context_of(screen=LARGE))
    (click_again,) = again.calls[0].actions
    assert isinstance(click_again, Click)
    assert abs(click_again.x - 1919) <= 1
    assert click_again.count == 5


def test_the_position_of_the_pointer_is_told_in_the_space_of_the_picture() -> None:
    context = context_of(screen=LARGE)
    decision = TOOLSET.decode(answer(use("cursor_position")), context)
    found = Result(True, Effect.CONFIRMED, "the pointer is at 1919, 1079", {"x": 1919, "y": 1079})
    turn = Turn(decision, (Outcome("toolu_1", found.text, (found,)),))
    (result,) = blocks_of(TOOLSET, context_of(turn, screen=LARGE))
    assert result["content"] == [{"type": "text", "text": "X=1429,Y=803"}]


def test_a_click_without_a_place_is_where_the_pointer_was_put() -> None:
    body = answer(use("mouse_move", {"coordinate": [7, 8]}, "a"), use("left_click", {}, "b"))
    assert TOOLSET.decode(body, context_of()).calls[1].actions == (Click(7, 8),)
    moved = context_of(foreign(Move(30, 40)))
    assert read("double_click", {}, moved).actions == (Click(30, 40, count=2),)
    scroll: Json = {"scroll_direction": "down", "scroll_amount": 1}
    assert read("scroll", scroll, moved).actions == (Scroll(30, 40, 0, 1),)
    assert read("left_click", {}).problem is not None


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("left_click", {"coordinate": [1280, 0]}),
        ("left_click", {"coordinate": [-1, 0]}),
        ("left_click", {"coordinate": [1]}),
        ("left_click", {"coordinate": ["1", "2"]}),
        ("left_click", {"coordinate": {"x": 1}}),
        ("mouse_move", {}),
        ("scroll", {"coordinate": [1, 1], "scroll_direction": "down", "scroll_amount": 0}),
        ("scroll", {"coordinate": [1, 1], "scroll_direction": "down", "scroll_amount": -3}),
        ("scroll", {"coordinate": [1, 1], "scroll_direction": "sideways", "scroll_amount": 3}),
        ("zoom", {"region": [10, 10, 5, 5]}),
        ("zoom", {"region": [0, 0, 5000, 5000]}),
        ("key", {"text": "NoSuchKey"}),
        ("key", {"text": "a", "repeat": 1000}),
        ("key", {"text": ""}),
        ("hold_key", {"text": "a", "duration": 1e9}),
        ("type", {"text": 3}),
        ("wait", {"duration": "long"}),
        ("fly", {}),
    ],
)
def test_what_cannot_be_meant_is_told_to_the_model_and_not_done(name: str, given: Json) -> None:
    call = read(name, given)
    assert call.actions == ()
    assert call.problem is not None
    decision = TOOLSET.decode(answer(use(name, given)), context_of())
    (result,) = blocks_of(TOOLSET, context_of(Turn(decision, (Outcome("toolu_1"),))))
    assert result["is_error"] is True
    assert call.problem.message in json.dumps(result["content"], ensure_ascii=False)


# History


def test_parallel_calls_are_answered_in_one_message_in_order() -> None:
    body = answer(
        use("left_click", {"coordinate": [1, 2]}, "a"),
        use("type", {"text": "x"}, "b"),
        use("screenshot", {}, "c"),
    )
    decision = TOOLSET.decode(body, context_of())
    results = blocks_of(TOOLSET, context_of(answered(decision)))
    assert [result["tool_use_id"] for result in results] == ["a", "b", "c"]
    assert all(result["toolset_name"] == "computer" for result in results)
    # Only the looks and the last call carry a picture: the others would show the same.
    assert [len(values_of(result, "data")) for result in results] == [0, 0, 1]


def test_a_batch_that_stopped_is_told_in_the_words_models_know() -> None:
    body = answer(use("left_click", {"coordinate": [1, 2]}, "a"), use("type", {"text": "x"}, "b"))
    decision = TOOLSET.decode(body, context_of())
    turn = Turn(decision, (Outcome("a", "No.", (BAD,)), Outcome("b", picture=picture())))
    first, second, image = blocks_of(TOOLSET, context_of(turn))
    assert first["is_error"] is second["is_error"] is True
    assert second["content"] == [
        {"type": "text", "text": "Not executed: an earlier computer action in this turn failed."}
    ]
    # An error may hold words alone; what the screen shows comes after it.
    assert image["type"] == "image"


def test_thinking_is_sent_back_with_its_signature_while_nothing_before_it_changed() -> None:
    before = context_of(answered(TOOLSET.decode(answer(use("screenshot")), context_of())))
    body = answer(thinking(), {"type": "redacted_thinking", "data": "x"}, use("key", {"text": "a"}))
    decision = decode_decision(encode_decision(TOOLSET.decode(body, before)))
    turn = answered(decision)
    after = context_of(*before.turns, turn)
    assert blocks_of(TOOLSET, after, 3) == body["content"]
    more = context_of(*after.turns, answered(TOOLSET.decode(answer(use("screenshot")), after)))
    assert blocks_of(TOOLSET, more, 3) == body["content"]


def test_thinking_that_follows_a_pruned_screenshot_is_left_out() -> None:
    look = TOOLSET.decode(answer(use("screenshot", {}, "look")), context_of())
    body = answer(thinking(), use("key", {"text": "a"}))
    decision = TOOLSET.decode(body, context_of(answered(look)))
    pruned = context_of(answered(look, kept=False), answered(decision))
    assert [block["type"] for block in blocks_of(TOOLSET, pruned, 3)] == ["tool_use"]
    (result,) = blocks_of(TOOLSET, pruned, 2)
    assert "older screenshot" in json.dumps(result)
    # What was thought after the pruning is bound to the pruned history and stays.
    later = TOOLSET.decode(answer(thinking(), use("key", {"text": "b"}, "z")), pruned)
    assert (
        blocks_of(TOOLSET, context_of(*pruned.turns, answered(later)), 5)[0]["type"] == "thinking"
    )


@pytest.mark.parametrize(
    ("model", "binds"),
    [
        ("claude-opus-5-5", True),
        ("us.anthropic.claude-opus-5-5-v1:0", True),
        ("claude-fable-5-1-20260901", True),
        ("claude-sonnet-6", True),
        ("claude-sonnet-5", False),
        ("claude-fable-5-20260601", False),
        ("claude-opus-4-8", False),
        ("claude-haiku-4-5-20251001", False),
    ],
)
def test_only_models_that_refuse_old_thinking_are_spared_it(model: str, binds: bool) -> None:
    look = TOOLSET.decode(answer(use("screenshot", {}, "look")), context_of())
    body = answer(thinking(), use("key", {"text": "a"}))
    decision = TOOLSET.decode(body, context_of(answered(look)))
    pruned = context_of(answered(look, kept=False), answered(decision))
    content = cast("list[dict[str, Json]]", messages_of(TOOLSET, pruned, model)[3]["content"])
    assert [block["type"] for block in content] == (
        ["tool_use"] if binds else ["thinking", "tool_use"]
    )


def test_at_most_four_breakpoints_mark_what_stays_the_same() -> None:
    turns = [foreign(Click(n, n), text="Next.") for n in range(1, 9)]
    for count in range(9):
        body = TOOLSET.encode("m", context_of(*turns[:count])).body
        marks = values_of(dict(body), "cache_control")
        assert 2 <= len(marks) <= 4
        assert values_of(body["system"], "cache_control")
        assert values_of(cast("list[Json]", body["messages"])[-1], "cache_control")
    plain = TOOLSET.encode("m", context_of(*turns, options=Options(cache=False))).body
    assert values_of(dict(plain), "cache_control") == []


def test_words_of_the_person_follow_the_results() -> None:
    turn = foreign(Click(1, 2))
    context = context_of(Turn(turn.decision, turn.outcomes, ("Stop.",)), Turn(None, said=("Now.",)))
    assert [block["type"] for block in blocks_of(TOOLSET, context)] == [
        "tool_result",
        "text",
        "text",
    ]


def test_an_answer_without_calls_ends_the_task_and_leaves_no_orphan() -> None:
    decision = TOOLSET.decode(answer(text("It is done."), reason="end_turn"), context_of())
    assert decision.calls[0].actions == (Done(True, "It is done."),)
    messages = messages_of(TOOLSET, context_of(Turn(decision, (Outcome("final", "Not yet."),))))
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert values_of(messages, "tool_use_id") == []
    assert "Not yet." in json.dumps(messages[-1])


def test_a_paused_turn_is_not_the_end() -> None:
    decision = TOOLSET.decode(answer(text("One moment."), reason="pause_turn"), context_of())
    assert decision.calls == ()
    assert decision.text == "One moment."
    assert messages_of(TOOLSET, context_of(Turn(decision)))[-1]["role"] == "user"


def test_a_refusal_is_one_and_nothing_of_it_runs() -> None:
    details: Json = {"type": "refusal", "category": "cyber", "explanation": "Not this."}
    body = answer(text("I"), use("screenshot"), reason="refusal", stop_details=details)
    decision = TOOLSET.decode(body, context_of())
    assert decision.refusal == "Not this."
    assert decision.calls == ()
    assert len(messages_of(TOOLSET, context_of(Turn(decision)))) == 3
    bare = TOOLSET.decode(answer(reason="refusal"), context_of())
    assert bare.refusal
    assert not bare.is_empty


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
def test_an_answer_cut_off_is_truncated_and_its_open_call_does_not_run(reason: str) -> None:
    body = answer(
        use("wait", {"duration": 1}, "a"), use("type", {"text": "rm -"}, "b"), reason=reason
    )
    decision = TOOLSET.decode(body, context_of())
    assert decision.truncated
    assert decision.calls[0].problem is None
    assert decision.calls[1].problem is not None
    assert TOOLSET.decode(answer(text("I w"), reason=reason), context_of()).calls == ()


def test_an_empty_answer_is_empty_and_not_sent_back() -> None:
    decision = TOOLSET.decode(answer(thinking(), text(" "), reason="end_turn"), context_of())
    assert decision.is_empty
    assert len(messages_of(TOOLSET, context_of(Turn(decision)))) <= 2


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"content": "hi"},
        {"content": [None]},
        answer({"type": "tool_use", "name": "key", "input": {}}),
        answer(use("screenshot"), use("screenshot")),
    ],
)
def test_what_is_no_message_is_a_protocol_error(body: dict[str, Json]) -> None:
    with pytest.raises(ProtocolError):
        TOOLSET.decode(body, context_of())


def test_a_look_is_answered_with_the_picture_alone() -> None:
    decision = TOOLSET.decode(answer(use("screenshot")), context_of())
    turn = Turn(decision, (Outcome("toolu_1", "done", (OK,), picture()),))
    (result,) = blocks_of(TOOLSET, context_of(turn))
    assert [block["type"] for block in cast("list[dict[str, Json]]", result["content"])] == [
        "image"
    ]


# Properties


def native(dialect: Any_) -> st.SearchStrategy[dict[str, Json]]:
    def member(name: str, given: dict[str, Json]) -> dict[str, Json]:
        made = use(name, given) if dialect is TOOLSET else old_use(name, given)
        return cast("dict[str, Json]", made)

    choices: list[dict[str, Json]] = [
        member("left_click", {"coordinate": [3, 4], "text": "ctrl"}),
        member("screenshot", {}),
        member("zoom", {"region": [0, 0, 50, 50]}),
        member("left_click", {"coordinate": [9999, 4]}),
        function("weather", {"city": "Bern"}),
        thinking(),
        text("Hello."),
        text(""),
    ]
    reasons = st.sampled_from(["tool_use", "end_turn", "max_tokens", "pause_turn", "refusal"])
    return st.builds(
        lambda blocks, reason: answer(*map(_fresh, blocks), reason=reason),
        st.lists(st.sampled_from(choices), max_size=4),
        reasons,
    )


def _fresh(block: dict[str, Json]) -> dict[str, Json]:
    if block["type"] != "tool_use":
        return block
    return {**block, "id": f"toolu_native{next(_serial)}"}


BLOCKS: dict[object, object] = {
    "text": TextBlockParam,
    "image": ImageBlockParam,
    "tool_use": ToolUseBlockParam,
    "tool_result": ToolResultBlockParam,
    "thinking": ThinkingBlockParam,
    "redacted_thinking": RedactedThinkingBlockParam,
}


@ALL
@SLOW
@given(data=st.data())
def test_every_call_has_exactly_one_result_and_the_sdk_accepts_the_request(
    dialect: Any_, data: st.DataObject
) -> None:
    messages = messages_of(dialect, data.draw(contexts(dialect, native(dialect))))
    assert [message["role"] for message in messages] == [
        "assistant" if n % 2 else "user" for n in range(len(messages))
    ]
    assert len(messages) % 2 == 1
    pending: dict[object, object] = {}
    for message in messages:
        content = cast("list[dict[str, Json]]", message["content"])
        assert content
        results = [block for block in content if block["type"] == "tool_result"]
        assert content[: len(results)] == results
        answers = {block["tool_use_id"]: block.get("toolset_name") for block in results}
        assert len(answers) == len(results)
        assert answers == pending
        for block in content:
            validate(BLOCKS[block["type"]], block)
            assert block["type"] != "text" or str(block["text"]).strip()
        uses = [block for block in content if block["type"] == "tool_use"]
        pending = {block["id"]: block.get("toolset_name") for block in uses}
        assert len(pending) == len(uses)
    assert pending == {}


@ALL
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_hostile_json_is_a_decision_or_a_protocol_error(dialect: Any_, data: st.DataObject) -> None:
    blocks: list[Json] = [
        thinking(),
        text("a"),
        use(
            "left_click_drag",
            {"start_coordinate": [1, 2], "coordinate": [3, 4], "text": "ctrl"},
            "a",
        ),
        use("scroll", {"coordinate": [1, 2], "scroll_direction": "up", "scroll_amount": 3}, "b"),
        old_use("key", {"text": "a", "repeat": 3}, "c"),
        function("write_file", {"path": "/tmp/x", "text": "y"}, "d"),
    ]
    hostile = cast("dict[str, Json]", data.draw(spoiled(answer(*blocks))))
    try:
        decision = dialect.decode(hostile, context_of(first=False))
    except ProtocolError:
        return
    assert decode_decision(encode_decision(decision)) == decision


def expressible(screen: Size) -> st.SearchStrategy[Action]:
    """Actions at places that the model can name."""
    space = Space(screen, fit_within(screen, 1568, 1_150_000))
    at = points(space.shown).map(lambda point: space.to_screen(point.x, point.y))
    spots = points(space.shown)
    return st.one_of(
        st.builds(
            lambda p, kind, held: Click(p.x, p.y, kind[0], kind[1], held),
            at,
            st.sampled_from([("left", 1), ("left", 2), ("left", 3), ("right", 1), ("middle", 1)]),
            MODIFIERS,
        ),
        st.builds(lambda a, b, held: Drag((a, b), modifiers=held), at, at, MODIFIERS),
        st.builds(lambda p: Move(p.x, p.y), at),
        st.builds(
            lambda p, n, flat, held: Scroll(p.x, p.y, n * flat, n * (1 - flat), held),
            at,
            st.integers(-1000, 1000).filter(bool),
            st.integers(0, 1),
            MODIFIERS,
        ),
        st.builds(Key, CHORDS, st.integers(1, 100)),
        st.builds(lambda keys, hold: Key(keys, hold=hold), CHORDS, st.integers(1, 300).map(float)),
        st.builds(Type, TYPED),
        st.builds(lambda n: Wait(seconds=n), st.integers(0, 300)),
        st.builds(
            lambda p: Screenshot(
                space.box_to_screen(p.x, p.y, space.shown.width, space.shown.height)
            ),
            spots,
        ),
        st.sampled_from([Screenshot(), Cursor(), MouseDown(), MouseUp()]),
    )


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([SCREEN, LARGE, Size(3840, 2160)]), st.data())
def test_what_is_told_as_history_means_the_same_when_the_model_says_it(
    screen: Size, data: st.DataObject
) -> None:
    actions = tuple(data.draw(st.lists(expressible(screen), min_size=1, max_size=3)))
    decision = Decision((Call("x", "act", actions),), raw={"dialect": "other"})
    turn = Turn(decision, (Outcome("x", results=(OK,) * len(actions)),))
    for dialect in (TOOLSET, NEW):
        blocks = blocks_of(dialect, context_of(turn, screen=screen, first=False), 1)
        read_back = dialect.decode(answer(*blocks), context_of(screen=screen, first=False))
        assert tuple(action for call in read_back.calls for action in call.actions) == actions
        names = {block.get("toolset_name") for block in blocks}
        assert names == {"computer"} or dialect is NEW


def test_what_the_tool_cannot_say_is_told_as_functions_that_mean_the_same() -> None:
    others: list[Action] = [
        Shell("ls", timeout=5),
        Click(5, 6, "back"),
        Wait(stable=0.5),
        Wait(seconds=1.5),
        Screenshot(quality=50),
        MouseDown("right"),
        Scroll(1, 2, 3, 4),
        Drag((Point(1, 1), Point(2, 2), Point(9, 3))),
        Key(("a",), 3, 0.5),
    ]
    for dialect in (TOOLSET, NEW, OLD):
        for action in others:
            blocks = blocks_of(dialect, context_of(foreign(action)), 1)
            assert "toolset_name" not in blocks[0]
            assert dialect.decode(answer(*blocks), context_of()).calls[0].actions == (action,)


def test_the_first_tool_is_not_shown_zooms_and_repeats_of_others() -> None:
    zoom = foreign(Screenshot(Box(0, 0, 64, 40)), Key(("a",), 3))
    blocks = blocks_of(OLD, context_of(zoom), 1)
    assert [block["name"] for block in blocks] == ["screenshot", "key"]
