from __future__ import annotations

from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps_world import World, desk_of, element, play

from carrel.frames import Window
from carrel.geometry import Box
from carrel.models.steps.claims.conditions import compare, holds, read_number
from carrel.models.steps.names import fill, fill_condition, fill_step
from carrel.models.steps.phrases.equations import find_equation, plain, solve
from carrel.models.steps.program import (
    Check,
    Compare,
    Compute,
    Condition,
    Count,
    Enter,
    Every,
    Has,
    Is,
    Not,
    Read,
    Shows,
    Wait,
    WindowOpen,
)
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.computing import compute
from carrel.models.steps.verbs.looking import check, read, wait


def a_form() -> World:
    return World(
        element("Welcome back", "heading", (10, 10, 200, 30)),
        element("Name", "entry", (10, 60, 200, 20), "editable", value="Ada"),
        element("Age", "entry", (10, 90, 200, 20), "editable", value="37"),
        element("I agree", "check box", (10, 120, 14, 14), "checkable", "checked"),
        element("Send", "push button", (10, 150, 80, 20), "disabled"),
    )


@pytest.mark.parametrize(
    ("condition", "so"),
    [
        (Shows("Welcome back"), True),
        (Shows("Good bye"), False),
        (Has("the Name field", "ada"), True),
        (Has("the Name field", "ada", "equals"), True),
        (Has("the Name field", "Bob", "equals"), False),
        (Has("the Age field", "40", "less"), True),
        (Is("the I agree checkbox", "checked"), True),
        (Is("the Send button", "enabled"), False),
        (Is("the Name field", "empty"), False),
        (Not(Shows("Good bye")), True),
        (Every((Shows("Welcome back"), Shows("Good bye"))), False),
        (Every((Shows("Welcome back"), Shows("Good bye")), any=True), True),
        (Count("checkboxes", 1), True),
        (Count("text fields", 3, "least"), False),
        (Count("text fields", 2, "most"), True),
        (Compare("7", "less", "12"), True),
        (Compare("1,200", "equals", "1200"), True),
    ],
)
def test_a_condition_is_read_from_the_screen(condition: Condition, so: bool) -> None:
    world = a_form()
    found = play(world, holds(desk_of(world), condition))
    assert isinstance(found, tuple)
    assert found[0] is so
    assert world.done == []


def test_a_page_that_speaks_of_a_dialog_shows_none() -> None:
    world = World(
        element("Modal dialog", "frame", (0, 0, 400, 300)),
        element("Use a modal dialog to ask.", "static", (10, 40, 200, 20)),
    )
    assert play(world, holds(desk_of(world), Shows("the dialog"))) == (False, ANY)


def test_an_open_window_is_asked_for() -> None:
    world = a_form()
    world.windows = [Window(1, "Untitled - Editor", Box(0, 0, 9, 9), "editor")]
    assert play(world, holds(desk_of(world), WindowOpen("editor")))[0] is True  # type: ignore[index]
    found = play(world, holds(desk_of(world), WindowOpen("Browser")))
    assert isinstance(found, tuple)
    assert found[0] is False
    assert "Untitled - Editor" in found[1]


def test_a_check_waits_a_little_and_then_fails_with_what_is_there_instead() -> None:
    world = a_form()
    world.after(1.0, lambda w: w.elements.append(element("Saved", "label", (300, 10, 50, 20))))
    play(world, check(desk_of(world), Check(Shows("Saved"))))
    with pytest.raises(Missed, match="holds 'Ada', not 'Bob'"):
        play(world, check(desk_of(world), Check(Has("the Name field", "Bob"))))
    assert world.clock < 10


def test_a_wait_ends_when_it_is_so() -> None:
    world = a_form()
    world.after(4.0, lambda w: w.elements.append(element("Ready", "label", (300, 10, 50, 20))))
    play(world, wait(desk_of(world), Wait(until=Shows("Ready"))))
    assert 4.0 <= world.clock < 8
    with pytest.raises(Missed, match="waited 2 s"):
        play(world, wait(desk_of(world), Wait(seconds=2, until=Shows("Never"))))


def test_things_are_counted_and_reckoned_with() -> None:
    world = World(
        *(element(str(n), "table cell", (10, 10 + 30 * n, 40, 20)) for n in (3, 8, 1)),
        element("12 × 3 =", "label", (300, 10, 80, 20)),
    )
    desk = desk_of(world)
    for how, name in (("count", "N"), ("sum", "S"), ("greatest", "G"), ("solve", "X")):
        play(world, compute(desk, Compute(how, "the cells", name)))  # type: ignore[arg-type]
    assert desk.names == {"N": "3", "S": "12", "G": "8", "X": "36"}


# Comparing


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
def test_numbers_are_compared_as_numbers(one: int, two: int) -> None:
    assert compare(str(one), "less", str(two)) is (one < two)
    assert compare(str(one), "equals", f" {one}.0 ")
    assert read_number(f"{one:,}") == one


