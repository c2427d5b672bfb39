from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence

import anyio
import pytest
from drawn import CountedNets, drawn

from carrel.errors import TimedOut
from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception import Line, Reader, Sight, View

pytestmark = pytest.mark.anyio

PAGE = [(20, 20, "Account"), (20, 60, "Sign out"), (300, 60, "Help")]
BUTTON = Element("t1", "push button", "Leave", box=Box(10, 52, 120, 34))


class NoShapes:
    """A detector that finds nothing."""

    def detect(self, view: View, lines: Sequence[Line]) -> tuple[Element, ...]:
        return ()


class Slow(Reader):
    """A reader that waits until it is let go."""

    def __init__(self, nets: CountedNets) -> None:
        super().__init__(nets)
        self.go = threading.Event()
        self.done = threading.Event()

    def read(self, view: View) -> tuple[Line, ...]:
        self.go.wait(30)
        lines = super().read(view)
        self.done.set()
        return lines


@pytest.fixture(scope="module")
def nets() -> CountedNets:
    return CountedNets()


@pytest.fixture
def slow(nets: CountedNets) -> Iterator[Slow]:
    reader = Slow(nets)
    yield reader
    reader.go.set()


def names(elements: Sequence[Element]) -> list[str]:
    return [element.name for element in elements]


async def test_all_sources_are_one_list_in_reading_order(nets: CountedNets) -> None:
    sight = Sight(Reader(nets), NoShapes())
    scene = await sight.look(drawn(PAGE), tree=[BUTTON], within=60)
    assert names(scene.elements) == ["Account", "Leave", "Help"]
    assert [element.text for element in scene.elements] == ["Account", "Sign out", "Help"]
    assert scene.left_out == ()
    assert {"ocr", "detector"} <= set(scene.seconds)


async def test_an_unchanged_screen_has_the_same_ids_and_reads_nothing(nets: CountedNets) -> None:
    sight = Sight(Reader(nets), NoShapes())
    first = await sight.look(drawn(PAGE), tree=[BUTTON], within=60)
    nets.forget()
    again = await sight.look(drawn(PAGE), tree=[BUTTON], within=60)
    assert again.elements == first.elements
    assert (nets.searched, nets.spelled) == ([], 0)


async def test_a_slow_source_is_left_out_and_said_to_be(slow: Slow) -> None:
    sight = Sight(slow, NoShapes())
    with anyio.fail_after(20):
        scene = await sight.look(drawn(PAGE), tree=[BUTTON], within=0.2)
    assert names(scene.elements) == ["Leave"]
    assert [item.source for item in scene.left_out] == ["ocr", "detector"]
    assert "0.2 s" in scene.left_out[0].reason


async def test_what_a_slow_source_read_is_there_the_next_time(
    slow: Slow, nets: CountedNets
) -> None:
    sight = Sight(slow, NoShapes())
    view = drawn(PAGE)
    await sight.look(view, within=0.05)
    slow.go.set()
    assert await anyio.to_thread.run_sync(slow.done.wait, 60)
    nets.forget()
    scene = await sight.look(view, within=60)
    assert names(scene.elements) == ["Account", "Sign out", "Help"]
    assert nets.spelled == 0


async def test_a_tree_that_hangs_does_not_hold_up_the_rest(nets: CountedNets) -> None:
    sight = Sight(Reader(nets), NoShapes())
    await sight.look(drawn(PAGE), within=60)
    with anyio.fail_after(30):
        scene = await sight.look(drawn(PAGE), tree=anyio.sleep_forever, within=1)
    assert "Sign out" in names(scene.elements)
    assert [item.source for item in scene.left_out] == ["tree"]


async def test_a_source_that_fails_is_left_out_with_its_reason(nets: CountedNets) -> None:
    async def fail() -> Sequence[Element]:
        raise TimedOut("the browser does not answer")

    async def answer() -> Sequence[Element]:
        return [BUTTON]

    sight = Sight(Reader(nets), NoShapes())
    scene = await sight.look(drawn([]), tree=answer, browser=fail, within=60)
    assert names(scene.elements) == ["Leave"]
    assert [str(item) for item in scene.left_out] == ["browser: the browser does not answer"]
    assert "tree" in scene.seconds


async def test_only_the_sources_that_are_wanted_are_asked(slow: Slow) -> None:
    def load() -> bytes:
        raise AssertionError("the pixels were read")

    view = View("v", drawn([]).size, load)
    scene = await Sight(slow).look(view, tree=[BUTTON], sources=("tree",))
    assert names(scene.elements) == ["Leave"]
    assert scene.left_out == ()


async def test_without_the_extra_the_tree_is_still_seen_and_the_rest_said_to_be_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    scene = await Sight(detector=NoShapes()).look(drawn(PAGE), tree=[BUTTON], within=60)
    assert names(scene.elements) == ["Leave"]
    (missing,) = scene.left_out
    assert missing.source == "ocr"
    assert "rapidocr is not installed" in missing.reason
