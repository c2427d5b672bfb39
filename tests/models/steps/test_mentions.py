"""What only speaks of a thing is not the thing; a heading that is a button heads nothing."""

from __future__ import annotations

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.accordions import covered
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.phrases.mentions import is_mention


def element(number: str, role: str, name: str, box: Box, parent: str | None = None) -> Element:
    return Element(number, role, name, box=box, parent=parent)


def test_a_word_of_a_sentence_is_a_mention_and_a_word_by_itself_is_none() -> None:
    page = [
        element("p", "section", "", Box(0, 0, 300, 20)),
        element("a", "static", "Choose the entry", Box(0, 0, 100, 12), "p"),
        element("b", "static", "Seven", Box(102, 0, 30, 12), "p"),
        element("q", "section", "", Box(0, 40, 300, 20)),
        element("c", "static", "Seven", Box(102, 40, 30, 12), "q"),
    ]
    tree = Lineage(page)
    assert [is_mention(e, tree) for e in page] == [False, False, True, False, False]


def test_texts_far_from_each_other_are_no_sentence() -> None:
    page = [
        element("p", "section", "", Box(0, 0, 300, 20)),
        element("a", "static", "Total of the order", Box(0, 0, 100, 12), "p"),
        element("b", "static", "Seven", Box(202, 0, 30, 12), "p"),
    ]
    assert not is_mention(page[2], Lineage(page))


def test_a_click_on_a_tab_that_would_press_a_button_in_it_is_seen_before() -> None:
    tab = element("t", "page tab", "Send", Box(0, 0, 100, 40))
    middle = element("b", "push button", "Send", Box(10, 5, 80, 30), "t")
    aside = element("b", "push button", "Close", Box(80, 5, 15, 15), "t")
    assert covered(tab, [tab, middle])
    assert not covered(tab, [tab, aside])
