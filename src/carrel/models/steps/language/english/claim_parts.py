"""The words of English claims that all of them share: states, places, amounts, what is held."""

from __future__ import annotations

import re
from typing import Literal

from carrel.models.steps.language.atoms import DATED, NAME, OTHER, PHRASE, QUOTE, TIMED, Atoms
from carrel.models.steps.language.english.counts import HOW_MANY, counted, of_now
from carrel.models.steps.language.english.windows import negated
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.program import Compare, Condition, Has, Is, Shows

__all__ = [
    "AMOUNT",
    "AT",
    "LETTERS",
    "LOOK",
    "PAGE",
    "PLAIN",
    "SCREEN",
    "SEEN",
    "STATE",
    "STATES",
    "TEXT",
    "THE",
    "How",
    "equal",
    "equals",
    "held",
    "is_place",
    "shown",
    "state_of",
    "where",
]

State = Literal[
    "checked", "selected", "enabled", "focused", "expanded", "empty", "visible", "editable"
]
How = Literal["equals", "contains", "starts", "ends", "matches", "less", "greater"]

STATES: dict[str, tuple[State, bool]] = {
    "checked": ("checked", True),
    "checked off": ("checked", True),
    "ticked off": ("checked", True),
    "ticked": ("checked", True),
    "on": ("checked", True),
    "switched on": ("checked", True),
    "turned on": ("checked", True),
    "off": ("checked", False),
    "switched off": ("checked", False),
    "turned off": ("checked", False),
    "unchecked": ("checked", False),
    "unticked": ("checked", False),
    "selected": ("selected", True),
    "chosen": ("selected", True),
    "active": ("selected", True),
    "highlighted": ("selected", True),
    "preselected": ("selected", True),
    "pre-selected": ("selected", True),
    "unselected": ("selected", False),
    "deselected": ("selected", False),
    "enabled": ("enabled", True),
    "clickable": ("enabled", True),
    "selectable": ("enabled", True),
    "editable": ("editable", True),
    "read-only": ("editable", False),
    "read only": ("editable", False),
    "usable": ("enabled", True),
    "available": ("enabled", True),
    "disabled": ("enabled", False),
    "greyed out": ("enabled", False),
    "grayed out": ("enabled", False),
    "unavailable": ("enabled", False),
    "inactive": ("enabled", False),
    "focused": ("focused", True),
    "in focus": ("focused", True),
    "expanded": ("expanded", True),
    "unfolded": ("expanded", True),
    "collapsed": ("expanded", False),
    "folded": ("expanded", False),
    "empty": ("empty", True),
    "blank": ("empty", True),
    "filled": ("empty", False),
    "filled in": ("empty", False),
    "hidden": ("visible", False),
    "invisible": ("visible", False),
}
STATE = "|".join(sorted(map(re.escape, STATES), key=len, reverse=True))
SEEN = (
    r"visible|shown|displayed|present|there|on (?:the )?(?:screen|page)|showing|in view|loaded|"
    r"ready|listed|offered|on offer|proposed|suggested|to be (?:seen|found|had)|seen|"
    r"found|in sight|on display|open|opened|running|printed|logged|"
    r"left(?: open)?|remaining|back(?! (?:at|to)\b)|available in the list"
)
AT = (
    r"(?:(?:directly |right |just |immediately )?(?:above|below|under|underneath|beneath|over|"
    r"left of|right of|to the (?:left|right) of|next to|beside|between|inside(?: of)?|within|in|"
    r"in front of|behind|among|near|on top of)|on|at)"
)
THE = r"(?:the|an?|my|your|his|her|their|its|this|that|these|those|any|each|every|our)\s"
PLAIN = rf"{QUOTE}|{NAME}|{DATED}|{TIMED}|{OTHER}|{PHRASE}"
SCREEN = re.compile(
    r"(?:on|in) (?:the |this )?(?:screen|page|view|window|browser)|anywhere(?: (?:on|in) .+)?|"
    r"here|there",
    re.IGNORECASE,
)
PAGE = re.compile(
    r"(?:the|this|that) (?:(?:web ?|current |new |next )?(?:page|screen|web ?site|site|window|app))"
    r"|i|you|we|they|one|the user",
    re.IGNORECASE,
)


AMOUNT = (
    rf"(?:[^\w\s]?\s?{NUMBER}|[^\w\s]\d\S*|{NAME}|{OTHER}|{DATED}|{TIMED})"
    r"(?:\s?[%€$£]|\s?(?:[kMG]B|km|cm|mm|kg)|\s(?:percent|px|pixels|seconds|minutes|hours|days|"
    r"euros?|dollars?|pounds?|points?|degrees|bytes|miles|met(?:er|re)s|MB|GB|KB))?"
)


# How something looks no text tells.
LOOK = (
    r"(?:in |shown in |displayed in )?(?:bold|italics?|underlined|red|green|blue|yellow|orange|"
    r"gr[ae]y|black|white|purple|pink|capitals|upper ?case|lower ?case)(?: \w+)?"
)
# What follows "is" and is no text to be read off: how, where or how much something is.
_NO_VALUE = re.compile(
    rf"(?:at|between|about|around|more|less|fewer|no|as|like|so|too|very|not|nothing|back|only|"
    rf"equal|identical|different|unchanged|the same|similar|"
    rf"one of|either|both|neither|out of|up to|for|from|by|with|without|{STATE}|{SEEN}|{AT})\b",
    re.IGNORECASE,
)


