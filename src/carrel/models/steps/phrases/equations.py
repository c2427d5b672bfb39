"""Small calculations as people write them: `3 + 4 =`, `7 × 8 = ?`, `x - 2 = 5`."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["find_equation", "plain", "solve"]

_SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-", "–": "-", "·": "*", "＝": "=", "＋": "+"})
_TOKEN = re.compile(r"\d+(?:\.\d+)?|[a-z?_]+|[-+*/()=]")
_SHAPE = re.compile(r"^(?=.*\d)(?=.*[-+*/=])[\d\s.+*/()=?_a-z-]+$")

_OTHER = re.compile(r"\d[-/.]\d+[-/.]\d|\d-\d{3,}")
"""Dates and telephone numbers, which are not to be worked out."""

Linear = tuple[float, float]
"""How often the unknown is in it, and the rest."""


def find_equation(texts: Iterable[str]) -> str | None:
    """The calculation among texts; the longest where parts of it are texts of their own."""
    short = [text for text in texts if len(text) <= 80 and not _OTHER.search(text)]
    fitting = [text for text in short if solve(text) is not None]
    return max(fitting, key=lambda text: ("=" in text or "?" in text, len(text)), default=None)


def solve(text: str) -> float | None:
    """The answer to a calculation or an equation with one unknown; None where there is none."""
    cleaned = text.translate(_SIGNS).casefold().strip()
    # Between two numbers it is a sign, elsewhere the unknown.
    cleaned = re.sub(r"(?<=\d)\s*x\s*(?=\d)", "*", cleaned)
    if not _SHAPE.match(cleaned):
        return None
    tokens = _TOKEN.findall(cleaned)
    if len("".join(tokens)) != len(re.sub(r"\s", "", cleaned)):
        return None
    try:
        return _answer(tokens)
    except (ValueError, ZeroDivisionError):
        return None


def _answer(tokens: list[str]) -> float:
    if tokens.count("=") > 1:
        raise ValueError("more than one equals sign")
    if "=" in tokens:
        at = tokens.index("=")
        left, right = tokens[:at], tokens[at + 1 :]
    else:
        left, right = tokens, []
    if not right and not set(left) & set("+-*/"):
        raise ValueError("nothing to work out")
    first = _Reader(left).read()
    if not right or right in (["?"], ["_"]):
        if first[0]:
            raise ValueError("an unknown, and nothing it is equal to")
        return first[1]
    second = _Reader(right).read()
    slope = first[0] - second[0]
    if not slope:
        raise ValueError("no unknown")
    return (second[1] - first[1]) / slope


class _Reader:
    """Reads sums of products, from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def read(self) -> Linear:
        value = self._sum()
        if self._at != len(self._tokens):
            raise ValueError("something is left over")
        return value

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _sum(self) -> Linear:
        value = self._product()
        while self._peek() in ("+", "-"):
            sign = 1 if self._next() == "+" else -1
            other = self._product()
            value = (value[0] + sign * other[0], value[1] + sign * other[1])
        return value

    def _product(self) -> Linear:
        value = self._factor()
        while self._peek() in ("*", "/") or self._peek().isalpha() or self._peek() == "(":
            sign = self._next() if self._peek() in ("*", "/") else "*"
            value = _joined(value, sign, self._factor())
        return value

    def _factor(self) -> Linear:
        token = self._next()
        if token == "-":  # noqa: S105 (a sign)
            value = self._factor()
            return (-value[0], -value[1])
        if token == "(":  # noqa: S105
            value = self._sum()
            if self._next() != ")":
                raise ValueError("an open bracket")
            return value
        if re.fullmatch(r"[a-z]|\?+|_+", token):
            return (1.0, 0.0)
        return (0.0, float(token))


def _joined(one: Linear, sign: str, other: Linear) -> Linear:
    if sign == "/":
        if other[0]:
            raise ValueError("an unknown below the line")
        return (one[0] / other[1], one[1] / other[1])
    if one[0] and other[0]:
        raise ValueError("not linear")
    return (one[0] * other[1] + other[0] * one[1], one[1] * other[1])


def plain(value: float) -> str:
    """A number as people write it: without a point where it is whole."""
    return str(int(value)) if value == int(value) else f"{value:.10g}"
