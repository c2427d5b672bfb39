"""Selecting text with the pointer, and changing how it looks."""

from __future__ import annotations

import re

from carrel.actions import Action, Click, Drag, Key
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.claims.sheets import go_to_cell, meant_range
from carrel.models.steps.desk import UNCHANGED, Desk, within
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.program import Change, Highlight
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.reaching.passages import passage
from carrel.models.steps.shown.reading import content_of, fold
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.dragging import drag_path
from carrel.models.steps.verbs.filing import select_file
from carrel.models.steps.verbs.pointing import named, repeated
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = ["change", "highlight", "is_written_part"]

SECONDS = 0.35
LINE = 18
"""Pixels of a line of text, roughly: where its first and its last are."""

WORDS = 3
"""Words beside a word from which on it is one of a sentence."""


_ALL = re.compile(
    r"(?:everything|all(?: of)?(?: the| its)?(?: text| words| content)?|the (?:whole|entire|full) "
    r"(?:text|document|content)|(?:全部|所有|整个)的?(?:文字|文本|内容|文档)?|全文|文本|文字)",
    re.IGNORECASE,
)
_NOUN = re.compile(r"^(?:the )?(?:text|words?|passage|phrase|string)\s+", re.IGNORECASE)
_PART = re.compile(
    r"(?:the )?(?:text|words?|passage|phrase|string)? ?(?P<words>\"[^\"]+\"|“[^”]+”|\w+) "
    r"(?:in|inside|within|of|from) (?P<place>(?:the|this|that|my|its) \S.*)",
    re.IGNORECASE,
)
"""A part of what is written somewhere."""
_WRITING = re.compile(
    r"(?:the|this|that|my|its) (?:(?:rich |plain )?text|(?:text |rich text )?editor|document|note|"
    r"article|message|body|letter|page|story|post|comment|draft|editing area|text ?area)"
    r"(?: (?:text|body|editor|area|content))?",
    re.IGNORECASE,
)
"""Words for whatever is written in."""
_QUOTES = " \"'“”"
_STYLES = {
    r"\bbold": "bold",
    r"\bitali": "italic",
    r"\bunderlin": "underline",
    r"\b(?:strike|struck)": "strike",
    r"\bsuperscript": "superscript",
    r"\bsubscript": "subscript",
}


def highlight(desk: Desk, step: Highlight) -> Turns[str | None]:
    """Select text; what was seen to be selected before need not be seen to change again."""
    again, before = desk.highlighted == step.what, list(desk.doubts)
    told = yield from _highlight(desk, step)
    if again and UNCHANGED not in before:
        desk.doubts[:] = [why for why in desk.doubts if why != UNCHANGED]
    desk.highlighted = "" if UNCHANGED in desk.doubts else step.what
    return told


def _highlight(desk: Desk, step: Highlight) -> Turns[str | None]:
    if (yield from _select_typed(desk, step.what)):
        return None
    if (cells := meant_range(desk, step.what)) is not None:
        yield from go_to_cell(desk, cells)
        return None
    if _ALL.fullmatch(step.what.strip()):
        yield from desk.do(Key(("ctrl", "a")), why="all, where the keyboard is", last=True)
        yield from desk.effect()
        return None
    if (yield from select_file(desk, step.what)) is not None:
        return None
    found = _passage(desk, step.what)
    if found is None:
        found = (yield from passage(desk, step.what)).element
    box = found.box
    if box is None:
        raise Missed(f"{named(found)} does not say where it is")
    desk.worked = box
    if is_field(found) and "multi line" not in found.states:
        at = box.center
        yield from desk.do(Click(at.x, at.y, count=3), why=f"select in {named(found)}", last=True)
        yield from desk.effect()
        return None
    if is_field(found):
        # What of it is out of sight belongs to it as well.
        at = box.center
        keys = (Click(at.x, at.y), Key(("ctrl", "a")))
        yield from desk.do(*keys, why=f"select all in {named(found)}", last=True)
        yield from desk.effect()
        return None
    path = drag_path(*_ends(box))
    yield from desk.do(Drag(path, seconds=SECONDS), why=f"select {named(found)}", last=True)
    if not desk.changed:
        raise Missed(f"nothing was selected when the pointer went over {named(found)}")
    return None


