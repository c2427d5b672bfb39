"""One shot judged: looked at, held against the truth, asked about."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import anyio

from carrel.bench.suites.screens.asking import locate_marks
from carrel.bench.suites.screens.looking import Looks, look_at
from carrel.bench.suites.screens.score import (
    Mark,
    box_marks,
    claim_marks,
    reading_marks,
    text_marks,
)
from carrel.bench.suites.screens.shot import Shot
from carrel.bench.suites.screens.tally import Judged
from carrel.bench.suites.screens.templates import sample
from carrel.perception._nets import Nets
from carrel.perception.view import View

__all__ = ["DESCRIPTIONS", "judge"]

DESCRIPTIONS = 14
"""Of one screen."""

# Whether a thing is clickable is not written in its pixels: text claims nothing.
_CLAIMING = ("tree", "browser", "detector", "pixels", "merged")


async def judge(shot: Shot, nets: Nets | None = None, most: int = DESCRIPTIONS) -> Judged:
    """Look at a shot and mark all that was seen.

    Raises:
        Unavailable: The packages that read pixels are not installed.
    """
    looks = await look_at(shot, nets)
    marks = await anyio.to_thread.run_sync(lambda: tuple(_marks(shot, looks, most)))
    seconds = {**{f"asked {name}": took for name, took in shot.seconds.items()}, **looks.seconds}
    return Judged(shot.key, shot.size, shot.said == "dom", marks, seconds)


def _marks(shot: Shot, looks: Looks, most: int) -> Iterator[Mark]:
    for source, elements in looks.elements.items():
        if shot.said == "tree" and source == "tree":
            continue  # It would be held against itself.
        if source != "detector":
            yield from text_marks(source, elements, shot.truth)
        if source in ("ocr", "pixels", "merged"):
            yield from reading_marks(source, elements, shot.truth)
        yield from box_marks(source, elements, shot.truth)
        if source in _CLAIMING:
            yield from claim_marks(source, elements, shot.truth)
    told = sample(shot.truth, shot.key, most)
    view = View(sha256(shot.image).hexdigest(), shot.size, lambda: shot.image)
    for source in ("merged", "pixels"):
        elements = looks.elements[source]
        yield from locate_marks(source, elements, told, view, shot.size)
