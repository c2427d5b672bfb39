"""Typing into what shows keys and takes no text: the display of a calculator, a game, a kiosk."""

from __future__ import annotations

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.shown.reading import content_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.fields import field_at, typed
from carrel.models.steps.verbs.pointing import named

__all__ = ["is_display", "key_in"]

MOST = 60
"""Keys that are pressed one at a time."""


def is_display(element: Element) -> bool:
    """Whether it shows what a program makes of keys, and is no text to be edited."""
    told = element.source == "tree" and element.role in ("text", "label", "static")
    return told and "editable" not in element.states


def key_in(desk: Desk, display: Element, text: str) -> Turns[None]:
    """Press one key after the other: a program that acts on each may drop what comes too fast.

    Raises:
        Missed: Nothing changed at all.
    """
    before = content_of(display, desk.elements)
    parts = list(text) if len(text) <= MOST else [text]
    moved = False
    for number, part in enumerate(parts, 1):
        last = number == len(parts)
        yield from desk.do(typed(part), why=f"one key at a time, at {named(display)}", last=last)
        moved = moved or desk.changed
    now = field_at(desk, display)
    shown = content_of(now, desk.elements) if now is not None else before
    if shown == before and not moved and not (yield from desk.effect()):
        desk.doubts.clear()
        raise Missed(f"nothing changed when {text!r} was typed at {named(display)}")
