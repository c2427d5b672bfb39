"""A turn is told once and sent again; whatever changes it tells it anew."""

from __future__ import annotations

from dataclasses import replace

from carrel.actions import Click
from carrel.decisions import Call, Decision
from carrel.geometry import Size
from carrel.models.context import Context, Outcome, Turn
from carrel.models.dialects.openai_computer import OpenAIComputer
from carrel.models.dialects.openai_preview import OpenAIPreview
from carrel.results import Effect, Result

DONE = (Result(True, Effect.CONFIRMED),)


def turn(text: str = "clicked") -> Turn:
    call = Call("call_1", "computer", (Click(1900, 1000),))
    return Turn(Decision((call,)), (Outcome("call_1", text, DONE),))


def context(told: Turn, screen: Size = Size(1920, 1080)) -> Context:  # noqa: B008 (frozen)
    return Context("a task", screen, turns=(told,), decided=1)


def test_a_turn_told_before_is_told_as_if_for_the_first_time() -> None:
    told = turn()
    for dialect in (OpenAIPreview(), OpenAIComputer(), OpenAIPreview()):
        first = dialect.encode("m", context(turn())).body
        assert dialect.encode("m", context(told)).body == first
        assert dialect.encode("m", context(told)).body == first


def test_another_screen_another_place_or_another_outcome_is_told_anew() -> None:
    told, dialect = turn(), OpenAIPreview()
    dialect.encode("m", context(told))
    smaller = Size(2560, 1440)
    assert (
        dialect.encode("m", context(told, smaller)).body
        == dialect.encode("m", context(turn(), smaller)).body
    )
    later = replace(context(told), decided=7)
    assert dialect.encode("m", later).body != dialect.encode("m", context(told)).body
    changed = replace(told, outcomes=(Outcome("call_1", "refused", ()),))
    assert "refused" in str(dialect.encode("m", context(changed)).body)
    assert changed.memo is not told.memo
    assert replace(told) == told
