from __future__ import annotations

import io
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from carrel.errors import Unavailable
from carrel.geometry import Box, Point, Size
from carrel.perception import View

SIZE = Size(300, 200)


def view(name: str, *dots: tuple[int, int], size: Size = SIZE) -> View:
    pixels = np.zeros((size.height, size.width, 3), np.uint8)
    for x, y in dots:
        pixels[y, x] = (255, 128, 0)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "png")
    return View(name, size, out.getvalue)


def test_pixels_are_red_green_blue_and_are_decoded_once() -> None:
    seen = view("a", (7, 3))
    assert seen.pixels.shape == (200, 300, 3)
    assert seen.pixels[3, 7].tolist() == [255, 128, 0]
    assert seen.pixels is seen.pixels


def test_pixels_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        view("a").pixels[0, 0] = 1


def test_the_picture_is_not_read_before_its_pixels_are_needed() -> None:
    def load() -> bytes:
        raise AssertionError("read too early")

    first, second = View("same", SIZE, load), View("same", SIZE, load)
    assert second.changed_since(first) == ()


def test_everything_changed_when_there_is_nothing_to_compare_with() -> None:
    assert view("a").changed_since(None) is None
    assert view("a").changed_since(view("b", size=Size(10, 10))) is None


def test_distant_changes_are_boxes_of_their_own() -> None:
    before, after = view("a"), view("b", (5, 5), (6, 6), (299, 199))
    changed = after.changed_since(before)
    assert changed == (Box(5, 5, 2, 2), Box(299, 199, 1, 1))


def test_what_hangs_together_is_one_box() -> None:
    ring = [(x, 100) for x in range(50, 120)] + [(x, 150) for x in range(50, 120)]
    ring += [(50, y) for y in range(100, 150)] + [(119, y) for y in range(100, 150)]
    changed = view("b", *ring).changed_since(view("a"))
    assert changed is not None
    assert len(changed) == 1
    assert all(changed[0].contains(Point(x, y)) for x, y in ring)


dots = st.lists(st.tuples(st.integers(0, 299), st.integers(0, 199)), max_size=30)


@settings(deadline=None, max_examples=60)
@given(dots, st.sampled_from([300, 301, 320]))
def test_every_changed_pixel_is_in_exactly_one_box(
    changed: list[tuple[int, int]], width: int
) -> None:
    size = Size(width, 200)
    boxes = view("b", *changed, size=size).changed_since(view("a", size=size))
    assert boxes is not None
    for x, y in changed:
        assert sum(box.contains(Point(x, y)) for box in boxes) == 1
    assert bool(boxes) == bool(changed)
    whole = Box(0, 0, width, 200)
    assert all(whole.intersect(box) == box for box in boxes)


def test_without_numpy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(Unavailable) as caught:
        _ = View("x", SIZE, lambda: b"").pixels
    assert caught.value.hint is not None
    assert "carrel[eyes]" in caught.value.hint


def test_importing_perception_loads_nothing_heavy() -> None:
    code = (
        "import sys, carrel.perception;"
        "print([m for m in ('numpy', 'cv2', 'rapidocr', 'onnxruntime', 'PIL') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
