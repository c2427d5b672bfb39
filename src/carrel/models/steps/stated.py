"""Of what a state is told: what is ticked, chosen, enabled."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Is
from carrel.models.steps.tick_boxes import box_of
from carrel.models.steps.unfolding import unfolding, unfolds
from carrel.models.steps.wishes import Wish, look_for, loosened, resolve, wished
from carrel.perception.find import Found, Match
from carrel.perception.roles import Kind

__all__ = ["meant_by"]

_TICKED = (Kind.CHECKBOX, Kind.RADIO, Kind.SWITCH)


def meant_by(desk: Desk, condition: Is) -> tuple[Found, Match | None]:
    """What the state of is asked for; where a table tells of no rows, by what a cell says."""
    ticked = condition.state == "checked"
    wish = _ticked(condition.what) if ticked else wished(condition.what)
    found = look_for(desk, wish)
    match = resolve(desk, found)
    if match is None and condition.state in ("checked", "selected"):
        match = resolve(desk, look_for(desk, loosened(wish if ticked else wished(condition.what))))
        if ticked and match is not None:
            box = box_of(desk, match.element)
            match = None if box is None else replace(match, element=box)
    if condition.state == "expanded" and (match is None or not unfolds(match.element)):
        match = unfolding(desk, condition.what) or match
    return found, match


def _ticked(phrase: str) -> Wish:
    """Something that can be ticked; a mere "box" is then no field, and no shape."""
    wish = wished(phrase, _TICKED)
    described = wish.description
    if described.shape == "box":
        return wished(phrase, (Kind.CHECKBOX,))
    if described.kinds == (Kind.FIELD,) and re.search(r"\bbox(?:es)?$", phrase.strip()):
        return replace(wish, description=replace(described, kinds=_TICKED))
    return wish
