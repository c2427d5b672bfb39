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
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.codec import Json
from carrel.events import Event, EventType
from carrel.journal import Journal
from carrel.journal.views import Moment, tell, write_html
from carrel.journal.views.atif import trajectory
from carrel.journal.views.html import _inert
from carrel.journal.views.phrases import (
    counted,
    money,
    outcome_of,
    place_words,
    result_text,
    verdict_words,
)
from synthetic_run import make_run

CASES: list[tuple[EventType, dict[str, Json], str, str, str]] = [
    ("run.started", {"task": "Buy milk", "model": "m"}, "Task", "Buy milk", ""),
    ("run.status", {"status": "paused", "by": "person"}, "The run is paused", "person", "person"),
    ("run.status", {"status": "waiting", "reason": "it"}, "The run is waiting: it", "", ""),
    ("text", {"role": "person", "text": "faster"}, "You said", "faster", "person"),
    ("text", {"role": "model", "text": "ok"}, "The model says", "ok", ""),
    ("text", {"role": "runtime", "text": "note"}, "Carrel", "note", ""),
    ("frame", {"change": {"share": 0.0}}, "The screen did not change", "", ""),
    ("frame", {"change": None}, "The screen", "", ""),
    ("frame", {"change": None, "width": 9, "height": 8}, "The screen, 9x8", "", ""),
    (
        "frame",
        {"change": {"share": 0.0375, "box": {"x": 0, "y": 770, "width": 1280, "height": 30}}},
        "The screen changed by 3.75% (1280x30 at 0, 770)",
        "",
        "",
    ),
    ("frame", {"change": {"share": 1e-6, "pixels": 1}}, "The screen changed by 1 pixel", "", ""),
    ("frame", {"change": {"share": 10**400}}, "The screen changed", "", ""),
    ("frame", {"region": {"x": 1}}, "A closer look at a part", "", ""),
    (
        "frame",
        {"region": {"x": 1, "y": 2, "width": 3, "height": 4}},
        "A closer look at 3x4 at 1, 2",
        "",
        "",
    ),
    (
        "decision",
        {"decision": {"thought": "hm"}, "cost": None},
        "The model answers without an action",
        "hm",
        "",
    ),
    ("decision", {"decision": {"refusal": "no"}}, "The model refuses", "no", "bad"),
    (
        "decision",
        {"decision": {"calls": [{"actions": [{"type": "cursor"}, {"type": "windows"}]}]}},
        "The model decides: read where the pointer is, and 1 more",
        "list the windows",
        "",
    ),
    (
        "decision",
        {"decision": {"calls": [{"name": "f", "problem": {"message": "what?"}}]}},
        "The model decides: f: not understood: what?",
        "f: not understood: what?",
        "",
    ),
    (
        "act",
        {"action": {"type": "click", "x": 1, "y": 2}, "verdict": {"verdict": "deny"}},
        "click at 1, 2",
        "denied",
        "bad",
    ),
    ("result", {"result": {"ok": True, "text": "fine"}}, "Delivered", "fine", ""),
    (
        "result",
        {"result": {"ok": False, "error": {"message": "gone"}}},
        "Failed",
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
    (
        "ask",
        {"kind": "rule", "words": "run rm x", "question": "it deletes"},
        "A person is asked: run rm x",
        "it deletes",
        "person",
    ),
    (
        "ask",
        {"kind": "question", "words": "ask: which?", "question": "which?"},
        "The model asks a person",
        "which?",
        "person",
    ),
    ("answer", {"choice": "yes", "by": "you"}, "The answer of you: yes", "", "person"),
    ("answer", {"text": "the red one"}, "The answer", "the red one", "person"),
    ("note", {"text": "red"}, "Note", "red", ""),
    ("plan", {"steps": ["a"]}, "Plan", '{"steps": ["a"]}', ""),
    ("memory", {"k": "v"}, "Memory", '{"k": "v"}', ""),
    ("machine", {"state": "lost"}, "The machine", "lost", ""),
    ("stuck", {"rung": "hint", "repeats": 3}, "It is going in circles", "hint", "bad"),
    ("error", {"message": "busy", "wait": 2.0}, "Something went wrong", "busy", "bad"),
    ("run.finished", {"status": "succeeded", "text": "42"}, "The run succeeded", "42", "good"),
    ("run.finished", {"status": "cancelled"}, "The run was cancelled", "", "bad"),
    (
        "run.finished",
        {"status": "cancelled", "reason": "cancelled", "message": "cancelled by you"},
        "The run was cancelled by you",
        "",
        "bad",
    ),
    (
        "run.finished",
        {"status": "failed", "reason": "gave_up", "message": "too hard"},
        "The run failed (gave_up)",
        "too hard",
        "bad",
    ),
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
        ("0", "$0.0000"),
        ("0.00001", "under $0.0001"),
        ("0.01234", "$0.0123"),
        ("1", "$1.0000"),
        ("12.345", "$12.3450"),
    ],
)
def test_money_in_words(amount: str | None, words: str) -> None:
    assert money(None if amount is None else Decimal(amount)) == words


RESULTS: list[tuple[dict[str, Json], str, str]] = [
    ({"ok": True, "effect": "confirmed"}, "done", "good"),
    ({"ok": True, "effect": "unverifiable"}, "delivered", ""),
    (
        {"ok": True, "effect": "suspected_noop"},
        "delivered, the screen did not change",
        "doubt",
    ),
    ({"ok": True, "effect": "confirmed", "data": {"exit": 0}}, "exited with 0", "good"),
    ({"ok": True, "effect": "confirmed", "data": {"exit": 3}}, "exited with 3", "doubt"),
    (
        {"ok": True, "effect": "confirmed", "data": {"exit": None, "signal": 9}},
        "ended by signal 9 (SIGKILL)",
        "doubt",
    ),
    ({"ok": True, "data": {"signal": 4000}}, "ended by signal 4000", "doubt"),
    ({"ok": False, "effect": "refused", "error": {"code": "refused"}}, "refused", "bad"),
    ({"ok": False, "effect": "refused", "error": {"code": "not_found"}}, "failed", "bad"),
    ({"ok": False, "error": {"code": "interrupted"}}, "interrupted", "bad"),
    ({}, "failed", "bad"),
]


