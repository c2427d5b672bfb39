"""Looking at a shot with each source alone, and with all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic, process_time

from carrel.bench.suites.screens.shot import Shot
from carrel.errors import Unavailable
from carrel.frames import Element, Source
from carrel.perception._nets import Nets
from carrel.perception.ocr import Reader
from carrel.perception.scene import Scene
from carrel.perception.sight import Sight
from carrel.perception.view import View

__all__ = ["Looks", "look_at"]

PATIENCE = 120.0
"""Seconds: here nothing is left out for being slow; how slow it is, is measured."""
PIXELS: tuple[Source, ...] = ("ocr", "detector")
ALL: tuple[Source, ...] = ("tree", "browser", "ocr", "detector")


@dataclass(frozen=True, slots=True)
class Looks:
    """What was seen.

    Attributes:
        elements: By `tree`, `browser`, `ocr`, `detector`, `pixels` (the last two together) and
            `merged` (all).
        seconds: By `first`, `again` and `changed`; `first ocr` is what one source took of it, and
            `first processor` what all processors worked for it, whatever else they had to do.
    """

    elements: Mapping[str, tuple[Element, ...]]
    seconds: Mapping[str, float]


async def look_at(shot: Shot, nets: Nets | None = None) -> Looks:
    """Look at a shot: first, again unchanged, and after one line changed.

    Args:
        shot: The screen.
        nets: What reads, when it was loaded before; what was read is remembered by none.

    Raises:
        Unavailable: The packages that read pixels are not installed.
    """
    sight = Sight(Reader(nets))
    view = _view(shot, shot.image)
    # The same for every source: decoding the picture is not seeing.
    _ = view.pixels
    first, times = await _timed(sight, shot, view, ALL, "first")
    _require(first)
    _, again = await _timed(sight, shot, view, ALL, "again")
    times |= again
    elements = {"merged": first.elements}
    for name, sources in _parts(shot).items():
        scene, _ = await _timed(sight, shot, view, sources, name)
        elements[name] = scene.elements
    elements["detector"] = tuple(e for e in elements["pixels"] if e.source == "detector")
    if shot.changed:
        other = _view(shot, shot.changed)
        _ = other.pixels
        _, changed = await _timed(sight, shot, other, ALL, "changed")
        times |= changed
    return Looks(elements, times)


def _parts(shot: Shot) -> dict[str, tuple[Source, ...]]:
    parts: dict[str, tuple[Source, ...]] = {"ocr": ("ocr",), "pixels": PIXELS}
    if shot.tree:
        parts["tree"] = ("tree",)
    if shot.browser is not None:
        parts["browser"] = ("browser",)
    return parts


async def _timed(
    sight: Sight, shot: Shot, view: View, sources: tuple[Source, ...], name: str
) -> tuple[Scene, dict[str, float]]:
    """A look, and how long it took: as a whole, each source, and on the processors."""
    began, worked = monotonic(), process_time()
    scene = await sight.look(
        view,
        tree=shot.tree,
        browser=shot.browser or (),
        windows=shot.windows,
        within=PATIENCE,
        sources=sources,
    )
    times = {name: monotonic() - began, f"{name} processor": process_time() - worked}
    return scene, times | {f"{name} {source}": took for source, took in scene.seconds.items()}


def _view(shot: Shot, image: bytes) -> View:
    from hashlib import sha256

    return View(sha256(image).hexdigest(), shot.size, lambda: image)


def _require(scene: Scene) -> None:
    for left_out in scene.left_out:
        if left_out.source in PIXELS:
            raise Unavailable(
                f"pixels cannot be read: {left_out}", hint="pip install 'carrel[eyes]'"
            )
