"""Numbers in words, English and Chinese: cardinals, ordinals and how many times."""

from __future__ import annotations

import re

__all__ = ["NUMBER", "ORDINALS", "number", "ordinal", "times"]

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS = {word: value for value, word in enumerate(_ONES)}
_WORDS |= {word: 20 + 10 * index for index, word in enumerate(_TENS)}
_WORDS |= {"a": 1, "an": 1, "once": 1, "dozen": 12, "couple": 2, "half": 0}
_HAN = {character: value for value, character in enumerate("零一二三四五六七八九")}
_HAN |= {"〇": 0, "两": 2, "俩": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10000}

ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]

_TEEN = "|".join(_TENS)
_ONE = "|".join(_ONES)
NUMBER = (
    rf"(?:[-−+]?\d+(?:\.\d+)?|(?:{_TEEN})(?:[- ](?:{'|'.join(_ONES[1:10])}))?|(?:{_ONE})"
    r"(?: hundred)?|[零〇一二两三四五六七八九十百千万]+)"
)


def number(text: str) -> float | None:
    """The value of a number in digits or words; None when it is none."""
    bare = text.strip().lower().replace("−", "-")
    if re.fullmatch(r"[-+]?(?:\d+(?:,\d{3})*|\d*)(?:\.\d+)?", bare) and re.search(r"\d", bare):
        return float(bare.replace(",", ""))
    if re.fullmatch(r"[零〇一二两俩三四五六七八九十百千万]+", bare):
        return float(_han(bare))
    return _english(re.split(r"[\s-]+", bare))


def _english(words: list[str]) -> float | None:
    total = 0
    for word in words:
        if word == "hundred" and total:
            total *= 100
        elif word in _WORDS:
            total += _WORDS[word]
        elif word not in ("and", "of"):
            return None
    return float(total) if words and words[0] in _WORDS else None


def _han(text: str) -> int:
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


def ordinal(position: int) -> str:
    """`first` for 1; `-1` is the last."""
    if position == -1:
        return "last"
    return ORDINALS[position - 1] if 0 < position <= len(ORDINALS) else f"{position}th"


_TIMES = re.compile(
    rf",?\s*\b(?:(?P<word>once|twice|thrice)|(?:for )?(?P<number>{NUMBER}) times?(?: in a row)?"
    r"|(?P<again>once (?:more|again)))(?=[\s,.!]*$)",
    re.IGNORECASE,
)


def times(text: str) -> tuple[str, int]:
    """The text without a closing `twice` or `3 times`, and how often that is."""
    found = _TIMES.search(text)
    if found is None:
        return text, 1
    word = (found["word"] or "").lower()
    count = {"once": 1, "twice": 2, "thrice": 3}.get(word)
    if count is None:
        count = int(number(found["number"]) or 1) if found["number"] else 1
    return text[: found.start()].rstrip(" ,"), max(count, 1)
