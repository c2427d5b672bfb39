"""Looking at the screen: every frame is stored once, and shown as a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from carrel import codec
from carrel.agent.hands import Hands
from carrel.codec import Json
from carrel.events import Event, EventType
from carrel.frames import Frame
from carrel.geometry import Box
from carrel.journal.journal import Journal
from carrel.models.picture import Picture

__all__ = ["Eyes", "Write"]

Write = Callable[[EventType, Mapping[str, Json], tuple[str, ...]], Event]
"""Writes an event with the blobs it names."""


class Eyes:
    """What the run has seen last."""

    def __init__(self, hands: Hands, journal: Journal, write: Write, *, elements: bool) -> None:
        self._hands = hands
        self._journal = journal
        self._write = write
        self._elements = elements
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
            self.shown = known
            return None
        blob = self._journal.put_blob(frame.image)
        picture = await self._picture(frame)
        self.shown = picture
        if region is None:
            self.picture = picture
        return self._write("frame", _describe(frame, blob), (blob,))

    async def _picture(self, frame: Frame) -> Picture:
        wanted = self._elements and frame.region is None
        elements = await self._hands.elements() if wanted else ()
        data = frame.image
        return Picture(frame.id, frame.size, lambda: data, region=frame.region, elements=elements)


def _describe(frame: Frame, blob: str) -> dict[str, Json]:
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
    return described
