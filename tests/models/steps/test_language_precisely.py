"""English said precisely, or not precisely enough: which thing, which text, until when."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written


@pytest.mark.parametrize(("said", "steps"), corpus("english_precisely.txt"))
def test_a_precise_sentence_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "value",
    [
        "half of {stock}",
        "{stock} minus 1",
        "twice {stock}",
        "10% of {stock}",
        "{stock} / 2",
        "{stock} plus {more}",
    ],
)
@pytest.mark.parametrize(
    "said", ["Enter {value} into the Quantity field", "Set the quantity to {value}"]
)
def test_what_would_have_to_be_worked_out_is_never_typed(said: str, value: str) -> None:
    assert is_refused(said.replace("{value}", value))


@pytest.mark.parametrize(
    ("value", "text"),
    [("{first}-{last}", "{first}-{last}"), ('"{stock} minus 1"', "{stock} minus 1")],
)
def test_what_was_remembered_may_stand_in_a_text(value: str, text: str) -> None:
    assert written(f"Enter {value} into the Note field") == f'type "{text}" into the Note field'


@pytest.mark.parametrize(
    "said",
    [
        "Enter the password I always use",
        "Type the code you received into the Code field",
        "Open the calculator and work out 12 × 7",
        "Click Save so that the changes are kept",
        "Is it raining?",
        "Delete these three emails",
        "Verify that the Save button is disabled for guests",
        "Copy the order number and search for it",
        'Write "Total" in cell A10 and the result in B10',
        "Starting with row 3, tick every row",
        "The total should equal the subtotal plus shipping",
        "The product of price and quantity should equal the total",
        "Add up the prices in the cart and compare with the total",
        "There must not be two rows with the same ID",
        "Each price should have two decimals",
    ],
)
def test_what_only_somebody_knows_is_refused(said: str) -> None:
    assert is_refused(said)
