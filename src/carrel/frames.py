"""What was seen: a picture of the screen and what is known about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from carrel.geometry import Box, Point, Size

__all__ = ["Change", "Element", "Frame", "ImageFormat", "Source", "Window"]

ImageFormat = Literal["png", "jpeg", "webp"]

Source = Literal["tree", "browser", "ocr", "detector"]
"""Who says that an element is there: the application, the browser, or its pixels."""


@dataclass(frozen=True, slots=True)
class Change:
    """Exact pixel difference between two frames of the same size.

    Attributes:
        pixels: How many pixels differ.
        share: The same as a share of the screen, 0 to 1.
        box: The smallest box around all of them; None when nothing changed.
    """

    pixels: int
    share: float
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Element:
    """One control, text or icon on the screen.

    Attributes:
        id: Stable within one frame, for example `e12`.
        role: AT-SPI role name in lower case, for example `push button`, whoever found it.
        value: Of a field its text, of a slider its number, of a web page (`document web`) its URL.
        box: In screen pixels; None when the application does not say.
        states: Such as `enabled`, `focused`, `checked`, `editable`.
        parent: Id of the element that holds it; None for a top-level window.
        text: What is written on it, as far as it was read from the pixels.
        hint: What a field says while it is empty, as far as its application tells.
        source: Who found it; of several, the one that knows most.
        confidence: How sure that is, 0 to 1; what an application says of itself is sure.
    """

    id: str
    role: str
    name: str = ""
    value: str | None = None
    box: Box | None = None
    states: tuple[str, ...] = ()
    parent: str | None = None
    app: str = ""
    text: str = ""
    source: Source = "tree"
    confidence: float = 1.0
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """One top-level window, as the window manager lists it."""

    id: int
    title: str
    box: Box
    app: str = ""
    pid: int | None = None
    focused: bool = False
    minimized: bool = False
    maximized: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """One look at the screen.

    Attributes:
        id: SHA-256 of the image bytes, in hex.
        size: The screen, in pixels.
        region: The part the image shows; the whole screen when None.
        image: Encoded picture; empty when the caller already has it (`unless`).
        cursor: Where the pointer was.
        change: Against the previous frame this machine was asked for; None for the first.
        at: Seconds since the epoch, by the machine's clock.
    """

    id: str
    size: Size
    format: ImageFormat
    at: float
    cursor: Point
    region: Box | None = None
    change: Change | None = None
    image: bytes = b""
