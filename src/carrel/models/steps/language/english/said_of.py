"""What an English claim says of its subject: a state, that it is there, or what it holds."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import NAME, PHRASE, QUOTE, Atoms
from carrel.models.steps.language.english.appearances import (
    STATUS_WORDS,
    coloured,
    happened,
    of_kind,
    worded,
)
from carrel.models.steps.language.english.claim_parts import (
    AMOUNT,
    AT,
    PLAIN,
    SCREEN,
    SEEN,
    THE,
    How,
    equal,
    equals,
    held,
    is_place,
    shown,
    state_of,
)
from carrel.models.steps.language.english.predicates import Predicate
from carrel.models.steps.language.english.quantified import is_of_all, of_all
from carrel.models.steps.language.english.several import neither
from carrel.models.steps.language.english.standing import NAMED
from carrel.models.steps.language.english.told_of import having, telling
from carrel.models.steps.language.english.windows import negated
from carrel.models.steps.language.numbers import NUMBER, ORDINALS
from carrel.models.steps.language.words import KINDS
from carrel.models.steps.program import Compare, Condition, Every, Has, Is, Not, Shows

__all__ = ["said_of"]

_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_ONE = re.compile(
    rf"{THE}\S.*|{QUOTE}|{NAME}|{PHRASE}|[A-Z\d]\S*(?:\s+[\w.-]+){{0,3}}|[\w-]+(?:\.[\w-]+)+"
)


# Another claim, whose verb no rule knows, is no part of a thing.
_MODAL = re.compile(r"(?<!\bthat)(?<!\bwhich)(?<!\bwho)\s(?:should|must|ought to)\s", re.IGNORECASE)
_NEITHER = re.compile(r"neither\s+(?P<one>.+?)\s+nor\s+(?P<other>.+)", re.IGNORECASE)
# Of some, or of so many of them: no rule tells which.
_SOME = re.compile(
    r"(?:(?:at least|at most|exactly|only|more than|fewer than)\s+)?(?:\w+ of (?:the|these|"
    r"those|them)\b)|"
    r"(?:only|some|most|nothing|no more|no further|no new)\s(?!\w+ [a-z]+s?$)",
    re.IGNORECASE,
)


def _both(found: re.Match[str]) -> tuple[str, str]:
    """`the Save nor the Cancel button`: the kind is said once."""
    one, other = found["one"], found["other"]
    kind = re.search(rf"\s(?:{KINDS})$", other)
    if kind and not re.search(rf"\s(?:{KINDS})$", one) and not re.fullmatch(QUOTE, one):
        one += kind[0]
    return one, other


def said_of(claim: Predicate, atoms: Atoms) -> Condition | None:
    """The condition that a claim states; None where no rule understands what it says."""
    if not claim.rest and claim.sense not in ("there", "away", "stays"):
        return None
    if neither := _NEITHER.fullmatch(claim.subject):
        found = [_said_of(replace(claim, subject=one), atoms) for one in _both(neither)]
        return Every(tuple(Not(one) for one in found if one)) if all(found) else None
    if is_of_all(claim):
        return of_all(claim, atoms, said_of)
    if (
        _MODAL.search(claim.subject)
        or re.search(r":\s+[a-z]", claim.subject)
        or re.search(r"\s(?:up|down) on\s|,\s+not\s", claim.rest)
        or _SOME.match(claim.subject)
        or re.search(r"\s(?:stay|remain|be|become)$", claim.subject, re.IGNORECASE)
        or re.fullmatch(r"i|you|we", claim.subject, re.IGNORECASE)
    ):
        return None
    things = _AND.split(claim.subject)
    many = not re.fullmatch(r"(?:is|was|\w+s)(?: \w+)?", claim.verb)
    several = len(things) > 1 and all(map(_ONE.fullmatch, things))
    if several and (many or all(re.fullmatch(QUOTE, one) for one in things)):
        found = [_said_of(replace(claim, subject=one), atoms) for one in things]
        return Every(tuple(one for one in found if one)) if all(found) else None
    return _said_of(claim, atoms) if claim.subject else None


def _said_of(claim: Predicate, atoms: Atoms) -> Condition | None:
    rules = {
        "be": _being, "stays": _staying, "there": _showing, "away": _leaving, "has": having,
        "equals": _becoming,
    }  # fmt: skip
    rule = rules.get(claim.sense)
    if claim.sense == "be" and re.match(r"(?:come|lie|stand|sit)", claim.verb, re.IGNORECASE):
        rule = _lying
    if claim.verb.lower().startswith("exceed"):
        return negated(_ordered(claim.subject, claim.rest, atoms, "greater"), claim.no)
    if claim.verb.lower().endswith(" from"):
        old, to, new = claim.rest.partition(" to ")
        now, then = replace(claim, rest=new, verb="is"), replace(claim, rest=old, verb="is")
        became, was = (_said_of(one, atoms) if to else None for one in (now, then))
        return None if became is None or was is None else Every((became, Not(was)))
    found: Condition | None
    if claim.sense == "tells" and _STANDS.match(f"{claim.verb} {claim.rest}"):
        found = _showing(claim.subject, claim.rest, atoms)
    elif claim.sense == "tells":
        found = telling(claim, atoms)
    elif rule is not None:
        found = rule(claim.subject, claim.rest, atoms)
    else:
        how: How = claim.sense  # type: ignore[assignment]
        if re.match(r"an?\s+[a-z]+$", claim.rest):
            # "ends with a price": which words that are it does not say.
            return None
        found = held(claim.subject, claim.rest, atoms, how)
    if found is None or _is_no_text(claim, found) or _goes_on(claim, found):
        return None
    if (
        claim.no
        and isinstance(found, Has)
        and _SPOKEN.fullmatch(claim.rest)
        and not _DONE.fullmatch(claim.rest)
        and claim.sense == "be"
        and not STATUS_WORDS.fullmatch(claim.rest)
    ):
        # That it does not say so proves nothing; of a status, the screen has to say another.
        return None
    if claim.no and claim.sense in ("tells", "has"):
        return neither(found)
    return negated(found, claim.no)


# "shows next to it": where it is, and no text that it shows.
_STANDS = re.compile(
    r"(?:shows?|displays?)\s+(?:next to|beside|below|above|under|underneath|near|behind|inside|"
    r"within|to the (?:left|right) of|(?:in|on|at)\s+the\s)",
    re.IGNORECASE,
)
# What the box of an entry tells either way.
_DONE = re.compile(r"(?:(?:marked|shown) )?(?:as )?(?:done|completed?|finished)", re.IGNORECASE)
_SPOKEN = re.compile(r"(?:an?\s+)?[a-z][a-z -]*")
_STATUS = re.compile(
    r"\b(?:colou?r|language|theme|answer|name|title|size|unit|field|cell|box|display|output|"
    r"status|state|role|type|category|priority|stage|mode|plan|level|label|text|value|"
    r"result)\b",
    re.IGNORECASE,
)


def _goes_on(claim: Predicate, found: Condition) -> bool:
    """Whether more follows a quoted text than belongs to it."""
    text = (
        found.text if isinstance(found, Has) else found.right if isinstance(found, Compare) else ""
    )
    return (
        re.search(rf"{QUOTE}\s+\w", claim.rest) is not None
        and re.search(r"[\"”]\s", text) is not None
    )


def _is_no_text(claim: Predicate, found: Condition) -> bool:
    """Whether words after "is" tell of a state that no rule knows.

    No text says so: "is not …" would always be true, and "is uploaded" never.
    """
    if not isinstance(found, Has | Compare) or found.how != "equals":
        return False
    if re.search(r"\sthan\s", claim.rest, re.IGNORECASE):
        return True
    if isinstance(found, Compare) or claim.sense not in ("be", "has"):
        return False
    if found.text != claim.rest or re.match(r"[^a-z]", claim.rest):
        return False
    if claim.no or re.match(r"[a-z]+ed\s(?:to|in|on|by|at|with)\s", claim.rest):
        return True
    state = re.fullmatch(r"[a-z]+(?: \S+)*", claim.rest)
    return state is not None and _STATUS.search(claim.subject) is None


def _being(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    for rule in (
        state_of,
        _seen,
        happened,
        coloured,
        _compared,
        _equal_to,
        _lies,
        _nth,
        worded,
        of_kind,
    ):
        found = rule(subject, rest, atoms)
        if found is not None:
            return found
    return equal(subject, rest, atoms)


def _becoming(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`shrinks to three rooms` counts them; `changes to Paid` says so."""
    many = re.fullmatch(rf"(?P<n>{NUMBER})\s+(?P<what>[a-z]+s)", rest, re.IGNORECASE)
    listed = re.search(r"\b(?:list|table|results?|grid|folder|queue|cart|basket)\b", subject)
    if many and listed:
        return shown(rest, f"in {subject}", atoms)
    return equal(subject, rest, atoms)


