"""Buttons that are only told by a sign, and the row of what was named just before."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["SIGNS"]

_SIGN = (
    r"(?:[^\w\s\"“”'‘’.,;:()\ue000-\uf8ff]|x|(?:red |little |small |big )?"
    r"(?:cross|plus|minus|bin|dustbin|waste ?basket|trash(?: can)?|pencil|pen|star|heart|tick|"
    r"check ?mark))"
)
_KIND = r"(?:\s+(?:button|icon|sign|symbol|mark|link))?"
_ROW = r"(?:row|line|entry|record|card|item|list item|tile)"
_BY = (
    r"(?:with(?:\s+the\s+help\s+of)?|using|via|through|by\s+means\s+of|"
    r"by(?:\s+(?:clicking|pressing|tapping|hitting|using)(?:\s+on)?)?)"
)
_NEAR = (
    r"(?:next\s+to|beside|by|behind|after|near|in|on|within|inside|of|at|"
    r"(?:(?:at|on)\s+)?(?:the\s+)?(?:right(?:-hand)?\s+|far\s+|left\s+)?(?:end|side|edge|right|left)"
    r"\s+of|to\s+the\s+(?:right|left)\s+of)"
)
_VERB = (
    r"(?:remove|delete|drop|erase|discard|cancel|dismiss|clear|take(?:\s+(?:out|off|away))?|get\s+rid\s+of|"
    r"throw\s+(?:out|away)|edit|change|rename|close)"
)
_THEIRS = r"(?:its|his|her|their|that|the|the\s+same|this)"
_TIMES = r"(?P<times>\s+(?:once|twice|thrice|\w+\s+times))?"


def _in_row(match: re.Match[str]) -> str:
    """What is pressed, in the row of what it is done to."""
    what = re.sub(
        rf"^(?:the|my|your|our)\s+|\s+{_ROW}$", "", match["what"].strip(), flags=re.IGNORECASE
    )
    what = re.sub(r"^(?:the|my|your|our)\s+", "", what, flags=re.IGNORECASE)
    return f"click the {match['sign']} in the {what} row"


SIGNS: tuple[Turn, ...] = (
    # "remove the Milk line with the × at the end of its row"
    turn(
        rf"\b{_VERB}\s+(?P<what>(?!it\b|them\b|that\b)[^,.;]+?)"
        r"(?:\s+(?:from|off|out\s+of)\s+(?:the|my|your|our|this)\s[\w\s-]+?)?"
        rf"\s+{_BY}\s+(?:the|its|an?)\s+(?P<sign>{_SIGN}){_KIND}"
        rf"(?:\s+{_NEAR}\s+(?:it|{_THEIRS}\s+(?:own\s+)?(?:{_ROW}|name|end|side|right))"
        r"|\s+(?:at|on)\s+(?:the\s+)?(?:end|right))?(?=\s*(?:[,.;]|$|and\s|then\s))",
        _in_row,
    ),
    # "use the plus sign in the Senior row twice"
    turn(
        rf"\b(?:use|operate|work|take|go\s+for)\s+(?:the\s+)?(?P<sign>{_SIGN}){_KIND}\s+"
        rf"(?P<near>{_NEAR})\s+(?P<row>[^,.;]+?){_TIMES}(?=\s*(?:[,.;]|$))",
        lambda m: (
            f"click the {m['sign']} {m['near']} {m['row']}"
            f"{'' if (m['times'] or '').strip().lower() == 'once' else m['times'] or ''}"
        ),
    ),
)
