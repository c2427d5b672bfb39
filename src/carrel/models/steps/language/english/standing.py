"""English claims about how a thing stands among its like: first, last, alone, so often, instead."""

from __future__ import annotations

import re
from itertools import pairwise

from carrel.models.steps.language.atoms import NAME, QUOTE, Atoms, quoted
from carrel.models.steps.language.english.claim_parts import AT, is_place, shown, state_of
from carrel.models.steps.language.english.predicates import Predicate, predicate_of
from carrel.models.steps.language.english.quantified import only_listed
from carrel.models.steps.language.english.windows import negated
from carrel.models.steps.language.numbers import NUMBER, ORDINALS, number
from carrel.models.steps.program import Condition, Count, Every, Has, Is, Not, Shows

__all__ = ["NAMED", "STANDING", "all_listed"]

NAMED = (
    rf"(?:{QUOTE}|{NAME}|(?-i:[#№]?[A-Z\d])[^\s,]*(?:\s(?!(?:and|or|is|are|was)\b)[^\s,]+){{0,4}})"
)
"""What something is called: quoted, or with a capital letter."""
_NTH = rf"(?:{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th)|last)"
_PUT = r"(?:(?:listed|shown|displayed|placed|ranked|sorted|located|positioned)\s+)?"
_HOLDER = (
    r"(?:the|this|that|my|your)\s(?:.+\s)?(?:table|list|grid|column|queue|inbox|folder|menu|cart|"
    r"playlist|results|basket|board|tree|side ?bar|ranking|leader ?board)\b.*|"
    rf"{QUOTE}|(?-i:[A-Z]).*"
)
_TOP = re.compile(
    rf"{_PUT}at\s+the\s+(?:very\s+)?(?P<side>top|start|beginning|head|bottom|end)\s+of\s+"
    rf"(?P<place>{_HOLDER})",
    re.IGNORECASE,
)
_RANK = re.compile(
    rf"(?P<put>{_PUT})(?:as\s+)?(?:the\s+)?(?P<nth>{_NTH})"
    rf"(?:\s+(?:in|on|of|among)\s+(?P<place>{_HOLDER}))?",
    re.IGNORECASE,
)
_ROWS = re.compile(r"\b(?:table|grid|ranking|leader ?board)\b", re.IGNORECASE)
_IS = ("be", "stays", "there")


_SORTED = re.compile(rf"(?:the\s+)?(?P<noun>[a-z]+)\s+(?P<name>{QUOTE})")
"""`the task "Pay rent"`: of which sort it is, and what it is called."""


def _text(subject: str, atoms: Atoms) -> str | None:
    """What a thing is called, where it is told by nothing else."""
    sorted_ = _SORTED.fullmatch(subject)
    plain = sorted_["name"] if sorted_ else subject
    return atoms.text(plain) if re.fullmatch(NAMED, plain) else None


def _ranked(text: str, atoms: Atoms) -> Condition | None:
    """`Ann is at the top of the table`, `should come last in the list`: what that entry says."""
    claim = predicate_of(text)
    if claim is None or claim.sense not in _IS:
        return None
    top, rank = _TOP.fullmatch(claim.rest), _RANK.fullmatch(claim.rest)
    if top is None and (rank is None or not _is_rank(rank, claim)):
        return None
    said = _text(claim.subject, atoms)
    if said is None:
        return None
    place = (top or rank)["place"]  # type: ignore[index]
    if top is not None:
        nth = "last" if top["side"].lower() in ("bottom", "end") else "first"
    else:
        nth = rank["nth"].lower()  # type: ignore[index]
    noun = "row" if place and _ROWS.search(place) else "item" if place else "entry"
    if sort := _SORTED.fullmatch(claim.subject):
        noun = sort["noun"]
    where = f" in {atoms.phrase(place)}" if place else ""
    return negated(Has(f"the {nth} {noun}{where}", said), claim.no)


def _is_rank(rank: re.Match[str], claim: Predicate) -> bool:
    """Whether a place among others is told: `comes first`, not `is first`, which may be a name."""
    comes = re.match(r"come|appear|rank", claim.verb, re.IGNORECASE)
    return bool(rank["put"] or rank["place"] or comes)


_LEFT = r"(?:left|shown|listed|remaining|displayed|visible|there|present)"
_ONLY = re.compile(
    rf"the\s+(?:only|sole)\s+(?P<still>(?:still\s+)?(?:remaining|listed|shown|displayed|visible)\s+)?"
    rf"(?P<kind>(?:[a-z-]+\s){{0,2}}?[a-z-]+?)(?P<left>(?:\s+(?:still|now))?\s+{_LEFT})?"
    rf"(?:\s+(?P<where>(?:in|on|under|of)\s+(?:the|my|your|this|{QUOTE}|(?-i:[A-Z])).*))?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:the\s+)?[a-z]+\s+(?P<name>[#№]?[A-Z]{0,4}-?\d\S*)", re.IGNORECASE)
