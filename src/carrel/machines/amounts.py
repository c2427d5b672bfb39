"""Amounts of memory and disk, as people write them."""

from __future__ import annotations

import re

from carrel.errors import InvalidInput

__all__ = ["amount_words", "parse_amount"]

_AMOUNT = re.compile(r"(\d{1,9}) ?(?:([mgt])(?:i?b)?)?", re.IGNORECASE | re.ASCII)
_IN_MB = {"m": 1, "g": 1024, "t": 1024 * 1024}


def parse_amount(text: str, what: str = "memory") -> int:
    """Read `2048`, `512MB` or `4GB`; returns megabytes.

    Raises:
        InvalidInput: It is no amount.
    """
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise InvalidInput(
            f"{text[:60]!a} is not an amount of {what}", hint="such as 2048 (MB) or 4GB"
        )
    return int(match[1]) * _IN_MB[(match[2] or "m").lower()]


def amount_words(megabytes: int) -> str:
    """The shortest spelling that is exact."""
    if megabytes == 0:
        return "0"
    return f"{megabytes // 1024}GB" if megabytes % 1024 == 0 else f"{megabytes}MB"
