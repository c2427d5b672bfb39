"""Copying and pasting, by the keys a person uses, and checked against the clipboard."""

from __future__ import annotations

from carrel.actions import Click, GetClipboard, Key
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import ground
from carrel.models.steps.passages import passage
from carrel.models.steps.program import Copy, Highlight, Paste
from carrel.models.steps.reading import field_value
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import SELECT_ALL, field_at, focused_field
from carrel.models.steps.verbs.highlighting import highlight
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import Kind, is_field

__all__ = ["copy", "paste"]

COPY, PASTE = Key(("ctrl", "c")), Key(("ctrl", "v"))


def _clipboard(desk: Desk) -> Turns[str]:
    results = yield from desk.do(GetClipboard(), why="what the clipboard holds", commits=False)
    return str(results[0].data.get("text", ""))


def copy(desk: Desk, step: Copy) -> Turns[str | None]:
    """Copy a thing's text, or what is selected."""
    expected = ""
    if step.what is not None:
        element = (yield from passage(desk, step.what)).element
        if is_field(element) and element.box is not None:
            expected = field_value(element)
            at = element.box.center
            yield from desk.do(Click(at.x, at.y), SELECT_ALL, why=f"all of {named(element)}")
        else:
            yield from highlight(desk, Highlight(step.what))
    yield from desk.do(COPY, why="copy", last=True)
    text = yield from _clipboard(desk)
    if not text:
        raise Missed("the clipboard is empty after copying: nothing may have been selected")
    if expected and " ".join(expected.split()) != " ".join(text.split()):
        raise Missed(f"the clipboard holds {text[:80]!r}, not {expected[:80]!r}")
    return f"copied {text[:80]!r}"


def paste(desk: Desk, step: Paste) -> Turns[str | None]:
    """Paste into something, or where the keyboard is."""
    text = yield from _clipboard(desk)
    if not text:
        raise Missed("the clipboard is empty: there is nothing to paste")
    if step.into is None:
        yield from desk.do(PASTE, why="paste where the keyboard is", last=True)
        field = focused_field(desk)
    else:
        match = yield from ground(desk, step.into, (Kind.FIELD,), want="type")
        at = match.point
        strokes = (Click(at.x, at.y), SELECT_ALL, PASTE)
        yield from desk.do(*strokes, why=f"paste into {named(match.element)}", last=True)
        field = field_at(desk, match.element)
    if field is not None and field.value is not None and field.role != "password text":
        yield from _check(desk, field.name, text)
    return None


def _check(desk: Desk, name: str, text: str) -> Turns[None]:
    wanted = " ".join(text.split())
    for pause in (0.0, 0.2, 0.5):
        if pause:
            yield from desk.again(pause, why="what was pasted")
        fields = [e for e in desk.elements if is_field(e) and e.name == name]
        if any(wanted in " ".join(field_value(e).split()) for e in fields):
            return
    raise Missed(f"{name or 'the field'} does not hold what was pasted")
