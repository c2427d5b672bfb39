"""Putting text into fields, and finishing forms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.models.steps.claims.recalled import recall
from carrel.models.steps.claims.sheets import (
    go_to_cell,
    held_in_cell,
    holds_cells,
    meant_cell,
    meant_range,
    sheet_there,
)
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.names import holds_secret
from carrel.models.steps.phrases.endings import ends, is_submit
from carrel.models.steps.phrases.programs import bare, kind_said
from carrel.models.steps.program import Clear, Enter, Submit, SwitchTo
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.shown.front import in_window, window_in_front
from carrel.models.steps.shown.panes import is_at_edge, make_room
from carrel.models.steps.shown.parts import in_part
from carrel.models.steps.shown.reading import content_of, field_value, fold, is_told_whole
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.cells import cell_in_row, edit_cell, is_edited_in_place
from carrel.models.steps.verbs.drop_downs import (
    Unlisted,
    choose_from_combo,
    list_field,
    open_to_search,
    takes_keys,
)
from carrel.models.steps.verbs.fields import (
    called_with_content,
    drawn_at,
    empty_fields,
    field_aside,
    field_at,
    fields_of,
    focused_field,
    inline_editor,
    is_elsewhere,
    labelled_so,
    only_field,
    only_one_described,
    rather_a_field,
    refuse_spilt,
    taking_text,
    typed,
)
from carrel.models.steps.verbs.file_dialogs import file_field
from carrel.models.steps.verbs.interruptions import put_aside
from carrel.models.steps.verbs.keying import is_display, key_in
from carrel.models.steps.verbs.labelled_texts import as_labelled
from carrel.models.steps.verbs.lone import lone_field
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.readback import (
    agrees,
    can_be_read,
    is_hidden,
    is_mixed,
    mismatch,
    quoted,
)
from carrel.models.steps.verbs.windows import switch
from carrel.perception.find import SURE, Match
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = [
    "clear",
    "empty_fields",
    "enter",
    "field_at",
    "fields_of",
    "focused_field",
    "only_field",
    "put",
    "submit",
    "typed",
]

_NAME = re.compile(r"(?:the |my |your |his |her |full )*name(?: field| box)?", re.IGNORECASE)
LOW = 40
"""Pixels that a field for one line is high at most."""
SELECT_ALL = Key(("ctrl", "a"))
SELECT_LINE = (Key(("home",)), Key(("shift", "end")))
"""All of a field: programs may use the usual keys for something else, but not within a line."""
PRESSED = frozenset({Kind.BUTTON, Kind.CHECKBOX, Kind.RADIO, Kind.SWITCH})
"""What a space presses where it has the keyboard."""


def enter(desk: Desk, step: Enter) -> Turns[str | None]:
    """Type a text."""
    step = as_labelled(desk, step, fields_of(desk))
    if step.into is None:
        return (yield from _enter_here(desk, step))
    yield from sheet_there(desk, step.into)
    if (address := meant_cell(desk, step.into)) is not None:
        yield from _enter_cell(desk, address, step.text)
        return None
    field = inline_editor(desk, step.into) or called_with_content(desk, step.into)
    if field is not None:
        why = "it holds what it is called by"
        return (yield from put(desk, field, step.text, append=step.append, why=why))
    if (halves := _name_fields(desk, step)) is not None:
        for field, text in zip(halves, step.text.split(), strict=True):
            yield from put(desk, field, text, why="a name of two parts")
        return None
    if kind_said(step.into) is not None and web_page(desk.elements) is None:
        yield from switch(desk, SwitchTo(bare(step.into)))
        return (yield from _enter_here(desk, step))
    match = yield from _meant(desk, step)
    if is_disabled(match.element):
        raise Missed(f"{named(match.element)} is there, but disabled")
    if is_edited_in_place(match.element, step.into):
        yield from _edit(desk, step, match.element)
        return None
    if _is_chosen_from(match.element) and not step.append:
        return (yield from _into_drop_down(desk, match.element, step.text))
    if "read only" in match.element.states:
        raise Missed(f"{named(match.element)} is there, but takes no text: it is read only")
    recall(desk, step.into, match.element)
    if kind_of(match.element) is Kind.COMBO and match.element.source == "detector":
        return (yield from _into_drawn_drop_down(desk, match.element, step))
    return (yield from put(desk, match.element, step.text, append=step.append, why=match.why))


def _into_drawn_drop_down(desk: Desk, combo: Element, step: Enter) -> Turns[str | None]:
    """Nothing tells whether it takes text: if it still says what it said, it is chosen from."""
    field = replace(combo, role="entry")
    try:
        return (yield from put(desk, field, step.text, append=step.append, why="a drop-down"))
    except Missed:
        now = same_as(desk.elements, combo)
        if step.append or now is None or fold(now.text) != fold(combo.text):
            raise
    yield from choose_from_combo(desk, combo, f'"{step.text}"')
    return None


def _meant(desk: Desk, step: Enter) -> Turns[Match]:
    """The field, or the cell of a table, that a text goes into."""
    assert step.into is not None
    cell = cell_in_row(desk, step.into, step.line)
    if cell is not None and cell.box is not None:
        return Match(cell, SURE, cell.box.center, "its row and its column")
    if (aside := field_aside(desk, step.into)) is not None and aside.box is not None:
        return Match(aside, SURE, aside.box.center, "the one on that side of what was read")
    match = yield from file_field(desk, step.into)
    if match is None:
        match = yield from labelled_so(desk, step.into)
    if match is None and not is_there(look_for(desk, wished(step.into, (Kind.FIELD,)))):
        match = yield from lone_field(desk, step.into)
    if match is None:
        match = yield from only_one_described(desk, step.into)
    if match is None:
        match = yield from ground(desk, step.into, (Kind.FIELD,), want="type")
        match = rather_a_field(desk, step.into, match)
        match = yield from taking_text(desk, match)
        if kind_of(match.element) is Kind.IMAGE and not match.element.name:
            raise Missed(f"no field is called {step.into}; the picture there is called nothing")
    return match


def _edit(desk: Desk, step: Enter, cell: Element) -> Turns[None]:
    """Type into a cell that has no field of its own, or has none yet."""
    into = step.into or ""

    def again() -> Element | None:
        found = cell_in_row(desk, into, step.line)
        wish = wished(into, (Kind.FIELD,))
        match = resolve(desk, look_for(desk, wish, want="type")) if found is None else None
        return match.element if match is not None else found

    yield from edit_cell(desk, cell, step.text, again, line=step.line, append=step.append)


def _into_drop_down(desk: Desk, combo: Element, text: str) -> Turns[str | None]:
    """Choose what was said, where that is an option; else type it where its list takes text."""
    try:
        yield from choose_from_combo(desk, combo, f'"{text}"')
    except Unlisted:
        field = yield from open_to_search(desk, combo)
        if field is not None:
            return (yield from put(desk, field, text, why="what looks through its list"))
        if not takes_keys(desk.elements):
            raise
        yield from _type_where_keyboard_is(desk, text)
    return None


def _type_where_keyboard_is(desk: Desk, text: str) -> Turns[None]:
    yield from desk.do(typed(text), why="type where the keyboard is", last=True)
    yield from _seen_at_least(desk, text, "where the keyboard is")


def _is_chosen_from(element: Element) -> bool:
    """Whether it is a drop-down that takes no text."""
    return (
        kind_of(element) is Kind.COMBO and not is_field(element) and "has popup" in element.states
    )


def _name_fields(desk: Desk, step: Enter) -> tuple[Element, Element] | None:
    """The fields for the first and the last name, where no one field takes a name of two words."""
    if _NAME.fullmatch((step.into or "").strip()) is None or len(step.text.split()) != 2:
        return None
    if is_there(look_for(desk, wished(step.into or "", (Kind.FIELD,)), want="type")):
        return None
    first, last = (
        resolve(desk, look_for(desk, wished(f'"{called}"', (Kind.FIELD,)), want="type"))
        for called in ("First name", "Last name")
    )
    return None if first is None or last is None else (first.element, last.element)


def _enter_here(desk: Desk, step: Enter) -> Turns[str | None]:
    """Where the keyboard is; or in the only field of the window that has it."""
    window = yield from window_in_front(desk)
    shown = desk.elements if window is None else in_window(desk.elements, window)
    if holds_cells(desk, shown):
        # The fields over a sheet are about the cell that has the keyboard.
        yield from desk.do(typed(step.text), why="type into the cell one is at", last=True)
        desk.cell_open = desk.commits
        yield from _check_cell(desk, step.text, "the cell one is at")
        return None
    focused = [e for e in shown if "focused" in e.states and is_field(e)]
    if focused and focused[-1].box is not None:
        field = focused[-1]
        desk.worked = field.box
        if _takes_select_all(field) and field.value is not None and not _has_lines(field):
            why = "it has the keyboard"
            return (yield from put(desk, field, step.text, append=step.append, why=why))
        if is_display(field):
            yield from key_in(desk, field, step.text)
            return None
        # What is written in many lines is written where the caret is.
        yield from _type_on(desk, field, step.text)
        return None
    if (looking := list_field(shown)) is not None:
        return (yield from put(desk, looking, step.text, why="what looks through the open list"))
    # What a tool bar has a field for is said by its name: it is not where one writes.
    tree = lineage_of(desk.elements)
    fields = [
        e
        for e in fields_of(desk)
        if e in shown and not any(holder.role == "tool bar" for holder in tree.above(e))
    ]
    if fields and not takes_keys(shown):
        field, told = only_field(desk, fields), "the only field there is"
        return (yield from put(desk, field, step.text, append=step.append, why=told))
    pressed = next((e for e in shown if "focused" in e.states and kind_of(e) in PRESSED), None)
    if pressed is not None and " " in step.text.strip():
        raise Missed(f"the keyboard is at {named(pressed)}, which a space would press")
    yield from _type_where_keyboard_is(desk, step.text)
    return None


def _enter_cell(desk: Desk, address: str, text: str) -> Turns[None]:
    """Put a text into a cell of a sheet, and see that it holds it."""
    yield from go_to_cell(desk, address)
    keys: tuple[Action, ...] = (typed(text), Key(("enter",))) if text else (Key(("delete",)),)
    yield from desk.do(*keys, why=f"into {address}", last=True)
    yield from go_to_cell(desk, address)
    yield from _check_cell(desk, text, address)


def _check_cell(desk: Desk, text: str, where: str) -> Turns[None]:
    """See what the field over a sheet says of the cell; a sheet may write a value otherwise.

    Raises:
        Missed: It holds nothing.
    """
    held = held_in_cell(desk)
    for pause in (0.2, 0.5):
        if held is None or fold(held) == fold(text):
            break
        yield from desk.again(pause, why=f"what {where} holds now")
        held = held_in_cell(desk)
    if held is not None and not held.strip() and text.strip():
        raise Missed(f"{where} holds nothing after {text!r} was typed")
    if held is None:
        yield from _seen_at_least(desk, text, f"into {where}")
    elif fold(held) != fold(text):
        desk.doubt(f"{where} holds {held!r}, not {text!r}")


def _has_lines(field: Element) -> bool:
    return "multi line" in field.states


def _type_on(desk: Desk, field: Element, text: str) -> Turns[None]:
    """Type where the caret of an editor or a terminal is, and see that it came there."""
    before = content_of(field, desk.elements)
    yield from desk.do(typed(text), why=f"type into {named(field)}", last=True)
    if holds_secret(text) or not is_told_whole(before):
        yield from desk.effect()
        return
    wanted, held = fold(text), ""
    for pause in (0.0, 0.15, 0.4):
        if pause:
            yield from desk.again(pause, why="what it holds now")
        now = field_at(desk, field)
        held = "" if now is None else content_of(now, desk.elements)
        if held != before and (not wanted or fold(held).count(wanted) > fold(before).count(wanted)):
            return
    if before and held:
        raise Missed(mismatch(named(field), field, held, text))
    yield from _seen_at_least(desk, text, f"into {named(field)}")


def _seen_at_least(desk: Desk, text: str, where: str) -> Turns[None]:
    """Where nothing tells what was typed, the pixels must change, and are read.

    Raises:
        Missed: Nothing changed at all.
    """
    if not desk.changed and not (yield from desk.effect()):
        desk.doubts.clear()
        told = "a secret" if holds_secret(text) else repr(text)
        raise Missed(f"nothing changed when {told} was typed {where}")
    if holds_secret(text) or not text.strip():
        return
    yield from desk.closer()
    if not can_be_read((e.name or e.value or e.text for e in desk.elements), text):
        desk.doubt("what was typed cannot be read on the screen")


_WITH_UNIT = re.compile(r"(?P<n>[-+]?\d+(?:\.\d+)?)\s*[^\W\d_]{1,4}")
"""A number and its unit, of which a field for numbers takes only the number: 3 公斤."""


def put(
    desk: Desk, element: Element, text: str, *, append: bool = False, why: str = ""
) -> Turns[str | None]:
    """Put a text into a field and see that it is there.

    Raises:
        Missed: The field holds something else afterwards.
    """
    assert element.box is not None
    if kind_of(element) is Kind.SPINNER and (amount := _WITH_UNIT.fullmatch(text.strip())):
        text = amount["n"]
    if is_at_edge(desk, element):
        # What it suggests would come up below the edge.
        now = yield from make_room(desk, element)
        if now is None:
            yield from desk.again(0.15, why="where it is now")
            now = same_as(desk.elements, element)
        element = element if now is None else replace(element, box=now.box)
    assert element.box is not None
    desk.worked = element.box
    before = field_value(element)
    wanted = before + text if append else text
    once = append or holds_secret(text)
    held: str | None = None
    shown = desk.elements
    for attempt in range(3):
        bare = attempt == 0 and _is_bare(element, shown)
        line = _is_line_of_program(desk, element)
        whole = text if attempt == 0 else wanted
        actions = _strokes(element, whole, append and attempt == 0, bare=bare, line=line)
        told = f"type into {named(element)}, {why}" if attempt == 0 else "once more, by itself"
        yield from desk.do(*actions, why=told, last=True)
        changed = desk.changed
        held = yield from _held(desk, element, wanted)
        done = held is not None and agrees(held, wanted, element)
        refuse_spilt(desk, element, text, shown, done=done)
        if held is None:
            if not is_elsewhere(desk, element, text, shown):
                yield from _unread(desk, element, text, changed=changed)
            return None
        if done:
            return None
        aside = yield from put_aside(desk, shown)
        if once or (attempt and not aside):
            break
    if not is_hidden(element) and (yield from desk.closer()):
        # Some fields do not tell what was just typed; their pixels do.
        field = field_at(desk, element)
        if field is not None and agrees(field.text, wanted, element):
            return None
    raise Missed(mismatch(named(element), element, held, wanted))


def _unread(desk: Desk, element: Element, text: str, *, changed: bool) -> Turns[None]:
    """See what can be seen of a text in a field that does not tell what it holds."""
    if not changed:
        told = quoted(element, text)
        raise Missed(f"nothing changed when {told} was typed into {named(element)}")
    now = field_at(desk, element)
    if not text or is_hidden(element) or holds_secret(text):
        return
    if element.source == "detector" and (yield from desk.closer()):
        now = field_at(desk, element) or drawn_at(desk.elements, element)
        held, before = now.value or "" if now is not None else "", element.value or ""
        kept = bool(held.strip()) and fold(held) == fold(before) and fold(text) not in fold(held)
        if kept or is_mixed(held, before, text):
            raise Missed(mismatch(named(element), element, held, text))
    if now is None:
        if not can_be_read((e.name or e.value or e.text for e in desk.elements), text):
            yield from _seen_at_least(desk, text, f"into {named(element)}, which is gone")
        return
    if fold(text) not in fold(content_of(now, desk.elements)):
        yield from _seen_at_least(desk, text, f"into {named(element)}")


def _is_bare(element: Element, elements: Sequence[Element]) -> bool:
    """Whether it tells that it holds nothing: what would be selected is then something else."""
    told = element.value == "" and "single line" in element.states
    return told and not content_of(element, elements).strip()


def _strokes(
    element: Element, text: str, append: bool, *, bare: bool = False, line: bool = False
) -> tuple[Action, ...]:
    assert element.box is not None
    at = element.box.center
    click = Click(at.x, at.y)
    if append:
        end = Key(("ctrl", "end")) if _has_lines(element) else Key(("end",))
        return (click, end, typed(text))
    if not _takes_select_all(element) or (bare and text):
        return (click, typed(text))
    everything = SELECT_LINE if line else (SELECT_ALL,)
    return (click, *everything, typed(text) if text else Key(("delete",)))


def _is_line_of_program(desk: Desk, element: Element) -> bool:
    """Whether it is a field for one line of a program, and not of a page in a browser."""
    # In one that is only drawn the keys that select all may mean something else.
    drawn = element.source == "detector" and element.box is not None and element.box.height <= LOW
    return ("single line" in element.states or drawn) and web_page(desk.elements) is None


def _takes_select_all(element: Element) -> bool:
    """A terminal, for one, does something else with those keys."""
    return element.role != "terminal" and is_field(element)


def _held(desk: Desk, element: Element, wanted: str) -> Turns[str | None]:
    """What the field holds now; None when nothing can tell."""
    for pause in (0.0, 0.15, 0.4):
        if pause:
            yield from desk.again(pause, why="what the field holds now")
        field = field_at(desk, element)
        if field is None or field.value is None:
            continue
        if agrees(field_value(field), wanted, field):
            break
    field = field_at(desk, element)
    return None if field is None or field.value is None else field_value(field)


def clear(desk: Desk, step: Clear) -> Turns[str | None]:
    """Empty a field."""
    if step.what is None:
        focused = focused_field(desk)
        if focused is None:
            raise Missed("it is not said what to clear, and no field has the keyboard")
        return (yield from put(desk, focused, ""))
    if (cells := meant_range(desk, step.what)) is not None:
        yield from go_to_cell(desk, cells)
        yield from desk.do(Key(("delete",)), why=f"empty {cells}", last=True)
        return None
    if (address := meant_cell(desk, step.what)) is not None:
        yield from _enter_cell(desk, address, "")
        return None
    match = yield from ground(desk, step.what, (Kind.FIELD,), want="type")
    return (yield from put(desk, match.element, "", why=match.why))


def submit(desk: Desk, step: Submit) -> Turns[str | None]:
    """Finish a form with the button it has for that, or with Enter in its last field.

    Raises:
        Missed: There is none, or more than one that may be it.
    """
    buttons = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.BUTTON and e.box is not None and not is_disabled(e)
    ]
    button = _finishing(desk, buttons)
    if button is not None and button.box is not None:
        at = button.box.center
        yield from desk.do(Click(at.x, at.y), why=f"finish with {named(button)}", last=True)
    elif focused_field(desk) is not None:
        yield from desk.do(Key(("enter",)), why="finish with Enter", last=True)
    else:
        yield from _submit_out_of_sight(desk, buttons)
    yield from desk.effect()
    return None


def _submit_out_of_sight(desk: Desk, buttons: Sequence[Element]) -> Turns[None]:
    """Finish with what is called so and has to be scrolled to, or is no button of its page.

    Raises:
        Missed: There is no such thing.
    """
    listed = ", ".join(named(e) for e in buttons[:6]) or "none"
    try:
        match = yield from ground(desk, '"Submit"')
    except Missed:
        raise Missed(f"no button to finish the form with; buttons: {listed}") from None
    if is_disabled(match.element) or not is_submit(match.element.name):
        raise Missed(f"no button to finish the form with; buttons: {listed}")
    why = f"finish with {named(match.element)}"
    yield from desk.do(Click(match.point.x, match.point.y), why=why, last=True)


def _finishing(desk: Desk, buttons: Sequence[Element]) -> Element | None:
    """The one that finishes: the only one, the form's own, or the one that says just that."""
    fitting = [e for e in buttons if ends(e.name)]
    for narrowed in (
        [e for e in buttons if "is default" in e.states],
        fitting,
        [e for e in in_part(desk, buttons) if ends(e.name)],
        [e for e in fitting if is_submit(e.name)],
    ):
        if len(narrowed) == 1:
            return narrowed[0]
    if fitting:
        listed = ", ".join(map(named, fitting[:6]))
        raise Missed(f"more than one button may finish the form: {listed}")
    return None
