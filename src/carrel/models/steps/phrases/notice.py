"""The instruction itself, where the screen shows it: words to obey, not things to work on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.phrases.worded_notice import worded_notice
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["without_notice"]

FEWEST, SHORTEST = 3, 12
"""Words and letters: what is shorter may as well be a name of something."""
DEEPEST = 4
"""Elements in one another that a paragraph is made of."""
PIECES = 40
"""Parts that a shown instruction may be in: bold words, lines."""
SHARE = 0.6
"""How much of it must be there where a picture stands for some of its words."""
READ = 0.9
"""How alike it must be where it was read from the pixels."""
SLACK = 3
_KEPT = frozenset({Kind.WINDOW, Kind.PAGE, Kind.DIALOG})


def without_notice(elements: Sequence[Element], words: str) -> tuple[Element, ...]:
    """The elements but those that only repeat the words a person gave.

    Args:
        elements: What is on the screen; what holds others comes before them.
        words: The whole instruction.
    """
    wanted = _words(words)
    if (len(wanted) < FEWEST and not _is_unspaced(words)) or len("".join(wanted)) < SHORTEST:
        return tuple(elements)
    shown = _shown(elements, wanted) or worded_notice(elements, words)
    if not shown:
        return tuple(elements)
    part = around([e.box for e in shown if e.box is not None], SLACK)
    gone = {element.id for element in shown} | {e.id for e in elements if _is_part(e, part)}
    gone |= _emptied(elements, gone)
    return tuple(e for e in elements if e.id not in gone)


def _words(text: str) -> list[str]:
    return "".join(char if char.isalnum() else " " for char in text.casefold()).split()


def _is_unspaced(text: str) -> bool:
    return any("\u3400" <= char <= "\u9fff" for char in text)


def _shown(elements: Sequence[Element], wanted: list[str]) -> list[Element]:
    """The texts that say the instruction together."""
    leaves = _leaves(elements)
    if (together := _in_one_block(elements, leaves, wanted)) is not None:
        return together
    longest = 1.2 * sum(map(len, wanted)) + 8
    for first in range(len(leaves)):
        said: list[str] = []
        for last in range(first, min(len(leaves), first + PIECES)):
            said += _words(written_on(leaves[last]))
            if sum(map(len, said)) > longest:
                break
            read = any(e.source == "ocr" for e in leaves[first : last + 1])
            if _says(said, wanted, read=read):
                return leaves[first : last + 1]
    return []


def _in_one_block(
    elements: Sequence[Element], leaves: Sequence[Element], wanted: list[str]
) -> list[Element] | None:
    """The texts of one block that have exactly these words, in whatever order they are told.

    A piece that goes over two lines begins before the piece that stands before it in the sentence.
    """
    above = {element.id: element for element in elements}
    count, blocks = Counter("".join(wanted)), dict[str, list[Element]]()
    for leaf in leaves:
        at, depth = leaf.parent, 0
        while at is not None and depth < DEEPEST:
            blocks.setdefault(at, []).append(leaf)
            at, depth = above[at].parent if at in above else None, depth + 1
    for held in blocks.values():
        said = [word for leaf in held for word in _words(written_on(leaf))]
        if len(said) >= FEWEST and Counter("".join(said)) == count and set(said) & set(wanted):
            return held
    return None


def _says(said: list[str], wanted: list[str], *, read: bool) -> bool:
    # A screen that breaks a word in two still says the same letters.
    one, other = "".join(said), "".join(wanted)
    if one == other:
        return True
    if not said or said[0] != wanted[0] or abs(len(one) - len(other)) > (1 - SHARE) * len(other):
        return False
    if read and SequenceMatcher(None, one, other, autojunk=False).ratio() >= READ:
        return True
    return len(said) > FEWEST and said[-1] == wanted[-1] and _is_most(said, wanted)


def _is_most(said: list[str], wanted: list[str]) -> bool:
    """Whether the words come in the same order, and few are left out: a picture for a word."""
    left = iter(wanted)
    in_order = all(word in left for word in said)
    return in_order and sum(map(len, said)) >= SHARE * sum(map(len, wanted))


def _leaves(elements: Sequence[Element]) -> list[Element]:
    """Texts that are on no control and hold no other text, in their order."""
    above = {element.id: element for element in elements}
    holding = {e.parent for e in elements if _words(written_on(e))}
    return [
        e
        for e in elements
        if _words(written_on(e)) and e.id not in holding and not _on_control(e, above)
    ]


def _on_control(element: Element, above: dict[str, Element]) -> bool:
    at: Element | None = element
    for _ in range(len(above)):
        if at is None:
            return False
        if kind_of(at) in CONTROLS:
            return True
        at = above.get(at.parent or "")
    return False


def _is_part(element: Element, part: Box) -> bool:
    """Whether it stands within the shown instruction: a line of it as read, a picture in it."""
    box = element.box
    if box is None or kind_of(element) in CONTROLS | _KEPT:
        return False
    if element.source == "tree" and _words(written_on(element)):
        return False
    common = box.intersect(part)
    return common is not None and common.area >= 0.9 * box.area


def _emptied(elements: Sequence[Element], gone: set[str]) -> set[str]:
    """What held nothing else."""
    children: dict[str, list[str]] = {}
    for element in elements:
        children.setdefault(element.parent or "", []).append(element.id)
    emptied: set[str] = set()
    for element in reversed(elements):
        held = children.get(element.id, ())
        if kind_of(element) in _KEPT or element.id in gone or not held:
            continue
        if all(one in gone or one in emptied for one in held):
            emptied.add(element.id)
    return emptied
