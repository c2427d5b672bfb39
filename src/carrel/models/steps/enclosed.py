"""What is meant in a part of the screen that is known only by what is written over it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.extents import extent_of, members
from carrel.models.steps.place_words import placed_in
from carrel.models.steps.turns import Missed
from carrel.models.steps.wishes import Wish, look_for, resolve, wished
from carrel.perception.description import Want
from carrel.perception.find import Match
from carrel.perception.roles import Kind

__all__ = ["enclosed", "members_of"]

_BOXED = re.compile(
    r"(?P<what>.+?) (?:in|inside|within|of|from|on) (?P<place>the .+? (?:box|board|lane|widget))",
    re.IGNORECASE,
)


def enclosed(
    desk: Desk,
    wish: Wish,
    elements: Sequence[Element] | None = None,
    *,
    kinds: Iterable[Kind] = (),
    want: Want = "act",
) -> Match | None:
    """The one thing that is meant by `the Add button in the "Done" column`.

    Of the elements that are given, else of those in sight.
    """
    parts = _parts(wish.phrase)
    if parts is None:
        return None
    held = members_of(desk, parts[0], elements)
    if not held:
        return None
    inner = replace(wished(parts[1], kinds), inside=wish.inside)
    match = resolve(desk, look_for(desk, inner, held, want=want))
    return replace(match, why=f"{match.why}, in {parts[0]}") if match is not None else None


def _parts(phrase: str) -> tuple[str, str] | None:
    """The place and the thing."""
    parts = placed_in(phrase)
    if parts is not None:
        return parts
    found = _BOXED.fullmatch(phrase.strip())
    return (found["place"], found["what"]) if found is not None else None


def members_of(
    desk: Desk, place: str, elements: Sequence[Element] | None = None
) -> tuple[Element, ...]:
    """What is in a place; nothing where it is not there, or not told how far it reaches."""
    listed = tuple(desk.elements if elements is None else elements)
    try:
        extent = extent_of(desk, place, listed)
    except Missed:
        return ()
    return () if extent is None else members(listed, extent)
