"""The only thing of a dialog that can be set, which nothing but the dialog names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element, Window
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.windowed import has_dialog_window, only_window
from carrel.models.steps.finding.wishes import wished
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.front import open_windows
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Turns
from carrel.perception.find import SURE, Match
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["lone_field", "lone_setting"]

_DIALOGS = ("dialog", "alert")
_FIELD = re.compile(r"\s+(?:field|box|entry|input)$", re.IGNORECASE)
_BARE = re.compile(r"(?:the|its|this|that|a|new|\s)+\b", re.IGNORECASE)


def lone_setting(desk: Desk, phrase: str, kinds: Sequence[Kind]) -> Element | None:
    """The one slider or spinner of a dialog whose title or question says the name.

    It must have no other name.
    """
    one = wished(phrase).description
    if not one.name or one.relations or one.ordinal or one.denied:
        return None
    shown = part_meant(desk.elements, "")
    tree = Lineage(desk.elements)
    there = [e for e in shown if kind_of(e) in kinds and e.box and not is_disabled(e)]
    if len(there) != 1 or there[0].name.strip():
        return None
    words = fold(one.name)
    if (label := label_of(there[0], desk.elements)) is not None:
        return there[0] if words in fold(written_on(label)) else None
    holder: Element | None = there[0]
    while holder is not None and holder.role not in _DIALOGS:
        holder = tree.by_id.get(holder.parent or "")
    if holder is None:
        return None
    texts = [written_on(e) for e in tree.below(holder) if kind_of(e) is Kind.TEXT]
    return there[0] if any(words in fold(text) for text in (holder.name, *texts)) else None


def lone_field(desk: Desk, phrase: str) -> Turns[Match | None]:
    """The one field of the dialog in front, where its title or its question says the name.

    Many programs put such a dialog up without telling anything of it: then it is a window that
    lies over another one of theirs, and what it says is read.
    """
    name = _BARE.sub("", _FIELD.sub("", phrase.strip()), count=1).strip()
    if not name or not name.replace(" ", "").isalpha() or web_page(desk.elements) is not None:
        return None
    field = lone_setting(desk, phrase, (Kind.FIELD,))
    if field is None and (yield from has_dialog_window(desk)):
        listed = yield from open_windows(desk)
        yield from desk.closer()
        front = next((window for window in listed if window.focused), None)
        field = None if front is None else _field_in(desk, name, front, listed)
    if field is None or field.box is None:
        return None
    return Match(field, SURE, field.box.center, "the only field of the dialog that asks for it")


def _field_in(desk: Desk, name: str, front: Window, listed: Sequence[Window]) -> Element | None:
    """The only field that is seen in a window, where a text above it or the title says the name."""
    with only_window(desk, front, listed):
        shown = tuple(e for e in desk.elements if e.box is not None)
    fields = [e for e in shown if kind_of(e) is Kind.FIELD]
    if len(fields) != 1:
        return None
    at = fields[0].box
    above = [e for e in shown if kind_of(e) is Kind.TEXT and e.box and at and e.box.y < at.bottom]
    said = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    texts = (front.title, *map(written_on, above))
    return fields[0] if any(said.search(text) for text in texts) else None
