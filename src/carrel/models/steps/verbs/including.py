"""Boxes to tick for what is to be there, or not: “add gift wrapping”, “leave out the magazine”.

To add a thing for which a form has a box, and nothing else, is to tick that box.
"""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.by_words import names_of
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.phrases.small_words import GRAMMAR
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.models.steps.program import Perform
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.ticking import bring_to, is_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["tick_what_is_included"]

_WITH = frozenset({"add", "include", "want", "request", "order", "book", "take", "have", "get"})
_WITHOUT = frozenset({"remove", "exclude", "skip", "drop", "omit", "decline", "leave out"})
_ASKS = frozenset(
    map(stem, ("add", "include", "with", "please", "want", "would", "like", "need", "i", "yes"))
) | frozenset(map(stem, GRAMMAR))
"""Words on a box that say nothing of what it is for."""
_BOXES = frozenset({Kind.CHECKBOX, Kind.SWITCH})


def tick_what_is_included(desk: Desk, step: Perform) -> Turns[bool]:
    """Tick the one box that is for what is to be added, or take its tick away; whether one is."""
    if step.details or step.verb not in _WITH | _WITHOUT or not step.what:
        return False
    box, wanted = _box_for(desk, step.what), step.verb in _WITH
    if box is None or (not wanted and (not is_on(box) or controls_for(desk, step.verb))):
        return False
    yield from bring_to(desk, box, wanted, f"to {step.verb} {step.what} is to do that")
    return True


def _box_for(desk: Desk, what: str) -> Element | None:
    """The only box that is called so, but for what it costs and words that any box may begin with.

    A thing that is quoted is looked for to the letter elsewhere.
    """
    words = frozenset(stems(what)) - _ASKS
    if not words or re.search(r"[\"“”]", what):
        return None
    tree = lineage_of(tuple(desk.elements))
    called = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) in _BOXES and e.box is not None
        if any(frozenset(stems(name)) - _ASKS == words for name in names_of(tree, e))
    ]
    one = called[0] if len(called) == 1 else None
    usable = one is not None and not is_disabled(one) and modal_over(desk.elements, one) is None
    return one if usable else None
