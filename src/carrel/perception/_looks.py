"""Whether something looks as described: its colour, its shape, its size, its states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.description import Description
from carrel.perception.labels import written_on
from carrel.perception.layout import Layout, Placed
from carrel.perception.roles import FIELDS, Kind, is_disabled

if TYPE_CHECKING:
    from carrel.perception.shapes import Shape
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
    areas = sorted(item.box.area for item in items)
    if not areas or areas[0] * 1.2 >= areas[-1]:
        return list(items)
    # Between two sizes there is a gap; it is the widest one.
    gaps = [(areas[i + 1] / max(1, areas[i]), i) for i in range(len(areas) - 1)]
    bound = areas[max(gaps)[1]]
    return [item for item in items if (item.box.area <= bound) == (size == "small")]


def looks_so(one: Description, items: Sequence[Placed], view: View) -> list[Placed]:
    """Those whose pixels have the colour, and which are a digit or a letter where one is meant."""
    found = [item for item in items if not one.shape or _is_character(item, one.shape)]
    if one.colour:
        from carrel.perception.colours import colour_of

        found = [item for item in found if colour_of(view, item.box).name == one.colour]
    return found


def _is_character(item: Placed, shape: str) -> bool:
    said = written_on(item.element)
    return len(said) == 1 and (said.isdigit() if shape == "digit" else said.isalpha())


def drawn(layout: Layout, one: Description, view: View) -> list[Placed]:
    """Shapes of the kind and colour that are drawn on a canvas, a picture, or else a page."""
    from carrel.perception.shapes import shapes

    found: list[Placed] = []
    for area in _areas(layout, view):
        for shape in shapes(view, area):
            known = {placed.box for placed in found}
            same = shape.kind == one.shape or (shape.kind, one.shape) in _ALSO
            if same and one.colour in ("", shape.colour.name) and shape.box not in known:
                found.append(_placed(layout, shape, len(found)))
    return found


_ALSO = frozenset({("square", "rectangle"), ("circle", "ellipse")})
_CANVASES = frozenset({"canvas", "drawing area", "image", "chart", "image map"})
_SMALLEST = 40


def _areas(layout: Layout, view: View) -> list[Box]:
    canvases = [
        item.box
        for item in layout.placed
        if item.element.role in _CANVASES and min(item.box.width, item.box.height) >= _SMALLEST
    ]
    if canvases:
        return canvases
    pages = [item.box for item in layout.placed if item.kind is Kind.PAGE]
    return pages[:1] or [Box(0, 0, view.size.width, view.size.height)]


def _placed(layout: Layout, shape: Shape, number: int) -> Placed:
    for item in layout.placed:
        common = item.box.intersect(shape.box)
        if common and common.area > 0.6 * max(item.box.area, shape.box.area):
            return item
    called = f"{shape.colour.name} {shape.kind}"
    element = Element(
        f"shape-{number}", "image", box=shape.box, text=called, source="detector", confidence=0.9
    )
    return Placed(element, shape.box, Kind.SHAPE, len(layout.placed) + number)
