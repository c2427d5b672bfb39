"""Seeing a desk: every source is asked at once, and none is waited for too long."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread

from carrel.errors import CarrelError
from carrel.frames import Element, Source, Window
from carrel.perception.merging import merge
from carrel.perception.ocr import Line, Reader
from carrel.perception.scene import LeftOut, Scene
from carrel.perception.tracking import SOURCES, Tracker
from carrel.perception.view import View

if TYPE_CHECKING:
    from carrel.perception.detect import Detector

__all__ = ["Given", "LeftOut", "Scene", "Sight"]

WITHIN = 5.0
"""Seconds that the sources have, all together."""

_T = TypeVar("_T")

Given = Sequence[Element] | Callable[[], Awaitable[Sequence[Element]]]
"""Elements, or something that gets them."""


@dataclass(slots=True)
class _Answers:
    """What the sources have said so far; one that comes too late finds the list closed."""

    found: dict[Source, Sequence[Element]] = field(default_factory=dict)
    lines: Sequence[Line] | None = None
    left_out: dict[Source, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


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
        left_out = tuple(
            LeftOut(source, answers.left_out.get(source, late))
            for source in asked
            if source not in answers.found
        )
        elements = merge(answers.found, view.size, windows, answers.lines or ())
        tracked = self._tracker.track(elements, sources)
        return Scene(view.id, view.size, tracked, left_out, dict(answers.seconds))

    async def _take(self, answers: _Answers, source: Source, given: Given) -> None:
        started = time.monotonic()
        if not callable(given):
            answers.found[source] = given
            return
        try:
            found = await given()
        except CarrelError as error:
            answers.left_out[source] = error.message
            return
        answers.found[source] = found
        answers.seconds[source] = time.monotonic() - started

    async def _read(self, answers: _Answers, view: View, sources: Collection[Source]) -> None:
        """Text first: the detector leaves out what is text."""
        async with self._turn:
            lines: tuple[Line, ...] = ()
            if "ocr" in sources:
                lines = await self._read_text(answers, view)
            if "detector" in sources:
                await self._detect(answers, view, lines)

    async def _read_text(self, answers: _Answers, view: View) -> tuple[Line, ...]:
        started = time.monotonic()
        try:
            lines = await _in_thread(lambda: self._reader.read(view))
        except CarrelError as error:
            answers.left_out["ocr"] = error.message
            return ()
        answers.lines, answers.found["ocr"] = lines, ()
        answers.seconds["ocr"] = time.monotonic() - started
        return lines

    async def _detect(self, answers: _Answers, view: View, lines: tuple[Line, ...]) -> None:
        started = time.monotonic()
        try:
            if self._detector is None:
                from carrel.perception.detect import ClassicDetector

                self._detector = ClassicDetector()
            detector = self._detector
            found = await _in_thread(lambda: detector.detect(view, lines))
        except ImportError as error:
            answers.left_out["detector"] = f"it could not be loaded: {error}"
            return
        except CarrelError as error:
            answers.left_out["detector"] = error.message
            return
        answers.found["detector"] = found
        answers.seconds["detector"] = time.monotonic() - started


async def _in_thread(call: Callable[[], _T]) -> _T:
    # A thread cannot be stopped: it is left to end by itself, and its caches are the richer.
    return await anyio.to_thread.run_sync(call, abandon_on_cancel=True)
