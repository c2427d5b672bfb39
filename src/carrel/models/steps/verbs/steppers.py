"""The small plus and minus of a number field, of which no application tells."""

from __future__ import annotations

import re

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.models.steps.claims.comparing import read_number
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.signs_in_rows import sign_in_row
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.runs import run_of
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["step_number"]

_STEPPER = re.compile(
    r"(?:the )?(?:(?P<up>\+|plus|up|increment|increase)|"
    r"(?P<down>[-−–]|minus|down|decrement|decrease))"
    r"(?: sign)?(?: (?:button|arrow|icon))?(?: sign)? "
    r"(?:of|on|in|at|by|for|beside|next to|near|right of|(?:on|to) the (?:right|left) of) "
    r"(?P<field>.+)",
    re.IGNORECASE,
)
_ARROW = re.compile(
    r"(?:the )?(?:small |little )?(?:(?P<up>up(?:ward)?)|(?P<down>down(?:ward)?))[- ]arrow"
    r"(?: (?:button|icon))?|向?(?:(?P<up_zh>上)|(?P<down_zh>下))的?箭头(?:按钮|图标)?",
    re.IGNORECASE,
)
"""The arrow of a number field that the step before was about, or that is the only one."""
_SIGN = re.compile(
    r"(?:the )?[\"“]?(?:(?P<up>[+＋]|加号?|plus)|(?P<down>[-−–－]|减号?|minus))[\"”]?"
    r"(?:按钮|按键|号|键|图标)?(?: (?:button|sign|icon))?",
    re.IGNORECASE,
)
"""The button beside a number that adds one to it, or takes one away."""
_SIGN_OF = re.compile(
    r"(?P<of>.+?)(?:旁边|右边|后面)?的(?:(?P<up>[“\"]?[+＋][”\"]?|加号)|(?P<down>[“\"]?[-−–－][”\"]?|减号))"
    r"(?:按钮|按键|键|图标)?"
    r"|(?:the )?(?:(?P<plus>plus)|(?P<minus>minus))(?: (?:sign|button|icon))* "
    r"(?:of|for|beside|next to|in the (?:card|row|line) of) (?:the )?(?P<whose>.+)",
    re.IGNORECASE,
)
"""The button beside the number in the entry of a thing, which has no name of its own."""
_FIELD = re.compile(r"\b(?:spin(?:ner)?(?: button| box)?|stepper|field|box|input)$", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:the )?(?:number |value |field (?:with|holding|showing) )?[\"“]?(?P<n>-?\d[\d.,]*)[\"”]?",
    re.IGNORECASE,
)
"""A number field by what it holds."""
_MERE = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL, Kind.LINK})
REACH = 16
"""Pixels between a number and the button that changes it."""
STACKED = 2
"""Buttons above one another at one side of a number."""
LOOKS = (0.0, 0.2, 0.5)
"""Seconds between looks at what the field holds."""


