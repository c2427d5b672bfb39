"""Choosing among offers by what they say: the cheapest, the shortest, the earliest."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.entries import told_of
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.models.steps.shown.panes import bring_into_view
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["Best", "best_of", "read_duration", "read_money", "refuse_other_sort", "take_best"]

LOOKS = (0.3, 0.6, 1.0)
"""Seconds between looks for offers that are still being fetched."""


@dataclass(frozen=True, slots=True)
class Best:
    """What makes one offer the best.

    Attributes:
        measure: `money`, `duration`, `time` or `number`.
        most: The greatest is the best, not the least.
    """

    measure: str
    most: bool


_BEST: Mapping[str, Best] = {
    r"cheapest|least expensive|lowest[- ]priced?|lowest (?:price|cost|fare)|最便宜": Best(
        "money", most=False
    ),
    r"most expensive|dearest|priciest|highest (?:price|cost|fare)|costliest|最贵": Best(
        "money", most=True
    ),
    r"shortest|quickest|fastest|least time|最短|最快": Best("duration", most=False),
    r"longest|slowest|最长|最慢": Best("duration", most=True),
    r"earliest|最早": Best("time", most=False),
    r"latest|最晚": Best("time", most=True),
}
_MONEY = re.compile(
    r"[$€£¥]\s*(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s*(?:[€£¥]|usd|eur|dollars)"
)
_DURATION = re.compile(
    r"(?:(\d+)\s*d(?:ays?)?\b\s*)?(?:(\d+)\s*h(?:(?:ou)?rs?)?\b\s*)?(?:(\d+)\s*m(?:in(?:ute)?s?)?\b)?",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"\b(\d{1,2}):(\d\d)\s*([ap]\.?m\.?)?|\b(\d{1,2})\s*([ap]\.?m\.?)", re.IGNORECASE
)


def best_of(phrase: str) -> Best | None:
    """What a phrase says makes one the best; None where it says nothing of the kind."""
    for words, best in _BEST.items():
        if re.search(rf"\b(?:{words})|(?:{words})", phrase, re.IGNORECASE):
            return best
    return None


def refuse_other_sort(desk: Desk, phrase: str) -> None:
    """Stop where a phrase names what the page says nothing of: the best of others is none of it.

    Raises:
        Missed: It does.
    """
    told, page = told_of(phrase), part_meant(desk.elements, "")
    if told is None or told.best is None:
        return
    said = {word for e in page for word in stems(f"{written_on(e)} {e.hint}")}
    # What sort of thing is offered a page need not say.
    left = told.words - said - {stem(told.noun)}
    if left:
        raise Missed(f"nothing that is shown says {' and '.join(sorted(left))}")


def read_money(text: str) -> float | None:
    """The first price in a text."""
    found = _MONEY.search(text)
    return float((found[1] or found[2]).replace(",", "")) if found else None


def read_duration(text: str) -> float | None:
    """The first stretch of time in a text, in minutes."""
    for found in _DURATION.finditer(text):
        days, hours, minutes = (int(part) if part else 0 for part in found.groups())
        if any(found.groups()):
            return float(days * 1440 + hours * 60 + minutes)
    return None


def _read_clock(text: str) -> float | None:
    found = _CLOCK.search(text)
    if found is None:
        return None
    hour, minute = int(found[1] or found[4]), int(found[2] or 0)
    half = (found[3] or found[5] or "").lower()
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return float(hour * 60 + minute)


_READ = {"money": read_money, "duration": read_duration, "time": _read_clock}


def take_best(desk: Desk, verb: str, best: Best) -> Turns[str]:
    """Press the verb's control of the best offer; what made it so.

    Raises:
        Missed: There are no offers to compare, or two are equally good.
    """
    offers = yield from _offers(desk, verb, best)
    ranked = sorted(offers, key=lambda offer: offer[0], reverse=best.most)
    if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
        raise Missed(f"two offers are equally good: both {best.measure} {ranked[0][0]:g}")
    value, control = ranked[0]
    # Also what is told to be in sight may be half beyond the edge of its list.
    if not (yield from bring_into_view(desk, control)):
        raise Missed(f"{named(control)} could not be brought into sight")
    control = same_as(desk.elements, control) or control
    assert control.box is not None
    at = control.box.center
    why = f"of {len(ranked)} offers {named(control)} has the {best.measure} {value:g}"
    yield from desk.do(Click(at.x, at.y), why=why, last=True)
    yield from desk.effect()
    return why


def _offers(desk: Desk, verb: str, best: Best) -> Turns[list[tuple[float, Element]]]:
    found: list[tuple[float, Element]] = []
    for pause in (0.0, *LOOKS):
        if pause:
            yield from desk.again(pause, why="offers may take a moment to come")
        yield from desk.again(0, why="all offers, also those out of sight", hidden=True)
        found = _measured(desk, desk.unseen or desk.elements, verb, best)
        if len(found) > 1:
            return found
    if len(found) == 1:
        return found
    raise Missed(f"there is nothing to {verb} that could be compared by {best.measure}")


def _measured(
    desk: Desk, elements: Sequence[Element], verb: str, best: Best
) -> list[tuple[float, Element]]:
    """Each offer with what it is measured by: what is said between it and the offer before."""
    page = [e for e in part_meant(elements, "") if e.box is not None]
    offers = {e.id for e in controls_for(desk, verb, page)}
    read, found, said = _READ[best.measure], list[tuple[float, Element]](), list[str]()
    for element in page:
        if element.id in offers:
            value = read(element.name)
            value = read("\n".join(said)) if value is None else value
            if value is not None:
                found.append((value, element))
            said.clear()
        elif kind_of(element) in (Kind.TEXT, Kind.HEADING, Kind.CELL):
            said.append(element.name or element.value or "")
    return found
