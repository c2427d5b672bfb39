"""What is meant in a part of the screen that is known only by what is written over it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.extents import extent_of, members
from carrel.models.steps.finding.wishes import Wish, look_for, resolve, wished
from carrel.models.steps.phrases.place_words import placed_in
from carrel.models.steps.turns import Missed
from carrel.perception.description import Want
from carrel.perception.find import Match
from carrel.perception.labels import label_of, written_on
from carrel.perception.numbers import ORDINALS
from carrel.perception.roles import CONTROLS, Kind, is_field, kind_of

__all__ = ["enclosed", "members_of"]

_BOXED = re.compile(
    r"(?P<what>.+?) (?:in|inside|within|of|from|on) (?P<place>the .+?) (?:box|board|tile)",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"(?P<what>.+?) (?:under|below|beneath|underneath) the (?P<name>.+?) "
    r"(?:heading|headline|title|caption|section|subheading)",
    re.IGNORECASE,
)
_DRAWN = re.compile(
    r"(?:the )?(?P<which>\w+) (?:bar|star|segment|dot|block|square|heart|circle|symbol|icon|cell)",
    re.IGNORECASE,
)
_SYMBOLIC = re.compile(r"^[\w-]*-symbolic$")
"""What a thing without a name is called for the picture on it."""


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
    match = resolve(desk, look_for(desk, inner, held, want=want)) or _of_row(parts[1], held)
    match = match or _only_field(inner, held, parts[0])
    return replace(match, why=f"{match.why}, in {parts[0]}") if match is not None else None


def _only_field(wish: Wish, held: Sequence[Element], place: str) -> Match | None:
    """Of a field that nothing names, the only one there: `the date field` under a heading."""
    one = wish.description
    if one.kinds != (Kind.FIELD,) or one.exact or one.ordinal or one.relations:
        return None
    fields = [e for e in held if is_field(e) and e.box and e.role != "static"]
    if len(fields) != 1 or written_on(fields[0]).strip():
        return None
    label = label_of(fields[0], held)
    if label is not None and written_on(label).strip().casefold() not in place.casefold():
        return None
    box = fields[0].box
    assert box is not None
    return Match(fields[0], 1.0, box.center, "the only field, without a name")


def _of_row(phrase: str, held: Sequence[Element]) -> Match | None:
    """`the last bar`, of a row of things without a name that are drawn alike."""
    found = _DRAWN.fullmatch(phrase.strip())
    number = _which(found["which"]) if found is not None else None
    if number is None:
        return None
    row = [e for e in held if kind_of(e) in CONTROLS and e.box and e.box.area]
    row = [e for e in row if not _SYMBOLIC.sub("", e.name.strip())]
    row.sort(key=lambda e: e.box.x if e.box else 0)
    boxes = [e.box for e in row if e.box is not None]
    level = len({box.y for box in boxes}) == 1 == len({box.height for box in boxes})
    at = number - 1 if number > 0 else number
    if len(row) < 2 or not level or not -len(row) <= at < len(row):
        return None
    return Match(row[at], 1.0, boxes[at].center, f"one of {len(row)} in a row")


def _which(word: str) -> int | None:
    """The number of an ordinal; -1 for the last."""
    figure = re.fullmatch(r"(\d+)(?:st|nd|rd|th)", word)
    if figure is not None:
        return int(figure[1]) or None
    said = word.casefold()
    return ORDINALS.index(said) + 1 if said in ORDINALS else -1 if said == "last" else None


def _parts(phrase: str) -> tuple[str, str] | None:
    """The place and the thing."""
    parts = placed_in(phrase)
    if parts is not None:
        return parts
    if under := _UNDER.fullmatch(phrase.strip()):
        return f"the {under['name']} section", under["what"]
    found = _BOXED.fullmatch(phrase.strip())
    return (f"{found['place']} section", found["what"]) if found is not None else None


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
