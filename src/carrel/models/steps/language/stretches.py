"""English words for a stretch from one value to another, and for one step back."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY
from carrel.models.steps.language.reader import Reader
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Perform, SetValue, Step

__all__ = ["stretched"]

_STRETCH = r"(?:range|period|span|interval|window|limits?|hours|dates|times)"
_END = rf"(?:[€$£]?\d[\d.,:]*(?:\s?(?:%|[€$£]|[a-z]+))?|{ANY})"
_FROM_TO = re.compile(
    r"(?:set|limit|adjust|restrict|narrow|change)\s+(?:down\s+)?"
    rf"(?P<what>(?:the|my|your)\s(?:[\w-]+\s)*?(?:{_STRETCH}|(?<=limit the )\w+))\s+"
    rf"(?:(?P<from>from|to\s+between|between|to)\s+)?(?P<a>{_END})\s*"
    rf"(?:to|and|until|till|through|-|–|—)\s*(?P<b>{_END})",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?:go|move|step|return|get)\s+(?:back\s+)?(?:to\s+)?(?:the\s+previous|one|a)\s+"
    r"(?:step|section|stage|question)(?:\s+back)?",
    re.IGNORECASE,
)


def stretched(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`set the price range from 100 to 400`: both ends are its value; a step back is a button."""
    words = talk.atoms.original(text)
    if _BACK.fullmatch(text):
        talk.put_aside(text)
        return [Perform("back", words=words)]
    found = _FROM_TO.fullmatch(text)
    if found is None:
        return None
    talk.put_aside(text[found.end("what") :])
    value = f"{talk.text(found['a'])} – {talk.text(found['b'])}"
    return [SetValue(talk.phrase(found["what"]), value, words=words)]
