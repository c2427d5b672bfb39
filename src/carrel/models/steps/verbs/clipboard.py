"""Copying and pasting, by the keys a person uses, and checked against the clipboard."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.actions import Click, Drag, GetClipboard, Key
from carrel.geometry import Box, Point
from carrel.models.steps.claims.sheets import go_to_cell, meant_cell, meant_range
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.codes_shown import code_shown
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.program import Copy, Highlight, Paste
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.reaching.passages import passage
from carrel.models.steps.shown.reading import content_of, field_value, fold, is_told_whole, squeezed
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import SELECT_ALL, field_at, focused_field
from carrel.models.steps.verbs.filing import file_manager, select_file
from carrel.models.steps.verbs.highlighting import highlight
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.readback import can_be_read, is_hidden
from carrel.models.steps.verbs.shelving import paste_into_folder
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_field

__all__ = ["copy", "paste"]

_HERE = re.compile(r"there|here|in(?:to)? (?:it|there)|这里|那里|此处", re.IGNORECASE)
COPY, PASTE = Key(("ctrl", "c")), Key(("ctrl", "v"))


def _clipboard(desk: Desk) -> Turns[str]:
    results = yield from desk.do(GetClipboard(), why="what the clipboard holds", commits=False)
    return str(results[0].data.get("text", ""))


def copy(desk: Desk, step: Copy) -> Turns[str | None]:
    """Copy a thing's text, or what is selected.

    Raises:
        Missed: The clipboard is empty afterwards, or holds something else.
    """
    if step.what is not None and (file := (yield from select_file(desk, step.what))) is not None:
        return (yield from _copy_file(desk, file))
    if (code := code_shown(desk.elements, step.what or "")) is not None:
        return (yield from _copy_code(desk, code))
    before, expected, told = (yield from _clipboard(desk)), "", True
    what = step.what or ""
    address = meant_range(desk, what) or meant_cell(desk, what) if what else None
    if address is not None:
        yield from go_to_cell(desk, address)
    elif step.what is not None:
        found = yield from passage(desk, step.what)
        element = found.element
        told = element.source in ("tree", "browser")
        if is_field(element) and element.box is not None:
            expected = field_value(element)
            at = element.box.center
            yield from desk.do(Click(at.x, at.y), SELECT_ALL, why=f"all of {named(element)}")
        else:
            expected = found.text
            yield from highlight(desk, Highlight(step.what))
            desk.doubts.clear()
    focused = focused_field(desk)
    yield from desk.do(COPY, why="copy", last=True)
    text = yield from _clipboard(desk)
    if not text:
        raise Missed("the clipboard is empty after copying: nothing may have been selected")
    if focused is not None and is_hidden(focused):
        raise Missed(f"{named(focused)} is not to be copied from")
    if expected and squeezed(expected) != squeezed(text):
        account = f"the clipboard holds {text[:80]!r}, not {expected[:80]!r}"
        if told and squeezed(expected) not in squeezed(text):
            raise Missed(account)
        desk.doubt(account)
    elif not expected and text == before:
        desk.doubt("the clipboard holds what it held before")
    return f"copied {text[:80]!r}"


def _copy_code(desk: Desk, code: str) -> Turns[str]:
    """Copy a code that is shown somewhere: drawn over with the pointer, and seen to be copied.

    Raises:
        Missed: The clipboard holds something else.
    """
    shown = [e for e in desk.elements if e.box is not None and written_on(e).strip() == code]
    if shown and shown[-1].box is not None:
        box = shown[-1].box
        path = (Point(box.x, box.center.y), Point(box.right, box.center.y))
        yield from desk.do(Drag(path, seconds=0.4), why=f"select {code}", commits=False)
    else:
        yield from highlight(desk, Highlight(f'"{code}"'))
        desk.doubts.clear()
    yield from desk.do(COPY, why="copy", last=True)
    text = (yield from _clipboard(desk)).strip()
    if text != code:
        raise Missed(f"the clipboard holds {text[:80]!r}, not {code!r}")
    return f"copied {code!r}"


def _copy_file(desk: Desk, name: str) -> Turns[str]:
    """Copy a file that is selected in a file manager: the clipboard has its name at most."""
    yield from desk.do(COPY, why=f"copy {name}", last=True)
    if name not in (yield from _clipboard(desk)):
        desk.doubt(f"the clipboard does not tell of {name}")
    return f"copied {name!r}"


def _paste_file(desk: Desk) -> Turns[None]:
    """Paste where a file manager is in front; what comes of it is seen there."""
    yield from desk.do(PASTE, why="paste into the folder", last=True)
    yield from desk.effect(looks=(0.3, 0.7, 1.5))


def paste(desk: Desk, step: Paste) -> Turns[str | None]:
    """Paste into something, or where the keyboard is.

    Raises:
        Missed: There is nothing to paste, or the field does not hold it afterwards.
    """
    if step.into is not None and _HERE.fullmatch(step.into.strip()):
        step = replace(step, into=None)
    loose = step.into is None and focused_field(desk) is None
    if loose and web_page(desk.elements) is None and (yield from file_manager(desk)) is not None:
        yield from _paste_file(desk)
        return None
    if step.into is not None and (yield from paste_into_folder(desk, step.into)):
        return None
    text = yield from _clipboard(desk)
    if not text:
        raise Missed("the clipboard is empty: there is nothing to paste")
    wanted, field = fold(text), focused_field(desk)
    if step.into is None:
        known = _counts(desk, wanted)
        yield from desk.do(PASTE, why="paste where the keyboard is", last=True)
    else:
        match = yield from ground(desk, step.into, (Kind.FIELD,), want="type")
        field, at, known = match.element, match.point, _counts(desk, wanted)
        known.pop((field.role, field.name, field.box), None)
        strokes = (Click(at.x, at.y), SELECT_ALL, PASTE)
        yield from desk.do(*strokes, why=f"paste into {named(match.element)}", last=True)
    if field is None or field.value is None or is_hidden(field) or not is_told_whole(text):
        yield from desk.effect()
        return None
    for pause in (0.0, 0.2, 0.5, 0.8):
        if pause:
            yield from desk.again(pause, why="what was pasted")
        # Every window has something that gets its keyboard: any of them may have got it.
        if any(count > known.get(place, 0) for place, count in _counts(desk, wanted).items()):
            return None
    yield from desk.closer()
    now = field_at(desk, field)
    # Some fields do not tell what they hold; their pixels do.
    if now is None or not can_be_read([now.text], text):
        raise Missed(f"{named(field)} does not hold what was pasted")
    return None


def _counts(desk: Desk, wanted: str) -> dict[tuple[str, str, Box | None], int]:
    """How often each field holds a text."""
    return {
        (e.role, e.name, e.box): fold(content_of(e, desk.elements)).count(wanted)
        for e in desk.elements
        if is_field(e)
    }
