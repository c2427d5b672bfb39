"""Sliders and spinners: driven in a closed loop, by reading back what they stand at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.geometry import Point
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import ground
from carrel.models.steps.later import same_as
from carrel.models.steps.program import Enter, SetValue
from carrel.models.steps.sheets import meant_cell
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.colouring import set_colour, takes_colour
from carrel.models.steps.verbs.drop_downs import choose_from_combo
from carrel.models.steps.verbs.entering import enter, put, typed
from carrel.models.steps.verbs.fields import inline_editor
from carrel.models.steps.verbs.groups import choice_in, come_to_group, group_called, shown_number
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.spinning import spin
from carrel.models.steps.verbs.ticking import bring_to, take_choice
from carrel.models.steps.wishes import look_for, resolve, wished
from carrel.perception.roles import TICKED, Kind, is_field, kind_of

__all__ = ["set_value"]

ROUNDS = 12
TRACK, CORRECTIONS = (0.25, 0.75), 4
"""Parts of a track that are tried first; and how often the place is corrected."""
CLOSE = 1e-6
_SETTABLE = frozenset({Kind.SLIDER, Kind.SPINNER, Kind.COMBO} | TICKED)
_COUNTED = re.compile(
    r"^(?:the )?(?:number|amount|count|value|quantity|level) of (?:the )?"
    r"|的?(?:数量|个数|数?值)$",
    re.IGNORECASE,
)
_NUMBERED = (Kind.SLIDER, Kind.SPINNER)
SHIFT = 4
"""Pixels by which a text may begin elsewhere when it changes."""


def set_value(desk: Desk, step: SetValue) -> Turns[str | None]:
    """Bring a slider or a spinner to a value."""
    if step.what is not None and not step.relative and meant_cell(desk, step.what) is not None:
        return (yield from enter(desk, Enter(step.value, step.what)))
    if step.what is not None and (field := inline_editor(desk, step.what)) is not None:
        return (yield from put(desk, field, step.value, why="where it is edited"))
    if (yield from _by_choice(desk, step, None)):
        return None
    element = yield from _meant(desk, step)
    if not _is_settable(element) and (yield from _by_choice(desk, step, element)):
        return None
    desk.worked = element.box
    if takes_colour(element, step.value) and not step.relative:
        return (yield from set_colour(desk, element, step.value))
    if _drops_down(element) and not step.relative:
        yield from choose_from_combo(desk, element, step.value)
        return None
    if kind_of(element) in TICKED and (on := _switched(step.value)) is not None:
        yield from bring_to(desk, element, on, "as it is to be set")
        return None
    if is_field(element) or kind_of(element) is Kind.FIELD:
        text = _changed(element, step.value) if step.relative else step.value
        return (yield from _fill(desk, element, text))
    wanted = _number(step.value)
    if step.relative and wanted is not None:
        wanted += (yield from _value(desk, element)) or 0.0
    if wanted is None:
        raise Missed(
            f"{named(element)} has no choice {step.value!r}, and that is no number to set it to"
        )
    yield from _drive(desk, element, wanted)
    return None


def _by_choice(desk: Desk, step: SetValue, found: Element | None) -> Turns[bool]:
    """Take one of a group of choices, where it is such a group that is called so."""
    if step.what is None or step.relative:
        return False
    if found is None and _settable_kinds(desk, step.what, _NUMBERED) is not None:
        return False
    if found is None:
        yield from come_to_group(desk, step.what)
    group = found or group_called(desk, step.what)
    choice = None if group is None else choice_in(desk, group, step.value)
    if choice is None:
        return False
    before = shown_number(desk, choice)
    yield from take_choice(desk, choice, step.value)
    if before is not None and not choice.name.strip().isdigit():
        yield from _see_number(desk, choice, step.value)
    return True


def _see_number(desk: Desk, choice: Element, value: str) -> Turns[None]:
    """See that the number beside choices without names is the one that was asked for.

    Raises:
        Missed: It is another.
    """
    shown = None
    for pause in (0.2, 0.5, 0.0):
        shown = shown_number(desk, choice)
        if shown is None or _number(shown) == _number(value):
            return
        if pause:
            yield from desk.again(pause, why="which number it shows now")
    raise Missed(f"it shows {shown} after {value} was taken")


def _settable_kinds(desk: Desk, phrase: str, kinds: Sequence[Kind]) -> Sequence[Kind] | None:
    """As what kind a thing of that name that can be set is found; None where there is none."""
    for asked in (kinds, (Kind.FIELD,), (Kind.COMBO,)):
        match = resolve(desk, look_for(desk, wished(phrase, asked), want="type"))
        if match is not None and _is_settable(match.element):
            return asked
    return None


def _fill(desk: Desk, element: Element, text: str) -> Turns[str | None]:
    """Type it; a spinner that takes no text is turned step by step."""
    wanted = _number(text)
    if kind_of(element) is not Kind.SPINNER or _number(element.value) is None or wanted is None:
        return (yield from put(desk, element, text, why="a field for a number"))
    at = _handle(element)
    strokes: tuple[Action, ...] = (Click(at.x, at.y), Key(("ctrl", "a")), typed(text))
    yield from desk.do(*strokes, why=f"type into {named(element)}", last=True)
    if (yield from _value(desk, element)) != wanted:
        yield from desk.again(0.2, why="what it holds now")
    if (yield from _value(desk, element)) != wanted:
        yield from spin(desk, element, wanted)
    return None


def _changed(element: Element, by: str) -> str:
    before, change = _number(element.value), _number(by)
    if before is None or change is None:
        raise Missed(f"{named(element)} holds no number to change by {by}")
    return f"{before + change:g}"


def _named(desk: Desk, phrase: str, kinds: Sequence[Kind]) -> Turns[Element]:
    """What is called so and can be set; a mere text of that name is not it.

    Raises:
        Missed: Only such a text is there.
    """
    asked = _settable_kinds(desk, phrase, kinds)
    if asked is None and (bare := _COUNTED.sub("", phrase)) != phrase:
        # "The number of seats" is what stands beside "Seats".
        asked = _settable_kinds(desk, bare, kinds)
        phrase = bare if asked is not None else phrase
    if asked is not None:
        # It may move yet: what waits for that finds it again.
        return (yield from ground(desk, phrase, asked, want="type")).element
    element = (yield from ground(desk, phrase, kinds)).element
    if kind_of(element) in (Kind.COLUMN, Kind.HEADING, Kind.PAGE, Kind.WINDOW):
        raise Missed(f"{named(element)} is nothing that can be set")
    return element


def _is_settable(element: Element) -> bool:
    return is_field(element) or kind_of(element) in _SETTABLE or _drops_down(element)


def _drops_down(element: Element) -> bool:
    """Whether it is set by choosing one of its options."""
    # A page's own drop-down is a field that nobody can write into.
    if "read only" in element.states and kind_of(element) in (Kind.FIELD, Kind.COMBO):
        return True
    popup = kind_of(element) is Kind.COMBO or "has popup" in element.states
    return popup and not is_field(element)


def _switched(value: str) -> bool | None:
    """What a word says of a box or a switch; None for any other."""
    word = value.strip().casefold()
    if word in ("on", "true", "yes", "checked", "enabled", "开", "打开", "开启", "是", "勾选"):
        return True
    off = ("off", "false", "no", "unchecked", "disabled", "关", "关闭", "否", "不勾选")
    return False if word in off else None


def _meant(desk: Desk, step: SetValue) -> Turns[Element]:
    kinds = _NUMBERED
    if step.what is not None:
        return (yield from _named(desk, step.what, kinds))
    there = [e for e in part_meant(desk.elements, "") if kind_of(e) in kinds and e.box]
    if len(there) == 1:
        return there[0]
    listed = ", ".join(map(named, there)) or "none"
    raise Missed(f"it is not said what to set to {step.value}; sliders and spinners: {listed}")


def _number(text: str | None) -> float | None:
    found = re.search(r"-?\d+(?:[.,]\d+)?", text or "")
    return float(found[0].replace(",", ".")) if found else None


def _drive(desk: Desk, element: Element, wanted: float) -> Turns[None]:
    """Give it the keyboard, learn what a key does, and press as often as it takes."""
    at = _handle(element)
    yield from desk.do(Click(at.x, at.y), why=f"give {named(element)} the keyboard")
    value = yield from _value(desk, element)
    if value is None:
        element = yield from _readout(desk, element)
        value = yield from _value(desk, element)
    if value is None:
        raise Missed(f"{named(element)} does not say what it stands at")
    step = 0.0
    for _ in range(ROUNDS):
        if abs(value - wanted) <= CLOSE:
            return
        keys = _keys(value, wanted, step)
        yield from desk.do(*keys, why=f"it stands at {value:g}, not {wanted:g}", last=True)
        before, value = value, (yield from _value(desk, element)) or 0.0
        if value == before:
            # Some pages tell a moment later.
            yield from desk.again(0.4, why="whether it moves yet")
            value = (yield from _value(desk, element)) or 0.0
        if value == before:
            if step:
                break
            yield from _by_pointer(desk, element, wanted)
            value = (yield from _value(desk, element)) or 0.0
            if value == before:
                break
        elif not step or abs(value - before) < step:
            step = abs(value - before) / max(1, keys[0].repeat)
    if abs(value - wanted) > CLOSE:
        raise Missed(f"{named(element)} stands at {value:g} and cannot be brought to {wanted:g}")


def _handle(element: Element) -> Point:
    """A point on the slider; where it stands is not known yet."""
    assert element.box is not None
    return element.box.center


def _keys(value: float, wanted: float, step: float) -> Sequence[Key]:
    key = "right" if wanted > value else "left"
    count = round(abs(wanted - value) / step) if step else 1
    return (Key((key,), repeat=max(1, min(100, count))),)


def _value(desk: Desk, element: Element) -> Turns[float | None]:
    for pause in (0.0, 0.1, 0.3):
        if pause:
            yield from desk.again(pause, why="what it stands at")
        now = same_as(desk.elements, element) or _at(desk.elements, element)
        if now is not None and (number := _number(_said(now, element))) is not None:
            return number
    return None


def _readout(desk: Desk, slider: Element) -> Turns[Element]:
    """The number on the screen that changes with a slider that does not tell its own.

    Raises:
        Missed: None does.
    """
    before = [e for e in desk.elements if _number(e.value or e.name) is not None]
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
    return now is not None and _number(now.value or now.name) not in (
        None,
        _number(before.value or before.name),
    )


def _at(elements: Sequence[Element], before: Element) -> Element | None:
    """What is where something was: its text may be another, and longer."""
    return next((e for e in elements if e.role == before.role and _begins_alike(e, before)), None)


def _begins_alike(one: Element, other: Element) -> bool:
    if one.box is None or other.box is None:
        return False
    return max(abs(one.box.x - other.box.x), abs(one.box.y - other.box.y)) <= SHIFT


def _apart(one: Element, other: Element) -> int:
    assert one.box is not None
    assert other.box is not None
    here, there = one.box.center, other.box.center
    return abs(here.x - there.x) + abs(here.y - there.y)


def _said(now: Element, before: Element) -> str | None:
    """Its value; of a text that goes with a slider, the text."""
    return now.value if kind_of(before) in (Kind.SLIDER, Kind.SPINNER) else now.value or now.name


def _by_pointer(desk: Desk, element: Element, wanted: float) -> Turns[None]:
    """Where keys do nothing: learn from two clicks what the track is worth, then go on by that."""
    known: list[tuple[float, float]] = []
    for part in TRACK:
        value = yield from _click_at(desk, element, part)
        if value is None:
            return
        known.append((part, value))
    for _ in range(CORRECTIONS):
        (one, low), (two, high) = known
        if low == high or any(abs(value - wanted) <= CLOSE for _, value in known[1:]):
            return
        part = one + (wanted - low) * (two - one) / (high - low)
        value = yield from _click_at(desk, element, min(1.0, max(0.0, part)))
        if value is None:
            return
        known = [min(known, key=lambda item: abs(item[1] - wanted)), (part, value)]


def _click_at(desk: Desk, element: Element, part: float) -> Turns[float | None]:
    """Click a track at a part of its length from its beginning; what it stands at then."""
    assert element.box is not None
    box, at = element.box, element.box.center
    if box.height > box.width:
        at = Point(at.x, box.bottom - 1 - round(part * (box.height - 1)))
    else:
        at = Point(box.x + round(part * (box.width - 1)), at.y)
    yield from desk.do(Click(at.x, at.y), why="keys do nothing here: what a click on it does")
    return (yield from _value(desk, element))
