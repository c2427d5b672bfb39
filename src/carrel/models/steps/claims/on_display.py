"""Words on a display: on what a program shows its result in, or on the screen in other words."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.claims.displays import is_display, result_shown
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Condition, Has, Not, Shows, Within
from carrel.models.steps.finding.wishes import is_there, look_for, wished

__all__ = ["as_on_display"]

_ON = re.compile(
    r"(?P<what>.+?),? (?:anywhere )?(?:on|in) (?P<place>(?:the|my|your|its) [^\"“”]+)",
    re.IGNORECASE,
)
_SCREEN = re.compile(
    r"(?:the|my|your|its) (?:whole |entire |computer |calculator(?:['’]s)? )?"
    r"(?:display|screen|monitor|read-?out|lcd)",
    re.IGNORECASE,
)


def as_on_display(desk: Desk, condition: Condition) -> Condition:
    """`312 on the display`, held against what is shown there, or else against the screen.

    Nothing on the screen is called by the words for the screen.
    """
    if isinstance(condition, Not):
        return replace(condition, condition=as_on_display(desk, condition.condition))
    placed = _placed(condition)
    if placed is None:
        return condition
    what, place = placed
    if not is_display(place) and not _SCREEN.fullmatch(place):
        return condition
    if is_there(look_for(desk, wished(place), want="hold")):
        return condition
    if is_display(place) and result_shown(desk):
        return Has(place, what.strip().strip('"“”'), "contains")
    return Shows(what) if _SCREEN.fullmatch(place) else condition


def _placed(condition: Condition) -> tuple[str, str] | None:
    """What is to be seen, and where that is said to be."""
    if isinstance(condition, Within) and isinstance(condition.condition, Shows):
        return condition.condition.what, condition.place.strip()
    found = _ON.fullmatch(condition.what.strip()) if isinstance(condition, Shows) else None
    return None if found is None else (found["what"], found["place"].strip())
