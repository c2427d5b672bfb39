"""Lines that stand as close as in a terminal: each is read, the short ones too."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from carrel.geometry import Size
from carrel.perception import Reader
from carrel.perception.view import View

SIZE = Size(640, 400)
PITCH = 14
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"


def shown(lines: list[str], number: int) -> View:
    """A window with lines of one terminal, from its upper left corner."""
    picture = Image.new("RGB", (SIZE.width, SIZE.height), "#334a5c")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((100, 80, 560, 360), fill="white", outline="black")
    font = ImageFont.truetype(FONT, 11)
    for row, line in enumerate(lines):
        pen.text((103, 83 + row * PITCH), line, "black", font)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return View(f"view {number}", SIZE, file.getvalue)


@pytest.fixture(scope="module")
def read() -> list[list[str]]:
    """What is read of a terminal while commands are run in it, look by look."""
    said = ["agent@desk:~$ ls /srv | wc -l", "3", "agent@desk:~$ ls /etc | wc -l", "71"]
    said += ["agent@desk:~$ echo done", "done", "agent@desk:~$"]
    reader = Reader()
    views = [shown(said[:rows], rows) for rows in (1, 3, 5, 7)]
    return [[line.text for line in reader.read(view)] for view in views]


def test_a_single_figure_between_two_lines_is_read(read: list[list[str]]) -> None:
    assert all("3" in lines for lines in read[1:])


def test_short_lines_are_read_in_their_order(read: list[list[str]]) -> None:
    assert [line for line in read[-1] if "@" not in line] == ["3", "71", "done"]


def test_no_line_is_read_twice_or_taken_for_two(read: list[list[str]]) -> None:
    assert [len(lines) for lines in read] == [1, 3, 5, 7]