_NTH = re.compile(
    rf"the\s+(?:very\s+)?(?:{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th)|last|top(?:most)?|bottom|next|current|"
    r"only|latest|newest|oldest)\s+(?:one|entry|item|row|result|name|line|option|message|mail|file|"
    r"song|city|card|product|suggestion|hit|tab|column|post|word|[a-z]+)(?:\s+(?:in|on|of|under)\s.+)?",
    re.IGNORECASE,
)


_SELECTED = re.compile(
    r"the\s+(?:currently\s+)?(?:active|selected|current|chosen|highlighted)\s+(?:one|tab|step|item|"
    r"option|entry|row|page|day|date|radio button|view|menu item|slide|sheet|layer|cell)",
    re.IGNORECASE,
)


def _nth(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`{ORDER} is the first entry`: the first entry says so."""
    if _SELECTED.fullmatch(rest):
        return Is(atoms.phrase(subject), "selected")
    text = re.fullmatch(NAMED, subject)
    if text is None or not _NTH.fullmatch(rest):
        return None
    return Has(atoms.phrase(rest), atoms.text(subject))


def _staying(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`remains in the list`, `stays disabled`: as it is now; what it was before nothing tells."""
    if not rest or re.match(rf"{AT}\s", rest, re.IGNORECASE):
        return _showing(subject, rest, atoms)
    if re.match(
        r"(?:put$|unchanged|the same|as |intact|untouched|unaffected)", rest, re.IGNORECASE
    ):
        return None
    return _being(subject, rest, atoms)


def _seen(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    found = re.fullmatch(
        rf"(?:{SEEN})(?P<place>\s+(?:{AT}\s+\S.*|{SCREEN.pattern}))?", rest, re.IGNORECASE
    )
    if found is None or not is_place(found["place"]) or _EACH.search(found["place"] or ""):
        return None
    if re.fullmatch(r"it|they", subject, re.IGNORECASE) and re.fullmatch(
        "there", rest, re.IGNORECASE
    ):
        return Shows(f"{subject} there")
    return shown(subject, found["place"], atoms)


# Of each of many: no one picture of it.
_EACH = re.compile(r"\b(?:every|each|all)\s", re.IGNORECASE)


def _leaving(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    if re.search(r"\b(?:own|after|before|when|once)\b", rest):
        return None
    return happened(subject, f"gone {rest}".strip(), atoms)


def _showing(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`appears`, `appears in the list`, `appears disabled`."""
    if not rest:
        return shown(subject, None, atoms)
    if found := re.fullmatch(rf"{AT}\s+\S.*|{SCREEN.pattern}", rest, re.IGNORECASE):
        open_ = not is_place(rest) or _EACH.search(rest)
        return None if open_ else shown(subject, found[0], atoms)
    if _SAYING.match(rest):
        return Shows(atoms.phrase(f"{subject} {rest}"))
    if as_ := re.fullmatch(rf"as\s+(?P<text>{QUOTE}|{NAME}|[A-Z\d].*)", rest):
        return held(subject, as_["text"], atoms, "contains")
    return state_of(subject, rest, atoms)


_SAYING = re.compile(
    r"(?:saying|reading|stating|warning|telling|(?:that|which)\s+(?:says|reads|states|tells|"
    r"warns|asks)|with the (?:text|words|message|title))\s+\S",
    re.IGNORECASE,
)
_LESS = r"(?:less|lower|smaller|fewer|cheaper|shorter|earlier)\s+than|below|under"
_MORE = r"(?:greater|more|higher|larger|bigger|longer|later)\s+than|above|over"


def _compared(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`less than 5`, `at least 3`, `between 1 and 9`."""
    between = re.fullmatch(
        rf"between\s+(?P<a>{AMOUNT})\s+and\s+(?P<b>{AMOUNT})", rest, re.IGNORECASE
    )
    if between:
        low = _ordered(subject, between["a"], atoms, "less")
        high = _ordered(subject, between["b"], atoms, "greater")
        return Every((Not(low), Not(high)))
    if either := re.fullmatch(
        rf"(?:shown as\s+)?(?P<n>{AMOUNT})\s+or\s+(?:(?P<up>more|later|higher|above|greater|over)|"
        r"less|fewer|earlier|lower|below|under)",
        rest,
        re.IGNORECASE,
    ):
        return Not(_ordered(subject, either["n"], atoms, "less" if either["up"] else "greater"))
    words: tuple[tuple[str, How, bool], ...] = (
        (_LESS, "less", True),
        (_MORE, "greater", True),
        (r"at least|no (?:less|lower|smaller) than", "less", False),
        (r"at most|up to|no (?:more|greater|higher|larger) than", "greater", False),
    )
    for said, how, positive in words:
        found = re.fullmatch(rf"(?:{said})\s+(?P<n>{AMOUNT}|{QUOTE})", rest, re.IGNORECASE)
        if found is None:
            continue
        lies = re.match(r"(?:above|over|below|under)\b", rest, re.IGNORECASE)
        text = re.fullmatch(QUOTE, subject) or not re.match(r"[^\w\s]?\d", atoms.text(found["n"]))
        if not (lies and text and not re.fullmatch(NAME, found["n"])):
            return negated(_ordered(subject, found["n"], atoms, how), not positive)
    return None


def _ordered(subject: str, amount: str, atoms: Atoms, how: How) -> Condition:
    if re.fullmatch(rf"{NAME}|{NUMBER}", subject, re.IGNORECASE):
        return Compare(atoms.text(subject), how, atoms.text(amount))
    return Has(atoms.phrase(subject), atoms.text(amount), how)


_EQUAL_TO = re.compile(
    r"(?:equal to|exactly|set (?:back )?to|back (?:at|to)|at|the same as|"
    r"(?:reset|changed|updated|increased|reduced|raised|lowered) to)\s+(?P<text>\S.*)",
    re.IGNORECASE,
)
_BY_WHOM = re.compile(
    r"(?:written|made|created|sent|posted|published|signed|painted|recorded|directed|composed|sung|"
    r"taken|uploaded|approved|assigned|edited|owned) (?:by|to)\s+(?P<text>(?-i:[A-Z])\S.*)",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"(?:(?:called|named|titled|labell?ed|entitled|marked|tagged|flagged|dated)(?:\s+as)?|"
    r"(?:shown|displayed|listed)\s+as)\s+(?P<text>(?!(?:in|with|by)\s)\S.*)",
    re.IGNORECASE,
)


def _equal_to(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    if found := _EQUAL_TO.fullmatch(rest):
        loose = re.match(r"(?:at|back)\b", rest, re.IGNORECASE)
        plain = re.fullmatch(rf"{PLAIN}|{AMOUNT}", found["text"], re.IGNORECASE)
        if loose and not plain:
            return None
        if re.match(THE, found["text"], re.IGNORECASE):
            return None
        return equals(subject, found["text"], atoms)
    if found := _BY_WHOM.fullmatch(rest) or _CALLED.fullmatch(rest):
        text = re.sub(r"^an?\s+(?=[a-z])", "", found["text"])
        return held(subject, text, atoms, "contains")
    return None


def _lying(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`lies between 10 and 30` is a number; `lies in the folder` a place."""
    return _compared(subject, rest, atoms) or _lies(subject, rest, atoms)


_ORDER = re.compile(
    rf"(?:listed\s+|placed\s+|right\s+|directly\s+)?(?P<way>before|after|ahead of)\s+"
    rf"(?P<other>{QUOTE}|the\s.+|[A-Z].*)"
)


def _lies(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """Where a thing lies: `in the list`, `under "Totals"`, `at the top`."""
    found = re.fullmatch(rf"(?P<at>{AT})\s+(?P<other>\S.*)", rest, re.IGNORECASE)
    if order := _ORDER.fullmatch(rest):
        side = "before" if order["way"][0] in "ba" and order["way"] != "after" else "after"
        return Shows(f"{atoms.phrase(subject)} {side} {atoms.phrase(order['other'])}")
    if found is None:
        return None
    if SCREEN.fullmatch(rest):
        return shown(subject, None, atoms)
    other = found["other"].strip()
    if re.fullmatch(
        r"(?:the )?(?:focus|use|order|progress|past|future)|(?:bold|italics?|red|green)", other
    ):
        return None
    if re.fullmatch(r"it|them|there", other, re.IGNORECASE):
        return Shows(atoms.phrase(subject))
    plain = re.match(
        rf"{THE}|{PLAIN}|[A-Z\d]|(?:row|line|column|cell|page|step)\s|(?:top|bottom)$", other
    )
    return shown(subject, rest, atoms) if plain else None
