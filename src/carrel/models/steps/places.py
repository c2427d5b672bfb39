"""A part of the screen that was named, and that the steps stay in."""

from __future__ import annotations

import re

from carrel.geometry import Box
from carrel.models.steps.desk import Desk, Place, within
from carrel.models.steps.ground import ground
from carrel.models.steps.turns import Turns
from carrel.models.steps.wishes import is_there, look_for, resolve, wished

__all__ = ["stay_in"]

_WHOLE = re.compile(
    r"(?:the|this|that|my|your|our|an?) (?:[\w-]+ ){0,2}"
    r"(?:book|inbox|mailbox|directory|catalog(?:ue)?|list|page|website|site|app|application|"
    r"program|screen|editor|terminal|console|calendar|feed|timeline|menu|form|table|document|"
    r"window|store|shop|game|map|database|system)(?: (?:below|above|here|shown))?",
    re.IGNORECASE,
)
"""Words for something as a whole, which seldom stand on it."""
MOST_OF_SCREEN = 0.6
"""What is larger than this share of the screen is no part of it."""


def stay_in(desk: Desk, phrase: str) -> Turns[None]:
    """Look only in a part of the screen from now on, until `desk.place` is taken away."""
    if _WHOLE.fullmatch(phrase.strip()):
        wish = wished(phrase)
        known = resolve(desk, look_for(desk, wish, want="hold"))
        if known is None and not is_there(look_for(desk, wish, want="hold")):
            # The screen does not say it of a part of it: it is all of what is shown.
            return
    match = yield from ground(desk, phrase, want="hold")
    inner = match.element.box or Box(match.point.x, match.point.y, 1, 1)
    most = MOST_OF_SCREEN * desk.size.width * desk.size.height
    around = {e.box for e in desk.elements if e.box and within(inner, e.box) and e.box.area < most}
    areas = sorted({inner, *around}, key=lambda box: box.area)
    desk.place = Place(phrase, tuple(areas), match.point)
    desk.worked = inner
