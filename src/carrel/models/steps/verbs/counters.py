"""Numbers between a minus and a plus: `Adults  − 2 +`, set by pressing these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import LESS, MORE
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["Counter", "bring_counter_to", "counter_called", "refuse_other_way"]

MOST = 60
"""Presses in one go."""
ASIDE = 520
"""Pixels from a label to what it counts."""
_OF = re.compile(
    r"^(?:the\s+)?(?:(?:number|amount|count|quantity|qty)\s+of\s+(?:the\s+)?)?|"
    r"\s+(?:quantity|count|amount|number|counter)$|的?(?:数量|个数|人数)$",
    re.IGNORECASE,
)
_RAISED = re.compile(r"\b(?:increase|raise|bump|up)\b|增加|加到", re.IGNORECASE)
_LOWERED = re.compile(r"\b(?:decrease|lower|reduce|cut)\b|减少|减到", re.IGNORECASE)
_FIGURE = re.compile(
    r"(?P<n>\d{1,6})\s*(?:°[CF]?|℃|℉|%|[度份个件人位间张次只盒瓶杯晚天]|小时|分钟)?"
)
"""A number, and of what it is so many."""
_PRESSED = frozenset({Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.IMAGE, Kind.TEXT})


@dataclass(frozen=True, slots=True)
class Counter:
    """A number and what changes it.

    Attributes:
        label: What it counts.
    """

    label: Element
    number: Element
    less: Element
    more: Element

    @property
    def value(self) -> int:
        """What it shows."""
        found = _FIGURE.fullmatch(written_on(self.number).strip())
        assert found is not None
        return int(found["n"])


def counter_called(desk: Desk, phrase: str) -> Counter | None:
    """The one number beside a label of that name that a minus and a plus stand at."""
    name = fold(_OF.sub("", _OF.sub("", phrase.strip())))
    page = [e for e in part_meant(desk.elements, "") if e.box is not None]
    labels = [e for e in page if name and _is_called(e, name)]
    found = [one for label in labels if (one := _beside(label, page)) is not None]
    numbers = {one.number.box for one in found}
    return found[0] if len(numbers) == 1 else None


def _is_called(element: Element, name: str) -> bool:
    if kind_of(element) not in (Kind.TEXT, Kind.HEADING, Kind.CELL):
        return False
    said = fold(re.sub(r"\s*[(（:：].*$", "", written_on(element)))
    return said in (name, f"{name}s", name.removesuffix("s"))


def _beside(label: Element, page: Sequence[Element]) -> Counter | None:
    """What stands at the right of a label on its line, where that is just one such number."""
    at = label.box
    assert at is not None
    line = [e for e in page if e.box is not None and _on_line(e.box, at)]
    numbers = [e for e in line if kind_of(e) is Kind.TEXT and _is_figure(e)]
    pressed = [e for e in line if kind_of(e) in _PRESSED and not is_disabled(e)]
    more = [e for e in pressed if MORE.fullmatch(written_on(e).strip())]
    less = [e for e in line if LESS.fullmatch(written_on(e).strip())]
    places = [{e.box for e in listed} for listed in (numbers, _outer(more), _outer(less))]
    if any(len(boxes) != 1 for boxes in places):
        return None
    return Counter(label, numbers[0], _outer(less)[0], _outer(more)[0])


def _is_figure(element: Element) -> bool:
    return _FIGURE.fullmatch(written_on(element).strip()) is not None


def _outer(elements: Sequence[Element]) -> list[Element]:
    """Those that lie in no other of them: the button, and not the sign on it."""

    def is_in(one: Element, other: Element) -> bool:
        a, b = one.box, other.box
        return a is not None and b is not None and a != b and b.intersect(a) == a

    return [e for e in elements if not any(is_in(e, other) for other in elements)]


def _on_line(box: Box, label: Box) -> bool:
    level = label.y - box.height // 2 <= box.center.y <= label.bottom + box.height // 2
    return level and 0 <= box.x - label.right <= ASIDE and box.height <= 3 * label.height + 24


def bring_counter_to(desk: Desk, phrase: str, counter: Counter, wanted: int) -> Turns[None]:
    """Press the plus or the minus until it shows a number; each press has to be seen.

    Raises:
        Missed: It does not go that far, or stops showing a number.
    """
    for _ in range(MOST):
        if counter.value == wanted:
            return
        before = counter.value
        refuse_other_way(desk, phrase, before, wanted)
        button = counter.more if wanted > before else counter.less
        if is_disabled(button):
            raise Missed(f"{phrase} stays at {before}: its button is disabled")
        assert button.box is not None
        at = button.box.center
        yield from desk.do(Click(at.x, at.y), why=f"{before}, and {wanted} is wanted")
        now = counter_called(desk, phrase)
        for pause in (0.2, 0.5):
            if now is not None and now.value != before:
                break
            yield from desk.again(pause, why="what it shows now")
            now = counter_called(desk, phrase)
        if now is None or now.value == before:
            raise Missed(f"{phrase} stays at {before} although its button was pressed")
        counter = now
    raise Missed(f"{phrase} is still {counter.value} after {MOST} presses")


def refuse_other_way(desk: Desk, name: str, now: float, wanted: float) -> None:
    """Leave a number alone that would have to go the other way than was said.

    Raises:
        Missed: It is to be increased, and stands above what it is to be, or the like.
    """
    up, down = _RAISED.search(desk.step), _LOWERED.search(desk.step)
    against = (down and not up) if now < wanted else (up and not down)
    if against:
        # It is the one that was meant: no other way is to be tried.
        desk.commits += 1
        raise Missed(f"{name} stands at {now:g}, and does not come to {wanted:g} that way")
