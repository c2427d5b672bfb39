"""How many there are of something, as a page says it itself: "3 products", 共 3 条记录."""

from __future__ import annotations

import re
from collections.abc import Iterable

from carrel.frames import Element
from carrel.models.steps.facts import Has
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["is_never_told", "told_count"]

_NOUN = re.compile(r"(?:the )?(?P<noun>[a-z]+(?: [a-z]+)?|[\u3400-\u9fff]{1,4})", re.IGNORECASE)
_PART = re.compile(r"\bof\b|/|\bto\b|[-–—~]\s*\d|第|每", re.IGNORECASE)
"""Words with which a number tells more than how many there are."""
_TEXTS = (Kind.TEXT, Kind.HEADING)


_HOLDS = re.compile(r" holds (?P<q>['\"])(?P<held>.*)(?P=q), not (?P<r>['\"]).*(?P=r)", re.DOTALL)


def is_never_told(until: object, told: str) -> bool:
    """Whether a number is waited for of something that holds words, and none at all.

    Args:
        until: What is to become so.
        told: The account of what is there instead.
    """
    if not isinstance(until, Has) or until.how not in ("equals", "less", "greater"):
        return False
    wanted, found = any(map(str.isdigit, until.text)), _HOLDS.search(told)
    return (
        wanted
        and found is not None
        and bool(found["held"].strip())
        and _has_no_digit(found["held"])
    )


def _has_no_digit(text: str) -> bool:
    return not any(map(str.isdigit, text))


def told_count(elements: Iterable[Element], phrase: str, joined: Iterable[str] = ()) -> int | None:
    """The number that stands before the noun in what a page says; None where it says none, or two.

    `joined` are texts that are told in pieces.

    Only for a bare noun: what else is said of the things is not what the page has counted.
    """
    found = _NOUN.fullmatch(phrase.strip())
    if found is None:
        return None
    noun = found["noun"]
    if noun.isascii():
        stem = re.escape(re.sub(r"(?<=\w)s$", "", noun))
        said = re.compile(rf"(?<![\w.,])(?P<n>\d+) {stem}(?:s|es)?\b", re.IGNORECASE)
    else:
        said = re.compile(rf"(?<![\d.,])(?P<n>\d+)\s*[个条项件位名张份]?\s*{re.escape(noun)}")
    texts = {" ".join(written_on(e).split()) for e in elements if kind_of(e) in _TEXTS}
    texts |= {" ".join(text.split()) for text in joined}
    told = {int(m["n"]) for text in texts if not _PART.search(text) for m in said.finditer(text)}
    return told.pop() if len(told) == 1 else None
