"""What is made in a file manager, and what its dialog for the name gets."""

from __future__ import annotations

import pytest

from carrel.frames import Window
from carrel.geometry import Box
from carrel.models.steps.program import Perform
from carrel.models.steps.verbs.filing import _named

FRONT = Window(1, "Documents", Box(0, 0, 600, 400), "pcmanfm", focused=True)


@pytest.mark.parametrize(
    ("details", "made"),
    [
        ((("called", "Invoices"),), ("a new folder", "Invoices")),
        ((("called", "Invoices"), ("in", "the file manager")), ("a new folder", "Invoices")),
        ((("called", '"Invoices 2026"'), ("in", "Documents")), ("a new folder", "Invoices 2026")),
        ((("in", "the file manager"),), ("a new folder", "")),
        ((("called", "Invoices"), ("in", "Pictures")), None),
        ((("called", "Invoices"), ("by", "Ann")), None),
    ],
)
def test_a_name_is_known_beside_where_it_is_and_what_says_more_is_left_alone(
    details: tuple[tuple[str, str], ...], made: tuple[str, str] | None
) -> None:
    assert _named(Perform("create", "a new folder", details), FRONT) == made
