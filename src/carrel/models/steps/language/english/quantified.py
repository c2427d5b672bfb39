"""English claims about some of many: at least one of the rows, only these two."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from carrel.models.steps.language.atoms import NAME, QUOTE, Atoms, quoted
from carrel.models.steps.language.english.appearances import STATUS_WORDS
from carrel.models.steps.language.english.claim_parts import (
    AT,
    SCREEN,
    SEEN,
    STATE,
    is_place,
    state_of,
)
from carrel.models.steps.language.english.counts import HOW_MANY, counted, of_now
from carrel.models.steps.language.english.predicates import Predicate, predicate_of
from carrel.models.steps.language.english.windows import negated
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.program import Condition, Count, Every, Is, Not, Only, Shows, Within

__all__ = ["is_of_all", "of_all", "of_some", "only_listed"]

Say = Callable[[Predicate, Atoms], Condition | None]
"""What a claim states."""

_SOME = re.compile(
    rf"(?:{HOW_MANY}\s+)?(?P<n>{NUMBER})\s+(?:of\s+(?:the|these|those|all)\s+)?(?P<what>[a-z].*)",
    re.IGNORECASE,
)
_ONLY = re.compile(r"only\s+(?P<what>(?:the\s|[A-Z]).+|.+)", re.IGNORECASE)
_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_TEXT = re.compile(
    rf"(?:(?:the|a|an)\s+)?(?:(?:text|word|words|name|label|letters?|number|title)\s+)?"
    rf"(?P<text>{QUOTE}|{NAME}|[A-Z\d][\w.,%€$-]*(?:\s[A-Z\d][\w.,%-]*)*)"
)


_COLUMN = re.compile(
    rf"the\s+(?P<column>[a-z]+)\s+(?:of\s+)?(?P<value>{QUOTE}|{NAME}|[A-Z\d]\S*(?:\s\S+){{0,2}})"
)


def of_some(text: str, atoms: Atoms) -> Condition | None:
    """How many there are of which something is so; that only some are so."""
    claim = predicate_of(text)
    if claim is None:
        return None
    if (only := _ONLY.fullmatch(claim.subject)) and not _SOME.fullmatch(claim.subject):
        return _only(only["what"], claim, atoms)
    some = _SOME.fullmatch(claim.subject)
    count = number(some["n"]) if some else None
    if some is None or count is None:
        return None
    what = _so(some["what"], claim, atoms)
    told = some["how"] or re.search(r"\sof\s", some[0][: some.start("what")])
    rows = claim.sense == "has" and (
        re.match(r"(?:rows|people|items|entries|records)\b", some["what"])
        or _COLUMN.fullmatch(claim.rest)
    )
    plain = re.fullmatch(r"[a-z]+", some["what"]) is not None
    status = claim.sense == "be" and plain and STATUS_WORDS.fullmatch(claim.rest)
    if what is None or not (told or rows or status or claim.sense in ("stays", "there")):
        return None
    return negated(counted(of_now(what), int(count), some["how"]), claim.no)


def _so(what: str, claim: Predicate, atoms: Atoms) -> str | None:
    """The things of which it is so, in words."""
    thing = atoms.phrase(what)
    if claim.sense in ("there", "stays", "be") and (
        found := re.fullmatch(
            rf"(?:(?:{SEEN})(?:\s+|$))?(?P<place>{AT}\s+\S.*|{SCREEN.pattern})?", claim.rest
        )
    ):
        place = found["place"]
        near = place and is_place(place) and not SCREEN.fullmatch(place)
        return f"{thing} {atoms.phrase(place)}" if near else thing
    if claim.sense in ("be", "stays") and re.fullmatch(STATE, claim.rest, re.IGNORECASE):
        return f"{thing} that are {claim.rest.lower()}"
    column = _COLUMN.fullmatch(claim.rest) if claim.sense == "has" and not claim.no else None
    if column is not None:
        return f"{thing} with the {column['column']} {quoted(atoms.text(column['value']))}"
    if claim.sense in ("be", "stays") and STATUS_WORDS.fullmatch(claim.rest) and not claim.no:
        return f"{thing} containing {quoted(claim.rest.lower())}"
    text = _TEXT.fullmatch(claim.rest)
    if claim.sense in ("tells", "has") and text and not claim.no:
        said = text["text"] if re.fullmatch(QUOTE, text["text"]) else f'"{text["text"]}"'
        return f"{thing} containing {atoms.phrase(said)}"
    return None


_KIND = re.compile(r"the\s+(?P<kind>[a-z]+?s)\s+(?P<names>(?:[A-Z]|[\ue000-\ue7ff]).*)")


def _only(what: str, claim: Predicate, atoms: Atoms) -> Condition | None:
    """`Only A and B are ticked`: these are, and no more than these."""
    if claim.no or claim.sense not in ("be", "stays", "there"):
        return None
    kind = _KIND.fullmatch(what)
    names = _AND.split(kind["names"] if kind else what)
    if (listed := only_listed(names, claim.rest, atoms)) is not None:
        return listed
    each = [state_of(name, claim.rest, atoms) for name in names]
    if not all(isinstance(one, Is) and one.state == "checked" for one in each):
        return None
    most = Count(f"{kind['kind'] if kind else 'boxes'} that are ticked", len(names), "most")
    return Every((*(one for one in each if one), most))


_NAME = re.compile(rf"{QUOTE}|{NAME}|[#№]?[A-Z\d][\w'’&.-]*(?:\s(?:of|the|and|[A-Z\d])[\w'’&.-]*)*")
_PLAIN_PLACE = re.compile(
    r"(?:in|on|inside|among) (?:the |this )?(?:list|table|results?|page|screen|grid)|there",
    re.IGNORECASE,
)


def only_listed(names: list[str], rest: str, atoms: Atoms, sort: str = "") -> Condition | None:
    """`Only "Milk" and "Eggs" are listed`: their list has no other entry.

    Args:
        names: How the entries are called.
        rest: That they are listed or left, and where.
        atoms: What the words stand for.
        sort: What sort of thing the entries are, where that is said.
    """
    rest = re.sub(r"^(?:still\s+)?(?:left|remaining)(?=\s|$)", "listed", rest, flags=re.IGNORECASE)
    seen = re.fullmatch(rf"(?:(?:{SEEN})(?:\s+|$))?(?P<place>{AT}\s+\S.*)?", rest, re.IGNORECASE)
    if seen is None or not all(map(_NAME.fullmatch, names)):
        return None
    only = Only(tuple(atoms.phrase(name) for name in names), sort)
    place = seen["place"]
    if not place or _PLAIN_PLACE.fullmatch(place):
        return only
    inside = re.fullmatch(r"(?:in|on|inside|within|under)\s+(?P<of>(?:the|my|this)\s.+)", place)
    return Within(atoms.phrase(inside["of"]), only) if inside is not None else None


_ALL = re.compile(
    r"(?P<not>not\s+)?(?:(?:all(?: of)?(?: the| these| those| my| your)?)\s+"
    rf"(?P<many>(?:{NUMBER}\s+)?(?:[\w-]+\s)*?(?:[\w-]+s|people|children|data)"
    rf"(?:\s+(?:in|on|of|with|that|which|from|under)\s.+)?|{QUOTE}.*)|"
    r"(?:every(?: single)?|each(?: and every)?(?: of the)?)\s+(?P<one>\S.*))",
    re.IGNORECASE,
)
_NONE = re.compile(r"none of (?:the|these|those|them)\s+(?P<what>\S.*)", re.IGNORECASE)


def is_of_all(claim: Predicate) -> bool:
    """Whether it is about all of something, or none."""
    return any(form.fullmatch(claim.subject) for form in (_ALL, _NONE))


def of_all(claim: Predicate, atoms: Atoms, say: Say) -> Condition | None:
    """`all three rows are shown` counts them; how many `all rows` would be no picture tells."""
    if none := _NONE.fullmatch(claim.subject):
        found = say(replace(claim, subject=f"the {none['what']}"), atoms)
        return Not(found) if isinstance(found, Shows) and not claim.no else None
    every = _ALL.fullmatch(claim.subject)
    if every is None or every["not"]:
        return None
    what = every["many"] or every["one"]
    found = say(replace(claim, subject=what), atoms)
    if re.match(rf"{QUOTE}|{NUMBER}\s+[a-z]", what, re.IGNORECASE):
        return found
    inner = found.condition if isinstance(found, Not) else None
    away = isinstance(inner, Shows) or (isinstance(inner, Is) and inner.state == "visible")
    # None of them can be seen: that a picture does tell.
    return found if away and every["many"] else None
