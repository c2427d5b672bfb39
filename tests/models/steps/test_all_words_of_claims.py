"""A control that a claim tells by what it is for, and by the line that it stands in."""

from __future__ import annotations

import pytest
from steps_world import World, element
from test_verbs_slots import page, played


def thermostat(*states: str) -> World:
    return page(
        element("", "section", (10, 80, 780, 100), id="part"),
        element("Target temperature", "static", (20, 100, 120, 18), parent="part"),
        element("Lower", "push button", (700, 98, 24, 22), parent="part"),
        element("Raise", "push button", (760, 98, 24, 22), *states, parent="part"),
        element("Fan speed", "static", (20, 140, 120, 18), parent="part"),
        element("Faster", "push button", (760, 138, 24, 22), parent="part"),
    )


@pytest.mark.parametrize(
    "said", ["the button to raise the temperature", "the raise temperature button"]
)
def test_whether_it_can_be_used_is_told_of_the_control_that_all_words_tell(said: str) -> None:
    assert played(thermostat(), f"Verify that {said} is enabled").account is None
    assert played(thermostat("disabled"), f"Verify that {said} is disabled").account is None
    assert played(thermostat(), f"Verify that {said} is disabled").account is not None
    assert played(thermostat("disabled"), f"Verify that {said} is enabled").account is not None


def test_a_word_that_nothing_says_leaves_the_claim_untold() -> None:
    world = thermostat("disabled")
    claim = "Verify that the button to raise the humidity is disabled"
    assert played(world, claim).account is not None
