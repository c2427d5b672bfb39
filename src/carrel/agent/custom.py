"""A computer made of the user's own functions: an object with methods, or a dict of functions."""

from __future__ import annotations

import base64
import binascii
import hashlib
import inspect
import io
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import partial

from anyio import to_thread

from carrel.actions import ACTIONS, Action
from carrel.agent.hands import Focus
from carrel.errors import ActionFailed, InvalidInput, Unsupported
from carrel.frames import Frame, Window
from carrel.geometry import Box, Point, Size
from carrel.perception.scene import Told
from carrel.results import Effect, Failure, Result

__all__ = ["CustomHands"]

_ORDINARY = ("screenshot", "screen", "cursor")
"""Answered from the screenshot, or asked for by other means."""


class CustomHands:
    """Functions named after the actions, called with an action's fields by name.

    `screenshot` is required; it returns PNG bytes, base64, a data URL or a Pillow image. What is
    not there is told to the model, and never taken as done. Only the actions of the table can be
    called, never another function by its name.
    """

    isolation = "custom"
    boot = ""

    def __init__(self, given: object) -> None:
        self._functions = _functions(given)
        if "screenshot" not in self._functions:
            raise InvalidInput(
                "a custom computer needs a screenshot function",
                hint='for example {"screenshot": shoot, "click": click, "type": type_text}',
            )
        names = set(ACTIONS) - set(_ORDINARY)
        self.lacks = frozenset(names - set(self._functions))
        self.description: Mapping[str, str] = {"kind": "custom"}

    async def size(self) -> Size:
        """The size of a screenshot."""
        return (await self.look()).size

    async def look(self, region: Box | None = None, unless: str | None = None) -> Frame:
        """Call `screenshot`; a region is cut out of it here."""
        given = await _call(self._functions["screenshot"], {})
        data, size = _png(given)
        whole = size
        if region is not None:
            data, region = _cut(data, region, whole)
        frame = hashlib.sha256(data).hexdigest()
        image = b"" if frame == unless else data
        return Frame(frame, whole, "png", time.time(), Point(0, 0), region, image=image)

    async def act(self, action: Action, request: str) -> Result:
        """Call the function of that name."""
        function = self._functions.get(action.type)
        if function is None:
            raise Unsupported(f"this computer has no function {action.type!r}")
        given = await _call(function, _arguments(action, function))
        if given is False:
            failure = Failure("action_failed", f"{action.type} said that it did not work")
            return Result(False, Effect.REFUSED, failure.message, error=failure)
        text = given if isinstance(given, str) else ""
        data = given if isinstance(given, dict) else {}
        return Result(True, Effect.UNVERIFIABLE, text, data)

    async def focus(self) -> Focus:
        """Not known of a custom computer."""
        return Focus()

    async def elements(self, patience: float = 0.0) -> Told:
        """Not known of a custom computer."""
        return Told((), "a computer of one's own does not tell what is on its screen", True)

    async def windows(self) -> tuple[Window, ...]:
        """Not known of a custom computer."""
        return ()

    async def page(self, size: Size, windows: Sequence[Window]) -> Told:
        """Not known of a custom computer."""
        return Told()


def _functions(given: object) -> dict[str, Callable[..., object]]:
    found = {}
    for name in (*ACTIONS, "screenshot"):
        value = given.get(name) if isinstance(given, Mapping) else getattr(given, name, None)
        if callable(value):
            found[name] = value
    return found


def _arguments(action: Action, function: Callable[..., object]) -> dict[str, object]:
    """The fields the function must be told; one it has no parameter for is an error."""
    parameters = inspect.signature(function).parameters
    takes_all = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    given: dict[str, object] = {}
    for item in fields(action):
        value = getattr(action, item.name)
        if takes_all or item.name in parameters:
            given[item.name] = value
        elif item.default is MISSING or value != item.default:
            raise Unsupported(f"this computer's {action.type} cannot take {item.name}={value!r}")
    return given


async def _call(function: Callable[..., object], arguments: Mapping[str, object]) -> object:
    try:
        if inspect.iscoroutinefunction(function):
            return await function(**arguments)
        given = await to_thread.run_sync(partial(function, **arguments), abandon_on_cancel=True)
        return await given if inspect.isawaitable(given) else given
    except Exception as error:  # the user's own code: its fault is told to the model
        name = getattr(function, "__name__", "function")
        raise ActionFailed(f"{name}: {type(error).__name__}: {error}") from error


def _png(given: object) -> tuple[bytes, Size]:
    from PIL import Image, UnidentifiedImageError

    if isinstance(given, Image.Image):
        out = io.BytesIO()
        given.save(out, "png", compress_level=1)
        return out.getvalue(), Size(given.width, given.height)
    try:
        data = _bytes(given)
        with Image.open(io.BytesIO(data)) as image:
            if image.format == "PNG":
                return data, Size(image.width, image.height)
            return _png(image.convert("RGB"))
    except (UnidentifiedImageError, binascii.Error, ValueError) as error:
        raise ActionFailed(f"screenshot did not give an image: {error}") from error


def _bytes(given: object) -> bytes:
    if isinstance(given, bytes | bytearray | memoryview):
        return bytes(given)
    if isinstance(given, str):
        return base64.b64decode(given.rpartition(",")[2], validate=True)
    raise ValueError(f"it is {type(given).__name__}")


def _cut(data: bytes, region: Box, whole: Size) -> tuple[bytes, Box]:
    from PIL import Image

    inside = region.intersect(Box(0, 0, whole.width, whole.height))
    if inside is None:
        raise InvalidInput("the region lies outside the screen")
    with Image.open(io.BytesIO(data)) as image:
        part = image.crop((inside.x, inside.y, inside.right, inside.bottom))
    out = io.BytesIO()
    part.save(out, "png", compress_level=1)
    return out.getvalue(), inside
