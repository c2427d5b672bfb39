"""Conditions about a thing in a place, taken apart: the place, and what is so there."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.bounds import not_told
from carrel.models.steps.desk import Desk
from carrel.models.steps.floating import drawn_dialogs
from carrel.models.steps.place_words import placed_in, read_place
from carrel.models.steps.program import Condition, Count, Has, Is, Shows, Within

__all__ = ["comes_and_goes", "is_drawn_dialog", "placed"]

_PASSING = re.compile(r"banner|toast|notification|alert|通知|横幅|提示框", re.IGNORECASE)
"""Words for what a box in the middle of the page is not."""
_SAYING = ("dialog", "row", "column", "list", "table", "menu", "tab", "bar", "status", "group")


def placed(desk: Desk, condition: Condition) -> Condition:
    """`"Ann" in the dialog is visible` as what is so within the dialog; else as it is."""
    if isinstance(condition, Has) and condition.how in ("contains", "equals"):
        words = read_place(condition.what)
        exactly = condition.how == "equals" and words.sort not in ("status", "bar", "dialog", "row")
        if words.sort in _SAYING and not exactly and not_told(desk, condition.what) is None:
            return Within(condition.what, Shows(_quoted(condition.text)))
    if not isinstance(condition, Shows | Is | Count | Has):
        return condition
    parts = placed_in(condition.what)
    if parts is None:
        return condition
    place, what = parts
    strict = isinstance(condition, Shows | Count)
    if not strict and not_told(desk, place) is not None:
        return condition
    return Within(place, replace(condition, what=what))


def _quoted(text: str) -> str:
    return f"“{text}”" if '"' in text else f'"{text}"'


def comes_and_goes(place: str) -> bool:
    """Whether any dialog or menu is meant, of which there may just be none."""
    words = read_place(place)
    return words.sort in ("dialog", "menu") and not words.name


def is_drawn_dialog(desk: Desk, phrase: str) -> bool:
    """Whether a dialog is meant, and one is there that its page does not call so."""
    words = read_place(phrase)
    if words.sort != "dialog" or _PASSING.search(phrase) or not drawn_dialogs(desk.elements):
        return False
    return not words.name or not_told(desk, phrase) is None
