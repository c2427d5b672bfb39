"""The small number beside a name: how many are unread in a folder, how much is in the cart."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.lineage import Lineage
from carrel.models.steps.reading import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["badge_of", "badged_name"]

_SORT = r"(?:(?:unread|red|small|notification|number|count|counter) )*(?:badge|unread count|bubble)"
_BADGE = re.compile(
    rf"(?:the |an? |any )?(?:{_SORT} (?:next to|beside|on|of|at|for|behind) (?:the )?(?P<of>.+?)"
    rf"(?: (?:link|icon|button|folder|tab|menu item|entry))?|(?P<name>.+?) {_SORT})",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d{1,4}\+?")


def badged_name(phrase: str) -> str | None:
    """What has the badge that is meant; None where no badge is."""
    found = _BADGE.fullmatch(phrase.strip())
    return (found["of"] or found["name"]).strip("\"“”'") if found else None


def badge_of(desk: Desk, name: str) -> tuple[bool, Element | None]:
    """Whether the name is to be seen, and the one number that stands with it in the same thing."""
    tree = Lineage(tuple(part_meant(desk.elements, "")))
    texts = [e for e in tree.elements if kind_of(e) is Kind.TEXT and not tree.below(e)]
    named = [e for e in texts if fold(written_on(e)) == fold(name)]
    found: list[Element] = []
    for one in named:
        beside = [e for e in texts if e.parent == one.parent and _FIGURE.fullmatch(_said(e))]
        found += beside if len(beside) == 1 else []
    return bool(named), found[0] if len(found) == 1 else None


def _said(element: Element) -> str:
    return written_on(element).strip()