def step_number(desk: Desk, phrase: str, times: int) -> Turns[bool]:
    """Turn a number field up or down so often, by its keys; whether that is what was meant.

    Raises:
        Missed: The field holds what it held before.
    """
    if (beside := _beside_number(desk, phrase) or _in_entry_of(desk, phrase)) is not None:
        field, button = beside
        assert button.box is not None
        at_button, desk.worked = button.box.center, field.box
        clicks = [Click(at_button.x, at_button.y)] * max(1, times)
        yield from desk.do(*clicks, why=f"the button beside {field.value!r}", last=True)
        yield from _see_change(desk, field)
        return True
    meant = yield from _meant(desk, phrase)
    if meant is None or kind_of(meant[0]) is not Kind.SPINNER or meant[0].box is None:
        return False
    field, up = meant
    at = meant[0].box
    desk.worked = at
    keys = Key(("up" if up else "down",), repeat=max(1, times))
    into = Click(at.x + at.height // 2, at.center.y)
    yield from desk.do(into, keys, why="by its keys: of such buttons nothing is told", last=True)
    yield from _see_change(desk, field)
    return True


def _see_change(desk: Desk, field: Element) -> Turns[None]:
    for pause in LOOKS:
        if pause:
            yield from desk.again(pause, why="what it stands at")
        now = same_as(desk.elements, field)
        if now is not None and now.value != field.value:
            return
    raise Missed(f"{field.name or 'the number field'} still holds {field.value!r}")


def _beside_number(desk: Desk, phrase: str) -> tuple[Element, Element] | None:
    """The one number that is meant, and the button at its side that nobody named."""
    sign = _SIGN.fullmatch(phrase.strip())
    if sign is None or is_there(look_for(desk, wished(phrase))):
        return None
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    numbers = [e for e in shown if kind_of(e) is Kind.SPINNER and not is_disabled(e)]
    for area in desk.place.areas if desk.place is not None else ():
        inner = [e for e in numbers if within(e.box, area)]
        if inner:
            numbers = inner
            break
    if len(numbers) != 1:
        return None
    (field,) = numbers
    buttons = [e for e in shown if kind_of(e) is Kind.BUTTON]
    button = _at_side(field, buttons, up=sign["up"] is not None)
    return None if button is None else (field, button)


def _in_entry_of(desk: Desk, phrase: str) -> tuple[Element, Element] | None:
    """The one number in the entry of a thing, and the button at its side that is told.

    Raises:
        Missed: The thing is there; to press it instead would be another deed.
    """
    said = _SIGN_OF.fullmatch(phrase.strip())
    name = (said["of"] or said["whose"]) if said is not None else ""
    thing = resolve(desk, look_for(desk, wished(name), want="read")) if name else None
    if said is None or thing is None or kind_of(thing.element) not in _MERE:
        return None
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    tree = lineage_of(tuple(desk.elements))
    for holder in tree.above(thing.element):
        inside = tree.inside(holder)
        fields = [e for e in shown if e.id in inside and kind_of(e) is Kind.SPINNER]
        if fields:
            break
    else:
        fields = []
    run = run_of(desk.elements, thing.element) or ()
    own = {e.id for part in run for e in (part, *tree.below(part))}
    fields = [e for e in fields if e.id in own] if len(fields) > 1 else fields
    if not fields:
        # What the sign changes may be a mere text in its row.
        return None
    buttons = [e for e in shown if kind_of(e) is Kind.BUTTON]
    if not fields and sign_in_row(desk, phrase) is not None:
        return None  # a mere text is its number, and its row tells which button that is
    up = bool(said["up"] or said["plus"])
    button = _at_side(fields[0], buttons, up=up) if len(fields) == 1 else None
    if button is None or is_disabled(button):
        raise Missed(f"which button is {phrase} cannot be told, or it is disabled")
    return fields[0], button


def _at_side(field: Element, buttons: list[Element], *, up: bool) -> Element | None:
    """The button right of a number adds, the left one takes away; of two at one side the upper."""
    at = field.box
    assert at is not None
    level = [e for e in buttons if e.box and at.y <= e.box.center.y <= at.bottom]
    right = [e for e in level if e.box and -REACH <= e.box.x - at.right <= REACH]
    left = [e for e in level if e.box and -REACH <= at.x - e.box.right <= REACH]
    if len(right) == 1 and len(left) == 1:
        return right[0] if up else left[0]
    stacked = sorted(right, key=lambda e: e.box.y if e.box else 0)
    if len(stacked) == STACKED and not left:
        return stacked[0] if up else stacked[1]
    return None


def _meant(desk: Desk, phrase: str) -> Turns[tuple[Element, bool] | None]:
    """The number field whose small button is named, and whether that is the one that adds."""
    arrow = _ARROW.fullmatch(phrase.strip())
    found = _STEPPER.fullmatch(phrase.strip())
    if (arrow or found) is None or is_there(look_for(desk, wished(phrase))):
        return None
    if arrow is not None:
        used = _just_used(desk) or _only_in_use(desk)
        return None if used is None else (used, bool(arrow["up"] or arrow["up_zh"]))
    assert found is not None
    field = _only_in_use(desk) if re.search(r"spin|step", found["field"]) else None
    field = field or _holding(desk, found["field"])
    if field is None and _FIELD.search(found["field"]):
        field = (yield from ground(desk, found["field"], (Kind.SPINNER,))).element
    if field is None:
        named = resolve(desk, look_for(desk, wished(found["field"], (Kind.SPINNER,)), want="type"))
        field = named.element if named is not None else None
    return None if field is None else (field, bool(found["up"]))


def _holding(desk: Desk, phrase: str) -> Element | None:
    """The one number field in use that holds the number by which it is called."""
    said = _NUMBER.fullmatch(phrase.strip())
    shown = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.SPINNER and e.box]
    number = read_number(said["n"]) if said is not None else None
    fields = [e for e in shown if not is_disabled(e) and read_number(e.value or "") == number]
    return fields[0] if number is not None and len(fields) == 1 else None


def _just_used(desk: Desk) -> Element | None:
    """The number field that the step before worked on."""
    here = [e for e in desk.elements if e.box is not None and e.box == desk.worked]
    return next((e for e in here if kind_of(e) is Kind.SPINNER and not is_disabled(e)), None)


def _only_in_use(desk: Desk) -> Element | None:
    """The one number field that can be used."""
    fields = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.SPINNER and e.box]
    usable = [e for e in fields if not is_disabled(e)]
    return usable[0] if len(usable) == 1 else None
