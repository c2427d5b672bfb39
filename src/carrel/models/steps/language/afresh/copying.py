"""A text that is to stand in two places: copied from the one and pasted into the other."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["COPYING"]

_FIELD = (
    r"(?:(?:first|second|third|fourth|last|\d+(?:st|nd|rd|th)|upper|lower|top|bottom|left|"
    r"right|other|big|small|"
    r"large|single|multi-?line|input|text|empty|[a-z]+)\s+){0,3}?(?:text\s?areas?|"
    r"text\s?box(?:es)?|text\s+fields?|"
    r"text\s+inputs?|input\s+(?:fields?|box(?:es)?)|inputs?|fields?|editor|memo|"
    r"note)(?:\s+(?:below|above|underneath))?"
)
_B = rf"(?:the\s+)?(?P<b>{_FIELD})"
_TEXT = (
    r"(?:(?:the\s+)?(?:whole\s+|entire\s+|full\s+|complete\s+|exact\s+|same\s+)*"
    r"(?:contents?|text|words|value|string|wording)|everything|all)"
)
_STANDS = (
    r"(?:(?:that|which)\s+)?(?:(?:is|stands|was)\s+)?"
    r"(?:(?:written|typed|contained|shown|found|displayed|standing|entered|there)\s+)?"
)
_WRITTEN = r"(?:(?:written|typed|contained|shown|already|currently)\s+)?"


def _from(number: int) -> str:
    return rf"(?:the\s+)?(?P<a{number}>{_FIELD})"


_S = (
    rf"(?:{_TEXT}\s+{_STANDS}(?:of|in|from|out\s+of|inside|within)\s+{_from(1)}|"
    rf"what(?:ever)?(?:['’]s|\s+is|\s+stands|\s+has\s+been)?\s+{_WRITTEN}(?:in|inside|within)\s+"
    rf"{_from(2)}|"
    rf"(?:the\s+same\s+)?(?:{_TEXT}|thing)\s+(?:that|as|which)\s+(?:is\s+in\s+)?{_from(3)}"
    r"(?:\s+(?:holds|contains|has|shows|does))?|"
    rf"what(?:ever)?\s+(?:text\s+)?{_from(5)}\s+(?:contains|holds|says|shows|has)|"
    rf"{_from(4)}['’]s\s+(?:contents?|text|value))"
)
_MUST = r"(?:should|must|has\s+to|have\s+to|needs?\s+to|ought\s+to|is\s+to|shall)"
_TOO = r"(?:\s+(?:too|as\s+well|also))?"
_OVER = (
    r"\s*[.;,]\s*(?:please\s+)?(?:so\s+)?(?:copy\s+(?:it|that|the\s+text)(?:\s+(?:over|there|"
    r"across))*|"
    r"fill\s+(?:it|that)\s+in|(?:enter|put|insert|paste|type)\s+(?:it|that)(?:\s+(?:there|in))?|"
    r"do\s+(?:so|that))\b"
)
"""That what should be so is to be made so; without it, it is but a claim."""
_NEEDS = r"(?:has\s+to|have\s+to|needs?\s+to|ought\s+to|is\s+to)"


def _copied(match: re.Match[str]) -> str:
    groups = match.groupdict()
    source = next(groups[name] for name in ("a1", "a2", "a3", "a4", "a5") if groups.get(name))
    return f"copy the text in the {source}, then paste into the {groups['b']}"


COPYING: tuple[Turn, ...] = (
    turn(
        r"\b(?:put|place|enter|type|insert|write|transfer|bring|carry|copy|paste|"
        rf"duplicate|repeat|reproduce)\s+{_S}(?:\s+over)?\s+"
        rf"(?:to|into|in|onto|inside|within)\s+{_B}{_TOO}",
        _copied,
    ),
    turn(
        rf"\b(?:put|enter|type|insert|write|copy|paste)\s+(?:in|into)\s+{_B}\s+(?:exactly\s+|"
        rf"just\s+)?{_S}",
        _copied,
    ),
    turn(rf"\b(?:fill|populate|complete)\s+(?:in\s+)?{_B}\s+with\s+{_S}", _copied),
    turn(
        rf"\b(?:take|get|read|grab|copy)\s+{_S}(?:,|,?\s+and|\.)\s+(?:then\s+)?(?:insert|"
        r"put|enter|type|write|paste|place|copy)\s+"
        r"(?:it|a\s+copy(?:\s+of\s+it)?|the\s+same(?:\s+(?:text|thing|words))?|that(?:\s+text)?|"
        r"this)\s+"
        rf"(?:over\s+)?(?:in|into|to|inside)\s+{_B}",
        _copied,
    ),
    turn(
        rf"(?:^|(?<=[.;]\s)){_B}\s+{_MUST}\s+(?:contain|hold|have|show|get|receive|read|"
        rf"say|include)\s+{_S}{_TOO}{_OVER}",
        _copied,
    ),
    turn(
        rf"(?:^|(?<=[.;]\s)){_S}\s+{_MUST}\s+(?:also\s+)?(?:appear|stand|be)\s+(?:in|inside)\s+"
        rf"{_B}{_TOO}{_OVER}",
        _copied,
    ),
    turn(
        rf"(?:^|(?<=[.;]\s)){_S}\s+{_NEEDS}\s+(?:also\s+)?(?:go|be\s+"
        r"(?:put|copied|entered|inserted|typed|written|placed|pasted))\s+"
        rf"(?:over\s+)?(?:to|into|in|inside)\s+{_B}{_TOO}(?:{_OVER})?",
        _copied,
    ),
    turn(
        rf"\bmake\s+(?:the\s+(?:text|contents?)\s+(?:in|of)\s+)?{_B}\s+(?:identical\s+to|"
        r"the\s+same\s+as|equal(?:\s+to)?|match|contain)\s+"
        r"(?:(?:the\s+one|that|the\s+text|the\s+contents?|what\s+is)\s+)?(?:(?:in|of)\s+"
        rf")?{_from(1)}",
        _copied,
    ),
)
