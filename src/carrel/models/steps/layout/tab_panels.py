"""What a tab shows: the panel that belongs to its handle, and whether it is the one in sight."""

from __future__ import annotations

from carrel.frames import Element
from carrel.models.steps.layout.lineage import Lineage
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["is_behind_another", "panel_of"]

SLACK = 4
"""Pixels by which a panel and the handles over it may lie in one another."""


def is_behind_another(tab: Element, tree: Lineage) -> bool:
    """Whether another one of the same row of tabs is the one that is shown."""
    if "selected" in tab.states or kind_of(tab) is not Kind.TAB:
        return False
    return any(
        e.id != tab.id and e.parent == tab.parent and kind_of(e) is Kind.TAB
        for e in tree.elements
        if "selected" in e.states
    )


def panel_of(tab: Element, tree: Lineage) -> Element | None:
    """What a tab shows, as far as the tree tells; None where that is not known.

    Some toolkits put a page into its tab. Pages name the panel by the tab, or have it stand alone
    beside the row of tabs.
    """
    handle = tab.box
    if handle is None or kind_of(tab) is not Kind.TAB:
        return None
    if any(e.box and e.box.area and e.box.intersect(handle) is None for e in tree.below(tab)):
        return tab
    own = tree.inside(tab)
    called = [
        e
        for e in tree.elements
        if e.id not in own and fold(e.name) == fold(written_on(tab)) and _is_apart(e, tab)
        if kind_of(e) is not Kind.TAB and tree.below(e)
    ]
    inner = {x.id for e in called for x in tree.below(e)}
    called = [e for e in called if e.id not in inner]
    if called:
        return called[0] if len(called) == 1 else None
    return _beside_its_row(tab, tree) if "selected" in tab.states else None


def _is_apart(element: Element, tab: Element) -> bool:
    """Whether it lies beside the handle, and not around it."""
    if element.box is None or tab.box is None or not element.box.area:
        return False
    common = element.box.intersect(tab.box)
    return common is None or min(common.width, common.height) <= SLACK


def _beside_its_row(tab: Element, tree: Lineage) -> Element | None:
    """The one part that stands beside the row of tabs in what holds both."""
    row = tree.by_id.get(tab.parent or "")
    while row is not None:
        holder = tree.by_id.get(row.parent or "")
        if holder is None:
            return None
        others = [
            e
            for e in tree.elements
            if e.parent == holder.id and e.id != row.id and e.box and e.box.area
        ]
        if others:
            told = [e for e in others if _is_apart(e, tab) and tree.below(e)]
            return told[0] if len(others) == 1 and told else None
        if kind_of(holder) in (Kind.PAGE, Kind.WINDOW):
            return None
        row = holder
    return None
