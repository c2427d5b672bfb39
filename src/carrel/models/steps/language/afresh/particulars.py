"""Particulars of a thing that are told beside it: each as what is set of it."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import ANY, QUOTE

__all__ = ["PARTICULARS"]

_VALUE = rf"(?:{ANY}|(?-i:[A-Z])[\w-]*(?:\s(?-i:[A-Z])[\w-]*)*|\d[\w.%]*)"
_NAME = rf"(?:{QUOTE}|(?-i:[A-Z])[\w'’-]*(?:\s(?-i:[A-Z])[\w'’-]*)*|the\s[\w' -]+?)"
_NOUN = r"(?:(?!new\b)[a-z]+)(?:\s[a-z]+)?"
_PAIR = rf"(?:{_NOUN}\s+{_VALUE}|{_VALUE}\s+stars?)"
_LISTED = re.compile(rf"(?P<noun>{_NOUN})\s+(?P<value>{_VALUE})", re.IGNORECASE)


def _set_each(found: re.Match[str]) -> str:
    """`a review for X: 4 stars, title “A”`: the thing, and what is set of it, one by one."""
    said = []
    for part in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", found["list"]):
        pair = _LISTED.fullmatch(part)
        said.append(
            f"set the {pair['noun']} to {pair['value']}" if pair else f"set the rating to {part}"
        )
    return f"{found['act']}. {'. '.join(said)}"


PARTICULARS: tuple[Turn, ...] = (
    # "give Bob the role Editor"
    turn(
        rf"\b(?:give|assign|grant)\s+(?P<who>{_NAME})\s+(?:the\s+|an?\s+)(?P<noun>role|status|priority|"
        r"rank|category|type|title|level|permission|plan|state|grade|rating|label|color|colour)"
        rf"\s+(?:of\s+)?(?P<value>{_VALUE})",
        r"set the \g<noun> of \g<who> to \g<value>",
    ),
    turn(
        rf"\brename\s+(?P<what>it|that|the\s[\w ]+?)\s+(?P<to>{QUOTE})",
        r"rename \g<what> to \g<to>",
    ),
    turn(
        rf"(?P<act>\b(?:write|add|create|post|leave|enter|make|submit)\s[^,.;:]+):\s+"
        rf"(?P<list>{_PAIR}(?:\s*,\s*(?:and\s+)?{_PAIR}|\s+and\s+{_PAIR})*)(?=\.?\s*$|\.\s)",
        _set_each,
    ),
)
