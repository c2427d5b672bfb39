"""Set of marks: elements of the screen with numbers, drawn on the picture and listed in words."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from carrel.frames import Element
from carrel.geometry import Box, Point, Size
from carrel.perception._cover import HOLDERS
from carrel.perception._order import reading_order
from carrel.perception._placing import Spot, place_labels

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["MAX_MARKS", "Mark", "annotate", "mark_elements", "table", "unmarked"]

MAX_MARKS = 300
"""More numbers than this cover the screen instead of explaining it."""

FONT_SIZE = 11
MAX_NAME = 60

_COLOURS = (
    (214, 39, 40),
    (31, 119, 180),
    (0, 128, 60),
    (148, 60, 189),
    (190, 90, 0),
    (0, 110, 120),
    (200, 30, 130),
)


@dataclass(frozen=True, slots=True)
class Mark:
    """One numbered element.

    Attributes:
        box: The part of the element that is on the screen.
    """

    number: int
    element: Element
    box: Box

    @property
    def point(self) -> Point:
        """Where to click: the middle of what is on the screen."""
        return self.box.center


def mark_elements(
    elements: Iterable[Element],
    screen: Size,
    numbers: Mapping[str, int] | None = None,
    avoid: Collection[int] = (),
) -> tuple[Mark, ...]:
    """Number what can be pointed at, in reading order; the same elements give the same numbers.

    Of elements with the same box only the innermost is marked. Holders of others are left out
    unless they can be focused or edited themselves.

    Args:
        elements: What is on the screen.
        screen: Its size.
        numbers: By the ids of elements, the numbers they had before and keep.
        avoid: Numbers that meant something else before.
    """
    found = list(_targets(elements, screen).items())
    ordered = [found[n] for n in reading_order([box for box, _ in found])][:MAX_MARKS]
    free = _free_numbers(numbers or {}, avoid)
    return tuple(
        Mark((numbers or {}).get(element.id) or next(free), element, box)
        for box, element in ordered
    )


def unmarked(elements: Iterable[Element], screen: Size) -> int:
    """How many things could be pointed at, too, and get no number."""
    return max(0, len(_targets(elements, screen)) - MAX_MARKS)


def _targets(elements: Iterable[Element], screen: Size) -> dict[Box, Element]:
    whole = Box(0, 0, screen.width, screen.height)
    chosen: dict[Box, Element] = {}
    for element in elements:
        box = element.box.intersect(whole) if element.box is not None else None
        if box is not None and _is_target(element, box, whole):
            # Children come after their parents.
            chosen[box] = element
    return chosen


def _free_numbers(given: Mapping[str, int], avoid: Collection[int]) -> Iterator[int]:
    taken = {*given.values(), *avoid}
    return (number for number in count(1) if number not in taken)


def _is_target(element: Element, box: Box, whole: Box) -> bool:
    if box.width < 3 or box.height < 3:
        return False
    if element.role in HOLDERS:
        return bool({"editable", "focusable"} & set(element.states)) and box != whole
    return True


def table(marks: Sequence[Mark], more: int = 0) -> str:
    """The marks in words, one a line: number, role, name, value and states that matter.

    Args:
        marks: What is told.
        more: How many things without a number there are besides.
    """
    lines = list(map(_line, marks)) or ["(nothing on the screen is marked)"]
    if more:
        lines.append(f"(and {more} more without a number)")
    return "\n".join(lines)


def _line(mark: Mark) -> str:
    element = mark.element
    words = [f"[{mark.number}] {element.role}"]
    if element.name.strip():
        words.append(f'"{_short(element.name)}"')
    elif element.text.strip() and element.text != element.value:
        words.append(f'with the text "{_short(element.text)}"')
    if element.value is not None and element.value.strip():
        words.append(f'= "{_short(element.value)}"')
    told = [s for s in element.states if s in _TOLD]
    if element.states and "enabled" not in element.states:
        told.append("disabled")
    return " ".join(words) + (f" ({', '.join(told)})" if told else "")


_TOLD = frozenset({"focused", "checked", "selected", "expanded", "editable", "pressed"})


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_NAME else flat[: MAX_NAME - 1] + "…"


def annotate(image: bytes, marks: Sequence[Mark], screen: Size, shown: Size) -> bytes:
    """The picture in the size `shown`, with a box and a number on every mark, as PNG.

    No number covers another, nor what is written on something else, as long as there is any room
    nearby; a number that stands apart from its box has a line to it.
    """
    from PIL import Image

    with Image.open(io.BytesIO(image)) as original:
        picture = original.convert("RGB")
    if picture.size != (shown.width, shown.height):
        picture = picture.resize((shown.width, shown.height), Image.Resampling.BOX)
    _draw(picture, marks, _scaled(marks, screen, shown))
    out = io.BytesIO()
    picture.save(out, "png", compress_level=1)
    return out.getvalue()


def _scaled(marks: Sequence[Mark], screen: Size, shown: Size) -> list[Box]:
    """The boxes of the marks on the picture as it is shown."""
    across, down = shown.width / screen.width, shown.height / screen.height
    boxes = []
    for mark in marks:
        x, y = round(mark.box.x * across), round(mark.box.y * down)
        right, bottom = round(mark.box.right * across), round(mark.box.bottom * down)
        boxes.append(Box(x, y, max(1, right - x), max(1, bottom - y)))
    return boxes


def _draw(picture: Image, marks: Sequence[Mark], boxes: Sequence[Box]) -> list[Spot]:
    """Draw them onto the picture; where the numbers are."""
    from PIL import ImageDraw, ImageFont

    font = ImageFont.load_default(FONT_SIZE)
    draw = ImageDraw.Draw(picture)
    bounds = [draw.textbbox((0, 0), str(mark.number), font=font) for mark in marks]
    sizes = [(round(b[2] - b[0]) + 3, round(b[3] - b[1]) + 3) for b in bounds]
    spots = place_labels(picture, boxes, sizes)
    for mark, box in zip(marks, boxes, strict=True):
        draw.rectangle((box.x, box.y, box.right - 1, box.bottom - 1), outline=_colour(mark))
    for mark, box, spot in zip(marks, boxes, spots, strict=True):
        if spot.apart:
            line = (*_towards(spot.box, box), *_towards(box, spot.box))
            draw.line(line, fill=_colour(mark))
    # Numbers last: nothing is drawn over one.
    for mark, spot, (left, top, _, _) in zip(marks, spots, bounds, strict=True):
        at = spot.box
        draw.rectangle((at.x, at.y, at.right - 1, at.bottom - 1), fill=_colour(mark))
        text = str(mark.number)
        draw.text((at.x + 1 - left, at.y + 1 - top), text, fill=(255, 255, 255), font=font)
    return spots


def _towards(start: Box, goal: Box) -> tuple[int, int]:
    """The point of a box that is nearest to the middle of another."""
    middle = goal.center
    x = min(max(middle.x, start.x), max(start.x, start.right - 1))
    y = min(max(middle.y, start.y), max(start.y, start.bottom - 1))
    return x, y


def _colour(mark: Mark) -> tuple[int, int, int]:
    return _COLOURS[mark.number % len(_COLOURS)]
