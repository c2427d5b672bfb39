"""Sortable, typed identifiers: `mac_…`, `run_…`, `req_…`."""

from __future__ import annotations

import os
import time

__all__ = ["new_id"]

# Crockford's alphabet: no i, l, o, u, so an id can be read aloud.
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]


def new_id(kind: str) -> str:
    """A new id such as `mac_01k3…`: 48 bits of milliseconds, then 80 random bits."""
    number = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    return f"{kind}_" + "".join([_PAIRS[number >> shift & 1023] for shift in range(120, -10, -10)])
