"""Fields that were known by the hint in them: once they hold a text, only their place tells."""

from __future__ import annotations

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import wished
from carrel.models.steps.layout.chrome import web_page
from carrel.perception._names import fold
from carrel.perception.roles import FIELDS, Kind, is_field, kind_of

__all__ = ["recall", "recalled"]

MOVED = 3
"""Pixels that a field may move and still be at the same place."""
_KINDS = FIELDS | {Kind.FIELD, Kind.TEXT}


def recall(desk: Desk, phrase: str, field: Element) -> None:
    """Remember which field a phrase was for, where the field has no name of its own."""
    if not field.name.strip() and field.box is not None and (key := _key(desk, phrase)) is not None:
        desk.filled[key] = field


def recalled(desk: Desk, phrase: str) -> Element | None:
    """The field that was filled by this name, if it is still at its place."""
    key = _key(desk, phrase)
    before = desk.filled.get(key) if key is not None else None
    if before is None:
        return None
    here = [e for e in desk.elements if is_field(e) and _is_same(e, before)]
    return here[0] if len(here) == 1 else None


def _key(desk: Desk, phrase: str) -> str | None:
    """The name and the page it was said of; None where something else is said, too."""
    one = wished(phrase, (Kind.FIELD,)).description
    if not one.name or one.relations or one.rest or one.ordinal or set(one.kinds) - _KINDS:
        return None
    page = web_page(desk.elements)
    return f"{fold(one.name)} {page.value if page is not None else ''}"


def _is_same(field: Element, before: Element) -> bool:
    if field.box is None or before.box is None or kind_of(field) is not kind_of(before):
        return False
    one, other = field.box, before.box
    far = max(abs(one.x - other.x), abs(one.y - other.y), abs(one.width - other.width))
    return far <= MOVED and not field.name.strip() and field.app == before.app
