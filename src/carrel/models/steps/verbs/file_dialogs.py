"""Dialogs for files: the field for a path that some of them show only when it is asked for."""

from __future__ import annotations

import re

from carrel.actions import Key
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.turns import Turns
from carrel.perception.find import Match
from carrel.perception.roles import is_field

__all__ = ["file_field"]

_CALLED = re.compile(
    r"(?:the\s+)?(?:file\s*name|location|path|address|name|file|file\s?path|folder)s?"
    r"(?:\s+(?:field|box|bar|entry|input|text field))?|"
    r"(?:文件)?(?:名称?|名字|路径|位置|地址)(?:栏|框|输入框|字段)?",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:the\s+)?(?:file\s*)?name|(?:文件)?名", re.IGNORECASE)
COMING = (0.3, 0.6)
"""Seconds in which the field comes up."""


def file_field(desk: Desk, phrase: str) -> Turns[Match | None]:
    """The field for a path in the dialog for files that is open and shows none; else None."""
    chooser = next((e for e in reversed(desk.elements) if e.role == "file chooser"), None)
    if chooser is None or _CALLED.fullmatch(phrase.strip()) is None:
        return None
    held = [e for e in children_of(desk.elements, chooser) if is_field(e) and e.box is not None]
    if len(held) == 1 and _NAME.match(phrase.strip()):
        # The field for the name, whatever that dialog calls it.
        (only,) = held
        assert only.box is not None
        return Match(only, 1.0, only.box.center, "the field for the name of a file")
    if held:
        return None
    yield from desk.do(Key(("ctrl", "l")), why="the field for a path", commits=False)
    for pause in COMING:
        choosers = [e for e in desk.elements if e.role == "file chooser"]
        fields = {
            e.id: e
            for holder in choosers
            for e in children_of(desk.elements, holder)
            if is_field(e) and e.box is not None
        }
        if len(fields) == 1:
            (field,) = fields.values()
            assert field.box is not None
            return Match(field, 1.0, field.box.center, "the field for the path of a file")
        yield from desk.again(pause, why="the field for a path is not there yet")
    return None
