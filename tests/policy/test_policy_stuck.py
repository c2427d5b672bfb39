from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.actions import (
    Action,
    Click,
    Cursor,
    Drag,
    Elements,
    Key,
    Move,
    Screenshot,
    Scroll,
    Shell,
    Type,
    Wait,
)
from carrel.geometry import Point
from carrel.intents import CallTool
from carrel.policy.stuck import RUNGS, Stuck


def run(actions: Iterable[Action], changed: bool | None = False) -> list[str | None]:
    """What each action led to."""
    stuck = Stuck()
    rungs = [stuck.observe(action, changed) for action in actions]
    return [None if rung is None else rung.name for rung in rungs]


def first(rungs: list[str | None]) -> int | None:
    """How many actions it took until something was said."""
    return next((index + 1 for index, rung in enumerate(rungs) if rung), None)


def test_the_same_click_three_times_to_no_effect_is_stuck() -> None:
    assert run([Click(100, 100)] * 3) == [None, None, "hint"]


def test_clicks_that_jitter_by_two_pixels_are_the_same() -> None:
    near = [Click(100, 100), Click(102, 98), Click(98, 102)]
    assert run(near) == [None, None, "hint"]


@given(
    st.integers(10, 2000),
    st.integers(10, 2000),
    st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=3, max_size=3),
)
def test_jitter_is_seen_wherever_on_the_screen(
    x: int, y: int, jitter: list[tuple[int, int]]
) -> None:
    assert run([Click(x + dx, y + dy) for dx, dy in jitter])[-1] == "hint"


def test_clicks_and_screenshots_in_turn_are_caught_within_three_repeats() -> None:
    assert first(run([Click(5, 5), Screenshot()] * 3)) == 6
    jitter = [Click(5, 5), Screenshot(), Click(7, 3), Screenshot(), Click(4, 6), Screenshot()]
    assert first(run(jitter)) == 6


def test_screenshots_nobody_compared_do_not_hide_a_repeated_click() -> None:
    stuck = Stuck()
    rungs = []
    for _ in range(3):
        rungs.append(stuck.observe(Click(5, 5), False))
        rungs.append(stuck.observe(Screenshot(), None))
    assert [rung.name for rung in rungs if rung] == ["hint"]


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_cycles_of_up_to_four_actions_are_caught_in_the_third_round(length: int) -> None:
    cycle = [Click(10, 10), Key(("enter",)), Type("x"), Scroll(500, 500, dy=3)][:length]
    assert first(run(cycle * 4)) == 3 * length


def test_a_cycle_is_caught_after_other_things() -> None:
    before = [Type("a"), Type("b"), Click(1, 1)]
    assert run([*before, *[Click(300, 300)] * 3])[-1] == "hint"


def test_the_ladder_goes_up_as_long_as_it_goes_on() -> None:
    rungs = [rung for rung in run([Click(5, 5)] * 20) if rung]
    assert rungs == list(RUNGS)
    rungs = [rung for rung in run([Click(5, 5), Screenshot()] * 20) if rung]
    assert rungs == list(RUNGS)


def test_each_rung_gives_time_to_do_better() -> None:
    assert [i for i, rung in enumerate(run([Click(5, 5)] * 10), 1) if rung] == [3, 5, 7, 9]


def test_another_circle_on_the_same_screen_is_the_next_rung() -> None:
    rungs = run([*[Click(5, 5)] * 3, Type("x"), *[Click(500, 500)] * 3])
    assert [rung for rung in rungs if rung] == ["hint", "replan"]


def test_a_change_of_the_screen_begins_anew() -> None:
    stuck = Stuck()
    for _ in range(3):
        stuck.observe(Click(5, 5), False)
    assert stuck.observe(Click(5, 5), True) is None
    rungs = [stuck.observe(Click(5, 5), False) for _ in range(3)]
    assert rungs[-1] is not None
    assert rungs[-1].name == "hint"


def test_it_is_over_after_the_last_rung_until_somebody_says_to_go_on() -> None:
    stuck = Stuck()
    for _ in range(9):
        stuck.observe(Click(5, 5), False)
    assert stuck.is_over
    assert stuck.observe(Click(5, 5), False) is None
    stuck.reset()
    assert not stuck.is_over


