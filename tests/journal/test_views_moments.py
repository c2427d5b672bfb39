"""Every event in words, and where it took place."""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.codec import Json
from carrel.events import Event, EventType
from carrel.journal import Journal
from carrel.journal.views import Moment, tell, write_html
from carrel.journal.views.atif import trajectory
from carrel.journal.views.html import _inert
from carrel.journal.views.moments import money
from synthetic_run import make_run

CASES: list[tuple[EventType, dict[str, Json], str, str, str]] = [
    ("run.started", {"task": "Buy milk", "model": "m"}, "Task", "Buy milk", ""),
    ("run.status", {"status": "paused", "by": "person"}, "The run is paused", "person", "person"),
    ("text", {"role": "person", "text": "faster"}, "You said", "faster", "person"),
    ("text", {"role": "model", "text": "ok"}, "The model says", "ok", ""),
    ("text", {"role": "runtime", "text": "note"}, "Carrel", "note", ""),
    ("frame", {"change": {"share": 0.0}}, "The screen did not change", "", ""),
    ("frame", {"change": None}, "The screen", "", ""),
    ("frame", {"region": {"x": 1}}, "A closer look", "", ""),
    ("decision", {"decision": {"thought": "hm"}, "cost": None}, "The model decides", "hm", ""),
    ("decision", {"decision": {"refusal": "no"}}, "The model decides", "no", "bad"),
    (
        "decision",
        {"decision": {"calls": [{"name": "f", "problem": {"message": "what?"}}]}},
        "The model decides",
        "f: not understood: what?",
        "",
    ),
    (
        "act",
        {"action": {"type": "click", "x": 1, "y": 2}, "verdict": {"verdict": "deny"}},
        "click at 1, 2",
        "deny",
        "bad",
    ),
    ("result", {"result": {"ok": True, "text": "fine"}}, "It was done", "fine", "good"),
    (
        "result",
        {"result": {"ok": False, "error": {"message": "gone"}}},
        "It failed",
        "gone",
        "bad",
    ),
    (
        "ask",
        {"question": "May I?", "choices": ["yes", "no"]},
        "A person is asked",
        "yes, no",
        "person",
    ),
    ("answer", {"choice": "yes", "by": "you"}, "The answer", "yes", "person"),
    ("note", {"text": "red"}, "Note", "red", ""),
    ("plan", {"steps": ["a"]}, "Plan", '{"steps": ["a"]}', ""),
    ("memory", {"k": "v"}, "Memory", '{"k": "v"}', ""),
    ("machine", {"state": "lost"}, "The machine", "lost", ""),
    ("stuck", {"rung": "hint", "repeats": 3}, "It is going in circles", "hint", "bad"),
    ("error", {"message": "busy", "wait": 2.0}, "Something went wrong", "busy", "bad"),
    ("run.finished", {"status": "succeeded", "text": "42"}, "The run succeeded", "42", "good"),
    ("run.finished", {"status": "cancelled"}, "The run was cancelled", "", "bad"),
]


@pytest.mark.parametrize(("kind", "data", "title", "words", "tone"), CASES)
def test_an_event_in_words(
    kind: EventType, data: dict[str, Json], title: str, words: str, tone: str
) -> None:
    (moment,) = tell([Event("r", 0, 1.0, kind, data)])
    assert (moment.title, moment.tone) == (title, tone)
    assert words in " | ".join(text for _, text in moment.lines)


def moments_of(*actions: dict[str, Json]) -> list[Moment]:
    events = [Event("r", 0, 1.0, "frame", {"blob": "b", "width": 100, "height": 80})]
    events += [
        Event("r", seq, float(seq), "act", {"action": action})
        for seq, action in enumerate(actions, 1)
    ]
    return list(tell(events))[1:]


def test_what_is_typed_is_marked_where_the_pointer_last_was() -> None:
    moments = moments_of(
        {"type": "type", "text": "a"},
        {"type": "click", "x": 5, "y": 6},
        {"type": "type", "text": "b"},
        {"type": "drag", "path": [{"x": 1, "y": 1}, {"x": 9, "y": 8}]},
        {"type": "key", "keys": ["enter"]},
        {"type": "shell", "command": "ls"},
    )
    assert [[mark.points for mark in moment.marks] for moment in moments] == [
        [((50, 40),)],
        [((5, 6),)],
        [((5, 6),)],
        [((1, 1), (9, 8))],
        [((9, 8),)],
        [],
    ]
    assert [mark.kind for moment in moments for mark in moment.marks] == [
        *("text", "click", "text", "drag", "text"),
    ]


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (None, "unknown"),
        ("0", "$0.00"),
        ("0.01234", "$0.0123"),
        ("1", "$1.00"),
        ("12.345", "$12.34"),
    ],
)
def test_money_in_words(amount: str | None, words: str) -> None:
    assert money(None if amount is None else Decimal(amount)) == words


