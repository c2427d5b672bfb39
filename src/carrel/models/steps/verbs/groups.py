"""Groups of choices under one name: radio buttons, segments, chips, stars, and lone switches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.enclosed import members_of
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.layout.sections import section_under
from carrel.models.steps.shown.label_lines import segment_in, star_behind
from carrel.models.steps.shown.lone_switches import BELOW, areas_around, line_of, things_in
from carrel.models.steps.shown.panes import bring_into_view, off_screen
from carrel.models.steps.shown.segments import segments_of
from carrel.models.steps.turns import Turns
from carrel.perception._names import is_same
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = [
    "choice_in",
    "come_to_group",
    "described_choices",
    "group_called",
    "read_choice",
    "shown_number",
]

MOST_STARS = 10
BESIDE = 240
"""Pixels from a choice to the number that goes with all of them."""
_RULES = " —–-_─:："
"""What the line of a frame is read as, before and after the name in it."""
_DRAWN = re.compile(r"^[\w-]*-symbolic$")
"""What a thing without a name is called for the picture on it."""
_CHOICES = TICKED | {Kind.BUTTON, Kind.TAB, Kind.OPTION, Kind.LINK, Kind.MENU_ITEM}
_UNITS = re.compile(
    r"\b(?:stars?|points?|out of \d+|of \d+)\b|颗?星级?|分|[/／]\s*\d+", re.IGNORECASE
)
"""What is said with the number of a choice, and makes it no other."""
_BARE = frozenset({Kind.TEXT, Kind.HEADING, Kind.GROUP, Kind.LIST, Kind.TOOLBAR})


def group_called(desk: Desk, phrase: str) -> Element | None:
    """What names a group: a text before it, or the group itself; no control."""
    for want in ("hold", "read"):
        match = resolve(desk, look_for(desk, wished(phrase), want=want))
        if match is not None and kind_of(match.element) in _BARE:
            return match.element
    return None


def choice_in(desk: Desk, anchor: Element, value: str) -> Element | None:
    """The choice of that name in the group that something names, if that is certain."""
    for choices in _groups(desk, anchor):
        if len(choices) < 2:
            continue
        fitting = [e for e in choices if _is_called(desk, e, value)]
        if not fitting and (star := _numbered(choices, value)) is not None:
            return star
        if len(fitting) == 1:
            return fitting[0]
        if not fitting and (partly := _partly_called(choices, value)) is not None:
            desk.doubt(f"{value} was taken for {written_on(partly)}")
            return partly
        if fitting or {kind_of(e) for e in choices} <= TICKED:
            # It is a group, and that is not in it, or twice.
            return None
    number = _UNITS.sub("", value).strip()
    star = star_behind(desk, anchor, int(number)) if number.isdigit() else None
    return star or segment_in(desk, anchor, value)


def described_choices(desk: Desk, options: Sequence[str], source: str) -> list[Element]:
    """The boxes to tick of these names, where what they are said to be is written nowhere.

    `Paris as the location`: of what sort a choice is need not be written beside it.
    """
    kinds = ((Kind.COMBO,), (Kind.LIST,), (Kind.FIELD,), ())
    if any(is_there(look_for(desk, wished(source, kind), want="read")) for kind in kinds):
        return []
    shown = [e for e in part_meant(desk.elements, "") if kind_of(e) in TICKED and e.box]
    shown = [e for e in shown if not is_disabled(e)]
    fitting = [[e for e in shown if is_same(option, e.name)] for option in options]
    return [found[0] for found in fitting] if all(len(found) == 1 for found in fitting) else []


def read_choice(desk: Desk, name: str, value: str) -> Element | None:
    """The one drawn choice called by a value under the name of its group, as pixels are read.

    Not every circle beside it may have been seen, and a line that a name stands in is read with it.
    """
    said = re.sub(r"^(?:the|its)\s+", "", name.strip(), flags=re.IGNORECASE)
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    drawn = [e for e in shown if e.source == "detector" and kind_of(e) is Kind.RADIO]
    called = [e for e in drawn if _is_called(desk, e, value)]
    heads = [e for e in shown if e.source == "ocr" and kind_of(e) in (Kind.TEXT, Kind.HEADING)]
    over = [e for e in heads if is_same(said, written_on(e).strip(_RULES))]
    if len(called) != 1 or len(over) != 1 or called[0].box is None or over[0].box is None:
        return None
    near = 0 <= called[0].box.y - over[0].box.bottom <= BELOW
    return called[0] if near and abs(called[0].box.x - over[0].box.x) <= BESIDE else None


def _groups(desk: Desk, anchor: Element) -> Iterator[list[Element]]:
    """What may be the choices that something names, the nearest first."""
    for area in areas_around(desk, anchor):
        yield _choices(desk, area, anchor)
    if anchor.box is not None and kind_of(anchor) in (Kind.TEXT, Kind.HEADING):
        part = section_under(anchor, Lineage(desk.elements))
        if part is not None and part.box is not None:
            yield _choices(desk, part.box, anchor)
        line = line_of(desk, anchor.box)
        yield _choices(desk, line, anchor)
        yield _written(desk, line, anchor)
        below = Box(anchor.box.x, anchor.box.bottom, desk.size.width - anchor.box.x, BELOW)
        yield _choices(desk, below, anchor)
        yield segments_of(desk, anchor)


def _written(desk: Desk, area: Box, anchor: Element) -> list[Element]:
    """Labels side by side that stand for boxes nobody sees, as pages make segments of them."""
    inside = [e for e in part_meant(desk.elements, "") if e.role == "label" and within(e.box, area)]
    groups: dict[str, list[Element]] = {}
    for element in inside:
        if element.id not in (anchor.id, anchor.parent):
            groups.setdefault(element.parent or "", []).append(element)
    sets = [group for group in groups.values() if len(group) > 1]
    return sets[0] if len(sets) == 1 else []


def _partly_called(choices: Sequence[Element], value: str) -> Element | None:
    """The one choice whose name in Chinese is the value and a word more: 微信支付 for 微信."""
    said = value.strip().strip('"“”')
    if not re.fullmatch(r"[\u3400-\u9fff]{2,8}", said):
        return None
    more = [
        e
        for e in choices
        if (name := written_on(e).strip()) != said and name.startswith(said) and len(name) < 9
    ]
    return more[0] if len(more) == 1 and not re.search("[不非无未]", more[0].name) else None


def _numbered(choices: Sequence[Element], value: str) -> Element | None:
    """The star of that number, where all are called alike."""
    bare = _UNITS.sub("", value).strip()
    alike = len({_DRAWN.sub("", written_on(e)) for e in choices}) == 1 and _are_in_line(choices)
    if not alike or not bare.isdigit() or not 1 <= int(bare) <= len(choices) <= MOST_STARS:
        return None
    line = sorted(choices, key=lambda e: e.box.x if e.box else 0)
    return line[int(bare) - 1]


def _are_in_line(choices: Sequence[Element]) -> bool:
    """Whether they stand side by side: of others nobody knows where their numbers begin."""
    boxes = [e.box for e in choices if e.box is not None]
    return len({box.center.y for box in boxes}) == 1 == len({box.height for box in boxes})


def shown_number(desk: Desk, choice: Element) -> str | None:
    """The number that stands beside choices without names, and goes with the one that is taken."""
    box = choice.box
    if box is None:
        return None
    near = Box(max(0, box.x - BESIDE), box.y, box.width + 2 * BESIDE, box.height)
    texts = [e for e in things_in(desk, near, choice) if kind_of(e) is Kind.TEXT]
    told = {written_on(e).strip() for e in texts if written_on(e).strip().isdigit()}
    return next(iter(told)) if len(told) == 1 else None


def come_to_group(desk: Desk, phrase: str) -> Turns[None]:
    """Have choices in sight that are further down, under what names them."""
    if is_there(look_for(desk, wished(phrase), want="read")) or web_page(desk.elements) is None:
        return
    yield from desk.again(0, why=f"what is out of sight, for {phrase}", hidden=True)
    held = members_of(desk, phrase, desk.unseen)
    below = max(held, key=lambda e: e.box.bottom if e.box else 0, default=None)
    if below is not None and any(kind_of(e) in _CHOICES for e in held):
        yield from bring_into_view(desk, below)
        title = resolve(desk, look_for(desk, wished(phrase), off_screen(desk), want="read"))
        if title is not None:
            yield from bring_into_view(desk, title.element)


def _choices(desk: Desk, area: Box, anchor: Element) -> list[Element]:
    inside = [e for e in things_in(desk, area, anchor) if kind_of(e) in _CHOICES]
    ticked = [e for e in inside if kind_of(e) in TICKED]
    return ticked or inside


def _is_called(desk: Desk, choice: Element, value: str) -> bool:
    label = label_of(choice, desk.elements) if not choice.name.strip() else None
    inner = [e for e in desk.elements if choice.role == "label" and within(e.box, choice.box)]
    called = [written_on(e) for e in (choice, *inner, *([label] if label is not None else []))]
    bare = _UNITS.sub("", value).strip()
    return any(
        text and (is_same(value, text) or (bare.isdigit() and _UNITS.sub("", text).strip() == bare))
        for text in called
    )
