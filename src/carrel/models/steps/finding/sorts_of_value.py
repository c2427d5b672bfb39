"""What sort of value a text is: a day, a time, an address, a number of something."""

from __future__ import annotations

import re
from typing import NamedTuple

from carrel.models.steps.language.dates import iso_date, iso_time
from carrel.perception.numbers import NUMBER, number

__all__ = [
    "Count",
    "amount_in",
    "counted",
    "counts_in",
    "is_date",
    "is_mail",
    "is_sum",
    "is_time",
    "noun_of",
    "words_of",
]

_COUNTED = rf"(?P<n>{NUMBER})\s+(?P<noun>[a-z][a-z-]*(?:\s[a-z]+)?)"
_ONE = re.compile(_COUNTED, re.IGNORECASE)
_WHOM = re.compile(
    rf"\sfor\s+(?P<all>(?:{NUMBER})\s+[a-z-]+(?:(?:\s*,\s*|\s+and\s+)(?:{NUMBER})\s+[a-z-]+)*)",
    re.IGNORECASE,
)
_SKIPPED = frozenset({"the", "a", "an", "my", "your", "our", "of", "some", "any", "new", "this"})
_PEOPLE = frozenset(
    {"person", "people", "passenger", "guest", "traveller", "traveler", "adult", "party", "pax",
     "visitor", "participant", "diner"}
)  # fmt: skip
_CHILDREN = frozenset({"child", "children", "kid"})
_ODD = {"people": "person", "persons": "person", "children": "child", "kids": "child"}


class Count(NamedTuple):
    """So many of something."""

    number: str
    noun: str


def counted(text: str) -> Count | None:
    """`3 passengers`; None for anything else."""
    found = _ONE.fullmatch(text.strip())
    value = number(found["n"]) if found else None
    if found is None or value is None or is_date(text) or is_time(text):
        return None
    return Count(f"{value:g}", found["noun"])


def counts_in(text: str) -> list[str]:
    """`two adults and one child`, each by itself; what a thing is for, too."""
    whom = _WHOM.search(f" {text}")
    said = whom["all"] if whom else text
    parts = re.split(r"\s*,\s*|\s+and\s+", said.strip())
    counts = [part for part in parts if counted(part)]
    if len(counts) < len(parts) or (whom is None and len(parts) < 2):
        return []
    return counts


def noun_of(noun: str) -> set[str]:
    """The words that may stand for those who are counted."""
    words = set(words_of(noun))
    if words & _PEOPLE:
        return words | _PEOPLE
    return words | _CHILDREN if words & _CHILDREN else words


def words_of(text: str) -> list[str]:
    """The words of a text that say something, each as one of its kind."""
    spoken = re.findall(r"[^\W_]+", text.casefold().replace("'s", ""))
    return [_singular(word) for word in spoken if word not in _SKIPPED]


def _singular(word: str) -> str:
    if word in _ODD:
        return _ODD[word]
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    if plural and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if plural else word


_MONEY = re.compile(
    r"(?:[€$£¥]\s*)?(?P<n>\d+(?:[.,]\d+)*)\s*"
    r"(?:[€$£¥]|euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf|yen|cents?|kr|crowns?)?",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\b(?:amount|sum|price|cost|fee|donation|deposit|budget|value|payment)\b|[€$£¥]", re.IGNORECASE
)


def amount_in(text: str) -> str | None:
    """The number of a sum of money, or a number that may be one; None for anything else."""
    found = None if is_date(text) or is_time(text) else _MONEY.fullmatch(text.strip())
    return found["n"] if found is not None else None


def is_sum(label: str) -> bool:
    """Whether a field that is called so takes an amount."""
    return _SUM.search(label) is not None


_DAY = re.compile(
    r"(?:\w+day,?\s+)?(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|"
    r"(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[a-z]+|[a-z]+\s+\d{1,2}(?:st|nd|rd|th)?),?"
    r"(?:\s+\d{4})?|(?:today|tomorrow|yesterday)(?:['’]s date)?)",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"\d{1,2}[:.]\d\d(?::\d\d)?(?:\s*[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?|"
    r"(?:half past|(?:a )?quarter (?:past|to))\s+\w+|\w+ o['’]clock|noon|midnight",
    re.IGNORECASE,
)


def is_date(text: str) -> bool:
    """Whether it is a day, and nothing else."""
    return _DAY.fullmatch(text.strip()) is not None and iso_date(text) is not None


def is_time(text: str) -> bool:
    """Whether it is a time of day."""
    return _CLOCK.fullmatch(text.strip()) is not None and iso_time(text) is not None


def is_mail(text: str) -> bool:
    """Whether it is an address for mail."""
    return re.fullmatch(r"[^\s@]+@[^\s@]+\.\w+", text.strip()) is not None
