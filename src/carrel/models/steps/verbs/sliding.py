"""Sliders: driven in a closed loop by keys, else along their bar, reading back what they say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.actions import Click, Drag, Key
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.dragging import drag_path
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import Kind, kind_of
from carrel.perception.tracks import tracks

__all__ = ["drive", "number_in", "value_of"]

ROUNDS = 12
PARTS, CORRECTIONS = (0.25, 0.75), 4
"""Parts of a bar that are tried first; and how often the place is corrected."""
CLOSE = 1e-6
SHIFT = 4
"""Pixels by which a text may be elsewhere when it changes."""


@dataclass(frozen=True, slots=True)
class _Slider:
    """What is moved, and where what it stands at can be read.

    Attributes:
        handle: The slider, or the handle of one that tells only of that.
        bar: What the handle goes along; None where the slider is that itself.
        gauge: What says the number.
    """

    handle: Element
    bar: Box | None
    gauge: Element

    @property
    def way(self) -> Box:
        """What it is moved along."""
        assert self.handle.box is not None
        return self.bar or self.handle.box


def number_in(text: str | None) -> float | None:
    """The first number of a text."""
    found = re.search(r"-?\d+(?:[.,]\d+)?", text or "")
    return float(found[0].replace(",", ".")) if found else None


def drive(desk: Desk, element: Element, wanted: float) -> Turns[None]:
    """Bring a slider to a value: learn what a key does, and press as often as it takes.

    Raises:
        Missed: It does not say what it stands at, or cannot be brought there.
    """
    assert element.box is not None
    slider = _Slider(element, tracks(desk.elements).get(element.id), element)
    stands = number_in(element.value)
    if stands is not None and abs(stands - wanted) <= CLOSE:
        return  # a click that gives it the keyboard would move it
    at = element.box.center
    yield from desk.do(Click(at.x, at.y), why=f"give {named(element)} the keyboard")
    value = yield from _read(desk, slider)
    if value is None and _has_keyboard(desk, slider):
        slider = _Slider(element, slider.bar, (yield from _readout(desk, element)))
        value = yield from _read(desk, slider)
    if value is None:
        raise Missed(f"{named(element)} does not say what it stands at")
    value = yield from _by_keys(desk, slider, value, wanted)
    if abs(value - wanted) > CLOSE:
        raise Missed(f"{named(element)} stands at {value:g} and cannot be brought to {wanted:g}")


def _has_keyboard(desk: Desk, slider: _Slider) -> bool:
    """Whether keys go to it, as far as that is told: another slider may have kept the keyboard."""
    holders = (Kind.PAGE, Kind.WINDOW, Kind.DIALOG)
    focused = [e for e in desk.elements if "focused" in e.states and kind_of(e) not in holders]
    now = _handle_now(desk.elements, slider)
    own = [box for box in (slider.way, now.box if now is not None else None) if box is not None]
    return not focused or any(within(e.box, box) for e in focused for box in own)


def _by_keys(desk: Desk, slider: _Slider, value: float, wanted: float) -> Turns[float]:
    """What it stands at when all was tried: keys, and its bar where these do not come there."""
    step, pointed = 0.0, False
    for _ in range(ROUNDS):
        if abs(value - wanted) <= CLOSE:
            break
        beyond = step and abs(value - wanted) < step - CLOSE
        if beyond or not _has_keyboard(desk, slider):
            # One key more would go beyond, or move something else.
            if pointed:
                break
            value, pointed = (yield from _by_pointer(desk, slider, wanted, value)), True
            continue
        keys = _keys(value, wanted, step)
        yield from desk.do(*keys, why=f"it stands at {value:g}, not {wanted:g}", last=True)
        before, value = value, (yield from _changed(desk, slider, value))
        if value == before:
            if step or pointed:
                break
            value, pointed = (yield from _by_pointer(desk, slider, wanted, value)), True
            if value == before:
                break
        elif not step or abs(value - before) < step:
            step = abs(value - before) / max(1, keys[0].repeat)
    return value


def _changed(desk: Desk, slider: _Slider, before: float) -> Turns[float]:
    """What it stands at after it was moved; some pages tell a moment later."""
    value = yield from _read(desk, slider)
    if value == before:
        yield from desk.again(0.4, why="whether it moves yet")
        value = yield from _read(desk, slider)
    return before if value is None else value


def _keys(value: float, wanted: float, step: float) -> Sequence[Key]:
    key = "right" if wanted > value else "left"
    count = round(abs(wanted - value) / step) if step else 1
    return (Key((key,), repeat=max(1, min(100, count))),)


# What it says


def value_of(desk: Desk, element: Element) -> Turns[float | None]:
    """The number that a slider or a spinner stands at; None where it says none."""
    return (yield from _read(desk, _Slider(element, None, element)))


def _read(desk: Desk, slider: _Slider) -> Turns[float | None]:
    for pause in (0.0, 0.1, 0.3):
        if pause:
            yield from desk.again(pause, why="what it stands at")
        gauge = slider.gauge
        if gauge is slider.handle:
            now = _handle_now(desk.elements, slider)
        else:
            now = _at(desk.elements, gauge)
        if now is not None and (number := number_in(_said(now, gauge))) is not None:
            return number
    return None


def _handle_now(elements: Sequence[Element], slider: _Slider) -> Element | None:
    """The same slider, wherever it has gone: a handle by the bar that it is on."""
    if slider.bar is None:
        return same_as(elements, slider.handle) or _at(elements, slider.handle)
    bars = tracks(elements)
    return same_as([e for e in elements if bars.get(e.id) == slider.bar], slider.handle)


def _readout(desk: Desk, slider: Element) -> Turns[Element]:
    """The number on the screen that changes with a slider that does not tell its own.

    Raises:
        Missed: None does.
    """
    before = [e for e in desk.elements if number_in(e.value or e.name) is not None]
    for key in ("right", "left"):
        yield from desk.do(Key((key,)), why=f"which number goes with {named(slider)}")
        for pause in (0.0, 0.3):
            if pause:
                yield from desk.again(pause, why="a number may change")
            changed = [e for e in before if _differs(desk.elements, e)]
            if changed:
                return min(changed, key=lambda e: _apart(e, slider))
    raise Missed(f"{named(slider)} does not say what it stands at, and no number goes with it")


def _differs(elements: Sequence[Element], before: Element) -> bool:
    now = _at(elements, before)
    return now is not None and number_in(now.value or now.name) not in (
        None,
        number_in(before.value or before.name),
    )


def _at(elements: Sequence[Element], before: Element) -> Element | None:
    """What is where something was: its text may be another, and longer."""
    return next((e for e in elements if e.role == before.role and _is_there(e, before)), None)


def _is_there(one: Element, other: Element) -> bool:
    """Whether both begin, end or have their middle at one place."""
    if one.box is None or other.box is None or abs(one.box.y - other.box.y) > SHIFT:
        return False
    left, right = one.box.x - other.box.x, one.box.right - other.box.right
    return min(abs(left), abs(right), abs(left + right) // 2) <= SHIFT


def _apart(one: Element, other: Element) -> int:
    assert one.box is not None
    assert other.box is not None
    here, there = one.box.center, other.box.center
    return abs(here.x - there.x) + abs(here.y - there.y)


def _said(now: Element, before: Element) -> str | None:
    """Its value; of a text that goes with a slider, the text."""
    return now.value if kind_of(before) in (Kind.SLIDER, Kind.SPINNER) else now.value or now.name


# Along its bar


def _by_pointer(desk: Desk, slider: _Slider, wanted: float, value: float) -> Turns[float]:
    """Learn from two places what the bar is worth, then go on by that; what it stands at then."""
    known: list[tuple[float, float]] = []
    for part in PARTS:
        value = yield from _go_to(desk, slider, part, value)
        known.append((part, value))
    for _ in range(CORRECTIONS):
        (one, low), (two, high) = known
        if low == high or abs(value - wanted) <= CLOSE:
            break
        part = min(1.0, max(0.0, one + (wanted - low) * (two - one) / (high - low)))
        value = yield from _go_to(desk, slider, part, value)
        known = [min(known, key=lambda item: abs(item[1] - wanted)), (part, value)]
    return value


def _go_to(desk: Desk, slider: _Slider, part: float, value: float) -> Turns[float]:
    """Click its bar at a part of its length, or drag the handle there; what it stands at then."""
    box, at = slider.way, slider.way.center
    if box.height > box.width:
        at = Point(at.x, box.bottom - 1 - round(part * (box.height - 1)))
    else:
        at = Point(box.x + round(part * (box.width - 1)), at.y)
    yield from desk.do(Click(at.x, at.y), why="keys do not come there: what a click on it does")
    now = yield from _changed(desk, slider, value)
    handle = _handle_now(desk.elements, slider) if slider.bar is not None else None
    if now != value or handle is None or handle.box is None:
        return now
    pull = Drag(drag_path(handle.box.center, at), seconds=0.3)
    yield from desk.do(pull, why="a click does nothing: what dragging its handle does")
    return (yield from _changed(desk, slider, value))
