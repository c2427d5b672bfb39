"""Conditions about a thing in a place, taken apart: the place, and what is so there."""

from __future__ import annotations

from dataclasses import replace

from carrel.models.steps.bounds import not_told
from carrel.models.steps.desk import Desk
from carrel.models.steps.place_words import placed_in, read_place
from carrel.models.steps.program import Condition, Count, Has, Is, Shows, Within

__all__ = ["placed"]

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
