"""English claims which of two comes first, and how often a list says something."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE, Atoms, quoted
from carrel.models.steps.language.english.claim_parts import AT, is_place
from carrel.models.steps.language.english.predicates import predicate_of
from carrel.models.steps.language.english.standing import NAMED
from carrel.models.steps.language.english.windows import negated
from carrel.models.steps.program import Condition, Count, Every, Not, Shows

__all__ = ["ALONE"]

_NAME = rf"(?:{NAMED}|[\w-]+\.[a-z]\w{{1,4}})"
_HOLDS = (
    r"(?:contains?|shows?|lists?|holds?|has|have|displays?|includes?|consists?\s+of|"
    r"(?:should|must)(?:\s+now)?\s+(?:contain|show|list|hold|have|display))"
)
_NOT = r"(?:does\s+not|do\s+not|doesn['’]t|don['’]t|must\s+not|should\s+not|is\s+not|isn['’]t)"
_FIRST = re.compile(
    rf"(?P<one>(?:the\s+[a-z]+\s+)?{_NAME})\s+(?P<no>{_NOT}\s+)?"
    r"(?:(?:is|are|be|should\s+be|must\s+be)\s+)?(?:(?:now|still)\s+)?"
    r"(?:(?:listed|shown|displayed|placed|sorted|positioned)\s+|"
    r"(?:(?:should|must)(?:\s+now)?\s+)?(?:come|stand|appear|go|be)(?:e?s)?\s+|(?<=\b(?:is|be)\s))"
    rf"(?P<way>before|after|ahead\s+of)\s+(?P<other>(?:the\s+[a-z]+\s+)?{_NAME})"
    rf"(?P<place>\s+{AT}\s+\S.*)?",
    re.IGNORECASE,
)


def _before(text: str, atoms: Atoms) -> Condition | None:
    """`"Milk" comes before "Eggs" in the list`; what is not before another comes after it."""
    found = _FIRST.fullmatch(text)
    if found is None or not is_place(found["place"]) or re.search(r"\bnot\b", found["one"]):
        return None
    one, other = (_called(found[which], atoms) for which in ("one", "other"))
    if found["way"].lower() == "after":
        one, other = other, one
    where = f" {atoms.phrase(found['place'].strip())}" if found["place"] else ""
    so = Shows(f"{one} before {other}{where}")
    # Of what is not there, neither is before the other.
    return Every((Not(so), Shows(f"{other} before {one}{where}"))) if found["no"] else so


def _called(words: str, atoms: Atoms) -> str:
    """A name as a name, whatever it is made of."""
    sort = re.fullmatch(rf"(?P<of>the\s+[a-z]+\s+)(?P<name>{QUOTE})", words)
    return atoms.phrase(words) if sort else quoted(atoms.text(words))


_HELD_ONCE = re.compile(
    rf"(?P<place>(?:the|this|my|your)\s.+?)\s+{_HOLDS}\s+(?P<name>{NAMED})\s+"
    r"(?P<how>only\s+|exactly\s+|just\s+)?(?P<n>once|twice)",
    re.IGNORECASE,
)


def _held_once(text: str, atoms: Atoms) -> Condition | None:
    """`the list contains "Milk" exactly once`: so many in it say so."""
    found = _HELD_ONCE.fullmatch(text)
    if found is None:
        return None
    claim = predicate_of(text)
    times = 1 if found["n"].lower() == "once" else 2
    many = Count(f"{quoted(atoms.text(found['name']))} in {atoms.phrase(found['place'])}", times)
    return negated(many, claim is not None and claim.no)


ALONE = (_before, _held_once)
"""Each reads one kind of claim."""
