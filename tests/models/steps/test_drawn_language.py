"""Words about drawn things, games, examples: what they are read as."""

from __future__ import annotations

import pytest

from carrel.models.steps.language import read_sentence, write_step
from carrel.models.steps.program import (
    Answer,
    Compute,
    Draw,
    Imitate,
    Noughts,
    Point,
    Step,
    Unclear,
)
from carrel.models.steps.spots import is_spot


def kinds(text: str) -> list[type[Step]]:
    return [type(step) for step in read_sentence(text).steps]


@pytest.mark.parametrize(
    "text",
    [
        "Click the answer that tells how many green stars there are.",
        "Pick the option which shows how many edges the figure has",
        "Press the button that gives the number of black dots",
    ],
)
def test_a_control_that_tells_a_number_is_an_answer_to_be_worked_out(text: str) -> None:
    assert kinds(text) == [Compute, Answer]


@pytest.mark.parametrize(
    "text",
    [
        "Click on the word that names the drawing above",
        "Choose the label which fits the shape best",
        "Select the button that identifies the symbol in the middle",
    ],
)
def test_a_control_that_names_a_figure_is_chosen_by_its_kind(text: str) -> None:
    first, second = read_sentence(text).steps
    assert isinstance(first, Compute)
    assert first.how == "kind"
    assert isinstance(second, Answer)


@pytest.mark.parametrize(
    "text",
    [
        "Place a point so that a right angle is formed",
        "Draw a line which cuts the angle in half",
        "Add another dot to make a right angle with the segment",
        "Create a ray that bisects the angle",
    ],
)
def test_what_completes_a_figure_is_drawn(text: str) -> None:
    assert kinds(text) == [Draw]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Play noughts and crosses as O.", "O"),
        ("Win a round of tic tac toe with the X", "X"),
        ("Playing as O, beat the computer at Tic-Tac-Toe", "O"),
        ("Finish this game of noughts & crosses", "X"),
    ],
)
def test_a_game_of_noughts_and_crosses_is_played(text: str, mark: str) -> None:
    (step,) = read_sentence(text).steps
    assert isinstance(step, Noughts)
    assert step.mark == mark


@pytest.mark.parametrize(
    "text",
    [
        "Tick the checkboxes as shown in the picture on the left",
        "Reproduce the letter in the check boxes according to the pattern above",
        "Fill in the boxes following the sample below",
    ],
)
def test_boxes_are_set_after_an_example(text: str) -> None:
    assert kinds(text) == [Imitate]


@pytest.mark.parametrize(
    "text",
    ["Catch as many fish as you can", "Click as many of the moving stars as possible"],
)
def test_things_that_come_and_go_are_caught(text: str) -> None:
    (step,) = read_sentence(text).steps
    assert isinstance(step, Point)
    assert step.stay


@pytest.mark.parametrize(
    "step",
    [
        Noughts("O"),
        Noughts(),
        Imitate("the boxes", "the picture on the left"),
        Compute("kind", "the figure", "it"),
        Point("red balls", stay=True),
        Draw("a point to make a right angle"),
    ],
)
def test_such_steps_are_written_as_they_are_read(step: Step) -> None:
    (again,) = read_sentence(write_step(step)).steps
    assert not isinstance(again, Unclear)
    assert write_step(again) == write_step(step)
    assert type(again) is type(step)


@pytest.mark.parametrize(
    "phrase",
    [
        "the middle of the two dots", "the midpoint between A and B", "the centre of the circle",
        "the point (3, -2) on the graph", "grid coordinate (0,1)", "coordinates (1.5, 2)",
        "the half-way point between the crosses",
    ],
)  # fmt: skip
def test_places_that_follow_from_things(phrase: str) -> None:
    assert is_spot(phrase)


@pytest.mark.parametrize("phrase", ["(40, 50)", "the Save button", "the middle button", "the list"])
def test_things_and_pixels_are_no_such_places(phrase: str) -> None:
    assert not is_spot(phrase)
