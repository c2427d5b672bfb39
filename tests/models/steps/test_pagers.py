"""Pages of a long list: controls that show a number, or are called by more."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element

from carrel.models.steps.shown.pagers import MORE, page_control, pager_to


def pager(form: str, role: str = "push button", on: str = "Next Page") -> World:
    page = element("List", "document web", (0, 0, 800, 600), id="p")
    pages = [
        element(form.format(n), role, (100 + 30 * n, 500, 24, 24), parent="p", id=f"n{n}")
        for n in (1, 2, 3)
    ]
    return World(page, *pages, element(on, at=(240, 500, 60, 24), parent="p"))


@pytest.mark.parametrize(
    ("form", "role", "on"),
    [
        ("{}", "push button", "Next"),
        ("Show Page {}", "push button", "Next Page"),
        ("Page {}", "link", "Next page"),
        ("第 {} 页", "list item", "下一页"),
    ],
)
def test_a_page_is_turned_to_whatever_its_number_is_called(form: str, role: str, on: str) -> None:
    desk = desk_of(pager(form, role, on))
    second, further = page_control(desk, 2), pager_to(desk, MORE)
    assert second is not None
    assert second.id == "n2"
    assert further is not None
    assert further.name == on


def test_numbers_of_something_else_are_no_pages() -> None:
    assert pager_to(desk_of(pager("Step {} of 3", on="Next")), MORE) is None
