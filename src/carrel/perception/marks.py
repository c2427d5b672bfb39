"""Set of marks: elements of the screen with numbers, drawn on the picture and listed in words."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from carrel.frames import Element
from carrel.geometry import Box, Point, Size

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

__all__ = ["MAX_MARKS", "Mark", "annotate", "mark_elements", "table"]

MAX_MARKS = 300
"""More numbers than this cover the screen instead of explaining it."""

FONT_SIZE = 12
MAX_NAME = 60

# Roles that hold others or only decorate; a mark on them would point at nothing in particular.
_HOLDERS = frozenset(
    {
        "application",
        "desktop frame",
        "desktop icon layer",
        "frame",
        "window",
        "dialog",
        "filler",
        "panel",
        "section",
        "scroll pane",
        "viewport",
        "split pane",
        "layered pane",
        "root pane",
        "glass pane",
        "internal frame",
        "tool bar",
        "menu bar",
        "status bar",
        "separator",
        "redundant object",
        "unknown",
        "invalid",
        "document web",
        "document frame",
        "form",
        "grouping",
        "landmark",
        "list",
        "table",
        "tree",
        "tree table",
        "page tab list",
    }
)
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


def mark_elements(elements: Iterable[Element], screen: Size) -> tuple[Mark, ...]:
    """Number what can be pointed at, in reading order; the same elements give the same numbers.

    Of elements with the same box only the innermost is marked. Holders of others are left out
    unless they can be focused or edited themselves.
    """
    whole = Box(0, 0, screen.width, screen.height)
    chosen: dict[Box, Element] = {}
    for element in elements:
        box = element.box.intersect(whole) if element.box is not None else None
        if box is not None and _is_target(element, box, whole):
            # Children come after their parents.
            chosen[box] = element
    ordered = sorted(chosen.items(), key=lambda item: (item[0].y // 8, item[0].x, item[0].y))
    return tuple(
        Mark(number, element, box) for number, (box, element) in enumerate(ordered[:MAX_MARKS], 1)
    )


def _is_target(element: Element, box: Box, whole: Box) -> bool:
    if box.width < 3 or box.height < 3:
        return False
    if element.role in _HOLDERS:
        return bool({"editable", "focusable"} & set(element.states)) and box != whole
    return True


def table(marks: Sequence[Mark]) -> str:
    """The marks in words, one a line: number, role, name, value and states that matter."""
    return "\n".join(map(_line, marks)) or "(nothing on the screen is marked)"


def _line(mark: Mark) -> str:
    element = mark.element
    words = [f"[{mark.number}] {element.role}"]
    if element.name.strip():
        words.append(f'"{_short(element.name)}"')
    if element.value is not None and element.value.strip():
        words.append(f'= "{_short(element.value)}"')
    told = [s for s in element.states if s in _TOLD]
    if "enabled" not in element.states and element.states:
        told.append("disabled")
    return " ".join(words) + (f" ({', '.join(told)})" if told else "")


_TOLD = frozenset({"focused", "checked", "selected", "expanded", "editable", "pressed"})


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_NAME else flat[: MAX_NAME - 1] + "…"


def annotate(image: bytes, marks: Sequence[Mark], screen: Size, shown: Size) -> bytes:
    """The picture in the size `shown`, with a box and a number on every mark, as PNG."""
    from PIL import Image, ImageDraw, ImageFont

    with Image.open(io.BytesIO(image)) as original:
        picture = original.convert("RGB")
    if picture.size != (shown.width, shown.height):
        picture = picture.resize((shown.width, shown.height), Image.Resampling.BOX)
    font = ImageFont.load_default(FONT_SIZE)
    artist = _Artist(ImageDraw.Draw(picture), font, shown, _scale(screen, shown), marks)
    for mark in marks:
        artist.outline(mark)
    # Numbers last: no box is drawn over one.
    for mark in marks:
        artist.label(mark)
    out = io.BytesIO()
    picture.save(out, "png", compress_level=1)
    return out.getvalue()


def _scale(screen: Size, shown: Size) -> tuple[float, float]:
    return shown.width / screen.width, shown.height / screen.height


class _Artist:
    """Draws, and keeps numbers from covering each other."""

    def __init__(
        self,
        draw: ImageDraw,
        font: FreeTypeFont | ImageFont,
        shown: Size,
        scale: tuple[float, float],
        marks: Sequence[Mark],
    ) -> None:
        self.draw = draw
        self.font = font
        self.shown = shown
        self.scale = scale
        self.boxes = [self.place(mark.box) for mark in marks]
        self.labels: list[Box] = []

    def place(self, box: Box) -> Box:
        x, y = round(box.x * self.scale[0]), round(box.y * self.scale[1])
        right, bottom = round(box.right * self.scale[0]), round(box.bottom * self.scale[1])
        return Box(x, y, max(1, right - x), max(1, bottom - y))

    def outline(self, mark: Mark) -> None:
        box = self.place(mark.box)
        corners = (box.x, box.y, box.right - 1, box.bottom - 1)
        self.draw.rectangle(corners, outline=_colour(mark), width=1)

    def label(self, mark: Mark) -> None:
        text = str(mark.number)
        left, top, right, bottom = self.draw.textbbox((0, 0), text, font=self.font)
        width, height = round(right - left) + 4, round(bottom - top) + 4
        spot = self._free(self.place(mark.box), width, height)
        self.labels.append(spot)
        corners = (spot.x, spot.y, spot.right - 1, spot.bottom - 1)
        self.draw.rectangle(corners, fill=_colour(mark))
        at = (spot.x + 2 - left, spot.y + 2 - top)
        self.draw.text(at, text, fill=(255, 255, 255), font=self.font)

    def _free(self, box: Box, width: int, height: int) -> Box:
        """The best place for a number: not on another number, in nobody else's box."""
        inside = 1.5 if box.area > 2 * width * height else 3.0
        ways = (
            (box.x, box.y - height, 0.0),
            (box.right - width, box.y - height, 0.1),
            (box.x - width, box.y, 0.2),
            (box.right, box.y, 0.3),
            (box.x, box.bottom, 0.4),
            # The right end of a box is less often where its text is.
            (box.right - width, box.y, inside),
            (box.right - width, box.bottom - height, inside + 0.1),
            (box.x, box.y, inside + 1),
        )
        spots = [(self._inside(x, y, width, height), cost) for x, y, cost in ways]
        return min(spots, key=lambda spot: spot[1] + self._harm(spot[0], box))[0]

    def _harm(self, spot: Box, box: Box) -> float:
        covered = sum(1 for label in self.labels if _touch(spot, label))
        others = sum(1 for b in self.boxes if _touch(spot, b) and not _holds(b, box))
        return 10.0 * covered + 2.0 * min(others, 3)

    def _inside(self, x: int, y: int, width: int, height: int) -> Box:
        x = min(max(x, 0), max(0, self.shown.width - width))
        y = min(max(y, 0), max(0, self.shown.height - height))
        return Box(x, y, width, height)


def _touch(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and outer.right >= inner.right
        and outer.bottom >= inner.bottom
    )


def _colour(mark: Mark) -> tuple[int, int, int]:
    return _COLOURS[mark.number % len(_COLOURS)]
