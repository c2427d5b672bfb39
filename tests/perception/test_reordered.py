"""A control by the words of its name in another order, where nothing else can be meant."""

from __future__ import annotations

import pytest

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.find import find

SHOWN = ("enabled", "sensitive", "showing", "visible")


def a_bar(*names: str, role: str = "toggle button") -> list[Element]:
    return [
        Element(f"e{at}", role, name, None, Box(10 + 40 * at, 10, 30, 24), SHOWN)
        for at, name in enumerate(names)
    ]


@pytest.mark.parametrize("words", ["the bullet list button", "bullet list", "the Bullet List icon"])
def test_the_one_control_with_these_words_is_meant(words: str) -> None:
    found = find(a_bar("list: ordered", "list: bullet", "bold"), words)
    assert found.sure
    assert found.best is not None
    assert found.best.element.name == "list: bullet"


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("list: bullet", "Bullet-list"), "list bullet"),
        (("Insert bullet list",), "the list bullet button"),
        (("Euro to Dollar",), "the Dollar to Euro button"),
        (("Room 1 Floor 2",), "the Floor 1 Room 2 button"),
        (("list: bullet",), '"bullet list"'),
        (("list: bullet",), "the bullet list field"),
        (("Bold",), "the dolb button"),
    ],
)
def test_nothing_is_sure_where_the_order_counts_or_more_is_said(
    names: tuple[str, ...], words: str
) -> None:
    found = find(a_bar(*names), words)
    assert not found.sure or found.best is None or found.best.why != "called by the same words"


def test_what_is_called_so_in_this_order_comes_first() -> None:
    bar = a_bar("list: bullet", "Bullet list")
    found = find(bar, "the bullet list button")
    assert found.sure
    assert found.best is not None
    assert found.best.element.name == "Bullet list"


def test_a_mere_text_with_these_words_is_not_meant() -> None:
    assert not find(a_bar("list: bullet", role="label"), "the bullet list button").sure