def _select_typed(desk: Desk, phrase: str) -> Turns[bool]:
    """Select in an editor with the keyboard, all or the words; whether there is such a one."""
    editors = [e for e in _editors(desk) if content_of(e, desk.elements)]
    everything = _ALL.fullmatch(phrase.strip()) is not None
    part, place = _part_said(phrase)
    if place:
        editors = _in_place(desk, editors, place)
    words = re.sub(_NOUN, "", part).strip(" \"'“”")
    holding = (
        editors
        if everything
        else [e for e in editors if _told(words, content_of(e, desk.elements))]
    )
    keyed = [e for e in holding if "focused" in e.states]
    holding = keyed if everything and len(keyed) == 1 else holding
    if len(holding) != 1 or holding[0].box is None or not words:
        return False
    box, text = holding[0].box, content_of(holding[0], desk.elements)
    found = _told(words, text)
    if not everything and (len(found) != 1 or text == words):
        if place and len(found) > 1:
            raise Missed(f"{words!r} stands {len(found)} times in {named(holding[0])}")
        # More than once, or no part of it: the pointer can tell which.
        return False
    at = box.center
    desk.worked = box
    keys: tuple[Action, ...] = (Key(("ctrl", "a")),)
    if not everything:
        keys = (*repeated(("right",), found[0]), *repeated(("shift", "right"), len(words)))
        keys = (Key(("ctrl", "home")), *keys)
    why = f"select {'all' if everything else words!r} in {named(holding[0])}"
    yield from desk.do(Click(at.x, at.y), *keys, why=why, last=True)
    yield from desk.effect()
    return True


def _part_said(phrase: str) -> tuple[str, str]:
    """The words that are meant, and what they stand in, where that is said behind them."""
    said = _PART.fullmatch(phrase.strip())
    return (said["words"], said["place"]) if said else (phrase.strip(), "")


def is_written_part(desk: Desk, phrase: str) -> bool:
    """Whether words are meant that stand in what can be written in, and no option of that name."""
    words, place = _part_said(phrase)
    if not place or not _WRITING.fullmatch(place.strip()):
        return False
    bare = re.sub(_NOUN, "", words).strip(" \"'“”")
    return any(_told(bare, content_of(e, desk.elements)) for e in _editors(desk))


def _told(words: str, text: str) -> list[int]:
    """Where words stand in a text as words of their own; else wherever they stand."""
    if not words:
        return []
    whole = rf"(?<!\w){re.escape(words)}(?!\w)"
    found = (
        re.finditer(whole, text) if re.search(whole, text) else re.finditer(re.escape(words), text)
    )
    return [one.start() for one in found]


def _in_place(desk: Desk, editors: list[Element], place: str) -> list[Element]:
    """The editors that are the text, the document or the field that was said."""
    if _WRITING.fullmatch(place.strip()):
        return editors
    match = resolve(desk, look_for(desk, wished(place, (Kind.FIELD,)), want="type"))
    box = match.element.box if match is not None else None
    return [e for e in editors if match and (e.id == match.element.id or within(e.box, box))]


def _editors(desk: Desk) -> list[Element]:
    """What can be written in, each as a whole."""
    page = part_meant(desk.elements, "")
    writable = {e.id for e in page if "editable" in e.states}
    return [e for e in page if e.id in writable and e.parent not in writable]


def _ends(box: Box) -> tuple[Point, Point]:
    line = min(box.height, LINE)
    return (
        Point(box.x + 1, box.y + line // 2),
        Point(max(box.right, box.x + 2), max(box.bottom - line // 2, box.y + line // 2)),
    )


def _passage(desk: Desk, phrase: str) -> Element | None:
    """The text that says exactly these words."""
    words = fold(re.sub(_NOUN, "", phrase.strip(_QUOTES)).strip(_QUOTES))
    said = [
        e
        for e in part_meant(desk.elements, phrase)
        if e.box is not None
        and words
        and fold((e.name or e.value or e.text).strip(_QUOTES)) == words
    ]
    return min(said, key=lambda e: e.box.area if e.box else 0) if said else None


def change(desk: Desk, step: Change) -> Turns[str | None]:
    """Change the look of a passage with the editor's own control for it."""
    yield from highlight(desk, Highlight(step.what))
    style = _control_of(step.into)
    match = resolve(desk, look_for(desk, wished(f"the {style} button"))) or (
        yield from ground(desk, style)
    )
    if kind_of(match.element) is Kind.TEXT and _is_in_sentence(desk, match.element):
        # A word of some text is nothing that changes another.
        raise Missed(f"no control for {step.into!r}; {named(match.element)} is a word of a text")
    why = f"{named(match.element)}, {match.why}"
    yield from desk.do(Click(match.point.x, match.point.y), why=why, last=True)
    yield from desk.effect()
    return None


def _is_in_sentence(desk: Desk, element: Element) -> bool:
    """Whether other words stand in the same line of the same part, with no control among them."""
    beside = [e for e in desk.elements if e.parent == element.parent and e.id != element.id]
    said = " ".join(e.name for e in beside if kind_of(e) is Kind.TEXT)
    return len(said.split()) >= WORDS and all(kind_of(e) is Kind.TEXT for e in beside)


def _control_of(style: str) -> str:
    """What the control for a style is called."""
    for words, name in _STYLES.items():
        if re.search(words, style, re.IGNORECASE):
            return name
    return style
