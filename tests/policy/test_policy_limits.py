from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.decisions import Usage
from carrel.errors import InvalidInput
from carrel.policy.limits import Limits, Tally


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": -1},
        {"seconds": -0.1},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"money": Decimal("NaN")},
        {"money": Decimal(-1)},
        {"asks": -1},
    ],
)
def test_a_limit_that_means_nothing_is_refused(wrong: dict[str, object]) -> None:
    (name,) = wrong
    with pytest.raises(InvalidInput, match=f"limits.{name}"):
        Limits(**wrong)  # type: ignore[arg-type]


def test_limits_there_are_when_nobody_says_anything() -> None:
    assert Limits() == Limits(steps=100, seconds=1800.0, money=None, tokens=None, asks=20)


def test_time_is_kept_over_a_restart_and_stands_still_while_paused() -> None:
    clock = Clock()
    tally = Tally(before=10.0, clock=clock)
    clock.now += 5
    assert tally.seconds == 15.0
    tally.pause()
    clock.now += 1000
    assert tally.seconds == 15.0
    tally.pause()
    tally.resume()
    tally.resume()
    clock.now += 1
    assert tally.seconds == 16.0


def test_an_unknown_cost_is_not_nothing() -> None:
    tally = Tally()
    tally.add(Usage(input=10, output=5), Decimal("0.1"))
    assert tally.known_cost == Decimal("0.1")
    tally.add(Usage(input=1, cached=2, cache_writes=3, output=4), None)
    assert tally.known_cost is None
    assert tally.cost == Decimal("0.1")
    assert tally.unknown_costs == 1
    assert tally.last_input == 6
    assert tally.usage == Usage(11, 2, 3, 9)


@given(st.lists(st.decimals(0, 1, places=6), max_size=50))
def test_money_adds_up_exactly(costs: list[Decimal]) -> None:
    tally = Tally()
    for cost in costs:
        tally.add(Usage(), cost)
    assert tally.cost == sum(costs, Decimal(0))
