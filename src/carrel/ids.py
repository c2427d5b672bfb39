"""Sortable, typed identifiers: `mac_…`, `run_…`, `req_…`."""

from __future__ import annotations

import os
import time

__all__ = ["new_id"]

# Crockford's alphabet: no i, l, o, u, so an id can be read aloud.
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id(kind: str) -> str:
    """A new id such as `mac_01k3…`: 48 bits of milliseconds, then 80 random bits."""
    number = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    digits = []
    for _ in range(26):
        digits.append(_ALPHABET[number & 31])
        number >>= 5
    return f"{kind}_{''.join(reversed(digits))}"
