"""How testers put steps together: the same way again, places, purposes, what is left out."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

from carrel.errors import InvalidInput
from carrel.models.steps import program as p
from carrel.models.steps.language import read_file, read_sentence

SENTENCES = corpus("english_said_by_testers.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_a_tester_says_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        'Add "x" the same way',
        "Add a second and a third guest in the same way",
        'Click "Save". Close the dialog in the same way.',
        # "Price" may be another text, or the name of another field.
        "Type 5 into the Amount field. Do the same for Price.",
        'Type "a" into the From field and "b" into the To field. Add "c" in the same way.',
        "Click Filter so that only open tickets are shown",
        "Resize the window so that it fills the left half of the screen",
        "Enter 45 minus 17 using the on-screen keypad",
        "Then there should be two fewer rows than before",
        'Nothing should be listed under "Recent"',
    ],
)
def test_what_is_not_clear_is_not_guessed(said: str) -> None:
    assert is_refused(said)


def _read(*lines: str) -> tuple[p.Step, ...]:
    (program,) = read_file("Scenario: one\n" + "\n".join(f"    {line}" for line in lines))
    return program.steps


def test_the_same_way_is_that_of_the_line_before_which_did_something() -> None:
    steps = _read(
        "Click Clear",
        'Type "Tea" into the Item field and press Enter',
        'Verify that "Tea" is listed',
        'Add "Rice" in the same way',
    )
    assert [type(step) for step in steps[-2:]] == [p.Enter, p.Press]
    again = steps[-2]
    assert isinstance(again, p.Enter)
    assert (again.text, again.into, again.line) == ("Rice", "the Item field", 5)
    assert again.words == 'Add "Rice" in the same way'


def test_what_was_done_for_several_is_done_once_more_as_the_last_time() -> None:
    steps = _read(
        'Type "a" into the Item field and press Enter',
        'Add "b" and "c" in the same way',
        'Add "d" in the same way',
    )
    assert [step.text for step in steps if isinstance(step, p.Enter)] == ["a", "b", "c", "d"]
    assert len(steps) == 8


def test_a_way_that_no_line_told_is_refused_with_its_words() -> None:
    with pytest.raises(InvalidInput, match="in which way"):
        _read('Verify that "Tea" is listed', 'Add "Rice" in the same way')


def test_a_result_is_gone_on_with_only_where_a_calculator_showed_it() -> None:
    steps = read_sentence("Open the shop. Multiply the result by 5.").steps
    assert not any(isinstance(step, p.Compute) for step in steps)


def test_an_order_is_clicked_for_until_it_is_there() -> None:
    (step,) = read_sentence("Click the Price heading so that the dearest item is on top").steps
    assert isinstance(step, p.Repeat)
    assert step.until == p.Sorted("Price", down=True)
