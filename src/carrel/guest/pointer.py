"""The pointer: clicks, moves, drags and the wheel, by XTEST, read back from the server."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from anyio import lowlevel, sleep
from Xlib import X
from Xlib import error as xerror
from Xlib.protocol import event as xevent

from carrel.actions import Button, Click, Drag, MouseDown, MouseUp, Move, Scroll
from carrel.errors import ActionFailed, InvalidInput, MachineLost, Unsupported
from carrel.geometry import Box, Point
from carrel.guest._xtest import FakeInput, Seen
from carrel.guest.display import open_display, x_errors
from carrel.guest.keyboard import Keyboard

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["Pointer"]

BUTTONS: Final[dict[Button, int]] = {
    "left": 1,
    "middle": 2,
    "right": 3,
    "back": 8,
    "forward": 9,
}
_WHEEL_UP, _WHEEL_DOWN, _WHEEL_LEFT, _WHEEL_RIGHT = 4, 5, 6, 7
_THAW_SECONDS = 2.0
_QUICK_SECONDS = 0.002
"""How long a frozen pointer is looked at without a pause; mostly it thaws in a quarter of that."""
_CLICK_GAP = 0.01
"""Between two clicks: Chromium takes presses of the same millisecond for one and the same."""
_READABLE = 3
"""The server reports the state of the first buttons only; those above the wheel it does not."""

_STEP_SECONDS = 0.008
"""Between two motions of a drag: as often as a mouse reports."""
_LEAST_STEPS = 8
"""Motions per leg of a drag, however short its time: programs ignore a drag that only jumps."""

Evidence = dict[str, object]


class Pointer:
    """The pointer of one display. Not for use by two tasks at once.

    Args:
        display_name: The display, for example `:0`.
        keyboard: Holds the modifier keys of clicks, drags and scrolls.
    """

    def __init__(self, display_name: str, keyboard: Keyboard) -> None:
        with x_errors():
            self._display: Display = open_display(display_name)
            self._fake = FakeInput(self._display)
            self._root = self._display.screen().root
            self._keyboard = keyboard
            self._down: set[int] = set()
            self._physical = self._read_mapping()
            self._screen = self._read_screen()

    def position(self) -> Point:
        """Where the pointer is now."""
        with x_errors():
            seen = self._fake.look()
        return Point(seen.x, seen.y)

    async def move(self, action: Move) -> Evidence:
        """Move the pointer.

        Raises:
            InvalidInput: The point is outside the screen.
            ActionFailed: Something keeps the pointer elsewhere.
        """
        with x_errors():
            self._check(Point(action.x, action.y))
            await self._place(Point(action.x, action.y))
        return {"x": action.x, "y": action.y}

    async def click(self, action: Click) -> Evidence:
        """Click `count` times at a point; the pointer is there before the button goes down."""
        point = Point(action.x, action.y)
        with x_errors():
            self._check(point)
            self._known_button(BUTTONS[action.button])
            if action.modifiers:
                async with self._holding(action.modifiers):
                    await self._click(action, point)
            else:
                await self._click(action, point)
            return await self._seen(action.button, False)

    async def _click(self, action: Click, point: Point) -> None:
        """Click; the last release is sent with whatever comes next."""
        await self._place(point)
        button = self._known_button(BUTTONS[action.button])
        for turn in range(action.count):
            if turn:
                self._display.flush()
                await sleep(_CLICK_GAP)
            if action.hold:
                with self._pressed(button):
                    await sleep(action.hold)
                continue
            self._press(button)
            self._release(button)

    async def drag(self, action: Drag) -> Evidence:
        """Press at the first point, move through all the others, release at the last."""
        with x_errors():
            for point in action.path:
                self._check(point)
            button = self._button(BUTTONS[action.button])
            async with self._holding(action.modifiers):
                await self._place(action.path[0])
                with self._pressed(button):
                    await self._follow(action.path, action.seconds)
                    await self._place(action.path[-1])
            return await self._seen(action.button, False)

    async def mouse_down(self, action: MouseDown) -> Evidence:
        """Press a button and keep it down until `mouse_up` or `release_all`."""
        with x_errors():
            self._press(self._button(BUTTONS[action.button]))
            return await self._seen(action.button, True)

    async def mouse_up(self, action: MouseUp) -> Evidence:
        """Release a button, whoever pressed it; `why` where that did nothing."""
        with x_errors():
            number = BUTTONS[action.button]
            was_up = number <= _READABLE and not _is_down(self._fake.look(), number)
            self._release(self._button(number))
            seen = await self._seen(action.button, False)
            return {**seen, "why": "it was not down"} if was_up else seen

    async def scroll(self, action: Scroll) -> Evidence:
        """Turn the wheel at a point, by whole notches."""
        point = Point(action.x, action.y)
        with x_errors():
            self._check(point)
            down = self._button(_WHEEL_DOWN if action.dy > 0 else _WHEEL_UP)
            right = self._button(_WHEEL_RIGHT if action.dx > 0 else _WHEEL_LEFT)
            async with self._holding(action.modifiers):
                await self._place(point)
                for button, notches in ((down, abs(action.dy)), (right, abs(action.dx))):
                    for _ in range(notches):
                        with self._pressed(button):
                            pass
            self._display.sync()
        return {"x": point.x, "y": point.y, "dx": action.dx, "dy": action.dy}

    def release_all(self) -> None:
        """Release every button this object holds."""
        with x_errors():
            for button in list(self._down):
                self._release(button)
            self._display.sync()

    def close(self) -> None:
        """Release every button and let the display go."""
        with suppress(MachineLost, xerror.ConnectionClosedError):  # a dead display is closed, too
            self.release_all()
            self._display.close()

    def _check(self, point: Point) -> None:
        if self._screen.contains(point):
            return
        # The screen may have been resized since it was last looked at.
        self._screen = self._read_screen()
        if not self._screen.contains(point):
            wide, high = self._screen.width, self._screen.height
            raise InvalidInput(
                f"({point.x}, {point.y}) is outside the screen of {wide}x{high}",
                hint=f"x goes from 0 to {wide - 1}, y from 0 to {high - 1}",
            )

    def _read_screen(self) -> Box:
        size = self._root.get_geometry()
        return Box(0, 0, size.width, size.height)

    async def _place(self, point: Point) -> None:
        self._fake.motion(point.x, point.y)
        since = time.monotonic()
        while True:
            seen = self._fake.look()
            if (seen.x, seen.y) == (point.x, point.y):
                return
            if not await self._thaw(since):
                break
        self._screen = self._read_screen()
        self._check(point)
        raise ActionFailed(
            f"the pointer stays at ({seen.x}, {seen.y})",
            hint="a program confines or moves the pointer: look at the screen",
        )

    async def _thaw(self, since: float) -> bool:
        """Wait a little for a frozen pointer; say whether it is worth another look.

        A window manager that raises windows on a click freezes it until it has, which mostly
        takes less than a millisecond.
        """
        waited = time.monotonic() - since
        await (lowlevel.checkpoint() if waited < _QUICK_SECONDS else sleep(0.002))
        return waited < _THAW_SECONDS

    async def _follow(self, path: Sequence[Point], seconds: float) -> None:
        started = time.monotonic()
        for point, share in _waypoints(path, seconds):
            self._fake.motion(point.x, point.y)
            self._display.flush()
            due = started + share * seconds
            await sleep(max(0.0, due - time.monotonic()))
        await lowlevel.checkpoint()

    @asynccontextmanager
    async def _holding(self, keys: Sequence[str]) -> AsyncIterator[None]:
        async with self._keyboard.holding(keys):
            try:
                yield
            finally:
                if keys:
                    # They go up by another connection, and must not overtake the button.
                    self._display.sync()

    @contextmanager
    def _pressed(self, button: int) -> Iterator[None]:
        self._press(button)
        try:
            self._display.flush()
            yield
        finally:
            self._release(button)
            self._display.flush()

    def _press(self, button: int) -> None:
        self._down.add(button)
        self._fake.button(button, True)

    def _release(self, button: int) -> None:
        self._down.discard(button)
        self._fake.button(button, False)

    async def _seen(self, button: Button, down: bool) -> Evidence:
        """Where the pointer is and, if that can be read, that the button is as it should be."""
        number = BUTTONS[button]
        since = time.monotonic()
        while True:
            seen = self._fake.look()
            place: Evidence = {"x": seen.x, "y": seen.y, "button": button}
            if number > _READABLE:
                return place
            if _is_down(seen, number) == down:
                return {**place, "down": down}
            if not await self._thaw(since):
                break
        self._release(self._button(number))
        self._display.flush()
        raise ActionFailed(f"the {button} button did not go {'down' if down else 'up'}")

    def _button(self, logical: int) -> int:
        """The physical button that programs see as `logical`: left-handed people swap them."""
        self._display.pending_events()
        return self._known_button(logical)

    def _known_button(self, logical: int) -> int:
        """As `_button`, by what had arrived with the last answer of the server."""
        while self._display.display.event_queue:
            if isinstance(self._display.next_event(), xevent.MappingNotify):
                self._physical = self._read_mapping()
        if logical not in self._physical:
            raise Unsupported(f"the pointer has no button {logical}")
        return self._physical[logical]

    def _read_mapping(self) -> dict[int, int]:
        mapping = self._display.get_pointer_mapping()
        found: dict[int, int] = {}
        for physical, logical in enumerate(mapping, 1):
            found.setdefault(logical, physical)
        return found


def _is_down(seen: Seen, number: int) -> bool:
    return bool(seen.mask & X.Button1Mask << number - 1)


def _waypoints(path: Sequence[Point], seconds: float) -> Iterator[tuple[Point, float]]:
    """Points along a path and the share of its time at which each is due; all corners included."""
    lengths = [math.dist((a.x, a.y), (b.x, b.y)) for a, b in itertools.pairwise(path)]
    total = sum(lengths) or 1.0
    done = 0.0
    for (start, end), length in zip(itertools.pairwise(path), lengths, strict=True):
        timed = math.ceil(seconds * length / total / _STEP_SECONDS)
        # Never more motions than pixels: equal ones would not be reported.
        steps = max(1, min(max(_LEAST_STEPS, timed), math.ceil(length)))
        for step in range(1, steps + 1):
            part = step / steps
            x = round(start.x + (end.x - start.x) * part)
            y = round(start.y + (end.y - start.y) * part)
            yield Point(x, y), (done + length * part) / total
        done += length
