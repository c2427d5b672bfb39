"""How options and arguments are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.cli import _types
from carrel.cli._places import read_place
from carrel.cli.forward import _ports
from carrel.errors import InvalidInput
from carrel.geometry import Box, Point

READERS = [_types.SIZE, _types.POINT, _types.BOX, _types.SECONDS, _types.MEMORY, _types.WINDOW]


@pytest.mark.parametrize(
    ("text", "megabytes"),
    [("2048", 2048), ("512MB", 512), ("4GB", 4096), ("4 gib", 4096), ("1T", 1 << 20), ("0", 0)],
)
def test_memory_is_read_in_the_units_people_write(text: str, megabytes: int) -> None:
    assert _types.MEMORY.read(text) == megabytes


@pytest.mark.parametrize("text", ["", "4PB", "-1", "1.5GB", "GB", "٤GB", "1e3", "9" * 10])
def test_other_amounts_of_memory_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        _types.MEMORY.read(text)


def test_points_and_boxes() -> None:
    assert _types.POINT.read("3, -4") == Point(3, -4)
    assert _types.BOX.read("1,2,3,4") == Box(1, 2, 3, 4)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
@given(text=st.text(st.characters(exclude_categories=()), max_size=40))
def test_any_text_is_a_value_or_an_error_that_helps(reader: _types._Type, text: str) -> None:
    try:
        reader.read(text)
    except InvalidInput as error:
        str(error).encode()


@given(st.lists(st.text(max_size=10), max_size=4))
def test_pairs_are_read_or_refused(pairs: list[str]) -> None:
    try:
        found = _types.parse_pairs(tuple(pairs))
    except InvalidInput:
        return
    assert all(f"{name}={value}" in pairs for name, value in found.items())


@pytest.mark.parametrize(
    ("text", "machine", "path"),
    [
        ("desk:/tmp/a", "desk", "/tmp/a"),
        ("desk:", "desk", ""),
        (":a", "", "a"),
        ("./a:b", None, "./a:b"),
        ("/a:b", None, "/a:b"),
        ("plain", None, "plain"),
        ("desk:a:b", "desk", "a:b"),
    ],
)
def test_an_end_of_a_copy(text: str, machine: str | None, path: str) -> None:
    place = read_place(text)
    assert (place.machine, place.path) == (machine, path)


def test_ports() -> None:
    assert (_ports("80").inside, _ports("80").local) == (80, None)
    assert (_ports("80:0").inside, _ports("80:0").local) == (80, 0)
    for text in ("0", "65536", "80:65536", "a", "80:", ":80", "1:2:3", "-1", ""):
        with pytest.raises(InvalidInput):
            _ports(text)
