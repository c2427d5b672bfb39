"""Using a control that all the words of a step tell, as its kind wants it."""

from __future__ import annotations

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.ticking import bring_to
from carrel.perception.roles import TICKED, kind_of

__all__ = ["take_told"]


def take_told(desk: Desk, control: Element) -> Turns[None]:
    """Tick it, or click it and see what comes of it."""
    assert control.box is not None
    if kind_of(control) in TICKED:
        yield from bring_to(desk, control, True, "told by all that is said")
        return
    desk.worked = control.box
    at = control.box.center
    why = f"{named(control)}, told by all that is said"
    yield from desk.do(Click(at.x, at.y), why=why, last=True)
    yield from desk.effect()
