"""Fields that are called by a part of their names: "the message box" for `Message #general`.

A label says more than people do: what the field is of, in which form, for whom. Where no field is
called as a phrase says, the one whose label begins with its words is meant, or has nothing before
them but words that anybody leaves out. Where two begin so, none is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.phrases.small_words import GRAMMAR
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.perception._names import words_of
from carrel.perception.find import Match
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["by_part_of_name"]

SURE = 0.78
"""How sure it is of a field that alone is called so in part."""
_TAKES = frozenset({Kind.FIELD, Kind.AREA, Kind.COMBO, Kind.SPINNER, Kind.SLIDER, Kind.PASSWORD})
_LEFT_OUT = frozenset(
    {
        *("your", "my", "the", "our", "a", "an", "full", "new", "enter", "type", "write", "choose"),
        *("select", "please", "add", "contact", "customer", "set", "in"),
    }
)
"""Words before a name that say nothing of which field it is."""
_OF = re.compile(r"(?P<name>.+?)\s+(?:of|for)\s+(?:the|this|my|your|it)\b.*", re.IGNORECASE)
_KIND = re.compile(
    r"\s+(?:field|box|input(?: field| box)?|area|text ?(?:box|field|area)|entry|drop-?down)$",
    re.IGNORECASE,
)
_TELLS_MORE = re.compile(
    r"[\"“«「]|\b(?:next to|beside|below|above|under|left|right|row|column|first|second|third|last|"
    r"\d+(?:st|nd|rd|th))\b|第|[旁左右]",
    re.IGNORECASE,
)
"""Words that tell which of several it is."""
_LEAD = re.compile(r"^(?:the|an?|my|your|its|new)\s+", re.IGNORECASE)


def by_part_of_name(elements: Sequence[Element], phrase: str) -> Match | None:
    """The one field whose label begins with what it is called; None where none or several do."""
    fields = [e for e in elements if _takes(e)]
    if _TELLS_MORE.search(phrase):
        return _by_question(fields, phrase, elements)
    for name, whole in _names(phrase):
        called = [e for e in fields if _begins(name, _labels(e, elements), whole=whole)]
        if len(called) == 1 and called[0].box is not None:
            return Match(called[0], SURE, called[0].box.center, f"its label begins with {name!r}")
        if called:
            return None
    return _by_question(fields, phrase, elements)


_ASKS = re.compile(
    r"(?:what|which|when|where|who|whose|how|do|does|did|is|are|was|were|have|has|had|will|would|"
    r"can|could|should|please|tell|in|on|at|for|to|from)\b.*",
    re.IGNORECASE,
)
"""How a question begins that a page asks over a field."""


def _by_question(
    fields: Sequence[Element], phrase: str, elements: Sequence[Element]
) -> Match | None:
    """The one field over which a question is asked that has all the words of a phrase.

    "The last visited location" answers "What was the last location you visited?". Where another
    question has as many of them, none is meant.
    """
    name = _KIND.sub("", _LEAD.sub("", phrase.strip()))
    wanted = frozenset(stems(name)) - frozenset(map(stem, GRAMMAR))
    asked = [(e, max(_answers(t, wanted) for t in _labels(e, elements))) for e in fields]
    best = [e for e, count in asked if count == len(wanted) > 0]
    if len(best) != 1 or best[0].box is None:
        return None
    return Match(best[0], SURE, best[0].box.center, f"it asks for {name!r}")


def _answers(label: str, wanted: frozenset[str]) -> int:
    """How many of the words a question says; none where it is no question."""
    text = label.strip().rstrip("*: ")
    if not (text.endswith("?") and _ASKS.fullmatch(text)):
        return 0
    return len(wanted & frozenset(stems(text)))


def _takes(element: Element) -> bool:
    settable = is_field(element) or kind_of(element) in _TAKES
    return settable and element.box is not None and not is_disabled(element)


def _names(phrase: str) -> list[tuple[str, bool]]:
    """What it may be called, and whether its label may say no more than that.

    What is called just so was looked for already, and is not the only one, or not meant; but of
    "the title of the note" the title alone was not.
    """
    name = _KIND.sub("", _LEAD.sub("", _LEAD.sub("", phrase.strip())))
    of = _OF.fullmatch(name)
    return [(name, False), *([(of["name"], True)] if of else [])] if name else []


def _labels(element: Element, elements: Sequence[Element]) -> list[str]:
    label = label_of(element, elements)
    return [written_on(element), element.hint, written_on(label) if label is not None else ""]


def _begins(name: str, labels: Sequence[str], *, whole: bool) -> bool:
    wanted = words_of(name)
    for label in labels:
        words = list(words_of(label))
        while words and words[0] in _LEFT_OUT:
            del words[0]
        if wanted and tuple(words[: len(wanted)]) == wanted:
            return whole or len(words) > len(wanted)
    return False
