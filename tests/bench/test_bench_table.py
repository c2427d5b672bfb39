from __future__ import annotations

from dataclasses import replace

import pytest

from carrel.bench.compare import compare
from carrel.bench.results import Header, Results, Row
from carrel.bench.table import summarise
from carrel.errors import InvalidInput

TASKS = ("drag", "click")


def results(
    *rows: Row, seeds: int = 10, attempts: int = 1, suite: str = "clip", version: str = "1"
) -> Results:
    header = Header(suite, version, "m", TASKS, tuple(range(seeds)), attempts)
    return Results(header, rows)


def rows(task: str, outcomes: str) -> list[Row]:
    """One for each character: `+` done, `-` not, `!` a fault."""
    return [
        Row(task, seed, success=mark == "+", seconds=2.0, fault="lost" if mark == "!" else "")
        for seed, mark in enumerate(outcomes)
    ]


def test_faults_count_as_failures_and_are_told_apart() -> None:
    found = summarise(results(*rows("click", "++++++++!-"), *rows("drag", "++++++++++")))
    assert [(line.task, line.successes, line.faults) for line in found.lines] == [
        ("drag", 10, 0),
        ("click", 8, 1),
    ]
    assert (found.episodes, found.successes, found.faults, found.missing) == (20, 18, 1, 0)
    assert found.rate == pytest.approx(0.9)
    assert (found.good, found.perfect) == (2, 1)
    assert found.seconds == pytest.approx(2.0)
    assert found.pass_at == {}


def test_what_was_not_played_is_missing_and_not_a_failure() -> None:
    found = summarise(results(*rows("drag", "+++")))
    assert (found.episodes, found.rate, found.missing) == (3, 1.0, 17)
    assert summarise(results()).rate == 0.0


def test_pass_at_k_is_reckoned_per_seed() -> None:
    first, second = rows("drag", "+-"), rows("drag", "--")
    played = [*first, *(replace(row, attempt=1) for row in second)]
    found = summarise(results(*played, seeds=2, attempts=2))
    # The first seed succeeds in one of two attempts, the second never.
    assert found.pass_at == {1: pytest.approx(0.25), 2: pytest.approx(0.5)}
    assert found.lines[0].pass_at == found.pass_at


def test_a_handful_of_episodes_is_not_sold_as_progress() -> None:
    before = results(*rows("drag", "-++-++--++"))
    after = results(*rows("drag", "++++++--+-"))
    found = compare(before, after)
    assert (found.overall.gained, found.overall.lost) == (2, 1)
    assert found.overall.p == pytest.approx(1.0)
    assert "chance" in found.verdict
    assert found.clear == frozenset()


def test_a_clear_difference_is_told_as_one() -> None:
    before = results(*rows("drag", "----------"), *rows("click", "++++++++++"))
    after = results(*rows("drag", "++++++++++"), *rows("click", "+++++++++-"))
    found = compare(before, after)
    assert found.verdict == "better"
    assert compare(after, before).verdict == "worse"
    assert found.clear == {"drag"}
    by_name = {task.name: task for task in found.tasks}
    assert by_name["drag"].change == 1.0
    assert by_name["click"].change == pytest.approx(-0.1)
    (low, high), (low2, _) = by_name["drag"].intervals
    assert (low, high) < (low2, 1.0)


def test_many_tasks_together_need_more_than_one_alone() -> None:
    names = tuple(f"task-{number}" for number in range(40))
    before = results(*(row for name in names for row in rows(name, "------")))
    changed = {"task-7": "++++++"}
    after = results(*(row for name in names for row in rows(name, changed.get(name, "------"))))
    found = compare(before, after)
    # p = 2/64: clear for one task, not for the best of forty.
    assert found.clear == frozenset()
    assert compare(results(*rows("drag", "------")), results(*rows("drag", "++++++"))).clear


def test_only_episodes_that_both_have_are_compared() -> None:
    found = compare(
        results(*rows("drag", "++++")), results(*rows("drag", "++"), *rows("click", "+"))
    )
    assert (found.overall.episodes, found.only_first, found.only_second) == (2, 2, 1)
    assert found.differs == ()


def test_what_cannot_be_compared_is_refused_or_said() -> None:
    with pytest.raises(InvalidInput, match="compared"):
        compare(results(*rows("drag", "+")), results(*rows("drag", "+"), suite="other"))
    with pytest.raises(InvalidInput, match="in common"):
        compare(results(*rows("drag", "+")), results(*rows("click", "+")))
    found = compare(results(*rows("drag", "+")), results(*rows("drag", "+"), version="2"))
    assert found.differs == ("version",)
