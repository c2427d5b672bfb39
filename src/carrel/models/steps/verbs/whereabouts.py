"""Steps in a place that is rather what they go into: a cell of a sheet, a program for a file."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.frames import Element
from carrel.models.steps.claims.sheets import meant_cell
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.bounds import not_told
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.floating import all_dialogs
from carrel.models.steps.phrases.file_words import is_file_name
from carrel.models.steps.phrases.programs import bare, kind_called
from carrel.models.steps.program import (
    Check,
    Choose,
    Enter,
    Find,
    Open,
    Point,
    Read,
    SetValue,
    Step,
)
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.verbs.listed_nouns import as_listed
from carrel.models.steps.verbs.text_lines import line_said
from carrel.perception.roles import Kind, kind_of

__all__ = ["goes_into"]

_SHOWS_FILES = ("file manager", "terminal emulator")


def goes_into(desk: Desk, step: Step) -> Step:
    """`in A4, type X` as typing into A4; `in mousepad, open a.txt` as opening it with that."""
    step = _in_what_came_up(desk, _in_program(desk, step))
    if isinstance(step, Choose):
        return as_listed(desk, step)
    if _is_edited(desk):
        step = _in_editor(step)
    if step.place is None:
        return step
    if isinstance(step, Enter) and step.into is None and meant_cell(desk, step.place):
        return replace(step, into=step.place, place=None)
    if isinstance(step, SetValue) and (path := _in_menu(desk, step)):
        return Choose(path, path=True, words=step.words, line=step.line)
    if (item := _item_of_menu(desk, step)) is not None:
        return item
    if isinstance(step, Open) and not step.using and _is_file(step.what):
        kind = kind_called(step.place)
        if kind is not None and kind.name not in _SHOWS_FILES:
            return replace(step, using=bare(step.place), place=None)
    return step


_CAME_UP = re.compile(
    r"(?:the |a )?(?:pop-?up|popped[- ]up|opened|open) (?:list|panel|sheet|drawer|menu|picker)"
    r"|(?:the )?(?:list|panel|sheet|drawer|picker)(?: that)? (?:pops|comes|came|popped|opens|opened"
    r")(?: up)?|(?:the )?bottom sheet"
    r"|(?:底部|下方|右侧|左侧)?(?:新?(?:弹|跳|滑)出来?|打开|出现)的?"
    r"(?:列表|选项|面板|菜单|选择器|浮层|抽屉|选择框|表单|优惠券列表)|抽屉|浮层|底部(?:弹层|面板|菜单|浮层)",
    re.IGNORECASE,
)
"""Words for whatever came up over the page last."""
_LISTS = ("list box", "menu", "tree")


def _in_what_came_up(desk: Desk, step: Step) -> Step:
    """`choose X from the list that pops up`: in the one dialog there is, where no list is open."""
    said = step.source if isinstance(step, Choose) and step.source else step.place
    if said is None or not _CAME_UP.fullmatch(said.strip()) or step.place not in (None, said):
        return step
    lists = any(e.role in _LISTS and e.box is not None and e.box.area for e in desk.elements)
    if len(all_dialogs(desk.elements)) != 1 or (lists and not_told(desk, said) is None):
        return step
    if isinstance(step, Choose):
        return replace(step, source=None, place="the dialog")
    return replace(step, place="the dialog")


_MENU = re.compile(r"(?:the |its )?(?P<title>.+?) menu", re.IGNORECASE)


def _in_menu(desk: Desk, step: SetValue) -> tuple[str, ...]:
    """`set the size to Large in the View menu`: the item of a submenu; empty where it is none."""
    if step.relative or step.what is None:
        return ()
    title = _title_of(desk, step.place or "")
    return (title.name, step.what, step.value) if title is not None else ()


def _title_of(desk: Desk, place: str) -> Element | None:
    """The one title that a program tells of, where a place is its menu."""
    found = _MENU.fullmatch(place)
    if found is None:
        return None
    bars = {e.id for e in desk.elements if e.role == "menu bar"}
    shown = [e for e in desk.elements if e.box is not None]
    titles = [e for e in shown if kind_of(e) is Kind.MENU or e.parent in bars]
    called = [e for e in titles if fold(e.name) == fold(found["title"].strip("\"“”'"))]
    return called[0] if len(called) == 1 else None


def _item_of_menu(desk: Desk, step: Step) -> Step | None:
    """`in the View menu, open Zoom`: an item of that menu, which has to be opened for it.

    In a program that tells nothing of its menus, the pixels tell whether there is one. On a page
    what is called a menu may be there to be seen.
    """
    opens = isinstance(step, Open) and not step.using
    clicks = isinstance(step, Point) and step.how == "click" and step.times == 1 and not step.held
    if not (opens or clicks) or step.place is None or web_page(desk.elements) is not None:
        return None
    assert isinstance(step, Open | Point)
    if (title := _title_of(desk, step.place)) is not None:
        return Choose((title.name, step.what), path=True, words=step.words, line=step.line)
    silent = not any(e.role in ("menu bar", "menu") for e in desk.elements)
    if not silent or _MENU.fullmatch(step.place) is None:
        return None
    return Choose((step.what,), source=step.place, words=step.words, line=step.line)


_WITHIN = re.compile(
    r"(?P<what>.+?)\s+(?:in|inside|within|from)\s+"
    r"(?P<program>(?:the|my|your|this)\s[a-z][\w -]*|[A-Z][a-zA-Z]+)"
)


def _in_program(desk: Desk, step: Step) -> Step:
    """`click a.txt in the file manager`: in that window, which no element is called after."""
    said = step.options if isinstance(step, Choose) else (getattr(step, "what", None),)
    found = _WITHIN.fullmatch(said[0]) if len(said) == 1 and isinstance(said[0], str) else None
    if found is None or step.place is not None or web_page(desk.elements) is not None:
        return step
    if kind_called(found["program"]) is None:
        return step
    if isinstance(step, Choose):
        return replace(step, options=(found["what"],), said="", place=found["program"])
    if isinstance(step, Check | Find | Read):
        return step
    return replace(step, what=found["what"], place=found["program"])  # type: ignore[call-arg]


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
