"""Values given to what has one: sliders, spinners, drop-downs, choices, switches, fields."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.models.steps.claims.sheets import meant_cell
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.held_with import number_counting
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.program import Enter, Perform, SetValue
from carrel.models.steps.reaching.ground import close_list, ground
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.cells import cell_in_row, edit_cell, is_edited_in_place
from carrel.models.steps.verbs.colouring import set_colour, takes_colour
from carrel.models.steps.verbs.counters import bring_counter_to, counter_called
from carrel.models.steps.verbs.cut_choices import choose_cut
from carrel.models.steps.verbs.drop_downs import choose_from_combo
from carrel.models.steps.verbs.entering import enter, put, typed
from carrel.models.steps.verbs.fields import inline_editor
from carrel.models.steps.verbs.file_dialogs import file_field
from carrel.models.steps.verbs.grids import choice_in_grid
from carrel.models.steps.verbs.groups import (
    choice_in,
    come_to_group,
    group_called,
    read_choice,
    shown_number,
)
from carrel.models.steps.verbs.handles import handle_meant
from carrel.models.steps.verbs.line_steppers import step_in_line
from carrel.models.steps.verbs.lone import lone_field, lone_setting
from carrel.models.steps.verbs.made_up import made_up_dropdown
from carrel.models.steps.verbs.owing import owed_answer
from carrel.models.steps.verbs.partly_called import drop_down_called
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.row_editors import edit_button, heading_over, open_row
from carrel.models.steps.verbs.sliding import drive, number_in, value_of
from carrel.models.steps.verbs.spinning import spin
from carrel.models.steps.verbs.star_signs import give_stars, is_of_stars
from carrel.models.steps.verbs.ticking import bring_to, take_choice
from carrel.models.steps.verbs.unit_steppers import step_by_signs
from carrel.perception.roles import TICKED, Kind, is_field, kind_of

__all__ = ["give", "set_value"]

_SETTABLE = frozenset({Kind.SLIDER, Kind.SPINNER, Kind.COMBO} | TICKED)
_COUNTED = re.compile(
    r"^(?:the )?(?:number|amount|count|value|quantity|level) of (?:the )?"
    r"|的?(?:数量|个数|数?值)$",
    re.IGNORECASE,
)
COMING = (0.3, 0.6, 0.0)
"""Seconds in which a dialog comes up that was just asked for."""
_NUMBERED = (Kind.SLIDER, Kind.SPINNER)


def set_value(desk: Desk, step: SetValue) -> Turns[str | None]:
    """Bring a slider or a spinner to a value, or take the choice that is called so."""
    before = desk.commits
    try:
        return (yield from _set_value(desk, step))
    except Missed:
        if desk.commits != before or step.relative or step.what is None:
            raise
        if is_of_stars(step) and (yield from give_stars(desk, step.what, step.value)):
            return None
        yield from desk.closer()
        if (choice := read_choice(desk, step.what, step.value)) is None:
            raise
        yield from take_choice(desk, choice, step.value)
        return None


def _set_value(desk: Desk, step: SetValue) -> Turns[str | None]:
    if step.what is not None and not step.relative and meant_cell(desk, step.what) is not None:
        return (yield from enter(desk, Enter(step.value, step.what)))
    if step.what is not None and (field := inline_editor(desk, step.what)) is not None:
        return (yield from put(desk, field, step.value, why="where it is edited"))
    if (yield from _between_signs(desk, step)):
        return None
    cell = None if step.what is None else cell_in_row(desk, step.what, step.line)
    handle = None if step.what is None else handle_meant(desk, step.what)
    handle = handle or (None if step.what is None else number_counting(desk, step.what))
    if cell is None and handle is None and (yield from _by_choice(desk, step, None)):
        return None
    element = cell or handle or (yield from _meant(desk, step))
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
    if is_edited_in_place(element, step.what or ""):
        yield from _edit(desk, step, element)
        return None
    if not step.relative and (yield from _by_made_up(desk, step, element)):
        return None
    yield from _drive(desk, step, element)
    return None


def _by_made_up(desk: Desk, step: SetValue, label: Element) -> Turns[bool]:
    """Choose in what a page has made of boxes beside a mere label; whether it offers that."""
    if kind_of(label) not in (Kind.TEXT, Kind.HEADING) or step.what is None:
        return False
    box = made_up_dropdown(desk, step.what)
    return box is not None and (yield from choose_cut(desk, box, step.value))


def _between_signs(desk: Desk, step: SetValue) -> Turns[bool]:
    """Whether it is a number that a minus and a plus stand at, and was brought to the value."""
    for way in (_by_counter, step_in_line, step_by_signs):
        if (yield from way(desk, step)):
            return True
    return False


def _by_counter(desk: Desk, step: SetValue) -> Turns[bool]:
    """Bring a number between a minus and a plus to the value; whether such a number is meant."""
    counter = None if step.what is None else counter_called(desk, step.what)
    wanted = number_in(step.value)
    if step.what is None or counter is None or wanted is None or not wanted.is_integer():
        return False
    desk.worked = counter.number.box
    number = int(wanted) + (counter.value if step.relative else 0)
    yield from bring_counter_to(desk, step.what, counter, number)
    return True


def give(desk: Desk, element: Element, value: str) -> Turns[None]:
    """A value to a spinner, a slider or a field that is known already."""
    if is_field(element) or kind_of(element) is Kind.FIELD:
        yield from _fill(desk, element, value)
    else:
        yield from _drive(desk, SetValue(None, value), element)


def _drive(desk: Desk, step: SetValue, element: Element) -> Turns[None]:
    """Bring to a number what goes along something."""
    wanted = number_in(step.value)
    if step.relative and wanted is not None:
        wanted += (yield from value_of(desk, element)) or 0.0
    if wanted is None:
        raise Missed(
            f"{named(element)} has no choice {step.value!r}, and that is no number to set it to"
        )
    if kind_of(element) in (Kind.TEXT, Kind.HEADING):
        raise Missed(f"{named(element)} is only a text, and nothing beside it can be set by it")
    yield from drive(desk, element, wanted)


def _edit(desk: Desk, step: SetValue, cell: Element) -> Turns[None]:
    """Write into a cell that has no field of its own."""
    what = step.what or ""

    def again() -> Element | None:
        found = cell_in_row(desk, what, step.line)
        match = resolve(desk, look_for(desk, wished(what, _NUMBERED))) if found is None else None
        return match.element if match is not None else found

    text = _changed(cell, step.value) if step.relative else step.value
    if (button := edit_button(desk, cell)) is not None:
        yield from _edit_by_button(desk, replace(step, value=text), cell, button)
        return
    yield from edit_cell(desk, cell, text, again, line=step.line)


def _edit_by_button(desk: Desk, step: SetValue, cell: Element, button: Element) -> Turns[None]:
    """Open the row by the button it has for that, set what the cell is about, and owe its end.

    What the button opened is not kept before it is finished: a later step may say how.
    """
    column = heading_over(desk, cell)
    field = yield from open_row(desk, cell, button)
    if field is None:
        desk.place = None
        yield from set_value(desk, SetValue(column or step.what, step.value, line=step.line))
        desk.owed = owed_answer(step.words)
        return
    desk.worked = field.box
    if _drops_down(field):
        yield from choose_from_combo(desk, field, step.value)
    else:
        yield from put(desk, field, step.value, why="where its row is edited")
    desk.owed = Perform("save", words=step.words, line=step.line)


def _by_choice(desk: Desk, step: SetValue, found: Element | None) -> Turns[bool]:
    """Take one of a group of choices, where it is such a group that is called so."""
    if step.what is None or step.relative:
        return False
    if found is None and (drop := drop_down_called(desk, step.what)) is not None:
        yield from choose_from_combo(desk, drop, step.value)
        return True
    if found is None and _settable_kinds(desk, step.what, _NUMBERED) is not None:
        return False
    if found is None:
        yield from come_to_group(desk, step.what)
    group = found or group_called(desk, step.what)
    choice = None if group is None else choice_in(desk, group, step.value)
    choice = choice or choice_in_grid(desk, step.what, step.value)
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
        if shown is None or number_in(shown) == number_in(value):
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


_COLOUR_CODE = re.compile(r"#?[0-9a-f]{6}", re.IGNORECASE)
_POINTED_AT = re.compile(
    r"(?:this|that|the|these|following|shown|same)\b.*|.*\b(?:colou?r|here|below|above)",
    re.IGNORECASE,
)
"""Words that point at a colour, and do not say which it is."""


def _fill(desk: Desk, element: Element, text: str) -> Turns[str | None]:
    """Type it; a spinner that takes no text is turned step by step."""
    wanted = number_in(text)
    if _COLOUR_CODE.fullmatch((element.value or "").strip()) and _POINTED_AT.fullmatch(
        text.strip()
    ):
        raise Missed(f"it is not known which colour {text!r} is")
    if kind_of(element) is not Kind.SPINNER or number_in(element.value) is None or wanted is None:
        return (yield from put(desk, element, text, why="a field for a number"))
    assert element.box is not None
    at = element.box.center
    strokes: tuple[Action, ...] = (Click(at.x, at.y), Key(("ctrl", "a")), typed(text))
    yield from desk.do(*strokes, why=f"type into {named(element)}", last=True)
    if (yield from value_of(desk, element)) != wanted:
        yield from desk.again(0.2, why="what it holds now")
    if (yield from value_of(desk, element)) != wanted:
        yield from spin(desk, element, wanted)
    return None


def _changed(element: Element, by: str) -> str:
    before, change = number_in(element.value or element.name), number_in(by)
    if before is None or change is None:
        raise Missed(f"{named(element)} holds no number to change by {by}")
    return f"{before + change:g}"


def _named(desk: Desk, phrase: str, kinds: Sequence[Kind]) -> Turns[Element]:
    """What is called so and can be set; a mere text of that name is not it.

    Raises:
        Missed: Only such a text is there.
    """
    asked = _settable_kinds(desk, phrase, kinds)
    if asked is None and (yield from close_list(desk)):
        asked = _settable_kinds(desk, phrase, kinds)
    if asked is None and (bare := _COUNTED.sub("", phrase)) != phrase:
        # "The number of seats" is what stands beside "Seats".
        asked = _settable_kinds(desk, bare, kinds)
        phrase = bare if asked is not None else phrase
    if asked is not None:
        # It may move yet: what waits for that finds it again.
        return (yield from ground(desk, phrase, asked, want="type")).element
    for pause in COMING:
        if (lone := lone_setting(desk, phrase, kinds)) is not None:
            return lone
        if not pause or is_there(look_for(desk, wished(phrase))):
            break
        yield from desk.again(pause, why=f"{phrase} may still come up")
    if (file := (yield from file_field(desk, phrase))) is not None:
        return file.element
    if (only := (yield from lone_field(desk, phrase))) is not None:
        return only.element
    if (yield from desk.closer()) and (asked := _settable_kinds(desk, phrase, kinds)):
        # What is only drawn can be told once the pixels have been read.
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
