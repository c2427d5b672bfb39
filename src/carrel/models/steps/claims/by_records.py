"""Claims in anybody's words, held against all that the screen tells of things."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.claims.accounted import accounted
from carrel.models.steps.claims.counted_records import told_many
from carrel.models.steps.claims.told_states import told_state

__all__ = ["told_by_records"]


def told_by_records(elements: Sequence[Element], claim: str) -> str | None:
    """What the screen says that makes a claim so; None where nothing says all of it.

    Args:
        elements: What is on the screen.
        claim: What is said to be so, without "verify that".
    """
    return accounted(elements, claim) or told_many(elements, claim) or told_state(elements, claim)
