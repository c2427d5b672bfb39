"""Texts of pages that nobody wrote for us: long, monotonous, or meant to keep a reader busy."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.find import find

UNITS = (
    "1",
    "12 ",
    "1,",
    "(1) ",
    "[1]",
    "* ",
    "a ",
    "ab",
    "...",
    "(a)",
    "$5 ",
    "ctrl+",
    "第1",
    "的",
    "+ ",
)


@contextmanager
def soon() -> Iterator[None]:
    """Stop what takes for ever; a pattern that goes astray looks at signals, but at no deadline."""

    def stop(*_: object) -> None:
        pytest.fail("it does not come to an end")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 20)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("end", ["", " x", "!"])
@pytest.mark.parametrize("unit", UNITS)
def test_no_text_on_a_screen_keeps_a_search_busy(unit: str, end: str) -> None:
    text = Element(
        "t", "table", unit * 200 + end, None, Box(0, 0, 400, 300), ("showing", "visible")
    )
    save = Element("s", "push button", "Save", None, Box(0, 400, 80, 20), ("showing", "visible"))
    with soon():
        for words in ("the month calendar", "Save", "the 12th row", "12 1", "保存按钮"):
            find([text, save], words)
        assert find([text, save], "the Save button").sure
