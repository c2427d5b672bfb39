"""English places that no comma ends: `Under General set the language to French`."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY, DATED, PHRASE, QUOTE, TIMED
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.words import bare, is_told, verb_at
from carrel.models.steps.phrases.programs import kind_said

__all__ = ["without_comma"]

_NAMED_PLACE = (
    r"(?:it|there|them)|"
    r"(?:the|my|your|this|that|cell|row|line|column|step|question|day|room|guest|passenger)\s.+|"
    rf"(?:[A-Z\d][\w'’&-]*|{QUOTE}|{PHRASE})(?:\s+(?:[A-Z\d&][\w'’-]*|and(?=\s[A-Z])|[a-z]+))*"
)
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow"
_OBJECT = (
    r"(?:the|an?|my|your|our|his|her|their|its|all|every|each|both|no|it|them|this|that|these|on|"
    rf"off|in|out|up|down|at least|only|one|{ANY})\b|{ANY}|[A-Z\d=]|{NUMBER}\b|"
    r"(?:cell|cells|line|row|column|page)\s+[A-Z\d]|~?[\w/-][\w/.-]*\.[a-z]\w{0,5}\b"
)


_KIND = (
    r"\b(?:box|field|bar|dialog|form|tab|page|menu|list|window|table|section|panel|area|settings)$"
)


# What a thing is called is told of it, and is not to be done.
_TOLD = re.compile(r"(?:\w+ing|called|named|titled|entitled|labell?ed|marked|headed)\b")
_TYPING = re.compile(r"(?:type|enter|write)\s")
_SET = re.compile(
    r"(?P<place>[a-z][a-z-]+(?: [a-z-]+)?)\s+(?P<body>(?:pick|choose|select|enter|type|put|"
    r"set)\s\S.*)",
    re.DOTALL,
)


def without_comma(rest: str, word: str = "") -> tuple[str, str] | None:
    """`Under General set the language`: the place ends where the verb and its object begin."""
    if word.lower() == "for" and (said := _SET.fullmatch(rest)):
        return said["place"], said["body"]
    if re.search(r"\b(?:that|which|who|where|whose|to)\b", rest.split(",")[0], re.IGNORECASE):
        head = re.split(r"\b(?:that|which|who|where|whose|to)\b", rest, maxsplit=1)[0]
    else:
        head = rest
    for joint in re.finditer(r"\s+(?=[a-z])", head):
        place, body = rest[: joint.start()], rest[joint.end() :]
        if "," in place:
            return None
        found = verb_at(bare(body))
        if found is None or _TOLD.match(bare(body)) or not found[2]:
            continue
        if found[2].startswith(","):
            # "the Settings page, …": a noun, and what is done comes after it.
            continue
        if is_told(found[1]):
            # "the first five emails in the inbox": things, and no instruction.
            continue
        plain = re.match(_OBJECT, found[2]) or _TYPING.match(body)
        told = re.search(_KIND, place, re.IGNORECASE) or kind_said(place)
        if not plain and not told:
            continue
        if re.search(r"\b(?:and|or|of|the|an?|not|you|your|my)$", place, re.IGNORECASE):
            continue
        timed = re.fullmatch(rf"(?:{_DAYS}|{DATED}|{TIMED})", place, re.IGNORECASE)
        if timed is None and re.fullmatch(_NAMED_PLACE, place):
            return place, body
    return None
