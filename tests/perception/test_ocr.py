from __future__ import annotations

import logging
import socket
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from drawn import SIZE, CountedNets, Writing, drawn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrel.errors import Unavailable
from carrel.geometry import Box, Point, Size
from carrel.perception import Line, Reader
from carrel.perception.ocr import _is_text, can_read

PAGE: list[Writing] = [
    (20, 20, "Welcome to the settings"),
    (20, 60, "User name"),
    (140, 60, "Password"),
    (20, 100, "Remember me on this computer"),
    (20, 140, "Cancel"),
    (300, 140, "Save changes"),
    (20, 200, "The quick brown fox jumps over the lazy dog near the river bank today"),
]


@pytest.fixture(scope="module")
def nets() -> CountedNets:
    return CountedNets()


@pytest.fixture
def reader(nets: CountedNets) -> Reader:
    nets.forget()
    return Reader(nets)


def texts(lines: tuple[Line, ...]) -> list[str]:
    return [line.text for line in lines]


def flat(text: str) -> str:
    return "".join(text.split()).casefold()


def test_everything_needed_is_installed_here() -> None:
    assert can_read()


def test_text_is_read_where_it_stands(reader: Reader) -> None:
    lines = reader.read(drawn(PAGE))
    for x, y, text in PAGE:
        (line,) = [line for line in lines if line.box.contains(Point(x + 10, y + 9))]
        assert flat(line.text) == flat(text)
        assert line.confidence > 0.8
        assert abs(line.box.x - x) <= 6
        assert abs(line.box.center.y - (y + 9)) <= 5


def test_words_have_boxes_of_their_own(reader: Reader) -> None:
    (line,) = reader.read(drawn([(50, 50, "alpha beta gamma")]))
    assert [word.text for word in line.words] == ["alpha", "beta", "gamma"]
    boxes = [word.box for word in line.words]
    assert all(one.right < other.x for one, other in pairwise(boxes))
    assert all(box.intersect(line.box) == box for box in boxes)


def test_a_long_line_is_one_line_whatever_it_is_cut_into(reader: Reader, nets: CountedNets) -> None:
    (line,) = reader.read(drawn(PAGE[-1:]))
    assert flat(line.text) == flat(PAGE[-1][2])
    assert len(line.words) == len(PAGE[-1][2].split())
    assert nets.spelled > 1


def test_nothing_is_done_for_a_screen_that_did_not_change(
    reader: Reader, nets: CountedNets
) -> None:
    first = reader.read(drawn(PAGE))
    nets.forget()
    assert reader.read(drawn(PAGE)) == first
    assert (nets.searched, nets.spelled) == ([], 0)


def test_only_a_changed_line_is_searched_for_and_read(reader: Reader, nets: CountedNets) -> None:
    before = reader.read(drawn(PAGE))
    nets.forget()
    after = reader.read(drawn([*PAGE[:4], (20, 140, "Apply"), *PAGE[5:]]))
    assert nets.spelled == 1
    assert sum(nets.searched) < 0.1 * SIZE.width * SIZE.height
    assert set(after) - set(before) == {line for line in after if line.text == "Apply"}
    assert "Cancel" in texts(before)
    assert "Cancel" not in texts(after)


def test_a_changed_word_of_a_long_line_leaves_the_rest_in_memory(
    reader: Reader, nets: CountedNets
) -> None:
    text = PAGE[-1][2]
    reader.read(drawn([(20, 200, text)]))
    pieces = nets.spelled
    nets.forget()
    (line,) = reader.read(drawn([(20, 200, text.replace("today", "again"))]))
    assert flat(line.text) == flat(text.replace("today", "again"))
    assert nets.spelled < pieces


def test_what_has_only_moved_is_known_by_its_pixels(reader: Reader, nets: CountedNets) -> None:
    reader.read(drawn(PAGE))
    nets.forget()
    moved = reader.read(drawn([(x + 7, y + 33, text) for x, y, text in PAGE]))
    assert sorted(flat(t) for t in texts(moved)) == sorted(flat(text) for _, _, text in PAGE)
    assert nets.spelled <= 1
    assert nets.searched


