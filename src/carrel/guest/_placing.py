"""Setting boxes right that a program tells wrongly.

LibreOffice draws what is its own into one part of its window, and reckons from the window's corner:
where a menu bar stands above that part, its buttons are told to be on the menu bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from carrel.geometry import Box

__all__ = ["Node", "set_right"]

SLACK = 2
"""Pixels by which two boxes of one thing may differ."""

Shift = tuple[int, int]
_NONE = (0, 0)


class Node(Protocol):
    """A place in the tree of a program."""

    role: str
    box: Box | None

    @property
    def children(self) -> Sequence[Node]:
        """What is in it."""


def set_right(root: Node) -> None:
    """Move what is told beside its place to where it is."""
    pending: list[tuple[Node, Box | None, Shift]] = [(root, None, _NONE)]
    while pending:
        node, around, shift = pending.pop()
        box = node.box
        if box is not None and around is not None:
            shift = _shift(node.role, box, around, shift)
        if box is not None and shift != _NONE:
            box = node.box = replace(box, x=box.x + shift[0], y=box.y + shift[1])
        pending += [(child, box or around, shift) for child in node.children]


def _shift(role: str, box: Box, around: Box, shift: Shift) -> Shift:
    """How far what is told of a node and below is from the truth, given what it stands in."""
    if not _is_as_large(box, around):
        return shift
    if role == "root pane":
        return around.x - box.x, around.y - box.y
    # A part that another toolkit draws knows its place.
    at_home = abs(box.x - around.x) <= SLACK and abs(box.y - around.y) <= SLACK
    return _NONE if at_home else shift


def _is_as_large(one: Box, other: Box) -> bool:
    return abs(one.width - other.width) <= SLACK and abs(one.height - other.height) <= SLACK
