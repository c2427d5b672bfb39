from __future__ import annotations

import pytest

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.find import find


def read(name: str, x: int, y: int, width: int) -> Element:
    return Element(f"{name}-{y}", "label", name, box=Box(x, y, width, 14), source="ocr")


FOLDER = [
    read("Archive", 504, 304, 53),
    read("draft.txt", 596, 304, 56),
    read("minutes-202", 676, 305, 84),
    read("photo.png", 779, 304, 67),
    read("5.txt", 702, 323, 33),
]


@pytest.mark.parametrize(
    "words", ["minutes-2025.txt", "the file minutes-2025.txt", "minutes-2025.txt 文件"]
)
def test_a_name_below_an_icon_is_known_that_had_to_be_broken(words: str) -> None:
    found = find(FOLDER, words)
    assert found.sure
    assert found.matches[0].point == Box(676, 305, 84, 32).center


@pytest.mark.parametrize("words", ["minutes-202.txt", "minutes-2025.png", "draft.txt 5.txt"])
def test_lines_that_say_other_letters_are_no_such_name(words: str) -> None:
    assert not find(FOLDER, f'"{words}"').sure


def test_lines_that_do_not_stand_below_each_other_are_two_names() -> None:
    assert not find(
        [read("minutes-202", 676, 305, 84), read("5.txt", 780, 323, 33)], "minutes-2025.txt"
    ).sure
