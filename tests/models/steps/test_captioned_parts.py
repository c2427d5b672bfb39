"""Parts of a page that only a caption names: columns, boxes, lists, ratings, accordions."""

from __future__ import annotations

import pytest

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.language import read_sentence
from carrel.models.steps.layout.accordions import accordion_heads, head_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.layout.sections import listed_under, section_under
from carrel.models.steps.program import Choose, Read
from carrel.perception.roles import Kind


def _element(
    id_: str, role: str, box: tuple[int, int, int, int], name: str = "", parent: str | None = None
) -> Element:
    return Element(id_, role, name=name, box=Box(*box), parent=parent)


def _boxes() -> list[Element]:
    """Two titles in strips, each with its body below it, and nothing that holds both."""
    made = [_element("all", "section", (0, 0, 1000, 400))]
    for number, (title, x) in enumerate((("Square Rating", 0), ("Pill Rating", 500))):
        strip, body = f"s{number}", f"b{number}"
        made += [
            _element(strip, "section", (x, 0, 450, 50), parent="all"),
            _element(f"t{number}", "static", (x + 150, 12, 120, 25), title, strip),
            _element(body, "section", (x, 50, 450, 128), parent="all"),
            _element(f"l{number}", "link", (x + 100, 90, 30, 30), "4", body),
        ]
    return made


def test_a_strip_with_a_title_heads_what_lies_right_below_it() -> None:
    tree = Lineage(_boxes())

    for number in (0, 1):
        part = section_under(tree.by_id[f"t{number}"], tree)
        assert part is not None
        assert part.id == f"b{number}"


def test_a_list_is_named_by_the_title_right_above_it() -> None:
    tree = Lineage(
        [
            _element("all", "section", (0, 0, 700, 400)),
            _element("a", "static", (10, 10, 120, 20), "Available numbers", "all"),
            _element("b", "static", (390, 10, 120, 20), "Selected numbers", "all"),
            _element("one", "list", (0, 50, 300, 300), parent="all"),
            _element("two", "list", (380, 50, 300, 300), parent="all"),
        ]
    )

    found = [listed_under(tree.by_id[id_], (Kind.LIST,), tree) for id_ in ("a", "b")]

    assert [e.id if e else None for e in found] == ["one", "two"]


def _accordion() -> list[Element]:
    return [
        _element("list", "page tab list", (0, 0, 900, 175)),
        _element("1", "page tab", (0, 0, 900, 40), "First", "list"),
        _element("2", "page tab", (0, 41, 900, 40), "Second", "list"),
        _element("3", "page tab", (0, 82, 900, 40), "Third", "list"),
        _element("open", "scroll pane", (0, 122, 900, 53), "Third", "list"),
    ]


def test_headings_of_an_accordion_are_no_row_of_tabs() -> None:
    row = [
        _element("tabs", "page tab list", (0, 300, 300, 40)),
        _element("t1", "page tab", (0, 300, 100, 40), "First", "tabs"),
        _element("t3", "page tab", (200, 300, 100, 40), "Third", "tabs"),
    ]

    assert [e.id for e in accordion_heads([*_accordion(), *row])] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("phrase", "id_"),
    [
        ("the second heading of the accordion", "2"),
        ("the last section in the accordion", "3"),
        ("the fifth heading of the accordion", None),
        ("the second heading", None),
    ],
)
def test_a_heading_of_an_accordion_is_meant_by_its_number(phrase: str, id_: str | None) -> None:
    match = head_meant(_accordion(), phrase)

    assert (match.element.id if match else None) == id_


def test_where_a_drop_down_is_belongs_to_the_drop_down() -> None:
    said = 'choose Mercedes from the Volvo drop-down under "Single select.", and tell me'
    choose, read, _ = read_sentence(f"{said} what is selected there").steps

    assert isinstance(choose, Choose)
    assert choose.options == ("Mercedes",)
    assert choose.source == 'the Volvo drop-down under "Single select."'
    assert isinstance(read, Read)
    assert read.what == "there"
