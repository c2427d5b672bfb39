"""What comes up to be chosen from: the list of a drop-down, suggestions, a submenu."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.actions import Move, Wait
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.panes import bring_into_view
from carrel.models.steps.shown.reading import fold, options_of
from carrel.models.steps.turns import Turns
from carrel.perception.find import Match
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = ["OPTION", "further_down", "new_items", "opened"]

OPTION = (Kind.OPTION,)
LOOKS = 3
"""At how many looks a list that has come up must not show the option, to have no such one."""
PAUSES = (0.0, 0.15, 0.25, 0.5, 0.6, 0.8, 0.3, 0.3)
"""Seconds before each look; a busy page takes its time to bring up a list at all."""
SEVERAL = 2
"""Things that came up in one holder, which make it a list."""


def opened(
    desk: Desk, combo: Element, option: str, before: tuple[Element, ...]
) -> Turns[Match | None]:
    """The option in the list that came up; of one that slides in, where it comes to rest."""
    place: Point | None = None
    vain = 0
    for pause in PAUSES:
        if pause:
            yield from _look_again(desk, combo, pause)
        if combo.source == "detector":
            # Of one that is only drawn nobody tells the list either.
            yield from desk.closer()
        match = _shown(desk, combo, option, before)
        if match is not None and _on_screen(desk, match.point):
            if match.point == place:
                return match
            place = match.point
            continue
        vain += _has_come(desk, combo, before)
        if vain >= LOOKS:
            return None
    return None


def _has_come(desk: Desk, combo: Element, before: tuple[Element, ...]) -> bool:
    """Whether anything came up, or the drop-down says that it is open."""
    now = same_as(desk.elements, combo) or combo
    return "expanded" in now.states or bool(new_items(desk.elements, before, combo))


def further_down(
    desk: Desk, combo: Element, option: str, before: tuple[Element, ...]
) -> Turns[Match | None]:
    """The option in a list that came up and has to be scrolled for it; None if it is not there.

    Such a list need not belong to its drop-down, nor say that it is one: it is what holds several
    of the things that came up. In one that belongs to it the keyboard finds what is out of sight.
    """
    came = {_key(e) for e in new_items(desk.elements, before, combo)}
    yield from desk.again(0, why=f"whether {option} is further down the list", hidden=True)
    if options_of(same_as(desk.unseen, combo) or combo, desk.unseen):
        return None
    listed = _list_of(came, Lineage(desk.unseen))
    match = resolve(desk, look_for(desk, wished(option), listed)) if listed else None
    if match is None or not (yield from bring_into_view(desk, match.element)):
        return None
    sought = (match.element.role, match.element.name)
    now = [e for e in desk.elements if (e.role, e.name) == sought and e.box is not None]
    return resolve(desk, look_for(desk, wished(option), now))


def _list_of(came: set[tuple[object, ...]], tree: Lineage) -> list[Element]:
    """All that is in the innermost thing that holds several of what came up, and more."""
    shown = [e for e in tree.elements if _key(e) in came and (e.name or e.value)]
    said = {e.id for e in shown}
    for holder in tree.above(shown[0]) if shown else ():
        held = [e for e in tree.below(holder) if e.box is not None and e.box.area]
        several = {e.name for e in held if e.id in said}
        if len(several) >= SEVERAL and any(_key(e) not in came for e in held):
            return held
    return []


def _key(element: Element) -> tuple[object, ...]:
    return element.role, element.name, element.box


def _shown(desk: Desk, combo: Element, option: str, before: tuple[Element, ...]) -> Match | None:
    wish = wished(option, OPTION)
    own = options_of(same_as(desk.elements, combo) or combo, desk.elements)
    new = new_items(desk.elements, before, combo)
    if combo.source == "detector":
        new = [line for e in new for line in _lines(e)]
    # Its own first: what it covers on opening looks new, too.
    match = resolve(desk, look_for(desk, wish, own)) if own else None
    if match is None and new:
        match = resolve(desk, look_for(desk, wish, new))
    if match is None and new:
        # What came up need not say that it is an option.
        match = resolve(desk, look_for(desk, wished(option), new))
    return match or _hinted([*own, *(e for e in new if kind_of(e) is Kind.OPTION)], option)


_HINT = re.compile(r"\s+(?:press|click|tap|hit|enter)\b.*", re.IGNORECASE)
"""What a list says of the entry that keys are about: `Taxi Press to select`."""


def _hinted(options: Sequence[Element], option: str) -> Match | None:
    """The one option that is called so, but for what is said of how to take it."""
    fitting = [e for e in options if fold(_HINT.sub("", e.name)) == fold(option)]
    places = {e.box: e for e in fitting if e.box is not None}
    if len(places) != 1:
        return None
    ((box, only),) = places.items()
    return Match(replace(only, name=option), 1.0, box.center, "called so, but for a hint")


def _lines(element: Element) -> list[Element]:
    """The lines of a list that is only drawn, each as what can be chosen."""
    said, box = element.text.split("\n"), element.box
    if element.source != "detector" or box is None or not element.text.strip():
        return [element]
    high = box.height // len(said)
    return [
        replace(
            element,
            id=f"{element.id}-{number}",
            role="list item",
            name=line.strip(),
            text="",
            value=None,
            box=Box(box.x, box.y + number * high, box.width, high),
        )
        for number, line in enumerate(said)
    ]


def _look_again(desk: Desk, combo: Element, pause: float) -> Turns[None]:
    """Look a moment later; what slid in a browser may tell of only when the pointer moves."""
    yield from desk.again(pause / 2, why="the list may take a moment to open")
    if combo.box is not None:
        at = combo.box.center
        move = Move(at.x + 1 + round(10 * pause), at.y)
        yield from desk.do(move, Wait(pause / 2), why="whether it has opened", commits=False)


def _on_screen(desk: Desk, at: Point) -> bool:
    return 0 <= at.x < desk.size.width and 0 <= at.y < desk.size.height


def new_items(
    now: tuple[Element, ...], before: tuple[Element, ...], combo: Element
) -> list[Element]:
    """What was not there, or not there before; and the options of the drop-down itself."""
    known = {_key(e) for e in before}
    own = {e.id for e in options_of(combo, now)}
    return [
        e
        for e in now
        if (e.id in own or _key(e) not in known) and e.box is not None
        if not (is_field(combo) and within(e.box, combo.box))
    ]
