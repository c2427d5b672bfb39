"""Whether something looks as described: its colour, its shape, its size, its states."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from carrel.perception.description import Description
from carrel.perception.labels import written_on
from carrel.perception.layout import Layout, Placed
from carrel.perception.roles import FIELDS, Kind, is_disabled

if TYPE_CHECKING:
    from carrel.perception.colours import Colour
    from carrel.perception.figures import Figure
    from carrel.perception.view import View

__all__ = ["drawn", "has_states", "looks_so", "sized"]

_ON = ("checked", "selected", "pressed")


def has_states(layout: Layout, item: Placed, states: Sequence[str]) -> bool:
    """Whether all of these are so."""
    return all(_has(layout, item, state) for state in states)


def _has(layout: Layout, item: Placed, state: str) -> bool:
    has = set(item.element.states)
    if state in ("checked", "selected"):
        # Of a box to tick people say both, of a tab and of an option too.
        return bool(has & set(_ON))
    if state in ("unchecked", "unselected"):
        return not has & set(_ON)
    if state in ("disabled", "enabled"):
        return is_disabled(item.element) == (state == "disabled")
    if state in ("empty", "filled"):
        return _is_empty(layout, item) == (state == "empty")
    if state in ("collapsed", "expanded"):
        return state in has or (
            state == "collapsed" and has & {"expandable", "expanded"} == {"expandable"}
        )
    if state == "unfocused":
        return "focused" not in has
    if state == "read only":
        return "editable" not in has
    if state == "optional":
        return "required" not in has
    return state in has


def _is_empty(layout: Layout, item: Placed) -> bool:
    if item.kind in FIELDS:
        return not (item.element.value or item.element.text or "").strip()
    return not layout.called(item)


def sized(items: Sequence[Placed], size: str) -> list[Placed]:
    """Of things that differ in size those of the smaller or the larger half."""
    lengths = sorted(map(_length, items))
    if not lengths or lengths[0] * 1.2 >= lengths[-1]:
        return list(items)
    # Between two sizes there is a gap; it is the widest one.
    gaps = [(lengths[i + 1] / max(1, lengths[i]), i) for i in range(len(lengths) - 1)]
    bound = lengths[max(gaps)[1]]
    return [item for item in items if (_length(item) <= bound) == (size == "small")]


def _length(item: Placed) -> int:
    """The longer side: letters of one size are of many widths."""
    return max(item.box.width, item.box.height)


def looks_so(one: Description, items: Sequence[Placed], view: View) -> list[Placed]:
    """Those whose pixels have the colour, and which are a digit or a letter where one is meant."""
    found = [item for item in items if not one.shape or _is_character(item, one.shape)]
    if one.colour:
        colours = {id(item): _colour(view, item) for item in found}
        found = [item for item in found if _is_of(colours[id(item)].name, one.colour)]
        found = list(_of_shade(one.shade, found, colours))
    return found


def _colour(view: View, item: Placed) -> Colour:
    from carrel.perception.colours import colour_of, crop, stroke

    thin = item.kind is Kind.TEXT and item.element.source == "tree"
    return stroke(crop(view.pixels, item.box)) if thin else colour_of(view, item.box)


def _is_of(name: str, wish: str) -> bool:
    """Whether a colour is the one that is wished; "coloured" is all that is not grey."""
    return name == wish or (wish == "coloured" and name not in ("black", "grey", "white"))


SHADE = 60
"""How far a colour may be off the one that a word stands for, over three channels."""


def _of_shade(
    shade: str, items: Sequence[Placed], colours: Mapping[int, Colour]
) -> Sequence[Placed]:
    """Of things of one plain colour those that a finer word means: lime among greens."""
    from carrel.perception.colours import SHADES, channels

    meant = SHADES.get(shade)
    if meant is None:
        return items

    def off(item: Placed) -> int:
        said = channels(colours[id(item)].hex)
        return sum(abs(one - other) for one, other in zip(said, meant, strict=True))

    return [item for item in items if off(item) <= SHADE] or items


def _is_character(item: Placed, shape: str) -> bool:
    said = written_on(item.element).strip()
    if shape == "number":
        return re.fullmatch(r"[-−+]?\d+(?:[.,]\d+)*", said) is not None
    return len(said) == 1 and (said.isdigit() if shape == "digit" else said.isalpha())


def drawn(layout: Layout, one: Description, view: View, want: str) -> list[Placed]:
    """Drawn things of the kind, the colour and the size."""
    from carrel.perception.figures import figures, is_small

    known = figures(layout, view)
    found = [figure for figure in known if _is_so(figure, one)]
    if one.shape in ("any", "box", "block") and want == "hold":
        found = _holding(found)
    elif one.shape == "any":
        # An outline around others is where they stand.
        found = [f for f in found if f.inside is None] or found
    found = [f for f in found if _has_colour(one, f)]
    colours = {id(f.item): f.colour for f in found}
    placed = _of_shade(one.shade, [f.item for f in found], colours)
    if one.size:
        small = {id(f.item): is_small(f, known) for f in found}
        wish = one.size == "small"
        placed = [item for item in placed if small[id(item)] in (None, wish)]
    return list(placed)


def _is_so(figure: Figure, one: Description) -> bool:
    from carrel.perception.figures import CHARACTERS, FORMS

    if one.shape in ("digit", "letter", "number", "character"):
        plain = "digit" if one.shape in ("digit", "number") else "letter"
        so = figure.kind == plain or (one.shape == "character" and figure.kind in CHARACTERS)
        return so and one.name in ("", figure.character)
    if one.name:
        return False
    if one.shape in ("any", "form"):
        kinds = FORMS if one.shape == "form" else FORMS | CHARACTERS | {"other"}
        return figure.kind in kinds and figure.kind != "line"
    if one.shape == "dot":
        return figure.kind in ("circle", "square", "polygon", "other") and figure.size <= DOT
    if one.shape in _SIDES:
        return figure.sides == _SIDES[one.shape] and figure.kind == "polygon"
    return figure.kind == one.shape or (figure.kind, one.shape) in _ALSO


def _holding(found: list[Figure]) -> list[Figure]:
    """What others can be put into: the outlines, or else what is much larger than the rest."""
    outlines = [figure for figure in found if figure.inside is not None]
    largest = max((figure.box.area for figure in found), default=0)
    return outlines or [figure for figure in found if 2 * figure.box.area > largest]


def _has_colour(one: Description, figure: Figure) -> bool:
    if not one.colour:
        return True
    if one.shade == "any":
        from carrel.perception.colours import channels, hue_name

        return hue_name(*channels(figure.colour.hex)) == one.colour
    inside = figure.inside is not None and _is_of(figure.inside.name, one.colour)
    return inside or _is_of(figure.colour.name, one.colour)


DOT = 16
"""Pixels across what is called a point."""
_ALSO = frozenset(
    {
        ("square", "rectangle"),
        ("circle", "ellipse"),
        ("square", "box"),
        ("rectangle", "box"),
        ("square", "block"),
        ("rectangle", "block"),
        ("square", "polygon"),
        ("rectangle", "polygon"),
        ("triangle", "polygon"),
    }
)
_SIDES = {"pentagon": 5, "hexagon": 6, "heptagon": 7, "octagon": 8}
