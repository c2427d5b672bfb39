"""Split buttons: the small arrow beside a button, whose menu has other ways to do what it does.

“Submit it as Pending using the arrow beside the submit button” opens the menu by that arrow, and
takes the entry that the rest of the words tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import is_there, look_for, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.phrases.small_words import GRAMMAR
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.models.steps.program import Point
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.labelled_menus import menu_buttons
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["or_by_split_button"]

_ARROW = re.compile(
    r"(?:the |its )?(?:small |little |tiny |drop-?down |down ?)*"
    r"(?:arrow|chevron|caret|triangle|drop-?down)(?: (?:button|icon|sign))? "
    r"(?:beside|next to|by|near|(?:to the |at the )?right of|(?:at|on|of|in|attached to)) "
    r"(?:the )?[\"“]?(?P<name>[^\"”]+?)[\"”]?(?: button)?",
    re.IGNORECASE,
)
_MEANS = re.compile(r"\s(?:using|with|via|by|through|from)\s", re.IGNORECASE)
_OPENS = frozenset(map(stem, ("open", "click", "press", "expand", "show", "hit", "menu", "tap")))
_ITEMS = frozenset({Kind.MENU_ITEM, Kind.OPTION, Kind.LINK, Kind.BUTTON, Kind.RADIO})
AT_HAND = 12
"""Pixels between a button and the arrow that belongs to it."""
COMING = (0.0, 0.2, 0.5)
"""Seconds in which a menu comes up."""


def or_by_split_button(
    verb: Callable[[Desk, Point], Turns[str | None]],
) -> Callable[[Desk, Point], Turns[str | None]]:
    """A click that opens the menu of a split button, and takes what the step tells of it."""

    def carried_out(desk: Desk, step: Point) -> Turns[str | None]:
        arrow = _arrow(desk, step.what) if step.how == "click" and step.times == 1 else None
        if arrow is None:
            return (yield from verb(desk, step))
        yield from _take(desk, step, arrow)
        return None

    return carried_out


def _arrow(desk: Desk, phrase: str) -> Element | None:
    """The one button that drops a list, right beside the one that is named."""
    said = _ARROW.fullmatch(phrase.strip())
    if said is None or is_there(look_for(desk, wished(phrase))):
        return None
    wanted, drops = set(stems(said["name"])), menu_buttons(desk)
    buttons = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.BUTTON and e.box]
    named_so = [e for e in buttons if wanted and wanted <= set(stems(written_on(e)))]
    found = {d.id: d for d in drops for b in named_so if b.id != d.id and _is_beside(b, d)}
    return next(iter(found.values())) if len(found) == 1 else None


def _is_beside(button: Element, arrow: Element) -> bool:
    one, at = button.box, arrow.box
    if one is None or at is None or not one.y <= at.center.y < one.bottom:
        return False
    return -AT_HAND <= at.x - one.right <= AT_HAND and at.width < one.width


def _take(desk: Desk, step: Point, arrow: Element) -> Turns[None]:
    """Open the menu; take the one entry that says the rest of the step, where that says more.

    Raises:
        Missed: No entry, or more than one, says it.
    """
    assert arrow.box is not None
    at, known = arrow.box.center, {(e.role, e.name, e.box) for e in desk.elements}
    end = _MEANS.split(step.words)[0] if _MEANS.search(step.words) else ""
    telling = {stem(w) for w in re.findall(r"\w+", end.casefold()) if w not in GRAMMAR} - _OPENS
    yield from desk.do(Click(at.x, at.y), why=f"open {named(arrow)}", commits=not telling)
    if not telling:
        yield from desk.effect()
        return
    items: list[Element] = []
    for pause in COMING:
        if pause:
            yield from desk.again(pause, why="its menu may take a moment")
        new = [e for e in desk.elements if (e.role, e.name, e.box) not in known and e.box]
        items = [e for e in new if kind_of(e) in _ITEMS and not is_disabled(e)]
        fitting = [e for e in items if telling <= set(stems(written_on(e)))]
        if len(fitting) == 1 and fitting[0].box is not None:
            there = fitting[0].box.center
            why = f"{named(fitting[0])} is what it is to do"
            yield from desk.do(Click(there.x, there.y), why=why, last=True)
            yield from desk.effect()
            return
    yield from desk.do(Key(("escape",)), why="close it again", commits=False)
    listed = ", ".join(map(named, items)) or "nothing that can be pressed"
    raise Missed(f"no one entry of {named(arrow)} says “{end.strip()}”; it has: {listed}")
