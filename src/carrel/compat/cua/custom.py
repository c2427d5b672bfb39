"""Custom computers as people wrote them: a dict of functions, or a handler with those methods."""

from __future__ import annotations

import base64
import binascii
import inspect
import io
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

import anyio
from anyio import to_thread

from carrel.errors import ActionFailed, InvalidInput, Unsupported
from carrel.geometry import Point, Size

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["FUNCTIONS", "CustomComputer"]

FUNCTIONS = (
    *("screenshot", "click", "double_click", "scroll", "type", "wait", "move", "keypress", "drag"),
    *("left_mouse_down", "left_mouse_up"),
)
"""What can be called: these, and never another method by its name."""
ENVIRONMENTS = ("linux", "mac", "windows", "browser")

Function = Callable[..., object]
Deed = Callable[..., Awaitable[object]]

_BUTTONS = {"middle": "wheel"}
_SMALLEST_SIDE = 16


class CustomComputer:
    """Their functions, under the names and with the arguments of our actions.

    A function that is missing stays missing: the model is told that the computer cannot do that.
    Scrolling is given to `scroll` in wheel notches, positive is up, as their documentation has it;
    with `"positive_scroll": "down"` in the dict, positive is down.

    Args:
        given: The dict or the object.
        delay: Seconds to wait after every input before the next picture is taken.
    """

    def __init__(self, given: object, delay: float = 0.0) -> None:
        self._delay = delay
        self._given = given
        self._functions = {
            name: cast("Function", value)
            for name in FUNCTIONS
            if callable(value := self._value(name))
        }
        if "screenshot" not in self._functions:
            raise InvalidInput(
                "a custom computer needs a screenshot function",
                hint='for example {"screenshot": shoot, "click": click}',
            )
        positive = self._value("positive_scroll")
        if positive not in (None, "up", "down"):
            raise InvalidInput(f"positive_scroll is up or down, not {positive!r}")
        self._up = 1 if positive == "down" else -1

    def _value(self, name: str) -> object:
        if isinstance(self._given, Mapping):
            return self._given.get(name)
        return getattr(self._given, name, None)

    async def functions(self) -> dict[str, Deed]:
        """What the runtime calls, by the types of our actions.

        Raises:
            InvalidInput: `dimensions` or `environment` cannot be meant.
        """
        await self._check_environment()
        needs: dict[str, tuple[str, Deed]] = {
            "click": ("click", self.click),
            "move": ("move", self.move),
            "drag": ("drag", self.drag),
            "scroll": ("scroll", self.scroll),
            "type": ("type", self.type),
            "key": ("keypress", self.key),
            "mouse_down": ("left_mouse_down", self.mouse_down),
            "mouse_up": ("left_mouse_up", self.mouse_up),
        }
        found = {ours: deed for ours, (theirs, deed) in needs.items() if theirs in self._functions}
        return {"screenshot": self.screenshot, "wait": self.wait, **found}

    async def _check_environment(self) -> None:
        environment = await self._ask("environment")
        if environment is not None and environment not in ENVIRONMENTS:
            raise InvalidInput(
                f"environment {environment!r} is unknown", hint=f"one of {', '.join(ENVIRONMENTS)}"
            )

    async def _ask(self, name: str) -> object:
        """A fact: a plain value, or a function that gives it, with or without `get_`."""
        for key in (f"get_{name}", name):
            value = self._value(key)
            if value is not None:
                return await _call(cast("Function", value)) if callable(value) else value
        return None

    async def dimensions(self) -> Size | None:
        """The size that was declared; None leaves it to the picture."""
        given = await self._ask("dimensions")
        if given is None:
            return None
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
            raise InvalidInput(f"dimensions are (width, height), not {given!r}")
        width, height = given
        if not all(isinstance(side, int) and side >= _SMALLEST_SIDE for side in (width, height)):
            raise InvalidInput(f"dimensions are (width, height) in pixels, not {given!r}")
        return Size(width, height)

    async def screenshot(self) -> Image.Image:
        """A picture in the declared size: what the model points at is what `click` is given."""
        from PIL import Image, UnidentifiedImageError

        given = await _call(self._functions["screenshot"])
        try:
            image = given if isinstance(given, Image.Image) else Image.open(_file(given))
            image = image.convert("RGB")
        except (UnidentifiedImageError, binascii.Error, ValueError) as error:
            raise ActionFailed(f"screenshot did not give an image: {error}") from error
        size = await self.dimensions()
        if size is None or image.size == (size.width, size.height):
            return image
        return image.resize((size.width, size.height), Image.Resampling.BOX)

    # Our actions

    async def click(
        self, x: int, y: int, button: str = "left", count: int = 1, modifiers: Sequence[str] = ()
    ) -> None:
        """One click, or a double click where there is a function for it."""
        _require_no_keys(modifiers)
        if count == 2 and button == "left" and "double_click" in self._functions:
            await self._do("double_click", x, y)
        elif count == 1:
            await self._do("click", x, y, _BUTTONS.get(button, button))
        else:
            raise Unsupported(f"this computer cannot click {count} times with the {button} button")

    async def move(self, x: int, y: int) -> None:
        """Move the pointer."""
        await self._do("move", x, y)

    async def drag(
        self,
        path: Sequence[Point],
        button: str = "left",
        modifiers: Sequence[str] = (),
        seconds: float = 0.2,
    ) -> None:
        """All points of the path, from the first to the last."""
        _require_no_keys(modifiers)
        if button != "left":
            raise Unsupported(f"this computer cannot drag with the {button} button")
        await self._do("drag", [{"x": point.x, "y": point.y} for point in path])

    async def scroll(
        self, x: int, y: int, dx: int = 0, dy: int = 0, modifiers: Sequence[str] = ()
    ) -> None:
        """Turn the wheel, in their direction."""
        _require_no_keys(modifiers)
        await self._do("scroll", x, y, dx, dy * self._up)

    async def type(self, text: str) -> None:
        """Type text."""
        await self._do("type", text)

    async def key(self, keys: Sequence[str], repeat: int = 1, hold: float = 0.0) -> None:
        """Press keys together."""
        if hold:
            raise Unsupported("this computer cannot hold keys for a time")
        for _ in range(repeat):
            await self._do("keypress", list(keys))

    async def mouse_down(self, button: str = "left") -> None:
        """Press the left button where the pointer is."""
        await self._button("left_mouse_down", button)

    async def mouse_up(self, button: str = "left") -> None:
        """Release the left button where the pointer is."""
        await self._button("left_mouse_up", button)

    async def wait(
        self, seconds: float | None = None, stable: float | None = None, timeout: float = 10.0
    ) -> None:
        """Let time pass; `wait` is given milliseconds."""
        pause = seconds if seconds is not None else min(stable or 0.0, timeout)
        if "wait" in self._functions:
            await _call(self._functions["wait"], round(pause * 1000))
        else:
            await anyio.sleep(pause)

    async def _button(self, name: str, button: str) -> None:
        if button != "left":
            raise Unsupported(f"this computer cannot hold the {button} button")
        await self._do(name, None, None)

    async def _do(self, name: str, *arguments: object) -> None:
        await _call(self._functions[name], *arguments)
        if self._delay > 0:
            await anyio.sleep(self._delay)


async def _call(function: Function, *arguments: object) -> object:
    if inspect.iscoroutinefunction(function):
        return await function(*arguments)
    given = await to_thread.run_sync(lambda: function(*arguments), abandon_on_cancel=True)
    return await cast("Awaitable[object]", given) if inspect.isawaitable(given) else given


def _file(given: object) -> io.BytesIO:
    if isinstance(given, str):
        return io.BytesIO(base64.b64decode(given.rpartition(",")[2], validate=True))
    if isinstance(given, bytes | bytearray | memoryview):
        return io.BytesIO(bytes(given))
    raise ValueError(f"it is {type(given).__name__}")


def _require_no_keys(modifiers: Sequence[str]) -> None:
    if modifiers:
        raise Unsupported(f"this computer cannot hold {'+'.join(modifiers)} meanwhile")
