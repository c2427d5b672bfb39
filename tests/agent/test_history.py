from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from carrel.actions import Click
from carrel.agent.history import FOLD, KEEP_TURNS, History
from carrel.decisions import Call, Decision
from carrel.geometry import Size
from carrel.models.context import Outcome
from carrel.models.picture import Picture
from carrel.results import Effect, Result

SCREEN = Size(100, 80)
OK = Result(True, Effect.CONFIRMED)


def picture(name: str) -> Picture:
    return Picture(name, SCREEN, lambda: b"")


def add(history: History, number: int, calls: int = 1) -> None:
    made = tuple(Call(f"c{number}.{n}", "x", (Click(n, number % 80),)) for n in range(calls))
    outcomes = tuple(Outcome(c.id, "done", (OK,), picture(c.id)) for c in made)
    history.close(Decision(calls=made), outcomes)


@given(st.lists(st.integers(0, 4), max_size=200), st.integers(1, 5))
def test_every_call_keeps_its_outcome_and_pictures_are_the_newest(
    sizes: list[int], keep: int
) -> None:
    history = History("task", SCREEN, keep_pictures=keep)
    history.begin(picture("first"))
    for number, calls in enumerate(sizes):
        add(history, number, calls)
    context = history.context()
    kept = [context.first] if context.first else []
    for turn in context.turns:
        assert turn.decision is not None
        assert [call.id for call in turn.decision.calls] == [o.call for o in turn.outcomes]
        kept += [outcome.picture for outcome in turn.outcomes if outcome.picture]
    assert len(kept) <= max(keep, 1)
    assert len(context.turns) < KEEP_TURNS + FOLD
    assert context.decided == len(sizes)
    names = ["first", *(f"c{n}.{c}" for n, calls in enumerate(sizes) for c in range(calls))]
    assert [p.id for p in kept if p] == names[-len(kept) :]


def test_what_is_folded_is_told_in_a_line_each_and_bounded() -> None:
    history = History("task", SCREEN)
    for number in range(5000):
        add(history, number)
    context = history.context()
    assert len(context.summary) < 25_000
    assert "steps before that are left out" in context.summary
    assert ". click" in context.summary


def test_notes_are_never_folded_away() -> None:
    history = History("task", SCREEN)
    history.note("the door code is 7")
    for number in range(500):
        add(history, number)
    assert "the door code is 7" in history.context().summary


def test_words_of_the_person_stand_after_the_turn_they_followed() -> None:
    history = History("task", SCREEN)
    history.say("hello")
    add(history, 0)
    history.say("stop that")
    turns = history.context().turns
    assert turns[0].decision is None
    assert turns[0].said == ("hello",)
    assert turns[1].said == ("stop that",)
