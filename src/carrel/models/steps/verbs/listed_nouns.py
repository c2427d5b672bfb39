"""Entries of a program's only list, told with the noun that heads it: `the Green room`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import is_there, look_for, wished
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.program import Choose
from carrel.models.steps.shown.reading import fold
from carrel.perception.roles import Kind, kind_of

__all__ = ["as_listed"]

_LISTS = (Kind.LIST, Kind.TABLE, Kind.TREE)
_ENTRIES = (Kind.CELL, Kind.OPTION, Kind.ROW, Kind.TREE_ITEM)
_HEADS = (Kind.COLUMN, Kind.DIALOG, Kind.WINDOW, Kind.HEADING)
_LIST_OF = re.compile(r"the\s+(?:list|table)\s+of\s+(?:the\s+)?(?P<noun>[\w-]+)", re.IGNORECASE)
_NAMED = re.compile(r"(?:the\s+)?(?P<name>.+?)\s+(?P<noun>[\w-]+)", re.IGNORECASE)


def as_listed(desk: Desk, step: Choose) -> Choose:
    """The step in the words of the list, where its nouns are what heads the list; else as it is."""
    lists = [e for e in desk.elements if kind_of(e) in _LISTS and e.box is not None]
    if web_page(desk.elements) is not None or len(lists) != 1 or step.path:
        return step
    heads = [_stem(e.name) for e in desk.elements if kind_of(e) in _HEADS and e.name]
    options = tuple(_entry(desk, option, heads) for option in step.options)
    listed = _LIST_OF.fullmatch(step.source or "")
    source = None if listed and _stem(listed["noun"]) in heads else step.source
    return replace(step, options=options, source=source)


def _entry(desk: Desk, option: str, heads: Sequence[str]) -> str:
    """The one entry that is called so without the noun; the option itself where there is none."""
    found = _NAMED.fullmatch(option.strip())
    if found is None or _stem(found["noun"]) not in heads:
        return option
    if is_there(look_for(desk, wished(option))):
        return option
    named = [e for e in desk.elements if _is_entry(e, found["name"])]
    return f'"{named[0].name.strip()}"' if len(named) == 1 else option


def _is_entry(element: Element, name: str) -> bool:
    return kind_of(element) in _ENTRIES and fold(element.name) == fold(name.strip("\"“”'"))


def _stem(text: str) -> str:
    """A noun, be it one or many."""
    return re.sub(r"ies$", "y", fold(text)).removesuffix("s")
