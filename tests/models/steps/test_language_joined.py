"""Two instructions in one breath are the two instructions, however they are joined."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from carrel.models.steps.language import read_sentence, write_program

CLAUSES = (
    "click Save",
    'click the "Add to cart" button',
    "type Anna Berg into the Name field",
    'enter "a@b.no" in "Email"',
    "choose Red from the Color list",
    "select Norway in the Country drop-down",
    'tick "I agree"',
    "untick the Newsletter box",
    "press Enter",
    "press Ctrl+S",
    'scroll to "Payment"',
    "wait 2 seconds",
    'wait until "Done" is shown',
    'verify that "Saved" is visible',
    "check that the Total field equals 42",
    "open the File menu",
    "clear the Search field",
    "set the quantity to 3",
    "drag Ann to Done",
    "hover over Help",
    "double-click report.txt",
    "close the dialog",
    'switch to the "Notes" window',
    "choose the date 2027-03-18",
    "read the price and remember it as PRICE",
    "make sure the Submit button is disabled",
    "go back",
    "delete the second row",
)
JOINTS = (
    "{0} and {1}",
    "{0}, then {1}",
    "{0} and then {1}",
    "{0}; {1}",
    "First {0}, then {1}.",
    "{0}. {2}.",
    "Please {0}, and {1}.",
)


@cache
def written(said: str) -> str:
    return write_program(read_sentence(said))


@given(st.lists(st.sampled_from(CLAUSES), min_size=2, max_size=2, unique=True), st.data())
def test_what_is_joined_is_done_one_after_the_other(pair: list[str], data: st.DataObject) -> None:
    first, second = pair
    joint = data.draw(st.sampled_from(JOINTS))
    said = joint.format(first, second, second[0].upper() + second[1:])
    assert written(said) == written(first) + written(second)
