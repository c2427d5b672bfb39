"""Two texts against one another: as they are written, or as numbers."""

from __future__ import annotations

import re

from carrel.models.steps.language.english.appearances import STATUS_WORDS
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Missed

__all__ = ["compare", "read_number"]


def compare(left: str, how: str, right: str) -> bool:
    """Compare two texts; as numbers where both are."""
    one, two = fold(left), fold(right)
    numbers = read_number(left), read_number(right)
    if how in ("less", "greater"):
        if numbers[0] is None or numbers[1] is None:
            raise Missed(f"{left!r} and {right!r} are not two numbers")
        return numbers[0] < numbers[1] if how == "less" else numbers[0] > numbers[1]
    if how == "equals":
        same = numbers[0] is not None and numbers[0] == numbers[1]
        return one == two or (same and _same_sign(_signed(left), _signed(right)))
    if how == "matches":
        try:
            return re.search(right, left) is not None
        except re.error as error:
            raise Missed(f"{right!r} is not a regular expression: {error}") from error
    if how == "contains":
        return _is_stated(one, two) if _STATUS.fullmatch(two) else _is_held(one, two)
    return one.startswith(two) if how == "starts" else one.endswith(two)


_STATUS = re.compile(
    rf"{STATUS_WORDS.pattern}|active|enabled|available|visible|selected|checked|ticked|read|open|"
    r"saved|sent|deleted|successful|finished|started|running|used|known|safe|secure",
    re.IGNORECASE,
)


def _is_stated(text: str, status: str) -> bool:
    """Whether a text says a status of something: neither “Unpaid” nor “not paid” says “paid”."""
    denied = r"(?<!\bnot )(?<!\bnot yet )(?<!\bno longer )(?<!\bnever )(?<!\bnon-)(?<!\bun-)"
    return re.search(rf"(?<!\w){denied}{re.escape(status)}(?![\w-])", text) is not None


def _is_held(text: str, part: str) -> bool:
    """Whether a text has a part; a Chinese word not after what denies it: 完成 is not in 未完成."""
    if re.fullmatch(r"[\u4e00-\u9fff]{2,4}", part) is None:
        return part in text
    return re.search(rf"(?<![未不没无非])(?<!没有){re.escape(part)}", text) is not None


_UNITS = re.compile(
    r"\s+(?:(?P<dollar>us[ -]dollars?|dollars?|usd|bucks)|(?P<euro>euros?|eur)|"
    r"(?P<pound>pounds?|gbp)|"
    r"(?P<percent>percent|per cent))$",
    re.IGNORECASE,
)
_SIGNS = {"dollar": "$", "euro": "€", "pound": "£", "percent": "%"}


def _signed(text: str) -> str:
    """`12 dollars` as `$12`; other texts as they are."""
    found = _UNITS.search(text)
    amount = text[: found.start()] if found else ""
    if found is None or not re.fullmatch(r"-?[\d.,]+", amount.strip()):
        return text
    sign = _SIGNS[found.lastgroup or ""]
    return f"{amount}%" if sign == "%" else f"{sign}{amount}"


def _same_sign(one: str, two: str) -> bool:
    """Whether two amounts are of the same money, as far as both say of which."""
    signs = [set(re.findall(r"[$€£¥%]", text)) for text in (one, two)]
    return not all(signs) or signs[0] == signs[1]


def read_number(text: str) -> float | None:
    """A text as a number, with what money and thousands are written with."""
    cleaned = re.sub(r"[\s,$€£¥%]", "", _signed(text))
    try:
        return float(cleaned)
    except ValueError:
        return None