LETTERS = (
    r"(?:(?:the|a|an)\s+)?(?:(?:following|exact|error|warning|success|confirmation)\s+)?"
    r"(?:texts?|words?|phrase|string|messages?|sentence|label|caption|value|number|name|line|"
    r"title|heading|error|warning|hint)\s*:?\s+(?:of\s+|that says\s+|saying\s+|reading\s+)?"
)
TEXT = r"(?:(?:the|a|an)\s+)?(?:exact\s+)?(?:text|word|phrase|string|value|number)\s+"


_BARE_PLACE = (
    r"row|line|column|cell|page|step|order|it|them|there|both|all|first|second|third|last|position|"
    r"place|alphabetical|front|top|bottom|left|right"
)


def is_place(words: str | None) -> bool:
    """Whether words after `in` or `under` tell a place: `in the list`, not `in euros`."""
    said = (words or "").strip()
    if not said or SCREEN.fullmatch(said):
        return True
    other = re.sub(rf"^{AT}\s+", "", said, flags=re.IGNORECASE)
    new = re.match(r"(?:an?|another) (?:new|separate|different)\b|another\b", other, re.IGNORECASE)
    return (
        new is None and re.match(rf"{THE}|{PLAIN}|[A-Z\d]|(?:{_BARE_PLACE})\b", other) is not None
    )


def where(subject: str, place: str | None, atoms: Atoms) -> str:
    """The subject and where it is; the whole screen is no place."""
    words = (place or "").strip()
    if not words or SCREEN.fullmatch(words):
        return atoms.phrase(subject)
    return f"{atoms.phrase(subject)} {atoms.phrase(words)}"


def shown(subject: str, place: str | None, atoms: Atoms) -> Condition | None:
    """That a thing can be seen, or so many of them."""
    if re.search(r"\sand\s+be\s", subject):
        # What else should become of somebody is no part of a name.
        return None
    many = re.fullmatch(
        rf"(?:{HOW_MANY}\s+)?(?P<n>{NUMBER})\s+(?P<what>[a-z].*)", subject, re.IGNORECASE
    )
    if many and (count := number(many["n"])) is not None:
        return counted(where(of_now(many["what"]), place, atoms), int(count), many["how"])
    return Shows(where(subject, place, atoms))


def state_of(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`disabled`, `selected in the list`."""
    found = re.fullmatch(
        rf"(?P<state>{STATE})(?P<place>\s+(?:{AT}|for|of)\s+\S.*)?", rest, re.IGNORECASE
    )
    if found is None:
        return None
    word = found["state"].lower()
    if found["place"] and re.fullmatch(rf"\s+in\s+{LOOK}", found["place"], re.IGNORECASE):
        return None
    if found["place"] and word in ("on", "off", "active", "available", "filled", "filled in"):
        return None
    if word == "available" and re.match(r"(?:an?|any|another|some)\s", subject, re.IGNORECASE):
        return Shows(atoms.phrase(subject))
    if word == "active" and re.search(r"\bbutton\b", subject, re.IGNORECASE):
        word = "enabled"
    state, positive = STATES[word]
    if state == "visible":
        # What is hidden is not to be seen, whether it is there or not.
        return negated(Shows(where(subject, found["place"], atoms)), not positive)
    # "No longer greyed out" is not not enabled.
    return negated(Is(where(subject, found["place"], atoms), state), not positive)


def equals(subject: str, text: str, atoms: Atoms) -> Condition:
    """That a thing, or a text under a name, is exactly this."""
    if re.fullmatch(rf"{NAME}|{NUMBER}", subject, re.IGNORECASE):
        return Compare(atoms.text(subject), "equals", atoms.text(text))
    return Has(atoms.phrase(subject), atoms.text(text), "equals")


# "three times the price" would have to be worked out.
_TIMES = re.compile(rf"(?:twice|half|double|{NUMBER} times)\s+(?:the|as)\s", re.IGNORECASE)


# What must be worked out is no text that a thing says.
_SUM = re.compile(
    r"\saccording to\s|\s(?:plus|minus|times|divided by|increased by)\s|"
    r"[\ue800-\uebff]\s*[+*/-]\s*\d",
    re.IGNORECASE,
)


def equal(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """`is Paid`, `becomes 42`: what the thing says."""
    if not rest or re.fullmatch(LOOK, rest) or _TIMES.match(rest) or _SUM.search(rest):
        return None
    plain = re.fullmatch(rf"{PLAIN}|{NUMBER}|(?-i:[A-Z]\S*)", rest, re.IGNORECASE)
    if not plain and (_NO_VALUE.match(rest) or re.match(THE, rest, re.IGNORECASE)):
        return None
    if long := re.fullmatch(r"(?P<n>\d\S*\s\w+)\s+(?:long|wide|high|tall|old)", rest):
        return Has(atoms.phrase(subject), long["n"], "contains")
    if rest.isalpha() and re.fullmatch(NUMBER, rest, re.IGNORECASE):
        rest = f"{number(rest):g}"
    return equals(subject, rest, atoms)


def held(subject: str, text: str, atoms: Atoms, how: How) -> Condition:
    """That a thing, or a text under a name, holds these words."""
    plain = re.sub(rf"^{LETTERS}(?={QUOTE}|{NAME})|^{TEXT}", "", text, flags=re.IGNORECASE)
    if re.fullmatch(NAME, subject):
        return Compare(atoms.text(subject), how, atoms.text(plain))
    return Has(atoms.phrase(subject), atoms.text(plain), how)
