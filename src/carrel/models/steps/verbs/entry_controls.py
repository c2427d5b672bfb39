"""The control for a verb in the entry that is meant: `withdraw the Budget article`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.finding.wishes import is_there, look_for, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.runs import Run, run_of
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.models.steps.shown.entries import entry_of
from carrel.models.steps.shown.laid_out import goes_with
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = [
    "control_around",
    "control_following",
    "control_in_entry",
    "control_in_line",
    "control_in_row",
    "control_in_run",
    "part_of_run",
    "sign_around",
]

_PRESSED = (Kind.BUTTON, Kind.LINK, Kind.TEXT)
HIGH = 220
"""Pixels that an entry or a card may be high."""
_SIGNS = frozenset({Kind.TEXT, Kind.BUTTON, Kind.LINK, Kind.ICON})
LONG = 3
"""Words of a quoted text that may be a part of what an entry says."""
ALIKE = 3
"""Pixels by which the letters of names may differ that are made alike."""
INDENT, WIDE = 24, 400
"""Pixels that a card begins before its name, and reaches behind it where none is beside it."""
_SMALL = re.compile(
    r"the|an?|my|your|our|this|that|these|those|of|for|from|to|in|on|at|with|by|and|which|who|whose|"
    r"is|are|was|starts?|starting|begins?|beginning|ends?|ending|called|named|titled|ones?"
)


def control_in_entry(desk: Desk, verb: str, what: str) -> Element | None:
    """The one control for a verb whose entry says what tells the thing from others.

    None where the thing has a name of its own on the screen, no entry says it, or several do.
    """
    words = _telling(what)
    controls = [e for e in controls_for(desk, verb) if kind_of(e) in _PRESSED]
    if not words or not controls or is_there(look_for(desk, wished(what), want="read")):
        return None
    tree = Lineage(desk.elements)
    fitting = [e for e in controls if words <= _said_beside(e, controls, tree)]
    fitting = fitting or [e for e in controls if words <= _said_with(desk, e, controls)]
    return fitting[0] if len(fitting) == 1 else None


def _said_with(desk: Desk, control: Element, controls: Sequence[Element]) -> set[str]:
    """What is written where a page repeats itself, and goes with one of several like controls."""
    own = {e.id for e in controls}
    texts = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) in (Kind.TEXT, Kind.HEADING) and e.id not in own and e.box is not None
    ]
    with_it = [e for e in texts if goes_with(desk, e.box, controls) is control]
    return _words(" ".join(map(written_on, with_it)))


def control_around(desk: Desk, verb: str) -> Element | None:
    """The one control for a verb in the innermost card or entry that the work is in."""
    controls = [e for e in controls_for(desk, verb) if kind_of(e) in (Kind.BUTTON, Kind.LINK)]
    at = [e for e in desk.elements if e.box is not None and e.box == desk.worked]
    tree = Lineage(desk.elements)
    for holder in (at[-1], *tree.above(at[-1])) if at and len(controls) > 1 else ():
        if holder.box is None or holder.box.height > HIGH or kind_of(holder) is Kind.PAGE:
            return None
        held = {e.id for e in tree.below(holder)}
        inside = [e for e in controls if e.id in held]
        if inside:
            return inside[0] if len(inside) == 1 else None
    return None


def control_in_run(desk: Desk, verb: str, what: str) -> Element | None:
    """The one control for a verb in the entry that says what is meant, where nothing holds it.

    A name that is quoted has to stand there by itself, or be more than a word or two of it.
    """
    controls = controls_for(desk, verb) or _drawn(desk, verb)
    runs = [(e, run) for e in controls if (run := run_of(desk.elements, e)) is not None]
    if not runs or len(runs) < len(controls):
        return None
    tree = lineage_of(tuple(desk.elements))
    said = [(e, _said_in(run, controls, tree)) for e, run in runs]
    for fits in _ways_to_tell(what):
        fitting = [e for e, texts in said if fits(texts)]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None


def _drawn(desk: Desk, verb: str) -> list[Element]:
    """The signs that stand for a verb without words, where one stands in each entry."""
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    drawn = _DRAWN_FOR.get(verb, "")
    signs = [e for e in shown if kind_of(e) in _SIGNS and _is_sign(e, drawn)]
    return [e for e in signs if run_of(desk.elements, e) is not None]


def part_of_run(desk: Desk, control: Element, kinds: Sequence[Kind]) -> Element | None:
    """The only part of some kinds in the entry of a control."""
    run = run_of(desk.elements, control) or ()
    tree = lineage_of(tuple(desk.elements))
    held = [e for part in run for e in (part, *tree.below(part)) if kind_of(e) in kinds]
    return held[0] if len(held) == 1 else None


def _said_in(run: Run, controls: Sequence[Element], tree: Lineage) -> list[str]:
    """Each text of an entry, without what its controls are called."""
    own = {x.id for e in controls for x in (e, *tree.below(e))}
    held = [e for part in run for e in (part, *tree.below(part)) if e.id not in own]
    return [text for e in held if kind_of(e) is not Kind.BUTTON and (text := written_on(e))]


def _ways_to_tell(what: str) -> Iterator[Callable[[list[str]], bool]]:
    """How an entry may say what is meant, the surest way first."""
    quoted = [_plain(text) for text in re.findall(r"[\"“]([^\"”]+)[\"”]", what)]
    if quoted:
        yield lambda texts: set(quoted) <= set(map(_plain, texts))
        if all(len(text.split()) >= LONG for text in quoted):
            yield lambda texts: all(any(q in _plain(t) for t in texts) for q in quoted)
        return
    named = _telling(what)
    bare = _plain(re.sub(r"^(?:the|an?|my|your)\s+", "", what, flags=re.IGNORECASE))
    yield lambda texts: bare in map(_plain, texts)
    for words in (named, _later_words(what)):
        if words:
            yield partial(_say_all, words=words)
    if named:
        # Of several of them a person speaks in the plural.
        meant = {stem(word) for word in named}
        yield lambda texts: meant <= set(stems(" ".join(texts)))


def _say_all(texts: Sequence[str], words: set[str]) -> bool:
    return words <= _words(" ".join(texts))


def _plain(text: str) -> str:
    """A text without the signs at its ends."""
    return re.sub(r"^\W+|\W+$", "", fold(text))


def _later_words(what: str) -> set[str]:
    """What follows the word for a sort of thing, where nothing looks like a name."""
    plain = [word for word in re.findall(r"[\w-]+", what.casefold()) if not _SMALL.fullmatch(word)]
    return set(plain[1:]) if not re.search(r"[A-Z\d\"“]", what) else set()


def control_in_row(desk: Desk, verb: str, what: str) -> Element | None:
    """The one control for a verb in a row or item in which just what is meant is written.

    It may be written elsewhere, too: a shop names a thing in its list and again in the basket.
    """
    bare = _plain(re.sub(r"^(?:the|an?|my|your)\s+", "", what, flags=re.IGNORECASE))
    controls = [e for e in controls_for(desk, verb) if kind_of(e) in (Kind.BUTTON, Kind.LINK)]
    tree = lineage_of(tuple(desk.elements))
    rows = [(e, entry_of(desk.elements, e)) for e in controls]
    fitting = [
        e
        for e, row in rows
        if row is not None and row.id != e.id
        if any(_plain(written_on(part)) == bare for part in tree.below(row))
    ]
    return fitting[0] if bare and len(fitting) == 1 else None


def control_in_line(desk: Desk, verb: str) -> Element | None:
    """The one control for a verb in the line of what the work is about."""
    at = desk.worked
    controls = [e for e in controls_for(desk, verb) if kind_of(e) in (Kind.BUTTON, Kind.LINK)]
    if at is None or len(controls) < 2:
        return None
    line = [e for e in controls if e.box and abs(e.box.center.y - at.center.y) <= at.height // 2]
    return line[0] if len(line) == 1 else None


def control_following(desk: Desk, verb: str) -> Element | None:
    """The one control for a verb under what the work is about, and under nothing else like it.

    Cards that no application tells of are still told by where they are: name, price, button.
    """
    controls = [e for e in controls_for(desk, verb) if kind_of(e) in (Kind.BUTTON, Kind.LINK)]
    tree = Lineage(desk.elements)
    at = [e for e in desk.elements if e.box is not None and e.box == desk.worked]
    if len(controls) < 2 or not at:
        return None
    name = next((e for e in (at[0], *tree.above(at[0])) if kind_of(e) is Kind.HEADING), at[0])
    names = [e for e in desk.elements if _is_like(e, name)]
    if len(names) < 2:
        return None
    own = [e for e in controls if _heading_of(e, names) is name]
    return own[0] if len(own) == 1 else None


def _heading_of(control: Element, names: Sequence[Element]) -> Element | None:
    """The last of the names over a control, in the column that it begins."""
    at = control.box
    over = [e for e in names if at is not None and e.box and _is_over(e.box, at, names)]
    return max(over, key=lambda e: e.box.y if e.box else 0, default=None)


def _is_over(name: Box, control: Box, names: Sequence[Element]) -> bool:
    line = [e.box.x for e in names if e.box and abs(e.box.y - name.y) <= ALIKE]
    right = min((x for x in line if x > name.x), default=name.x + WIDE)
    below = -ALIKE <= control.y - name.y <= HIGH
    return below and name.x - INDENT <= control.center.x < right


def _is_like(element: Element, name: Element) -> bool:
    """Whether it is another name of the same making."""
    if (element.role, element.parent) != (name.role, name.parent) or not written_on(element):
        return False
    if element.box is None or name.box is None:
        return False
    return abs(element.box.height - name.box.height) <= ALIKE


_DRAWN_FOR = {
    "delete": "×✕✖✗✘⨯╳❌🗑",
    "remove": "×✕✖✗✘⨯╳❌🗑",
    "star": "☆✩",
    "favorite": "☆✩♡🤍",
    "like": "♡🤍👍❤♥",
    "edit": "✎✏🖉🖊",
}
"""What a button says without words, in the line of the entry that it is about."""


def sign_around(desk: Desk, verb: str) -> Element | None:
    """The one button in the line that the work is in which has but the sign for a verb on it."""
    at = [e for e in desk.elements if e.box is not None and e.box == desk.worked]
    tree = Lineage(desk.elements)
    for holder in (at[-1], *tree.above(at[-1])) if at and verb in _DRAWN_FOR else ():
        if holder.box is None or holder.box.height > HIGH or kind_of(holder) is Kind.PAGE:
            return None
        held = [e for e in tree.below(holder) if kind_of(e) in _SIGNS]
        buttons = [e for e in held if kind_of(e) in (Kind.BUTTON, Kind.LINK)]
        signs = [e for e in buttons or held if _is_sign(e, _DRAWN_FOR[verb])]
        if signs:
            return signs[0] if len(signs) == 1 and not is_disabled(signs[0]) else None
    return None


def _is_sign(element: Element, signs: str) -> bool:
    # How often it was done may stand behind it.
    said = re.sub(
        r"\s*\(?\d[\d.,]*[kKmM]?\)?$", "", written_on(element).replace("\ufe0f", "")
    ).strip()
    return element.box is not None and len(said) == 1 and said in signs


def _telling(what: str) -> set[str]:
    """Names, numbers and quoted words; where there are none, all that are no small words."""
    quoted = re.findall(r"[\"“]([^\"”]+)[\"”]", what)
    if quoted:
        return _words(" ".join(quoted))
    named = re.findall(r"(?<!\S)(?:[A-Z]\S*|\S*\d\S*)", what)
    if named:
        return _words(" ".join(named))
    plain = [word for word in re.findall(r"[\w-]+", what.casefold()) if not _SMALL.fullmatch(word)]
    # The last one says what sort of thing it is, which no entry repeats.
    return set(plain[:-1])


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", re.sub(r"['’]s\b", "", text).casefold()))


def _said_beside(control: Element, controls: Sequence[Element], tree: Lineage) -> set[str]:
    """What the innermost entry around a control says that says more than the controls do."""
    own = {x.id for e in controls for x in (e, *tree.below(e))}
    others = {e.id for e in controls if e.id != control.id}
    for holder in tree.above(control):
        if holder.box is None or holder.box.height > HIGH or kind_of(holder) is Kind.PAGE:
            return set()
        held = tree.below(holder)
        if others & {e.id for e in held}:
            return set()
        said = [written_on(e) for e in held if e.id not in own and kind_of(e) is not Kind.BUTTON]
        if any(said):
            return _words(" ".join((holder.name, *said)))
    return set()
