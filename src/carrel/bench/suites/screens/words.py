"""Strings on screens: when two of them are the same, or one is a part of the other."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher

__all__ = ["alike", "normal", "part_of", "worth_finding"]

NEARLY = 0.8
"""Likeness from which a string is taken for another with reading mistakes in it."""

_FOLDED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."})


def normal(text: str) -> str:
    """Without case, width, kinds of quotes and dashes, and doubled or invisible spaces."""
    flat = unicodedata.normalize("NFKC", text.translate(_FOLDED)).casefold()
    seen = "".join(c for c in flat if unicodedata.category(c) not in ("Cf", "Cc") or c.isspace())
    return " ".join(seen.split())


def worth_finding(text: str) -> bool:
    """Whether somebody could ask for it: two letters or digits, or one Chinese character."""
    letters = [c for c in text if c.isalnum()]
    return len(letters) >= 2 or any(ord(c) >= 0x2E80 for c in letters)


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def alike(one: str, other: str) -> float:
    """From `NEARLY` to 1 for the same string with a few letters read wrongly; else 0.

    Spaces do not count: where they are is a matter of opinion.
    """
    a, b = _bare(one), _bare(other)
    if a == b:
        return 1.0
    shorter, longer = sorted((len(a), len(b)))
    if shorter < 4 or shorter < NEARLY * longer:
        return 0.0
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.quick_ratio() < NEARLY:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= NEARLY else 0.0


def part_of(text: str, longer: str) -> float | None:
    """How far along a longer string the middle of a part of it is, 0 to 1; None for no part."""
    a, b = _bare(text), _bare(longer)
    at = b.find(a)
    if not a or at < 0:
        return None
    before, within, whole = _width(b[:at]), _width(a), _width(b)
    return (before + within / 2) / whole


def _width(text: str) -> float:
    """In letters; Chinese characters are twice as wide, and a few are narrow."""
    return sum(2.0 if ord(c) >= 0x2E80 else 0.5 if c in "ijl.,:;'|!" else 1.0 for c in text)
