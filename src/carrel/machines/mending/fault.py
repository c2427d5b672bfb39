"""One thing that is not as it should be."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

__all__ = ["Fault", "Remedy"]

Remedy = Callable[[], Awaitable[str]]
"""Mends it, and says what was done."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    Attributes:
        kind: Its sort, in one word: `store`, `permissions`, …
        subject: What it is about; a kind and a subject tell the same fault when it is met again.
        detail: What is wrong.
        plan: What mending it would do; None where only a person can.
        hint: What a person can type.
        remedy: Mends it.
    """

    kind: str
    subject: str
    detail: str
    plan: str | None = None
    hint: str | None = None
    remedy: Remedy | None = field(default=None, repr=False, compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """The same for the same fault, whenever it is looked for."""
        return self.kind, self.subject