"""`order 20418`: the number alone is its name."""
_WITH = re.compile(
    rf"(?:(?P<where>(?:in|on|under|of)\s.+?)\s+)?(?:with|having|that has|whose)\s+"
    rf"(?:the\s+|an?\s+)?(?P<column>[a-z][a-z -]*?)\s+(?:of\s+|is\s+)?(?P<value>{NAMED}|{NUMBER})",
    re.IGNORECASE,
)
_ONE_WITH = re.compile(r"the\s+(?:only|sole)\s+(?P<kind>[a-z-]+)\s+(?P<with>\S.*)", re.IGNORECASE)
_GENERAL = re.compile(
    r"(?:entry|item|row|result|name|line|option|message|mail|file|song|card|product|suggestion|"
    r"tab|task|post|contact|folder|record|person|one)",
    re.IGNORECASE,
)


def _alone(text: str, atoms: Atoms) -> Condition | None:
    """`Beta is the only flat left in the table`: the one that is there says so."""
    claim = predicate_of(text)
    if claim is None or claim.sense not in ("be", "stays") or claim.no:
        return None
    if (alone := _alone_in_list(claim, atoms)) is not None:
        return alone
    said = _text(claim.subject, atoms)
    told = _ONE_WITH.fullmatch(claim.rest)
    clause = _WITH.fullmatch(told["with"]) if told else None
    if said is not None and told and clause and _GENERAL.fullmatch(told["kind"]):
        value = atoms.text(clause["value"])
        where = f" {atoms.phrase(clause['where'])}" if clause["where"] else ""
        column = clause["column"]
        rows = Count(f"rows with the {column} {quoted(value)}{where}", 1)
        return Every((rows, Has(f"the {column} of {atoms.phrase(claim.subject)}", value, "equals")))
    only = _ONLY.fullmatch(claim.rest)
    if only is None or said is None or only["kind"] == "one":
        return None
    if _GENERAL.fullmatch(only["kind"]) and only["where"]:
        return _one_of_all(claim.subject, only, atoms)
    where = f" {atoms.phrase(only['where'])}" if only["where"] else ""
    return Has(f"the only {only['kind']}{where}", said)


def _alone_in_list(claim: Predicate, atoms: Atoms) -> Condition | None:
    """`Beta is the only flat still listed`, `the only one left is Beta`: the list has no other."""
    for name, told in ((claim.subject, claim.rest), (claim.rest, claim.subject)):
        only = _ONLY.fullmatch(told)
        if only is None or not (only["left"] or only["still"]):
            continue
        numbered = _NUMBERED.fullmatch(name)
        called = numbered["name"] if numbered else name
        sort = "" if _GENERAL.fullmatch(only["kind"]) else only["kind"]
        return only_listed([called], f"listed {only['where'] or ''}".strip(), atoms, sort)
    return None


def _one_of_all(subject: str, only: re.Match[str], atoms: Atoms) -> Condition | None:
    """`Beta is the only item in the list`: there is one, and that is it."""
    there = shown(subject, only["where"], atoms)
    kind = {"person": "people"}.get(only["kind"], re.sub(r"y$", "ie", only["kind"]) + "s")
    one = Count(atoms.phrase(f"{kind} {only['where']}"), 1)
    return None if there is None else Every((one, there))


_OFTEN = re.compile(
    rf"(?P<how>only|exactly|at least|at most|no more than|more than)?\s*"
    rf"(?P<n>once|twice|(?:{NUMBER})\s+times)(?P<place>\s+{AT}\s+\S.*)?",
    re.IGNORECASE,
)


_LISTS = re.compile(r"^(?:listed|shown|displayed)\s+", re.IGNORECASE)


def _often(text: str, atoms: Atoms) -> Condition | None:
    """`Ann appears only once in the table`: so many say it."""
    claim = predicate_of(text)
    found = _OFTEN.fullmatch(_LISTS.sub("", claim.rest)) if claim is not None else None
    if claim is None or found is None or not (claim.sense == "there" or _is_listed(claim)):
        return None
    said = _text(claim.subject, atoms)
    if said is None or not is_place(found["place"]):
        return None
    word = found["n"].lower()
    count = {"once": 1, "twice": 2}.get(word) or number(word.split()[0])
    how = (found["how"] or "").lower()
    kind = {"at least": "least", "more than": "least", "at most": "most", "no more than": "most"}
    where = f" {atoms.phrase(found['place'].strip())}" if found["place"] else ""
    if count is None:
        return None
    many = int(count) + (how == "more than")
    of = Count(f"{quoted(said)}{where}", many, kind.get(how, "equals"))  # type: ignore[arg-type]
    return negated(of, claim.no)


def _is_listed(claim: Predicate) -> bool:
    return claim.sense == "be" and _LISTS.match(claim.rest) is not None


_INSTEAD = re.compile(r"(?P<main>.+?),?\s+(?:instead|in place) of\s+(?P<other>\S.*)", re.IGNORECASE)