def test_cost_adds_up_and_becomes_unknown_for_good() -> None:
    events = [
        Event("r", seq, float(seq), "decision", {"decision": {}, "cost": cost})
        for seq, cost in enumerate(["0.1", "0.2", None, "0.3"])
    ]
    assert [moment.cost for moment in tell(events)] == [Decimal("0.1"), Decimal("0.3"), None, None]


@given(st.recursive(st.text(st.characters(exclude_categories=())), st.lists, max_leaves=6))
def test_what_goes_into_the_page_is_inert_and_unchanged(value: object) -> None:
    text = _inert(value)
    assert text.isascii()
    assert not set("<>&") & set(text)
    assert json.loads(text) == value


def test_the_policy_allows_exactly_the_script_and_style_of_the_page(tmp_path: Path) -> None:
    file = io.BytesIO()
    write_html(make_run(tmp_path, 1), file, home=tmp_path)
    page = file.getvalue().decode()
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None
    policy = dict(part.split(" ", 1) for part in html.unescape(found[1]).split("; "))
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert policy[rule] == f"'sha256-{digest}'"
    assert policy["default-src"] == "'none'"
    assert policy["img-src"] == "data:"
    assert "unsafe" not in found[1]
    assert "innerHTML" not in page
    assert "eval" not in re.sub(r'<script type="application/json".*?</script>', "", page)


def test_a_page_can_be_made_of_a_run_that_has_hardly_begun(tmp_path: Path) -> None:
    Journal.create("run_1", home=tmp_path).close()
    file = io.BytesIO()
    write_html("run_1", file, home=tmp_path)
    assert b'"moments":[]' in file.getvalue()


# What a trajectory makes of the less usual events


def steps_of(*items: tuple[EventType, dict[str, Json]]) -> list[dict[str, Json]]:
    events = [Event("r", seq, float(seq), kind, data) for seq, (kind, data) in enumerate(items)]
    steps = trajectory(events)["steps"]
    assert isinstance(steps, list)
    return steps  # type: ignore[return-value]


DECISION: dict[str, Json] = {
    "step": 1,
    "decision": {"text": "", "calls": [{"id": "c1", "name": "computer", "actions": []}]},
    "cost": None,
}


def test_what_a_person_says_is_a_user_step() -> None:
    steps = steps_of(
        ("run.started", {"task": "go", "instructions": "be kind"}),
        ("text", {"role": "person", "text": "faster"}),
        ("text", {"role": "runtime", "text": "look again"}),
        ("text", {"role": "model", "text": "said in its decision already"}),
    )
    assert [(step["source"], step["message"]) for step in steps] == [
        ("system", "be kind"),
        ("user", "go"),
        ("user", "faster"),
        ("system", "look again"),
    ]


def test_a_denied_action_is_what_its_call_led_to() -> None:
    steps = steps_of(
        ("decision", DECISION),
        ("act", {"call": "c1", "verdict": {"verdict": "deny", "reason": "not here"}}),
    )
    assert steps[0]["observation"] == {
        "results": [{"source_call_id": "c1", "content": "denied: not here"}]
    }


def test_a_picture_belongs_to_the_call_before_it_or_to_none() -> None:
    frame: dict[str, Json] = {"width": 10, "height": 20, "frame": "f"}
    steps = steps_of(
        ("frame", frame),
        ("decision", DECISION),
        ("result", {"call": "c1", "result": {"ok": True}}),
        ("frame", frame),
    )
    first, second = (step["observation"]["results"] for step in steps)  # type: ignore[index,call-overload]
    assert first == [{"source_call_id": None, "content": "screenshot 10x20"}]
    assert [result["source_call_id"] for result in second] == ["c1", "c1"]  # type: ignore[index,call-overload,union-attr]


def test_a_question_does_not_part_a_decision_from_its_results() -> None:
    steps = steps_of(
        ("decision", DECISION),
        ("ask", {"ask": "a", "question": "May I?"}),
        ("answer", {"ask": "a", "choice": "yes"}),
        ("result", {"call": "c1", "result": {"ok": True, "text": "done"}}),
    )
    assert [step["source"] for step in steps] == ["agent", "system", "user"]
    assert "done" in json.dumps(steps[0]["observation"])
