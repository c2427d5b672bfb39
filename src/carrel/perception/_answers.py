"""What the buttons of dialogs say, where the picture on one was read as a part of its words."""

from __future__ import annotations

import re

__all__ = ["said_on_button"]

_PICTURE = r"(?:[^\s\d]\s?)?"
"""The picture before the words is read as one letter or sign, if at all."""
_ANSWERS = re.compile(
    rf"{_PICTURE}(?P<said>Cancel|Close|Yes|No|Save|Apply|Open|Delete|Remove|Create|Rename|Replace|"
    rf"Overwrite|Skip|Help|Add|Quit|Stop|Find)|{_PICTURE}(?P<ok>[OQ0][KH])"
)


def said_on_button(text: str) -> str:
    """The usual answer that a button says behind its picture; else the text as it was read."""
    found = _ANSWERS.fullmatch(text.strip())
    if found is None:
        return text
    return found["said"] or "OK"
