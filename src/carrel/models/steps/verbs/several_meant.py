"""Several things that one plural means: `archive the unread messages from Bob` is each of them."""

from __future__ import annotations

import re

from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import all_fitting, is_there, look_for, resolve, wished
from carrel.models.steps.language.english.particulars import ALONE
from carrel.models.steps.layout.entry_rows import ENTRIES
from carrel.models.steps.phrases.owners import owner_of
from carrel.models.steps.program import ForEach, Perform, Step
from carrel.models.steps.turns import Missed
from carrel.perception.roles import kind_of

__all__ = ["each_meant"]

_PLURAL = re.compile(
    r"(?:the|my|these|those) (?P<every>(?:[a-z][\w-]* )*(?:[a-z]+[^s\W]s|replies|stories|entries)"
    r" (?:from|by|of|sent by|about) \S.*)"
)
_LISTED = re.compile(
    r"(?P<names>.+?)(?P<where> (?:from|in|on|off|out of) (?:the|my|your|this) [^\"“]+)?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*,\s*and\s+|\s*,\s*|\s+and\s+")
"""What parts the names of several things, and where they all are."""


def each_meant(desk: Desk, step: Step) -> ForEach | None:
    """The step as one for each of several entries; None where it is not about several."""
    if not isinstance(step, Perform) or step.verb not in ALONE or step.what is None:
        return None
    if (named := _each_named(desk, step)) is not None:
        return named
    said = _PLURAL.fullmatch(step.what.strip())
    if said is None or owner_of(said["every"]) is None:
        return None
    try:
        found = all_fitting(desk, said["every"])
    except Missed:  # nothing shows which of them are meant: that is why the step failed
        return None
    if len(found) < 2 or not all(kind_of(e) in ENTRIES for e in found):
        return None
    body = Perform(step.verb, "{each}", step.details, said=step.said)
    return ForEach(
        "each", (body,), every=said["every"], words=step.words, line=step.line, place=step.place
    )


def _each_named(desk: Desk, step: Perform) -> ForEach | None:
    """The step for each of several names that are said together: `remove Ann and Tim`."""
    said = _LISTED.fullmatch((step.what or "").strip())
    if said is None or is_there(look_for(desk, wished(step.what or ""), want="read")):
        return None
    names = [name for name in _BETWEEN.split(said["names"]) if name]
    if len(names) < 2 and not said["where"]:
        return None
    if not all(resolve(desk, look_for(desk, wished(name), want="read")) for name in names):
        return None
    body = Perform(step.verb, "{each}", step.details, said=step.said)
    return ForEach(
        "each", (body,), tuple(names), words=step.words, line=step.line, place=step.place
    )
