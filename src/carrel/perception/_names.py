"""How well what is written on something is what somebody calls it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

__all__ = [
    "SAME",
    "compare",
    "fold",
    "is_same",
    "is_unspaced",
    "same_marks",
    "same_wrapped",
    "says_first",
    "spelled_out",
    "words_of",
]

SAME = 0.95
"""From here on two names are the same but for letter case, spaces and punctuation."""

UNLIKE = 0.7
"""At most, for names that differ in a mark or a letter."""

_MINUS = str.maketrans("−‐‑", "---")
_QUOTES = str.maketrans("‘’‛`´“”„‟«»‐‑‒–—―−…", '\'\'\'\'\'""""""-------.')
_LABEL_ENDS = " :：*"
_NOISE = re.compile(r"[^\w]+|_+")
_SHORT_NOT = re.compile(r"(?<=[a-z])n't\b")
# What is added to a name without being part of it: counts, marks of required fields, shortcuts.
# Nothing is given back once it is taken: a row of numbers has more parts than there is time for.
_EXTRA = re.compile(
    r"(?:\s*+(?>[\[(（]?\d[\d.,+]*+[\])）]?|[\[(（](?:required|optional|必填|选填|可选)[\])）]|\*"
    r"|[\[(（]&?[a-z0-9][\])）]|[\[(（]\+?[$€£¥][\d.,]++[\])）]"
    r"|[\[(（](?:(?:ctrl|strg|alt|shift|cmd|meta|super)\s*+[+-]\s*+)*+"
    r"(?:f\d{1,2}|(?<=[+-])\s*+[^\s()（）\[\]]++|esc(?:ape)?|del(?:ete)?|enter|return|ins(?:ert)?)[\])）]"
    r"|(?:ctrl|alt|shift|cmd)\s*+\+.*+|[⌘⌥⇧⌃]++\s*+\S++))++\s*+[:：]?\s*+(?:…|\.{3})?$",
    re.IGNORECASE,
)
# What explains a name in brackets at its end: its unit, its form, its bounds. Others tell it from
# another one: "Password (again)".
_UNIT = (
    r"minutes?|mins?|seconds?|secs?|hours?|hrs?|days?|weeks?|months?|years?|ms|s|h|kg|g|mg|lbs?|t|"
    r"mm|cm|m|km|miles?|l|ml|°[cf]?|%|percent|[$€£¥]|eur|usd|gbp|euros?|dollars?|px|pt|pcs|pieces|"
    r"persons?|people|characters|words|pages|km/h|mph|k?wh?|volts?|v|hz|[km]b|gb|元|人|天|小时|分钟?|秒|"
    r"个|件|公斤|千克|克|厘米|米|岁|字"
)
_REMARK = re.compile(
    rf"(?<=\S)\s*[\[(（](?:(?:in|per|unit:|单位[:：]?)\s*)?(?:(?:{_UNIT})|"
    r"(?:max|min|up to|at least|at most|e\.g\.|for example|incl|excl|such as|例如|最多|至少)"
    r"[^()（）]{1,30}|"
    r"(?:dd|mm|yyyy|yy|hh|ss|[\s./:-])+|\d+\s*(?:[-–—]|to|至)\s*\d+)[\])）]\s*[:：*]*\s*$",
    re.IGNORECASE,
)
# "# of guests", "No. of guests"
_SHORT_NUMBER = re.compile(r"(?:^|(?<=\s))(?:#|no\.|nr\.)\s?(?=of\s)")
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_EMOJI = re.compile("[\u2190-\u21ff\u2300-\u2bff\U0001f300-\U0001faff]")
# Marks that make another name: C++, A-, 50%, -5, $5, < 5, 1.5, .txt.
_MARKS = re.compile(
    r"(?<=\w)[+#%]+(?!\w)|(?<=\b\w)-(?!\w)|(?:^|(?<=[\s(]))[-+](?=[\d.])|[<>≤≥]=?(?=\s*\d)"
    r"|[$€£¥](?=\s*\d)|(?<=\d)\.(?=\d)|(?<=\d),(?=\d{1,2}(?!\d))|(?:^|(?<=\s))\*?\.(?=\w)"
)
_NO_LETTER = re.compile(r"[^\w.]|_")
_DOTTED = re.compile(r"(?<=\w)\.(?=[^\W\d]\w)")
# What an optical reader takes for one another.
_CONFUSED = str.maketrans("0o1il|!5s8b2z9gq", "oolllllssbbzzggg")


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """One form for texts that differ in case, width, quotes, spaces or punctuation."""
    plain = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    plain = _SHORT_NOT.sub(" not", plain).replace(" & ", " and ")
    plain = _SHORT_NUMBER.sub("number ", plain)
    return _NOISE.sub(" ", plain).strip() or " ".join(plain.split())


_SHORT = {
    "qty": "quantity", "amt": "amount", "tel": "phone", "telephone": "phone", "addr": "address",
    "desc": "description", "dept": "department", "pwd": "password", "dob": "date of birth",
    "birthdate": "date of birth", "birthday": "date of birth", "zip": "zip code",
    "postcode": "zip code", "info": "information", "config": "configuration", "avg": "average",
    "msg": "message", "organisation": "organization", "acct": "account", "origin": "from",
    "destination": "to", "max": "maximum", "min": "minimum", "surname": "last name",
    "forename": "first name",
}  # fmt: skip
"""Words that pages shorten, or people say otherwise, as they are spelled out."""


def spelled_out(folded: str) -> str:
    """A folded name with its shortened words written in full: "qty" is the quantity."""
    if not folded.isascii():
        return folded
    full = " ".join(_SHORT.get(word, word) for word in folded.split())
    for said, meant in _OTHERWISE:
        full = full.replace(said, meant)
    return full


_OTHERWISE = (
    ("zip code code", "zip code"),
    ("postal code", "zip code"),
    ("family name", "last name"),
    ("given name", "first name"),
    ("phone number", "phone"),
    ("email address", "email"),
    ("e mail", "email"),
)
"""What is said in more than one way, and means the same."""


@lru_cache(maxsize=8192)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, folded; each Chinese character is one."""
    spaced = _HAN.sub(lambda match: f" {match[0]} ", fold(text))
    return tuple(spaced.split())


