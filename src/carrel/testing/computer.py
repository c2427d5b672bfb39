"""`FakeComputer`: a screen in memory that shows what was done to it.

```python
computer = FakeComputer(Size(800, 600))
await computer.click(10, 20)
assert computer.done == [Click(10, 20)]
frame = await computer.screenshot()
```
"""

from __future__ import annotations

import hashlib
import io
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Self

from carrel import actions, codec
from carrel.actions import Action, Button, EffectClass
from carrel.codec import Json
from carrel.computer._given import items, of_numbers
from carrel.computer.client import ElementTree
from carrel.errors import ActionFailed, CarrelError, InvalidInput
from carrel.frames import Change, Element, Frame, ImageFormat, Window
from carrel.geometry import Box, Point, Size
from carrel.keys import parse_chord
from carrel.results import Effect, Result

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["FakeComputer", "Handler"]

Handler = Callable[[Action], Result | None]
"""Takes an action before the computer does; None leaves it to the computer."""


class FakeComputer:
    """A computer in memory, with the methods of `carrel.computer.Computer` that agents use.

    Every input leaves a mark on its picture, so that each action changes the screen: a dot where it
    was clicked, a bar for what was typed. What it cannot do (shell, files) is an error, never a
    silent success, unless `handler` does it.

    Args:
        size: Of the screen.
        handler: Asked first for every action.
        still: Nothing that is done changes the picture, as on a screen that hangs.
        elements: What the accessibility tree holds.
        windows: What the window manager lists.
        isolation: What it says stands between it and its host.

    Attributes:
        done: Every action that was carried out, in order, screenshots included.
    """

    name = ""

    def __init__(
        self,
        size: Size = Size(1024, 768),  # noqa: B008 (frozen)
        *,
        handler: Handler | None = None,
        still: bool = False,
        elements: tuple[Element, ...] = (),
        windows: tuple[Window, ...] = (),
        isolation: str = "process",
    ) -> None:
        self.done: list[Action] = []
        self.still = still
        self.isolation = isolation
        self._size, self._handler = size, handler
        self._elements, self._windows = elements, windows
        self._answered: dict[str, Result] = {}
        self._cursor = Point(size.width // 2, size.height // 2)
        self._clipboard = ""
        self._marks: list[tuple[Box, tuple[int, int, int]]] = []
        self._last: Image.Image | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    async def info(self) -> dict[str, Json]:
        """Facts about the computer."""
        return {"phase": "ready", "display": ":fake", "size": codec.encode(self._size)}

    @property
    def boot(self) -> str:
        """Which start of the computer this is: always the same one."""
        return "fake"

    async def act(
        self, action: Action, *, settle: float | None = None, request: str | None = None
    ) -> Result:
        """Do any action; the result says what was observed, also when it failed.

        Args:
            action: What to do.
            settle: With it, the result says what changed on the screen.
            request: An id; what was done under it is not done again.
        """
        if request is not None and request in self._answered:
            return self._answered[request]
        before = self._draw() if settle is not None else None
        result = self._try(action)
        if before is not None and result.ok:
            result = _observed(result, _change(before, self._draw()))
        if request is not None:
            self._answered[request] = result
        return result

    def _try(self, action: Action) -> Result:
        result = self._handler(action) if self._handler is not None else None
        try:
            result = result or self._do(action)
        except CarrelError as error:
            return Result.failed(error)
        self.done.append(action)
        return result

    def _do(self, action: Action) -> Result:
        if isinstance(action, actions.Screenshot):
            frame = self._frame(action)
            data = codec.encode(frame_without_image(frame))
            assert isinstance(data, dict)
            return Result(True, Effect.CONFIRMED, data=data, frame=frame.id)
        if action.effect is EffectClass.OBSERVE:
            return Result(True, Effect.CONFIRMED, data=self._observe(action))
        if isinstance(action, actions.SetClipboard):
            self._clipboard = action.text
            return Result(True, Effect.CONFIRMED)
        if isinstance(action, actions.ResizeScreen):
            self._size, self._marks = Size(action.width, action.height), []
            return Result(True, Effect.CONFIRMED)
        if action.effect is not EffectClass.INPUT:
            raise ActionFailed(f"the fake computer cannot do {action.type!r}")
        return self._input(action)

    def _observe(self, action: Action) -> Mapping[str, Json]:
        if isinstance(action, actions.Screen):
            return {"width": self._size.width, "height": self._size.height}
        if isinstance(action, actions.Cursor):
            return {"x": self._cursor.x, "y": self._cursor.y}
        if isinstance(action, actions.Elements):
            found: Json = [codec.encode(element) for element in self._elements]
            return {"elements": found, "complete": True, "cut": "", "apps": []}
        if isinstance(action, actions.Windows):
            return {"windows": [codec.encode(window) for window in self._windows]}
        if isinstance(action, actions.GetClipboard):
            return {"text": self._clipboard}
        if isinstance(action, actions.Wait):
            return {}
        raise ActionFailed(f"the fake computer cannot do {action.type!r}")

    def _input(self, action: Action) -> Result:
        for point in _points(action):
            if not Box(0, 0, self._size.width, self._size.height).contains(point):
                raise InvalidInput(f"({point.x}, {point.y}) is outside the screen {self._size}")
            self._cursor = point
        if not self.still:
            self._mark(action)
        return Result(True, Effect.UNVERIFIABLE)

    def _mark(self, action: Action) -> None:
        """Leave a mark that no other action leaves, where it was done."""
        text = f"{len(self._marks)} {codec.encode(action)}".encode()
        red, green, blue = hashlib.sha256(text).digest()[:3]
        box = Box(max(self._cursor.x - 4, 0), max(self._cursor.y - 4, 0), 8, 8)
        self._marks.append((box, (red, green, blue)))

    def _draw(self) -> Image.Image:
        from PIL import Image, ImageDraw

        image = Image.new("RGB", (self._size.width, self._size.height), (236, 236, 232))
        draw = ImageDraw.Draw(image)
        draw.rectangle((0, 0, self._size.width, 23), fill=(48, 64, 96))
        for number, (box, colour) in enumerate(self._marks):
            draw.rectangle((box.x, box.y, box.right, box.bottom), fill=colour)
            left = number * 6 % max(self._size.width - 6, 1)
            draw.rectangle((left, 8, left + 4, 16), fill=colour)
        return image

    def _frame(self, action: actions.Screenshot) -> Frame:
        whole = self._draw()
        change = _change(self._last, whole)
        self._last = whole
        region = action.region
        shown = whole.crop((region.x, region.y, region.right, region.bottom)) if region else whole
        out = io.BytesIO()
        shown.save(out, action.format, quality=action.quality, compress_level=1)
        content = out.getvalue()
        name = hashlib.sha256(content).hexdigest()
        if name == action.unless:
            content = b""
        return Frame(
            name, self._size, action.format, time.time(), self._cursor, region, change, content
        )

    # The methods of `Computer`

    async def screenshot(
        self,
        region: Box | tuple[int, int, int, int] | None = None,
        format: ImageFormat = "png",  # noqa: A002 (as `Computer` calls it)
        quality: int = 85,
        cursor: bool = False,
        unless: str | None = None,
    ) -> Frame:
        """Look at the screen."""
        part = None if region is None else of_numbers(Box, region, "screenshot.region")
        action = actions.Screenshot(part, format, quality, cursor, unless)
        self.done.append(action)
        return self._frame(action)

    async def screen_size(self) -> Size:
        """The size of the screen."""
        return self._size

    async def cursor(self) -> Point:
        """Where the pointer is."""
        return self._cursor

    async def windows(self) -> tuple[Window, ...]:
        """The windows it was given."""
        return self._windows

    async def elements(
        self,
        app: str | None = None,
        visible_only: bool = True,
        limit: int = 5000,
        timeout: float = 3.0,
    ) -> ElementTree:
        """The elements it was given."""
        whole = len(self._elements) <= limit
        return ElementTree(self._elements[:limit], whole, (), "" if whole else "limit")

    async def get_clipboard(self) -> str:
        """The text on the clipboard."""
        return self._clipboard

    async def set_clipboard(self, text: str) -> Result:
        """Put text on the clipboard."""
        return await self._must(actions.SetClipboard(text))

    async def click(
        self,
        x: int,
        y: int,
        button: Button = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
    ) -> Result:
        """Click at a point."""
        return await self._must(
            actions.Click(x, y, button, count, items(modifiers, "click.modifiers"))
        )

    async def move(self, x: int, y: int) -> Result:
        """Move the pointer."""
        return await self._must(actions.Move(x, y))

    async def scroll(
        self, x: int, y: int, dy: int = 0, dx: int = 0, modifiers: Sequence[str] = ()
    ) -> Result:
        """Turn the wheel: positive is down and right."""
        return await self._must(actions.Scroll(x, y, dx, dy, items(modifiers, "scroll.modifiers")))

    async def type(self, text: str) -> Result:
        """Type any text."""
        return await self._must(actions.Type(text))

    async def key(self, chord: str | Sequence[str], repeat: int = 1, hold: float = 0.0) -> Result:
        """Press keys together."""
        keys = parse_chord(chord) if isinstance(chord, str) else items(chord, "key.keys")
        return await self._must(actions.Key(keys, repeat, hold))

    async def _must(self, action: Action) -> Result:
        return (await self.act(action)).raise_for_error()


def frame_without_image(frame: Frame) -> Frame:
    """What a `Result` says of a frame: everything but its bytes."""
    return replace(frame, image=b"")


def _observed(result: Result, change: Change | None) -> Result:
    """The result of an action whose effect was watched, as the guest reports it."""
    effect = result.effect
    if effect is Effect.UNVERIFIABLE:
        moved = change is None or change.pixels
        effect = Effect.CONFIRMED if moved else Effect.SUSPECTED_NOOP
    evidence: dict[str, Json] = {"change": codec.encode(change), "settled": True}
    return replace(result, effect=effect, evidence={**result.evidence, **evidence})


def _points(action: Action) -> tuple[Point, ...]:
    if isinstance(action, actions.Drag):
        return action.path
    if isinstance(action, actions.Click | actions.Move | actions.Scroll):
        return (Point(action.x, action.y),)
    return ()


def _change(before: Image.Image | None, now: Image.Image) -> Change | None:
    if before is None or before.size != now.size:
        return None
    from PIL import ImageChops

    difference = ImageChops.difference(before, now).convert("L").point(lambda value: value and 255)
    pixels = difference.histogram()[255]
    box = difference.getbbox()
    area = Box(box[0], box[1], box[2] - box[0], box[3] - box[1]) if box else None
    return Change(pixels, pixels / (now.width * now.height), area)
