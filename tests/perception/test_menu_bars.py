"""Bars of menus that only the pixels tell of."""

from __future__ import annotations

from carrel.frames import Element, Window
from carrel.geometry import Box, Size
from carrel.perception.merging import merge
from carrel.perception.ocr import Line, Word

SIZE = Size(800, 600)
WINDOW = Window(1, "Shell", Box(100, 50, 500, 400), "Toplevel", focused=True)


def line(*titles: str, y: int = 55) -> Line:
    words = tuple(Word(title, Box(110 + 60 * n, y, 30, 16)) for n, title in enumerate(titles))
    box = Box(110, y, 60 * len(titles) - 30, 16)
    return Line(" ".join(titles), box, 0.99, words)


def merged(text: Line, top: int = 51) -> list[tuple[str, str]]:
    entry = Element("d1", "entry", "", box=Box(100, top, 500, 26), source="detector")
    found = merge({"detector": [entry]}, SIZE, [WINDOW], [text])
    return [(e.role, e.name or e.value or "") for e in found]


def test_titles_along_the_top_of_a_window_are_no_field() -> None:
    found = merged(line("File", "Edit", "Help"))
    assert found == [("label", "File"), ("label", "Edit"), ("label", "Help")]


def test_what_is_written_in_a_field_stays_in_it() -> None:
    assert merged(line("one", "two", "three")) == [("entry", "one two three")]


def test_a_field_further_down_is_no_bar() -> None:
    text = line("File", "Edit", "Help", y=205)
    assert merged(text, top=200) == [("entry", "File Edit Help")]


def bar(holder: str, role: str, y: int, *titles: str) -> list[Element]:
    menus = [
        Element(f"{holder}{n}", "menu", title, box=Box(40 * n, y, 40, 20), parent=holder)
        for n, title in enumerate(titles)
    ]
    return [Element(holder, role, "", box=Box(0, y, 400, 20)), *menus]


def test_menus_that_are_told_twice_are_those_of_the_bar() -> None:
    titles = ("File", "Edit", "Data")
    tree = [*bar("b", "menu bar", 0, *titles), *bar("p", "root pane", 25, *titles)]
    found = merge({"tree": tree}, SIZE)
    assert [e.box for e in found if e.name == "Data"] == [Box(80, 0, 40, 20)]


def test_other_menus_beside_a_bar_stay() -> None:
    tree = [*bar("b", "menu bar", 0, "File", "Edit", "Data"), *bar("p", "panel", 25, "Data")]
    found = merge({"tree": tree}, SIZE)
    assert len([e for e in found if e.name == "Data"]) == 2
