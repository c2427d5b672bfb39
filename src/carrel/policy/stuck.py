"""Noticing a model that goes round in circles, and the ladder of what is done about it.

Stuck is judged by what was done *and* that the screen did not change. As long as the screen
changes, nothing is ever stuck: thirty scrolls through a page are work.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from dataclasses import dataclass
from typing import Literal

from carrel.actions import Action, Drag, EffectClass, Key, Screenshot, Scroll, Wait
from carrel.intents import encode_any

__all__ = ["RUNGS", "Rung", "RungName", "Stuck"]

RungName = Literal["hint", "replan", "ask", "stop"]
RUNGS: tuple[RungName, ...] = ("hint", "replan", "ask", "stop")

GRID = 8
"""Pixels within which two points are the same place."""
REPEATS = 3
"""How often a cycle has to be seen."""
PATIENCE = 2
"""How many more rounds each rung is given to help."""
LONGEST = 4
"""The longest cycle that is looked for, in actions."""


@dataclass(frozen=True, slots=True)
class Rung:
    """What is to be done about it now.

    Attributes:
        name: `hint` and `replan` are told to the model, `ask` to a person, `stop` ends the run.
        repeats: How often the same was done to no effect.
        signature: What was done.
    """

    name: RungName
    repeats: int
    signature: str


@dataclass(frozen=True, slots=True)
class _Mark:
    """One action, without what does not matter: a little to the left is the same click."""

    kind: str
    points: tuple[tuple[int, int], ...]

    def resembles(self, other: _Mark) -> bool:
        if self.kind != other.kind or len(self.points) != len(other.points):
            return False
        pairs = zip(self.points, other.points, strict=True)
        return all(abs(a - c) <= GRID and abs(b - d) <= GRID for (a, b), (c, d) in pairs)

    def __str__(self) -> str:
        places = " ".join(f"{x // GRID * GRID},{y // GRID * GRID}" for x, y in self.points)
        return f"{self.kind} {places}".strip()


class Stuck:
    """Watches the actions of one run."""

    def __init__(self) -> None:
        self._trail: deque[_Mark] = deque(maxlen=LONGEST * (REPEATS + PATIENCE * len(RUNGS)))
        self._level = 0
        self._since = 0
        """Actions since the last rung."""

    @property
    def is_over(self) -> bool:
        """Whether the last rung was reached, and nothing has changed since."""
        return self._level >= len(RUNGS)

    def observe(self, action: Action, changed: bool | None) -> Rung | None:
        """Take note of an action that was carried out.

        Args:
            action: As the model gave it.
            changed: Whether the screen changed; None when nobody looked.

        Returns:
            The next rung when it goes round in circles, else None.
        """
        if changed:
            self.reset()
            return None
        if changed is None and action.effect in (EffectClass.OBSERVE, EffectClass.INPUT):
            # What works on the screen can only be judged by the screen.
            return None
        self._trail.append(_mark(action))
        self._since += 1
        return self._climb()

    def reset(self) -> None:
        """Something changed, or a person said to go on: begin anew."""
        self._trail.clear()
        self._level = self._since = 0

    def _climb(self) -> Rung | None:
        for length in range(1, LONGEST + 1):
            repeats = self._repeats(length)
            if repeats < REPEATS or (self._level and self._since < PATIENCE * length):
                continue
            if self.is_over:
                return None
            rung = Rung(RUNGS[self._level], repeats, self._signature(length))
            self._level += 1
            self._since = 0
            return rung
        return None

    def _repeats(self, length: int) -> int:
        """How many times the last `length` actions came one after the other."""
        trail = list(self._trail)
        cycle = trail[-length:]
        count = 0
        while len(trail) >= length:
            if not all(a.resembles(b) for a, b in zip(trail[-length:], cycle, strict=True)):
                break
            count += 1
            del trail[-length:]
        return count

    def _signature(self, length: int) -> str:
        return "; ".join(str(mark) for mark in list(self._trail)[-length:])


def _mark(action: Action) -> _Mark:
    wire = encode_any(action)
    kind = action.type
    if isinstance(action, Drag):
        ends = (action.path[0], action.path[-1])
        return _Mark(f"{kind} {action.button}", tuple((point.x, point.y) for point in ends))
    if isinstance(action, Screenshot) and action.region is not None:
        box = action.region
        return _Mark(kind, ((box.x, box.y), (box.right, box.bottom)))
    if isinstance(action, Wait | Screenshot):
        return _Mark(kind, ())
    if isinstance(action, Key):
        return _Mark(f"{kind} {action.target}", ())
    place = ()
    x, y = wire.pop("x", None), wire.pop("y", None)
    points = ((x, y),) if isinstance(x, int) and isinstance(y, int) else place
    if isinstance(action, Scroll):
        return _Mark(f"{kind} {_way(action.dx, action.dy)}", points)
    del wire["type"]
    text = json.dumps(wire, sort_keys=True)
    # Texts may be long and are nobody's business in a log.
    detail = hashlib.sha256(text.encode()).hexdigest()[:8] if wire else ""
    return _Mark(f"{kind} {detail}".strip(), points)


def _way(dx: int, dy: int) -> str:
    across = "left" if dx < 0 else "right" if dx else ""
    along = "up" if dy < 0 else "down" if dy else ""
    return f"{along} {across}".strip()
