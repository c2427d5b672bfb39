"""All of a page, in sight or not: what is counted on it is counted there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, children_of, within
from carrel.models.steps.finding.wishes import wished
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.program import Condition, Count, Every, Has, Is, Not, Only, Shows, Within
from carrel.models.steps.turns import Turns
from carrel.perception.description import Description
from carrel.perception.roles import Kind, kind_of

__all__ = ["come_to_whole", "is_by_number", "is_of_one_table", "on_whole_page"]

_TABLE = re.compile(r"\b(?:in|of|on) the table$")
_TOLD = frozenset({"tree", "browser"})


def is_by_number(condition: Condition) -> bool:
    """Whether it counts things, or tells one by its number, of those an application tells of."""
    if isinstance(condition, Within):
        return _is_numbered(condition.place) or is_by_number(condition.condition)
    if isinstance(condition, Not):
        return is_by_number(condition.condition)
    if isinstance(condition, Every):
        return any(is_by_number(one) for one in condition.conditions)
    if isinstance(condition, Count):
        return not _is_drawn(wished(condition.what).description)
    if isinstance(condition, Only):
        return True
    return isinstance(condition, Has | Is | Shows) and _is_numbered(condition.what)


def _is_numbered(phrase: str) -> bool:
    one = wished(phrase).description
    every = (one, *one.readings, *(r.target for r in one.relations))
    return any(d.ordinal for d in every) and not _is_drawn(one)


def is_of_one_table(desk: Desk, condition: Condition) -> bool:
    """Whether "the table" is meant, and of all on a page one is in sight, from its head to its end.

    Whoever says no more than that means the one that is seen.
    """
    place = condition.place if isinstance(condition, Within) else ""
    what = str(getattr(condition, "what", place))
    page = web_page(desk.elements)
    if page is None or _TABLE.search(what) is None:
        return False
    tables = [e.box for e in desk.elements if kind_of(e) is Kind.TABLE and e.box is not None]
    return len(tables) == 1 and within(tables[0], page.box)


def _is_drawn(one: Description) -> bool:
    """Whether only pixels tell what is meant, which nothing out of sight has."""
    return any(d.colour or d.shape not in ("", "number") for d in (one, *one.readings))


def come_to_whole(desk: Desk) -> Turns[bool]:
    """Look at all of the page; whether there is more of it than is in sight."""
    desk.unseen_cut = False
    if web_page(desk.seen.elements) is None:
        return False
    yield from desk.again(0, why="what is out of sight counts as well", hidden=True)
    return bool(_beyond(desk))


@contextmanager
def on_whole_page(desk: Desk) -> Iterator[None]:
    """See what is out of sight, too, where it lies on the page, as of the last look at that."""
    outer = desk.scope, desk.whole

    def whole(elements: tuple[Element, ...]) -> tuple[Element, ...]:
        page = web_page(elements)
        if page is None:
            return elements
        own = {e.id for e in children_of(elements, page)} | {page.id}
        around = [e for e in elements if e.id not in own or e.source not in _TOLD]
        return (*around, *_page(desk, elements, page.parent))

    desk.scope = desk.whole = whole
    try:
        yield
    finally:
        desk.scope, desk.whole = outer


def _page(desk: Desk, elements: tuple[Element, ...], parent: str | None) -> list[Element]:
    """What an application tells of the page: beyond the edges, in sight, and what holds these."""
    shown = {(e.role, e.name, e.box) for e in elements}
    beyond = {e.id for e in _beyond(desk)}
    page = web_page(desk.unseen)
    listed = [page, *children_of(desk.unseen, page)] if page is not None else []
    tree = Lineage(desk.unseen)
    kept = {e.id for e in listed if e.id in beyond or (e.role, e.name, e.box) in shown}
    kept |= {above.id for e in listed if e.id in kept for above in tree.above(e)}
    # Each look numbers anew what it sees: nothing of the one may pass for something of the other.
    return [
        replace(e, id=f"all-{e.id}", parent=parent if e is page else f"all-{e.parent}")
        for e in listed
        if e.id in kept or e is page
    ]


def _beyond(desk: Desk) -> list[Element]:
    """What lies above or below what can be seen of the page."""
    page, shown = web_page(desk.unseen), web_page(desk.seen.elements)
    view = shown.box if shown is not None else None
    if page is None or view is None:
        return []
    return [e for e in children_of(desk.unseen, page) if _is_beyond(e, view)]


def _is_beyond(element: Element, view: Box) -> bool:
    box = element.box
    if box is None or not box.area or "visible" not in element.states:
        return False
    # What is beside a page is hidden on purpose: the slides of a show, a drawer that is shut.
    if box.right <= view.x or box.x >= view.right:
        return False
    return not view.y <= box.center.y < view.bottom
