"""What it takes to say that something is not there: that the words were understood, all of them.

A thing that no rule found may be in plain view under another name, or be drawn and not written.
Then nothing can be told, and that is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from carrel.frames import Element
from carrel.models.steps.claims.badges import badge_of, badged_name
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.held_entries import entry_naming
from carrel.models.steps.finding.row_clauses import clause_rows, row_words
from carrel.models.steps.finding.wishes import Wish, is_there, look_for, wished
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.said_rows import said_by
from carrel.models.steps.turns import Turns
from carrel.perception.description import Description
from carrel.perception.find import Match
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, fits, kind_of

__all__ = [
    "cannot_count",
    "cannot_tell",
    "is_known_to_go",
    "is_plain_text",
    "nearest_text",
    "row_beyond",
]

SHORT = 8
"""Words that a name has at most; what is longer only speaks of things."""
MOST_TOLD = 3
ALIKE = 0.6
"""How much of two texts must be the same for one to come near the other."""
_SMALL = re.compile(
    r"an?|the|th(?:is|at|ese|ose)|any|some|no|my|your|our|its|their|of|in|on|at|to|for|from|by|"
    r"with|and|or|is|are|be|called|named|labelled"
)
"""Words that name nothing."""
_DRAWN = re.compile(
    r"\b(?:arrows?|chevrons?|triangles?|circles?|squares?|dots?|stars?|hearts?|crosses|cross|"
    r"ticks?|pictures?|drawings?|maps?|charts?|graphs?|handles?|cursors?|pointers?)\b|箭头",
    re.IGNORECASE,
)
"""Words for what is seldom written, only drawn."""
_PICTURES = (Kind.ICON, Kind.IMAGE, Kind.SHAPE)
_COMES_AND_GOES = (Kind.DIALOG, Kind.WINDOW, Kind.MENU)
"""Of what is in one of these nothing is left when it is gone."""
_VAGUE = (Kind.TEXT, Kind.ANY, Kind.GROUP, Kind.HEADING, *_PICTURES)
"""What an application calls a thing that it does not tell the kind of."""
_ROWS = re.compile(r"\b(?:rows?|lines?|entry|entries|records?)\b|行|记录", re.IGNORECASE)
_WRITTEN = re.compile(r"(?:text|words?|name|label|title|caption)|文字|内容|名称?", re.IGNORECASE)
"""What any row has, and no column need be called."""
_ARTICLE = re.compile(r"(?:the|an?|any|this|that)\s", re.IGNORECASE)


def is_plain_text(phrase: str) -> bool:
    """Whether a text was quoted and nothing else is said of it: it is there, or it is not."""
    one = wished(phrase).description
    plain = one.kinds in ((), (Kind.TEXT,)) and not (one.relations or one.ordinal or one.states)
    return one.exact and plain


def is_known_to_go(phrase: str) -> bool:
    """Whether one need not have seen it to know that it is gone: a text, a name, any dialog."""
    one = wished(phrase).description
    if one.rest or one.denied:
        return False
    if not one.name:
        return bool(one.kinds) and set(one.kinds) <= set(_COMES_AND_GOES)
    return one.exact or not one.name.islower()


def cannot_tell(desk: Desk, phrase: str) -> str | None:
    """Why nobody can say that a thing is not there; None when it really is not."""
    wish = wished(phrase)
    one = wish.description
    if is_plain_text(phrase) or _has_no_badge(desk, phrase):
        return None
    if (named := entry_naming(desk, phrase)) is not None:
        name = named[0]
        why = f"{name} is to be seen" if _is_written(desk, name) else None
        return why and f"cannot tell whether {phrase} is there: {why}"
    if (told := _of_rows(desk, phrase)) is not None:
        return f"cannot tell whether {phrase} is there: {told}" if told else None
    why = _not_understood(desk, one)
    if why is None and (near := _near_misses(desk, wish)):
        listed = ", ".join(map(_told, near[:MOST_TOLD]))
        why = f"no {one.name or phrase} was found, and something like it is there"
        return f"cannot tell whether {phrase} is there: {why}; nearest: {listed}"
    why = why or _unnamed(desk, one) or _not_a_name(phrase, one)
    if why is None:
        return None
    nearest = look_for(desk, wish).nearest
    listed = f"; nearest: {', '.join(map(str, nearest))}" if nearest else ""
    return f"cannot tell whether {phrase} is there: {why}{listed}"


def _has_no_badge(desk: Desk, phrase: str) -> bool:
    """Whether what should have a badge is there, and has none."""
    name = badged_name(phrase)
    return name is not None and badge_of(desk, name) == (True, None)


def cannot_count(desk: Desk, phrase: str) -> str | None:
    """Why finding none of a thing does not say that there are none; None when there are none."""
    one = wished(phrase).description
    if (told := _of_rows(desk, phrase)) is not None:
        return f"cannot tell how many {phrase} there are: {told}" if told else None
    if one.exact and not one.relations:
        return None
    why = _not_understood(desk, one)
    unknown = [word for word in _words(one.name) if not _is_evident(desk, word)]
    if why is None and not one.exact and unknown:
        why = f"nothing on the screen says {' '.join(unknown)}"
    if why is None and (near := _near_misses(desk, wished(phrase))):
        why = f"something like it is there: {', '.join(map(_told, near[:MOST_TOLD]))}"
    return None if why is None else f"cannot tell how many {phrase} there are: {why}"


def _of_rows(desk: Desk, phrase: str) -> str | None:
    """Of rows that a column tells of, why that is not known: empty where it is, None of others."""
    ways = row_words(phrase)
    if not ways:
        return None
    if clause_rows(desk, phrase, tuple(part_meant(desk.elements, phrase))) is not None:
        return ""
    columns = [clause.column for clause in ways[0].clauses]
    if not _ROWS.search(phrase) or any(_WRITTEN.fullmatch(column) for column in columns):
        return None
    return f"no table here has a column {' and '.join(columns)}"


def row_beyond(desk: Desk, phrase: str) -> Turns[str | None]:
    """What a row says that a column tells of, and that is out of sight on its page."""
    if not row_words(phrase) or web_page(desk.elements) is None or desk.scope is not None:
        return None
    yield from desk.again(0, why=f"whether {phrase} is out of sight", hidden=True)
    listed = tuple(part_meant(desk.unseen, phrase))
    told = clause_rows(desk, phrase, listed)
    rows = [] if told is None or told[0].what else [e for e in told[1] if e.box and e.box.area]
    return said_by(Lineage(listed), rows[:1])[0].full if rows else None


def nearest_text(desk: Desk, words: str) -> str | None:
    """What is written on the screen that comes nearest to a text; None where nothing does."""
    best, found = ALIKE, None
    for element in part_meant(desk.elements, ""):
        said = " ".join(_said(element).split())
        if not said or len(said) > 2 * len(words) + 8 or not words:
            continue
        share = SequenceMatcher(None, said.casefold(), words, autojunk=False).ratio()
        if share > best:
            best, found = share, said
    return found


def _not_understood(desk: Desk, one: Description) -> str | None:
    """Words that no rule took, and other things it is said to belong to that are not there."""
    if one.rest:
        return f"“{' '.join(one.rest)}” was not understood"
    if one.denied:
        return "there is a “not” in it that was not understood"
    for target in _targets(one):
        if target.kinds and not target.name and set(target.kinds) & set(_COMES_AND_GOES):
            continue
        if not _is_found(desk, target):
            return f"{target.text or target.name}, which it is said to be of, was not found"
    return None


def _targets(one: Description) -> Iterator[Description]:
    for relation in one.relations:
        for target in (relation.target, relation.other):
            if target is not None:
                yield target
                yield from _targets(target)


def _is_found(desk: Desk, target: Description) -> bool:
    if is_there(look_for(desk, Wish(target.text, target), want="hold")):
        return True
    return bool(_words(target.name)) and not target.kinds and _is_written(desk, target.name)


def _is_written(desk: Desk, name: str) -> bool:
    said = name.casefold()
    return any(said in text.casefold() for e in part_meant(desk.elements, "") if (text := _said(e)))


def _is_evident(desk: Desk, word: str) -> bool:
    return any(word in _words(_said(e)) for e in part_meant(desk.elements, ""))


def _near_misses(desk: Desk, wish: Wish) -> list[Element]:
    """What is called by some of the words, or by all of them and more."""
    one = wish.description
    wanted = _words(one.name)
    listed = part_meant(desk.elements, wish.phrase) if wanted else ()
    if desk.place is not None:
        listed = [e for e in listed if within(e.box, desk.place.areas[-1])]
    inside = [e for e in listed if e.box is not None and _is_near(one, wanted, e)]
    return list({_said(e): e for e in inside}.values())


def _is_near(one: Description, wanted: frozenset[str], element: Element) -> bool:
    said = _words(_said(element))
    if not said or len(said) > SHORT or not said & wanted:
        return False
    kind = max((fits(element, kind) for kind in one.kinds), default=1.0)
    if said <= wanted and (said == wanted or not one.exact):
        return kind > 0 or kind_of(element) in _VAGUE
    return wanted < said and not one.exact and kind > 0 and bool(one.kinds)


def _unnamed(desk: Desk, one: Description) -> str | None:
    """Things of that kind that have no name, of which it may be one."""
    drawn = bool(_DRAWN.search(one.name))
    kinds = one.kinds or (_PICTURES if drawn else ())
    if not kinds or not one.name or (one.name != one.name.lower() and not drawn):
        # What is spelt as a name is written on it.
        return None
    listed = [e for e in part_meant(desk.elements, one.text) if e.box and not _words(_said(e))]
    listed = [e for e in listed if drawn or e.source in ("tree", "browser")]
    if any(kind in _PICTURES for kind in kinds):
        kinds = (*kinds, Kind.BUTTON)
    nameless = [e for e in listed if any(fits(e, kind) >= 0.75 for kind in kinds)]
    if drawn and not nameless:
        return f"{one.name} may be drawn, and nothing tells of it"
    return f"{len(nameless)} such things have no name to tell them by" if nameless else None


def _not_a_name(phrase: str, one: Description) -> str | None:
    """A thing that is described in words which no rule knows, and which nothing is called by."""
    if one.kinds or one.exact or not one.name or not one.name.isascii():
        return None
    if not one.name.islower() or re.search(r"[\d.@_/:-]", one.name):
        return None
    described = _ARTICLE.match(phrase.strip()) or len(_words(one.name)) > 1
    return f"nothing says what {one.name} would look like" if described else None


def _said(element: Element) -> str:
    if kind_of(element) in (Kind.WINDOW, Kind.PAGE, Kind.PASSWORD):
        return ""
    return written_on(element)


def _words(text: str) -> frozenset[str]:
    """The words that name something; of Chinese each sign is one."""
    found = re.findall(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+", text.casefold())
    return frozenset(_singular(word) for word in found if not _SMALL.fullmatch(word))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _told(element: Element) -> str:
    assert element.box is not None
    return str(Match(element, 0.0, element.box.center))
