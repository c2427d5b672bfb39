"""Replacing words in what an editor holds: selected with the keyboard, and typed over."""

from __future__ import annotations

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.reading import content_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import put
from carrel.models.steps.verbs.fields import field_at, inline_editor, is_to_search, typed
from carrel.models.steps.verbs.pointing import named, repeated

__all__ = ["reword"]

LONGEST = 4000
"""Letters of a text in which the keyboard goes to a word."""
_QUOTES = " \"'“”"


def reword(desk: Desk, step: Perform) -> Turns[bool]:
    """Replace words in the one editor that holds them; whether that is what is meant.

    Raises:
        Missed: They are there more than once and not all are meant, or are not replaced.
    """
    details = dict(step.details)
    if step.verb != "replace" or step.what is None or "with" not in details:
        return False
    words, new = step.what.strip(_QUOTES), details["with"]
    field = inline_editor(desk, step.what)
    if field is not None and not is_to_search(desk, field):
        yield from put(desk, field, new, why="where it is edited")
        return True
    holding = [e for e in _editors(desk) if words and words in content_of(e, desk.elements)]
    if len(holding) != 1 or len(content_of(holding[0], desk.elements)) > LONGEST:
        return False
    editor = holding[0]
    text = content_of(editor, desk.elements)
    count = text.count(words)
    if count > 1 and "everywhere" not in details.get("in", ""):
        raise Missed(f"{named(editor)} holds {words!r} {count} times: say all of them, or which")
    yield from _type_over(desk, editor, words, new)
    held, wanted = text, text.replace(words, new)
    for pause in (0.0, 0.3, 0.7):
        if pause:
            yield from desk.again(pause, why="what it holds now")
        now = field_at(desk, editor)
        held = content_of(now, desk.elements) if now is not None else ""
        if held.split() == wanted.split():
            return True
    raise Missed(f"{named(editor)} holds {held[:200]!r} after {words!r} was replaced")


def _type_over(desk: Desk, editor: Element, words: str, new: str) -> Turns[None]:
    """Go to each of them from the end, so that the places of the others stay."""
    assert editor.box is not None
    desk.worked, at = editor.box, editor.box.center
    text = content_of(editor, desk.elements)
    place = text.rfind(words)
    yield from desk.do(Click(at.x, at.y), why=f"replace {words!r} in {named(editor)}")
    while place >= 0:
        keys: tuple[Action, ...] = (
            Key(("ctrl", "home")),
            *repeated(("right",), place),
            *repeated(("shift", "right"), len(words)),
            typed(new) if new else Key(("delete",)),
        )
        yield from desk.do(*keys, why=f"{words!r} is there", last=True)
        place = text.rfind(words, 0, place)


def _editors(desk: Desk) -> list[Element]:
    """What can be written in, each as a whole."""
    # What a dialog looks for is in its field as well, and is no place where words are replaced.
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    writable = {e.id for e in shown if "editable" in e.states}
    held = [e for e in shown if e.id in writable and e.parent not in writable]
    return [e for e in held if not is_to_search(desk, e)]
