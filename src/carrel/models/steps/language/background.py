"""What is told before it is said what to do: why, what is open, what is wanted of a form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.words import bare, verb_at

__all__ = ["without_background"]

_SOMEBODY = r"(?:i|we|he|she|they|(?:my|our|the)\s[a-z]+)(?:['’](?:d|m|re|ve|ll|s))?"
_WISHES = (
    r"(?:(?:really|still|just|only|now|don['’]t|do\s+not|doesn['’]t|does\s+not|no\s+longer)\s+)*"
    r"(?:want|wants|need|needs|would\s+like|would\s+rather|like|rather|prefer|prefers|wish|am|is|"
    r"are|have|has|changed)"
)
_REASON = re.compile(
    rf"{_SOMEBODY}\s+{_WISHES}\b[^,;]*,\s+(?:and\s+)?so\s+(?:please\s+)?(?P<act>(?!that\b)\S.*)",
    re.IGNORECASE | re.DOTALL,
)
"""`I want to keep my files, so cancel it`: the wish is the reason, and no step of its own."""
_ANSWERS = frozenset(("cancel", "dismiss", "decline", "reject", "accept", "confirm", "close"))
_REFERS = re.compile(r"\b(?:it|them|that|this|these|those)\b", re.IGNORECASE)
_OPEN = re.compile(
    r"(?:there(?:['’]s|\s+is)|you(?:['’]ll|\s+will)?\s+(?:can\s+)?see)\s+(?:now\s+)?an?\s+"
    r"(?:[a-z-]+\s+)?(?P<noun>dialog(?:ue)?|pop-?up|prompt|banner|message|alert|warning)"
    r"(?:\s+(?:box|window))?(?:\s+(?:asking|about|saying|that|which|open|here|on|in|at)\b[^.]*)?[.!]?",
    re.IGNORECASE,
)
"""`There's a dialog asking whether …`: what the next sentence means by `it`."""
_NEEDED = re.compile(
    r"(?:i|we)(?:['’](?:d|m|re))?\s+(?:need|want|would\s+like|like|am\s+looking\s+for|"
    r"are\s+looking\s+for|looking\s+for)\s+(?P<what>(?:an?|one|two|three|four|\d+)\s+[^.]+?)[.!]?",
    re.IGNORECASE,
)
_FORM = re.compile(
    r"(?:please\s+)?(?:(?:fill\s+(?:in|out)|complete|use)\s+(?:the|this)\s+(?:[a-z]+\s+)?form|"
    r"fill\s+(?:it|that|this|them|these)\s+(?:in|out)|fill\s+(?:it|that|this|these)\s+into\s+the\s+form)"
    r"(?:\s+(?:accordingly|for\s+(?:that|it|me|us)|with\s+(?:that|this)))?"
    r"(?:\s*,?\s+(?:and|then|and\s+then)\s+(?P<rest>[^\s].*?))?[.!]?",
    re.IGNORECASE | re.DOTALL,
)
"""`I need a flight to Oslo. Fill in the form`: what was told first is what goes in."""
_OF_MYSELF = re.compile(r"(?:my|the)\s[a-z][a-z -]*?\s(?:is|are)\s\S.*", re.IGNORECASE | re.DOTALL)
"""`My name is Ada`: by itself this is what goes into the field."""


_MAYBE = re.compile(
    r"(?:\(?)(?:note\s+that\s+)?(?:you|it)(?:['’]ll)?\s+(?:may|might|could|will\s+(?:probably|perhaps))\s+"
    r"(?:first\s+)?(?:have|need)\s+to\s+(?P<act>(?:expand|scroll|open|unfold|wait|look|search|go)\b[^.]*?)\)?[.!]?",
    re.IGNORECASE,
)
"""`You may have to expand some folders first`: what the hands see to by themselves."""
_TAKES_IT = re.compile(
    r"(?:(?:please|so|now|then|(?:can|could)\s+you)\s+)*(?:find|locate|look\s+for|click|press|open|tap|hit|follow|choose|"
    r"select|tick)\s+(?:on\s+)?(?:it|that)(?=\s*(?:[.,;!?]|$|and\b))",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"(?:(?:in|on|within|among)\s+[^,.]+?,?\s+)?there(?:['’]s|\s+is)\s+"
    r"(?:also\s+)?an?\s+(?P<kind>link|button|check\s?box|box|option|tab|icon|item|entry|menu\s+item|card)\s+"
    r"(?:(?:that\s+is\s+)?(?:called|named|labell?ed|titled|marked|reading|saying|that\s+(?:says|reads)|with\s+the\s+"
    rf"(?:text|name|label|caption|words?))\s+)?(?P<name>{QUOTE})(?:\s+(?:in|on|under|among|somewhere)\s[^.]+?)?[.!]?",
    re.IGNORECASE,
)
"""`There is a link "Terms" in the text`: what the next sentence means by `it`."""


def without_background(parts: Sequence[str]) -> list[str]:
    """Sentences that say what to do, with what the others told of it.

    Args:
        parts: Masked English sentences, as they were said.
    """
    kept: list[str] = []
    thing = ""
    for index, part in enumerate(parts):
        text, following = part.strip(), parts[index + 1].strip() if index + 1 < len(parts) else ""
        if not kept and following and (found := _OPEN.fullmatch(text)):
            thing = f"the {found['noun'].lower()}"
            continue
        if _TAKES_IT.match(following) and (there := _THERE.fullmatch(text)):
            thing = f"the {there['kind'].lower()} {there['name']}"
            continue
        if kept and _MAYBE.fullmatch(text):
            continue
        needed = _NEEDED.fullmatch(text)
        if needed and (form := _FORM.fullmatch(following)):
            rest = f", then {form['rest']}" if form["rest"] else ""
            kept.append(f"Request {needed['what'].strip()}{rest}")
            return [*kept, *without_background(parts[index + 2 :])]
        if kept and _OF_MYSELF.fullmatch(kept[-1].strip()) and (form := _FORM.fullmatch(text)):
            kept += [form["rest"]] if form["rest"] else []
            continue
        act = _without_reason(text, told=bool(kept or thing))
        if thing and _REFERS.search(act):
            act, thing = _REFERS.sub(thing, act, count=1), ""
        kept.append(act)
    return kept


def _without_reason(text: str, *, told: bool) -> str:
    """The act alone, where the words before `so` only say why.

    `I need the red one, so buy it`: without the first half nobody knows what `it` is.
    """
    found = _REASON.fullmatch(text)
    verb = verb_at(bare(found["act"])) if found else None
    if found is None or verb is None:
        return text
    answers = told and verb[1].lower() in _ANSWERS
    return text if _REFERS.search(found["act"]) and not answers else found["act"]
