"""What an entry of a list has for a verb: its own control, its stars, what opens it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.entries import Entry, told_of
from carrel.models.steps.finding.controls import controls_for, counts
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.phrases.small_words import GRAMMAR, KINDS
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import TICKED, Kind, is_disabled, is_field, kind_of

__all__ = [
    "OPENS",
    "called_in",
    "control_in",
    "fields_in",
    "now_at",
    "opener_of",
    "seen_in",
    "stars_in",
]

_PICKS = ("select", "choose", "pick", "take")
_BUYS = ("buy", "purchase", "order", "get")
_ALIKE: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("play", "start", "listen", "listen to", "watch"), ("play", "start", "watch")),
    **dict.fromkeys(_BUYS, (*_BUYS, *_PICKS)),
    **dict.fromkeys(("book", "reserve"), ("book", "reserve", *_PICKS)),
    **dict.fromkeys(("rent", "borrow", "hire"), _PICKS),
    **dict.fromkeys(_PICKS, _PICKS),
    **dict.fromkeys(("apply", "apply for", "enrol", "enroll", "register", "join", "sign up"),
                    ("apply", "enrol", "enroll", "register", "join", "sign up")),
    **dict.fromkeys(("save", "bookmark", "favorite", "favourite"), ("save", "bookmark")),
}  # fmt: skip
"""What a page may call a deed for which a person has a narrower verb."""
OPENS = frozenset(
    {"open", "view", "show", "see", "read", "find", "look up", "go to", "check out", "visit"}
)
_OPENER = re.compile(
    r"\W*(?:open|view|show|see|read|details?|more|read more|learn more|show more|view details|"
    r"more info|打开|查看|详情)\W*",
    re.IGNORECASE,
)
_DRAWN = {"play": "▶►⏵▷", "delete": "×✕✖✗🗑", "remove": "×✕✖✗🗑", "edit": "✎✏🖉🖊", "like": "♡♥👍❤",
          "save": "♡♥☆★🔖", "star": "☆★", "reply": "↩", "download": "⬇↓", "add": "+＋"}  # fmt: skip
_STAR = re.compile(r"[☆★✩✭⭐]\ufe0f?")
FEWEST = 3
"""Stars that a row has at least."""
_PRESSED = frozenset({Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.IMAGE, Kind.MENU_ITEM})
_HOLDS = ("frame", "document web")
_WORDED = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL})


@contextmanager
def seen_in(desk: Desk, entry: Entry) -> Iterator[None]:
    """See only what is in an entry, and what comes up while one works in it."""
    outer, inside = desk.scope, {_key(e) for e in entry.held}
    known = {_key(e) for e in desk.elements} - inside

    def scope(elements: tuple[Element, ...]) -> tuple[Element, ...]:
        listed = elements if outer is None else outer(elements)
        return tuple(e for e in listed if _key(e) not in known or e.role in _HOLDS)

    desk.scope = scope
    try:
        yield
    finally:
        desk.scope = outer


def _key(element: Element) -> tuple[object, ...]:
    return (element.role, written_on(element), element.box)


def control_in(desk: Desk, entry: Entry, verb: str, part: str = "") -> Element | None:
    """The one control for a verb in an entry; None where it has none, or several.

    Args:
        desk: What is on the screen.
        entry: The entry.
        verb: In its base form.
        part: What else was said that the verb is about: it decides between several.
    """
    bare = {e.id: replace(e, name=_but_own_words(e, entry)) for e in entry.held}
    listed = [bare[e.id] for e in entry.held]
    alike = [one for one in _ALIKE.get(verb, ()) if one != verb]
    for verbs in ([verb], alike):
        fitting = {e.id: e for one in verbs for e in controls_for(desk, one, listed)}
        fitting = {
            id_: e for id_, e in fitting.items() if kind_of(e) not in _WORDED or _lone(e, listed)
        }
        ids = list(_outermost([e for e in entry.held if e.id in fitting]))
        if len(ids) > 1 and part:
            wanted = set(stems(part))
            ids = [e for e in ids if wanted & set(stems(written_on(e)))]
        if ids:
            return ids[0] if len(ids) == 1 else None
    return _sign_in(entry, [verb, *alike])


def _lone(element: Element, listed: Sequence[Element]) -> bool:
    """Whether a mere text that says a verb may be pressed: it is all that its line has of them."""
    return not any(within(other.box, element.box) for other in listed if other.id != element.id)


def _but_own_words(element: Element, entry: Entry) -> str:
    """What a control is called but for the entry that it is in: `Reserve Hotel Rio`."""
    name = element.name
    if kind_of(element) not in _PRESSED:
        return name
    for text in sorted(entry.said(), key=len, reverse=True):
        if len(text) > 2 and fold(text) in fold(name) and fold(text) != fold(name):
            name = re.sub(re.escape(text), " ", name, flags=re.IGNORECASE)
    return " ".join(name.split())


def _outermost(elements: Sequence[Element]) -> Iterator[Element]:
    """Each place once: a control before the words on it."""
    kept: list[Element] = []
    for element in sorted(elements, key=lambda e: -(e.box.area if e.box else 0)):
        if not any(within(element.box, other.box) for other in kept):
            kept.append(element)
            yield element


def _sign_in(entry: Entry, verbs: Sequence[str]) -> Element | None:
    """The one sign in an entry that stands for a verb without words."""
    signs = "".join(_DRAWN.get(verb, "") for verb in verbs)
    fitting = (
        [
            e
            for e in entry.held
            if len(said := written_on(e).replace("\ufe0f", "")) == 1 and said in signs
        ]
        if signs
        else []
    )
    each = list(_outermost([e for e in fitting if e.box is not None and not is_disabled(e)]))
    return each[0] if len(each) == 1 else None


def called_in(entry: Entry, part: str) -> Element | None:
    """The one control of an entry that is called so."""
    words = {stem(w) for w in re.findall(r"[^\W_]+", part.casefold()) if w not in GRAMMAR | KINDS}
    used = [e for e in entry.held if e.role in ("link", "push button", "button", "toggle button")]
    fitting = [e for e in used if words and words == set(stems(written_on(e)))]
    return fitting[0] if len(fitting) == 1 else None


def stars_in(entry: Entry) -> list[Element]:
    """The stars of an entry from the left, where they stand in one line; else none."""
    said = [e for e in entry.held if _STAR.fullmatch(written_on(e)) and e.box is not None]
    stars = sorted(_outermost(said), key=lambda e: e.box.x if e.box else 0)
    lines = {e.box.center.y // 8 for e in stars if e.box}
    return stars if len(stars) >= FEWEST and len(lines) == 1 else []


def fields_in(entry: Entry) -> list[Element]:
    """What takes text in an entry."""
    return [e for e in entry.held if is_field(e) and not is_disabled(e) and e.box is not None]


def opener_of(entry: Entry, phrase: str) -> Element | None:
    """What opens an entry: the link that says what is meant, or comes first, or its words.

    A group of choices is nothing to open: its words only head them.
    """
    choices = sum(kind_of(e) in TICKED for e in entry.held)
    if choices > 1 and kind_of(entry.parts[0]) is not Kind.ROW:
        return None
    used = [e for e in entry.held if kind_of(e) in (Kind.LINK, Kind.BUTTON) and not is_disabled(e)]
    # What counts a number up and down opens nothing.
    used = [e for e in _outermost([e for e in used if e.box]) if not counts(e, entry.held)]
    told = told_of(phrase)
    wanted = told.words if told is not None else frozenset()
    worded = [e for e in entry.texts() if re.search(r"[^\W_]", written_on(e))]
    on_them = {e.id: one for one in used for e in worded if within(e.box, one.box)}
    saying = [e for e in used if wanted & set(stems(written_on(e)))]
    # What comes first in an entry is what it is called; its other links are for something else.
    first = [on_them[e.id] for e in worded[:1] if e.id in on_them and not _follows(e, worded)]
    opening = [e for e in used if _OPENER.fullmatch(_but_own_words(e, entry))]
    for fitting in (saying, first, opening):
        if len(fitting) == 1:
            return fitting[0]
    if len(entry.parts) == 1 and kind_of(entry.parts[0]) in (Kind.LINK, Kind.BUTTON):
        return entry.parts[0]
    texts = [e for e in worded if kind_of(e) in _WORDED and e.id not in on_them]
    # What a field is called opens nothing.
    above = {e.id: e.role for e in entry.held}
    texts = [e for e in texts if "label" not in (e.role, above.get(e.parent or "", ""))]
    heads = [e for e in texts if kind_of(e) is Kind.HEADING]
    telling = [e for e in texts if wanted & set(stems(written_on(e)))]
    return next(iter((*heads, *telling, *texts)), None)


def _follows(element: Element, texts: Sequence[Element]) -> bool:
    """Whether it stands in a line that begins with other words: it is for something of these."""
    at = element.box
    return at is not None and any(
        e.box is not None and e.box.right <= at.x and at.y <= e.box.center.y < at.bottom
        for e in texts
    )


def now_at(desk: Desk, element: Element) -> Element:
    """The same in the picture that is there now."""
    return same_as(desk.elements, element) or element
