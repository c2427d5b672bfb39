"""Boxes that a program tells wrongly."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from carrel.geometry import Box
from carrel.guest._placing import set_right


@dataclass
class Part:
    role: str
    box: Box | None
    children: list[Part] = field(default_factory=list)


def office(menu: int) -> tuple[Part, Part, Part]:
    """A window with a menu bar; a button that it draws, and one that the toolkit draws."""
    drawn = Part("push button", Box(40, 20, 24, 24))
    native = Part("push button", Box(40, 500 + menu, 24, 24))
    bar = Part(
        "panel", Box(0, 500, 200, 30), [Part("panel", Box(0, 500 + menu, 200, 30), [native])]
    )
    pane = Part("root pane", Box(0, 0, 800, 600 - menu), [drawn, bar])
    window = Part(
        "frame", Box(0, 0, 800, 600), [Part("panel", Box(0, menu, 800, 600 - menu), [pane])]
    )
    return window, drawn, native


@given(st.integers(3, 80))
def test_what_is_told_beside_its_place_is_moved_and_nothing_else(menu: int) -> None:
    window, drawn, native = office(menu)
    set_right(window)
    assert drawn.box == Box(40, 20 + menu, 24, 24)
    assert native.box == Box(40, 500 + menu, 24, 24)
    assert window.box == Box(0, 0, 800, 600)


def test_a_tree_that_is_right_stays_as_it_is() -> None:
    window, drawn, native = office(0)
    set_right(window)
    assert (drawn.box, native.box) == (Box(40, 20, 24, 24), Box(40, 500, 24, 24))


def test_what_has_no_box_is_passed_over() -> None:
    inner = Part("push button", Box(5, 5, 9, 9))
    pane = Part("root pane", Box(0, 0, 90, 90), [Part("filler", None, [inner])])
    set_right(Part("panel", Box(0, 25, 90, 90), [pane]))
    assert inner.box == Box(5, 30, 9, 9)
