from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence

import anyio
import pytest
from drawn import CountedNets, drawn

from carrel.errors import Interrupted, NotFound, TimedOut, Unavailable
from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception import Line, Reader, Sight, View, merge
from carrel.perception import sight as module
from carrel.perception.scene import Told

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


async def test_what_tells_only_a_part_is_seen_and_said_not_to_be_all(nets: CountedNets) -> None:
    async def part() -> Told:
        return Told((BUTTON,), "it was cut short")

    sight = Sight(Reader(nets), NoShapes())
    for tree in (part, Told((BUTTON,), "it was cut short")):
        scene = await sight.look(drawn([]), tree=tree, within=60)
        assert names(scene.elements) == ["Leave"]
        assert [str(item) for item in scene.left_out] == ["tree: it was cut short"]
        assert not scene.left_out[0].lasting


async def test_more_than_one_source_may_tell_is_cut_and_said(
    nets: CountedNets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST", 1)
    other = Element("t2", "push button", "Stay", box=Box(200, 52, 120, 34))
    scene = await Sight(Reader(nets), NoShapes()).look(drawn([]), tree=[BUTTON, other], within=60)
    assert names(scene.elements) == ["Leave"]
    assert [str(item) for item in scene.left_out] == ["tree: it was cut short after 1 elements"]


class Broken(Reader):
    """A reader with a mistake in it."""

    def read(self, view: View) -> tuple[Line, ...]:
        raise ZeroDivisionError("in the reader")


class BrokenShapes(NoShapes):
    """A detector with another."""

    def detect(self, view: View, lines: Sequence[Line]) -> tuple[Element, ...]:
        raise IndexError("in the detector")


async def test_a_mistake_in_one_source_leaves_out_that_source_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def mistaken() -> Sequence[Element]:
        raise TypeError("in the browser")

    scene = await Sight(Broken(), BrokenShapes()).look(
        drawn(PAGE), tree=[BUTTON], browser=mistaken, within=60
    )
    assert names(scene.elements) == ["Leave"]
    told = [(item.source, item.reason) for item in scene.left_out]
    assert told == [
        ("browser", "it failed: TypeError: in the browser"),
        ("ocr", "it failed: ZeroDivisionError: in the reader"),
        ("detector", "it failed: IndexError: in the detector"),
    ]
    assert "ZeroDivisionError" in caplog.text


PAGE_SHOWN = Element("t0", "document web", "A page", box=Box(0, 0, 400, 300))


@pytest.mark.parametrize("error", [Unavailable("nobody answers"), NotFound("no page of it")])
async def test_a_browser_that_cannot_be_asked_is_said_where_a_page_is_shown(
    nets: CountedNets, error: Exception
) -> None:
    async def silent() -> Told:
        raise error

    sight = Sight(Reader(nets), NoShapes())
    shown = await sight.look(drawn([]), tree=[PAGE_SHOWN], browser=silent, within=60)
    assert [item.source for item in shown.left_out] == ["browser"]
    assert shown.left_out[0].lasting
    bare = await sight.look(drawn([]), tree=[BUTTON], browser=silent, within=60)
    assert bare.left_out == ()
    alone = await sight.look(drawn([]), browser=silent, sources=("browser",))
    assert [item.source for item in alone.left_out] == ["browser"]


async def test_an_answer_that_was_lost_is_no_browser_that_is_not_there(nets: CountedNets) -> None:
    async def lost() -> Told:
        raise Interrupted("the page went away")

    sight = Sight(Reader(nets), NoShapes())
    scene = await sight.look(drawn([]), tree=[BUTTON], browser=lost, within=60)
    assert [(item.source, item.lasting) for item in scene.left_out] == [("browser", False)]


async def test_the_loop_goes_on_while_what_was_said_is_put_together(
    nets: CountedNets, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def held(*given: object) -> tuple[Element, ...]:
        begun.set()
        assert go_on.wait(5), "the event loop stands still"
        return merge(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "merge", held)
    sight = Sight(Reader(nets), NoShapes())
    scenes = []

    async def look() -> None:
        scenes.append(await sight.look(drawn([]), tree=[BUTTON], within=60))

    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(look)
            assert await anyio.to_thread.run_sync(begun.wait, 30)
            go_on.set()
    assert names(scenes[0].elements) == ["Leave"]


async def test_putting_together_is_bounded_and_what_was_lost_by_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_go = threading.Event()

    def never(*given: object) -> tuple[Element, ...]:
        let_go.wait(60)
        return ()

    monkeypatch.setattr(module, "merge", never)
    monkeypatch.setattr(module, "MERGING", 0.1)
    try:
        with anyio.fail_after(20):
            scene = await Sight().look(drawn([]), tree=[BUTTON], sources=("tree",))
    finally:
        let_go.set()
    assert [item.source for item in scene.left_out] == ["tree"]
    assert "not put together within 0.1 s" in scene.left_out[0].reason
