"""Labels that stand under their fields: a column of fields, each with its words right below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from carrel.frames import Element
from carrel.geometry import Box

__all__ = ["under_fields"]

IN_LINE = 6
"""Pixels by which the words may begin at another column than their field."""
GAP = 10
"""Pixels between a field and the words under it."""
HEADING = 16
"""Pixels over a field beyond which a text rather belongs to all of them."""
FEWEST = 2
"""A single field with words under it has a hint there."""


def under_fields(
    fields: Sequence[Element], known: Mapping[str, Element], texts: Sequence[Element]
) -> Iterable[tuple[str, Element]]:
    """The text under each field of a column in which nothing stands over the first.

    With words between any two fields, only the ends tell whose they are: nothing over the first
    field, and words under the last.

    Args:
        fields: All the fields.
        known: Labels found so far, by the ids of what they label.
        texts: What may be a label.
    """
    for column in _columns(fields):
        under = [_right_below(field, texts) for field in column]
        if any(text is None for text in under) or _has_own(column[0], known, under):
            continue
        if all(_is_nearer(f, t, after) for f, t, after in _with_next(column, under)):
            yield from ((f.id, t) for f, t in zip(column, under, strict=True) if t is not None)


def _has_own(field: Element, known: Mapping[str, Element], under: Sequence[Element | None]) -> bool:
    """Whether a label of its own stands at the first field; a text far over it is a heading."""
    own = known.get(field.id)
    if own is None or own in under:
        return False
    assert own.box is not None
    assert field.box is not None
    return field.box.y - own.box.bottom <= HEADING


def _columns(fields: Sequence[Element]) -> Iterable[list[Element]]:
    """Nameless fields that begin and end at the same columns, from top to bottom."""
    by_edges = dict[tuple[int, int], list[Element]]()
    for field in fields:
        if field.box is not None and not field.name.strip():
            by_edges.setdefault((field.box.x, field.box.right), []).append(field)
    for column in by_edges.values():
        if len(column) >= FEWEST:
            yield sorted(column, key=_top)


def _top(element: Element) -> int:
    assert element.box is not None
    return element.box.y


def _right_below(field: Element, texts: Sequence[Element]) -> Element | None:
    box = field.box
    assert box is not None
    near = [text for text in texts if text.box is not None and _stands_under(text.box, box)]
    return min(near, key=_top, default=None)


def _stands_under(text: Box, field: Box) -> bool:
    return abs(text.x - field.x) <= IN_LINE and -2 <= text.y - field.bottom <= GAP


def _with_next(
    column: Sequence[Element], under: Sequence[Element | None]
) -> Iterable[tuple[Element, Element | None, Element | None]]:
    return zip(column, under, [*column[1:], None], strict=True)


def _is_nearer(field: Element, text: Element | None, after: Element | None) -> bool:
    """Whether words stand nearer to the field over them than to the one under them."""
    assert field.box is not None
    if text is None or text.box is None:
        return False
    if after is None or after.box is None:
        return True
    return text.box.y - field.box.bottom < after.box.y - text.box.bottom
