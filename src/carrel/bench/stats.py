"""The few statistics that keep noise from being sold as progress."""

from __future__ import annotations

from math import comb, sqrt

from carrel.errors import InvalidInput

__all__ = ["pass_at_k", "sign_test", "wilson"]

Z = 1.959963984540054
"""Of a 95 % interval."""


def wilson(successes: int, trials: int, z: float = Z) -> tuple[float, float]:
    """The interval in which the true rate lies, at 95 %; (0, 1) when nothing was tried."""
    _check(successes, trials)
    if trials == 0:
        return 0.0, 1.0
    rate, square = successes / trials, z * z
    middle = (rate + square / (2 * trials)) / (1 + square / trials)
    reach = z / (1 + square / trials)
    reach *= sqrt(rate * (1 - rate) / trials + square / (4 * trials * trials))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def sign_test(wins: int, losses: int) -> float:
    """How likely a difference as large as this is by chance alone: exact, two-sided.

    The pairs that came out alike say nothing and are left out; what is left would be the throws of
    a fair coin.
    """
    _check(wins, wins + losses)
    count, fewer = wins + losses, min(wins, losses)
    tail = sum(comb(count, number) for number in range(fewer + 1))
    return min(1.0, float(2 * tail / 2**count))


def pass_at_k(successes: int, trials: int, k: int) -> float:
    """How likely at least one of `k` attempts succeeds: the unbiased estimate from `trials`."""
    _check(successes, trials)
    if not 1 <= k <= trials:
        raise InvalidInput(f"pass@{k} needs at least {k} attempts, not {trials}")
    return 1.0 - comb(trials - successes, k) / comb(trials, k)


def _check(successes: int, trials: int) -> None:
    if not 0 <= successes <= trials:
        raise InvalidInput(f"{successes} of {trials} is no count")
