"""What applications are asked for in everyday words: rights, things sent, things taken off."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["EVERYDAY_ACTS"]

_BEGINS = r"(?:(?<=^)|(?<=[,.;:]\s)|(?<=\band\s)|(?<=\bbut\s)|(?<=\bthen\s))"
_WHO = r"(?P<who>(?:(?:the|all|my|our)\s+)?(?!me\b|us\b|it\b|go\b)[^\W\d_][\w-]*)"
_DO = r"(?P<do>(?!be\b|equal\b|=)[a-z]+(?:\s(?!and\b|but\b|or\b|then\b)[a-z]+){0,3})"
_END = r"(?=\s*(?:[.,;]|$|\s(?:and|but|then)\b))"
_RIGHT = r"(?:the\s+)?(?:right|permission|ability|rights|permissions)"
_MADE = r"(?P<what>(?:new\s+)?[a-z]+(?:\s[a-z]+)?)"
_CALLED = r"(?:titled|called|named|entitled|with\s+the\s+(?:title|name|heading))"
_SAYING = (
    r"(?:that|which)\s+(?:says|reads)|saying|reading|and\s+(?:write|put)|"
    r"with\s+the\s+(?:text|words|message|content|body)"
)

_ENDINGS = {"delivered": "ship", "shipped": "ship", "sent": "send", "posted": "post"}

EVERYDAY_ACTS: tuple[Turn, ...] = (
    # Rights that are given and taken
    turn(
        rf"(?:^|(?<=[.;]\s)|,?\s+(?:and|but)\s+|,\s*)(?:do\s+not|don['’]t|never)\s+"
        rf"(?:let|allow|permit)\s+{_WHO}\s+(?:to\s+)?{_DO}{_END}",
        r", and forbid \g<who> to \g<do>",
    ),
    turn(rf"{_BEGINS}(?:but\s+)?let\s+{_WHO}\s+{_DO}{_END}", r"allow \g<who> to \g<do>"),
    turn(
        rf"{_BEGINS}(?:take|remove|withdraw)\s+(?:away\s+)?{_RIGHT}\s+to\s+{_DO}\s+(?:away\s+)?"
        rf"from\s+{_WHO}{_END}",
        lambda m: f"forbid {m['who']} to {re.sub(r' away$', '', m['do'])}",
    ),
    turn(
        rf"{_BEGINS}(?:give|grant)\s+{_WHO}\s+{_RIGHT}\s+to\s+{_DO}{_END}",
        r"allow \g<who> to \g<do>",
    ),
    turn(
        rf"{_BEGINS}(?:stop|prevent|keep|ban|block)\s+{_WHO}\s+from\s+{_DO}{_END}",
        r"forbid \g<who> to \g<do>",
    ),
    # What is sent, and said
    turn(
        rf"{_BEGINS}(?:have|get)\s+(?P<what>it|this|that|them|the\s+(?:order|parcel|package|goods))\s+"
        r"(?P<done>delivered|shipped|sent|posted)\s+(?=to\s)",
        lambda m: f"{_ENDINGS[m['done'].lower()]} {m['what']} ",
    ),
    turn(
        rf"{_BEGINS}answer\s+(?P<who>him|her|them|(?-i:[A-Z])[\w'’-]*)\s+(?:with\s+)?"
        rf"(?P<text>{QUOTE})",
        r"reply to \g<who> with \g<text>",
    ),
    turn(
        rf"{_BEGINS}(?:write|jot\s+down|draft|make|take)\s+an?\s+{_MADE}\s+{_CALLED}\s+"
        rf"(?P<name>{QUOTE})\s+(?:{_SAYING})\s+(?P<text>{QUOTE})",
        r"create a \g<what> titled \g<name> saying \g<text>",
    ),
    turn(
        rf"{_BEGINS}(?:write|leave|post|add)\s+an?\s+(?P<what>[a-z]+)\s+"
        r"(?:(?:of|about|for|on)\s+(?:the|this|my)\s+[a-z]+\s+)?"
        rf"(?:{_SAYING})\s+(?P<text>{QUOTE})",
        r"add a \g<what> saying \g<text>",
    ),
    turn(
        rf"{_BEGINS}(?:text|message|tell|write|write\s+to|ping)\s+"
        rf"(?P<who>him|her|them|(?-i:[A-Z])[\w'’-]*(?:\s(?-i:[A-Z])[\w'’-]*)?)\s+(?P<text>{QUOTE})",
        r"send \g<text> to \g<who>",
    ),
    turn(
        r"(?:^|(?<=[.;]\s))I\s+(?:only|just)\s+(?:want|need)(?:\s+to\s+see)?\s+"
        r"(?=[a-z-]+(?:\s[a-z-]+)?(?:\s(?:with|without|that|which|in|from|under|for)\b|[.,;]|$))",
        "show only ",
    ),
    turn(
        rf"{_BEGINS}only\s+(?:list|show|display)\s+(?:me\s+)?(?=[a-z])",
        "show only ",
    ),
    turn(
        rf"{_BEGINS}(?P<do>cross|strike|tick|check)\s+(?P<what>(?-i:[A-Z])[\w'’-]*(?:\s[\w'’-]+)?"
        rf"|{QUOTE})\s+off{_END}",
        r"\g<do> off \g<what>",
    ),
    turn(
        rf"{_BEGINS}put\s+(?P<what>(?-i:[A-Z])[\w'’-]*(?:\s[\w'’-]+)?|{QUOTE})\s+on\s+"
        rf"(?P<where>(?:the|my|our)\s(?:[a-z]+\s)?list){_END}",
        r"add \g<what> to \g<where>",
    ),
    # What is taken off where it is
    turn(
        rf"{_BEGINS}take\s+(?P<what>[^,.;]+?)\s+(?:off|out\s+of|from)\s+"
        rf"(?P<where>it|them|there|(?:the|my|our)\s[^,.;]+?){_END}",
        r"remove \g<what> from \g<where>",
    ),
    turn(
        rf"{_BEGINS}change\s+(?P<what>(?:my|the|your)\s+(?:[a-z]+\s+)?(?:password|pass\s?code|pin))"
        rf"\s+from\s+(?P<old>{QUOTE})\s+to\s+(?P<new>{QUOTE})",
        r'perform "change" on \g<what> from \g<old> to \g<new>',
    ),
)
