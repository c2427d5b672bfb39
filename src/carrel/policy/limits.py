"""How much a run may use, and how much it has used."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import TypeVar

from carrel.decisions import Usage
from carrel.errors import InvalidInput

__all__ = ["Limits", "Tally"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The most a run may use; None is no limit.

    Attributes:
        steps: Decisions of the model.
        seconds: Time it runs; waiting for a person does not count.
        money: US dollars paid to the model's provider.
        tokens: In and out, all kinds together.
        asks: Questions to a person.
    """

    steps: int | None = 100
    seconds: float | None = 1800.0
    money: Decimal | None = None
    tokens: int | None = None
    asks: int | None = 20

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if value is None:
                continue
            if isinstance(value, Decimal) and not value.is_finite():
                raise InvalidInput(f"limits.{item.name} must be a number")
            if not (value >= 0 and value != float("inf")):
                raise InvalidInput(
                    f"limits.{item.name} must not be negative, nan or infinite",
                    hint="leave it out, or use None, for no limit",
                )

    def merge(self, other: Limits) -> Limits:
        """The smaller of each."""
        return Limits(
            _least(self.steps, other.steps),
            _least(self.seconds, other.seconds),
            _least(self.money, other.money),
            _least(self.tokens, other.tokens),
            _least(self.asks, other.asks),
        )


Number = TypeVar("Number", int, float, Decimal)


def _least(one: Number | None, two: Number | None) -> Number | None:
    if one is None or two is None:
        return two if one is None else one
    return min(one, two)


@dataclass
class Tally:
    """What a run has used so far. Made anew from the journal when a run is resumed.

    Attributes:
        before: Seconds used before this process took over.
        cost: Money whose amount is known.
        unknown_costs: Answers whose price is not known; while there are any, so is the total.
        last_input: Tokens of the last context.
    """

    steps: int = 0
    before: float = 0.0
    usage: Usage = field(default_factory=Usage)
    cost: Decimal = Decimal(0)
    unknown_costs: int = 0
    asks: int = 0
    last_input: int = 0
    clock: Callable[[], float] = field(default=time.monotonic, repr=False, compare=False)
    _since: float | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._since = self.clock()

    @property
    def seconds(self) -> float:
        """Time used, pauses left out."""
        return self.before + (0.0 if self._since is None else self.clock() - self._since)

    @property
    def known_cost(self) -> Decimal | None:
        """What it cost; None when the price of any answer is not known."""
        return None if self.unknown_costs else self.cost

    def pause(self) -> None:
        """Stop the clock, for example while a person is asked."""
        self.before, self._since = self.seconds, None

    def resume(self) -> None:
        """Let the clock go on."""
        if self._since is None:
            self._since = self.clock()

    def add(self, usage: Usage, cost: Decimal | None) -> None:
        """Count one answer of a model; a cost of None is unknown, not nothing."""
        self.usage = self.usage + usage
        self.last_input = usage.input + usage.cached + usage.cache_writes
        if cost is None:
            self.unknown_costs += 1
        else:
            self.cost += cost
