"""Drop-downs and choices that are called by a word of the verb's family: assign, Assignee.

“Assign it to Priya” presses nothing: it chooses Priya where the screen asks for the Assignee. What
a verb gives is written over what takes it, in another form of the word: pay and Payment, ship and
Shipping, categorise and Category.
"""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.finding.worded_options import option_said
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.phrases.small_words import GRAMMAR, KINDS
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.reading import options_of
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.drop_downs import choose_from_combo
from carrel.models.steps.verbs.slots import called
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["choose_by_family", "is_kin"]

_TO = frozenset({"to", "as", "by", "via", "with", "into", "in", "under"})
_PRONOUN = re.compile(r"it|this|that|them|this one", re.IGNORECASE)
_SHORT = re.compile(r"(?:i[sz]e|ing|ed|e|(?<![aeou])y)$")
_ENDING = re.compile(
    r"(?:e|y|ies|e?[ds]|ing|ees?|e?rs?|ors?|ments?|ions?|ations?|[iy][sz]e[ds]?|ery|ity|or?y)?"
)
LEAST = 3
"""Letters that two words of a family begin with, at least."""
_HOLDERS = frozenset({Kind.ROW, Kind.OPTION, Kind.TREE_ITEM, Kind.DIALOG})
_TITLES = frozenset({Kind.HEADING, Kind.CELL, Kind.TEXT})


def is_kin(verb: str, word: str) -> bool:
    """Whether a word is another form of a verb: assignee of assign, payment of pay."""
    base, other = _SHORT.sub("", verb.casefold()), word.casefold()
    if len(base) < LEAST or not other.startswith(base):
        return False
    rest = other[len(base) :]
    # shipping, of ship
    doubled = rest[1:] if rest[:1] == base[-1] else rest
    return any(_ENDING.fullmatch(one) is not None for one in (rest, doubled))


def choose_by_family(desk: Desk, step: Perform, *, opened: bool = False) -> Turns[bool]:
    """Choose what is given in the one drop-down that is called after the verb; whether it does.

    Args:
        desk: Where that is.
        step: What is to be done, to what, and what is given.
        opened: Whether the thing was opened for it: what is shown now is its own.
    """
    given = [text for word, text in step.details if word in _TO]
    if len(given) != 1 or len(step.details) != 1 or controls_for(desk, step.verb):
        return False
    combos = [e for e in part_meant(desk.elements, "") if _takes(desk, e, step.verb)]
    if len(combos) != 1 or not (opened or _is_of(desk, combos[0], step.what)):
        return False
    yield from desk.again(0, why="what the drop-downs offer", hidden=True)
    now = same_as(desk.unseen, combos[0])
    names = [e.name for e in options_of(now, desk.unseen)] if now is not None else []
    option = option_said(names, given[0], called(desk, combos[0])) if names else given[0]
    if not option:
        return False
    yield from choose_from_combo(desk, same_as(desk.elements, combos[0]) or combos[0], option)
    desk.pressed = given[0]
    return True


def _takes(desk: Desk, element: Element, verb: str) -> bool:
    """Whether it is a drop-down in use that is called by a word of the verb's family."""
    if kind_of(element) is not Kind.COMBO or is_field(element) or element.box is None:
        return False
    if is_disabled(element) or modal_over(desk.elements, element) is not None:
        return False
    return any(is_kin(verb, word) for word in re.findall(r"[^\W_]+", called(desk, element)))


def _is_of(desk: Desk, combo: Element, what: str | None) -> bool:
    """Whether a drop-down is of the thing that is meant: in its row or card, or of all of it."""
    if what is None or _PRONOUN.fullmatch(what.strip()):
        return True
    words = set(stems(what)) - {*stems(" ".join(GRAMMAR | KINDS))}
    tree = lineage_of(tuple(desk.elements))
    for holder in (e for e in tree.above(combo) if kind_of(e) in _HOLDERS):
        held = (holder, *(e for e in tree.below(holder) if kind_of(e) in _TITLES))
        if words and words <= {one for e in held for one in stems(written_on(e))}:
            return True
    return False
