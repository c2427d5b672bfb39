"""Whether a field holds what was typed, and how to speak of that without telling secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from carrel.frames import Element
from carrel.models.steps.names import holds_secret
from carrel.models.steps.shown.reading import is_told_whole, squeezed
from carrel.perception.roles import Kind, kind_of

__all__ = ["agrees", "can_be_read", "is_hidden", "is_mixed", "mismatch", "quoted"]

BULLETS = 64
"""Of a password, so many characters are told at most."""
LEGIBLE = 0.7
"""How much of a text must have been read from the pixels in one piece."""
_GROUPED = re.compile(r"[+(]?\d[\d\s()./-]*")
_THOUSANDS = re.compile(r"[-−+]?\d{1,3}(?:([.,' \u00a0\u202f])\d{3})(?:\1\d{3})*")
_DECIMAL = re.compile(r"\d+[.,]\d+")
_ABOUT_NUMBERS = re.compile(
    r"\b(?:tele)?phone|\btel\b|\bmobile|\bcell\b|\bfax|\bcard|\bnumber|\bno\.|\bzip|\bpost|"
    r"\bssn\b|\biban\b|\baccount|电话|手机|号码|传真|卡号|邮编",
    re.IGNORECASE,
)


def is_hidden(element: Element) -> bool:
    """Whether what it holds is nobody's business."""
    return kind_of(element) is Kind.PASSWORD


def agrees(held: str, wanted: str, element: Element) -> bool:
    """Whether what a field tells is what was typed, as far as it can tell it.

    Case, signs and the decimal point count; numbers may be grouped the field's own way.
    """
    if holds_secret(wanted):
        return bool(held)
    if is_hidden(element):
        return _as_long(held, wanted)
    if bool(held) != bool(wanted):
        return False
    one, two = _plain(held), _plain(wanted)
    if one == two and (one or not wanted):
        return True
    if not is_told_whole(held):
        return two.startswith(one) or one in two
    return _same_number(one, two) or _same_groups(one, two, element)


def _plain(text: str) -> str:
    return " ".join(text.replace("\u200b", "").replace("\u00a0", " ").split())


def _as_long(held: str, wanted: str) -> bool:
    """Bullets: as many as characters were typed, by either way of counting them."""
    units = len(wanted.encode("utf-16-le")) // 2
    return len(held) in {min(len(wanted), BULLETS), min(units, BULLETS), len(wanted)}


def _same_number(held: str, wanted: str) -> bool:
    """`1,000` for 1000, `2.50` for 2.5, `$5` for 5: the same number with the same sign."""
    one, two = _number(held), _number(wanted)
    return one is not None and one == two


def _number(text: str) -> float | None:
    bare = re.sub(r"^[$€£¥]\s*|\s*[$€£¥%]$", "", text).replace("−", "-")
    grouped = _THOUSANDS.fullmatch(re.sub(r"\.\d+$", "", bare)) if "," in bare else None
    bare = bare.replace(",", "") if grouped is not None and grouped[1] == "," else bare
    return float(bare) if re.fullmatch(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", bare) else None


def _same_groups(held: str, wanted: str, element: Element) -> bool:
    """The digits of a telephone number, a card or a code, which fields write in groups."""
    if not (_GROUPED.fullmatch(held) and _GROUPED.fullmatch(wanted)):
        return False
    if ("+" in held) != ("+" in wanted) or re.sub(r"\D", "", held) != re.sub(r"\D", "", wanted):
        return False
    if wanted.isdigit():
        # Three after a point are thousands; any other number of them is another value.
        return _THOUSANDS.fullmatch(held) is not None or not _DECIMAL.fullmatch(held)
    decimal = _DECIMAL.fullmatch(wanted) or _DECIMAL.fullmatch(held)
    return decimal is None and _ABOUT_NUMBERS.search(element.name) is not None


def is_mixed(held: str, before: str, wanted: str) -> bool:
    """Whether what was typed stands beside what the field held, and not in its place."""
    now, old, new = squeezed(held), squeezed(before), squeezed(wanted)
    return bool(old) and old not in new and old in now and new in now


def quoted(element: Element, text: str) -> str:
    """A text that goes into a field, as it may be told."""
    return "a secret" if holds_secret(text) or is_hidden(element) else repr(text)


def mismatch(told: str, element: Element, held: str | None, wanted: str) -> str:
    """That a field holds something else; what, only where anybody may know."""
    if holds_secret(wanted):
        return f"{told} is empty after a secret was typed into it"
    if is_hidden(element):
        return f"{told} does not hold as many characters as were typed"
    return f"{told} holds {held!r} after {wanted!r} was typed"


def can_be_read(texts: Iterable[str], wanted: str) -> bool:
    """Whether a text is among those that were read from the pixels, but for a letter or two."""
    said, sought = squeezed(" ".join(texts)), squeezed(wanted)
    if not sought or sought in said:
        return bool(sought)
    longest = SequenceMatcher(None, said, sought, autojunk=False).find_longest_match()
    return longest.size >= max(3, LEGIBLE * len(sought))
