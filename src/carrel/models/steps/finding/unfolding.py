"""What unfolds a part of a page: it is called as the part is."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, wished
from carrel.models.steps.shown.reading import fold
from carrel.perception.find import Match
from carrel.perception.labels import written_on

__all__ = ["unfolding", "unfolds"]

_PART = re.compile(
    r"(?:the )?(?P<name>\S.*?) (?:section|panel|part|group|accordion|menu|item|node|folder|block|"
    r"question|answer)",
    re.IGNORECASE,
)


def unfolds(element: Element) -> bool:
    """Whether it says of itself that it is folded or not."""
    return bool({"expandable", "expanded", "collapsed"} & set(element.states))


def unfolding(desk: Desk, phrase: str) -> Match | None:
    """What unfolds a part of a page: it is called as the part is."""
    found = _PART.fullmatch(phrase.strip())
    name = found["name"].strip('"“”') if found else phrase
    looked = look_for(desk, wished(f'"{name}"'))
    fitting = [m for m in looked.matches if unfolds(m.element)]
    same = [m for m in fitting if fold(written_on(m.element)) == fold(name)]
    return same[0] if len(same) == 1 else None