def is_unspaced(text: str) -> bool:
    """Whether it is written without spaces between its words, as Chinese is."""
    return _HAN.search(text) is not None


def is_same(one: str, other: str) -> bool:
    """Whether two names differ only in ways that a person does not see or mind."""
    return compare(one, other) >= SAME


@lru_cache(maxsize=16384)
def compare(wish: str, text: str, *, read: bool = False) -> float:
    """How well `text` is called `wish`, 0 to 1.

    1.0 is the very same; from 0.95 on only case, spaces and punctuation differ; from 0.6 on the
    words of one are found in the other; below are slips of the pen.

    Args:
        wish: What it is called.
        text: What is written.
        read: The text was read from pixels: letters that look alike are the same.
    """
    if not wish or not text:
        return 0.0
    if wish == text:
        return 1.0
    if wish.strip(_LABEL_ENDS) == text.strip(_LABEL_ENDS) != "":
        # A label is not told from another by its colon.
        return 0.99
    one, other = fold(wish), fold(text)
    if wish.casefold().strip() == text.casefold().strip():
        return 0.975
    if not same_marks(wish, text, read=read):
        return min(UNLIKE, _roughly(wish, text, read=read))
    if one == other or (_joined(one) == _joined(other) and _joins(wish, text)):
        return SAME
    if _plain(one) == _plain(other):
        return 0.94
    if spelled_out(one) == spelled_out(other):
        return 0.92
    if one == fold(_EXTRA.sub("", text)) and not any(char.isdigit() for char in one):
        return 0.9
    if one == fold(_REMARK.sub("", text)):
        return 0.88
    if read and len(one) > 1 and _skeleton(one) == _skeleton(other):
        return 0.94
    return _roughly(wish, text, read=read)


def _roughly(wish: str, text: str, *, read: bool) -> float:
    one, other = fold(wish), fold(text)
    if _joined(one) == _joined(other):
        return UNLIKE
    return max(_by_words(words_of(wish), words_of(text)), _by_letters(one, other, read=read))


def _joined(folded: str) -> str:
    return folded.replace(" ", "")


def _joins(wish: str, text: str) -> bool:
    """Whether a line below is a mnemonic, as in `E_xit`, and not a part of the name."""
    return "_" not in wish and (text.count("_") == 0 or (text.count("_") == 1 and "." not in text))


