"""How text looks, in English words: highlighted, bold, red, larger."""

from __future__ import annotations

import re

from carrel.models.steps.language.talk import NotUnderstood, Talk, trim
from carrel.models.steps.program import Change, Highlight, Step

__all__ = ["change", "highlight"]


def highlight(rest: str, talk: Talk) -> list[Step]:
    """Select text."""
    if found := re.fullmatch(rf"(?P<what>.+?)\s+in\s+(?P<colour>{_COLOUR})", trim(rest)):
        return [Change(talk.phrase(found["what"]), found["colour"])]
    return [Highlight(talk.phrase(rest, "what to highlight"))]


_STYLE = (
    r"bold|italics?|italicized|underlined?|strikethrough|struck through|normal|"
    r"superscript|subscript"
)


_COLOUR = (
    r"red|green|blue|yellow|orange|purple|pink|black|white|gr[ae]y|brown|cyan|aqua|magenta|"
    r"violet|teal|"
    r"navy|maroon|olive|lime|silver|gold|turquoise|indigo|fuchsia"
)


_CHANGE = (
    re.compile(
        r"(?P<what>.+?)\s+(?:the|a)\s+(?:font\s+|text\s+)?(?:style|colou?r|size|"
        r"format)\s+(?:of\s+)?(?P<into>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<what>.+?)\s+(?:in |into |to be |as |look )?(?P<into>(?:a )?(?:"
        + _STYLE
        + "|"
        + _COLOUR
        + r"|[\d.]+ ?(?:pt|px|points?)|larger|smaller)(?: (?:text|font|letters|colou?r))?)",
        re.IGNORECASE,
    ),
)


def change(rest: str, talk: Talk) -> list[Step]:
    """Make a passage bold, red or larger."""
    body = re.sub(
        r"^(?:the\s+)?(?:style|colou?r|font|size)\s+of\s+(.+?)\s+(?:to\s+)?(\S+)$",
        r"\1 \2",
        trim(rest),
        flags=re.IGNORECASE,
    )
    if both := re.fullmatch(
        rf"(?P<what>.+?)\s+(?P<one>{_STYLE}|{_COLOUR})\s+and\s+(?P<two>{_STYLE}|{_COLOUR})",
        body,
        re.IGNORECASE,
    ):
        return [
            *change(f"{both['what']} {both['one']}", talk),
            *change(f"{both['what']} {both['two']}", talk),
        ]
    for pattern in _CHANGE:
        if found := pattern.fullmatch(body):
            what = re.sub(
                r"^(?:the )?(?:text|word|words|phrase)\s+(?=\S)",
                "",
                found["what"],
                flags=re.IGNORECASE,
            )
            if re.match(r"(?:in|on|of|below|above|from|at)\b", what):
                what = found["what"]
            return [Change(talk.phrase(what), talk.atoms.text(trim(found["into"])))]
    raise NotUnderstood("make it what? “make X bold”, “give X the color red”")
