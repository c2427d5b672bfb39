"""Steps in a place that is rather what they go into: a cell of a sheet, a program for a file."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.chrome import web_page
from carrel.models.steps.desk import Desk
from carrel.models.steps.file_words import is_file_name
from carrel.models.steps.program import Choose, Enter, Open, Point, Step
from carrel.models.steps.programs import bare, kind_called
from carrel.models.steps.sheets import meant_cell
from carrel.models.steps.verbs.listed_nouns import as_listed
from carrel.models.steps.verbs.text_lines import line_said

__all__ = ["goes_into"]

_SHOWS_FILES = ("file manager", "terminal emulator")


def goes_into(desk: Desk, step: Step) -> Step:
    """`in A4, type X` as typing into A4; `in mousepad, open a.txt` as opening it with that."""
    if isinstance(step, Choose):
        return as_listed(desk, step)
    if _is_edited(desk):
        step = _in_editor(step)
    if step.place is None:
        return step
    if isinstance(step, Enter) and step.into is None and meant_cell(desk, step.place):
        return replace(step, into=step.place, place=None)
    if isinstance(step, Open) and not step.using and _is_file(step.what):
        kind = kind_called(step.place)
        if kind is not None and kind.name not in _SHOWS_FILES:
            return replace(step, using=bare(step.place), place=None)
    return step


def _in_editor(step: Step) -> Step:
    """`into the document` is where the keyboard is; a line that is clicked is gone to."""
    if isinstance(step, Enter) and step.into and _DOCUMENT.fullmatch(step.into.strip()):
        return replace(step, into=None)
    if isinstance(step, Point) and step.how == "click" and line_said(step.what):
        return Open(step.what, words=step.words, line=step.line)
    return step


_DOCUMENT = re.compile(
    r"(?:the|this|my|a)\s+(?:new\s+|empty\s+|blank\s+|untitled\s+|open\s+)?(?:text\s+)?"
    r"(?:document|editor|file|note|page|text|window|editor\s+window|text\s+area)",
    re.IGNORECASE,
)


def _is_edited(desk: Desk) -> bool:
    """Whether the one editor of a program has the keyboard: the document is what it holds."""
    if web_page(desk.elements) is not None:
        return False
    editors = [e for e in desk.elements if {"multi line", "editable"} <= set(e.states)]
    return len(editors) == 1 and "focused" in editors[0].states


def _is_file(what: str) -> bool:
    said = what.strip(" \"“”'")
    return is_file_name(said) or said.startswith(("/", "~/"))
