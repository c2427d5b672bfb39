"""Words that lean on what was said before, or on the goal; names that hold small words."""

from __future__ import annotations

import pytest

from carrel.models.steps.language import read_sentence, write_step
from carrel.models.steps.program import Unclear

NEEDED = 'type "Milk" into the "What?" field'


@pytest.mark.parametrize(
    ("sentence", "steps"),
    [
        (
            (
                'Verify that the message "Choose two" appears. '
                "Tick Java and make sure that message is no longer visible"
            ),
            [
                'verify that the message "Choose two" is visible',
                "tick Java",
                'verify that not (the message "Choose two" is visible)',
            ],
        ),
        (
            'Wait until "Saved" is shown. Check that this message disappears',
            ['wait until "Saved" is visible', 'verify that not ("Saved" is visible)'],
        ),
        ("Verify that the message is shown", ["verify that the message is visible"]),
        (
            'Check that "Opt" is enabled. Tick it too',
            ['verify that "Opt" is enabled', 'tick "Opt"'],
        ),
        (
            (
                'Add the task "Milk" by typing it into the "What?" field and pressing Enter, '
                'then add "Eggs" the same way'
            ),
            [
                NEEDED,
                "press the keys enter",
                NEEDED.replace("Milk", "Eggs"),
                "press the keys enter",
            ],
        ),
        (
            "Scroll down to the Animal field and choose Kangaroo from it",
            [
                "scroll down until the Animal field is visible",
                "choose Kangaroo from the Animal field",
            ],
        ),
        ("Expand Ann's row by clicking the plus sign next to her name", ["expand Ann's row"]),
        ("From the File menu choose Export as PDF", ["choose Export as PDF from the File menu"]),
        ("Go one step back with the Previous button", ["click the Previous button"]),
        ("Go back with the Previous button", ["click the Previous button"]),
        ("Go into the Docs folder", ["open the Docs folder"]),
        ("Go to page 2 of the table", ["click page 2"]),
        ("Give it a basic star rating of 4 stars", ['set the basic star rating to "4 stars"']),
        ("Click the × that appears", ["click the ×"]),
        (
            "In the dialog that opens, click No. Make sure the dialog has closed",
            ["in the dialog, click No", "verify that not (the dialog is visible)"],
        ),
        ("Open invoice No. 5", ["open invoice No. 5"]),
        (
            'Verify that "A" is not in the list and "B" is',
            ['verify that all of (not ("A" in the list is visible)), ("B" in the list is visible)'],
        ),
        (
            'Verify that "A" is not shown, but "B" is',
            ['verify that all of (not ("A" is visible)), ("B" is visible)'],
        ),
    ],
)
def test_what_was_said_before_is_meant(sentence: str, steps: list[str]) -> None:
    assert [write_step(step) for step in read_sentence(sentence).steps] == steps


def test_a_way_that_was_not_told_is_unclear() -> None:
    steps = read_sentence('Add "Eggs" the same way').steps
    assert any(isinstance(step, Unclear) for step in steps)
