"""Colours of a picker: given by a word, by a code, or by a sample on the screen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk
from carrel.models.steps.reveal import view_box
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import put
from carrel.perception.colours import channels, web_colour
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, kind_of

if TYPE_CHECKING:
    from carrel.perception.view import View

__all__ = ["set_colour", "takes_colour"]

_CODE = re.compile(r"(?P<mark>#?)(?P<code>[0-9a-f]{6})", re.IGNORECASE)
_SAMPLE = re.compile(
    r"(?:the |this |that )?(?:following|shown|given|displayed|same|above|below)?\s*colou?r"
    r"(?: (?:shown|given|displayed|above|below).*)?|(?:以下|下面|所示)的?颜色",
    re.IGNORECASE,
)
PICKER, EDGE = 40, 40
"""Pixels across a picker at least; and how far a blank place is from anything."""
SAMPLES = (6, 80)
"""Pixels across a sample of a colour among words."""


def takes_colour(element: Element, value: str) -> bool:
    """Whether a field holds the code of a colour, and is to get one: not any six digits."""
    text = value.strip().casefold()
    code = _CODE.fullmatch(text)
    said = code is not None or _SAMPLE.fullmatch(text) or web_colour(_bare(text)) is not None
    return bool(said) and _CODE.fullmatch((element.value or "").strip()) is not None


def _bare(text: str) -> str:
    return re.sub(r"^the (?:colou?r )?|\s+colou?r$", "", text)


def set_colour(desk: Desk, element: Element, value: str) -> Turns[str | None]:
    """Write a colour's code as the field has it, and leave the field, which closes its picker."""
    before = _CODE.fullmatch((element.value or "").strip())
    assert before is not None
    red, green, blue = _channels(desk, value)
    code = f"{red:02x}{green:02x}{blue:02x}"
    code = code.upper() if before["code"] != before["code"].lower() else code
    view = desk.seen.view
    told = yield from put(desk, element, before["mark"] + code, why=f"the code of {value}")
    yield from desk.do(Key(("tab",)), why="leave the field", last=True)
    yield from _close_picker(desk, element, view)
    return told


def _close_picker(desk: Desk, element: Element, before: View | None) -> Turns[None]:
    """Click where nothing is: a picker that opened with the field closes by that."""
    now = desk.seen.view
    if before is None or now is None or element.box is None:
        return
    opened = [
        box
        for box in now.changed_since(before) or ()
        if min(box.width, box.height) >= PICKER and box.bottom > element.box.bottom + PICKER // 2
    ]
    at = _blank(desk, now) if opened else None
    if at is not None:
        yield from desk.do(Click(at.x, at.y), why="its picker is still open: close it", last=True)


def _blank(desk: Desk, view: View) -> Point | None:
    """A point of the page with nothing on it, far from everything."""
    from carrel.perception.colours import crop, is_plain

    page = view_box(desk)
    for y in range(page.bottom - EDGE, page.y + EDGE, -EDGE):
        for x in range(page.right - EDGE, page.x + EDGE, -EDGE):
            at = Point(x, y)
            here = [e for e in desk.elements if e.box is not None and e.box.contains(at)]
            used = any(
                kind_of(e) in CONTROLS or written_on(e)
                for e in here
                if e.box is not None and e.box.area < page.area
            )
            around = Box(x - EDGE // 2, y - EDGE // 2, EDGE, EDGE)
            if not used and is_plain(crop(view.pixels, around)):
                return at
    return None


def _channels(desk: Desk, value: str) -> tuple[int, int, int]:
    text = value.strip().casefold()
    code = _CODE.fullmatch(text)
    if code is not None:
        return channels("#" + code["code"])
    named = web_colour(_bare(text))
    if named is not None:
        return named
    sample = _sample(desk) if _SAMPLE.fullmatch(text) else None
    if sample is None:
        raise Missed(f"it is not known which colour {value!r} is")
    return sample


def _sample(desk: Desk) -> tuple[int, int, int] | None:
    """The colour that the instruction on the screen shows in place of a word."""
    from carrel.perception.colours import crop, is_plain, most_common

    picture, view = desk.seen.picture, desk.seen.view
    if picture is None or view is None:
        return None
    known = {element.id for element in desk.elements}
    found: set[tuple[int, int, int]] = set()
    for element in picture.elements:
        box = element.box
        if element.id in known or box is None or written_on(element):
            continue
        pixels = crop(view.pixels, box)[2:-2, 2:-2]
        small = (
            SAMPLES[0] <= min(box.width, box.height) and max(box.width, box.height) <= SAMPLES[1]
        )
        if small and is_plain(pixels):
            red, green, blue = (int(one) for one in most_common(pixels.reshape(-1, 3)))
            found.add((red, green, blue))
    return found.pop() if len(found) == 1 else None
