"""Whether something looks as described: its colour, its shape, its size, its states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from carrel.perception.description import Description
from carrel.perception.layout import Layout, Placed
from carrel.perception.roles import FIELDS, is_disabled

if TYPE_CHECKING:
    from carrel.perception.view import View

__all__ = ["has_states", "looks_so", "sized"]

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
    """Those whose pixels have the colour and the shape."""
    found = list(items)
    if one.colour:
        from carrel.perception.colours import colour_of

        found = [item for item in found if colour_of(view, item.box) == one.colour]
    if one.shape:
        found = [item for item in found if _is_shaped(item, one.shape, view)]
    return found


def _is_shaped(item: Placed, shape: str, view: View) -> bool:
    said = (item.element.name or item.element.text).strip()
    if shape == "digit":
        return len(said) == 1 and said.isdigit()
    if shape == "letter":
        return len(said) == 1 and said.isalpha()
    from carrel.perception.shapes import shapes

    return any(found.kind == shape for found in shapes(view, item.box))
