"""Claims of what is ticked or switched on, in words that need not be the name of the control."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.claims.accounted import NOUNS, Word, is_light, plainly, said_words
from carrel.models.steps.claims.records import over_of, words_in
from carrel.models.steps.language.held import KINDS, SORTS
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["told_state"]

_TICKED = frozenset({Kind.CHECKBOX, Kind.RADIO, Kind.SWITCH})
_STATED = re.compile(
    r"(?P<what>.+?)\s+(?:is|are|was|were|has been|have been|should be|must be|has|have)"
    r"(?P<not>\s+not|n['’]t)?\s+(?:(?:been|still|now|currently|already)\s+)*"
    r"(?:(?:switched|turned|set to)\s+)?"
    r"(?:(?P<on>selected|chosen|ticked|checked|on|active|activated|accepted|picked|agreed to|opted "
    r"in(?: to)?)|(?P<off>off|unticked|unchecked|deselected|unselected|inactive|deactivated))"
    r"(?:\s+(?:yet|now|by default|any ?more))?",
    re.IGNORECASE,
)
_NONE = re.compile(r"(?:none of|not one of)\s+(?:the|my|your|our|these|those)\s+", re.IGNORECASE)
_CONTROLS = KINDS | frozenset({"switch", "toggl", "checkbox", "tick", "radio", "option"})


def told_state(elements: Sequence[Element], claim: str) -> str | None:
    """What is ticked or not, where a claim says so of the one control that its words tell.

    Args:
        elements: What is on the screen.
        claim: What is said to be so.
    """
    said = _STATED.fullmatch(plainly(claim))
    if said is None:
        return None
    wanted = bool(said["on"]) is not bool(said["not"])
    tree = lineage_of(tuple(elements))
    shown = [e for e in part_meant(elements, "") if kind_of(e) in _TICKED and e.box is not None]
    shown = [e for e in shown if modal_over(elements, e) is None]
    if _NONE.match(said["what"]):
        return _none_of(shown, said["what"], tree) if not said["not"] and said["on"] else None
    words = [w for w in said_words(said["what"]) if not is_light(w) and w.stem not in _CONTROLS]
    meant = _meant(shown, words, tree)
    if meant is None or _is_on(meant) is not wanted:
        return None
    return f"{written_on(meant) or _name(meant, tree)} is {'on' if wanted else 'off'}"


def _is_on(element: Element) -> bool:
    return bool({"checked", "selected", "pressed"} & set(element.states))


def _name(element: Element, tree: Lineage) -> str:
    label = label_of(element, tree.elements)
    return f"{element.name} {written_on(label) if label is not None else ''}"


def _meant(shown: Sequence[Element], words: Sequence[Word], tree: Lineage) -> Element | None:
    """The one control whose name says the words, with what stands over it for the others."""
    if not words:
        return None
    fitting: list[tuple[int, Element]] = []
    for element in shown:
        own = set(words_in(_name(element, tree)))
        mine = [w for w in words if w.stem in own]
        over = over_of(element, tree)
        if mine and all(w.stem in own | over for w in words):
            fitting.append((len(mine), element))
    most = max((number for number, _ in fitting), default=0)
    best = [element for number, element in fitting if number == most]
    return best[0] if len(best) == 1 else None


def _none_of(shown: Sequence[Element], what: str, tree: Lineage) -> str | None:
    """That none of the boxes is ticked, where what they belong to is what is spoken of."""
    words = [w for w in said_words(_NONE.sub("", what)) if not is_light(w)]
    boxes = [e for e in shown if kind_of(e) is Kind.CHECKBOX]
    known = all(w.stem in SORTS | KINDS | NOUNS for w in words)
    over = [e for e in boxes if all(w.stem in over_of(e, tree) for w in words)]
    meant = over or (boxes if known and words else [])
    if len(meant) < 2 or any(map(_is_on, meant)):
        return None
    return f"none of {len(meant)} boxes is ticked"