@pytest.mark.parametrize(("result", "words", "tone"), RESULTS)
def test_an_outcome_says_no_more_than_was_observed(
    result: dict[str, Json], words: str, tone: str
) -> None:
    found = outcome_of(result)
    assert (found.words, found.tone) == (words, tone)
    assert bool(found.why) == (tone == "bad")


def test_a_result_names_its_action_even_when_it_was_never_begun() -> None:
    calls: Json = [
        {"id": "c", "actions": [{"type": "cursor"}, {"type": "delete_file", "path": "x"}]}
    ]
    refused: dict[str, Json] = {"ok": False, "error": {"code": "refused", "message": "files stay"}}
    events = [
        Event("r", 0, 0.0, "decision", {"decision": {"calls": calls}}),
        Event("r", 1, 1.0, "result", {"call": "c", "index": 1, "result": refused}),
    ]
    moment = list(tell(events))[1]
    assert (moment.title, moment.outcome) == ("Refused: delete x", "refused")
    assert moment.lines[0] == ("why", "files stay")


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (
            {"text": "out\n", "data": {"stdout": "out\n", "stderr": "bad", "exit": 1}},
            "out\n[stderr]\nbad",
        ),
        ({"data": {"text": "a file", "size": 6, "truncated": False}}, "a file"),
        ({"data": {"text": "a fi", "truncated": True}}, "a fi\n[the rest was cut off]"),
        ({"data": {"entries": [{"name": "x"}], "truncated": False}}, '"name": "x"'),
        ({"data": {"exit": 3, "signal": None, "stdout": "", "stderr": ""}}, ""),
    ],
)
def test_all_of_a_result_can_be_read(result: dict[str, Json], text: str) -> None:
    found = result_text(result)
    assert text in found
    assert bool(found) == bool(text)


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (("allow", "stuck", ""), "allowed"),
        (("allow", "rule", "isolated machine"), "allowed by rule: isolated machine"),
        (("allow", "rule", "allowed by ann (it deletes)"), "asked and allowed by ann (it deletes)"),
        (("deny", "rule", "refused by ann (no)"), "asked and refused by ann (no)"),
        (("deny", "rule", "files stay"), "denied by rule: files stay"),
        (("deny", "limits", "it is late"), "denied: it is late"),
    ],
)
def test_a_verdict_in_plain_words(verdict: tuple[str, str, str], words: str) -> None:
    names = ("verdict", "stage", "reason")
    assert verdict_words(dict(zip(names, verdict, strict=True))) == words


def test_a_machine_and_a_number_in_words() -> None:
    machine: dict[str, Json] = {"isolation": "process", "name": "desk", "provider": "namespace"}
    assert place_words(machine) == "desk (namespace, process)"
    assert [place_words({"name": "desk"}), place_words({})] == ["desk", ""]
    assert [counted(1, "step"), counted(2, "step")] == ["1 step", "2 steps"]


KEYS = st.sampled_from(
    [
        *("result", "data", "error", "exit", "signal", "text", "decision", "calls", "actions"),
        *("change", "share", "pixels", "box", "width", "x", "verdict", "cost", "seconds"),
        *("call", "index", "status", "message", "reason", "repeats", "region", "machine", "words"),
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(get_args(EventType)), st.dictionaries(KEYS, JSON, max_size=5))
def test_whatever_an_event_holds_can_be_told(kind: EventType, data: dict[str, Json]) -> None:
    events = [Event("r", 0, 1.0, kind, data)]
    (moment,) = tell(events)
    assert moment.title
    trajectory(events)


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


def observed(result: dict[str, Json]) -> dict[str, Json]:
    steps = steps_of(("decision", DECISION), ("result", {"call": "c1", "result": result}))
    return steps[0]["observation"]["results"][0]  # type: ignore[index,call-overload,return-value]


def test_what_a_result_holds_is_in_its_observation() -> None:
    file: dict[str, Json] = {"ok": True, "effect": "confirmed", "data": {"text": "abc", "size": 3}}
    assert observed(file)["content"] == "abc"
    listed: dict[str, Json] = {"entries": [{"name": "a.txt"}]}
    assert "a.txt" in str(observed({"ok": True, "data": listed})["content"])
    shell: dict[str, Json] = {"exit": 3, "signal": None, "stdout": "hi\n", "stderr": ""}
    found = observed({"ok": True, "effect": "confirmed", "text": "hi\n", "data": shell})
    assert found["content"] == "hi\n[exited with 3]"
    assert found["extra"] == {"effect": "confirmed", "exit": 3, "signal": None}
    noop = observed({"ok": True, "effect": "suspected_noop", "data": {}})
    assert noop["content"] == "delivered, the screen did not change"
    refused = observed({"ok": False, "error": {"code": "refused", "message": "files stay"}})
    assert refused["content"] == "refused: files stay"


def test_a_long_observation_is_cut_and_says_so() -> None:
    found = str(
        observed({"ok": True, "effect": "confirmed", "data": {"text": "x" * 50_000}})["content"]
    )
    assert len(found) < 21_000
    assert found.endswith("[30000 more characters left out]")
