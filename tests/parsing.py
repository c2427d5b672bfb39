"""Parsing Python where the interpreter must not be disturbed at it.

Before 3.11.8 all parsing shares one count of its depth (CPython's issue 106905). A garbage
collection amid it may end in a finaliser that parses, too, or let another thread do so; the first
one then fails with a SystemError. Pytest parses to show a failure or a skip, and ends as a whole.
"""

from __future__ import annotations

import functools
import gc
import sys
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

DISTURBED = (3, 11) <= sys.version_info < (3, 11, 8)


def undisturbed(parse: Callable[P, T]) -> Callable[P, T]:
    """The same, by one thread at a time and with no garbage collected meanwhile."""
    alone = threading.RLock()

    @functools.wraps(parse)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with alone:
            collects = gc.isenabled()
            gc.disable()
            try:
                return parse(*args, **kwargs)
            finally:
                if collects:
                    gc.enable()

    return run
