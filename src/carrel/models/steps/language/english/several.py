"""Several things in one English claim: `the buttons Cancel and Delete`, `a logo and a link`."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, PHRASE, QUOTE, Atoms, quoted
from carrel.models.steps.program import Condition, Every, Has, Not, Shows

__all__ = ["KINDS_LISTED", "neither", "several"]

_CONTROL = (
    r"(?:(?:text|search|input|check|combo|radio|push|toggle|toolbar|menu|drop-?down)[ -]?)?"
    r"(?:button|link|icon|tab|field|box|checkbox|textbox|switch|toggle|slider|image|picture|"
    r"heading|label|section|panel|card|tile|drop-?down|menu|badge|banner|logo|table|list|chart|"
    r"avatar|thumbnail|input|area|form|toolbar|side ?bar|footer|header|map|graph)"
)
# What a list holds as words of its own, which is read off it even while it is closed.
_ENTRY = r"(?:menu |list )?(?:entry|item|option|column|choice|command)"
_ENTRIES = r"(?:menu |list )?(?:entries|items|options|columns|values|choices|commands)"
KINDS_LISTED = rf"(?:{_CONTROL}(?:e?s)|{_ENTRIES})"
"""Several of one sort, whose names may follow."""
_AND = re.compile(r"\s*,\s*(?:and\s+|&\s+)?|\s+(?:and|&|plus|as well as)\s+", re.IGNORECASE)
_NAMED = rf"(?:{QUOTE}|{NAME}|{PHRASE}|[A-Z\d+][^,;]*)"
_SORT_FIRST = re.compile(
    rf"(?:the\s+|an?\s+|both\s+)?(?:following\s+)?"
    rf"(?P<kind>(?i:{_CONTROL}|{_ENTRY}|{KINDS_LISTED}(?:\s+(?:called|named|labell?ed))?))\s*:?\s+"
    rf"(?P<names>{_NAMED}(?:(?:,|\sand\s|\s&\s).+)?)",
)
_SORT_LAST = re.compile(
    rf"(?:the\s+|both\s+)?(?P<names>{_NAMED}.*?)\s+(?P<kind>(?i:{KINDS_LISTED}))"
)
_LED = re.compile(
    rf"(?:the\s+)?(?P<kind>{_CONTROL}s)\s+(?P<to>to|for)\s+(?P<names>[\w{QUOTE[1:-1]}].*)",
    re.IGNORECASE,
)
_ONE = re.compile(
    rf"(?:an?|the|one|another)\s+(?:(?!(?:and|or|with|that|which|of|in|on|for|to)\b)\S+\s+){{0,4}}?"
    rf"{_CONTROL}(?:\s+(?:called|named|labell?ed|saying)\s+{_NAMED})?",
    re.IGNORECASE,
)
_TWO = re.compile(
    rf"(?:an?|the)\s+(?P<one>{_NAMED})\s+and\s+(?:an?|the)\s+(?P<other>{_NAMED})\s+(?P<kind>{_CONTROL})"
)
# "No at the bottom": a name, and where it is.
_PLACED = re.compile(
    r"\s(?:in|on|at|of|under|below|above|next to|beside|with|for|that|which|is|are)\s+"
    r"(?:the|its|it|an?|their)?\b",
    re.IGNORECASE,
)


def several(subject: str, rest: str, atoms: Atoms) -> Condition | None:
    """That each thing of a list is there, or that a list holds each of its entries.

    Args:
        subject: What has them, in masked words; empty where that is the whole screen.
        rest: The things, in masked words.
        atoms: What the words were masked with.

    Returns:
        None where the words name no such things.
    """
    owner = atoms.phrase(subject) if subject else ""
    if listed := _SORT_FIRST.fullmatch(rest) or _SORT_LAST.fullmatch(rest):
        return _named(listed, owner, atoms)
    two = _TWO.fullmatch(rest)
    if two and not re.search(rf"\s{_CONTROL}$", two["one"], re.IGNORECASE):
        # "a Save and a Cancel button": the sort is said once.
        rest = f"the {two['one']} {two['kind']} and the {two['other']} {two['kind']}"
    items = _AND.split(rest)
    if (led := _LED.fullmatch(rest)) and len(items) > 1:
        one, word = _singular(led["kind"]), led["to"].lower()
        named = _AND.split(led["names"])
        if all(map(_is_led_to, named)):
            return _each([f"a {one} {word} {atoms.phrase(name)}" for name in named], owner)
    if len(items) > 1 and all(_ONE.fullmatch(item) for item in items):
        return _each([atoms.phrase(item) for item in items], owner)
    return None


def _is_led_to(name: str) -> bool:
    plain = re.fullmatch(rf"(?:the\s+|your\s+)?(?:{QUOTE}|\w+(?: \w+){{0,2}})", name)
    return plain is not None and not re.search(r"ing\b", name) and not _PLACED.search(name)


def _named(listed: re.Match[str], owner: str, atoms: Atoms) -> Condition | None:
    """`the buttons Cancel and Delete`, `Cancel and Delete buttons`, `the button Cancel`."""
    sort = re.sub(r"\s+(?:called|named|labell?ed)$", "", listed["kind"])
    many = sort.endswith("s")
    names = _AND.split(listed["names"]) if many else [listed["names"]]
    fits = all(re.fullmatch(_NAMED, name) and not _PLACED.search(name) for name in names)
    if not fits or (many and len(names) < 2):
        return None
    if re.fullmatch(rf"{_ENTRY}|{_ENTRIES}", sort, re.IGNORECASE):
        if not owner:
            return None
        held = tuple(Has(owner, atoms.text(name), "contains") for name in names)
        return held[0] if len(held) == 1 else Every(held)
    kind = _singular(sort)
    return _each([f"the {_quoted(name, atoms)} {kind}" for name in names], owner)


def _quoted(name: str, atoms: Atoms) -> str:
    return atoms.phrase(name) if re.fullmatch(QUOTE, name) else quoted(atoms.text(name))


def _singular(kind: str) -> str:
    return re.sub(r"(?<=x)es$|(?<=switch)es$|s$", "", kind.lower())


def _each(things: list[str], owner: str) -> Condition:
    shown = tuple(Shows(f"{thing} in {owner}" if owner else thing) for thing in things)
    return shown[0] if len(shown) == 1 else Every(shown)


def neither(condition: Condition) -> Condition:
    """The opposite: of several things that are not there, none is."""
    if not isinstance(condition, Every) or condition.any:
        return Not(condition)
    return Every(tuple(map(Not, condition.conditions)))
