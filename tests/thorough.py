"""How often chance is tried: a sample every time, all of it with `make test FULL=1`."""

from __future__ import annotations

import os

FULL = os.environ.get("CARREL_TEST_FULL", "") not in ("", "0")


def rounds(full: int, sample: int) -> int:
    return full if FULL else sample