def test_a_line_that_grows_is_not_cut_where_it_ended(reader: Reader) -> None:
    reader.read(drawn([(20, 50, "Down"), (20, 300, "Other")]))
    lines = reader.read(drawn([(20, 50, "Downloading the update"), (20, 300, "Other")]))
    assert [flat(text) for text in texts(lines)] == ["downloadingtheupdate", "other"]


def test_text_that_disappears_is_forgotten_and_empty_screens_have_none(reader: Reader) -> None:
    assert len(reader.read(drawn(PAGE))) == len(PAGE)
    assert len(reader.read(drawn(PAGE[:2]))) == 2
    assert reader.read(drawn([])) == ()
    assert reader.read(drawn([], Size(64, 40))) == ()


@pytest.mark.parametrize("height", [10, 11, 12, 24])
def test_small_and_large_letters_are_read(reader: Reader, height: int) -> None:
    (line,) = reader.read(drawn([(40, 60, "Preferences")], height=height))
    assert line.text == "Preferences"


WORDS = ("Open", "Close", "Print", "Search", "Export", "Help", "Undo", "Zoom", "Share")
places = st.sampled_from([(x, y) for x in (20, 160, 300) for y in (20, 55, 90, 125)])
screens = st.dictionaries(places, st.sampled_from(WORDS), max_size=6)


@settings(
    deadline=None,
    max_examples=6,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(screens, min_size=2, max_size=4))
def test_reading_changes_ends_with_what_reading_everything_would_say(
    nets: CountedNets, seen: list[dict[tuple[int, int], str]]
) -> None:
    size = Size(400, 160)
    reader = Reader(nets)
    for screen in seen:
        view = drawn([(x, y, word) for (x, y), word in screen.items()], size)
        lines = reader.read(view)
        assert sorted(texts(lines)) == sorted(screen.values())
        assert sorted(texts(lines)) == sorted(texts(Reader(nets).read(view)))


@pytest.mark.parametrize("missing", ["rapidocr", "onnxruntime", "cv2"])
def test_a_missing_library_is_named_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    assert not can_read()
    with pytest.raises(Unavailable, match=missing) as caught:
        Reader().read(drawn(PAGE))
    assert caught.value.hint is not None
    assert "carrel[eyes]" in caught.value.hint


def test_nothing_is_fetched_and_nothing_is_logged(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with caplog.at_level(logging.INFO):
        assert Reader().read(drawn(PAGE[:1]))
    assert not caplog.records
    assert capfd.readouterr() == ("", "")


def test_what_reads_is_not_loaded_before_it_is_used() -> None:
    code = (
        "import sys; from carrel.perception import Reader, Sight; Reader(); Sight();"
        "print([m for m in ('numpy', 'cv2', 'onnxruntime', 'rapidocr') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("text", "confidence", "kept"),
    [
        ("42", 0.7, True),
        ("42", 0.6, False),
        ("口", 0.7, False),
        ("o>", 0.7, False),
        ("of", 0.9, True),
    ],
)
def test_a_badge_is_a_text_and_an_icon_is_none(text: str, confidence: float, kept: bool) -> None:
    assert _is_text(Line(text, Box(0, 0, 20, 16), confidence)) is kept


def test_characters_that_stand_one_by_one_are_read_each_for_itself(reader: Reader) -> None:
    lines = reader.read(drawn([(40 + 26 * n, 60, sign) for n, sign in enumerate("BISU")]))
    found = "".join(line.text for line in lines)
    assert found == "BISU"
    assert len(lines) == 4
    assert all(abs(line.box.center.x - (44 + 26 * n)) <= 6 for n, line in enumerate(lines))


def test_a_word_set_wide_in_chinese_stays_together() -> None:
    from carrel.perception.ocr import _apart

    mask = np.zeros((20, 80), np.bool_)
    mask[:, 2:20] = mask[:, 60:78] = True
    name = Line("姓名", Box(10, 10, 80, 20), 0.99)
    assert _apart(name, mask) == [name]
    letters = Line("AB", Box(10, 10, 80, 20), 0.99)
    assert [(part.text, part.box) for part in _apart(letters, mask)] == [
        ("A", Box(10, 10, 22, 20)),
        ("B", Box(68, 10, 22, 20)),
    ]
