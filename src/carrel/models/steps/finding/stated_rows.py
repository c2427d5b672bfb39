"""Rows that are told by a state that one of their cells says: `orders that are cancelled`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.layout.entry_rows import is_head, rows_of
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.shown.reading import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["state_said", "stated_rows"]

_ALL = r"(?:(?:the|all|every|each|any|of) )*"
_THAT = re.compile(
    rf"{_ALL}[a-z][a-z-]*(?: [a-z-]+)? (?:(?:that|which|who) (?:is|are|was|were|ha(?:s|ve) been) |"
    r"(?:marked|labell?ed|flagged|listed|shown) (?:as )?)(?:marked (?:as )?|still |already )?"
    r"[\"“]?(?P<state>[A-Za-z][\w-]*(?: [a-z]+)?)[\"”]?",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(rf"{_ALL}(?P<state>[a-z][a-z-]+) [a-z-]+", re.IGNORECASE)


def state_said(phrase: str) -> str | None:
    """The state in `every order that is cancelled`, `the cancelled orders`; None where none is."""
    text = " ".join(phrase.split())
    found = _THAT.fullmatch(text) or _ADJECTIVE.fullmatch(text)
    return None if found is None else found["state"]


_DONE = re.compile(r"done|finished|completed?|checked|ticked|selected", re.IGNORECASE)
_OPEN = re.compile(r"un(?:done|finished|checked|ticked|selected)|incomplete", re.IGNORECASE)


def _by_box(tree: Lineage, state: str) -> tuple[Element, ...]:
    """The rows whose one box is ticked, or is not: what is finished is ticked off."""
    on = _DONE.fullmatch(state) is not None
    if not on and _OPEN.fullmatch(state) is None:
        return ()
    found: list[Element] = []
    for row in rows_of(tree):
        boxes = [e for e in tree.below(row) if kind_of(e) is Kind.CHECKBOX]
        if len(boxes) == 1 and not is_head(row, tree) and ("checked" in boxes[0].states) is on:
            found.append(row)
    return tuple(found)


def stated_rows(phrase: str, elements: Sequence[Element]) -> tuple[Element, ...]:
    """The rows in which something says just that state."""
    state = state_said(phrase)
    if state is None:
        return ()
    tree = lineage_of(tuple(elements))
    if boxed := _by_box(tree, state):
        return boxed
    found: list[Element] = []
    for row in rows_of(tree):
        combos = [e for e in tree.below(row) if kind_of(e) is Kind.COMBO]
        # What a drop-down could say it does not say.
        offered = {x.id for combo in combos for x in tree.below(combo)}
        held = [e for e in tree.below(row) if e.id not in offered]
        said = [e for e in held if fold(state) in (fold(written_on(e)), fold(e.value or ""))]
        if said and not is_head(row, tree):
            found.append(row)
    return tuple(found)
