"""The only thing of a dialog that can be set, which nothing but the dialog names."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.lineage import Lineage
from carrel.models.steps.reading import fold
from carrel.models.steps.wishes import wished
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["lone_setting"]

_DIALOGS = ("dialog", "alert")


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
