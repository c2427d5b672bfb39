"""Boxes to tick that no word names: where row and column meet, or by words of a sentence."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.crossings import cell_meant
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception._names import fold
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = ["box_told"]

_NOUN = re.compile(r"(?<=[\"”\u3400-\u9fff])(?:权限|开关|选项|复选框|勾选框|一?[列栏格项])$")
_HAN = re.compile(r"[\u3400-\u9fff]{3,10}")
_NOT = re.compile(r"[不未非勿]")


def box_told(desk: Desk, phrase: str) -> Element | None:
    """The one box of a cell, or the one whose sentence says the words one after another.

    Args:
        desk: Where that is.
        phrase: 财务部的“导出”权限; 同意协议 for 我已阅读并同意《用户协议》.
    """
    shown = [
        e
        for e in part_meant(desk.elements, "")
        if e.box is not None and kind_of(e) in TICKED and not is_disabled(e)
    ]
    if (own := _in_row(desk, phrase, shown)) is not None:
        return own
    cell = cell_meant(desk, _NOUN.sub("", phrase.strip()))
    if cell is not None:
        held = [e for e in shown if within(e.box, cell.box)]
        return held[0] if len(held) == 1 else None
    name = phrase.strip().strip('"“”')
    if not _HAN.fullmatch(name):
        return None
    called = [(e, _called(desk, e)) for e in shown]
    if any(text == name for _, text in called):
        return None
    pieces = ".*".join(re.escape(name[at : at + 2]) for at in range(0, len(name), 2))
    fitting = [e for e, text in called if re.search(pieces, text) and _agree(name, text)]
    return fitting[0] if len(fitting) == 1 else None


def _in_row(desk: Desk, phrase: str, boxes: list[Element]) -> Element | None:
    """The only box of the row that is looked at, where its column is called so."""
    if desk.place is None:
        return None
    named = fold(phrase.strip('"“”'))
    heads = [e for e in part_meant(desk.everything, "") if kind_of(e) is Kind.COLUMN]
    heads = [e for e in heads if fold(written_on(e)) == named and e.box is not None]
    areas = desk.place.areas
    held = [e for e in boxes if e.box and any(area.contains(e.box.center) for area in areas)]
    if len(heads) != 1 or len(held) != 1 or heads[0].box is None or held[0].box is None:
        return None
    at = held[0].box.center.x
    return held[0] if heads[0].box.x <= at < heads[0].box.right else None


def _agree(name: str, text: str) -> bool:
    """Whether both say that something is so, or both that it is not."""
    return bool(_NOT.search(name)) is bool(_NOT.search(text))


def _called(desk: Desk, box: Element) -> str:
    label = label_of(box, desk.elements)
    return fold(box.name) or (fold(written_on(label)) if label is not None else "")
