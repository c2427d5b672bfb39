"""What is counted on the screen: things by their kind, and entries by what one calls them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.claims.headed import headed_entries
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.held_entries import entries_called, names_list
from carrel.models.steps.finding.wishes import all_fitting, wished
from carrel.models.steps.layout.entry_rows import ENTRIES, is_foot, is_head
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.entries import is_entries, listed_entries
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["counted_things", "is_any_text"]

_ADDS = re.compile(r"[+＋]\s*\S|(?:add|new)\s|(?:添加|新建|新增)", re.IGNORECASE)
_ENTRY = re.compile(
    r"(?:the |all |of )*(?:message|note)s?\b|(?:[条个封]|所有|全部)*(?:消息|信息)", re.IGNORECASE
)
_MERE = (Kind.TEXT, Kind.HEADING, Kind.PAGE, Kind.GROUP)


def counted_things(desk: Desk, phrase: str) -> list[Element]:
    """What is counted: of rows not the one that heads the columns."""
    # A mere box is no shape where it is ticked.
    phrase = re.sub(r"^boxes (?=that are )", "checkboxes ", phrase)
    found: Sequence[Element] = all_fitting(desk, phrase)
    if (meant := _entries_meant(desk, phrase, found)) is not None:
        return meant
    if is_entries(phrase) and all(kind_of(e) is Kind.GROUP for e in found):
        # Whatever the one list there holds is called by such a word, though nothing says it; a
        # card is as well the part of a page that holds that list.
        found = listed_entries(desk) or found
    if all(kind_of(e) in _MERE for e in found):
        # A heading that says the noun is none of them.
        found = headed_entries(desk, phrase) or found
    if found and all(kind_of(e) in _MERE for e in found) and is_any_text(phrase):
        return []
    tree = Lineage(desk.elements)
    if (rows := _under_column(phrase, found, tree)) is not None:
        return rows
    return [e for e in found if not _is_left_out(e, tree)]


def _under_column(phrase: str, found: Sequence[Element], tree: Lineage) -> list[Element] | None:
    """The rows of the table in which a noun heads a column: as many things of that sort there are.

    None where it heads none, or columns themselves are counted.
    """
    if len(found) != 1 or kind_of(found[0]) is not Kind.COLUMN:
        return None
    if Kind.COLUMN in wished(phrase).description.kinds:
        return None
    table = next((e for e in tree.above(found[0]) if kind_of(e) is Kind.TABLE), None)
    rows = [e for e in tree.below(table) if kind_of(e) is Kind.ROW] if table is not None else []
    return [e for e in rows if not _is_left_out(e, tree)] if len(rows) > 1 else None


def is_any_text(phrase: str) -> bool:
    """Whether every text fits a word for entries that tell something: `messages in the inbox`."""
    one = wished(phrase).description
    return one.kinds == (Kind.TEXT,) and not one.name and _ENTRY.match(phrase.strip()) is not None


def _is_left_out(element: Element, tree: Lineage) -> bool:
    """Whether it is a row that heads the columns or sums them up, or a column without a name."""
    if kind_of(element) is Kind.COLUMN:
        return not written_on(element).strip()
    if kind_of(element) is Kind.GROUP and (held := tree.below(element)):
        # What adds another one is none itself.
        said = [written_on(e) for e in held if written_on(e)]
        return len(set(said)) == 1 and _ADDS.match(said[0]) is not None
    return kind_of(element) is Kind.ROW and (is_head(element, tree) or is_foot(element, tree))


def _entries_meant(desk: Desk, phrase: str, found: Sequence[Element]) -> list[Element] | None:
    """The entries that a noun means, where what fits it by its words is none, or no entries."""
    plain = bool(found) and all(kind_of(e) in ENTRIES or kind_of(e) in CONTROLS for e in found)
    return None if plain and not names_list(desk, phrase) else entries_called(desk, phrase)
