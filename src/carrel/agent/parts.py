"""What a run is made of, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from carrel.agent.asking import Asker
from carrel.agent.control import Control
from carrel.agent.hands import Hands
from carrel.agent.history import History
from carrel.agent.tools import Toolbox
from carrel.errors import ModelError
from carrel.events import Event
from carrel.journal.ends import EndReason
from carrel.journal.journal import Journal
from carrel.models.model import Model, OnText
from carrel.policy.gate import Gate
from carrel.policy.limits import Tally
from carrel.policy.prices import Prices
from carrel.policy.secrets import Secrets

__all__ = ["Ending", "Observer", "Parts", "reason_of"]

Observer = Callable[[Event], None]
"""Told of every event after it was written. It cannot change or stop anything."""

_REASONS = {
    "rate_limit": EndReason.RATE_LIMITED,
    "overloaded": EndReason.RATE_LIMITED,
    "quota": EndReason.RATE_LIMITED,
    "timeout": EndReason.MODEL_TIMEOUT,
    "auth": EndReason.AUTH,
    "content": EndReason.MODEL_REFUSED,
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended.

    Attributes:
        message: Why, in a sentence.
        text: What the model said to the person in the end.
    """

    status: str
    reason: EndReason
    message: str = ""
    text: str = ""


def reason_of(error: ModelError) -> EndReason:
    """Why a run ended whose model gave no answer."""
    return _REASONS.get(str(error.context.get("kind")), EndReason.PROVIDER_ERROR)


def quiet(text: str) -> None:
    """Let the pieces of an answer go by."""


@dataclass(slots=True)
class Parts:
    """Everything a run is made of.

    Attributes:
        first_wait: Seconds before the first retry; each further one waits twice as long.
    """

    model: Model
    hands: Hands
    gate: Gate
    journal: Journal
    history: History
    toolbox: Toolbox
    prices: Prices
    secrets: Secrets
    tally: Tally
    control: Control = field(default_factory=Control)
    asker: Asker | None = None
    on_text: OnText = quiet
    observers: tuple[Observer, ...] = ()
    first_wait: float = 1.0
