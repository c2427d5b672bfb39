"""What events amount to."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrel import actions
from carrel.decisions import Usage
from carrel.events import EVENT_TYPES, Event
from carrel.journal import EndReason, Run, Status, fold, load_run, read_events
from carrel.journal.run import Folding
from carrel.journal.views import tell
from carrel.journal.views.atif import trajectory
from synthetic_run import ask_entry, decision_entry, entries, make_run, started


def events_of(steps: int = 4, cost: str | None = "0.01") -> list[Event]:
    return [
        Event("run_1", seq, 1000.0 + seq, kind, data, blobs)
        for seq, (kind, data, blobs) in enumerate(entries(steps, cost=cost))
    ]


def test_a_run_is_all_its_events_say(tmp_path: Path) -> None:
    run = load_run(make_run(tmp_path, 4), tmp_path)
    assert run.task == "Fill in the form"
    assert (run.model, run.dialect) == ("openai:gpt-5.4", "openai-computer")
    assert (run.status, run.reason, run.end) == (Status.SUCCEEDED, "done", EndReason.DONE)
    assert run.steps == 5
    assert run.usage == Usage(5000, 1000, 0, 250, 50)
    assert run.cost == Decimal("0.0615")
    assert run.text == "All filled in."
    assert run.machine["name"] == "desk"
    assert run.notes == ("the form has two pages",)
    assert (run.asks, run.unfinished, run.errors, run.attempts) == ((), (), 1, 1)
    assert run.is_final
    assert run.ended is not None
    assert str(run.screen) == "320x200"


def test_a_cost_that_is_not_known_is_never_a_number() -> None:
    events = events_of(cost=None)
    assert fold(events).cost is None
    assert fold(events[:-1]).cost is None
    assert fold(events[:2]).cost == 0
    mixed = [*events_of(1)[:3], events_of(1, None)[2]]
    assert fold(mixed).cost is None
    assert fold(mixed).known_cost == Decimal("0.01")


def test_every_prefix_folds_and_is_told(tmp_path: Path) -> None:
    events = list(read_events(make_run(tmp_path, 8), tmp_path))
    for length in range(len(events) + 1):
        run = fold(events[:length])
        assert run.events == length
        assert run.is_final == (length == len(events))
        assert len(list(tell(events[:length]))) == length
        if length:
            assert trajectory(events[:length])["steps"]


def test_an_act_without_a_result_is_unfinished() -> None:
    events = events_of(2)
    act = next(event for event in events if event.kind == "act")
    run = fold(events[: act.seq + 1])
    assert [item.words for item in run.unfinished] == ["click at 40, 50"]
    assert run.unfinished[0].request == act.data["request"]
    assert fold(events[: act.seq + 2]).unfinished == ()


def test_a_denied_act_is_not_unfinished() -> None:
    events = events_of(1)
    act = next(event for event in events if event.kind == "act")
    denied = Event("run_1", 9, 1.0, "act", {**act.data, "verdict": {"verdict": "deny"}})
    assert fold([denied]).unfinished == ()


def test_questions_stay_open_until_they_are_answered_or_the_run_ends() -> None:
    events = events_of(2)
    ask = next(event for event in events if event.kind == "ask")
    run = fold(events[: ask.seq + 1])
    assert [(item.ask, item.question, item.choices) for item in run.asks] == [
        ("ask_1", "Send the form?", ("yes", "no"))
    ]
    assert fold(events[: ask.seq + 2]).asks == ()
    other = Event("run_1", 99, 2000.0, *ask_entry("ask_2")[:2])
    assert len(fold([*events[:-1], other]).asks) == 1
    assert fold([*events[:-1], other, events[-1]]).asks == ()


def test_a_resumed_run_has_not_ended_and_idle_time_does_not_count() -> None:
    events = events_of(2)
    later = events[-1].at + 10_000
    resumed = Event("run_1", 90, later, "run.status", {"status": "running", "reason": "resumed"})
    run = fold([*events, resumed])
    assert (run.status, run.ended, run.attempts, run.end) == (Status.RUNNING, None, 2, None)
    assert run.seconds == len(events) - 1
    assert run.steps == 3
    paused = Event("run_1", 91, later + 5, "run.status", {"status": "paused", "by": "person"})
    assert fold([*events, resumed, paused]).status == Status.PAUSED
    assert fold([*events, resumed, paused]).seconds == len(events) + 4


def test_a_fold_can_go_on() -> None:
    folding = Folding()
    for event in events_of(3):
        folding.add(event)
    assert folding.run() == fold(events_of(3)) or folding.run().steps == fold(events_of(3)).steps


def test_no_events_are_a_queued_run() -> None:
    assert fold([]) == Run()
    assert fold([]).status == Status.QUEUED


def test_every_reason_has_a_status_to_end_in() -> None:
    assert {reason.status for reason in EndReason} == {
        Status.SUCCEEDED,
        Status.FAILED,
        Status.REFUSED,
        Status.CANCELLED,
    }
    assert EndReason.DONE.status == Status.SUCCEEDED
    assert EndReason.STEP_LIMIT.status == Status.FAILED


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=4,
)
KEYS = sorted({key for event in events_of(3) for key in event.data} | {"x", "y", "path", "type"})
HOSTILE = st.dictionaries(
    st.sampled_from(KEYS), JSON | st.dictionaries(st.sampled_from(KEYS), JSON)
)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.sampled_from(EVENT_TYPES), HOSTILE), max_size=8))
def test_nothing_an_event_holds_makes_a_view_raise(items: list[tuple[str, dict]]) -> None:
    events = [
        Event("run_1", seq, float(seq), kind, data)  # type: ignore[arg-type]
        for seq, (kind, data) in enumerate(items)
    ]
    fold(events)
    list(tell(events))
    trajectory(events, pictures="images")


def test_a_started_run_is_running() -> None:
    kind, data, _ = started("x")
    assert fold([Event("r", 0, 1.0, kind, data)]).status == Status.RUNNING
    kind, data, _ = decision_entry(1, (actions.Wait(1.0),), "", "0.5")
    assert fold([Event("r", 1, 2.0, kind, data)]).cost == Decimal("0.5")
