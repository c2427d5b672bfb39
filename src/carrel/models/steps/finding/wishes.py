"""What a person looks for, what on the screen fits it, and which of several is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, Place, within
from carrel.models.steps.finding.by_words import control_meant
from carrel.models.steps.finding.narrowed import narrowing_words, showing
from carrel.models.steps.finding.own_names import by_own_name, says_part
from carrel.models.steps.finding.part_names import by_part_of_name
from carrel.models.steps.finding.row_clauses import clause_rows, row_words
from carrel.models.steps.finding.stated_rows import stated_rows
from carrel.models.steps.layout.accordions import accordion_heads
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.entry_rows import ENTRIES
from carrel.models.steps.layout.floating import behind
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.phrases.mentions import is_mention
from carrel.models.steps.phrases.owners import owner_of
from carrel.models.steps.shown.parts import in_part
from carrel.perception._names import fold
from carrel.perception.describe import Description, describe
from carrel.perception.description import Want
from carrel.perception.find import AHEAD, SURE, Found, Match, every, find
from carrel.perception.roles import TICKED, Kind, kind_of

__all__ = [
    "Wish",
    "all_fitting",
    "is_there",
    "look_for",
    "loosened",
    "resolve",
    "told_by_all",
    "wished",
]

BESIDE = 40
"""Pixels between a box to tick and the words beside it."""

TOLD = 0.85
"""How sure it is of a control that all the words of a step tell, and no other."""

_FILTER = re.compile(r"筛选|过滤|搜索|filter(?:ing)?|search", re.IGNORECASE)
_GLOSSED = re.compile(
    r".*?(?P<kind>图标|按钮|链接|菜单项?|选项卡|标签页|输入框|复选框|下拉框|选项|开关)"
    r"\s*[（(](?P<name>[^（）()]+)[)）]"
)
_FILTERED = frozenset({Kind.FIELD, Kind.COMBO, Kind.SPINNER})
_BESIDE = frozenset({"below", "above", "right_of", "left_of", "next_to"})


@dataclass(frozen=True, slots=True)
class Wish:
    """What is looked for.

    Attributes:
        phrase: In the person's words.
        inside: Only what lies in this part of the screen.
    """

    phrase: str
    description: Description
    inside: Box | None = None


_WORDS_OF = re.compile(
    r"\b(?P<where>beside|next to|near|left of|right of|behind|after|before) "
    r"(?:the|its) (?:name|title|label|text|caption) of (?=the |\"|“)",
    re.IGNORECASE,
)
"""Where something stands: what is written on a thing is where that thing is."""
_IN_ROUND = re.compile(r"(?P<what>.+?) (?:in|of) (?P<at>\[?\d+,\d+\]?)")
"""Something in what a round is about, which is written as a point."""
_STATUS = re.compile(r"\bstatus\b|状态", re.IGNORECASE)
_SEARCHED = re.compile(
    r"\b(?:search|find|filter|address|location) ?(?:bar|box|field|input|entry)|"
    r"(?:搜索|查找|筛选|地址)[框栏]",
    re.IGNORECASE,
)
_SET = frozenset({Kind.FIELD, Kind.COMBO})
_TEXTS = ((Kind.TEXT,), (Kind.HEADING,))
_ARTICLE = re.compile(r"^(?:the|an?|my|your)\s+", re.IGNORECASE)


_THAT_LANE = re.compile(
    r"[\"“]?(?P<name>(?![第最前后每])[^\"“”，,的]{2,12}?)[\"”]?\s*[这那]一?(?P<kind>[列栏])"
)
"""“进行中”这一列, 进行中那列: the column that is called so, whatever its name begins like."""


def wished(phrase: str, kinds: Iterable[Kind] = (), inside: Box | None = None) -> Wish:
    """A phrase, understood; `kinds` are those the verb asks for where the phrase says none."""
    lane = _THAT_LANE.fullmatch(phrase.strip())
    plain = f"“{lane['name']}”{lane['kind']}" if lane else phrase
    description = _but_owners(_by_its_words(_but_purposes(describe(plain))))
    listed = tuple(kinds)
    if _SET.intersection(listed):
        description = _but_mere_texts(description)
    if listed == (Kind.CHECKBOX,):
        description = _of_boxes(description)
    if listed:
        readings = tuple(_with_kinds(one, listed) for one in description.readings)
        description = replace(_with_kinds(description, listed), readings=readings)
    return Wish(phrase, description, inside)


def _but_owners(description: Description) -> Description:
    """Without readings in which “甲”的加号 is but 甲: the plus of a thing is not the thing."""
    every_way = (description, *description.readings)
    kept = [one for one in every_way if not any(map(says_part, one.rest))]
    if not kept or len(kept) == len(every_way):
        return description
    return replace(kept[0], readings=tuple(kept[1:]))


def _but_purposes(description: Description) -> Description:
    """With readings for words that only explain: a column's "filter field", an icon's name."""
    every_way = (description, *description.readings)
    plain = [
        replace(one, name="", readings=())
        for one in every_way
        if _FILTER.fullmatch(one.name) and set(one.kinds) & _FILTERED
        if any(r.kind == "column" or r.target.kinds == (Kind.COLUMN,) for r in one.relations)
    ]
    plain += [
        replace(one, name="", hint=one.name, readings=()) for one in filter(_says_use, every_way)
    ]
    if said := _GLOSSED.fullmatch(description.text.strip()):
        # 搜索图标（Search）: what is in the brackets is written there, or it is called so.
        plain.append(describe(f"“{said['name']}”{said['kind']}"))
    return replace(description, readings=(*description.readings, *plain[:3]))


def _by_its_words(description: Description) -> Description:
    """With a reading in which "beside the name of the tab" is beside the tab."""
    plain = _WORDS_OF.sub(r"\g<where> ", description.text)
    if plain == description.text:
        return description
    other = describe(plain)
    readings = (*description.readings, replace(other, readings=()), *other.readings)
    return replace(description, readings=readings)


def _says_use(one: Description) -> bool:
    """Whether a name may only say what a field is for, as what it is beside tells which it is."""
    if not one.name.islower() or one.exact or one.hint or one.ordinal or one.rest:
        return False
    placed = any(r.kind in _BESIDE and r.target.name and not r.negated for r in one.relations)
    return placed and bool(one.kinds) and set(one.kinds) <= _FILTERED


def _but_mere_texts(description: Description) -> Description:
    """Of what is typed into or chosen from, without readings as any text or heading."""
    # The "Message box" is no dialog where it is typed into.
    every_way = [_as_field(one) for one in (description, *description.readings)]
    kept = [one for one in every_way if one.kinds not in _TEXTS or one.name or one.relations]
    if len(kept) < len(every_way):
        kept = [replace(one, name=_ARTICLE.sub("", one.name)) for one in kept]
    return replace(kept[0], readings=tuple(kept[1:])) if kept else description


def _as_field(one: Description) -> Description:
    if one.kinds != (Kind.DIALOG,) or one.name or one.text.split()[-1].casefold() != "box":
        return one
    return replace(one, name=_ARTICLE.sub("", one.text).rsplit(maxsplit=1)[0], kinds=(Kind.FIELD,))


def _of_boxes(description: Description) -> Description:
    """Of what is ticked "a box" is one that can be ticked: no shape, and no field."""
    every_way = (description, *description.readings)
    boxes = [replace(one, shape="", readings=()) for one in every_way if one.shape == "box"]
    if not boxes:
        return description
    kept = [one for one in every_way if one.shape != "box" and one.kinds != (Kind.FIELD,)]
    return replace(boxes[0], readings=(*boxes[1:], *kept))


def _with_kinds(description: Description, kinds: tuple[Kind, ...]) -> Description:
    return description if description.kinds else replace(description, kinds=kinds)


def loosened(wish: Wish) -> Wish:
    """The same name on a thing of any kind: pages make links and buttons of mere text."""
    readings = tuple(replace(one, kinds=()) for one in wish.description.readings if one.name)
    if not wish.description.name:
        return wish
    return replace(wish, description=replace(wish.description, kinds=(), readings=readings))


def look_for(
    desk: Desk, wish: Wish, elements: Sequence[Element] | None = None, want: Want = "act"
) -> Found:
    """What fits it among the elements that can be meant."""
    if (told := _of_round(desk, wish, want)) is not None:
        return told
    place = desk.place
    if place is not None and elements is None and wish.inside is None:
        inner = (look_for(desk, replace(wish, inside=area), want=want) for area in place.areas)
        found = next((found for found in inner if _is_more(found, place)), None)
        return found or find((), wish.description)
    shown = elements is None and desk.whole is None
    listed = part_meant(desk.elements if elements is None else elements, wish.phrase)
    if want in ("act", "type"):
        covered = behind(desk.elements) if shown else frozenset()
        listed = [e for e in listed if e.id not in covered]
        listed = _but_status(listed, wish.phrase)
    if wish.inside is not None:
        # What has its middle there may be what holds the place.
        most = wish.inside.area
        listed = [e for e in listed if within(e.box, wish.inside) and e.box and e.box.area <= most]
    if (told := _by_column(desk, wish, listed, want)) is not None:
        return told
    view, size = (desk.seen.view, desk.size) if shown else (None, None)
    if wish.description.kinds == (Kind.TAB,) and (heads := accordion_heads(listed)):
        # A real tab before a heading of an accordion, which pages call a tab as well.
        real = [e for e in listed if e not in heads]
        found = find(real, wish.description, view=view, size=size, want=want)
        if is_there(found) and found.best is not None and kind_of(found.best.element) is Kind.TAB:
            return found
    found = find(listed, wish.description, view=view, size=size, want=want)
    if want == "type" and elements is None and not is_there(found):
        part = by_part_of_name(listed, wish.phrase)
        return Found(wish.description, (part,), (), ()) if part is not None else found
    if want != "act" or elements is not None or found.sure:
        return found
    meant = told_by_all(desk, wish, desk.elements)
    if meant is None and desk.asked and not is_there(found):
        # Of what is claimed every word counts.
        meant = by_own_name(listed, wish.phrase)
    if meant is None or (
        is_there(found) and meant.element not in [m.element for m in found.matches]
    ):
        return found
    return Found(wish.description, (meant,), (), ())


def told_by_all(desk: Desk, wish: Wish, elements: Sequence[Element]) -> Match | None:
    """The control that the whole step tells, where nothing is called as a part of it says."""
    if not desk.asked or fold(wish.phrase) not in fold(desk.asked):
        return None
    element = control_meant(elements, desk.asked)
    if element is None or element.box is None:
        return None
    return Match(element, TOLD, element.box.center, "told by all that is said")


def _but_status(listed: Sequence[Element], phrase: str) -> Sequence[Element]:
    """Without what a status bar says of other things, where that bar is not meant itself."""
    bars = {e.id for e in listed if e.role == "status bar"}
    if not bars or _STATUS.search(phrase):
        return listed
    held = {e.id for e in listed if e.parent in bars and kind_of(e) is Kind.TEXT}
    return [e for e in listed if e.id not in bars and e.id not in held]


def _of_round(desk: Desk, wish: Wish, want: Want) -> Found | None:
    """What a round is about, or what is in it; None where the words do not stand for that."""
    if desk.about is None:
        return None
    inner = _IN_ROUND.fullmatch(wish.phrase)
    about = desk.about.stands_for(inner["at"] if inner else wish.phrase)
    if about is None or about.box is None:
        return None
    if inner is not None:
        return look_for(desk, wished(inner["what"], (), about.box), want=want)
    match = Match(about, 1.0, about.box.center, "what the round is about")
    return Found(wish.description, (match,), (), ())


def _by_column(desk: Desk, wish: Wish, listed: Sequence[Element], want: Want) -> Found | None:
    """`the row whose status is Expired`, or what is in it; None where no column tells of it."""
    told = clause_rows(desk, wish.phrase, listed) if row_words(wish.phrase) else None
    if told is None:
        return None
    words, rows = told
    if not words.what:
        why = f"the row for {wish.phrase}"
        matches = [Match(row, 1.0, row.box.center, why) for row in rows if row.box is not None]
        return Found(wish.description, tuple(matches), (), ())
    tree = lineage_of(tuple(listed))
    held = [e for row in rows for e in tree.below(row)]
    kinds = tuple(kind for kind in wish.description.kinds if kind is not Kind.ROW)
    found = find(held, wished(words.what, kinds).description, want=want)
    return found if found.best is not None else find(held, wished(words.what).description)


def _is_more(found: Found, place: Place) -> bool:
    """Whether it is something within the place, and not the place itself."""
    return found.best is not None and found.best.element.box != place.areas[0]


def all_fitting(
    desk: Desk,
    phrase: str,
    kinds: Iterable[Kind] = (),
    *,
    among: Sequence[Element] | None = None,
) -> tuple[Element, ...]:
    """Everything that fits, on the screen or `among` others."""
    wish = wished(phrase, kinds)
    listed = part_meant(desk.elements if among is None else among, phrase)
    told = clause_rows(desk, phrase, listed) if row_words(phrase) else None
    if told is not None and not told[0].what:
        return tuple(told[1])
    shown = among is None and desk.whole is None
    view, size = (desk.seen.view, desk.size) if shown else (None, None)
    found = every(listed, wish.description, view=view, size=size)
    found = found or stated_rows(phrase, listed)
    owner = None if found else owner_of(phrase)
    if owner is None:
        return found
    said = every(listed, wished(f'"{owner}"').description)
    theirs = tuple({e.id: e for e in (_whole(listed, one) for one in said)}.values())
    words = narrowing_words(phrase, owner)
    if not words:
        return theirs
    lists = {e.parent for e in theirs}
    beside = [e for e in listed if e.parent in lists and kind_of(e) in (*ENTRIES, Kind.LINK)]
    return tuple(showing(lineage_of(tuple(listed)), theirs, words, beside))


def _whole(elements: Sequence[Element], said: Element) -> Element:
    """The entry that says a name, be it a mere link; what says it where it is in none."""
    tree = lineage_of(tuple(elements))
    chain = [said, *tree.above(said)]
    entry = next((e for e in chain if kind_of(e) in (*ENTRIES, Kind.LINK) and e.box), None)
    return said if entry is None else entry


def resolve(desk: Desk, found: Found) -> Match | None:
    """The one that is meant, if that is certain: alone, or by where the work is going on."""
    if found.sure and found.best is not None:
        return found.best
    rivals = _rivals(found)
    if len(rivals) < 2 or not is_there(found):
        return None
    for narrowed in (
        _in_dialog(desk, rivals),
        _of_lines(found, rivals),
        _but_labels(rivals),
        _of_page_labels(desk, rivals),
        _but_mentions(desk, rivals),
        _near_work(desk, rivals),
    ):
        if len(narrowed) == 1:
            return narrowed[0]
    return None


def is_there(found: Found) -> bool:
    """Whether something fits well, be it several: then looking further does not help."""
    return found.best is not None and found.best.confidence >= SURE


def _rivals(found: Found) -> list[Match]:
    """Those that are as good as the best, each thing once."""
    best = found.best
    if best is None:
        return []
    return [match for match in found.matches if match.confidence > best.confidence - AHEAD]


def _in_dialog(desk: Desk, rivals: list[Match]) -> list[Match]:
    dialogs = [e for e in desk.elements if e.role in ("dialog", "alert") or "modal" in e.states]
    boxes = [e.box for e in dialogs if e.box is not None]
    if not boxes:
        return []
    inner = min(boxes, key=lambda box: box.area)
    return [match for match in rivals if within(match.element.box, inner)]


def _of_lines(found: Found, rivals: list[Match]) -> list[Match]:
    """A text area has several lines, a text field or an input has one."""
    said = found.description.text
    if re.search(r"text ?area", said, re.IGNORECASE):
        return [match for match in rivals if "multi line" in match.element.states]
    if re.search(r"text ?(?:field|box|input)|\binput\b", said, re.IGNORECASE):
        return [match for match in rivals if "single line" in match.element.states]
    if _SEARCHED.search(said):
        return [match for match in rivals if "multi line" not in match.element.states]
    return []


def _but_labels(rivals: list[Match]) -> list[Match]:
    """Without words that only label another of them: a box and what stands beside it are one."""
    ticked = [m for m in rivals if kind_of(m.element) in TICKED]
    return [m for m in rivals if not any(_labels(m.element, box.element) for box in ticked)]


def _of_page_labels(desk: Desk, rivals: list[Match]) -> list[Match]:
    """Of mere texts of a page those that it calls a label: a click on one is a click on its box."""
    if web_page(desk.elements) is None or any(kind_of(m.element) is not Kind.TEXT for m in rivals):
        return []
    above = {e.id: e for e in desk.elements}
    holders = {m.element.id: above.get(m.element.parent or "") for m in rivals}
    labels = [m for m in rivals if m.element.role == "label"]
    inner = [m for m in rivals if (h := holders[m.element.id]) is not None and h.role == "label"]
    return labels or inner


def _but_mentions(desk: Desk, rivals: list[Match]) -> list[Match]:
    """Without words within a sentence, where something of that name stands by itself."""
    tree = lineage_of(tuple(desk.elements))
    return [match for match in rivals if not is_mention(match.element, tree)]


def _labels(text: Element, box: Element) -> bool:
    if kind_of(text) is not Kind.TEXT or text.name.strip() != box.name.strip():
        return False
    if text.box is None or box.box is None or not text.name.strip():
        return False
    beside = abs(text.box.x - box.box.right) <= BESIDE
    return beside and text.box.y <= box.box.center.y < text.box.bottom


def _near_work(desk: Desk, rivals: list[Match]) -> list[Match]:
    """Those in the row, the form or the dialog that the last step worked in."""
    held = {id(e) for e in in_part(desk, [match.element for match in rivals])}
    return [match for match in rivals if id(match.element) in held]
