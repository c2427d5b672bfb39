"""English claims that leave out what the one before them said: its verb, or its thing."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import DATED, QUOTE, TIMED, Atoms
from carrel.models.steps.language.english.claim_parts import AT
from carrel.models.steps.language.english.predicates import Predicate, predicate_of
from carrel.models.steps.language.english.said_of import said_of
from carrel.models.steps.language.english.windows import negated
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.program import Condition

__all__ = ["ELSEWHERE", "NONE_OF_THEM", "as_valued", "holder_of", "placed_also"]

# "and no longer in the list": the same thing, elsewhere.
ELSEWHERE = re.compile(
    rf"(?P<no>not|no longer)?\s*(?:also\s+|still\s+|any ?more\s+)?(?P<place>{AT}\s+\S.*)",
    re.IGNORECASE,
)
NONE_OF_THEM = re.compile(
    r"none of (?:them|these|those) (?:is|are|contains?|mentions?|says?|shows?|reads?|has|have|"
    r"should (?:be|contain|say|mention))\s+(?:called\s+|named\s+)?(?P<what>\S.*)",
    re.IGNORECASE,
)
_VALUE = rf"(?:{QUOTE}|{DATED}|{TIMED}|{NUMBER}|[^\w\s]?\d\S*|[A-Z]\S*(?:\s[A-Z]\S*)*)"
# "the name is Ann and the city Oslo": the verb is said once.
_VALUED = re.compile(
    rf"(?P<what>(?:the|its|their|his|her)\s[a-z][a-z -]*?)\s+"
    rf"(?P<value>{_VALUE})"
)


def as_valued(words: str, last: Predicate) -> str | None:
    """The claim with its verb, where the one before said what a thing is; None for others."""
    found = _VALUED.fullmatch(words)
    if found is None or last.sense != "be" or last.no or predicate_of(words) is not None:
        return None
    return f"{found['what']} is {found['value']}" if re.fullmatch(_VALUE, last.rest) else None


def holder_of(last: Predicate) -> str:
    """What holds those that the claim before counted: `the table has 4 rows`."""
    place = re.search(r"\s(?:in|on)\s+(?P<in>(?:the|this|my|your)\s.+)", last.rest)
    return place["in"] if last.subject.lower() == "there" and place else last.subject


def placed_also(
    found: re.Match[str], last: Predicate, atoms: Atoms
) -> tuple[Condition, Predicate | None] | None:
    """`is in Done and no longer in To do`: where else the thing is, or is not."""
    other = Predicate(last.subject, last.verb, last.sense, no=False, rest=found["place"])
    said = said_of(other, atoms) if last.sense in ("be", "there", "stays") else None
    return None if said is None else (negated(said, found["no"]), last)
