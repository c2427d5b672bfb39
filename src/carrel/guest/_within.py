"""Placing what a program tells only within its window, and telling which of it can be seen.

GTK 4 knows no place on the screen, calls nothing "showing", and goes on telling of pages and menus
that are not there. Asked what is at a point, it names what can be seen there: where a window and
something in it have the same at a point of that, it is shown. What opens over a window has a window
of its own, which no other finds, and is known by its size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from carrel.geometry import Box
from carrel.guest.atspi import STATES
from carrel.guest.manager import Client

__all__ = ["Node", "place_windows"]

ACTIVE, ENABLED, FOCUSED, SENSITIVE, SHOWING, VISIBLE = (
    1 << STATES.index(name)
    for name in ("active", "enabled", "focused", "sensitive", "showing", "visible")
)
Ref = tuple[str, str]
Shift = tuple[int, int]

_TYPE = re.compile(r"(?:[A-Z][a-z0-9]*){2,}")
_MNEMONIC = re.compile(r"_(?=[^\W_])")
_WINDOWS = frozenset({"alert", "dialog", "file chooser", "frame", "window"})
_WRITTEN = frozenset({"frame", "heading", "label", "paragraph", "static"})
"""Roles whose name is what is written on them."""


class Node(Protocol):
    """A place in the tree of a program."""

    role: str
    name: str
    states: int
    box: Box | None
    hits: list[Ref | None]

    @property
    def ref(self) -> Ref:
        """Its own name on the bus."""

    @property
    def children(self) -> Sequence[Node]:
        """What is in it."""


def place_windows(
    windows: Sequence[Node], owned: Sequence[Client], popups: Sequence[Box] = ()
) -> None:
    """Give what is in the windows of one program its place on the screen.

    Args:
        windows: As the program tells them.
        owned: As the screen has them, of the same program.
        popups: What else the screen has: menus and the like.
    """
    for window in windows:
        shift = _shift_of(window, owned)
        tree = _Tree(window)
        shown = {window.ref}
        for node, moved in _placed(window, shift, popups):
            if tree.is_seen(node) if moved == shift else tree.is_there(node):
                shown.update(tree.line(node.ref))
            node.name = _written(node)
            if moved is None or node.box is None:
                node.box = None
            else:
                node.box = replace(node.box, x=node.box.x + moved[0], y=node.box.y + moved[1])
        if window.role not in _WINDOWS:
            window.role = "dialog"
        if any(node.states & FOCUSED for node in tree.nodes):
            window.states |= ACTIVE
        for node in tree.nodes:
            node.states &= ~SHOWING
            node.states |= SHOWING | VISIBLE if node.ref in shown else 0
            node.states |= ENABLED if node.states & SENSITIVE else 0


def _shift_of(window: Node, owned: Sequence[Client]) -> Shift | None:
    """From a corner of what a program counts as its window to that of the screen."""
    named = [client for client in owned if client.title == window.name]
    fitting = named or owned
    box = fitting[0].box if len(fitting) == 1 else None
    if box is None or window.box is None:
        return None
    spare = ((box.width - window.box.width) // 2, (box.height - window.box.height) // 2)
    left, top = fitting[0].shadow or (max(0, spare[0]), max(0, spare[1]))
    return box.x + left, box.y + top


def _placed(
    root: Node, shift: Shift | None, popups: Sequence[Box]
) -> Iterator[tuple[Node, Shift | None]]:
    """Every node, what holds others before them, and how far it is from where it is told."""
    pending = [(root, shift)]
    while pending:
        node, moved = pending.pop(0)
        if moved == shift and (popup := _popup_of(node, popups)) is not None and node.box:
            moved = popup.x - node.box.x, popup.y - node.box.y
        pending += [(child, moved) for child in node.children]
        yield node, moved


def _popup_of(node: Node, popups: Sequence[Box]) -> Box | None:
    """The window that something opened has for itself, where one alone is of its size."""
    found, own = (*node.hits, None, None)[:2]
    if node.box is None or own is None or found == own:
        return None
    size = (node.box.width, node.box.height)
    fitting = [popup for popup in popups if (popup.width, popup.height) == size]
    return fitting[0] if len(fitting) == 1 else None


@dataclass(slots=True)
class _Tree:
    """What is in a window, and what holds what."""

    nodes: list[Node]
    above: Mapping[Ref, Node]

    def __init__(self, window: Node) -> None:
        self.nodes = [window]
        for node in self.nodes:
            self.nodes += node.children
        self.above = {child.ref: node for node in self.nodes for child in node.children}

    def is_seen(self, node: Node) -> bool:
        """Whether the window has at a point of it what it has there itself."""
        pairs = zip(node.hits[::2], node.hits[1::2], strict=False)
        # What cannot be used is passed over: then the next that can, around it, is found.
        instead = None if node.states & SENSITIVE else self._usable(node)
        return any(found and found == (own or instead) for found, own in pairs)

    def is_there(self, node: Node) -> bool:
        """Whether it has anything at a point of itself: then it is not closed."""
        return any(node.hits[1::2])

    def line(self, ref: Ref) -> list[Ref]:
        """It and all that hold it."""
        line = [ref]
        while (holder := self.above.get(line[-1])) is not None and holder.ref not in line:
            line.append(holder.ref)
        return line

    def _usable(self, node: Node) -> Ref | None:
        """The next around something that can be used."""
        holder = self.above.get(node.ref)
        while holder is not None and not holder.states & SENSITIVE:
            holder = self.above.get(holder.ref)
        return holder.ref if holder is not None else None


def _written(node: Node) -> str:
    """Its name, without what marks a key, and unless it is only what programmers call it."""
    if node.role in _WRITTEN:
        return node.name
    if _TYPE.fullmatch(node.name):
        return ""
    half = len(node.name) // 2
    # A label and the text it is for are both told: "Save Save".
    twice = node.name[:half] == node.name[half + 1 :] and node.name[half : half + 1] == " "
    return _MNEMONIC.sub("", node.name[:half] if twice else node.name, count=1)
