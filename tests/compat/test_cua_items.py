"""From events to items: nothing is lost, and every call is answered once."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from pathlib import Path

import anyio
import pytest
from cua_board import Board, calls, items_of, make_agent, results_of, scripted
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
from carrel.compat.items import action_item, usage_item
from carrel.decisions import Call, Decision, Usage
from carrel.errors import RunError
from carrel.geometry import Box, Point
from carrel.intents import CallTool, Done, Note
from carrel.results import Failure


@pytest.mark.parametrize(
    ("action", "item"),
    [
        (Click(1, 2), {"type": "click", "button": "left", "x": 1, "y": 2}),
        (Click(1, 2, "middle"), {"type": "click", "button": "wheel", "x": 1, "y": 2}),
        (Click(1, 2, count=2), {"type": "double_click", "x": 1, "y": 2}),
        (Move(1, 2), {"type": "move", "x": 1, "y": 2}),
        (
            Drag((Point(1, 2), Point(3, 4))),
            {"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]},
        ),
        (Scroll(1, 2, 0, 3), {"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": 3}),
        (Type("x"), {"type": "type", "text": "x"}),
        (Key(("ctrl", "l")), {"type": "keypress", "keys": ["ctrl", "l"]}),
        (Wait(seconds=2), {"type": "wait", "ms": 2000}),
        (Screenshot(), {"type": "screenshot"}),
        (MouseDown(), {"type": "left_mouse_down"}),
        (MouseUp(), {"type": "left_mouse_up"}),
    ],
)
def test_the_actions_people_know_have_the_shape_they_know(
    action: Action, item: dict[str, object]
) -> None:
    assert action_item(action) == item


def test_what_they_have_no_word_for_is_said_in_ours() -> None:
    assert action_item(Click(1, 2, count=3)) == {"type": "click", "x": 1, "y": 2, "count": 3}
    held = action_item(Click(1, 2, modifiers=("ctrl",)))
    assert held["keys"] == ["ctrl"]
    zoom = action_item(Screenshot(region=Box(1, 2, 3, 4)))
    assert zoom["region"] == {"x": 1, "y": 2, "width": 3, "height": 4}


def test_an_unknown_cost_is_left_out_and_never_zero() -> None:
    usage = Usage(input=1, cached=2, cache_writes=3, output=4, reasoning=1)
    assert "response_cost" not in usage_item(usage)
    known = usage_item(usage, "0.25")
    assert known["response_cost"] == 0.25
    assert (known["prompt_tokens"], known["completion_tokens"], known["total_tokens"]) == (6, 4, 10)


points = st.builds(Point, st.integers(0, 319), st.integers(0, 239))
single = st.one_of(
    st.builds(lambda p: Click(p.x, p.y), points),
    st.builds(lambda p: Move(p.x, p.y), points),
    st.just(Type("x")),
    st.just(Scroll(1, 1, 0, 1)),
    st.just(Key(("a",))),
    st.builds(lambda n: CallTool("add", {"a": n, "b": 1}), st.integers(0, 9)),
    st.just(CallTool("missing", {})),
    st.just(CallTool("fail", {})),
    st.just(Note("remember")),
    st.just(Done(True, "ended")),
)
call = st.one_of(
    st.lists(single, min_size=1, max_size=4).map(lambda actions: ("actions", tuple(actions))),
    st.just(("problem", ())),
)
scripts = st.lists(st.lists(call, max_size=3), max_size=4)


def add(a: int, b: int) -> int:
    return a + b


def fail() -> None:
    raise KeyError("always")


def decisions(script: list[list[tuple[str, tuple[Action, ...]]]]) -> list[Decision]:
    made = []
    for step, wanted in enumerate(script):
        found = []
        for number, (kind, actions) in enumerate(wanted):
            problem = Failure("invalid_input", "what is this?") if kind == "problem" else None
            found.append(Call(f"s{step}c{number}", "computer", actions, problem=problem))
        made.append(calls(*found, text="I go on." if step % 2 else ""))
    return made


@settings(max_examples=25, deadline=None)
@given(scripts)
def test_every_call_has_exactly_one_output_whatever_happens(
    script: list[list[tuple[str, tuple[Action, ...]]]],
) -> None:
    board = Board()

    async def run() -> list[dict[str, object]]:
        with tempfile.TemporaryDirectory() as home:
            agent = make_agent(
                scripted(*decisions(script), Done()),
                [board.functions("click", "move"), add, fail],
                Path(home),
            )
            results: list[dict[str, object]] = []
            # Too many answers in a row that are blank or cannot be understood end it otherwise.
            with suppress(RunError):
                async for result in agent.run("do it"):
                    results.append(result)  # type: ignore[arg-type]  # noqa: PERF401
            return results

    results = anyio.run(run)
    seen: list[str] = []
    answered: list[str] = []
    for result in results:
        for item in items_of([result]):  # type: ignore[list-item]
            kind = str(item["type"])
            if kind in ("computer_call", "function_call"):
                seen.append(str(item["call_id"]))
            elif kind.endswith("_output"):
                # The output follows its call, and is of its kind.
                assert str(item["call_id"]) in seen
                answered.append(str(item["call_id"]))
    assert sorted(seen) == sorted(answered)
    assert len(set(seen)) == len(seen)
    assert json.loads(json.dumps(results)) == results


@pytest.mark.anyio
async def test_thoughts_and_words_come_before_the_calls(tmp_path: Path) -> None:
    decision = calls(
        Call("a", "computer", (Click(1, 1),)), text="I click now.", thought="There it is."
    )
    agent = make_agent(scripted(decision, Done(True, "Clicked.")), [Board().functions()], tmp_path)
    results = await results_of(agent)
    kinds = [item["type"] for item in items_of(results)]
    assert kinds == ["reasoning", "message", "computer_call", "computer_call_output", "message"]
    reasoning, message, *_ = items_of(results)
    assert reasoning["summary"] == [{"type": "summary_text", "text": "There it is."}]
    content = [{"type": "output_text", "text": "I click now.", "annotations": []}]
    assert message["content"] == content
    assert items_of(results)[-1]["role"] == "assistant"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (calls(Call("a", "", (Done(True, "All done."),)), text="All done."), ["All done."]),
        (calls(Call("a", "", (Done(True, ""),)), text="So it is."), ["So it is."]),
        (calls(Call("a", "", (Done(True, ""),))), ["Done."]),
        (calls(Call("a", "", (Done(False, ""),))), ["It cannot be done."]),
        (
            calls(
                Call(
                    "a",
                    "",
                    (Click(1, 1), Done(True, "")),
                ),
                text="Last.",
            ),
            ["Last."],
        ),
        (calls(Call("a", "", (Done(True, "B"),)), text="A"), ["A", "B"]),
        (Decision(refusal="I must not."), ["I must not."]),
    ],
)
async def test_a_run_ends_with_the_assistants_words(
    decision: Decision, expected: list[str], tmp_path: Path
) -> None:
    agent = make_agent(scripted(decision), [Board().functions()], tmp_path)
    results = await results_of(agent)
    output = results[0]["output"]
    assert isinstance(output, list)
    said = [item["content"][0]["text"] for item in output if item["type"] == "message"]  # type: ignore[index,call-overload]
    assert said == expected
    assert output[-1]["role"] == "assistant"  # type: ignore[index,call-overload]
