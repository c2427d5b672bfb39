"""Fields that are called by a part of their names: "the message box" for `Message #general`.

A label says more than people do: what the field is of, in which form, for whom. Where no field is
called as a phrase says, the one whose label begins with its words is meant, or has nothing before
them but words that anybody leaves out. Where two begin so, none is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
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
    if _TELLS_MORE.search(phrase):
        return None
    fields = [e for e in elements if _takes(e)]
    for name, whole in _names(phrase):
        called = [e for e in fields if _begins(name, _labels(e, elements), whole=whole)]
        if len(called) == 1 and called[0].box is not None:
            return Match(called[0], SURE, called[0].box.center, f"its label begins with {name!r}")
        if called:
            return None
    return None


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