def _plain(folded: str) -> str:
    """Without accents on Latin letters."""
    apart = unicodedata.normalize("NFD", folded)
    return re.sub(r"(?<=[a-z])[\u0300-\u036f]+", "", apart)


def same_wrapped(wish: str, text: str) -> bool:
    """Whether a text of several lines that was read is a name that had to be broken somewhere.

    Where it was broken there may be a space, a hyphen or nothing; the letters and the dots count.
    """
    if "\n" not in text.strip():
        return False
    one, other = (_NO_LETTER.sub("", unicodedata.normalize("NFKC", t)) for t in (wish, text))
    return bool(one) and _skeleton(one.casefold()) == _skeleton(other.casefold())


FIRST_LINE = 0.95
"""How well the first of several lines is the name of what they are written on."""


def says_first(wish: str, text: str) -> float:
    """How well a name is the first of several lines that are written on something."""
    first, *more = text.strip().splitlines() or [""]
    return FIRST_LINE * compare(wish, first) if more else 0.0


def same_marks(wish: str, text: str, *, read: bool = False) -> bool:
    """Whether no mark or picture in one of them makes it another name than the other."""
    one, other = (unicodedata.normalize("NFKC", t).translate(_MINUS) for t in (wish, text))
    if read:
        one, other = one.replace(" ", ""), other.replace(" ", "")
    drawn, shown = set(_EMOJI.findall(one)), set(_EMOJI.findall(other))
    if drawn and shown and drawn != shown:
        return False
    if not read and len(_DOTTED.findall(one)) != len(_DOTTED.findall(other)):
        return False
    return _MARKS.findall(one) == _MARKS.findall(_EXTRA.sub("", other) or other) or (
        _MARKS.findall(one) == _MARKS.findall(other)
    )


def _skeleton(text: str) -> str:
    plain = text.replace(" ", "").replace("rn", "m").replace("vv", "w").replace("cl", "d")
    return plain.translate(_CONFUSED)


def _by_words(wish: tuple[str, ...], text: tuple[str, ...]) -> float:
    if not wish or not text:
        return 0.0
    if _stem(wish) == _stem(text):
        # One of several words; alone it may be another thing: Order and Orders, New and News.
        return 0.9 if len(wish) > 1 else 0.74
    share = min(len(wish), len(text)) / max(len(wish), len(text))
    at = _position(wish, text)
    if at is not None:
        return (0.72 if at == 0 else 0.66) + 0.05 * share
    if _position(text, wish) is not None:
        return 0.5 + 0.2 * share
    if len(wish) > 1 and set(wish) <= set(text):
        return 0.6 + 0.08 * share
    return 0.5 * len(set(wish) & set(text)) / len(set(wish) | set(text))


def _stem(words: Sequence[str]) -> list[str]:
    return [word.removesuffix("s") if len(word) > 3 else word for word in words]


def _position(part: tuple[str, ...], whole: tuple[str, ...]) -> int | None:
    """Where one list of words stands in another."""
    for at in range(len(whole) - len(part) + 1):
        if whole[at : at + len(part)] == part:
            return at
    return None


def _by_letters(one: str, other: str, *, read: bool) -> float:
    """For slips: a letter or two wrong, more of them in longer names."""
    longest = max(len(one), len(other))
    allowed = 0 if longest < 4 else 1 if longest < 8 else 2
    if not allowed or abs(len(one) - len(other)) > allowed:
        return 0.4 if len(one) >= 3 and other.startswith(one) else 0.0
    # Digits are never slips of each other.
    if re.sub(r"\D", "", one) != re.sub(r"\D", "", other):
        return 0.0
    slips = _distance(one, other, allowed)
    if slips > allowed:
        return 0.4 if other.startswith(one) else 0.0
    return (0.74 if read else UNLIKE) - 0.06 * (slips - 1)


def _distance(one: str, other: str, most: int) -> int:
    """Insertions, deletions, replacements and swaps of neighbours; `most` + 1 when more."""
    rows = [list(range(len(other) + 1))]
    for i, char in enumerate(one, 1):
        row = [i]
        for j, against in enumerate(other, 1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (char != against))
            if i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == against:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        rows.append(row)
    return rows[-1][-1]
