"""Putting text into fields, and finishing forms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Action, Click, Key, Type
from carrel.errors import InvalidInput
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.front import in_window, window_in_front
from carrel.models.steps.ground import ground
from carrel.models.steps.program import Clear, Enter, Submit
from carrel.models.steps.reading import field_value
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.interruptions import put_aside
from carrel.models.steps.verbs.pointing import named
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
]

SELECT_ALL = Key(("ctrl", "a"))


def enter(desk: Desk, step: Enter) -> Turns[str | None]:
    """Type a text."""
    if step.into is None:
        return (yield from _enter_here(desk, step))
    match = yield from ground(desk, step.into, (Kind.FIELD,), want="type")
    if is_disabled(match.element):
        raise Missed(f"{named(match.element)} is there, but disabled")
    return (yield from put(desk, match.element, step.text, append=step.append, why=match.why))


def _enter_here(desk: Desk, step: Enter) -> Turns[str | None]:
    """Where the keyboard is; or in the only field of the window that has it."""
    window = yield from window_in_front(desk)
    shown = desk.elements if window is None else in_window(desk.elements, window)
    focused = [e for e in shown if "focused" in e.states and is_field(e)]
    if focused:
        desk.worked = focused[-1].box
        yield from desk.do(_typed(step.text), why=f"type into {named(focused[-1])}", last=True)
        return None
    fields = [e for e in fields_of(desk) if e in shown]
    if fields:
        field, told = only_field(desk, fields), "the only field there is"
        return (yield from put(desk, field, step.text, append=step.append, why=told))
    yield from desk.do(_typed(step.text), why="type where the keyboard is", last=True)
    return None if desk.changed else "nothing on the screen changed"


def fields_of(desk: Desk) -> list[Element]:
    """Every field that can be typed into."""
    return [
        e
        for e in part_meant(desk.elements, "")
        if is_field(e) and e.box is not None and not is_disabled(e)
        if "editable" in e.states and e.role != "static"
    ]


def empty_fields(desk: Desk) -> list[Element]:
    """Those of them that hold nothing yet."""
    return [e for e in fields_of(desk) if not field_value(e)]


def only_field(desk: Desk, among: Sequence[Element] | None = None) -> Element:
    """The field that is meant when none is named.

    Raises:
        Missed: There is none, or more than one.
    """
    fields = fields_of(desk) if among is None else among
    if len(fields) == 1:
        return fields[0]
    empty = [e for e in fields if not field_value(e)]
    if len(empty) == 1:
        return empty[0]
    listed = ", ".join(named(e) for e in fields[:6]) or "none"
    raise Missed(f"it is not said which field is meant; there are: {listed}")


def _typed(text: str) -> Type:
    try:
        return Type(text)
    except InvalidInput as error:
        raise Missed(error.message) from error


def focused_field(desk: Desk) -> Element | None:
    """The field that has the keyboard."""
    focused = [e for e in desk.elements if "focused" in e.states and is_field(e)]
    return focused[-1] if focused else None


def put(
    desk: Desk, element: Element, text: str, *, append: bool = False, why: str = ""
) -> Turns[str | None]:
    """Put a text into a field and see that it is there.

    Raises:
        Missed: The field holds something else afterwards.
    """
    assert element.box is not None
    desk.worked = element.box
    before = field_value(element)
    wanted = before + text if append else text
    held: str | None = None
    shown = desk.elements
    for attempt in range(3):
        actions = _strokes(element, text if attempt == 0 else wanted, append and attempt == 0)
        told = f"type into {named(element)}, {why}" if attempt == 0 else "once more, by itself"
        yield from desk.do(*actions, why=told, last=True)
        held = yield from _held(desk, element, wanted)
        if held is None and not desk.changed:
            raise Missed(f"nothing changed when {text!r} was typed into {named(element)}")
        if held is None or _same(held, wanted, element):
            return None
        aside = yield from put_aside(desk, shown)
        if append or (attempt and not aside):
            break
    if (yield from desk.closer()):
        # Some fields do not tell what was just typed; their pixels do.
        field = field_at(desk, element)
        if field is not None and _same(field.text, wanted, element):
            return None
    raise Missed(f"{named(element)} holds {held!r} after {wanted!r} was typed")


def _strokes(element: Element, text: str, append: bool) -> tuple[Action, ...]:
    assert element.box is not None
    at = element.box.center
    click = Click(at.x, at.y)
    if append:
        end = Key(("ctrl", "end")) if "multi line" in element.states else Key(("end",))
        return (click, end, _typed(text))
    if not _takes_select_all(element):
        return (click, _typed(text))
    return (click, SELECT_ALL, _typed(text) if text else Key(("delete",)))


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
        if _same(field_value(field), wanted, field):
            break
    field = field_at(desk, element)
    return None if field is None or field.value is None else field_value(field)


def field_at(desk: Desk, element: Element) -> Element | None:
    """The same field as it is now."""
    here = [e for e in desk.elements if is_field(e) and within(e.box, element.box)]
    same = [e for e in here if e.role == element.role and e.name == element.name]
    focused = [e for e in here if "focused" in e.states]
    return next(iter((*same, *focused, *here)), None)


def _same(held: str, wanted: str, element: Element) -> bool:
    if kind_of(element) is Kind.PASSWORD:
        return len(held) == len(wanted)
    one, two = _plain(held), _plain(wanted)
    # A field may write a number or a telephone its own way.
    return one == two or (bool(two) and _bare(one) == _bare(two))


def _plain(text: str) -> str:
    return " ".join(text.replace("\u200b", "").split())


def _bare(text: str) -> str:
    return re.sub(r"[^\w]|_", "", text).casefold()


def clear(desk: Desk, step: Clear) -> Turns[str | None]:
    """Empty a field."""
    if step.what is None:
        focused = focused_field(desk)
        if focused is None:
            raise Missed("it is not said what to clear, and no field has the keyboard")
        return (yield from put(desk, focused, ""))
    match = yield from ground(desk, step.what, (Kind.FIELD,), want="type")
    return (yield from put(desk, match.element, "", why=match.why))


_SUBMIT = re.compile(
    r"^(?:submit|ok|okay|send|save|done|go|confirm|continue|apply|finish|search|log ?in|sign ?in"
    r"|提交|确定|确认|发送|保存|完成|登录|搜索)\b",
    re.IGNORECASE,
)


def submit(desk: Desk, step: Submit) -> Turns[str | None]:
    """Finish a form with the button it has for that, or with Enter in its last field."""
    buttons = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.BUTTON and e.box is not None and not is_disabled(e)
    ]
    ordered = [e for e in buttons if "is default" in e.states]
    ordered += sorted((e for e in buttons if _SUBMIT.match(e.name.strip())), key=_rank)
    if ordered:
        button = ordered[0]
        assert button.box is not None
        at = button.box.center
        yield from desk.do(Click(at.x, at.y), why=f"finish with {named(button)}", last=True)
        return None
    if focused_field(desk) is not None:
        yield from desk.do(Key(("enter",)), why="finish with Enter", last=True)
        return None
    listed = ", ".join(named(e) for e in buttons[:6]) or "none"
    raise Missed(f"no button to finish the form with; buttons: {listed}")


def _rank(element: Element) -> int:
    """Submit before OK before the rest."""
    match = _SUBMIT.match(element.name.strip())
    words = ("submit", "提交", "ok", "send", "save")
    word = match[0].casefold() if match else ""
    return words.index(word) if word in words else len(words)
