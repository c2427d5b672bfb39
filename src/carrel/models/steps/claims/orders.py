"""Whether what a list or a column shows is in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.claims.comparing import read_number
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Sorted
from carrel.models.steps.finding.extents import extent_of, members
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.entry_rows import is_foot
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.shown.reading import text_of
from carrel.models.steps.turns import Missed
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["in_order"]

_MONEY = re.compile(r"[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥元]|EUR|USD|GBP)", re.IGNORECASE)
_PRICES = re.compile(
    r"(?:the )?(?:prices?|costs?|amounts?)|(?:商品)?(?:价格|金额|售价)", re.IGNORECASE
)
_LISTS = re.compile(
    r"(?:the )?(?:[\w ]+ )?(?:list|items?|entries|entry|results?|options|names)"
    r"|.*(?:列表|清单|结果|项目|条目)",
    re.IGNORECASE,
)


def in_order(desk: Desk, condition: Sorted) -> tuple[bool, str]:
    """Whether it is in order, and where it is not."""
    try:
        texts = _texts(desk, condition)
    except Missed as missed:
        return False, missed.account
    if len(texts) < 2:
        told = f"only {len(texts)} entries of {condition.by or condition.what} can be read"
        return False, f"cannot tell in what order they are: {told}"
    keys = _keys(texts)
    pairs = zip(texts, texts[1:], keys, keys[1:], strict=False)
    for one, other, low, high in pairs:
        if (low < high) if condition.down else (low > high):
            return False, f"{one!r} stands before {other!r}"
    return True, ""


def _keys(texts: Sequence[str]) -> list[tuple[float, str]]:
    numbers = [_number(text) for text in texts]
    if all(number is not None for number in numbers):
        return [(number or 0.0, "") for number in numbers]
    return [(0.0, text.casefold()) for text in texts]


def _number(text: str) -> float | None:
    return (
        read_number(re.sub(r"[^\d.,+-]", "", text))
        if re.search(r"\d", text) and len(re.sub(r"[\d.,+\s-]", "", text)) <= 4
        else None
    )


def _texts(desk: Desk, condition: Sorted) -> list[str]:
    """The texts to compare, from the top.

    Raises:
        Missed: It is not told what they are.
    """
    for name in filter(None, (condition.by, condition.what)):
        column = _column(desk, name)
        if column:
            return column
    if _PRICES.fullmatch(condition.by or condition.what):
        return _amounts(desk)
    if condition.by and not _PRICES.fullmatch(condition.by) and _column_heads(desk):
        raise Missed(f"no column named {condition.by}")
    if _LISTS.fullmatch(condition.what):
        place = condition.what if re.search(r"list|列表|清单", condition.what) else "the list"
        extent = extent_of(desk, place)
        held = members(desk.elements, extent) if extent is not None else desk.elements
        entries = [e for e in held if kind_of(e) in (Kind.OPTION, Kind.TREE_ITEM) and e.box]
        said = [" ".join(text_of(e, desk.elements).split()) for e in entries]
        return [text for text in said if text]
    raise Missed(f"it is not told in what order {condition.what} should be: say by which column")


def _column_heads(desk: Desk) -> list[Element]:
    return [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.COLUMN and e.box]


def _column(desk: Desk, name: str) -> list[str]:
    wanted = _plain(name)
    told = _column_heads(desk)
    heads = [e for e in told if _plain(written_on(e)) in (wanted, wanted.rstrip("s"))]
    heads = heads or [e for e in told if written_on(e).casefold().startswith(f"{name.casefold()} ")]
    if len(heads) != 1 or heads[0].box is None:
        return []
    box = heads[0].box
    cells = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.CELL and e.box and box.x <= e.box.center.x < box.right
        if e.box.y >= box.bottom - 2
    ]
    tree = lineage_of(tuple(desk.elements))
    cells = [e for e in cells if not any(is_foot(row, tree) for row in tree.above(e)[:1])]
    ranked = sorted(cells, key=lambda e: e.box.y if e.box else 0)
    return [" ".join(text_of(e, desk.elements).split()) for e in ranked]


def _plain(text: str) -> str:
    bare = re.sub(r"[(（\[].*$|[↑↓▲▼]", "", text.casefold())
    return re.sub(r"^the |[^\w]+|[列栏]$", "", bare)


def _amounts(desk: Desk) -> list[str]:
    found: list[tuple[int, int, str]] = []
    for element in part_meant(desk.elements, ""):
        said = written_on(element).strip()
        if kind_of(element) in (Kind.TEXT, Kind.CELL, Kind.HEADING) and element.box:
            amount = _MONEY.search(said)
            if amount is not None and len(said) <= len(amount[0]) + 8:
                place = (element.box.y, element.box.x, amount[0])
                if not any(abs(p[0] - place[0]) < 4 and p[2] == place[2] for p in found):
                    found.append(place)
    return [text for _, _, text in sorted(found)]
