"""Looking at the screen: every frame is stored once, and shown as a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import anyio

from carrel import codec
from carrel.agent.hands import Hands
from carrel.codec import Json
from carrel.events import Event, EventType
from carrel.frames import Element, Frame, Source, Window
from carrel.geometry import Box
from carrel.journal.journal import Journal
from carrel.models.picture import Picture
from carrel.perception.scene import LeftOut, Scene
from carrel.perception.sight import Sight

__all__ = ["Eyes", "Write"]

Write = Callable[[EventType, Mapping[str, Json], tuple[str, ...]], Event]
"""Writes an event with the blobs it names."""


class Eyes:
    """What the run has seen last.

    Args:
        hands: What looks.
        journal: Where pictures are kept.
        write: Writes the event of a new frame.
        elements: Whether pictures come with what the applications say is on them.
        pixels: Whether they come with what can be read from their pixels, too; otherwise that is
            read when somebody looks closer.
    """

    def __init__(
        self,
        hands: Hands,
        journal: Journal,
        write: Write,
        *,
        elements: bool,
        pixels: bool = False,
    ) -> None:
        self._hands = hands
        self._journal = journal
        self._write = write
        self._elements = elements
        self._pixels = pixels
        self._sight = Sight()
        self.picture: Picture | None = None
        """The whole screen, as it was seen last."""
        self.shown: Picture | None = None
        """The last picture of all: a part of the screen, or all of it."""

    def remember(self, picture: Picture) -> None:
        """Take up what was seen before the run was interrupted."""
        self.picture = self.shown = picture

    async def look(self, region: Box | None = None) -> Event | None:
        """See the screen or a part of it; the event of a new frame, or None for the same one."""
        known = self.picture if region is None else None
        frame = await self._hands.look(region, known.id if known else None)
        if known is not None and frame.id == known.id:
            # Applications may be slower to say what is there than to draw it.
            self.picture = self.shown = (await self._see(known))[0]
            return None
        blob = self._journal.put_blob(frame.image)
        data = frame.image
        picture = Picture(frame.id, frame.size, lambda: data, region=frame.region)
        left_out: tuple[LeftOut, ...] = ()
        if region is None:
            picture, left_out = await self._see(picture)
            self.picture = picture
        self.shown = picture
        return self._write("frame", _describe(frame, blob, left_out), (blob,))

    async def _see(self, picture: Picture) -> tuple[Picture, tuple[LeftOut, ...]]:
        """The picture with what is on it now; itself where that is what it has already."""
        tree, windows = await self._ask() if self._elements else ((), ())
        closer = _Closer(self._sight, picture, tree, windows)
        if self._pixels:
            scene = await closer()
        elif tree:
            sources: tuple[Source, ...] = ("tree",)
            scene = await self._sight.look(
                picture.view, tree=tree, windows=windows, sources=sources
            )
        else:
            scene = Scene(picture.id, picture.size)
        if picture.closer is not None and picture.elements == scene.elements:
            return picture, scene.left_out
        return picture.again(scene.elements, closer), scene.left_out

    async def _ask(self) -> tuple[tuple[Element, ...], tuple[Window, ...]]:
        """What the applications and the window manager say, both at once."""
        elements: tuple[Element, ...] = ()
        windows: tuple[Window, ...] = ()

        async def ask_elements() -> None:
            nonlocal elements
            elements = await self._hands.elements()

        async def ask_windows() -> None:
            nonlocal windows
            windows = await self._hands.windows()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask_elements)
            tasks.start_soon(ask_windows)
        return elements, windows


class _Closer:
    """A closer look at one picture: with what was known of it when it was taken, and done once."""

    def __init__(
        self,
        sight: Sight,
        picture: Picture,
        tree: tuple[Element, ...],
        windows: tuple[Window, ...],
    ) -> None:
        self._sight = sight
        self._view = picture.view
        self._tree, self._windows = tree, windows
        self._scene: Scene | None = None

    async def __call__(self) -> Scene:
        if self._scene is None or self._scene.left_out:
            # What was left out for being late may have been read meanwhile.
            self._scene = await self._sight.look(self._view, tree=self._tree, windows=self._windows)
        return self._scene


def _describe(frame: Frame, blob: str, left_out: tuple[LeftOut, ...]) -> dict[str, Json]:
    described: dict[str, Json] = {
        "frame": frame.id,
        "blob": blob,
        "width": frame.size.width,
        "height": frame.size.height,
        "format": frame.format,
        "cursor": codec.encode(frame.cursor),
        "change": None if frame.change is None else codec.encode(frame.change),
    }
    if frame.region is not None:
        described["region"] = codec.encode(frame.region)
    if left_out:
        described["left_out"] = [codec.encode(item) for item in left_out]
    return described
