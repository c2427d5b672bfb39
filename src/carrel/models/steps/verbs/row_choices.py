"""Drop-downs that every row has: `assign the Lock ticket to Omar` chooses Omar in its row."""

from __future__ import annotations

import re

from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.extents import members
from carrel.models.steps.finding.signs_in_rows import row_called
from carrel.models.steps.finding.worded_options import option_said
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.reading import options_of
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.drop_downs import choose_from_combo
from carrel.models.steps.verbs.slots import look_into
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["choose_in_row"]

_TO = ("to", "as", "into", "in", "with")
_GIVES = frozenset(
    {"assign", "reassign", "mark", "set", "change", "move", "switch", "give", "put", "promote"}
    | {"demote", "upgrade", "downgrade", "allocate", "transfer", "file", "categorise", "categorize"}
)
_PRONOUN = re.compile(r"it|this|that|them|these|those|all\b.*|every\b.*|each\b.*", re.IGNORECASE)


def choose_in_row(desk: Desk, step: Perform) -> Turns[bool]:
    """Choose what is said in the one drop-down of a thing's row that offers it; whether it does."""
    told = [text for word, text in step.details if word in _TO]
    if step.verb not in _GIVES or len(told) != 1 or len(step.details) != 1:
        return False
    if not step.what or _PRONOUN.fullmatch(step.what.strip()):
        return False
    row = row_called(desk, step.what)
    held = members(desk.elements, row) if row is not None else ()
    combos = [e for e in held if kind_of(e) is Kind.COMBO and not is_field(e) and e.box]
    combos = [e for e in combos if not is_disabled(e)]
    if not combos:
        return False
    yield from look_into(desk)
    offering = []
    for combo in combos:
        now = same_as(desk.unseen, combo)
        names = [e.name for e in options_of(now, desk.unseen)] if now is not None else []
        if name := option_said(names, told[0], combo.name):
            offering.append((combo, name))
    if len(offering) != 1:
        return False
    combo, name = offering[0]
    yield from choose_from_combo(desk, same_as(desk.elements, combo) or combo, name)
    return True
