"""What stands around a thing and tells which one is meant: its row, its section, its page.

People name a thing by more than what is written on it: "the coffee from the cart", "the message
from Omar about the budget". Each of those words must be said somewhere around the thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.perception._names import fold
from carrel.perception._pick import collapse
from carrel.perception._search import Hit, Search
from carrel.perception.description import Description
from carrel.perception.labels import written_on
from carrel.perception.layout import Layout, Placed
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["by_words", "in_context"]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


NAMED = 0.85
"""From here on something is called what was said."""
TOLD = (0.97, 0.93, 0.88)
"""What it is worth that the rest is said in its row, its section, or only of all that is shown."""
BY_WORDS = 0.86
_AROUND = frozenset({"in", "of", "row"})
_ENTRIES = frozenset({Kind.ROW, Kind.OPTION, Kind.TREE_ITEM})
_SOFT = frozenset({Kind.TEXT, Kind.ROW, Kind.OPTION, Kind.CELL, Kind.LINK, Kind.TREE_ITEM})
_HAN = re.compile(r"[\u3400-\u9fff]")
_MARKS = " .,;:!?()[]{}\"'“”‘’"
_JOINT = re.compile(r"\b(?:from|by|about|with|of|for|to|on|regarding)\b", re.IGNORECASE)
_FILLERS = _listed(
    "the a an of in on at from by about for with to and or that is are was my your our his her "
    "their its this these those sent called named where which who says saying one"
)
_ENTRY_WORDS = _listed(
    "message mail email e-mail order item entry row record file folder document product article "
    "task todo event post comment user person customer contact member invoice ticket result "
    "booking appointment note photo picture song book room flight line"
)
_PLACE_WORDS = _listed(
    "settings setting preferences options page section tab list menu panel dialog window area "
    "screen form view part group table box"
)
_HAN_ENTRY = re.compile(
    r"(?P<what>.+?)的?(?:那一?|这一?|该)?[条封个项份]?"
    r"(?:订单|邮件|消息|信息?|文件|任务|商品|产品|记录|条目|事项|日程|评论|联系人|发票|行)"
)
_HAN_FILLERS = re.compile(
    r"的|那一?|这一?|一?行|一?条|一?封|一?个|一?项|里面?|中|内|上|关于|来自|发来|所在|名为|叫做?|"
    r"订单|邮件|消息|文件|任务|商品|项目|记录|客户|用户|设置|页面?|选项卡|列表|表格?|部分|栏|"
    r"\s+"
)


def in_context(search: Search, one: Description) -> list[Hit]:
    """What is called so, and has the rest of the words said around it; most nearly first."""
    if not one.name or not _is_around(one):
        return []
    layout = search.layout
    plain = replace(one, relations=())
    called = [hit for hit in search.fitting(plain) if hit.confidence >= NAMED]
    words = " ".join(relation.target.text for relation in one.relations)
    told = [
        (level, hit) for hit in called if (level := _level(layout, hit.item, words)) is not None
    ]
    if not told:
        return []
    nearest = min(level for level, _ in told)
    if nearest == len(TOLD) - 1 and _is_only_placed(words):
        return []
    kept = collapse(layout, [hit for level, hit in told if level == nearest])
    best = max(hit.confidence for hit in kept)
    return [
        replace(hit, factor=hit.factor * TOLD[nearest], why=f"{hit.why}, where {words!r} is said")
        for hit in kept
        if hit.confidence >= best - 0.02
    ]


def _is_around(one: Description) -> bool:
    """Whether all that is said of its place is what it is in, or what it belongs to."""
    return bool(one.relations) and all(
        relation.kind in _AROUND
        and not relation.negated
        and not relation.target.exact
        and not relation.target.ordinal
        and not relation.target.relations
        for relation in one.relations
    )


def _is_only_placed(words: str) -> bool:
    """Whether they only say what sort of place it is."""
    return not _HAN.search(words) and not _content(words) - _PLACE_WORDS


def _level(layout: Layout, item: Placed, words: str) -> int | None:
    """How far around one has to look for all the words; None where they are not all said."""
    said: list[str] = []
    for level, texts in enumerate(_surroundings(layout, item)):
        said += texts
        if _covers(words, said, placed=level > 0):
            return level
    return None


def _surroundings(layout: Layout, item: Placed) -> Iterator[list[str]]:
    """What is written in its row, then over its section, then of everything that is shown."""
    above = [layout.by_id[e.id] for e in layout.ancestors(item) if e.id in layout.by_id]
    entry = next((a for a in above if a.kind in _ENTRIES), None)
    label = layout.label(item)
    yield [
        *(_texts(layout, entry) if entry is not None else ()),
        *([written_on(label)] if label is not None else ()),
    ]
    headings = [p for p in layout.placed if p.kind is Kind.HEADING and p.order < item.order]
    named = [written_on(a.element) for a in above if a.kind in (Kind.GROUP, Kind.DIALOG)]
    legends = [called.text for a in above if a.kind is Kind.GROUP for called in layout.called(a)]
    chosen = [
        written_on(p.element)
        for p in layout.placed
        if p.kind is Kind.TAB and "selected" in p.element.states
    ]
    yield [*(written_on(h.element) for h in headings[-1:]), *named, *legends, *chosen]
    whole = [a for a in above if a.kind in (Kind.WINDOW, Kind.PAGE)]
    yield [*(written_on(h.element) for h in headings[:1]), *(a.element.name for a in whole)]


def _texts(layout: Layout, entry: Placed) -> list[str]:
    """What an entry says, but for what its controls are called; and how its columns are headed."""
    found = [written_on(entry.element)] if entry.kind is not Kind.ROW else []
    for inner in layout.inside(entry):
        if inner.kind in CONTROLS and inner.kind is not Kind.LINK:
            continue
        if any(kind_of(e) in CONTROLS - {Kind.LINK} for e in _between(layout, inner, entry)):
            continue
        if inner.kind is Kind.CELL and _holds_control(layout, inner):
            continue
        found.append(written_on(inner.element))
        label = layout.label(inner) if inner.kind is Kind.CELL else None
        found.append(written_on(label) if label is not None else "")
    return [text for text in dict.fromkeys(found) if text]


def _between(layout: Layout, inner: Placed, entry: Placed) -> Iterator[Element]:
    for parent in layout.ancestors(inner):
        if parent.id == entry.element.id:
            return
        yield parent


def _holds_control(layout: Layout, cell: Placed) -> bool:
    return any(p.kind in CONTROLS and p.kind is not Kind.LINK for p in layout.inside(cell))


def _covers(words: str, texts: Iterable[str], *, placed: bool) -> bool:
    """Whether every word that matters is said."""
    texts = tuple(texts)
    listed = [fold(text) for text in texts]
    if _HAN.search(words):
        return _covers_han(words, listed, partly=placed)
    said = {_stem(word) for text in texts for word in _words(text)}
    wanted = _content(words)
    if placed:
        wanted -= {w for w in wanted if w in _PLACE_WORDS and len(wanted) > 1}
    least = wanted - {word for word in wanted if word in _ENTRY_WORDS}
    return bool(wanted) and {_stem(word) for word in least or wanted} <= said


def _covers_han(words: str, texts: Sequence[str], *, partly: bool) -> bool:
    left = fold(words).replace(" ", "")
    found = False
    for text in sorted((t.replace(" ", "") for t in texts), key=len, reverse=True):
        if len(text) > 1 and text in left:
            left, found = left.replace(text, " "), True
    left = _HAN_FILLERS.sub("", left)
    if not left:
        return found
    # The rest of what a section is called may stand within a longer text.
    return partly and any(left in text for text in texts)


def _content(words: str) -> set[str]:
    return {word for word in _words(words) if word not in _FILLERS}


def _words(text: str) -> list[str]:
    """Words as they are set apart by spaces: `notes.txt` is one, and no part of `notes.txt.bak`."""
    bare = (re.sub(r"['’]s$", "", word) for word in text.casefold().split())
    return [word for one in bare if (word := one.strip(_MARKS))]


def _stem(word: str) -> str:
    """Without what makes it plural or possessive."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def by_words(layout: Layout, one: Description, want: str) -> list[Hit]:
    """The entry of a list or table that says every word of a phrase; all of them, if several do."""
    if one.exact or one.ordinal or one.denied or any(r.negated for r in one.relations):
        return []
    if any(kind not in _SOFT for kind in one.kinds):
        return []
    entries = [item for item in layout.placed if item.kind in _ENTRIES]
    if _HAN.search(one.text):
        stems: set[str] = set()
        found = [e for e in entries if _says_han(layout, e, one.text)]
    else:
        stems = {_stem(word) for word in _content(one.text) - _ENTRY_WORDS}
        if not stems or _JOINT.search(one.text) is None:
            return []
        found = [e for e in entries if stems <= _said(layout, e)]
    inner = [e for e in found if not any(o is not e and layout.holds(e, o) for o in found)]
    return [Hit(_use(layout, e, stems, want), BY_WORDS, 1.0, "it says every word") for e in inner]


def _says_han(layout: Layout, entry: Placed, phrase: str) -> bool:
    """Whether a phrase that ends with a word for an entry says only what stands in it."""
    noun = _HAN_ENTRY.fullmatch(fold(phrase).replace(" ", ""))
    texts = [fold(text) for text in _texts(layout, entry)]
    return noun is not None and _covers_han(noun["what"], texts, partly=False)


def _said(layout: Layout, entry: Placed) -> set[str]:
    return {_stem(word) for text in _texts(layout, entry) for word in _words(text)}


def _use(layout: Layout, entry: Placed, stems: set[str], want: str) -> Placed:
    """What of an entry is used: a link in it, or the text that says most of the words."""
    if entry.kind is not Kind.ROW or want == "read":
        return entry
    inside = [p for p in layout.inside(entry) if written_on(p.element)]

    def rank(item: Placed) -> tuple[int, bool]:
        words = {_stem(word) for word in _words(written_on(item.element))}
        return len(words & stems), item.kind is Kind.LINK

    links = [p for p in inside if p.kind is Kind.LINK]
    if len(links) == 1:
        return links[0]
    plain = [p for p in inside if p.kind in (Kind.LINK, Kind.CELL, Kind.TEXT)]
    return max(plain, key=rank, default=entry)
