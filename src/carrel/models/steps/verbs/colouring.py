"""Colours of a picker: given by a word, or by a code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.geometry import Box
from carrel.geometry import Point as Spot
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import put
from carrel.perception.colours import channels, web_colour

if TYPE_CHECKING:
    from carrel.perception.view import View

__all__ = ["set_colour", "takes_colour"]

_CODE = re.compile(r"(?P<mark>#?)(?P<code>[0-9a-f]{6})", re.IGNORECASE)
PICKER = 40
"""Pixels across a picker at least."""
EDGE = 8
"""Pixels from the edge of a page to a spot in its corner."""


def takes_colour(element: Element, value: str) -> bool:
    """Whether a field holds the code of a colour, and is to get one: not any six digits."""
    text = value.strip().casefold()
    code = _CODE.fullmatch(text)
    said = code is not None or web_colour(_bare(text)) is not None
    return said and _CODE.fullmatch((element.value or "").strip()) is not None


def _bare(text: str) -> str:
    return re.sub(r"^the (?:colou?r )?|\s+colou?r$", "", text)


def set_colour(desk: Desk, element: Element, value: str) -> Turns[str | None]:
    """Write a colour's code as the field has it, and leave the field, which closes its picker."""
    before = _CODE.fullmatch((element.value or "").strip())
    assert before is not None
    red, green, blue = _channels(value)
    code = f"{red:02x}{green:02x}{blue:02x}"
    code = code.upper() if before["code"] != before["code"].lower() else code
    view = desk.seen.view
    told = yield from put(desk, element, before["mark"] + code, why=f"the code of {value}")
    yield from desk.do(Key(("tab",)), why="leave the field", last=True)
    yield from _close_picker(desk, element, view)
    return told


def _close_picker(desk: Desk, element: Element, before: View | None) -> Turns[None]:
    """A picker that opened with the field, and stays: Escape closes it, else a click beside it."""
    now = desk.seen.view
    if before is None or now is None or element.box is None:
        return
    below = element.box.bottom + PICKER // 2
    opened = [
        box
        for box in now.changed_since(before) or ()
        if min(box.width, box.height) >= PICKER and box.bottom > below
    ]
    if opened:
        why = "its picker is still open: close it"
        yield from desk.do(Key(("escape",)), why=why, last=True)
        spot = None if desk.changed else _free_spot(desk, opened)
        if spot is not None:
            why = "its picker is still open: click beside it"
            yield from desk.do(Click(spot.x, spot.y), why=why, last=True)
        if not desk.changed:
            desk.doubt("its picker may still be open")


def _free_spot(desk: Desk, opened: Sequence[Box]) -> Spot | None:
    """A corner of the page where nothing is."""
    page = web_page(desk.elements)
    if page is None or page.box is None:
        return None
    box = page.box
    corners = [
        Spot(x, y)
        for y in (box.bottom - EDGE, box.y + EDGE)
        for x in (box.right - EDGE, box.x + EDGE)
    ]
    held = {e.parent for e in desk.elements}
    leaves = [e.box for e in desk.elements if e.id not in held and e.box is not None]
    return next((c for c in corners if not any(b.contains(c) for b in (*leaves, *opened))), None)


def _channels(value: str) -> tuple[int, int, int]:
    text = value.strip().casefold()
    code = _CODE.fullmatch(text)
    if code is not None:
        return channels("#" + code["code"])
    named = web_colour(_bare(text))
    if named is None:
        raise Missed(f"it is not known which colour {value!r} is")
    return named