def test_a_rung_says_what_was_done_and_how_often() -> None:
    stuck = Stuck()
    rung = [stuck.observe(Click(101, 57), False) for _ in range(3)][-1]
    assert rung is not None
    assert rung.repeats == 3
    assert rung.signature.startswith("click")
    assert "96,56" in rung.signature


def test_a_signature_never_holds_what_was_typed() -> None:
    stuck = Stuck()
    rung = [stuck.observe(Type("hunter2"), False) for _ in range(3)][-1]
    assert rung is not None
    assert "hunter2" not in rung.signature


# What is not stuck


def test_thirty_scrolls_on_a_changing_screen_are_work() -> None:
    assert first(run([Scroll(500, 500, dy=5)] * 30, changed=True)) is None


def test_thirty_tabs_are_work() -> None:
    assert first(run([Key(("tab",))] * 30, changed=True)) is None
    assert first(run([Key(("tab",))] * 30, changed=None)) is None


def test_waiting_while_the_screen_changes_is_work() -> None:
    assert first(run([Wait(seconds=1)] * 30, changed=True)) is None


def test_filling_in_a_long_form_is_work_even_where_the_screen_hardly_changes() -> None:
    form: list[Action] = []
    for row in range(30):
        form += [Click(300, 40 + 30 * row), Type(f"value {row}"), Key(("tab",))]
    assert first(run(form)) is None
    assert first(run(form, changed=True)) is None


def test_typing_different_texts_with_the_same_key_between_is_work() -> None:
    form: list[Action] = []
    for row in range(30):
        form += [Type(f"value {row}"), Key(("tab",))]
    assert first(run(form)) is None


def test_going_through_a_row_of_buttons_is_work() -> None:
    assert first(run([Click(20 * step, 50) for step in range(30)])) is None


def test_different_commands_are_work_and_the_same_one_is_not() -> None:
    assert first(run([Shell(f"ls {n}") for n in range(30)], changed=None)) is None
    assert first(run([Shell("ls")] * 5, changed=None)) == 3
    assert first(run([CallTool("f", {"page": n}) for n in range(30)], changed=None)) is None
    assert first(run([CallTool("f", {"page": 1})] * 5, changed=None)) == 3


def test_without_knowing_the_screen_nothing_on_it_is_stuck() -> None:
    assert first(run([Click(5, 5)] * 30, changed=None)) is None
    assert first(run([Screenshot()] * 30, changed=None)) is None


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        (Scroll(5, 5, dy=3), Scroll(5, 5, dy=7), True),
        (Scroll(5, 5, dy=3), Scroll(5, 5, dy=-3), False),
        (Scroll(5, 5, dx=3), Scroll(5, 5, dy=3), False),
        (Wait(seconds=1), Wait(seconds=5), True),
        (Click(5, 5), Click(5, 5, button="right"), False),
        (Click(5, 5), Click(5, 5, count=2), False),
        (Click(5, 5), Move(5, 5), False),
        (Key(("enter",)), Key(("enter",), repeat=3), True),
        (Key(("enter",)), Key(("tab",)), False),
        (Drag((Point(1, 1), Point(9, 9))), Drag((Point(2, 1), Point(50, 3), Point(9, 8))), True),
        (Drag((Point(1, 1), Point(9, 9))), Drag((Point(9, 9), Point(100, 1))), False),
        (Cursor(), Elements(), False),
    ],
)
def test_what_counts_as_the_same(one: Action, two: Action, same: bool) -> None:
    assert (run([one, two, one])[-1] == "hint") is same


@given(st.lists(st.sampled_from([Click(5, 5), Screenshot(), Key(("tab",))]), max_size=60))
def test_nothing_is_ever_stuck_on_a_screen_that_changes(actions: list[Action]) -> None:
    assert first(run(actions, changed=True)) is None


@given(
    st.lists(
        st.tuples(
            st.sampled_from([Click(5, 5), Click(300, 5), Screenshot(), Type("x"), Shell("ls")]),
            st.sampled_from([True, False, None]),
        ),
        max_size=80,
    )
)
def test_rungs_come_in_their_order_between_changes(steps: list[tuple[Action, bool | None]]) -> None:
    stuck = Stuck()
    level = 0
    for action, changed in steps:
        rung = stuck.observe(action, changed)
        level = 0 if changed else level
        if rung is not None:
            assert rung.name == RUNGS[level]
            assert rung.repeats >= 3
            level += 1