def test_texts_that_are_no_numbers_are_not_less_or_greater() -> None:
    with pytest.raises(Missed, match="not two numbers"):
        compare("many", "less", "12")
    with pytest.raises(Missed, match="not a regular expression"):
        compare("x", "matches", "(")


# Calculations


@given(st.integers(0, 999), st.integers(0, 999), st.sampled_from("+-×*"))
def test_a_calculation_is_worked_out(one: int, two: int, sign: str) -> None:
    wanted = {"+": one + two, "-": one - two}.get(sign, one * two)
    assert solve(f"{one} {sign} {two} =") == wanted
    assert solve(f"{one} {sign} {two} = ?") == wanted


@given(st.integers(-99, 99), st.integers(1, 20), st.integers(-99, 99))
def test_an_unknown_is_found(x: int, slope: int, rest: int) -> None:
    sign = "+" if rest >= 0 else "-"
    assert solve(f"{slope}x {sign} {abs(rest)} = {slope * x + rest}") == pytest.approx(x)


@given(st.text(max_size=40))
def test_any_text_is_a_calculation_or_is_not(text: str) -> None:
    value = solve(text)
    assert value is None or isinstance(value, float | int)


def test_a_calculation_is_found_among_texts() -> None:
    assert find_equation(["Math", "3 + 4 =", "Submit", "2024-05-01", "call 5"]) == "3 + 4 ="
    assert solve("3x4") == 12
    assert solve("1 / 0 =") is None
    assert plain(7.0) == "7"
    assert plain(2.5) == "2.5"


# Names


@given(st.dictionaries(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True), st.text()))
def test_names_in_braces_are_filled_in(names: dict[str, str]) -> None:
    text = "".join(f"<{{{name}}}>" for name in names)
    assert fill(text, names) == "".join(f"<{value}>" for value in names.values())


def test_a_name_that_is_not_known_is_told_and_other_braces_stay() -> None:
    with pytest.raises(Missed, match="nothing is remembered as WHO; remembered: A"):
        fill("Dear {WHO}", {"A": "1"})
    assert fill('{} {"a": 1} { x }', {}) == '{} {"a": 1} { x }'


def test_names_are_filled_into_steps_and_conditions() -> None:
    step = fill_step(Enter("{A}", "the {B} field", words="{A}"), {"A": "1", "B": "Name"})
    assert step == Enter("1", "the Name field", words="{A}")
    condition = fill_condition(Every((Has("x", "{A}"), Not(Shows("{B}")))), {"A": "1", "B": "2"})
    assert condition == Every((Has("x", "1"), Not(Shows("2"))))


def test_what_is_greyed_out_is_read_at_once() -> None:
    world = World(element("Total", "entry", (10, 10, 100, 20), "focusable", value="$250"))
    desk = desk_of(world)
    play(world, read(desk, Read("the Total field", "SUM")))
    assert desk.names["SUM"] == "$250"
    assert world.done == []


def test_what_a_label_says_is_what_is_in_the_field_or_drop_down_it_labels() -> None:
    world = World(
        element("", "label", (10, 10, 600, 20), value="Select a speed", id="l"),
        element("Select a speed", "static", (10, 10, 120, 20), parent="l"),
        element("", "combo box", (10, 32, 200, 24), "has popup", id="c"),
        element("Faster", "static", (14, 34, 60, 20), parent="c"),
    )
    assert play(world, holds(desk_of(world), Has('"Select a speed"', "Faster")))[0]  # type: ignore[index]
    assert not play(world, holds(desk_of(world), Has('"Select a speed"', "Slower")))[0]  # type: ignore[index]


@pytest.mark.parametrize("what", ["页面上的某个输入框", "any field", "one of the fields"])
def test_any_of_the_fields_may_hold_it(what: str) -> None:
    world = World(
        element("Date", "entry", (10, 10, 120, 20), "editable", value="12/24/2026"),
        element("", "entry", (10, 50, 200, 20), "editable", value="Thursday, 24 December, 2026"),
    )
    wanted = Has(what, "Thursday, 24 December, 2026")
    assert play(world, holds(desk_of(world), wanted)) == (True, ANY)
    assert play(world, holds(desk_of(world), Has(what, "Friday"))) == (False, ANY)


@pytest.mark.parametrize(
    ("what", "so"),
    [
        ('"This is a confirmation page"', True),
        ("the text \"press 'Apply' to apply changes\"", True),
        ('"This is a conf"', False),
        ('the "This is a confirmation page" button', False),
    ],
)
def test_a_text_shows_what_it_says_though_it_is_called_otherwise(what: str, so: bool) -> None:
    said = "This is a confirmation page, press 'Apply' to apply changes"
    world = World(element("Confirmation", "label", (10, 10, 400, 20), value=said))
    assert play(world, holds(desk_of(world), Shows(what)))[0] is so  # type: ignore[index]


def test_a_text_that_is_called_otherwise_is_not_absent() -> None:
    world = World(element("Confirmation", "label", (10, 10, 400, 20), value="Apply the changes"))
    denied = Not(Shows('"Apply the changes"'))
    assert not play(world, holds(desk_of(world), denied))[0]  # type: ignore[index]
