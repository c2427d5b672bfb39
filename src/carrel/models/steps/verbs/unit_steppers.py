"""Numbers with a unit or of larger steps between a minus and a plus: `Work phase − 25 min +`."""

from __future__ import annotations

from carrel.actions import Click
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.sorts_of_value import words_of
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.phrases.small_words import GRAMMAR
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.program import SetValue
from carrel.models.steps.shown.counters import Counted, counters_in
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.counters import refuse_other_way
from carrel.models.steps.verbs.sliding import number_in

__all__ = ["has_signs", "step_by_signs"]

MOST = 60
"""Presses in one go."""
_COUNTS = frozenset(stems("number amount count quantity value level setting of"))
_SORTS: tuple[frozenset[str], ...] = (
    frozenset({"min", "mins", "minute", "minutes", "分钟"}),
    frozenset({"h", "hr", "hrs", "hour", "hours", "小时"}),
    frozenset({"s", "sec", "secs", "second", "seconds", "秒"}),
    frozenset({"day", "days", "天"}),
    frozenset({"week", "weeks", "周"}),
    frozenset({"g", "gram", "grams", "克"}),
    frozenset({"kg", "kilo", "kilos", "kilogram", "kilograms", "公斤", "千克"}),
    frozenset({"ml", "毫升"}),
    frozenset({"l", "litre", "litres", "liter", "liters", "升"}),
)


def has_signs(desk: Desk, phrase: str) -> bool:
    """Whether just one number of that name stands between a minus and a plus."""
    return _called(desk, phrase) is not None


def step_by_signs(desk: Desk, step: SetValue) -> Turns[bool]:
    """Press the minus or the plus at the number that is meant until it shows the value.

    Raises:
        Missed: It does not come to stand there.
    """
    wanted = number_in(step.value)
    if step.what is None or wanted is None:
        return False
    now = _called(desk, step.what)
    if now is None or _differ(now.unit, step.value):
        return False
    wanted += now.value if step.relative else 0
    desk.worked = now.number.box
    for _ in range(MOST):
        if now.value == wanted:
            return True
        before = now.value
        refuse_other_way(desk, step.what, before, wanted)
        button = now.more if wanted > before else now.less
        assert button.box is not None
        at = button.box.center
        yield from desk.do(Click(at.x, at.y), why=f"{before:g}, and {wanted:g} is wanted")
        now = yield from _changed(desk, step.what, before)
        if (before < wanted < now.value) or (now.value < wanted < before):
            raise Missed(f"{step.what} goes from {before:g} to {now.value:g}, over {wanted:g}")
    raise Missed(f"{step.what} is still {now.value:g} after {MOST} presses")


def _changed(desk: Desk, phrase: str, before: float) -> Turns[Counted]:
    for pause in (0.0, 0.2, 0.5):
        if pause:
            yield from desk.again(pause, why="what it shows now")
        now = _called(desk, phrase)
        if now is not None and now.value != before:
            return now
    raise Missed(f"{phrase} stays at {before:g} although its button was pressed")


def _called(desk: Desk, phrase: str) -> Counted | None:
    """The one number of that name: all of it, or else with the words that are said in it."""
    counters = counters_in(part_meant(desk.elements, ""))
    words = {s for s in stems(phrase) if s not in GRAMMAR} - _COUNTS
    if not words:
        return None
    told = [({stem for text in one.beside for stem in stems(text)}, one) for one in counters]
    alone = [[set(stems(text)) for text in one.beside] for one in counters]
    ways = (
        [one for one, texts in zip(counters, alone, strict=True) if words in texts],
        [one for said, one in told if words <= said],
        [
            one
            for one, texts in zip(counters, alone, strict=True)
            if any(t and t <= words for t in texts)
        ],
    )
    for fitting in ways:
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None


def _differ(unit: str, value: str) -> bool:
    """Whether a value is told in another unit than the number is shown in."""
    said, shown = set(words_of(value)), set(words_of(unit))
    mine = [n for n, sort in enumerate(_SORTS) if said & sort]
    its = [n for n, sort in enumerate(_SORTS) if shown & sort]
    return bool(mine and its) and mine != its
