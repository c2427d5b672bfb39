"""What is in every dialog of its sort, and what programs call in their own language."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import Wish
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.modals import dialogs_shown
from carrel.perception._names import fold
from carrel.perception.find import Match
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = [
    "FILE_NAME",
    "answer_meant",
    "field_partly_called",
    "file_name_meant",
    "search_meant",
]

FILE_NAME = re.compile(r"_?(?:file ?)?_?name:?|文件名称?：?|名称：?|名字：?", re.IGNORECASE)
_SAME = tuple(
    frozenset(map(fold, words.split("|")))
    for words in (
        "OK|Okay|确定|确认|好|好的",
        "Cancel|取消",
        "Yes|是|是的",
        "No|否|不",
        "Close|关闭",
        "Save|保存",
        "Don't Save|Do not save|Close without saving|不保存",
        "Open|打开",
        "Apply|应用",
        "Delete|删除",
        "Discard|放弃|丢弃",
        "Replace|替换",
    )
)

_SEARCH_BOX = re.compile(
    r"(?:the )?(?:search|filter|find)(?: (?:box|field|bar|input|text ?box))?"
    r"|(?:搜索|查询|查找|筛选|过滤)(?:框|栏|输入框)?",
    re.IGNORECASE,
)
_SEARCHES = re.compile(
    r"\s*(?:type to |start typing to |quick )?(?:search|filter|find|look (?:up|for))\b"
    r"|.*(?:搜索|查询|查找|筛选|过滤|检索)",
    re.IGNORECASE,
)


def answer_meant(desk: Desk, wish: Wish) -> Match | None:
    """The one button of the dialog in front that is this answer in another language."""
    one = wish.description
    if one.kinds not in ((), (Kind.BUTTON,)) or not one.name or one.ordinal:
        return None
    answers = next((words for words in _SAME if fold(one.name) in words), None)
    dialogs = dialogs_shown(desk.elements) if answers is not None else []
    if answers is None or len(dialogs) != 1:
        return None
    held = lineage_of(desk.elements).inside(dialogs[0])
    buttons = [
        e
        for e in desk.elements
        if e.id in held and kind_of(e) is Kind.BUTTON and e.box is not None and not is_disabled(e)
        if fold(written_on(e).replace("_", "")) in answers
    ]
    if len(buttons) != 1 or buttons[0].box is None:
        return None
    said = f"the answer {written_on(buttons[0])!r} of the dialog"
    return Match(buttons[0], 1.0, buttons[0].box.center, said)


def file_name_meant(desk: Desk, wish: Wish) -> Match | None:
    """The one field of the dialog in front that is for the name of a file, in any language."""
    one = wish.description
    dialogs = dialogs_shown(desk.elements)
    if one.ordinal or len(dialogs) != 1 or FILE_NAME.fullmatch(one.name.strip()) is None:
        return None
    held = lineage_of(desk.elements).inside(dialogs[0])
    fields = [e for e in desk.elements if e.id in held and is_field(e) and e.box is not None]
    called = [e for e in fields if any(map(FILE_NAME.fullmatch, _names(desk, e)))]
    if len(called) != 1 or called[0].box is None:
        return None
    return Match(called[0], 1.0, called[0].box.center, "the field for the name of the file")


def search_meant(desk: Desk, wish: Wish) -> Match | None:
    """The one field that a page calls by another word for searching: "Find a member"."""
    if _SEARCH_BOX.fullmatch(wish.phrase.strip()) is None:
        return None
    fields = [
        e
        for e in part_meant(desk.elements, "")
        if is_field(e) and e.box is not None and "multi line" not in e.states
    ]
    called = [e for e in fields if any(map(_SEARCHES.match, _names(desk, e)))]
    if len(called) != 1 or called[0].box is None:
        return None
    return Match(called[0], 1.0, called[0].box.center, "the one field to search with")


_WHOSE = re.compile(
    r"(?:new|your|full|the|enter|display|e-?mail|mail|type|change|edit)\s+|\s+address$",
    re.IGNORECASE,
)
"""Words of a label that make no other field of it."""


def field_partly_called(desk: Desk, wish: Wish) -> Match | None:
    """The one field whose label says a little more than it is called: `the name` is New name."""
    one = wish.description
    plain = one.kinds in ((), (Kind.FIELD,)) and not (one.relations or one.ordinal or one.denied)
    if not one.name or not plain or one.exact:
        return None
    fields = [e for e in part_meant(desk.elements, "") if is_field(e) and e.box is not None]
    wanted = re.compile(rf"\b{re.escape(fold(one.name))}\b")
    having = [e for e in fields if any(wanted.search(fold(n)) for n in _names(desk, e))]
    if len(having) != 1 or having[0].box is None or is_disabled(having[0]):
        return None
    named = {_WHOSE.sub("", fold(n)).strip(" :：*") for n in _names(desk, having[0]) if n}
    if fold(one.name) not in named:
        return None
    return Match(having[0], 1.0, having[0].box.center, "the one field with that in its label")


def _names(desk: Desk, field: Element) -> tuple[str, ...]:
    label = label_of(field, desk.elements)
    return field.name.strip(), written_on(label).strip() if label is not None else ""
