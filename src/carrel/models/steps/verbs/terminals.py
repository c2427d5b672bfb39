"""Commands in the window of a terminal: typed where they are seen, and their output read there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from carrel.actions import FocusWindow, Key, Type
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.windowed import looked_into, only_window
from carrel.models.steps.phrases.programs import bare, kind_called
from carrel.models.steps.program import Open, SwitchTo
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.launching import open_
from carrel.models.steps.verbs.windows import switch
from carrel.perception.roles import Kind, kind_of

__all__ = ["is_terminal", "run_in_terminal"]

LOOKS = (0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 3.0)
"""Seconds between looks at whether the command has ended."""
ALIKE = 0.8
"""How like the prompt before it a line is that is the next prompt; the pixels are read."""
TELLING, ENOUGH = 5, 10
"""Letters of a prompt that no other text ends with by chance; and of its end alone."""
SLANT = 0.35
"""How far the middles of words of one line are apart, as a share of their height."""
LEAST = 8
"""Pixels from one line to the next."""
_PROMPT = ("$", "#", "%", ">")
_CURSOR = " ■█▮"
_TAKEN_FOR = str.maketrans("1I|!0", "llllO", "~\"'`^*-_.:;,™■█")
"""Signs of small letters that are read as one another, and such as are read as any or as none."""


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    y: int
    height: int = 0


def is_terminal(place: str | None) -> bool:
    """Whether a place is a terminal of the desktop."""
    kind = kind_called(place) if place is not None else None
    return kind is not None and kind.name == "terminal emulator"


def run_in_terminal(desk: Desk, place: str, command: str) -> Turns[str | None]:
    """Type a command into a terminal, one that is opened if there is none; what it printed.

    None where the window does not show that it has ended, or not all that it printed.
    """
    window = yield from looked_into(desk, place)
    if window is None:
        yield from open_(desk, Open(place))
        yield from switch(desk, SwitchTo(bare(place)))
    elif not window[0].focused:
        # Of several the one that was used last.
        yield from desk.do(FocusWindow(window[0].id), why=f"the window {window[0].title}")
    yield from _prompted(desk, place)
    yield from desk.do(Type(command), Key(("enter",)), why="type it there", last=True)
    yield from desk.effect()
    for pause in LOOKS:
        yield from desk.again(pause, why="whether it has ended")
        printed = _printed((yield from _lines(desk, place)), command)
        if printed is not None:
            # A single sign may not have been read: that there is nothing is not known.
            return "\n".join(printed) or None
    return None


def _prompted(desk: Desk, place: str) -> Turns[None]:
    """Wait until a terminal that has just come up asks for a command."""
    for pause in LOOKS[:4]:
        lines = yield from _lines(desk, place)
        if lines and lines[-1].text.rstrip(_CURSOR).endswith(_PROMPT):
            return
        yield from desk.again(pause, why="whether it asks for a command")


def _lines(desk: Desk, place: str) -> Turns[list[_Line]]:
    """What a terminal shows, from the top."""
    found = yield from looked_into(desk, place)
    if found is None:
        return []
    yield from desk.closer()
    with only_window(desk, *found):
        shown = desk.elements
    return _rows([e for e in shown if kind_of(e) is Kind.TEXT and e.box is not None])


def _rows(words: Sequence[Element]) -> list[_Line]:
    """Words that were read from the pixels, those beside one another in one line."""
    rows: list[list[Element]] = []
    for word in sorted(words, key=lambda e: e.box.center.y if e.box else 0):
        last = rows[-1][0] if rows else None
        if last is not None and _beside(last, word):
            rows[-1].append(word)
        else:
            rows.append([word])
    told = [sorted(row, key=lambda e: e.box.x if e.box else 0) for row in rows]
    return [
        _Line(
            " ".join(e.name or e.text for e in row).strip(), row[0].box.center.y, row[0].box.height
        )
        for row in told
        if row[0].box is not None
    ]


def _beside(one: Element, other: Element) -> bool:
    """Whether two words stand in one line; what is read of lines close together overlaps."""
    if one.box is None or other.box is None:
        return False
    apart = abs(one.box.center.y - other.box.center.y)
    aside = one.box.right <= other.box.x + 4 or other.box.right <= one.box.x + 4
    return aside and apart <= SLANT * min(one.box.height, other.box.height)


def _printed(lines: Sequence[_Line], command: str) -> list[str] | None:
    """The lines between the command and the prompt after it; None while there is no such one.

    None of them, where a line was not read.
    """
    asked = [n for n, line in enumerate(lines) if _begins(line.text, command) is not None]
    if not asked or asked[-1] == len(lines) - 1:
        return None
    first, last = lines[asked[-1]], lines[-1]
    before = _begins(first.text, command) or ""
    found = [line.text for line in lines[asked[-1] + 1 : -1]]
    if not _is_prompt(last.text, before):
        # Of what does not end its last line the prompt stands right behind it.
        rest = _before_prompt(last.text, before)
        if rest is None and _ends_alike(last.text, before):
            # The one before stood behind a text as well: where it begins is not known.
            return []
        return None if rest is None else [*found, rest]
    steps = sorted(b.y - a.y for a, b in pairwise(lines))
    # Where the middle of a line is, is not read exactly; but none is lower than its letters.
    high = sorted(line.height for line in lines)[(len(lines) - 1) // 2]
    pitch = max(steps[(len(steps) - 1) // 2], high, LEAST)
    return found if round((last.y - first.y) / pitch) - 1 <= len(found) else []


def _is_prompt(line: str, before: str) -> bool:
    """Whether a line is the prompt before a command again; the cursor may be read as a sign."""
    said, told = _folded(line), _folded(before)
    return len(said) - len(told) <= 1 and _likeness(said[: len(told)], told) >= ALIKE


def _before_prompt(line: str, before: str) -> str | None:
    """What stands in a line before the prompt that it ends with; None where it does not."""
    if len(before) < TELLING:
        return None
    for cursor in (0, 1):
        # The cursor may be read as a sign.
        shown = line.rstrip()[: len(line.rstrip()) - cursor]
        at, left = len(shown), len(before)
        while at and left:
            at -= 1
            left -= not shown[at].isspace()
        if shown[at:].endswith(_PROMPT) and _likeness(shown[at:], before) >= ALIKE:
            return shown[:at].rstrip() or None
    return None


def _ends_alike(line: str, before: str) -> bool:
    """Whether a line ends as the one before the command did: with a prompt."""
    said = "".join(line.split())
    ends = [text for text in (said, said[:-1]) if text.endswith(_PROMPT)]
    return len(before) >= ENOUGH and any(
        _likeness(text[-ENOUGH:], before[-ENOUGH:]) >= ALIKE for text in ends
    )


def _begins(line: str, command: str) -> str | None:
    """What stands before a command in its line; None where the line does not end with it."""
    one, wanted = "".join(line.split()), _folded(command)
    ways = (
        (_likeness(one[at:], wanted), at)
        for at in range(1, len(one))
        if one[:at].endswith(_PROMPT) and len(_folded(one[at:])) <= len(wanted) + 1
    )
    likeness, at = max(ways, default=(0.0, 0))
    return one[:at] if likeness >= ALIKE else None


def _folded(text: str) -> str:
    """As texts are compared that were read: what small letters are taken for is one."""
    return "".join(text.split()).translate(_TAKEN_FOR)


def _likeness(one: str, other: str) -> float:
    left, right = _folded(one), _folded(other)
    return SequenceMatcher(None, left, right, autojunk=False).ratio()
