"""Several things that one plural means: `archive the unread messages from Bob` is each of them."""

from __future__ import annotations

import re

from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import all_fitting
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


def each_meant(desk: Desk, step: Step) -> ForEach | None:
    """The step as one for each of several entries; None where it is not about several."""
    if not isinstance(step, Perform) or step.verb not in ALONE or step.what is None:
        return None
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
