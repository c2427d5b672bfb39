"""Seeing a desk: every source is asked at once, and none is waited for too long."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread

from carrel.errors import CarrelError
from carrel.frames import Element, Source, Window
from carrel.perception.merging import merge
from carrel.perception.ocr import Line, Reader
from carrel.perception.scene import LeftOut, Scene, Told
from carrel.perception.tracking import SOURCES, Tracker
from carrel.perception.view import View

if TYPE_CHECKING:
    from carrel.perception.detect import Detector

__all__ = ["Given", "LeftOut", "Scene", "Sight"]

logger = logging.getLogger(__name__)

WITHIN = 5.0
"""Seconds that the sources have, all together."""
MERGING = 5.0
"""Seconds to put together what they said, which hardly ever takes one."""
MOST = 5000
"""Elements that one source may tell; what is more is cut off."""

_T = TypeVar("_T")

Given = Sequence[Element] | Told | Callable[[], Awaitable[Sequence[Element] | Told]]
"""Elements, or something that gets them."""


@dataclass(slots=True)
class _Answers:
    """What the sources have said so far; one that comes too late finds the list closed."""

    found: dict[Source, Sequence[Element]] = field(default_factory=dict)
    lines: Sequence[Line] | None = None
    left_out: dict[Source, LeftOut] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    no_page: bool = False
    """Whether there is no browser that can be asked, or none that shows a page."""

    def take(self, source: Source, said: Sequence[Element] | Told) -> None:
        """Keep what a source said, up to so many elements, and what it says it is silent about."""
        told = said if isinstance(said, Told) else Told(tuple(said))
        self.found[source] = told.elements[:MOST]
        if told.missing:
            self.leave_out(source, told.missing, lasting=told.lasting)
        elif len(told.elements) > MOST:
            self.leave_out(source, f"it was cut short after {MOST} elements")

    def leave_out(self, source: Source, reason: str, *, lasting: bool = False) -> None:
        """Say why a source said nothing, or not everything."""
        self.left_out[source] = LeftOut(source, reason, lasting)

    @contextmanager
    def from_(self, source: Source) -> Iterator[None]:
        """The boundary around one source: whatever goes wrong in it leaves out it alone."""
        started = time.monotonic()
        try:
            yield
        except CarrelError as error:
            told = Told.nothing(error)
            self.leave_out(source, told.missing, lasting=told.lasting)
            self.found.pop(source, None)
            self.no_page = self.no_page or (source == "browser" and told.lasting)
        except ImportError as error:
            self.leave_out(source, f"it could not be loaded: {error}", lasting=True)
        except Exception as error:
            logger.exception("what reads the screen (%s) failed", source)
            self.leave_out(source, f"it failed: {type(error).__name__}: {error}")
        else:
            self.seconds[source] = time.monotonic() - started

    def forget_browser_without_page(self) -> None:
        """Where no page is on the screen nothing is lost by a browser that is not there."""
        pages = any(element.role == "document web" for element in self.found.get("tree", ()))
        if self.no_page and not pages:
            del self.left_out["browser"]


class Sight:
    """The eyes on one desk: keeps what it has read, so that only changes are read again.

    Args:
        reader: Reads text; a new one by default.
        detector: Finds boxes and icons; the classical one by default.
    """

    def __init__(self, reader: Reader | None = None, detector: Detector | None = None) -> None:
        self._reader = reader or Reader()
        self._detector = detector
        self._tracker = Tracker()
        # One at a time: two threads would only wait for each other.
        self._turn = anyio.Lock()

    async def look(
        self,
        view: View,
        *,
        tree: Given = (),
        browser: Given = (),
        windows: Sequence[Window] = (),
        within: float = WITHIN,
        sources: Collection[Source] = SOURCES,
    ) -> Scene:
        """Everything that can be made out on a view, in time.

        Args:
            view: The pixels.
            tree: What the accessibility tree said about this very view, or what gets it.
            browser: The same from the browser.
            windows: The windows at that moment, the topmost last.
            within: Seconds after which a source is left out; what it reads is kept for later.
                Putting together what they said takes at most `MERGING` more.
            sources: Which are asked.
        """
        answers = _Answers()
        with anyio.move_on_after(within):
            async with anyio.create_task_group() as tasks:
                if "tree" in sources:
                    tasks.start_soon(self._take, answers, "tree", tree)
                if "browser" in sources and browser:
                    tasks.start_soon(self._take, answers, "browser", browser)
                if "ocr" in sources or "detector" in sources:
                    tasks.start_soon(self._read, answers, view, sources)
        asked = [s for s in SOURCES if s in sources and (s != "browser" or browser)]
        late = f"no answer within {within:g} s"
        for source in asked:
            if source not in answers.found and source not in answers.left_out:
                answers.leave_out(source, late)
        if "tree" in asked:
            answers.forget_browser_without_page()
        elements = await _merged(answers, asked, view, windows)
        tracked = self._tracker.track(elements, sources)
        left_out = tuple(answers.left_out[source] for source in asked if source in answers.left_out)
        return Scene(view.id, view.size, tracked, left_out, dict(answers.seconds))

    async def _take(self, answers: _Answers, source: Source, given: Given) -> None:
        with answers.from_(source):
            answers.take(source, await given() if callable(given) else given)

    async def _read(self, answers: _Answers, view: View, sources: Collection[Source]) -> None:
        """Text first: the detector leaves out what is text."""
        async with self._turn:
            if "ocr" in sources:
                with answers.from_("ocr"):
                    answers.lines = await _in_thread(lambda: self._reader.read(view))
                    answers.take("ocr", ())
            if "detector" in sources:
                with answers.from_("detector"):
                    answers.take("detector", await self._detect(view, answers.lines or ()))

    async def _detect(self, view: View, lines: Sequence[Line]) -> Sequence[Element]:
        if self._detector is None:
            from carrel.perception.detect import ClassicDetector

            self._detector = ClassicDetector()
        detector = self._detector
        return await _in_thread(lambda: detector.detect(view, lines))


async def _merged(
    answers: _Answers, asked: Sequence[Source], view: View, windows: Sequence[Window]
) -> tuple[Element, ...]:
    """All that was said as one list, beside the event loop; nothing where that takes too long."""
    found, lines = dict(answers.found), answers.lines or ()
    with anyio.move_on_after(MERGING):
        return await _in_thread(lambda: merge(found, view.size, windows, lines))
    for source in asked:
        answers.leave_out(source, f"what it said was not put together within {MERGING:g} s")
    return ()


async def _in_thread(call: Callable[[], _T]) -> _T:
    # A thread cannot be stopped: it is left to end by itself, and its caches are the richer.
    return await anyio.to_thread.run_sync(call, abandon_on_cancel=True)
