"""The ways in which text models write points, keys and directions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from carrel.actions import Click, Drag, Move, Scroll
from carrel.decisions import Decision
from carrel.errors import InvalidInput
from carrel.geometry import Point, Size
from carrel.keys import canonical_key, parse_chord
from carrel.models.context import Context
from carrel.models.space import Space

__all__ = ["direction_of", "last_pointer", "middle", "read_keys", "read_point", "scroll_by"]

_NUMBER = r"[-+]?\d{1,9}(?:\.\d{1,20})?"
_PLAIN = re.compile(rf"[\[(\s]*({_NUMBER}(?:[\s,]+{_NUMBER}){{1,3}})[\])\s]*")
_TAG = re.compile(r"<\|?/?(?:box_start|box_end|begin_of_box|end_of_box|point|bbox|box)\|?>")

STEPS: Mapping[str, tuple[int, int]] = {
    "up": (0, -1),
    "down": (0, 1),
    "left": (-1, 0),
    "right": (1, 0),
}


def read_point(written: object, space: Space) -> Point:
    """The pixel meant by `(x,y)`, `[x, y]`, `<point>x y</point>`, `<|box_start|>(x,y)…` or a box.

    Raises:
        InvalidInput: It is none of these, or outside the picture.
    """
    return space.to_screen(*read_pair(written))


def read_pair(written: object) -> tuple[float, float]:
    """The two numbers of a point, or the middle of a box of four."""
    numbers = _numbers(written)
    if len(numbers) == 2:
        return numbers[0], numbers[1]
    if len(numbers) == 4:
        return (numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2
    raise InvalidInput(f"{str(written)[:60]!r} is not a point", hint="write it as (x, y)")


def _numbers(written: object) -> list[float]:
    if isinstance(written, list | tuple):
        if len(written) == 1:
            return _numbers(written[0])
        plain = [n for n in written if isinstance(n, int | float) and not isinstance(n, bool)]
        return plain if len(plain) == len(written) else []
    if not isinstance(written, str) or len(written) > 200:
        return []
    match = _PLAIN.fullmatch(_TAG.sub(" ", written))
    return [float(number) for number in re.findall(_NUMBER, match[1])] if match else []


def read_keys(written: object) -> tuple[str, ...]:
    """The chord meant by `ctrl c`, `ctrl+c`, `page down` or a list of keys.

    Raises:
        InvalidInput: A part is not a key.
    """
    if isinstance(written, list):
        return tuple(key for part in written for key in read_keys(part))
    if not isinstance(written, str) or not written or len(written) > 200:
        raise InvalidInput(f"{str(written)[:60]!r} is not a key")
    try:
        return (canonical_key(written),)
    except InvalidInput:
        parts = written.split()
        if len(parts) == 1:
            return parse_chord(parts[0])
        return tuple(canonical_key(part) for part in parts if part != "+")


def scroll_by(point: Point, direction: object, notches: int) -> Scroll:
    """A scroll of some notches towards a direction.

    Raises:
        InvalidInput: There is no such direction.
    """
    step = STEPS.get(direction.strip().lower()) if isinstance(direction, str) else None
    if step is None:
        raise InvalidInput(
            f"{str(direction)[:40]!r} is not a direction", hint="use up, down, left or right"
        )
    return Scroll(point.x, point.y, step[0] * notches, step[1] * notches)


def direction_of(scroll: Scroll) -> str:
    """The main direction of a scroll."""
    if abs(scroll.dy) >= abs(scroll.dx):
        return "down" if scroll.dy > 0 else "up"
    return "right" if scroll.dx > 0 else "left"


def middle(screen: Size) -> Point:
    """The pixel in the middle of the screen."""
    return Point(screen.width // 2, screen.height // 2)


def last_pointer(context: Context) -> Point | None:
    """Where the model's own actions last put the pointer; None when it has not moved it."""
    for turn in reversed(context.turns):
        point = pointer_after(turn.decision) if turn.decision else None
        if point is not None:
            return point
    return None


def pointer_after(decision: Decision) -> Point | None:
    """Where the actions of a decision leave the pointer."""
    for call in reversed(decision.calls):
        for action in reversed(call.actions):
            if isinstance(action, Click | Move | Scroll):
                return Point(action.x, action.y)
            if isinstance(action, Drag):
                return action.path[-1]
    return None
