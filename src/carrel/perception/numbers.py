"""Numbers in words, English and Chinese: cardinals and ordinals."""

from __future__ import annotations

import re

__all__ = ["CARDINALS", "NUMBER", "ORDINALS", "han_number", "number"]

CARDINALS: tuple[str, ...] = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
"""From zero to nineteen, each at its own number."""

ORDINALS: tuple[str, ...] = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
)
"""From the first to the twentieth."""

_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: value for value, word in enumerate(CARDINALS)}
_WORDS |= {word: 20 + 10 * index for index, word in enumerate(_TENS)}
_WORDS |= {"a": 1, "an": 1, "once": 1, "dozen": 12, "couple": 2, "half": 0}
_HAN = {character: value for value, character in enumerate("零一二三四五六七八九")}
_HAN |= {"〇": 0, "两": 2, "俩": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10000}

NUMBER = (
    rf"(?:[-−+]?\d+(?:\.\d+)?|(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(CARDINALS[1:10])}))?"
    rf"|(?:{'|'.join(CARDINALS)})(?: hundred)?|[零〇一二两三四五六七八九十百千万]+)"
)
"""What a number looks like, in digits or words; a pattern."""


def number(text: str) -> float | None:
    """The value of a number in digits or words; None when it is none."""
    bare = text.strip().lower().replace("−", "-")
    if re.fullmatch(r"[-+]?(?:\d+(?:,\d{3})*|\d*)(?:\.\d+)?", bare) and re.search(r"\d", bare):
        return float(bare.replace(",", ""))
    if re.fullmatch(r"[零〇一二两俩三四五六七八九十百千万]+", bare):
        return float(han_number(bare))
    return _english(re.split(r"[\s-]+", bare))


def _english(words: list[str]) -> float | None:
    total = 0
    if words == ["half", "a", "dozen"]:
        return 6.0
    for word in words:
        if word == "hundred" and total:
            total *= 100
        elif word in ("dozen", "couple"):
            # A dozen is twelve, and two dozen are not fourteen.
            total = max(total, 1) * _WORDS[word]
        elif word in _WORDS:
            total += _WORDS[word]
        elif word not in ("and", "of"):
            return None
    return float(total) if words and words[0] in _WORDS else None


def han_number(text: str) -> int:
    """The value of a number in Chinese characters, such as `二十三`."""
    if not any(character in _HAN_UNITS for character in text):
        return int("".join(str(_HAN[character]) for character in text))
    total = section = digit = 0
    for character in text:
        if character in _HAN:
            digit = _HAN[character]
        elif character == "万":
            total, section, digit = (total + section + digit) * 10000, 0, 0
        else:
            section, digit = section + (digit or 1) * _HAN_UNITS[character], 0
    return total + section + digit