def _instead(text: str, atoms: Atoms) -> Condition | None:
    """`"None" is shown instead of the table`: the one is there, and the other is not."""
    found = _INSTEAD.fullmatch(text)
    claim = predicate_of(found["main"]) if found else None
    if found is None or claim is None or claim.no:
        return None
    seen = claim.sense == "there" or re.fullmatch(
        r"(?:shown|displayed|visible|there|seen|listed)", claim.rest, re.IGNORECASE
    )
    if seen:
        there = shown(claim.subject, None, atoms)
        return there and Every((there, Not(Shows(atoms.phrase(found["other"])))))
    return None


_SELECTED = re.compile(
    r"the\s+(?:currently\s+)?(?P<state>active|selected|current|chosen|highlighted|ticked|checked)"
    r"\s+(?P<noun>(?:(?!in\b|on\b|of\b)[a-z-]+\s?){1,3}(?<!\s))",
    re.IGNORECASE,
)


def _selected(text: str, atoms: Atoms) -> Condition | None:
    """`Express is the selected delivery option`."""
    claim = predicate_of(text)
    found = _SELECTED.fullmatch(claim.rest) if claim else None
    if claim is None or found is None or claim.sense not in ("be", "stays"):
        return None
    if re.match(r"the\s+(?:currently\s+)?(?:active|current)", found[0], re.IGNORECASE) and (
        _text(claim.subject, atoms) is None
    ):
        return None
    if " " in found["noun"] and (said := _text(claim.subject, atoms)) is not None:
        # "the selected delivery option": the group that it is chosen in.
        return negated(Has(f"the {found['noun']}", said, "equals"), claim.no)
    state = "checked" if found["state"].lower() in ("ticked", "checked") else "selected"
    return negated(Is(atoms.phrase(claim.subject), state), claim.no)  # type: ignore[arg-type]


_BETWEEN = re.compile(
    rf"between\s+(?P<a>{NUMBER})\s+and\s+(?P<b>{NUMBER})\s+(?P<rest>\S.*)", re.IGNORECASE
)


def _between(text: str, atoms: Atoms) -> Condition | None:
    """`between 2 and 4 rows are shown`: at least so many, and at most."""
    found = _BETWEEN.fullmatch(text)
    claim = predicate_of(found["rest"]) if found else None
    if found is None or claim is None or claim.sense not in _IS or claim.no:
        return None
    low, high = number(found["a"]), number(found["b"])
    one = shown(claim.subject, None, atoms)
    if low is None or high is None or not isinstance(one, Shows) or claim.rest not in _SEEN:
        return None
    what = one.what
    return Every((Count(what, int(low), "least"), Count(what, int(high), "most")))


_SEEN = ("", "shown", "displayed", "listed", "visible", "left", "there", "present")
_EITHER = re.compile(rf"either\s+(?P<a>{NAMED})\s+or\s+(?P<b>{NAMED})\s+(?P<rest>is\s.+)")


def _either(text: str, atoms: Atoms) -> Condition | None:
    """`either "Yes" or "No" is selected`: one of them."""
    found = _EITHER.fullmatch(text)
    claim = predicate_of(f"{found['a']} {found['rest']}") if found else None
    if found is None or claim is None or claim.no or claim.sense != "be":
        return None
    each = [state_of(found[one], claim.rest, atoms) for one in "ab"]
    return Every(tuple(one for one in each if one), any=True) if all(each) else None


_LISTED = re.compile(
    r"the\s+(?P<kind>(?:[a-z-]+\s)?[a-z-]+s)(?:\s+(?P<at>in|of|on|under)\s+(?P<owner>\S.*))?",
    re.IGNORECASE,
)
_IN_ORDER = re.compile(r",?\s+in (?:exactly )?(?:this|that) order$", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_OPTIONS = re.compile(r"(?:options|choices|values|entries)", re.IGNORECASE)


def all_listed(text: str, atoms: Atoms) -> Condition | None:
    """`the cards in Done are A, B and C in that order`: these alone, one after another."""
    ordered = _IN_ORDER.search(text)
    claim = predicate_of(_IN_ORDER.sub("", text))
    of = _LISTED.fullmatch(claim.subject) if claim is not None else None
    if claim is None or of is None or claim.no or claim.verb.lower() not in ("are", "be"):
        return None
    names = _COMMA.split(claim.rest)
    if len(names) < 2 or not all(re.fullmatch(rf"{NAMED}|\d+", name) for name in names):
        return None
    said = [atoms.text(name) for name in names]
    owner = atoms.phrase(of["owner"]) if of["owner"] else ""
    where = f" in {owner}" if owner else ""
    each: list[Condition] = [Count(f"{of['kind']}{where}", len(said))]
    if owner and _OPTIONS.fullmatch(of["kind"]):
        each += [Has(owner, one) for one in said]
    else:
        each += [Shows(f"{quoted(one)}{where}") for one in said]
    if ordered:
        each += [Shows(f"{quoted(a)} before {quoted(b)}") for a, b in pairwise(said)]
    return Every(tuple(each))


STANDING = (all_listed, _alone, _ranked, _often, _instead, _selected, _between, _either)
"""Each reads one kind of claim."""
