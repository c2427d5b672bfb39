"""Switches that are only drawn."""

from __future__ import annotations

import numpy as np
import pytest

from carrel.geometry import Box
from carrel.perception._pills import find_switch, is_pill

BOX = Box(20, 20, 40, 22)


def drawn(knob: int | None, track: tuple[int, int, int] = (120, 120, 120)) -> np.ndarray:
    """A pill on a dark ground, with a white knob from a column on."""
    pixels = np.full((60, 100, 3), 24, dtype=np.uint8)
    pixels[20:42, 20:60] = track
    if knob is not None:
        pixels[23:39, 20 + knob : 36 + knob] = 255
    return pixels


@pytest.mark.parametrize(("knob", "on"), [(3, False), (21, True)])
def test_the_knob_tells_whether_it_is_on(knob: int, on: bool) -> None:
    assert find_switch(drawn(knob), BOX) is on
    assert find_switch(drawn(knob, (0, 102, 204)), BOX) is on


def test_what_has_no_knob_is_no_switch() -> None:
    assert find_switch(drawn(None), BOX) is None
    assert find_switch(drawn(12), BOX) is None


def test_only_a_pill_is_a_switch() -> None:
    assert is_pill(BOX)
    assert not is_pill(Box(0, 0, 200, 22))
    assert not is_pill(Box(0, 0, 22, 22))
