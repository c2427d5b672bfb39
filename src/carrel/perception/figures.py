"""Things that are drawn: shapes, single characters, coloured boxes, whoever tells of them.

A tree may name every shape of a drawing, only the drawing, or nothing at all. What the tree tells
is measured in the pixels; what it does not tell is found in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.colours import Colour
from carrel.perception.labels import written_on
from carrel.perception.layout import Layout, Placed
from carrel.perception.roles import Kind

if TYPE_CHECKING:
    from carrel.perception.shapes import Shape
    from carrel.perception.view import View

__all__ = ["CHARACTERS", "FORMS", "Figure", "figures", "is_small"]

FORMS = frozenset(
    {"circle", "ellipse", "triangle", "square", "rectangle", "polygon", "star", "line"}
)
CHARACTERS = frozenset({"digit", "letter"})

_DRAWINGS = frozenset(
    {"canvas", "drawing area", "image", "chart", "image map", "icon", "document frame", "graphic"}
)
_SURFACES = frozenset({"canvas", "drawing area", "chart", "image map", "document frame"})
"""What is drawn on, and is no figure itself."""
_HOLDS = frozenset({Kind.GROUP, Kind.IMAGE, Kind.ICON, Kind.SHAPE, Kind.PAGE})
MOST = 0.5
"""What takes more of the screen than this is no figure, and no drawing."""
MARGIN = 3
"""Pixels around a small thing that tell what it stands on."""
ALIKE = 0.55
"""How much of a shape and of an element must be common for them to be one."""
THIN = 12
"""Pixels across a line, at most."""
STEP = 1.3
"""By how much sizes differ that people tell apart."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that is drawn.

    Attributes:
        kind: One of `FORMS`, `digit`, `letter` or `other`.
        sides: As of a `Shape`.
        colour: What it is filled with; of an outline, the outline's.
        inside: What it encloses, where that differs: the ground, of an outline.
        size: Its height as a character, else its longer side.
        character: What is written, of a digit or a letter.
    """

    item: Placed
    kind: str
    sides: int
    colour: Colour
    inside: Colour | None
    size: int
    character: str = ""

    @property
    def box(self) -> Box:
        """Where it is."""
        return self.item.box


@lru_cache(maxsize=8)
def figures(layout: Layout, view: View) -> tuple[Figure, ...]:
    """Everything that is drawn, in reading order; text and controls are not.

    Raises:
        Unavailable: OpenCV is not installed.
    """
    placed = _in_pages(layout)
    found = list(_characters(layout, placed, view))
    for item in placed:
        known = [figure.box for figure in found]
        if _may_hold(layout, item, view) and not any(_same(item.box, box) for box in known):
            found += _in_area(layout, item, view, known)
    if not found:
        found += _on_page(layout, view)
    by_item = {id(figure.item): figure for figure in found}
    return tuple(
        by_item[id(item)] for item in layout.reading_order([figure.item for figure in found])
    )


def is_small(figure: Figure, others: Sequence[Figure]) -> bool | None:
    """Whether it is one of the small ones of all; None where they are all of one size."""
    sizes = sorted({o.size for o in others if o.kind != "line" and o.inside is None})
    gaps = [(sizes[at + 1] / max(1, sizes[at]), sizes[at]) for at in range(len(sizes) - 1)]
    widest, bound = max(gaps, default=(1.0, 0))
    return figure.size <= bound if widest >= STEP else None


def _in_pages(layout: Layout) -> Sequence[Placed]:
    """What can be drawn on: the pages, where there are any; the windows around them have icons."""
    inner = [
        item
        for item in layout.placed
        if any(parent.role == "document web" for parent in layout.ancestors(item))
    ]
    return inner or layout.placed


# Characters


def _characters(layout: Layout, placed: Sequence[Placed], view: View) -> Iterator[Figure]:
    from carrel.perception.colours import crop, stroke

    for item in placed:
        said = written_on(item.element)
        if item.kind is not Kind.TEXT or len(said) != 1 or not said.isalnum():
            continue
        if any(True for _ in layout.inside(item)) or _on_control(layout, item):
            continue
        kind = "digit" if said.isdigit() else "letter"
        colour = stroke(crop(view.pixels, item.box))
        yield Figure(item, kind, 0, colour, None, item.box.height, said)


def _on_control(layout: Layout, item: Placed) -> bool:
    from carrel.perception.roles import CONTROLS, kind_of

    return any(kind_of(parent) in CONTROLS for parent in layout.ancestors(item))


# Shapes


def _may_hold(layout: Layout, item: Placed, view: View) -> bool:
    """Whether it can be a figure, or a drawing with figures in it."""
    if item.kind not in _HOLDS or item.element.role == "document web":
        return False
    if item.box.area > MOST * view.size.width * view.size.height:
        return False
    inner = list(layout.inside(item))
    if item.element.role in _DRAWINGS:
        return True
    if any(child.element.role in _DRAWINGS for child in inner):
        return False
    # A box may have a letter or two on it; with more it is a part of the page.
    texts = [written_on(child.element) for child in inner]
    return len(inner) <= 2 and len("".join(texts)) <= 2 and not any(i.is_control for i in inner)


def _in_area(layout: Layout, item: Placed, view: View, known: Sequence[Box]) -> Iterator[Figure]:
    from carrel.perception.shapes import shapes

    around = _grown(item.box, _margin(item.box))
    inner = list(layout.inside(item))
    beside = _beside(item.box, around)
    if item.element.role not in _SURFACES:
        whole = next((s for s in shapes(view, around, beside) if _is_whole(s, item)), None)
        if whole is not None:
            yield _figure(item, whole)
            return
        if _is_plain(view, item):
            yield _filled(item, view)
            return
    others = [i for i in layout.placed if i.is_control or i.kind is Kind.TEXT or i in inner]
    for shape in shapes(view, item.box, [_grown(other.box, 1) for other in others]):
        if not any(_same(shape.box, box) for box in known):
            figure = _figure(_made(shape.box, layout, len(known)), shape)
            yield from _knots(layout, view, figure) or [figure]


def _is_whole(shape: Shape, item: Placed) -> bool:
    """Whether it is what an element is, and not only a line along its edges."""
    if shape.kind == "line" and min(item.box.width, item.box.height) > THIN:
        return False
    form = shape.kind in FORMS or item.element.role in _DRAWINGS
    return form and _same(shape.box, item.box)


def _knots(layout: Layout, view: View, figure: Figure) -> list[Figure]:
    """The points of a figure of thin lines that are marked by dots, and the lines with them."""
    from carrel.perception.shapes import dots

    if figure.kind not in ("line", "other") or figure.size < 2 * THIN:
        return []
    found = [_figure(_made(dot.box, layout, 1), dot) for dot in dots(view, figure.box)]
    return [figure, *found] if found else []


def _is_plain(view: View, item: Placed) -> bool:
    """Whether it is one colour all over, and what is around it another."""
    from carrel.perception.colours import crop, is_plain, most_common, rim

    if not is_plain(crop(view.pixels, item.box)):
        return False
    inner = most_common(crop(view.pixels, item.box).reshape(-1, 3)).astype(int)
    outer = most_common(rim(crop(view.pixels, _grown(item.box, _margin(item.box))))).astype(int)
    return bool(abs(inner - outer).max() > 24)


def _filled(item: Placed, view: View) -> Figure:
    from carrel.perception.colours import colour_of

    box = item.box
    kind = "square" if 0.87 <= box.width / box.height <= 1.15 else "rectangle"
    return Figure(item, kind, 4, colour_of(view, box), None, max(box.width, box.height))


def _figure(item: Placed, shape: Shape) -> Figure:
    size = max(item.box.width, item.box.height)
    inside = shape.inside if shape.hollow else None
    return Figure(item, shape.kind, shape.sides, shape.colour, inside, size)


def _on_page(layout: Layout, view: View) -> Iterator[Figure]:
    """Where nobody tells of a drawing: what stands on the page and is no text or control."""
    from carrel.perception.shapes import shapes

    pages = [item.box for item in layout.placed if item.kind is Kind.PAGE]
    area = pages[0] if pages else Box(0, 0, view.size.width, view.size.height)
    known = [i.box for i in layout.placed if i.is_control or i.kind is Kind.TEXT]
    for shape in shapes(view, area, [_grown(box, 1) for box in known]):
        if shape.box.area <= MOST * area.area:
            figure = _figure(_made(shape.box, layout, 0), shape)
            yield from _knots(layout, view, figure) or [figure]


def _made(box: Box, layout: Layout, number: int) -> Placed:
    """An element for what only the pixels show."""
    called = f"figure-{box.x}-{box.y}-{number}"
    element = Element(called, "image", box=box, source="detector", confidence=0.9)
    return Placed(element, box, Kind.SHAPE, len(layout.placed) + box.y * 10000 + box.x)


def _margin(box: Box) -> int:
    """How much around a thing is looked at: of a large one more, for most of it to be ground."""
    return max(MARGIN, 1 + round(0.06 * min(box.width, box.height)))


def _beside(box: Box, around: Box) -> list[Box]:
    """The margin of a box, in four parts: it tells the ground, and nothing in it belongs here."""
    return [
        Box(around.x, around.y, around.width, box.y - around.y),
        Box(around.x, box.bottom, around.width, around.bottom - box.bottom),
        Box(around.x, around.y, box.x - around.x, around.height),
        Box(box.right, around.y, around.right - box.right, around.height),
    ]


def _same(one: Box, other: Box) -> bool:
    common = one.intersect(other)
    return common is not None and common.area >= ALIKE * max(one.area, other.area)


def _grown(box: Box, by: int) -> Box:
    return Box(max(0, box.x - by), max(0, box.y - by), box.width + 2 * by, box.height + 2 * by)
