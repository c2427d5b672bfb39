"""Controls that pages hide in a dot, and draw by their label instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.roles import TICKED, kind_of

__all__ = ["drawn_by_labels"]

_DOT = 4
"""Pixels of a side of a control that nobody could hit."""


def drawn_by_labels(elements: Sequence[Element], labels: Iterable[Element]) -> list[Element]:
    """The elements; a check box or radio button in a dot has the place of its label."""
    seats: dict[str, list[Box]] = {}
    for label in labels:
        if label.role == "label" and label.box is not None and not _is_dot(label.box):
            seats.setdefault(_said(label), []).append(label.box)
    return [_seated(element, seats) for element in elements]


def _seated(element: Element, seats: dict[str, list[Box]]) -> Element:
    box = element.box
    if box is None or not _is_dot(box) or not element.name or kind_of(element) not in TICKED:
        return element
    near = seats.get(_folded(element.name), ())
    seat = min(near, key=lambda other: _apart(box, other), default=None)
    return element if seat is None else replace(element, box=seat)


def _apart(one: Box, other: Box) -> int:
    here, there = one.center, other.center
    return abs(here.x - there.x) + abs(here.y - there.y)


def _is_dot(box: Box) -> bool:
    return max(box.width, box.height) <= _DOT


def _said(label: Element) -> str:
    return _folded(label.name or label.value or label.text)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
