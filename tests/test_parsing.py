from __future__ import annotations

import ast
import gc

import pytest

from parsing import DISTURBED

SOURCE = "\n".join(f"value_{n} = [{n}, (lambda x: x + {n})]" for n in range(2000))


class Parses:
    """Garbage that parses when it is collected, as one with a traceback to show does."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        ast.parse("x = 1")


def deeper(levels: int) -> ast.AST:
    """Parse from another depth than that of the collected."""
    if levels:
        return deeper(levels - 1)
    for _ in range(20):
        Parses()
    return ast.parse(SOURCE)


@pytest.mark.skipif(not DISTURBED, reason="this Python keeps its count for each parsing")
def test_what_is_collected_does_not_disturb_what_is_parsed() -> None:
    before = gc.get_threshold()
    gc.set_threshold(50, 2, 2)
    try:
        for levels in range(0, 30, 10):
            assert isinstance(deeper(levels), ast.Module)
    finally:
        gc.set_threshold(*before)
    assert gc.isenabled()
