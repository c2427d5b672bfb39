from __future__ import annotations

import io
from collections.abc import AsyncIterator

import numpy as np
import pytest
from drawn import CountedNets
from PIL import Image
from sight_desk import SIZE, SightDesk, find, sight_desk

from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.perception import Reader, Scene, Sight, mark_elements, table
from carrel.perception.marks import _draw

pytestmark = [pytest.mark.anyio, pytest.mark.namespace, pytest.mark.browser]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Of the module, so that all its tests share one desk."""
    return "asyncio"


@pytest.fixture(scope="module")
async def desk(anyio_backend: str) -> AsyncIterator[SightDesk]:
    async with sight_desk() as desk:
        await desk.until(lambda scene: any(e.name == "Find it" for e in scene.elements))
        yield desk


def at(element: Element) -> Point:
    assert element.box is not None
    return element.box.center


async def test_a_page_is_read_in_english_and_chinese_where_it_stands(desk: SightDesk) -> None:
    scene = await desk.look()
    assert scene.left_out == ()
    for words in ("Two parcels are on their way to you.", "Prices include value added tax."):
        said = [e for e in scene.elements if e.name == words]
        assert [e.text for e in said if e.text] == [words]
    (chinese,) = [e for e in scene.elements if e.text == "订单已经发货"]
    assert (chinese.source, chinese.name) == ("tree", "订单已经发货")


async def test_what_is_painted_is_read_and_what_is_a_control_is_told_once(desk: SightDesk) -> None:
    scene = await desk.look()
    painted = find(scene, "Painted by hand")
    assert (painted.role, painted.source) == ("label", "ocr")
    (canvas,) = [e for e in scene.elements if e.role == "canvas"]
    assert canvas.box is not None
    assert canvas.box.contains(at(painted))
    button = find(scene, "Find it")
    assert (button.role, button.text, button.source) == ("push button", "Find it", "tree")
    (entry,) = [e for e in scene.elements if e.role == "entry" and e.source == "tree"]
    assert entry.text == "blue kettle"


async def test_ids_stay_and_one_changed_line_is_read_alone(desk: SightDesk) -> None:
    nets = CountedNets()
    sight = Sight(Reader(nets))
    before = await desk.look(sight)
    nets.forget()
    again = await desk.look(sight)
    kept = {e.id: (e.role, e.name, e.box) for e in before.elements}
    same = [e for e in again.elements if kept.get(e.id) == (e.role, e.name, e.box)]
    # A clock on the desk may have gone on.
    assert len(same) >= len(before.elements) - 1
    await desk.computer.click(*_xy(find(again, "blue kettle")))
    await desk.computer.key("ctrl+a")
    await desk.computer.type("red tea pot")
    nets.forget()
    later = await desk.look(sight)
    field = find(later, "red tea pot")
    assert field.id == find(before, "blue kettle").id
    assert nets.spelled <= 3
    assert sum(nets.searched) < 0.25 * SIZE.width * SIZE.height


def _xy(element: Element) -> tuple[int, int]:
    return at(element).x, at(element).y


async def test_a_terminal_has_marks_though_it_says_nothing_of_itself(desk: SightDesk) -> None:
    shown = "echo Compiling the kernel; echo 42 warnings; sleep 1000"
    await desk.computer.open("xterm", "-T", "Build", "-geometry", "60x8+400+560", "-e", shown)
    window = await desk.window("Build")
    scene = await desk.until(lambda scene: any("42 warnings" in e.text for e in scene.elements))
    for words in ("Compiling the kernel", "42 warnings"):
        line = find(scene, words)
        assert line.source != "tree"
        assert window.box.contains(at(line))
    assert "42 warnings" in table(mark_elements(scene.elements, SIZE))
    await desk.close(window)


async def test_a_toolkit_without_a_tree_is_used_by_its_pixels(desk: SightDesk) -> None:
    await desk.computer.open("/usr/bin/python3", "ledger.py")
    window = await desk.window("Ledger")
    scene = await desk.until(lambda scene: any("Transfer" in e.text for e in scene.elements))
    inside = [e for e in scene.elements if e.box and window.box.contains(e.box.center)]
    assert {"Account number", "Transfer money", "Cancel"} <= {e.text for e in inside}
    transfer = find(scene, "Transfer money")
    # Where the program put it, as the program itself says.
    assert Box(120, 180, 170, 60).contains(at(transfer))
    assert transfer.source != "tree"
    await desk.close(window)


async def test_what_another_window_covers_is_not_there(desk: SightDesk) -> None:
    scene = await desk.look()
    free, covered = find(scene, "Find it"), find(scene, "Nothing was chosen")
    place = covered.box
    assert place is not None
    await desk.computer.open(
        "xterm",
        "-T",
        "Cover",
        "-geometry",
        f"70x8+{place.x - 15}+{place.y - 45}",
        "-e",
        "sleep 1000",
    )
    window = await desk.window("Cover")
    after = await desk.until(lambda s: not _has(s, covered) or _differs(s, covered))
    assert not [e for e in after.elements if e.name == "Nothing was chosen"]
    assert _has(after, free)
    await desk.close(window)
    back = await desk.until(lambda s: any(e.name == "Nothing was chosen" for e in s.elements))
    assert find(back, "Nothing was chosen").box == place


def _has(scene: Scene, element: Element) -> bool:
    return any(e.name == element.name and e.role == element.role for e in scene.elements)


def _differs(scene: Scene, element: Element) -> bool:
    return all(e.box != element.box for e in scene.elements if e.name == element.name)


async def test_numbers_on_a_real_page_cover_neither_each_other_nor_small_things(
    desk: SightDesk,
) -> None:
    scene = await desk.look()
    frame, _ = await desk.frame()
    marks = mark_elements(scene.elements, SIZE)
    assert len(marks) > 10
    with Image.open(io.BytesIO(frame.image)) as image:
        picture = image.convert("RGB")
    spots = [spot.box for spot in _draw(picture.copy(), marks, [mark.box for mark in marks])]
    for number, one in enumerate(spots):
        assert not any(one.intersect(other) for other in spots[:number])
    hidden = [_hidden(picture, mark.box, spots) for mark in marks if mark.box.area < 2500]
    assert sum(share > 0.5 for share in hidden) <= max(1, 0.05 * len(hidden))


def _hidden(picture: Image.Image, box: Box, labels: list[Box]) -> float:
    """How much of what is drawn in a box is under numbers."""
    grey = np.asarray(picture.convert("L")).astype(int)[box.y : box.bottom, box.x : box.right]
    ink = np.abs(grey - np.median(grey)) > 60
    cover = np.zeros_like(ink)
    for label in labels:
        common = label.intersect(box)
        if common is not None:
            left, top = common.x - box.x, common.y - box.y
            cover[top : top + common.height, left : left + common.width] = True
    return float((ink & cover).sum() / max(1, ink.sum()))
