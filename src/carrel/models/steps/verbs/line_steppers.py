"""Numbers that a plus and a minus beside them change, in the line of what they count."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import LESS, MORE
from carrel.models.steps.finding.held_with import QUANTITY_OF
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.phrases.small_words import GRAMMAR
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.program import SetValue
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.counters import refuse_other_way
from carrel.models.steps.verbs.sliding import number_in
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["step_in_line"]

MOST = 30
"""Clicks at most."""
HIGH = 120
"""Pixels that a line may be high."""
_Line = tuple[Element, Element, Element]
"""What takes one away from a number, the number, and what adds one to it."""


def step_in_line(desk: Desk, step: SetValue) -> Turns[bool]:
    """Bring the number in the line of a thing to a value; whether there is such a number.

    Raises:
        Missed: It does not come to stand there.
    """
    said = QUANTITY_OF.fullmatch((step.what or "").strip())
    wanted = number_in(step.value)
    if said is None or step.relative or wanted is None or wanted < 0:
        return False
    name = next(filter(None, said.groups()))
    line = _line_of(desk, name)
    if line is None:
        return False
    for _ in range(MOST):
        less, shown, more = line
        now = number_in(written_on(shown))
        if now is None:
            return False
        if now == wanted:
            return True
        refuse_other_way(desk, name, now, wanted)
        button = more if now < wanted else less
        assert button.box is not None
        at = button.box.center
        yield from desk.do(Click(at.x, at.y), why=f"from {now:g} to {wanted:g}")
        for pause in (0.0, 0.3, 0.6):
            if pause:
                yield from desk.again(pause, why="what it stands at")
            line = _line_of(desk, name)
            if line is not None and number_in(written_on(line[1])) != now:
                break
        if line is None or number_in(written_on(line[1])) == now:
            raise Missed(f"the number of {name} still stands at {now:g} after a click")
    raise Missed(f"the number of {name} does not come to {wanted:g}")


def _line_of(desk: Desk, name: str) -> _Line | None:
    """The minus, the number and the plus in the line of a thing; None where it has not just one."""
    match = resolve(desk, look_for(desk, wished(name), want="read"))
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    if match is not None and (line := _beside(match.element, shown)) is not None:
        return line
    # People say a part of a longer name: only one line may say all of that.
    words = {stem for stem in stems(name) if stem not in GRAMMAR}
    saying = [e for e in shown if words and words <= set(stems(written_on(e)))]
    lines = [line for e in saying if (line := _beside(e, shown)) is not None]
    return lines[0] if len({line[0].box for line in lines}) == 1 else None


def _beside(thing: Element, shown: Sequence[Element]) -> _Line | None:
    at = thing.box
    if at is None or at.height > HIGH:
        return None
    beside = [e for e in shown if e.box and abs(e.box.center.y - at.center.y) <= at.height]
    less = [e for e in beside if _is_button(e, LESS)]
    more = [e for e in beside if _is_button(e, MORE)]
    if len(less) != 1 or len(more) != 1 or less[0].box is None or more[0].box is None:
        return None
    left, right = less[0].box.right, more[0].box.x
    between = [e for e in beside if e.box and left <= e.box.center.x <= right]
    numbers = [e for e in between if kind_of(e) is Kind.TEXT and re.fullmatch(r"\d+", _said(e))]
    if any(is_field(e) or kind_of(e) is Kind.SPINNER for e in between):
        return None
    places = {e.box for e in numbers}
    return (less[0], numbers[0], more[0]) if len(places) == 1 else None


def _is_button(element: Element, words: re.Pattern[str]) -> bool:
    return (
        kind_of(element) in (Kind.BUTTON, Kind.LINK)
        and not is_disabled(element)
        and words.fullmatch(_said(element)) is not None
    )


def _said(element: Element) -> str:
    return written_on(element).strip()
