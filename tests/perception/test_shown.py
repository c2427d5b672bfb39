"""What is read on things that are called by more than they show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from screens import Screen

from carrel.frames import Element
from carrel.perception._names import words_of
from carrel.perception.shown import as_shown


def shown(role: str, name: str, *texts: tuple[str, tuple[int, int, int, int]]) -> Element:
    screen = Screen()
    holder = screen.add(role, name, (10, 10, 200, 30))
    for text, box in texts:
        screen.add("static", text, box, parent=holder)
    return as_shown(screen.elements)[0]


IN = (12, 12, 80, 18)


@pytest.mark.parametrize(
    ("role", "name", "texts", "expected"),
    [
        ("push button", "Edit Ann", (("Edit", IN),), ("Edit Ann", "Edit")),
        ("column header", "Age: sort", (("Age", IN),), ("Age", "")),
        ("link", "Home", (("Home", IN),), ("Home", "")),
        ("link", "Close", (("×", IN),), ("Close", "")),
        ("link", "Editor", (("Edit", IN),), ("Editor", "")),
        ("link", "New (current)", (("New", IN), ("(current)", (12, 12, 1, 1))), None),
        ("link", "New (current)", (("New", IN), ("(current)", (-900, 12, 80, 18))), None),
        ("heading", "Age: sort", (("Age", IN),), ("Age: sort", "")),
    ],
)
def test_what_is_shown_of_a_name_is_told(
    role: str,
    name: str,
    texts: tuple[tuple[str, tuple[int, int, int, int]], ...],
    expected: tuple[str, str] | None,
) -> None:
    element = shown(role, name, *texts)
    assert (element.name, element.text) == (expected or (name, "New"))


_NAMES = st.text("ab :.", max_size=12)


@given(st.lists(st.tuples(st.sampled_from(["link", "static", "column header"]), _NAMES)))
def test_nothing_else_is_changed_and_once_is_enough(parts: list[tuple[str, str]]) -> None:
    screen = Screen()
    parent: Element | None = None
    for role, name in parts:
        parent = screen.add(role, name, IN, parent=parent)
    once = as_shown(screen.elements)
    assert [e.id for e in once] == [e.id for e in screen.elements]
    for new, old in zip(once, screen.elements, strict=True):
        assert set(words_of(new.name)) <= set(words_of(old.name))
    assert as_shown(once) == once
