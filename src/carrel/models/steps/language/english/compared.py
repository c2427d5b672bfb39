"""English claims about two things on the screen: one is read, and the other held against it."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import ANY
from carrel.models.steps.language.english.claim_parts import THE, How
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.talk import IT, NotUnderstood, Talk
from carrel.models.steps.language.values import computed
from carrel.models.steps.program import Check, Has, Not, Read, Step

__all__ = ["held_against"]

_BE = (
    r"(?:is|are|was|were|should be|must be|should now be|must now be|has to be|ought to be|is now)"
)
_NO = r"(?P<no>\s+not|n['’]t)?"
_MAY = r"(?:should\s+|must\s+)?"
_WHOSE = r"(?-i:[A-Z])[\w-]*(?:\s(?-i:[A-Z])[\w-]*)?['’]s"
_WHAT = rf"(?P<what>{THE}[^,]+?|{_WHOSE}\s[a-z][a-z -]*?|{ANY})"
_OTHER = rf"(?P<other>{THE}(?!same\b)[^,]+|{_WHOSE}(?:\s[a-z][a-z -]*)?|what\s[^,]+)"
_SAME = r"(?:the same(?:\s+\w+)? as|equal to|identical (?:to|with)|no different from)"
_MATCHES = r"(?:equals?|match(?:es)?|agrees? with|corresponds? to|coincides? with)"
_LESS = r"(?:less|lower|smaller|fewer|cheaper|shorter|earlier|older) than"
_MORE = r"(?:greater|more|higher|larger|bigger|longer|later|newer|dearer|more expensive) than"
_Form = tuple[re.Pattern[str], How, bool]


def _form(said: str, how: How, *, so: bool = True) -> _Form:
    return re.compile(rf"{_WHAT}\s+{said}\s+{_OTHER}", re.IGNORECASE), how, so


_FORMS: tuple[_Form, ...] = (
    _form(rf"{_BE}{_NO}\s+(?:exactly\s+)?{_SAME}", "equals"),
    _form(rf"{_MAY}(?P<no>does not\s+|not\s+)?{_MATCHES}", "equals"),
    _form(rf"(?:{_BE}\s+different\s+from|{_MAY}differs?\s+from){_NO}", "equals", so=False),
    _form(rf"{_BE}{_NO}\s+{_LESS}", "less"),
    _form(rf"{_BE}{_NO}\s+{_MORE}", "greater"),
    (
        re.compile(
            rf"{_WHAT}\s+and\s+(?P<other>{THE}[^,]+?|{ANY})\s+"
            r"(?:(?:is|are|should be|must be)(?P<no>\s+not)?\s+(?:the same|equal|identical)|"
            rf"{_MAY}(?:match|be the same|agree))",
            re.IGNORECASE,
        ),
        "equals",
        True,
    ),
)
# An amount or a text of its own is no other thing.
_VALUE = re.compile(rf"(?:the\s+)?(?:{NUMBER}|{ANY})|.*\b(?:times|twice|half|text|word)\b.*")
_NOUN = re.compile(
    rf"{THE}(?:[\w-]+\s+)*?(?P<noun>[a-z-]+)"
    r"(?=\s(?:in|on|of|at|under|for|from|shown|above|below|next|beside|given)\s|$)",
    re.IGNORECASE,
)
_ARITHMETIC = re.compile(
    r"\s(?:plus|minus|times|multiplied by|divided by)\s|"
    r"\b(?:product|difference|quotient|ratio) (?:of|between)\s",
    re.IGNORECASE,
)
# What is cheaper has a price, and is none.
_PRICED = re.compile(r"\b(?:cheaper|dearer|more expensive) than\b", re.IGNORECASE)
_PRICE = re.compile(r"\b(?:price|cost|total|amount|fare|fee|rate)\b", re.IGNORECASE)
_ONE = re.compile(r"(?P<the>the\s+(?:[\w-]+\s+)?)one\b|that(?=\s(?:in|on|of|at|from)\b)")


_OF_WHOM = re.compile(r".+['’]s\s(?P<noun>[a-z][a-z -]*)", re.IGNORECASE)


def held_against(text: str, talk: Talk) -> list[Step] | None:
    """`The price in the cart is the same as the one on the page`; None for anything else."""
    text = re.sub(r"(\bthe same(?: \w+)? as)\s+(?=(?:in|on|at|under)\s)", r"\1 the one ", text)
    for form, how, so in _FORMS:
        found = form.fullmatch(text)
        if found is None or _VALUE.fullmatch(found["other"]):
            continue
        if _ARITHMETIC.search(text):
            raise NotUnderstood("that would have to be worked out first")
        words = talk.atoms.original(text)
        priced = _PRICED.search(text) and not _PRICE.search(found["what"])
        of = "the price of " if priced else ""
        held = Has(f"{of}{talk.phrase(found['what'])}", f"{{{IT}}}", how)
        check = Check(Not(held) if bool(found["no"]) == so else held, words=words)
        worked_out = computed(_named(found), talk)
        read = worked_out or Read(f"{of}{talk.phrase(_named(found))}", IT)
        return [replace(read, words=words), check]
    return None


def _named(found: re.Match[str]) -> str:
    """The other thing; `the one` is called as the first is."""
    if whose := _OF_WHOM.fullmatch(found["what"]):
        # "than Anna's": of the same thing as the first.
        return re.sub(r"(?<=['’]s)$", f" {whose['noun']}", found["other"])
    noun = _NOUN.match(found["what"])
    if noun is None:
        return found["other"]
    return _ONE.sub(lambda m: f"{m['the'] or 'the '}{noun['noun']}", found["other"])
