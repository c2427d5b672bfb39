"""Deeds with particulars, under verbs with other meanings; scores, each by itself."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["DEEDS"]

_DEED = r"log|record|note|book|capture|register|borrow|lend|issue|clock|declare|claim"
_SCORE = r"(?:score|rating|mark|grade|result)"
_STARS = r"(?:stars?|points?|out\s+of\s+\d+)"


def _scored(match: re.Match[str]) -> str:
    """Every question with its own answer."""
    pairs = re.findall(
        rf"(?:^|,|\band\b)\s*(?:and\s+)?(?P<what>\S[^,]*?)\s+an?\s+{_SCORE}\s+of\s+(?P<n>[^\s,]+)",
        match["rest"],
        re.IGNORECASE,
    )
    return ", ".join(f"set {what} to {number}" for what, number in pairs)


def _starred(match: re.Match[str]) -> str:
    pairs = re.findall(
        rf"(?:^|,|\band\b)\s*(?:and\s+)?(?P<what>\S[^,]*?)\s+(?:with\s+)?(?P<n>\w+)\s+{_STARS}",
        match["rest"],
        re.IGNORECASE,
    )
    return ", ".join(f"rate {what} {number} stars" for what, number in pairs)


_ONE = rf"\S[^,.;]*?\s+an?\s+{_SCORE}\s+of\s+[^\s,]+?"
_STAR = rf"(?!rate\b)\S[^,.;]*?\s+(?:with\s+)?\w+\s+{_STARS}"
_NEXT = r"(?:\s*,\s*(?:and\s+)?|\s+and\s+)"

DEEDS: tuple[Turn, ...] = (
    # "give Food a score of 4 and Service a score of 5"
    turn(rf"\bgive\s+(?P<rest>{_ONE}(?:{_NEXT}{_ONE})+)(?=[.;]?$|[.;]\s)", _scored),
    turn(rf"\brate\s+(?P<rest>{_STAR}(?:{_NEXT}{_STAR})+)(?=[.;]?$|[.;]\s)", _starred),
    # "…, paying yearly", "…, giving illness as the reason"
    turn(
        r",?\s+(?:and\s+)?(?:paying|choosing|selecting|picking|taking|giving|stating|specifying|"
        r"naming|quoting|adding)\s+(?!by\b|with\b|it\b|them\b|up\b)(?=\S)",
        " with ",
    ),
    turn(r"\banswer\s+the\s+question\s+(?=[\ue000-\ue7ff])", "answer "),
    # "log 2.5 hours on …", "record an expense of …": done as the application offers it
    turn(
        rf"(?P<before>^|[.;]\s*|,\s*(?:and\s+)?(?:then\s+)?)(?P<verb>{_DEED})\s+"
        r"(?P<rest>(?![^.;]*\sor\s)(?:\d|an?\s|the\s|[\ue000-\uf8ff]|(?-i:[A-Z]))[^.;]*)",
        lambda m: f'{m["before"]}perform "{m["verb"].lower()}" on {m["rest"]}',
    ),
)
