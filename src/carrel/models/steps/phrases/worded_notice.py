"""The instruction in other words, where a page begins with it: words to obey, not to work on.

An exercise, a survey or a tutorial tells on top what is to be done there. Whoever asks for it puts
it in words of their own, and the names that both say stand in the page twice. The text on top is no
thing to work on then: it begins as an instruction does, names nothing that was not said, and
shares enough with what was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.phrases.stemming import stems
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["worded_notice"]

FEWEST, MOST = 5, 70
"""Words of such a text."""
LONGER = 2
"""Times that an order may be as long as what was asked for."""
SHARED = 0.3
"""How much of it was said, too."""
DEEPEST = 4
"""Elements in one another that a paragraph is made of."""
_KEPT = CONTROLS | {Kind.HEADING, Kind.ROW, Kind.OPTION, Kind.TREE_ITEM, Kind.CELL, Kind.LINK}


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SMALL = _listed(
    "the a an to of in on at by with from for into onto and or then it its is are be that this "
    "them "
    "they as so you your me my i"
)
_ORDERS = re.compile(
    r"(?:please\s+|now\s+|kindly\s+)?(?:add|answer|arrange|book|buy|change|check|choose|click|"
    r"close|"
    r"copy|count|create|delete|drag|draw|enter|fill|find|focus|follow|forward|generate|give|go|"
    r"highlight|hold|hover|identify|keep|locate|look|make|mark|move|navigate|open|order|paste|pick|"
    r"place|play|press|put|read|remove|reply|resize|scroll|search|select|send|set|share|"
    r"solve|sort|submit|switch|tap|tick|type|use|what|which|how|who|where|write)\b",
    re.IGNORECASE,
)
_AFTER_PLACE = re.compile(r"(?:for|in|on|at|under|from)\s[^,]+,\s+", re.IGNORECASE)
_NAMED = re.compile(r"(?<=[\w,;:)] )[A-Z][\w'’-]*|\d[\w.,:/-]*|[\"“][^\"”]+[\"”]")


_ONES = {
    word: str(number)
    for words in (
        "one two three four five six seven eight nine ten",
        "first second third fourth fifth sixth seventh eighth ninth tenth",
    )
    for number, word in enumerate(words.split(), 1)
}


def worded_notice(elements: Sequence[Element], words: str) -> list[Element]:
    """The texts that a page begins with, where these ask for what was asked for.

    Args:
        elements: What is on the screen; what holds others comes before them.
        words: The whole instruction.
    """
    tree = lineage_of(tuple(elements))
    first = _first_text(tree)
    if first is None:
        return []
    held = (_texts(tree, holder) for holder in tree.above(first)[:DEEPEST])
    # The paragraph that it is in, before what holds more: that may be what the order is about.
    blocks = [*held, [first]]
    return next((b for b in blocks if b and _asks_for(_said(b), words)), [])


def _first_text(tree: Lineage) -> Element | None:
    """The text that stands highest in the page."""
    pages = [e for e in tree.elements if kind_of(e) is Kind.PAGE]
    texts = [e for page in pages for e in tree.below(page) if e.box is not None and _is_text(e)]
    # What was scrolled away stands higher up than what is seen.
    seen = [e for e in texts if "showing" in e.states]
    return min(seen or texts, key=_reads_at, default=None)


def _is_text(element: Element) -> bool:
    return bool(written_on(element).strip()) and kind_of(element) is not Kind.PAGE


def _texts(tree: Lineage, holder: Element) -> list[Element]:
    """What a part says; nothing where it holds more than mere texts."""
    held = tree.below(holder)
    if kind_of(holder) is Kind.PAGE or any(kind_of(e) in _KEPT for e in (holder, *held)):
        return []
    return sorted(filter(_is_text, (holder, *held)), key=_reads_at)


def _reads_at(element: Element) -> tuple[int, int, int]:
    """Where a piece of a text stands in it: one that goes over several lines ends the first."""
    box = element.box
    return (box.y, box.height, box.x) if box is not None else (0, 0, 0)


def _said(block: Sequence[Element]) -> str:
    parts = [" ".join(written_on(e).split()) for e in block]
    # What holds others may say all of them once more.
    return max(parts, key=len) if len(parts) > 1 and _is_all(parts) else " ".join(parts)


def _is_all(parts: Sequence[str]) -> bool:
    longest = max(parts, key=len)
    return all(part in longest for part in parts)


def _in_figures(text: str) -> str:
    """A text with its numbers in figures: `2nd` and "second" say the same."""
    spelled = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text)
    return re.sub(r"[a-z]+", lambda m: _ONES.get(m[0].lower(), m[0]), spelled, flags=re.IGNORECASE)


def _asks_for(text: str, words: str) -> bool:
    text, words = _in_figures(text), _in_figures(words)
    told = text.split()
    # Much more than was asked for is not only the order, but what it is about.
    most = min(MOST, LONGER * len(words.split()) + FEWEST)
    if not FEWEST <= len(told) <= most or fold(text).rstrip(".") in fold(words):
        return False
    wanted = frozenset(stems(words))
    names = [stem for name in _NAMED.findall(text) for stem in stems(name)]
    if not all(name in wanted for name in names):
        return False
    own = frozenset(stems(text)) - _SMALL
    shared = own & wanted
    orders = _ORDERS.match(
        _AFTER_PLACE.sub("", text, count=1) if _AFTER_PLACE.match(text) else text
    ) is not None or (len(names) > 1 and text.endswith("."))
    return orders and len(shared) >= (2 if names else max(2, SHARED * len(own)))
