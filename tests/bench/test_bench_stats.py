from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.bench.stats import pass_at_k, sign_test, wilson
from carrel.errors import InvalidInput

COUNTS = st.integers(0, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_the_interval_is_the_published_one() -> None:
    # Newcombe 1998, table I, method 3.
    for (successes, trials), (low, high) in {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }.items():
        found = wilson(successes, trials)
        assert found == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@given(COUNTS)
def test_the_interval_holds_the_rate_and_stays_within_bounds(counts: tuple[int, int]) -> None:
    successes, trials = counts
    low, high = wilson(successes, trials)
    assert 0 <= low <= high <= 1
    if trials:
        assert low - 1e-9 <= successes / trials <= high + 1e-9
        # More of the same narrows it.
        more = wilson(successes * 10, trials * 10)
        assert more[1] - more[0] < high - low


def test_chance_is_counted_throw_by_throw() -> None:
    for count in range(1, 9):
        for wins in range(count + 1):
            extreme = abs(wins - count / 2)
            throws = list(product((0, 1), repeat=count))
            as_far = sum(abs(sum(throw) - count / 2) >= extreme for throw in throws)
            assert sign_test(wins, count - wins) == pytest.approx(as_far / len(throws))


@given(st.integers(0, 400), st.integers(0, 400))
def test_chance_has_no_side(wins: int, losses: int) -> None:
    found = sign_test(wins, losses)
    assert 0 <= found <= 1
    assert found == sign_test(losses, wins)


def test_ten_wins_and_no_loss_are_no_accident() -> None:
    assert sign_test(10, 0) == pytest.approx(2 / 1024)
    assert sign_test(0, 0) == 1.0


def test_pass_at_k_is_the_share_of_draws_with_a_success() -> None:
    for trials in range(1, 7):
        for successes in range(trials + 1):
            outcomes = [True] * successes + [False] * (trials - successes)
            for k in range(1, trials + 1):
                draws = list(combinations(outcomes, k))
                share = sum(any(draw) for draw in draws) / len(draws)
                assert pass_at_k(successes, trials, k) == pytest.approx(share)


@given(st.integers(1, 50), st.data())
def test_more_attempts_never_do_worse(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    found = [pass_at_k(successes, trials, k) for k in range(1, trials + 1)]
    assert found == sorted(found)
    assert found[0] == pytest.approx(successes / trials)
    assert found[-1] == pytest.approx(float(successes > 0))


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(InvalidInput):
        wilson(3, 2)
    with pytest.raises(InvalidInput):
        sign_test(-1, 2)
    with pytest.raises(InvalidInput):
        pass_at_k(1, 2, 3)
