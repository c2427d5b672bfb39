"""Whether a list holds just the entries that are named, and no other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Only
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.entry_rows import is_foot
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.layout.runs import runs_of
from carrel.models.steps.shown.entries import entry_groups
from carrel.models.steps.shown.reading import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["has_only"]

TOLD = 5
"""So many entries are told in an account."""
Said = list[str]
"""The texts of one entry, folded."""


def has_only(desk: Desk, condition: Only) -> tuple[bool, str]:
    """Whether the one list that holds these names has one entry for each, and no more."""
    lists = [one for one in _lists(desk) if all(_among(name, one) for name in condition.names)]
    named = ", ".join(condition.names)
    if not lists:
        return False, f"no list on the screen holds {named}"
    if len(lists) > 1:
        return False, f"{len(lists)} lists on the screen hold {named}"
    entries = lists[0]
    others = [said for said in entries if not any(_says(name, said) for name in condition.names)]
    if others:
        return False, f"there is also {_told(others)}"
    if len(entries) != len(condition.names):
        return False, f"there are {len(entries)} entries: {_told(entries)}"
    return all(len(_among(name, entries)) == 1 for name in condition.names), _told(entries)


def _lists(desk: Desk) -> list[list[Said]]:
    """What the entries of each list say: of those that say what they are, else of plain boxes."""
    tree = Lineage(tuple(part_meant(desk.elements, "")))
    groups = [[e for e in group if not _is_sum(e, tree)] for group in entry_groups(desk)]
    told = [[_said((e, *tree.below(e))) for e in group] for group in groups if group]
    if told:
        return told
    runs: dict[str | None, list[Said]] = {}
    for run in runs_of(tree.elements):
        parts = [x for e in run for x in (e, *tree.below(e))]
        runs.setdefault(run[0].parent, []).append(_said(parts))
    return list(runs.values())


def _is_sum(entry: Element, tree: Lineage) -> bool:
    return kind_of(entry) is Kind.ROW and is_foot(entry, tree)


def _said(parts: Sequence[Element]) -> Said:
    return [fold(text) for e in parts if (text := written_on(e).strip())]


def _among(name: str, entries: Sequence[Said]) -> list[Said]:
    return [said for said in entries if _says(name, said)]


def _says(name: str, said: Said) -> bool:
    bare = fold(name.strip('"“”'))
    if name != name.strip('"“”'):
        return bare in said
    words = re.compile(rf"(?<!\w){re.escape(bare)}(?!\w)")
    return any(words.search(text) for text in said)


def _told(entries: Sequence[Said]) -> str:
    """What some entries say, for an account."""
    shown = [" ".join(dict.fromkeys(said))[:60] for said in entries[:TOLD]]
    return "; ".join(map(repr, shown))
