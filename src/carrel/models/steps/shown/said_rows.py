"""What entries of a list say that they are known again by, whatever number they are given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from carrel.frames import Element
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.reading import text_of
from carrel.perception.roles import Kind, kind_of

__all__ = ["Said", "list_of", "said_by"]

_NUMBER = re.compile(r"\D{0,4}(\d{1,6})\D{0,2}")
_LISTS = (Kind.TABLE, Kind.TREE, Kind.LIST)


@dataclass(frozen=True, slots=True)
class Said:
    """What one entry says.

    Attributes:
        full: All of it.
        bare: Without its number among the others, which another one gets when it goes.
    """

    full: str
    bare: str

    def tells(self, text: str) -> bool:
        """Whether it is the entry that said this; of a lone one nobody knows what its number is."""
        return text in (self.bare, self.full)


def said_by(tree: Lineage, entries: Sequence[Element]) -> list[Said]:
    """What each of some entries says."""
    order = {e.id: at for at, e in enumerate(tree.elements)}
    rows = {e.id: _cells(tree, e, order) for e in tree.elements if kind_of(e) is Kind.ROW}
    tables: dict[str, list[list[str]]] = {}
    for row in (e for e in tree.elements if rows.get(e.id)):
        tables.setdefault(list_of(tree, row), []).append(rows[row.id])
    running = {key: _running(listed) for key, listed in tables.items()}
    found: list[Said] = []
    for entry in entries:
        cells = rows.get(entry.id)
        if not cells:
            text = " ".join(text_of(entry, tree.elements).split())
            found.append(Said(text, text))
            continue
        full = _joined(cells)
        left_out = running[list_of(tree, entry)]
        bare = _joined([text for at, text in enumerate(cells) if at not in left_out])
        found.append(Said(full, bare or full))
    return found


def _joined(texts: Sequence[str]) -> str:
    return " ".join(" ".join(texts).split())


def list_of(tree: Lineage, row: Element) -> str:
    """The id of what a row is one of."""
    holder = next((e for e in tree.above(row) if kind_of(e) in _LISTS), None)
    return holder.id if holder is not None else row.parent or ""


def _cells(tree: Lineage, row: Element, order: dict[str, int]) -> list[str]:
    """The text of each cell of a row, without what its controls are called."""
    cells = [e for e in tree.below(row) if kind_of(e) is Kind.CELL]
    return [_text(tree, cell, order) for cell in sorted(cells, key=lambda e: order[e.id])]


def _text(tree: Lineage, cell: Element, order: dict[str, int]) -> str:
    below = tree.below(cell)
    if not below:
        return cell.name or cell.text
    inner = [e for e in below if kind_of(e) is Kind.TEXT and not tree.below(e)]
    return " ".join(e.name or e.value or e.text for e in sorted(inner, key=lambda e: order[e.id]))


def _running(rows: Sequence[Sequence[str]]) -> frozenset[int]:
    """The columns that only count the rows, up or down."""
    most = max(map(len, rows), default=0)
    return frozenset(at for at in range(most) if _counts([r[at] for r in rows if at < len(r)]))


def _counts(texts: Sequence[str]) -> bool:
    found = [_NUMBER.fullmatch(text.strip()) for text in texts if text.strip()]
    numbers = [int(one[1]) for one in found if one is not None]
    if len(numbers) < 2 or len(numbers) < len(found):
        return False
    steps = {later - before for before, later in pairwise(numbers)}
    return steps in ({1}, {-1})
