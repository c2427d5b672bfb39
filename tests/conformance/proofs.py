"""Which test proves which action, so that none can be left out.

A proof is a test whose only argument is `desk`. It must fail when the action it names answers
`ok` and does nothing; `test_conformance_coverage.py` sees to that with a computer that lies.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import ParamSpec

import anyio
import pytest
from subjects import Subject

P = ParamSpec("P")
Proof = Callable[[Subject], Awaitable[None]]

PROOFS: dict[str, list[Proof]] = {}
"""The tests that prove each action, by its type."""


def bounded(test: Callable[P, Awaitable[None]]) -> Callable[P, Awaitable[None]]:
    """An async test that cannot hang."""

    @functools.wraps(test)
    async def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with anyio.fail_after(100):
            await test(*args, **kwargs)

    return pytest.mark.anyio(run)


def proves(*actions: str) -> Callable[[Proof], Proof]:
    """Enter a test into the register."""

    def enter(test: Proof) -> Proof:
        proof = bounded(test)
        for action in actions:
            PROOFS.setdefault(action, []).append(proof)
        return proof

    return enter
