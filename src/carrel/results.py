"""What an action did, as far as it was observed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import cast

from carrel import codec
from carrel.codec import Json
from carrel.errors import CarrelError, error_from_wire

__all__ = ["Effect", "Failure", "Result"]


class Effect(StrEnum):
    """How sure we are that the action took effect."""

    CONFIRMED = "confirmed"
    """It was read back: a file's size, a window's place, the pointer, the clipboard."""
    UNVERIFIABLE = "unverifiable"
    """It was delivered, and nothing that was read back can tell whether it had an effect."""
    SUSPECTED_NOOP = "suspected_noop"
    """It was delivered, and what was watched did not change: the screen, a key, a button."""
    REFUSED = "refused"
    """It was not carried out, or not to its end; the error says how far."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an action did not work.

    Attributes:
        context: Facts for a program, such as what a command had written when its time was up.
    """

    code: str
    message: str
    retryable: bool = False
    hint: str | None = None
    context: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to one action.

    Attributes:
        ok: Whether it was carried out. Never true for what was not done.
        effect: How far the effect was observed; `evidence` holds the observation.
        text: For a person or a model to read.
        data: For a program to read; its shape is documented on the action.
        error: Set exactly when `ok` is false.
        frame: Id of the frame taken afterwards, where one was.
        duration: Seconds from receipt to answer inside the machine.
    """

    ok: bool
    effect: Effect
    text: str = ""
    data: Mapping[str, Json] = field(default_factory=dict)
    evidence: Mapping[str, Json] = field(default_factory=dict)
    error: Failure | None = None
    frame: str | None = None
    duration: float = 0.0

    @classmethod
    def failed(cls, error: CarrelError, *, duration: float = 0.0) -> Result:
        """The result of an action that raised."""
        context = cast("dict[str, Json]", codec.encode(error.context))
        failure = Failure(error.code, error.message, error.retryable, error.hint, context)
        return cls(False, Effect.REFUSED, error.message, error=failure, duration=duration)

    def raise_for_error(self) -> Result:
        """Return self, or raise the error this result carries."""
        if self.error is not None:
            raise error_from_wire(
                {
                    "code": self.error.code,
                    "message": self.error.message,
                    "retryable": self.error.retryable,
                    "hint": self.error.hint,
                    "context": dict(self.error.context),
                }
            )
        return self
