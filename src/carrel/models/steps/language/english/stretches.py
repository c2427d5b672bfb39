"""English words for a stretch from one value to another, and for one step back."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY, DATED
from carrel.models.steps.language.dates import DAY_OF_YEAR
from carrel.models.steps.language.english.reader import Reader
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Perform, SetValue, Step

__all__ = ["stretched"]

_STRETCH = r"(?:range|period|span|interval|window|limits?|hours|dates|times)"
_END = rf"(?:{DAY_OF_YEAR}(?!\w)|[€$£]?\d[\d.,:]*(?:\s?(?:%|[€$£]|[a-z]+))?|{ANY})"
_FROM_TO = re.compile(
    r"(?:set|limit|adjust|restrict|narrow|change|choose|select|pick|enter)\s+(?:down\s+)?"
    rf"(?P<what>(?:the|my|your)\s(?:[\w-]+\s)*?(?:{_STRETCH}|(?<=limit the )\w+))\s+"
    rf"(?:(?P<from>from|to\s+between|between|to)\s+)?(?P<a>{_END})\s*"
    rf"(?:to|and|until|till|through|-|–|—)\s*(?P<b>{_END})",
    re.IGNORECASE,
)
_THE = re.compile(r"^the\s+", re.IGNORECASE)
_YEAR = re.compile(r",?\s\d{4}$")
_DAY = rf"(?:the\s+)?(?:{DAY_OF_YEAR}(?!\w)|{DATED})"
_DAYS = re.compile(
    r"(?:set|choose|select|pick|enter)\s+(?:(?P<what>(?:the|my|your|an?)\s[a-z][a-z -]*?)\s+)?"
    r"(?:(?:(?:from|to|for|as)\s+)?(?P<open>)|between\s+)"
    rf"(?P<a>{_DAY})\s*(?:(?(open)(?:to|until|till|through|-|–|—)|and))\s*(?P<b>{_DAY})",
    re.IGNORECASE,
)
"""From one day to another: that is a stretch, whatever has it."""
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
    found = _FROM_TO.fullmatch(text) or _DAYS.fullmatch(text)
    if found is None:
        return None
    talk.put_aside(text[found.end("what") if found["what"] else 0 :])
    ends = [talk.text(_THE.sub("", found[end])) for end in ("a", "b")]
    if (year := _YEAR.search(ends[1])) and re.fullmatch(DAY_OF_YEAR, ends[0], re.IGNORECASE):
        ends[0] += year[0]
    value = " – ".join(ends)
    return [SetValue(talk.phrase(found["what"] or "the dates"), value, words=words)]
