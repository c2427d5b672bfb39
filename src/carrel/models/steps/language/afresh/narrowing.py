"""Turns about many things at once: in which order they shall be, which shall be left, which not."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["NARROWING"]

_SORT = r"(?P<act>\b(?:sort|order|arrange|put)\s+[^,.;]+?)\s+"
_MANY = (
    r"(?:the|this)\s+(?:[a-z]+\s)?(?:table|list|results?|view|page|grid|entries|items|rows|"
    r"products|orders|[a-z]+s)"
)
_SEEN = r"(?:shown|visible|listed|displayed|left|in\s+sight)"
_NAME = rf"(?:{QUOTE}|(?-i:[A-Z\d])[\w-]*)"
MOST = 30
"""Numbers in a row that are named one by one, at most."""


def _one_by_one(found: re.Match[str]) -> str:
    """`each number from 1 to 5`: 1, 2, 3, 4 and 5."""
    first, last = int(found["a"]), int(found["b"])
    way = 1 if last >= first else -1
    numbers = [str(n) for n in range(first, last + way, way)]
    if not 2 <= len(numbers) <= MOST:
        return found[0]
    return f"{found['do']} " + f", then {found['do']} ".join(numbers)


NARROWING: tuple[Turn, ...] = (
    # "alphabetically", "A to Z"
    turn(_SORT + r"(?:in\s+)?(?:reverse(?:d)?|backwards)\s+alphabetical(?:ly)?(?:\s+order)?",
         r"\g<act> in descending order"),
    turn(_SORT + r"alphabetically(?:\s*,?\s*(?:from\s+)?(?-i:A\s*(?:to|-|–)\s*Z))?",
         r"\g<act> in alphabetical order"),
    turn(_SORT + r"(?:from\s+)?(?-i:A\s*(?:to|-|–)\s*Z)\b", r"\g<act> in alphabetical order"),
    turn(_SORT + r"(?:from\s+)?(?-i:Z\s*(?:to|-|–)\s*A)\b", r"\g<act> in descending order"),
    # "Filter the table so that only overdue invoices are shown"
    turn(
        rf"\b(?:filter|narrow|limit|restrict|reduce|set|change|adjust)\s+{_MANY}\s+"
        rf"(?:down\s+)?(?:so\s+that|until|such\s+that|so)\s+(?:it\s+shows\s+only\s+(?P<a>[^,.;]+?)|"
        rf"only\s+(?P<b>(?!\w+\s+(?:with|whose|of|that)\b)[^,.;]+?)\s+(?:are|is|remain(?:s)?)(?:\s+{_SEEN})?)(?=\s*(?:[,.;]|$|\sand\s))",
        lambda found: f"show only {found['a'] or found['b']}",
    ),
    # "Mark all as read": what a control of many lists is called
    turn(
        r"(?<!\")\bmark\s+(?:them\s+)?all\s+as\s+(?P<how>[a-z]+)",
        r'perform "mark all as \g<how>"',
    ),
    # "Click each number from 1 to 5 in order"
    turn(
        r"\b(?P<do>click|press|tap)\s+(?:on\s+)?(?:(?:each|every|all)(?:\s+of)?\s+)?(?:the\s+)?"
        r"numbers?\s+(?:from\s+)?(?P<a>\d{1,3})\s*(?:to|through|-|–)\s*(?P<b>\d{1,3})"
        r"(?:,?\s+(?:in\s+(?:(?:ascending|increasing|descending|decreasing|the\s+right|that|this)\s+)?"
        r"order|one\s+after\s+(?:the\s+other|another)|in\s+turn))?(?=\s*(?:[,.;]|$|\sand\s))",
        _one_by_one,
    ),
    # "Select both A and B but not C"
    turn(
        rf"\b(?P<do>select|choose|pick|mark)\s+(?:both\s+)?(?P<these>{_NAME}(?:,\s*{_NAME})*,?\s+and\s+"
        rf"{_NAME}),?\s+but\s+not\s+(?P<not>{_NAME})(?=\s*(?:[,.;]|$))",
        r"\g<do> \g<these>. Verify that \g<not> is not selected",
    ),
)  # fmt: skip
"""Turns about which of many things."""
