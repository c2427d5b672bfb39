"""What is told by a noun and what it is about or called: `the question about damaged goods`."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.wishes import Wish, is_there, look_for
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.phrases.small_words import GRAMMAR
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.shown.reading import fold
from carrel.perception.description import Want
from carrel.perception.find import Match
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["called_behind_noun", "topic_meant"]

_TOPIC = re.compile(
    r"(?:the|that|this) (?:[a-z]+ )?(?:question|section|topic|entry|faq|panel|part|article|chapter|"
    r"heading|tab|page|thread|post|story) "
    r"(?:about|on|for|of|regarding|concerning|that asks about|dealing with) (?P<topic>.+)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:the|my|our|your|this|that) (?:[a-z][a-z-]+ ){1,2}?"
    r"(?P<name>[A-Z\d]\S*(?: \S+){0,4}|\S+\.\w{2,4})"
)
_HEADS = frozenset({Kind.BUTTON, Kind.LINK, Kind.HEADING, Kind.TAB, Kind.TREE_ITEM, Kind.OPTION})
_WRITTEN = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL, Kind.LINK, Kind.OPTION, Kind.TREE_ITEM})


def topic_meant(desk: Desk, phrase: str) -> Match | None:
    """The one heading, link or part to open that has all the words that something is about."""
    said = _TOPIC.fullmatch(phrase.strip())
    words = {s for s in stems(said["topic"]) if s not in GRAMMAR} if said is not None else set()
    if said is None or not words or re.search(r"[\"“]", said["topic"]):
        return None
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None and not is_disabled(e)]
    heads = [e for e in shown if kind_of(e) in _HEADS or _folds(e) or _asks(e)]
    fitting = _outer([e for e in heads if words <= set(stems(written_on(e)))])
    if len(fitting) != 1 or fitting[0].box is None:
        return None
    return Match(fitting[0], 0.9, fitting[0].box.center, f"the one about {said['topic']}")


def called_behind_noun(desk: Desk, wish: Wish, want: Want) -> Match | None:
    """`the file march.pdf`: what is called so to the letter, once, behind the noun of its sort."""
    said = _NAMED.fullmatch(wish.phrase.strip())
    if said is None or want not in ("act", "read") or is_there(look_for(desk, wish, want=want)):
        return None
    name = fold(said["name"])
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None and not is_disabled(e)]
    called = [e for e in shown if kind_of(e) in _WRITTEN and fold(written_on(e)) == name]
    fitting = _outer(called)
    if len(fitting) != 1 or fitting[0].box is None:
        return None
    return Match(fitting[0], 0.9, fitting[0].box.center, f"the only {said['name']}")


def _folds(element: Element) -> bool:
    return bool({"expandable", "expanded"} & set(element.states))


def _asks(element: Element) -> bool:
    return kind_of(element) is Kind.TEXT and written_on(element).rstrip().endswith(("?", "？"))


def _outer(elements: list[Element]) -> list[Element]:
    """Each place once: what is told of a thing and of the text in it is one."""
    kept: list[Element] = []
    for element in elements:
        if not any(within(element.box, other.box) for other in kept):
            kept.append(element)
    return kept
