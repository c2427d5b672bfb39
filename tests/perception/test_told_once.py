"""What the browser names and the tree does not, and what both name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from carrel.frames import Element, Source, Window
from carrel.geometry import Box, Size
from carrel.perception.find import find
from carrel.perception.merging import merge

SIZE = Size(1000, 700)
WINDOW = Window(1, "Shop", Box(0, 0, 1000, 700))


def el(
    name: str, role: str, label: str, box: tuple[int, int, int, int], parent: str | None = None
) -> Element:
    return Element(name, role, label, None, Box(*box), ("enabled", "sensitive"), parent)


def told(
    tree: list[Element], browser: list[Element], seen: tuple[Element, ...] = ()
) -> tuple[Element, ...]:
    groups: dict[Source, list[Element]] = {
        "tree": tree,
        "browser": [_from("browser", element) for element in browser],
        "detector": [_from("detector", element) for element in seen],
    }
    return merge(groups, SIZE, (WINDOW,))


def _from(source: Source, element: Element) -> Element:
    return replace(element, source=source)


FRAME = el("e1", "frame", "Shop", (0, 0, 1000, 700))
PAGE = el("e2", "document web", "Shop", (0, 50, 1000, 650), "e1")
BAR = el("e3", "section", "", (10, 100, 300, 40), "e2")
SAVE = el("e4", "push button", "Save", (10, 100, 100, 40), "e3")
TOLD_PAGE = el("b1", "document web", "Shop", (0, 50, 1000, 650))
TOLD_BAR = el("b2", "section", "", (10, 100, 300, 40), "b1")


def by_id(elements: tuple[Element, ...], name: str) -> Element:
    return next(element for element in elements if element.id == name)


def test_what_only_the_browser_names_hangs_where_its_parent_is_in_the_tree() -> None:
    arrow = el("b3", "push button", "", (110, 100, 30, 40), "b2")
    found = told([FRAME, PAGE, BAR, SAVE], [TOLD_PAGE, TOLD_BAR, arrow])
    assert by_id(found, "browser-b3").parent == "e3"


def test_of_wrappers_at_one_place_it_hangs_in_the_innermost() -> None:
    inner = el("e5", "section", "", (10, 100, 300, 40), "e3")
    arrow = el("b3", "push button", "", (110, 100, 30, 40), "b2")
    found = told([FRAME, PAGE, BAR, inner], [TOLD_PAGE, TOLD_BAR, arrow])
    assert by_id(found, "browser-b3").parent == "e5"


def test_what_only_the_browser_names_is_as_good_as_what_the_tree_names() -> None:
    text = el("e5", "static", "Search", (150, 110, 60, 20), "e3")
    arrow = el("b3", "push button", "", (110, 100, 30, 40), "b2")
    found = told([FRAME, PAGE, BAR, SAVE, text], [TOLD_PAGE, TOLD_BAR, arrow])
    best = find(found, "the button left of Search").best
    assert best is not None
    assert best.element.id == "browser-b3"


@pytest.mark.parametrize("wide", [True, False])
def test_a_text_and_the_room_it_has_are_one(wide: bool) -> None:
    letters, room = (20, 110, 40, 20), (10, 100, 300, 40)
    tree = el("e5", "static", "Total", letters if wide else room, "e3")
    page = el("b3", "static", "Total", room if wide else letters, "b2")
    found = told([FRAME, PAGE, BAR, tree], [TOLD_PAGE, TOLD_BAR, page])
    assert [element.id for element in found if element.name == "Total"] == ["e5"]


def test_the_frame_of_a_room_for_a_text_is_nothing_more() -> None:
    tree = el("e5", "static", "Total", (20, 110, 40, 20), "e3")
    page = el("b3", "static", "Total", (15, 102, 100, 36), "b2")
    frame = el("d1", "push button", "", (15, 102, 100, 36))
    found = told([FRAME, PAGE, BAR, tree], [TOLD_PAGE, TOLD_BAR, page], (frame,))
    assert not [element for element in found if element.role == "push button"]


def test_other_words_in_the_same_room_are_kept() -> None:
    tree = el("e5", "static", "Total", (20, 110, 40, 20), "e3")
    page = el("b3", "static", "Total sum", (10, 100, 300, 40), "b2")
    found = told([FRAME, PAGE, BAR, tree], [TOLD_PAGE, TOLD_BAR, page])
    assert {"Total", "Total sum"} <= {element.name for element in found}


FIELD = el("d1", "entry", "", (400, 300, 200, 30))


def test_a_frame_on_a_page_that_tells_its_fields_is_no_field() -> None:
    found = told([FRAME, PAGE], [TOLD_PAGE], (FIELD,))
    assert not [element for element in found if element.role == "entry"]


def test_a_field_that_is_drawn_on_a_canvas_is_one() -> None:
    canvas = el("b2", "canvas", "", (300, 200, 500, 300), "b1")
    found = told([FRAME, PAGE], [TOLD_PAGE, canvas], (FIELD,))
    assert [element for element in found if element.role == "entry"]


def test_a_field_of_a_window_over_the_page_is_one() -> None:
    over = Window(2, "Note", Box(350, 250, 400, 300))
    groups: dict[Source, list[Element]] = {
        "tree": [FRAME, PAGE],
        "browser": [_from("browser", TOLD_PAGE)],
        "detector": [_from("detector", FIELD)],
    }
    found = merge(groups, SIZE, (WINDOW, over))
    assert [element for element in found if element.role == "entry"]


def test_a_field_is_kept_where_no_browser_tells_anything() -> None:
    found = told([FRAME], [], (FIELD,))
    assert [element for element in found if element.role == "entry"]


def test_the_arrow_on_a_drop_down_is_a_part_of_it() -> None:
    combo = el("e5", "combo box", "Right", (10, 200, 300, 34), "e3")
    arrow = el("d1", "icon", "", (290, 212, 12, 7))
    found = told([FRAME, PAGE, combo], [], (arrow,))
    assert not [element for element in found if element.role == "icon"]
