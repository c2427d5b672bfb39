"""Looking at the screen: every frame is stored once, and shown as a picture."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import anyio

from carrel import codec
from carrel.agent.hands import Hands
from carrel.codec import Json
from carrel.decisions import Guard
from carrel.errors import ActionFailed, Interrupted
from carrel.events import Event, EventType
from carrel.frames import Frame, Source, Window
from carrel.geometry import Box
from carrel.journal.journal import Journal
from carrel.models.picture import Picture
from carrel.perception.scene import LeftOut, Scene, Told

if TYPE_CHECKING:
    from carrel.perception.sight import Sight

__all__ = ["Eyes", "Write"]

Write = Callable[[EventType, Mapping[str, Json], tuple[str, ...]], Event]
"""Writes an event with the blobs it names."""


PATIENCE = 4.0
"""Seconds that applications have for a closer look, where they were too slow for the first."""
RECENT = 8
"""How many pictures are kept to compare a place with what a model saw there."""
EDGE = 3
"""Pixels at the edges of a place that may change: a ring around what has the focus."""
STRONG = 64
"""How much a pixel must change to count."""
CHANGED = 0.05
"""When more than this share of a place has changed, it is another one."""


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
        # Not with the module: whoever only names an agent has no need of it.
        from carrel.perception.sight import Sight

        self._hands = hands
        self._journal = journal
        self._write = write
        self._elements = elements
        self._pixels = pixels
        self._sight = Sight()
        self._recent: OrderedDict[str, Picture] = OrderedDict()
        self.picture: Picture | None = None
        """The whole screen, as it was seen last."""
        self.shown: Picture | None = None
        """The last picture of all: a part of the screen, or all of it."""

    def remember(self, picture: Picture) -> None:
        """Take up what was seen before the run was interrupted."""
        self.picture = self.shown = picture
        self._keep(picture)

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
            self._keep(picture)
        self.shown = picture
        return self._write("frame", _describe(frame, blob, left_out), (blob,))

    def _keep(self, picture: Picture) -> None:
        self._recent[picture.id] = picture
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)

    async def why_stale(self, guards: Sequence[Guard]) -> ActionFailed | None:
        """Why what a model pointed at is no longer what it saw; None while it is."""
        if not guards:
            return None
        now = await self._hands.look(None, guards[0].frame)
        for guard in guards:
            if guard.frame == now.id:
                continue
            before = self._recent.get(guard.frame)
            if before is None or _differs(before.original(), now.image, guard.box):
                what = guard.name or "what you pointed at"
                return ActionFailed(
                    f"{what} no longer shows what it did on the picture you chose it from; "
                    "nothing was done",
                    hint="look at the newest picture and choose again",
                )
        return None

    async def _see(self, picture: Picture) -> tuple[Picture, tuple[LeftOut, ...]]:
        """The picture with what is on it now; itself where that is what it has already."""
        tree, windows = await self._ask() if self._elements else (Told(), ())
        closer = _Closer(self._sight, self._hands, picture, tree, windows)
        if self._pixels:
            scene = await closer()
        elif self._elements:
            sources: tuple[Source, ...] = ("tree",)
            scene = await self._sight.look(
                picture.view, tree=tree, windows=windows, sources=sources
            )
        else:
            scene = Scene(picture.id, picture.size)
        known = (picture.elements, picture.left_out)
        if picture.closer is not None and known == (scene.elements, scene.left_out):
            return picture, scene.left_out
        return picture.again(scene.elements, closer, scene.left_out), scene.left_out

    async def _ask(self) -> tuple[Told, tuple[Window, ...]]:
        """What the applications and the window manager say, both at once."""
        tree = Told()
        windows: tuple[Window, ...] = ()

        async def ask_elements() -> None:
            nonlocal tree
            tree = await self._hands.elements()

        async def ask_windows() -> None:
            nonlocal windows
            windows = await self._hands.windows()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask_elements)
            tasks.start_soon(ask_windows)
        return tree, windows


class _Closer:
    """A closer look at one picture: with what was known of it when it was taken, and done once."""

    def __init__(
        self,
        sight: Sight,
        hands: Hands,
        picture: Picture,
        tree: Told,
        windows: tuple[Window, ...],
    ) -> None:
        self._sight = sight
        self._hands = hands
        self._view = picture.view
        self._tree, self._windows = tree, windows
        self._scene: Scene | None = None

    async def __call__(self) -> Scene:
        if self._scene is None or any(not one.lasting for one in self._scene.left_out):
            # What was left out for being late may have been read meanwhile.
            self._scene = await self._sight.look(
                self._view,
                tree=self._ask_again if self._is_short() else self._tree,
                browser=self._ask_browser if self._may_show_page() else (),
                windows=self._windows,
            )
        return self._scene

    def _is_short(self) -> bool:
        """Whether applications may tell more when they have more time."""
        return bool(self._tree.missing) and not self._tree.lasting

    def _may_show_page(self) -> bool:
        shown = any(element.role == "document web" for element in self._tree.elements)
        return shown or self._is_short()

    async def _ask_again(self) -> Told:
        """What the applications say with more time, if it can be about this picture."""
        try:
            told = await self._now(partial(self._hands.elements, PATIENCE))
        except Interrupted:
            return self._tree
        if len(told.elements) >= len(self._tree.elements) or not told.missing:
            self._tree = told
        return self._tree

    async def _ask_browser(self) -> Told:
        """What the browser says, if it can be about this picture."""
        return await self._now(partial(self._hands.page, self._view.size, self._windows))

    async def _now(self, ask: Callable[[], Awaitable[Told]]) -> Told:
        told = await ask()
        now = await self._hands.look(None, self._view.id)
        if now.id != self._view.id:
            raise Interrupted("the screen has changed since the picture was taken")
        return told


def _differs(before: bytes, now: bytes, box: Box) -> bool:
    """Whether a place shows something else on another picture of the screen."""
    from PIL import Image, ImageChops

    by = EDGE if min(box.width, box.height) > 4 * EDGE else 0
    place = (box.x + by, box.y + by, box.right - by, box.bottom - by)
    with Image.open(io.BytesIO(before)) as one, Image.open(io.BytesIO(now)) as other:
        if one.size != other.size:
            return True
        crops = [image.convert("RGB").crop(place) for image in (one, other)]
    bands = ImageChops.difference(*crops).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    changed = sum(most.histogram()[STRONG:])
    return changed > CHANGED * most.width * most.height


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
