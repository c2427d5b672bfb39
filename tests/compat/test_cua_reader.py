"""Reading journals that are not whole, or not as expected."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from carrel.actions import Click, Type
from carrel.codec import Json
from carrel.compat.items import Answered, Reader, Responded, Saw, Started
from carrel.decisions import Call, Decision, encode_decision
from carrel.events import Event, EventType
from carrel.intents import Ask, CallTool, encode_any

OK: dict[str, Json] = {"ok": True, "effect": "confirmed"}
BAD: dict[str, Json] = {"ok": False, "effect": "refused", "text": "no"}


class Journal:
    """Makes events, and reads them as they are made."""

    def __init__(self) -> None:
        self.reader = Reader(lambda blob: blob.encode())
        self.seq = 0

    def add(self, kind: EventType, data: Mapping[str, Json]) -> list[object]:
        self.seq += 1
        return list(self.reader.read(Event("run_x", self.seq, 1.0, kind, {"step": 1, **data})))

    def decide(self, *calls: Call) -> Responded:
        wire = encode_decision(Decision(calls=calls))
        [moment] = self.add("decision", {"decision": wire, "cost": None})
        assert isinstance(moment, Responded)
        return moment

    def result(self, call: str, index: int, result: dict[str, Json]) -> list[object]:
        return self.add("result", {"call": call, "index": index, "result": result})

    def act(self, call: str, index: int) -> list[object]:
        action = encode_any(Click(1, 1))
        return self.add("act", {"call": call, "index": index, "action": action})


def only(moments: list[object]) -> Answered:
    [moment] = moments
    assert isinstance(moment, Answered)
    return moment


def test_a_call_starts_once_and_ends_once() -> None:
    journal = Journal()
    journal.decide(Call("c", "computer", (Click(1, 1), Type("x"))))
    [started] = journal.act("c", 0)
    assert isinstance(started, Started)
    assert journal.result("c", 0, OK) == []
    assert journal.act("c", 1) == []
    answer = only(journal.result("c", 1, OK))
    assert answer.started
    assert answer.output["call_id"] == "c"
    assert journal.result("c", 1, OK) == []


def test_an_output_without_a_picture_says_so() -> None:
    journal = Journal()
    journal.decide(Call("c", "computer", (Click(1, 1),)))
    journal.act("c", 0)
    answer = only(journal.result("c", 0, OK))
    assert answer.output["output"] == {"type": "input_text", "text": "there is no picture"}
    assert answer.frame is None


def test_an_output_shows_the_frame_of_its_result() -> None:
    journal = Journal()
    for name in ("f1", "f2"):
        assert journal.add("frame", {"frame": name, "blob": f"{name}-blob"}) == [
            Saw(f"{name}-blob")
        ]
    journal.decide(Call("c", "computer", (Click(1, 1),)))
    journal.act("c", 0)
    data: dict[str, Json] = {"call": "c", "index": 0, "result": OK, "frame": "f1"}
    answer = only(journal.add("result", data))
    assert answer.frame == "f1-blob"


def test_what_was_refused_never_started() -> None:
    journal = Journal()
    journal.decide(Call("c", "computer", (Click(1, 1), Click(2, 2))))
    answer = only(journal.result("c", 0, BAD))
    assert not answer.started
    assert answer.output["error"] == "no"


def test_tools_after_a_failure_are_answered_too() -> None:
    journal = Journal()
    moment = journal.decide(Call("c", "x", (Click(1, 1), CallTool("t", {}), Ask("Well?"))))
    assert [item["type"] for item in moment.items] == [
        *("computer_call", "function_call", "function_call"),
    ]
    journal.act("c", 0)
    answers = journal.result("c", 0, BAD)
    assert len(answers) == 3
    assert [str(a.output["type"]) for a in answers if isinstance(a, Answered)] == [
        *("computer_call_output", "function_call_output", "function_call_output"),
    ]


def test_the_end_answers_what_is_open() -> None:
    journal = Journal()
    journal.decide(Call("a", "x", (Click(1, 1),)), Call("b", "x", (CallTool("t", {}),)))
    journal.act("a", 0)
    answers = journal.add("run.finished", {"status": "cancelled", "reason": "cancelled"})
    assert [a.started for a in answers if isinstance(a, Answered)] == [True, False]
    assert "cancelled" in str(answers)
    assert journal.add("run.finished", {"status": "cancelled", "reason": "cancelled"}) == []


@pytest.mark.parametrize("kind", ["run.status", "text", "ask", "answer", "note", "stuck", "plan"])
def test_other_events_say_nothing(kind: EventType) -> None:
    assert Journal().add(kind, {}) == []


def test_results_of_unknown_calls_say_nothing() -> None:
    journal = Journal()
    assert journal.result("ghost", 0, OK) == []
    assert journal.act("ghost", 0) == []
    assert journal.add("error", {"code": "model", "message": "busy"}) == []
    assert journal.add("error", {"call": "ghost", "message": "what?"}) == []
