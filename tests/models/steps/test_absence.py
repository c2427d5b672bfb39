"""That something is not there is said only where the words were understood and it really is not."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.claims.absences import cannot_count, cannot_tell, is_known_to_go
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.program import Check, Condition, Count, Every, Is, Not, Shows, Wait
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.looking import check, wait


def text(name: str, top: int = 10, left: int = 10) -> Element:
    return element(name, "label", (left, top, 120, 20))


def a_table() -> World:
    rows = [
        element(f"{name} row", "table row", (10, 40 + 30 * i, 300, 24), id=f"r{i}", parent="t")
        for i, name in enumerate(("Apple", "Pear", "Plum", "Fig", "Date"))
    ]
    return World(element("", "table", (10, 40, 300, 150), id="t"), *rows)


def verdict(world: World, condition: Condition) -> str | None:
    """None when the check passes, else its account."""
    try:
        play(world, check(desk_of(world), Check(condition)))
    except Missed as missed:
        return missed.account
    return None


@pytest.mark.parametrize(
    ("phrase", "there"),
    [
        ("the Shooter lozenge", "Shooter"),
        ("the Delete button", "Delete"),
        ("the cookie banner strip", "Cookie banner"),
    ],
)
def test_what_goes_by_a_part_of_the_words_is_no_absence(phrase: str, there: str) -> None:
    account = verdict(World(text(there)), Not(Shows(phrase)))
    assert account is not None
    assert f"cannot tell whether {phrase} is there" in account
    assert f"nearest: {there} (text, 70,20)" in account


@pytest.mark.parametrize(
    ("phrase", "there"),
    [
        ('"Shooter"', "Puzzle"),
        ("Task 2", "Task 1"),
        ("keep.txt", "letter.txt"),
        ("milk", "Bread"),
        ("the Delete button", "You can delete it in the settings of your account at any time"),
        ("error message", "All is well"),
        ('the "Save" button', "Save as"),
        ("checkboxes", "Options"),
        ("the dialog", "Options"),
        ("错误", "完成"),
    ],
)
def test_what_is_really_not_there_is_not_there(phrase: str, there: str) -> None:
    assert verdict(World(text(there)), Not(Shows(phrase))) is None
    assert verdict(World(text(there)), Not(Is(phrase, "visible"))) is None


def test_what_is_drawn_may_be_there_without_a_name() -> None:
    spinner = element("Value", "spin button", (10, 10, 90, 20), "editable", value="5")
    arrow = element("", "push button", (100, 10, 10, 10))
    account = verdict(World(spinner, arrow), Not(Shows("up arrow on the spinner")))
    assert account is not None
    assert "cannot tell" in account
    button = element("", "push button", (10, 50, 30, 30))
    assert verdict(World(button), Not(Shows("the search button"))) is not None
    assert verdict(World(text("Find")), Not(Shows("the search button"))) is None
    # What is spelt as a name is written on it.
    assert verdict(World(button), Not(Shows("the Cancel button"))) is None


def test_words_that_nothing_bears_out_describe_something_unknown() -> None:
    for phrase in ("the loading indicator", "shopping basket"):
        account = verdict(World(text("Hello")), Not(Shows(phrase)))
        assert account is not None
        assert "cannot tell" in account


def test_what_it_is_said_to_be_of_must_be_there() -> None:
    account = verdict(World(text("Hello")), Not(Shows("milk in the list")))
    assert account is not None
    assert "no list is there" in account
    listed = World(element("", "list", (10, 10, 100, 90), id="l"), text("Bread"))
    assert verdict(listed, Not(Shows("milk in the list"))) is None
    # What was in a dialog went with it.
    assert verdict(World(text("Hello")), Not(Shows("the OK button in the dialog"))) is None


@pytest.mark.parametrize(
    "condition",
    [
        Count("rows of fruit in the table", 2, "most"),
        Count("rows of fruit in the table", 0),
        Not(Count("rows of fruit in the table", 3, "least")),
        Count("vegetables", 0),
        Count("vegetables", 4, "most"),
    ],
)
def test_none_of_what_no_word_tells_of_is_no_count(condition: Condition) -> None:
    account = verdict(a_table(), condition)
    assert account is not None
    assert "cannot tell how many" in account


@pytest.mark.parametrize(
    ("condition", "so"),
    [
        (Count("rows", 5), True),
        (Count("rows", 5, "most"), True),
        (Count("rows", 4, "most"), False),
        (Not(Count("rows", 6, "least")), True),
        (Count("checkboxes", 0), True),
        (Count('"Error"', 0), True),
    ],
)
def test_what_is_understood_is_counted(condition: Condition, so: bool) -> None:
    assert (verdict(a_table(), condition) is None) is so


def test_none_are_counted_only_after_the_pixels_were_read() -> None:
    world = World(text("Hello"))
    box = Box(10, 60, 60, 20)
    world.closer_elements = [Element("o1", "label", "", None, box, text="Error", source="ocr")]
    assert verdict(world, Count('"Error"', 0)) is not None
    assert verdict(world, Not(Shows('"Error"'))) is not None


def test_neither_of_two_is_there_only_when_both_are_known_not_to_be() -> None:
    world = World(text("Shooter"))
    neither = Not(Every((Shows('"Puzzle"'), Shows("the Shooter lozenge")), any=True))
    assert verdict(world, neither) is not None
    assert verdict(World(text("Card")), Not(Every((Shows('"A"'), Shows('"B"')), any=True))) is None


def test_what_is_absent_for_a_moment_is_not_gone() -> None:
    world = World(text("Hello"))
    world.after(0.2, lambda w: w.elements.append(text("Error", 60)))
    assert verdict(world, Not(Shows('"Error"'))) is not None


def test_what_was_there_and_is_not_any_more_is_gone() -> None:
    loading = text("loading indicator")
    world = World(loading, text("loading", 60))
    world.after(2.0, lambda w: w.elements.remove(loading))
    play(world, wait(desk_of(world), Wait(until=Not(Shows("the loading indicator")))))
    assert 2.0 <= world.clock < 8


def test_what_comes_late_is_waited_for_until_it_has_gone() -> None:
    loading, world = text("loading indicator"), World(text("Hello", 60))
    world.after(0.4, lambda w: w.elements.append(loading))
    world.after(3.0, lambda w: w.elements.remove(loading))
    play(world, wait(desk_of(world), Wait(until=Not(Shows("the loading indicator")))))
    assert 3.0 <= world.clock < 9


def test_a_wait_for_something_to_go_that_never_was_there_is_no_success() -> None:
    world = World(text("Hello"))
    with pytest.raises(Missed, match="cannot tell whether the progress bar is gone"):
        play(world, wait(desk_of(world), Wait(until=Not(Shows("the progress bar")))))
    assert world.clock < 10
    for phrase in ('"Loading"', "Loading", "the dialog"):
        assert is_known_to_go(phrase)
        play(world, wait(desk_of(world), Wait(until=Not(Shows(phrase)))))


def test_what_stays_is_not_gone() -> None:
    world = World(text("Loading"))
    with pytest.raises(Missed, match="Loading"):
        play(world, wait(desk_of(world), Wait(seconds=2, until=Not(Shows('"Loading"')))))
    assert world.clock < 4


def test_an_article_is_no_part_of_what_is_written() -> None:
    world = World(element("Tip of the Day: 1/200", "dialog", (10, 10, 300, 200)))
    assert play(world, holds(desk_of(world), Shows("a tip of the day")))[0] is True  # type: ignore[index]


def test_a_positive_condition_is_not_touched_by_doubts() -> None:
    world = World(text("Shooter"))
    assert play(world, holds(desk_of(world), Shows("Shooter"))) == (True, "Shooter can be seen")
    assert cannot_tell(desk_of(world), '"Puzzle"') is None
    assert cannot_count(desk_of(world), "buttons") is None
