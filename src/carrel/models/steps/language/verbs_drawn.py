"""Drawn things, in English words: what tells of a figure, points and lines that make one."""

from __future__ import annotations

import re

from carrel.models.steps.language.talk import IT, Talk, trim
from carrel.models.steps.language.values import computed
from carrel.models.steps.program import Answer, Compute, Draw, Imitate, Noughts, Point, Step

__all__ = ["construct", "telling", "whole"]

_TELLS = re.compile(
    r"(?:on\s+)?(?:the|an?)\s+(?:right\s+|correct\s+|matching\s+)?"
    r"(?:button|option|link|answer|label|choice|word|number|name)\s+(?:that|which)\s+"
    r"(?:(?:correctly|best|rightly|truly|exactly|accurately)\s+)*"
    r"(?:denotes?|describes?|shows?|says?|tells?|names?|indicates?|match(?:es)?|represents?|states?|"
    r"gives?|fits?|identif(?:y|ies)|corresponds?\s+to|stands?\s+for)\s+(?:best\s+)?(?P<what>.+)",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"(?:the|this|that)\s+(?:\w+\s+)?(?:figure|shape|symbol|drawing|object|item|picture|character)\b.*|"
    r"(?:what|which)\s+(?:kind|sort|type)\s+of\s+(?:\w+\s+)?(?:figure|shape|symbol|drawing|object)\b.*",
    re.IGNORECASE,
)
_BUILT = re.compile(
    r"(?P<what>(?:an?|the|another|one more)\s+(?:(?:\w+)\s+){0,2}"
    r"(?:point|dot|line|ray|mark|vertex))\s+"
    r"(?P<aim>(?:that|which|to|so that|such that|so as to|in order to)\s+.+)",
    re.IGNORECASE,
)
_AIM = re.compile(
    r"\b(?:right angle|right[- ]angled|90[ °-]?(?:degrees?)?|perpendicular|bisect\w*|half|halves|"
    r"(?:two|equal) (?:equal )?parts)\b",
    re.IGNORECASE,
)


_NOUGHTS = re.compile(
    r".*\b(?:tic[- ]?tac[- ]?toe|noughts (?:and|&) crosses|xs (?:and|&) os|three in a row)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_PLAYS = re.compile(r"\b(?:play(?:ing)?|win|beat|finish)\b", re.IGNORECASE)
_MARK = re.compile(
    r"\b(?:as|with|using|are|is|be)\s+(?:the\s+)?['\"‘“]?(?P<mark>[xo])\b", re.IGNORECASE
)
_MODEL = re.compile(
    r"(?P<verb>\w+)\s+(?:.*?\b(?:in|into|on|with|of|using)\s+)?"
    r"(?P<what>the\s+(?:\w+\s+)?(?:check ?boxes|boxes|cells|grid|tick ?boxes))\s+"
    r"(?:(?:using|following|like|as (?:shown )?in|according to|after|by|from|based on|"
    r"(?:so that they|to) (?:match|look like))\s+)(?P<example>the\s+(?:\w+\s+)?(?:example|pattern|"
    r"picture|image|model|template|sample|drawing)\b.*)",
    re.IGNORECASE,
)
_MAKES = re.compile(
    r"(?:place|put|draw|add|create|mark|make|construct|set)\s+(?=an?\s|the\s|another\s|one\s)",
    re.IGNORECASE,
)
_AFTER = re.compile(r"set\s+(?P<what>.+?)\s+after the example\s+(?P<example>.+)", re.IGNORECASE)
_MANY = re.compile(
    r"(?:click|tap|hit|catch|press)\s+(?:on\s+)?(?:as\s+many\s+(?:of\s+the\s+)?(?P<many>.+?)\s+as\s+"
    r"(?:possible|you\s+can)|(?:every|each|all(?:\s+of)?(?:\s+the)?)\s+(?P<all>moving\s+.+?)"
    r"(?:\s+(?:that|which|as they)\s+.*)?)",
    re.IGNORECASE,
)


def whole(text: str, talk: Talk) -> list[Step] | None:
    """What only a whole clause says: a game, a pattern to follow, things to catch."""
    said = talk.atoms.original(trim(text))
    if _NOUGHTS.fullmatch(said) and _PLAYS.search(said):
        mark = _MARK.search(said)
        return [Noughts("O" if mark and mark["mark"].upper() == "O" else "X")]
    if found := _MODEL.fullmatch(trim(text)) or _AFTER.fullmatch(trim(text)):
        return [Imitate(talk.phrase(found["what"]), talk.phrase(found["example"]))]
    made = _MAKES.match(trim(text))
    if made and (steps := construct(trim(text)[made.end() :], talk)):
        return steps
    if found := _MANY.fullmatch(trim(text)):
        return [Point(talk.phrase(found["many"] or found["all"]), stay=True)]
    return None


def telling(rest: str, talk: Talk) -> list[Step] | None:
    """`the button that says how many sides it has`: work it out, and give it as the answer."""
    found = _TELLS.fullmatch(trim(rest))
    if found is None:
        return None
    if step := computed(found["what"], talk):
        return [step, Answer(f"{{{IT}}}")]
    if _FIGURE.fullmatch(found["what"]):
        what = re.sub(r"^(?:what|which)\s+\w+\s+of\s+", "the ", found["what"])
        return [Compute("kind", talk.phrase(what), IT), Answer(f"{{{IT}}}")]
    return None


def construct(rest: str, talk: Talk) -> list[Step] | None:
    """`a third point to make a right angle`, `a line that bisects the angle`."""
    found = _BUILT.fullmatch(trim(rest))
    if found is None or not _AIM.search(found["aim"]):
        return None
    return [Draw(talk.phrase(f"{found['what']} {found['aim']}"))]
