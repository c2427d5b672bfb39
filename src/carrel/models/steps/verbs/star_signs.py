"""Giving stars that a page has made of mere signs: by a click on the one of that number."""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.program import SetValue
from carrel.models.steps.shown.star_rows import row_for, star_rows
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.sliding import number_in

__all__ = ["give_stars", "is_of_stars"]

_OF_STARS = re.compile(r"\b(?:rating|stars?|score|review)\b|评分|评价|星", re.IGNORECASE)


def is_of_stars(step: SetValue) -> bool:
    """Whether what is to be set is told as stars."""
    said = f"{step.what or ''} {step.value}"
    return not step.relative and _OF_STARS.search(said) is not None


def give_stars(desk: Desk, what: str, value: str) -> Turns[bool]:
    """Click the star of that number, in the only row of stars or in the one at what is named."""
    wanted = number_in(value)
    row = row_for(star_rows(part_meant(desk.elements, "")), what)
    if row is None or wanted is None or not wanted.is_integer():
        return False
    if not 1 <= wanted <= len(row.stars):
        return False
    place = row.stars[int(wanted) - 1]
    at, desk.worked = place.center, place
    yield from desk.do(
        Click(at.x, at.y), why=f"the star for {wanted:g} of {len(row.stars)}", last=True
    )
    yield from desk.effect()
    return True
