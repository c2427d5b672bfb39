"""What unfolds where only its kind is said: the one thing that is there to be opened."""

from __future__ import annotations

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import wished
from carrel.models.steps.layout.accordions import covered
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of
from carrel.perception.symbols import symbol_of

__all__ = ["only_fold"]

_FOLDED = (Kind.GROUP, Kind.MENU, Kind.TREE, Kind.TREE_ITEM, Kind.LIST, Kind.ROW, Kind.OPTION)
_OPENERS = ("+", "☰", "⋮", "▶", "▼", "›", "⌄")
_CLOSERS = ("-", "×", "▲", "▼", "⌃")


def only_fold(desk: Desk, phrase: str, *, on: bool) -> Element | None:
    """The only closed (or open) thing there is, where the phrase gives it no name of its own."""
    described = wished(phrase).description
    if described.name or described.relations or described.ordinal or described.superlative:
        return None
    if not described.kinds or described.kinds[0] not in _FOLDED:
        return None
    listed = [e for e in part_meant(desk.elements, phrase) if e.box and not is_disabled(e)]
    told = [e for e in listed if "expandable" in e.states and ("expanded" in e.states) != on]
    told = [e for e in told if kind_of(e) is not Kind.COMBO and not covered(e, listed)]
    if told:
        return told[0] if len(told) == 1 else None
    drawn = [e for e in listed if _draws(e, _OPENERS if on else _CLOSERS)]
    return drawn[-1] if len({e.box for e in drawn}) == 1 else None


def _draws(element: Element, symbols: tuple[str, ...]) -> bool:
    """Whether the character that stands for unfolding is all that is written on it."""
    drawn = symbol_of(written_on(element))
    return bool(drawn) and any(drawn & symbol_of(symbol) for symbol in symbols)
