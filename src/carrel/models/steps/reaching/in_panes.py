"""`Sums in the list on the left`: a thing in a pane that only its side tells from others."""

from __future__ import annotations

from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import is_there, look_for, wished
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.phrases.place_words import placed_in, read_place
from carrel.models.steps.shown.scrollable import pane_meant

__all__ = ["in_pane"]


def in_pane(desk: Desk, phrase: str) -> tuple[str, Box] | None:
    """The thing, and how far the pane of a program reaches; None where no pane is meant.

    Programs tell of a tree or a table what people call a list, and say no name of it.
    """
    parts = placed_in(phrase)
    if parts is None or web_page(desk.elements) is not None:
        return None
    place = read_place(parts[0])
    if place.name or place.number or not place.side:
        return None
    if is_there(look_for(desk, wished(phrase))):
        return None
    pane = pane_meant(desk, parts[0])
    return None if pane is None else (parts[1], pane.box)
