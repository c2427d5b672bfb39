"""Choices of several groups that are told in one breath: `a large coffee with oat milk`."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.finding.by_words import names_of, stands_around, telling_words
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.phrases.stemming import stems
from carrel.perception.labels import written_on
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = ["choices_meant"]


def choices_meant(elements: Sequence[Element], said: str) -> list[Element]:
    """One choice of each of several groups, which together say every word of a step.

    A word may also stand over a group, or in a heading: what all of it is about. None at all where
    a word is left over, where two choices of one group fit, or where only one group is told of.

    Args:
        elements: What is on the screen.
        said: The step, in the person's words.
    """
    wanted = telling_words(said)
    tree = lineage_of(tuple(elements))
    chosen: list[Element] = []
    told: set[str] = set()
    for group in _groups(tree):
        fits = {e.id: words for e in group if (words := _named(tree, e, wanted))}
        most = max(map(len, fits.values()), default=0)
        best = [e for e in group if len(fits.get(e.id, ())) == most > 0]
        if len(best) > 1:
            return []
        for element in best:
            chosen.append(element)
            told |= fits[element.id]
            told.update(word for text in stands_around(tree, element) for word in stems(text))
    shown = part_meant(tree.elements, "")
    heads = [written_on(e) for e in shown if kind_of(e) in (Kind.HEADING, Kind.PAGE)]
    left = wanted - told - {word for text in heads for word in stems(text)}
    return chosen if len(chosen) > 1 and not left else []


def _groups(tree: Lineage) -> list[list[Element]]:
    """The choices that stand under one heading, or are held by one thing; each box by itself."""
    groups: dict[tuple[str | None, str], list[Element]] = {}
    head = ""
    for element in part_meant(tree.elements, ""):
        if kind_of(element) is Kind.HEADING:
            head = element.id
        if kind_of(element) not in TICKED or element.box is None or is_disabled(element):
            continue
        if kind_of(element) is not Kind.RADIO:
            groups[None, element.id] = [element]  # a box is ticked whatever becomes of the others
        else:
            holder = next((e.id for e in tree.above(element) if _is_group(e)), None)
            groups.setdefault((holder, "" if holder else head), []).append(element)
    return list(groups.values())


def _is_group(element: Element) -> bool:
    return element.role in ("radio group", "grouping") or bool(written_on(element))


def _named(tree: Lineage, element: Element, wanted: frozenset[str]) -> frozenset[str]:
    """The words of its name, where all of them were said."""
    names = (frozenset(stems(name)) for name in names_of(tree, element))
    return max((n for n in names if n and n <= wanted), key=len, default=frozenset())
